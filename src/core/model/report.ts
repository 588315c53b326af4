/**
 * The immutable snapshot that panel, status bar, copy commands and CLI all render (DESIGN §1, principle 7).
 * It is made by `buildReport.ts`; nothing downstream computes a status, a cut or a count of its own.
 */

import type { TokenizerName } from '../ports/ports';
import type { Phrase } from '../text/phrase';
import type { AgentId } from './agent';
import type { ObservationRow } from './observation';
import type { Problem } from './problem';
import type { Profile } from './profile';
import type { ScoringConfig, ScoringMode, SectionRelevance } from './relevance';
import type { RepoMapView, WordMatch } from './repoMap';
import type { CollectedSection, Disclosure, PayloadMode, Priority, SectionSource, Status } from './section';
import type { RoiClass, SectionUsage, UsageWindow } from './usage';

/** Entries of a section that is a list. */
interface EntryCounts {
  readonly shown: number;
  readonly total: number;
}

/** A file of a folder section, as a payload shows it. */
export interface ShownFile {
  readonly path: string;
  readonly title: string;
  /** `YYYY-MM-DD`. */
  readonly date: string | undefined;
  /** Tokens of its whole text. */
  readonly tokens: number;
  /** Tokens that the payload shows of it: its line, and its text as far as that is shown. */
  readonly tokensShown: number;
  readonly handle: string;
  /** `entries`: a part of its text. `row`: one line. */
  readonly shown: 'full' | 'entries' | 'row';
}

/** One section as fitted into one payload. */
export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly priority: Priority;
  readonly status: Status;
  /** One sentence of at most 120 characters: its own summary, else its title or first line. */
  readonly summary: string;
  readonly disclosure: Disclosure;
  /** For a row: `always full`, `newest 12 of 41: P3 got 1,150 of 7,500 tokens`. */
  readonly reason: string;
  /** The reason as a whole sentence, for the opened row: what was done, why, and which handle gives the rest. */
  readonly explanation: string;
  /** What both are said from, for interfaces in other languages. */
  readonly words: { readonly reason: Phrase; readonly explanation: Phrase };
  /** UTF-16 code units of the element as rendered in this payload, its trailing newline included; 0 when omitted. */
  readonly chars: number;
  /** Tokens of the same text. Sections' tokens and `overheadTokens` add up to `budget.tokens`. */
  readonly tokens: number;
  /** Size of the element if it were shown in full. */
  readonly charsFull: number;
  readonly tokensFull: number;
  /** Tokens of its one line, were it on demand. */
  readonly tokensStub: number;
  /** Tokens of its file that the profile's agent loads by itself, so that the payload is without it; absent otherwise. */
  readonly agentTokens?: number;
  readonly handle: string;
  /** The element's content as the agent gets it, without the element's own tags; empty when omitted. */
  readonly text: string;
  readonly source: SectionSource;
  readonly path: string | undefined;
  /** Entry counts when the section is a list of entries (bullets, headings, rows). */
  readonly entries: EntryCounts | undefined;
  /** The shown files of a folder, best first; absent for other sections. */
  readonly files?: readonly ShownFile[];
  readonly isPinned: boolean;
  readonly isExcluded: boolean;
  /** A command section that was not run because the folder is not trusted (or the host has no processes). */
  readonly isNotRun: boolean;
  /** Secrets could not be looked for in it, so that it says this instead; absent otherwise. */
  readonly isNotScanned?: true;
  /** Its source could not be read or run, so its numbers are those of a line that says so; absent otherwise. */
  readonly isUnread?: true;
  /** Only its one line is shown, or nothing, because of the budget: not by a rule, a score or the source itself. */
  readonly isLeftOut: boolean;
  /** An expanded payload shows a part of it, because of the budget; absent otherwise. A map is never cut: it fills the room it gets. */
  readonly isCut?: true;
  /** Not collected yet; its numbers are zero or estimates. */
  readonly isPending: boolean;
  readonly citations: number;
  /** `null` until there is data. */
  readonly roi: number | null;
  readonly roiClass: RoiClass;
  /** Relevance in 0…1, `null` while scoring is off or has nothing to say. */
  readonly score: number | null;
  /** How the score came about; undefined while scoring is off. */
  readonly relevance: SectionRelevance | undefined;
  /** Its history; undefined when no cycle of the window had it. */
  readonly usage: SectionUsage | undefined;
}

/** Totals of one payload against the profile's caps. */
export interface BudgetSummary {
  readonly budgetTokens: number;
  readonly tokens: number;
  readonly tokenizer: TokenizerName;
  readonly hardCapChars: number;
  readonly chars: number;
  readonly status: Status;
  /** One text for each cut of the budget or of a source's cap, such as `dropped: topic-memory`. */
  readonly downgradeApplied: readonly string[];
  /** Priority by priority; absent where one thing alone was asked for. */
  readonly grants?: readonly BudgetGrant[];
  /** A token cap at which both caps would bind, measured on this payload; absent where tokens do not bind far too early. */
  readonly suggestedTokens?: number;
  /** False while any number is an estimate: shown with `≈`. */
  readonly isExact: boolean;
  /** No number was counted; absent where at most those of pending sections are estimates. */
  readonly isEstimate?: true;
  /** What the profile's agent loads by itself beside this payload, by the sections' `agentTokens`; absent without one. */
  readonly agent?: AgentShare;
}

/** The part of an agent's context that it loads by itself. */
export interface AgentShare {
  /** Display name. */
  readonly name: string;
  readonly tokens: number;
  readonly sections: number;
}

