import type { AgentId, LoadedByAgent } from '../model/agent';
import type { CollectedSection } from '../model/section';
import type { AgentCoverage, CoveredFile } from './agentCoverage';
import { AGENT_TABLE } from './agentTable';
import { type Frontmatter, readFrontmatter } from './frontmatter';
import { findMentions, type Mention } from './mentions';

/**
 * Files that `agent` loads by itself, by path. Only what is certain counts: a text that comes twice costs tokens, one that
 * never comes costs the work. So files are not among them whose reading is doubtful, or depends on the folder in which the
 * agent is started. Empty where nothing is known.
 */
export function loadedFiles(
  agent: AgentId | undefined,
  coverage: readonly AgentCoverage[] | undefined,
): ReadonlyMap<string, LoadedByAgent> {
  const own = agent && coverage?.find((each) => each.agent === agent);
  if (!own) return new Map();
  const isFromRoot = AGENT_TABLE.some(
    (rules) => rules.agent === agent && rules.rules.some((rule) => rule.isReadAtStart),
  );
  return new Map(
    own.files
      .filter((file) => isCertain(file) && !(isFromRoot && file.path.includes('/')))
      .map(({ path, fate, cutLine = 1, bytesLost }) => {
        const cut = fate === 'truncated' ? { bytesLost, line: cutLine } : undefined;
        return [path, { agent: own.name, cut }] as const;
      }),
  );
}

/** Marks the sections whose file `agent` loads by itself, so that a payload for it need not carry them. */
export function markLoaded(
  sections: readonly CollectedSection[],
  agent: AgentId | undefined,
  coverage: readonly AgentCoverage[] | undefined,
): readonly CollectedSection[] {
  const loaded = loadedFiles(agent, coverage);
  if (loaded.size === 0) return sections;
  return sections.map((section) => {
    const loadedBy = section.source.kind === 'file' ? loaded.get(section.source.path) : undefined;
    return loadedBy ? { ...section, loadedBy } : section;
  });
}

function isCertain({ fate, isDoubtful, isElsewhere, bytesLost }: CoveredFile): boolean {
  if (isDoubtful || isElsewhere) return false;
  // A copy of what is read counts as read.
  return fate === 'loaded' || fate === 'truncated' || (fate === 'shadowed' && bytesLost === 0);
}

/**
 * The part of a section's text that the agent has. What is lost is taken off the end: the text is without its byte order
 * mark, which the agent's bytes begin with. Exact for UTF-8, whatever the line ends; a little off where a byte is none.
 */
export function loadedText(text: string, { cut }: LoadedByAgent): string {
  if (!cut) return text;
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, bytes.length - cut.bytesLost)));
}

/** One file that agents may read, with everything about it that their rules ask for. */
export interface AgentFile {
  /** Workspace-relative. */
  readonly path: string;
  /** Empty where the file is too large to be read. */
  readonly content: Uint8Array;
  readonly sizeBytes: number;
  /** Ended by `\n`, the last one perhaps not. */
  readonly lines: number;
  /** Nothing but white space. */
  readonly isBlank: boolean;
  readonly frontmatter: Frontmatter;
  /** Bytes before the text, byte order mark included, that are frontmatter; 0 without. */
  readonly frontmatterBytes: number;
  readonly mentions: readonly Mention[];
}

export const LINE_FEED = 0x0a;

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
    sizeBytes: content.length,
    lines: countLineFeeds(content, content.length) + (isEnded ? 0 : 1),
    isBlank: text.trim() === '',
    frontmatter: values,
    frontmatterBytes: end === 0 ? 0 : markBytes(content) + new TextEncoder().encode(text.slice(0, end)).length,
    mentions: findMentions(text),
  };
}

/** A file of which nothing but the size is known, since it is too large to be read. */
export function unreadAgentFile(path: string, sizeBytes: number): AgentFile {
  return { ...readAgentFile(path, new Uint8Array()), sizeBytes, isBlank: false };
}

/** Whether a file is too large to be read. */
export function isUnread({ content, sizeBytes }: AgentFile): boolean {
  return content.length < sizeBytes;
}

/** Whether two files hold the same bytes; false for those that are not read. */
export function isSameText(first: AgentFile, second: AgentFile): boolean {
  const [a, b] = [first.content, second.content];
  if (isUnread(first) || isUnread(second)) return false;
  return a === b || (a.length === b.length && a.every((byte, at) => byte === b[at]));
}
