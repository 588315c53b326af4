/** Run logs labelled by hand against what the product's own reader finds in them; bundled and started by `runlogs.mjs`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readRunLog } from '../../src/core/observations/ingest/runLog';

interface Label {
  /** 1-based. */
  readonly line: number;
  /** Other lines that stand for the same entry, such as its date's own. */
  readonly line_any?: readonly number[];
  /** The entry's first words. */
  readonly words: string;
  /** As written; `null` where neither the entry nor what stands above has one. */
  readonly date: string | null;
}

interface Labels {
  /** Where the log stands in its repository: its name says how it is read, and perhaps a day. */
  readonly path: string;
  readonly entries: readonly Label[];
  /** Lines that may count as entries or not. */
  readonly doubtful: readonly number[];
  /** Where heading and items can both be the entry: who takes the other side of the labels is not wrong. */
  readonly either?: readonly { readonly heading: number; readonly items: readonly number[] }[];
}

export interface LogResult {
  readonly name: string;
  readonly path: string;
  readonly labelled: number;
  readonly found: number;
  readonly missed: readonly string[];
  readonly extra: readonly string[];
  readonly datesWrong: readonly string[];
  readonly unread: number;
  readonly lines: number;
  readonly ms: number;
}

/** A day that no text has: what got it had none. */
const NO_DAY = '1999-01-01';

const LABELS = '.labels.json';

/** Letters and digits alone, so that marks of Markdown and JSON make no difference. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

function hasWords({ summary, detail }: { readonly summary: string; readonly detail: string }, words: string): boolean {
  const wanted = bare(words).slice(0, 40);
  return wanted.length >= 8 && (bare(summary).startsWith(wanted) || bare(detail.slice(0, 2000)).startsWith(wanted));
}

/** Compares one log with its labels. An entry is found by its line, else by its first words; each observation counts once. */
function compare(folder: string, name: string): LogResult {
  const labels: Labels = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const stem = name.slice(0, -LABELS.length);
  const file = readdirSync(folder).find((other) => other.startsWith(`${stem}.`) && other !== name);
  if (file === undefined) throw new Error(`${name} has no text beside it`);
  const text = readFileSync(path.join(folder, file), 'utf8');
  const started = performance.now();
  const log = readRunLog(labels.path, text, { blame: new Map(), file: NO_DAY });
  const ms = performance.now() - started;
  const rows = log.drafts.map((draft) => ({ draft, line: Number(/#L(\d+)$/.exec(draft.refs.files[0] ?? '')?.[1]) }));
  const left = new Set(rows);
  const take = (fits: (row: (typeof rows)[number]) => boolean) => {
    const row = [...left].find(fits);
    if (row) left.delete(row);
    return row;
  };
  const missed: string[] = [];
  const datesWrong: string[] = [];
  const linesOf = ({ line, line_any: others = [] }: Label): readonly number[] => [line, ...others];
  const readLines = new Set(rows.map(({ line }) => line));
  const isLabelled = new Set(labels.entries.map(({ line }) => line));
  /** Lines of groups of which the reader took the side that is not labelled. */
  const otherSide = (labels.either ?? []).flatMap(({ heading, items }) => {
    const [labelled, other] = isLabelled.has(heading) ? [[heading], items] : [items, [heading]];
    const isOther = other.some((line) => readLines.has(line)) && !labelled.some((line) => readLines.has(line));
    return isOther ? [...labelled, ...other] : [];
  });
  const neutral = new Set([...labels.doubtful, ...otherSide]);
  const entries = labels.entries.filter(({ line }) => !otherSide.includes(line));
  const byLine = entries.map((label) => ({ label, row: take(({ line }) => linesOf(label).includes(line)) }));
  for (const { label, row: same } of byLine) {
    const row = same ?? take(({ draft }) => hasWords(draft, label.words));
    const isGiven = [NO_DAY, ...(labels.path.match(/\d{4}-\d\d-\d\d/g) ?? [])].some((day) =>
      row?.draft.ts.startsWith(day),
    );
    if (!row) missed.push(`${label.line}: ${label.words}`);
    // Whether there is a date at all; which one is compared by eye. A label knows the text alone, and not a day in its name.
    else if (label.date === null ? !isGiven : row.draft.ts.startsWith(NO_DAY))
      datesWrong.push(`${label.line}: ${label.date} is ${row.draft.ts}`);
  }
  const extra = [...left]
    .filter(({ line }) => !neutral.has(line))
    .map(({ line, draft }) => `${line}: ${draft.summary}`);
  const found = entries.length - missed.length;
  const { unread, lines } = log;
  return {
    name: stem,
    path: labels.path,
    labelled: entries.length,
    found,
    missed,
    extra,
    datesWrong,
    unread,
    lines,
    ms,
  };
}

/** Every labelled log of a folder: texts, each beside its `NAME.labels.json`. */
export function compareFolder(folder: string): readonly LogResult[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(LABELS));
  return names.sort().map((name) => compare(folder, name));
}