/** What one priority was offered and used, in tokens (DESIGN §3.4). */
export interface BudgetGrant {
  readonly priority: Priority;
  /** What was left for it when its turn came. */
  readonly offered: number;
  readonly used: number;
}

/** One cut section, logged once (DESIGN §3.4). */
export interface CutRecord {
  readonly id: string;
  /**
   * `rule`: the config, the user or the score; `cap`: `max_per_source_tokens`; `rows`: `top_k.index` or `index_tokens`;
   * `share`: of a map without a task.
   */
  readonly by: 'rule' | 'cap' | 'rows' | 'share' | 'budget';
  readonly tokensFull: number;
  readonly charsFull: number;
  readonly tokens: number;
  readonly chars: number;
  /**
   * `entries`: of a map, the symbols of the files that it shows. `lines`: of texts shown in part, those that belong to none
   * of the entries and files left out.
   */
  readonly leftOut: { readonly entries?: number; readonly files?: number; readonly lines?: number };
  /** What its next larger form would take; absent where a rule or its absence leaves none. */
  readonly nextTokens?: number;
  readonly reason: string;
  /** What was left out, in words: `29 of 41 entries`. */
  readonly dropped: string;
}

/** A secret that was masked: where it stands, and what it looks like. Never the secret itself. */
export interface SecretFinding {
  /** The section; a handle for what was asked for by one. */
  readonly sectionId: string;
  /** 1-based; of the file at `path`, else of the section's text. */
  readonly line: number;
  /** Workspace-relative; where the text is a file's. */
  readonly path?: string;
  /** In the field's words, such as `AWS access key`. */
  readonly label: string;
}

/** What the budget leaves out of a payload. */
export interface LeftOutSections {
  readonly sections: number;
  /** Tokens of all of them in full. */
  readonly tokens: number;
}

/** One of the two payloads, fitted and rendered. */
export interface PayloadReport {
  readonly mode: PayloadMode;
  readonly budget: BudgetSummary;
  /** Tokens of the notes element, so that sections + overhead = budget.tokens. */
  readonly overheadTokens: number;
  /** Priority, then id. */
  readonly sections: readonly ReportSection[];
  /** Sections that are left out, and their tokens in full. */
  readonly leftOut: LeftOutSections;
  readonly repoMap: RepoMapView | undefined;
  /** Which words of the task the index knows, whether or not its map has room. */
  readonly match?: WordMatch | undefined;
  /** Rows of the observations shown; undefined when there is no such section. */
  readonly observations?: readonly ObservationRow[] | undefined;
  readonly notes: readonly string[];
  readonly cuts: readonly CutRecord[];
  /** What was masked in `text`, in its order. */
  readonly secrets: readonly SecretFinding[];
  /** The text form; `budget.tokens` and `budget.chars` count exactly this. */
  readonly text: string;
}

/** The snapshot. */
export interface ContextReport {
  /** `hashText` of the task that it was made for; absent without one. */
  readonly queryHash?: string;
  readonly profile: string;
  readonly payloads: Readonly<Record<PayloadMode, PayloadReport>>;
  readonly problems: readonly Problem[];
}

/** Context files that were found and are no section, by why. */
export interface LeftOutCounts {
  /** In folders of other people's code or of test inputs. */
  readonly foreign: number;
  /** Ignored by Git and not tracked. */
  readonly ignored: number;
}

/** A recorded payload that is made again: which sections scores hid then, whatever they would hide now. */
export interface GivenDisclosures {
  readonly mode: ScoringMode;
  /** Ids of sections whose text was shown, whole or in part. */
  readonly shown: readonly string[];
  /** Ids of sections that were stubs. */
  readonly stubs: readonly string[];
}

/** Everything one snapshot is computed from. Plain data. */
export interface ReportRequest {
  readonly profile: Profile;
  readonly tokenizer: TokenizerName;
  readonly sections: readonly CollectedSection[];
  readonly uncollected?: LeftOutCounts;
  /** Agents in use in the folder: their instruction files come first. */
  readonly agents?: readonly AgentId[];
  /** Files being worked on: personalise the map's ranking. */
  readonly focusPaths: readonly string[];
  /** What the work is about: the map is ranked for it. Absent or blank: by structure. */
  readonly query?: string;
  /** Mode `off` without it. */
  readonly scoring?: ScoringConfig;
  /** History that scores and ROI are made of. */
  readonly usage?: UsageWindow;
  /** Set where a recorded payload is made again. */
  readonly given?: GivenDisclosures;
  /** Why the payload is used, besides `query`: matched against sections like it. */
  readonly trigger?: string;
  /** False while the index is still filling: the map section is then shown as counting. */
  readonly isIndexReady: boolean;
  readonly problems: readonly Problem[];
  /** Count by `estimateTokens` and leave the map pending: at once, before ranks are loaded. The report says `isExact: false`. */
  readonly isEstimate?: boolean;
  /** The texts with their secrets, which were asked for. */
  readonly isUnmasked?: boolean;
}

/** One masked secret. */
export interface MaskedSecret {
  readonly label: string;
  /** 1-based, in the text; the same before and after masking. */
  readonly line: number;
  /** The secret itself: for finding its place in a file. Never shown, logged or sent. */
  readonly value: string;
}

/** A text without the secrets that it had. Everything else, line numbers included, is as before. */
export interface MaskedText {
  readonly text: string;
  readonly secrets: readonly MaskedSecret[];
}
