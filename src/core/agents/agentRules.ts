/**
 * The shape of the table of agents: what each agent reads by itself, in which order, what hides what, which imports it
 * follows and where it cuts, and what can be set up for it. Data only; `agentTable.ts` has the rows, `coverAgents.ts` applies them.
 */

import type { AgentId } from '../model/agent';
import type { Phrase } from '../text/phrase';

/** A file's path below the folder that a rule speaks of, or everything with these endings below a folder of rules. */
export type FilePattern =
  | string
  | {
      /** Such as `.cursor/rules`. */
      readonly folder: string;
      readonly endings: readonly string[];
      /** Folders below `folder` whose files are something else. */
      readonly except?: readonly string[];
      /** Only what lies in `folder` itself. */
      readonly isFlat?: true;
      /** `folder` may go on after this name, as in `rules-code`; the `-` belongs to it. */
      readonly hasSuffix?: true;
    };

/** When a file with frontmatter is loaded; keys are the frontmatter's. */
export interface Condition {
  /** Key of the globs; the file is loaded for files that match. */
  readonly globs: string;
  /** What a file without globs is. */
  readonly withoutGlobs: 'loaded' | 'onDemand';
  /** Loaded whatever the globs say. */
  readonly always?: { readonly key: string; readonly value: string };
  /** On demand whatever the globs say. */
  readonly asked?: readonly { readonly key: string; readonly value: string }[];
  /** On demand where it has no globs. */
  readonly askedWithoutGlobs?: { readonly key: string; readonly value: string };
  /** Not read at all. */
  readonly never?: { readonly key: string; readonly value: string };
  /** Relative globs match at any depth. */
  readonly isAtAnyDepth?: true;
  readonly ignoresCase?: true;
}

/** A size limit of one file; of several units the first that is reached counts. */
export interface FileLimit {
  readonly bytes?: number;
  /** UTF-16 code units; how vendors count is not documented. */
  readonly characters?: number;
  readonly lines?: number;
  /** `cut`: the head is kept. `skip`: the file is not read at all. */
  readonly excess: 'cut' | 'skip';
  /** Frontmatter and HTML comments that are blocks of their own do not count. */
  readonly isWithoutComments?: true;
  readonly why: Phrase;
  /** The limit itself, or what happens beyond it, is not certain. */
  readonly isDoubtful?: true;
}

/** Files that an agent reads in the same way; rules are applied in their order. */
export interface FileRule {
  readonly patterns: readonly FilePattern[];
  /** `root`: at the folder's root. `chain`: in each folder from the root to the active file's, outermost first. */
  readonly place: 'root' | 'chain';
  /**
   * `all`: every pattern. `firstInFolder`: in each folder the files of the first pattern that has any. `firstInChain`: the
   * same, for all folders together. `nearest`: only those of the innermost folder that has any.
   */
  readonly pick: 'all' | 'firstInFolder' | 'firstInChain' | 'nearest';
  /** Files of other folders than those of the chain are read when the work goes there. */
  readonly isReadElsewhere?: true;
  /** Read when the agent is started in the file's folder or below, not when its work goes there. */
  readonly isReadAtStart?: true;
  /** Why files of other folders are not read by themselves, where it is not the work going there. */
  readonly elsewhere?: Phrase;
  /** Not read where one of these lies in the same folder, or in one of the chain above it. */
  readonly hiddenBy?: readonly FilePattern[];
  readonly condition?: Condition;
  /** Never by itself, for this reason. */
  readonly onDemand?: Phrase;
  readonly limit?: FileLimit;
  /** Said of a loaded file. */
  readonly why?: Phrase;
  readonly isDoubtful?: true;
}

/** How an agent follows `@path` in a file that it reads. */
export interface ImportRule {
  /** Hops from the file that is read by itself. */
  readonly depth: number;
  /** What an import may start with after `@`. */
  readonly start: RegExp;
  /** `paths`: only what looks like a file was meant as one. `all`: every such word is replaced when there is no file. */
  readonly missing: 'paths' | 'all';
  /** Imported files with this frontmatter key are for files that match its globs. */
  readonly condition?: Condition;
  readonly isDoubtful?: true;
}

/** How a list of MCP servers is written; `setup/mcpConfig` has a writer for each. */
export type McpForm = 'shell' | 'toml' | 'plain' | 'typed' | 'servers' | 'cline' | 'zed' | 'opencode';

/** One way to tell an agent of our MCP server. */
export interface McpPlace {
  /** A name that is a contract of the command line; the agent's id where it is absent. */
  readonly client?: string;
  /** Where the text belongs: a file, or `$` for a shell. */
  readonly place: string;
  readonly form: McpForm;
  /** One list for all folders, so that a server's name must tell its folder. */
  readonly isPerUser?: true;
}

/** What an agent's settings files and its hooks' answers look like; `setup/hooks` knows each. */
export type HookForm = 'claude-code' | 'vscode';

/** The settings files that an agent's hooks are installed in. */
export interface HookPlaces {
  /** A name that is a contract of the command line; the agent's id where it is absent. */
  readonly agent?: string;
  /** Where people know these hooks by another name than the product's. */
  readonly name?: string;
  readonly form: HookForm;
  /** For one machine. Workspace-relative. */
  readonly local: string;
  /** For everybody who has the project. Workspace-relative. */
  readonly shared: string;
}

/** Everything the product knows of one agent: what it reads, and what can be set up for it. */
export interface AgentRules {
  readonly agent: AgentId;
  readonly name: string;
  /** What the facts were read from, and when that was. */
  readonly asOf: string;
  /** Public documents or sources. */
  readonly sources: readonly string[];
  readonly rules: readonly FileRule[];
  readonly imports?: ImportRule;
  /** A limit on all files of `chain` rules together, spent root first; blank files are not charged. */
  readonly chainLimit?: { readonly bytes: number; readonly why: Phrase };
  /** The program that is set up, where that has another name; names of products are not translated. */
  readonly product?: string;
  readonly mcp?: readonly McpPlace[];
  readonly hooks?: HookPlaces;
  /** Folders in which it looks for skills of the open form (agentskills.io). Workspace-relative. */
  readonly skills?: readonly string[];
  /** The reader of its transcripts, by the name in `core/transcripts`, and its name where it is another. */
  readonly transcripts?: { readonly reader: string; readonly name?: string };
  /** A text that was read already is not read again. */
  readonly dropsCopies?: true;
}
