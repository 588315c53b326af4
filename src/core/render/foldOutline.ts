/**
 * What a long definition does, in a few lines of its own: each with the lines that it stands for, so that a reader asks
 * for the part that matters. Like an editor's folding it knows nothing of the language but its indentation: the block
 * with the most lines is opened first, until the room is used up.
 */
import { ellipsize } from '../text/sentence';

/** Of a row's line. */
const MAX_ROW_CHARS = 64;

/** Blocks of fewer lines stay folded: their first line says enough. */
const MIN_OPENED = 6;

/** Blocks with more inside stay folded: an agent can't choose among so many, and a list of statements is no outline. */
const MAX_INSIDE = 100;

/** Lines that go on with what stands above them at the same depth: ends of brackets, other branches. */
const GOES_ON =
  /^(?:[\])}>]|(?:end|else|elif|elsif|elseif|except|finally|catch|rescue|ensure|fi|done|esac|then|do)\b)/u;

/** Lines of a block, 0-based and inclusive, and the blocks inside. */
interface Block {
  readonly start: number;
  end: number;
  readonly indent: number;
  readonly inner: Block[];
  /** Its last line of its own depth. */
  head: number;
  /** Its first line that is no comment; undefined where it has none yet. */
  code: number | undefined;
}

function indentOf(line: string): number {
  let width = 0;
  for (const char of line) {
    if (char === ' ') width++;
    else if (char === '\t') width += 4;
    else return width;
  }
  return Number.POSITIVE_INFINITY;
}

const COMMENT = /^\s*(?:\/\/|#|--|\/?\*|;;)/u;

/**
 * The blocks of a text: a line and what is indented below it. Simple lines that follow each other are one block, which
 * begins anew after a blank line, with a comment, and with a line that others are indented below.
 */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const top: Block[] = [];
  const open: Block[] = [];
  let isAfterBlank = false;
  let isAfterComment = false;
  const begin = (start: number, indent: number, code: number | undefined): void => {
    const block: Block = { start, end: start, indent, inner: [], head: start, code };
    (open.at(-1)?.inner ?? top).push(block);
    open.push(block);
  };
  for (const [at, line] of lines.entries()) {
    const indent = indentOf(line);
    if (indent === Number.POSITIVE_INFINITY) {
      isAfterBlank = true;
      continue;
    }
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) > indent) open.pop();
    const last = open.at(-1);
    const isComment = COMMENT.test(line);
    const goesOn = GOES_ON.test(line.trim());
    if (last && last.indent < indent && last.inner.length === 0 && (last.code ?? last.head) < last.head) {
      // The line above has others below it: what stood before it is a block of its own.
      const { head } = last;
      last.end = head - 1;
      open.pop();
      begin(head, last.indent, head);
    }
    const isSimple = last?.inner.length === 0 && !isAfterBlank && (isAfterComment || !isComment);
    if (last?.indent === indent && (goesOn || isSimple)) {
      last.head = at;
      if (!isComment) last.code ??= at;
    } else {
      if (last?.indent === indent) open.pop();
      begin(at, indent, isComment ? undefined : at);
    }
    for (const each of open) each.end = at;
    isAfterBlank = false;
    isAfterComment = isComment;
  }
  return top;
}

/**
 * Rows of an outline of `text`, whose first line is line `first` of its file, as many as `fits` takes: `579-600 for …`,
 * indented like the blocks. Empty where the text has no blocks to tell apart.
 */
export function foldedRows(text: string, first: number, fits: (rows: readonly string[]) => boolean): readonly string[] {
  const lines = text.replace(/\n$/u, '').split('\n');
  const opened = new Set<Block>();
  let top = blocksOf(lines);
  const rowsOf = (blocks: readonly Block[], depth: number): string[] =>
    blocks.flatMap((block) => {
      const { start, end } = block;
      // Of a comment the first line that says something.
      const telling = lines.slice(start, end + 1).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines[start] ?? '';
      const words = ellipsize(telling.trim(), MAX_ROW_CHARS);
      const place = start === end ? `${first + start}` : `${first + start}-${first + end}`;
      const row = `${'  '.repeat(depth)}${place} ${words}\n`;
      return opened.has(block) ? [row, ...rowsOf(block.inner, depth + 1)] : [row];
    });
  const [only] = top;
  // The definition's own line says what its title says.
  if (top.length === 1 && only) top = only.inner;
  if (top.length > MAX_INSIDE) return [];
  const waiting = [...top];
  let rows = rowsOf(top, 0);
  if (!fits(rows)) return [];
  while (waiting.length > 0) {
    waiting.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
    const next = waiting.shift();
    if (!next || next.end - next.start + 1 < MIN_OPENED) break;
    if (next.inner.length === 0 || next.inner.length > MAX_INSIDE) continue;
    opened.add(next);
    const more = rowsOf(top, 0);
    if (!fits(more)) {
      opened.delete(next);
      continue;
    }
    rows = more;
    waiting.push(...next.inner);
  }
  return rows.length > 1 ? rows : [];
}
