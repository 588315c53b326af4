/** Secrets in the texts behind handles: whole texts are scanned, before lines of them are chosen. */
import type { ContextEngine } from '../engine/engine';
import type { DetailSource } from '../model/detail';
import type { ObservationRow } from '../model/observation';
import type { MaskedSecret, MaskedText, SecretFinding } from '../model/report';
import { type Masks, maskStrings, stringsOf } from '../secrets/masking';
import { maskFor } from '../secrets/secretMask';
import { type LineRange, splitFileLines } from '../text/elements';

/** A text as it is found: whole, since what gives a secret away may stand before the lines that are meant. */
export interface FoundText extends DetailSource {
  /** Of `text`; absent where all of it is meant. */
  readonly lines?: LineRange;
}

/** A secret that was masked, with what stands for it. */
export type MaskedFinding = SecretFinding & { readonly mask: string };

/** What one handle stands for. */
export interface Found {
  readonly items: readonly FoundText[];
  readonly row?: ObservationRow;
  readonly secrets: readonly MaskedFinding[];
}

/** Where a finding at a line of a text is, as far as the handle says. */
function placeOf({ handle, lines }: FoundText, line: number): Pick<SecretFinding, 'line' | 'path'> {
  const { base, line: first } = splitFileLines(handle);
  if (!base.startsWith('file:')) return { line };
  return { line: lines ? line : line + first - 1, path: base.slice('file:'.length) };
}

/** The last line of a secret. */
const lastLineOf = ({ line, value }: Pick<MaskedSecret, 'line' | 'value'>): number =>
  line + value.split('\n').length - 1;

function isMeant({ lines }: FoundText, secret: Pick<MaskedSecret, 'line' | 'value'>): boolean {
  return !lines || (lastLineOf(secret) >= lines.line && secret.line <= (lines.end ?? secret.line));
}

const labelOf = ({ value, label }: Pick<MaskedSecret, 'value' | 'label'>): string =>
  maskFor(value, label).split('\n', 1)[0] ?? '';

/** A masked text of which what is shown begins inside of a mask says so there: a mask has its label on its first line. */
function labelledAt(text: string, first: number, secrets: readonly MaskedSecret[]): string {
  const open = secrets.find((secret) => secret.line < first && first <= lastLineOf(secret));
  return open
    ? text
        .split('\n')
        .with(first - 1, labelOf(open))
        .join('\n')
    : text;
}

/** Masks for all strings in `value`; a secret found in one is masked in all. */
export async function masksFor(engine: Pick<ContextEngine, 'maskTexts'>, value: unknown): Promise<Masks> {
  const texts = [...new Set(stringsOf(value))];
  const answers = await engine.maskTexts(texts);
  const masked = new Map(texts.map((text, at) => [text, answers[at]]));
  return (text) => masked.get(text);
}

async function answerAt(answers: ReturnType<ContextEngine['maskTexts']>, at: number): Promise<MaskedText | undefined> {
  return (await answers)[at];
}

/** Scans each text once, however many handles name places of it. */
export function scanningOnce(engine: Pick<ContextEngine, 'maskTexts'>): Pick<ContextEngine, 'maskTexts'> {
  const known = new Map<string, Promise<MaskedText | undefined>>();
  return {
    maskTexts: async (texts) => {
      const news = texts.filter((text) => !known.has(text));
      const answers = engine.maskTexts(news);
      for (const [at, text] of news.entries()) known.set(text, answerAt(answers, at));
      return await Promise.all(texts.map((text) => known.get(text)));
    },
  };
}

/** What one handle stands for, without secrets. @param asked lines of texts without lines of their own @throws NotScanned */
export async function maskFound(
  engine: Pick<ContextEngine, 'maskTexts'>,
  base: string,
  { items, row }: Found,
  asked: Pick<LineRange, 'line'>,
): Promise<Found> {
  const masks = await masksFor(engine, { items, row });
  return {
    items: maskStrings(items, masks).map((item, at) => {
      const plain = items[at];
      const text = labelledAt(item.text, (item.lines ?? asked).line, (plain && masks(plain.text)?.secrets) ?? []);
      // A handle with a secret in its path is not said; what was asked by is known, and leads on as well.
      return { ...item, text, handle: item.handle === plain?.handle ? item.handle : base };
    }),
    ...(row ? { row: maskStrings(row, masks) } : {}),
    secrets: items.flatMap((item) => {
      const sectionId = masks(item.handle)?.text === item.handle ? item.handle : base;
      const secrets = (masks(item.text)?.secrets ?? []).filter((secret) => isMeant(item, secret));
      return secrets.map((secret) => ({
        ...{ sectionId, label: secret.label, ...placeOf(item, secret.line) },
        mask: labelOf(secret),
      }));
    }),
  };
}
