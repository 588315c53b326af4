/**
 * What each coding agent will do with the folder's instruction and memory files: load, cut, or never read. Shapes only;
 * `agentTable.ts` has the agents' rules and `coverAgents.ts` applies them.
 */
import type { AgentId } from '../model/agent';
import type { Phrase } from '../text/phrase';

/**
 * `loaded`: whole. `truncated`: the agent cuts it. `dropped`: the agent's limit was used up before it. `shadowed`:
 * another file is read in its place. `onDemand`: only when something asks for it (a glob, a description, a folder).
 */
export type FileFate = 'loaded' | 'truncated' | 'dropped' | 'shadowed' | 'onDemand';

/** One file as one agent reads it. */
export interface CoveredFile {
  /** Workspace-relative. */
  readonly path: string;
  readonly fate: FileFate;
  /** The file's size; where the agent takes frontmatter and comments out before it reads the whole rest, that of the rest. */
  readonly bytes: number;
  readonly lines: number;
  /** Bytes of the file that the agent does not get; 0 when loaded. On demand: that it would not get when it reads the file. */
  readonly bytesLost: number;
  /** 1-based line on which the cut falls: the first that is not whole. Undefined unless truncated, or on demand and then cut. */
  readonly cutLine: number | undefined;
  /** The file that imports it by `@path`; undefined when it is read by itself. */
  readonly importedBy: string | undefined;
  /** The file is too large to be read: `lines` is 0, and neither the place of a cut nor frontmatter nor imports are known. */
  readonly isUnread?: true;
  /** It is for work in another folder or repository than the active file's, and `fate` is what happens to it there. */
  readonly isElsewhere?: true;
  /** How often its text is read, where that is more than once. */
  readonly times?: number;
  /** The rule that decided, with its numbers, such as `First 200 lines or 25 KB`; undefined where nothing is to say. */
  readonly why: Phrase | undefined;
  /** True where the agent's documents do not say so for certain. */
  readonly isDoubtful: boolean;
}

/** An import of a file that the agent reads, whose text does not reach it. */
export interface UnreadImport {
  /** The importing file, workspace-relative, and the 1-based line. */
  readonly path: string;
  readonly line: number;
  /** As written, without the `@` and what the agent leaves off its end. */
  readonly target: string;
  /** `outside`: leaves the folder, so the agent asks first or refuses. `tooDeep`: more imports of imports than it follows. */
  readonly reason: 'missing' | 'outside' | 'tooDeep';
}

/** One agent over the folder, for the file that is being worked on. */
export interface AgentCoverage {
  readonly agent: AgentId;
  /** Display name, such as `Claude Code`. */
  readonly name: string;
  /** In the order in which the agent reads them; empty where it finds nothing. */
  readonly files: readonly CoveredFile[];
  /** Bytes of the files that are read here (not `isElsewhere` or on demand) that reach the agent, and those that do not. */
  readonly bytesLoaded: number;
  readonly bytesLost: number;
  /** Imports that come to nothing; absent where there are none. */
  readonly unreadImports?: readonly UnreadImport[];
}
