/** Measures citation detection on the labelled replies, and what it costs; `citations.mjs` prints. */
import { CitationFinder } from '../../src/core/usage/citations/findCitations';
import {
  type Counts,
  type LabelledReply,
  labelledCases,
  labelledReplies,
  measure,
  nameMatch,
  precisionOf,
  recallOf,
} from '../support/labelledReplies';

/** A row: what, replies or kind, found, wrong, missed, precision, recall. */
type Row = readonly [what: string, of: string, found: number, wrong: number, missed: number, p: number, r: number];

function row(what: string, of: string, counts: Counts): Row {
  return [what, of, counts.hits, counts.wrong, counts.missed, precisionOf(counts), recallOf(counts)];
}

function detect({ payload, replyText, toolCalls, task }: LabelledReply) {
  return new CitationFinder(payload).find({ replyText, toolCalls, task });
}

/** Rows for a folder of replies over payloads made for a task (`labelledCases`), in all and without what is real. */
export function qualityOfCases(folder: string): {
  readonly rows: readonly Row[];
  readonly mistakes: readonly string[];
} {
  const cases = labelledCases(folder);
  const whole = measure(cases, detect);
  const rows = [
    row('evidence', `${cases.length} replies`, whole.all),
    row('name match', `${cases.length} replies`, measure(cases, nameMatch).all),
  ];
  return { rows, mistakes: whole.mistakes };
}

/** Rows for both parts and, over all, for each kind of evidence; beside them a plain name match. */
export function quality(folder: string): { readonly rows: readonly Row[]; readonly mistakes: readonly string[] } {
  const [dev, heldOut] = [labelledReplies('dev', folder), labelledReplies('heldOut', folder)];
  const all = [...dev, ...heldOut];
  const whole = measure(all, detect);
  const rows = [
    row('evidence', `dev, ${dev.length} replies`, measure(dev, detect).all),
    row('evidence', `held out, ${heldOut.length} replies`, measure(heldOut, detect).all),
    ...[...whole.byKind].sort().map(([kind, counts]) => row('evidence', `kind ${kind}`, counts)),
    row('name match', `dev, ${dev.length} replies`, measure(dev, nameMatch).all),
    row('name match', `held out, ${heldOut.length} replies`, measure(heldOut, nameMatch).all),
  ];
  return { rows, mistakes: whole.mistakes };
}

/** Milliseconds: the finder made, a usual reply, and one of a megabyte, over 200 sections of 4,000 characters. */
export function costs(folder: string): readonly (readonly [what: string, ms: number])[] {
  const replies = labelledReplies('dev', folder);
  const vocabulary = replies.flatMap(({ payload, replyText }) => `${payload.text} ${replyText}`.split(/\s+/u));
  const textOf = (chars: number, step: number): string => {
    const words: string[] = [];
    for (let at = step, size = 0; size < chars; at += step) {
      const word = vocabulary[at % vocabulary.length] ?? '';
      words.push(word);
      size += word.length + 1;
    }
    return words.join(' ');
  };
  const [first] = replies[0]?.payload.sections ?? [];
  if (!first) throw new Error('the labelled replies have no payload');
  const sections = Array.from({ length: 200 }, (_, at) => {
    const id = `part-${at}`;
    return { ...first, id, handle: `section:${id}`, text: textOf(4000, 7 * at + 11) };
  });
  const payload = { text: sections.map(({ text }) => text).join('\n'), sections };
  const timed = <T>(what: string, work: () => T): readonly [string, number, T] => {
    const start = performance.now();
    const result = work();
    return [what, performance.now() - start, result];
  };
  const [made, madeMs, finder] = timed('payload of 200 sections, 0.8 MB, taken in', () => new CitationFinder(payload));
  const asked = [2000, 1_000_000].map((chars) => {
    const turn = { replyText: textOf(chars, 13), toolCalls: [] };
    const [what, ms] = timed(`reply of ${chars.toLocaleString('en-US')} characters`, () => finder.find(turn));
    return [what, ms] as const;
  });
  return [[made, madeMs], ...asked];
}
