/**
 * The section: one named part of the context, from its definition (config or discovery) to what `collect` read of it.
 * This file decides the shapes only; `discover.ts` finds definitions, `collector.ts` reads them.
 */

import type { ProcessOutcome } from '../ports/ports';
import type { Phrase } from '../text/phrase';
import type { LoadedByAgent } from './agent';
import type { ObservationRow } from './observation';

export const PRIORITIES = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;

/** `P0` and `P1` are shown whole; of the rest `P2` is granted first, `P4` last. */
export type Priority = (typeof PRIORITIES)[number];

export const DISCLOSURES = ['full', 'summary', 'stub', 'omitted'] as const;

/** How much of a section is shown. */
export type Disclosure = (typeof DISCLOSURES)[number];

export const PAYLOAD_MODES = ['index', 'expanded'] as const;

/** The two payload kinds of a whole context (DESIGN §3.6). */
export type PayloadMode = (typeof PAYLOAD_MODES)[number];

/** As it gets worse. */
export const STATUSES = ['OK', 'WARN', 'ALERT'] as const;

export type Status = (typeof STATUSES)[number];

/** Alarms before the rest. */
export const WORST_FIRST: readonly Status[] = [...STATUSES].reverse();

/** A budget's status turns WARN from this share of either cap (DESIGN §3.4). */
export const WARN_SHARE = 0.8;

/** Built-in sources that exist in this version; `pipeline/collect/builtins.ts` has a row for each. */
export const BUILTIN_IDS = ['relay', 'repo-map', 'diagnostics', 'git', 'open-editors', 'observations'] as const;

export type BuiltinId = (typeof BUILTIN_IDS)[number];

/** Where a section's text comes from. */
export type SectionSource =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'files';
      readonly pattern: string;
      /** Exactly these files, which were found, instead of those that match. */
      readonly paths?: readonly string[];
      /** Files that match and are shown elsewhere; absent where there are none. */
      readonly except?: readonly string[];
    }
  | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]]; readonly timeoutMs: number }
  | { readonly kind: 'builtin'; readonly builtin: BuiltinId };

/** What kind of context file a path is, by its name alone (DESIGN §3.1). */
export interface FileRole {
  readonly kind: 'instruction' | 'memory' | 'topic' | 'runLog';
  /** Start of the section's id; unique names are made in `givenSections.ts`. */
  readonly idStem: string;
  /** Folder the file speaks for: `''` for the root. */
  readonly scope: string;
  /** For instructions at the root: which of them is `P0` if several are there, 0 first; else undefined. */
  readonly rootRank: number | undefined;
}

/** A section as the config or discovery defines it; everything has its default filled in. */
export interface SectionDefinition {
  /** As people wrote it; unique, also as the name of its element (`elementName`). */
  readonly id: string;
  /** What people see: the file's path when it has one, else the id. */
  readonly title: string;
  readonly priority: Priority;
  readonly source: SectionSource;
  /** Keep only the newest N entries of each dated list, in each file of a folder, whatever the budget says. */
  readonly keepRecent: number | undefined;
  /** Shown as a stub unless asked for. */
  readonly onDemand: boolean;
  readonly keywords: readonly string[];
  /** True when discovery made it, false when the config names it. */
  readonly isDiscovered: boolean;
  /** What its file is, where no config gives a priority: the worker decides it then (`defaultPriorities.ts`). */
  readonly role?: FileRole;
}

/** Why a section has no text of its own. */
export type SectionFailure =
  /** A perception plug-in ended badly; becomes ALERT with the reason, the exit code and the last lines of stderr. */
  | { readonly kind: 'command'; readonly outcome: ProcessOutcome; readonly timeoutMs: number }
  | { readonly kind: 'missing'; readonly path: string }
  /** No listed file matches the glob; `isIgnored`: only files that Git ignores do. */
  | { readonly kind: 'noMatch'; readonly pattern: string; readonly isIgnored: boolean }
  | { readonly kind: 'tooLarge'; readonly path: string; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly kind: 'binary'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly message: Phrase }
  /** A command section in a folder that is not trusted: not run, and no alarm. */
  | { readonly kind: 'notTrusted' }
  /** A repository that git reads in trusted folders only: it leads elsewhere, or has a rare format. */
  | { readonly kind: 'gitNotTrusted' }
  /** Secrets could not be looked for in its text, so none of it is shown. */
  | { readonly kind: 'notScanned' }
  /** A command section in a host without processes (a browser). */
  | { readonly kind: 'noProcesses' };

/** The index of observations as a section: newest first, within the profile's `indexTokens`. At least one. */
export interface SectionRows {
  readonly rows: readonly ObservationRow[];
  /** Observations there are, shown or not. */
  readonly total: number;
  /** Text of rows that follow, newest first: measured for the full size, in no payload. */
  readonly older?: string;
  /** The limit of the profile that leaves out the rows that follow; absent where all are there. */
  readonly limit?: RowLimit;
}

/** A limit of the profile for rows of observations. */
export interface RowLimit {
  readonly setting: 'top_k.index' | 'index_tokens';
  readonly value: number;
}

/** What reading the observations gave. */
export type ObservationSection =
  | { readonly kind: 'rows'; readonly rows: SectionRows; readonly note: Phrase | undefined }
  | { readonly kind: 'failed'; readonly path: string; readonly message: Phrase };

/** A text as it was read. */
export interface SectionText {
  readonly kind: 'text';
  readonly text: string;
}

/** A file of a folder section. */
export interface FolderFile {
  readonly path: string;
  /** Below the glob's fixed part, without extension: the handle is `section:ID/KEY`. */
  readonly key: string;
  /** Its first heading, else its file name. */
  readonly title: string;
  /** `YYYY-MM-DD`: named by its path or text, else of the last commit that touched it. */
  readonly date: string | undefined;
  readonly text: string;
  /** `keywords` of its frontmatter. */
  readonly keywords: readonly string[];
  /** Where a rule holds: its folder (`''`: everywhere) and the file patterns of its frontmatter; absent for memories. */
  readonly scope?: { readonly folder: string; readonly globs: readonly string[] };
}

/** What `collect` read. Plain data: crosses into the worker unchanged. */
export interface CollectedSection extends SectionDefinition {
  readonly body:
    | SectionText
    /** `leftOut`: files that match as well, beyond what is read of one folder. */
    | { readonly kind: 'folder'; readonly files: readonly FolderFile[]; readonly leftOut: number }
    /** The map is filled in by the engine, which holds the index. */
    | { readonly kind: 'repoMap' }
    | ({ readonly kind: 'observations' } & SectionRows)
    | { readonly kind: 'failed'; readonly failure: SectionFailure }
    /** Not read yet; the report shows it as counting. */
    | { readonly kind: 'pending' };
  /** Workspace-relative path that "open source" opens, when there is one file. */
  readonly path: string | undefined;
  /** One short phrase about the source, such as `7 errors, 3 files` or `2 behind main`; becomes the row's reason. */
  readonly note: Phrase | undefined;
  /** Pinned by the config: never a stub, whatever its score. */
  readonly isPinned: boolean;
  /** Excluded by the config: omitted from every payload. */
  readonly isExcluded: boolean;
  /** The profile's agent has it without any payload; absent otherwise. */
  readonly loadedBy?: LoadedByAgent;
}
