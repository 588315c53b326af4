import { type Frontmatter, readFrontmatter } from './frontmatter';
import { findMentions, type Mention } from './mentions';

/** One file that agents may read, with everything about it that their rules ask for. */
export interface AgentFile {
  /** Workspace-relative. */
  readonly path: string;
  readonly content: Uint8Array;
  /** Ended by `\n`, the last one perhaps not. */
  readonly lines: number;
  /** Nothing but white space. */
  readonly isBlank: boolean;
  readonly frontmatter: Frontmatter;
  /** Bytes before the text, byte order mark included, that are frontmatter; 0 without. */
  readonly frontmatterBytes: number;
  readonly mentions: readonly Mention[];
}

const LINE_FEED = 0x0a;

/** Line ends among the first `end` bytes. */
export function countLineFeeds(content: Uint8Array, end: number): number {
  let count = 0;
  for (let at = content.indexOf(LINE_FEED); at >= 0 && at < end; at = content.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/** Length of a UTF-8 byte order mark. */
export function markBytes(content: Uint8Array): number {
  return content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf ? 3 : 0;
}

/**
 * Reads a file as agents do: as UTF-8, with U+FFFD for what is not. Linear, never throws.
 * @param content is kept, not copied
 */
export function readAgentFile(path: string, content: Uint8Array): AgentFile {
  const text = new TextDecoder('utf-8').decode(content);
  const { values, end } = readFrontmatter(text);
  const isEnded = content.length === 0 || content[content.length - 1] === LINE_FEED;
  return {
    path,
    content,
    lines: countLineFeeds(content, content.length) + (isEnded ? 0 : 1),
    isBlank: text.trim() === '',
    frontmatter: values,
    frontmatterBytes: end === 0 ? 0 : markBytes(content) + new TextEncoder().encode(text.slice(0, end)).length,
    mentions: findMentions(text),
  };
}

/** Whether two files hold the same bytes. */
export function isSameText({ content: a }: AgentFile, { content: b }: AgentFile): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
