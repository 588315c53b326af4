import { type AgentFile, countLineFeeds, isUnread, LINE_FEED, markBytes } from './agentFile';
import type { FileLimit } from './agentRules';
import { findMentions, type Mention } from './mentions';

const [SPACE, AT_SIGN] = [0x20, 0x40];

/** Where a file is cut. */
export interface Cut {
  /** Bytes from its start that the agent gets; less than the file has. */
  readonly keptBytes: number;
  /** 1-based: the first line that is not whole, its line end included. Undefined for a file that is too large to be read. */
  readonly cutLine: number | undefined;
  /** Which of the limits was reached first. */
  readonly by: 'bytes' | 'characters' | 'lines';
}

/** The cut that keeps the first `keptBytes`; undefined when that is the whole file. */
export function cutAt(file: AgentFile, keptBytes: number, by: Cut['by']): Cut | undefined {
  if (keptBytes >= file.sizeBytes) return undefined;
  if (isUnread(file)) return { keptBytes, cutLine: undefined, by };
  return { keptBytes, cutLine: countLineFeeds(file.content, keptBytes) + 1, by };
}

/**
 * Where `limit` cuts the file; undefined when all of it is within. Characters are never split, bytes are: a vendor that
 * counts bytes does not look what they are. Linear.
 */
export function cutFile(file: AgentFile, limit: FileLimit): Cut | undefined {
  const { content } = file;
  // Larger than any limit of the table; where that is not in bytes, so many are kept at least.
  if (isUnread(file)) return cutAt(file, limit.bytes ?? limit.characters ?? limit.lines ?? 0, 'bytes');
  const gaps = limit.isWithoutComments ? uncounted(file).filter(({ isBlock }) => isBlock) : [];
  const maxBytes = limit.bytes ?? Number.POSITIVE_INFINITY;
  const maxChars = limit.characters ?? Number.POSITIVE_INFINITY;
  const maxLines = limit.lines ?? Number.POSITIVE_INFINITY;
  let [bytes, chars, lines, gap] = [0, 0, 0, 0];
  for (let at = markBytes(content); at < content.length; at++) {
    const skipped = gaps[gap];
    if (skipped && at >= skipped.start) {
      gap++;
      if (skipped.end > at) {
        at = skipped.end - 1;
        continue;
      }
    }
    const byte = content[at] ?? 0;
    const units = unitsOf(byte);
    if (lines >= maxLines) return cutAt(file, at, 'lines');
    if (bytes >= maxBytes) return cutAt(file, at, 'bytes');
    if (chars + units > maxChars) return cutAt(file, at, 'characters');
    bytes++;
    chars += units;
    if (byte === 0x0a) lines++;
  }
  return undefined;
}

/** A text without its frontmatter and without comments that are blocks of their own, and the blank lines behind them. */
export function withoutComments(file: AgentFile): string {
  return partsOutsideComments(file)
    .map((part) => new TextDecoder().decode(part))
    .join('');
}

/** Bytes of the same. */
export function bytesWithoutComments(file: AgentFile): number {
  return partsOutsideComments(file).reduce((sum, { length }) => sum + length, 0);
}

function partsOutsideComments(file: AgentFile): readonly Uint8Array[] {
  let from = 0;
  const kept: Uint8Array[] = [];
  for (const { start, end, isBlock } of uncounted(file)) {
    if (!isBlock) continue;
    kept.push(file.content.subarray(from, start));
    from = end;
    while (file.content[from] === LINE_FEED) from++;
  }
  return [...kept, file.content.subarray(from)];
}

/** Imports of a file as an agent finds them that takes frontmatter and comments out first; lines are those of the file. */
export function mentionsOutsideComments(file: AgentFile): readonly Mention[] {
  const gaps = file.content.includes(AT_SIGN) ? uncounted(file) : [];
  if (gaps.length === 0) return file.mentions;
  const content = file.content.slice();
  for (const { start, end } of gaps)
    for (let at = start; at < end; at++) if (content[at] !== LINE_FEED) content[at] = SPACE;
  return findMentions(new TextDecoder().decode(content));
}

/** UTF-16 code units of the character that a byte of UTF-8 begins; 0 for those that go on with one. */
function unitsOf(byte: number): number {
  if (byte >= 0x80 && byte < 0xc0) return 0;
  return byte >= 0xf0 ? 2 : 1;
}

interface Gap {
  readonly start: number;
  readonly end: number;
  /** Frontmatter, or a comment with nothing behind it on its last line: it does not count. */
  readonly isBlock: boolean;
}

/** Frontmatter and comments that begin a line, outside fenced code, in order. Offsets in bytes. */
function uncounted({ content, frontmatterBytes }: AgentFile): readonly Gap[] {
  // One character a byte, so that offsets are bytes; all that is looked for is ASCII.
  const text = new TextDecoder('latin1').decode(content);
  const gaps: Gap[] = frontmatterBytes > 0 ? [{ start: markBytes(content), end: frontmatterBytes, isBlock: true }] : [];
  let fence = '';
  // Looked for again only behind the last one, so that many openings before one end stay linear.
  let close = { at: -1, end: -1, isBlock: false };
  for (let at = frontmatterBytes; at < text.length; ) {
    const next = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, next);
    const run = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (run.startsWith(fence)) fence = '';
    } else if (run !== '') fence = run;
    else if (/^ {0,3}<!--/.test(line)) {
      if (close.at < at) close = findClose(text, at);
      if (close.at < 0) return gaps;
      gaps.push({ start: at, end: close.isBlock ? close.end : close.at, isBlock: close.isBlock });
      at = close.end;
      continue;
    }
    at = next;
  }
  return gaps;
}

/** The next end of a comment, and whether nothing stands behind it on its line. */
function findClose(
  text: string,
  from: number,
): { readonly at: number; readonly end: number; readonly isBlock: boolean } {
  const at = text.indexOf('-->', from);
  if (at < 0) return { at, end: at, isBlock: false };
  const end = text.indexOf('\n', at) + 1 || text.length;
  return { at, end, isBlock: text.slice(at + 3, end).trim() === '' };
}
