/** Marks of Markdown for readers that look for lines and spans alone and need no parser. */

/** Opens or closes a block of code; the first group is its mark. At any indent, since lists indent their blocks. */
export const FENCE = /^\s*(`{3,}|~{3,})/;

/** One code span (CommonMark 6.1). */
interface CodeSpan {
  /** Where its first backtick is, and where its last one ends. */
  readonly start: number;
  readonly end: number;
  /** How many backticks are at either end. */
  readonly marks: number;
}

/** Code spans of a text: a run of backticks to the next run of the same length; one without such is plain text. Linear. */
export function codeSpans(text: string): readonly CodeSpan[] {
  const runs = [...text.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }));
  // The next run of the same length, for each run: from the back, so that it stays linear.
  const nextOfLength = new Map<number, number>();
  const partners: (number | undefined)[] = [];
  for (const [index, { length }] of [...runs.entries()].reverse()) {
    partners[index] = nextOfLength.get(length);
    nextOfLength.set(length, index);
  }
  const spans: CodeSpan[] = [];
  for (let index = 0; index < runs.length; index++) {
    const partner = partners[index];
    const open = runs[index];
    const close = partner === undefined ? undefined : runs[partner];
    if (partner === undefined || !open || !close) continue;
    spans.push({ start: open.at, end: close.at + close.length, marks: open.length });
    index = partner;
  }
  return spans;
}
