/**
 * Masking of what leaves: one text, or plain data of which several forms are rendered. Whoever copies, prints or answers
 * goes through here. It decides what is scanned with what, so that masking never touches structure; what a secret is
 * decides the scanner.
 */
import { splitElements } from './elementText';
import { type MaskedText, maskSecrets } from './maskSecrets';
import type { SecretFinding } from './secretFinding';
import type { MaskStyle } from './secretMask';
import type { SecretScanner } from './secretScanner';

/** What is to be masked. */
export interface Maskable {
  readonly text: string;
  /** Names of the elements that the text is made of; empty for a text without. */
  readonly elements: Iterable<string>;
  /** What findings outside of elements belong to. */
  readonly fallbackId: string;
}

/** What masking needs of the world. */
export interface MaskTools {
  readonly scanner: SecretScanner;
  /** Tokens of texts, by the tokenizer of the budget; where it is left out, nothing is counted. */
  readonly countTokens?: ((texts: readonly string[]) => Promise<readonly number[]>) | undefined;
}

/** Tools of a place that can count. */
export interface CountingTools extends MaskTools {
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>;
}

/** What may be handed out. */
export interface MaskedCopy {
  readonly text: string;
  readonly findings: readonly SecretFinding[];
  /** Of the masked text; undefined where nothing was masked, or nothing counts. */
  readonly tokens: number | undefined;
}

/** The same text, masked in one style. */
type InStyle = (style: MaskStyle) => { readonly text: string; readonly findings: readonly SecretFinding[] };

async function prepare({ text, elements, fallbackId }: Maskable, scanner: SecretScanner): Promise<InStyle> {
  const parts = splitElements(text, elements, fallbackId);
  const texts = parts.map(({ start, end }) => text.slice(start, end));
  const matches = await scanner.scan(texts);
  const scanned = texts.map((each, at) => ({ text: each, matches: matches[at] ?? [] }));
  return (style) => {
    const masked = maskSecrets(scanned, style);
    let done = 0;
    const pieces = parts.map(({ start, end }, at) => {
      const between = text.slice(done, start);
      done = end;
      return between + (masked[at]?.text ?? '');
    });
    const findings = masked.flatMap(({ secrets }, at) =>
      secrets.map((secret) => ({ sectionId: parts[at]?.sectionId ?? fallbackId, ...secret })),
    );
    return { text: pieces.join('') + text.slice(done), findings };
  };
}

/**
 * The text with its secrets masked. It has as many lines as before and no more characters; where it can be counted, no
 * more tokens than `text`: a named mask that would take more gives way to the shortest one. Rejects when the scanner does.
 */
export async function maskText(maskable: Maskable, { scanner, countTokens }: MaskTools): Promise<MaskedCopy> {
  const inStyle = await prepare(maskable, scanner);
  const named = inStyle('named');
  if (named.findings.length === 0 || !countTokens) return { ...named, tokens: undefined };
  const shortest = inStyle('shortest');
  const [before = 0, tokens = 0, fewest = 0] = await countTokens([maskable.text, named.text, shortest.text]);
  return tokens <= before ? { ...named, tokens } : { ...shortest, tokens: fewest };
}

/** Every string in plain data, keys left out. */
function collectStrings(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') into.add(value);
  else if (Array.isArray(value)) for (const item of value) collectStrings(item, into);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) collectStrings(item, into);
}

function replaceStrings(value: unknown, masked: ReadonlyMap<string, MaskedText>): unknown {
  if (typeof value === 'string') return masked.get(value)?.text ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, masked));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceStrings(item, masked)]));
}

/** Masked plain data of the same shape. */
export interface MaskedData<T> {
  readonly value: T;
  /** What was masked, each text once. */
  readonly secrets: MaskedText['secrets'];
}

/**
 * Plain data with the secrets of its strings masked, each string on its own, so that JSON and XML made of it stay whole.
 * Nothing but strings changes; keys stay. Numbers that describe a text are the caller's to correct.
 */
export async function maskStrings<T>(value: T, scanner: SecretScanner): Promise<MaskedData<T>> {
  const found = new Set<string>();
  collectStrings(value, found);
  const texts = [...found];
  const matches = await scanner.scan(texts);
  if (matches.every((each) => each.length === 0)) return { value, secrets: [] };
  const all = maskSecrets(texts.map((text, at) => ({ text, matches: matches[at] ?? [] })));
  const masked = new Map(texts.map((text, at) => [text, all[at] ?? { text, secrets: [] }]));
  // The same shape by construction: only strings were replaced, by strings.
  return { value: replaceStrings(value, masked) as T, secrets: all.flatMap(({ secrets }) => secrets) };
}
