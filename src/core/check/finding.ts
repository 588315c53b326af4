/** What `check` says (DESIGN §5.6): findings of rules, and the report that every format renders. Shapes only. */
import type { CheckLevel, CheckRule } from '../config/checkRules';
import type { AgentId } from '../model/agent';

export type FindingLevel = Exclude<CheckLevel, 'off'>;

/** One finding, in English: CI logs and agents read it. */
export interface CheckFinding {
  readonly rule: CheckRule;
  readonly level: FindingLevel;
  /** One sentence without a period; no absolute path. */
  readonly message: string;
  /** Workspace-relative; absent where no file is to blame. */
  readonly path?: string;
  /** 1-based; absent without `path`. */
  readonly line?: number;
  /** Id of the section. */
  readonly section?: string;
  /** Id of the observation, which `path` has on a line of its own. */
  readonly observation?: number;
  readonly agent?: AgentId;
  /** What was measured, and its limit. */
  readonly tokens?: number;
  readonly limit?: number;
}

/** One section, measured. */
export interface CheckedSection {
  readonly id: string;
  /** As the payload shows it, and if it were shown in full. */
  readonly tokens: number;
  readonly tokensFull: number;
  readonly limit: number | undefined;
  /** In the baseline, and measured now in the same way; absent without a baseline, or where the section depends on the machine. */
  readonly change?: { readonly before: number; readonly now: number };
}

/** What can be compared between machines: the payload without the sections that depend on one. */
export interface ComparableContext {
  readonly profile: string;
  /** Sum of the sections' tokens. */
  readonly tokens: number;
  readonly sections: readonly { readonly id: string; readonly tokens: number }[];
}

/** A baseline, and the context measured now in the same way. */
export interface Comparison {
  /** The file or revision, as it was given. */
  readonly ref: string;
  readonly before: ComparableContext;
  readonly now: ComparableContext;
}

/** `--max-increase`: tokens, or a share of the baseline in percent. */
export interface MaxIncrease {
  readonly amount: number;
  readonly unit: 'tokens' | 'percent';
}

/** `fail`: at least one error. `unmeasured`: no error, but something has no figure. */
export type CheckResult = 'pass' | 'fail' | 'unmeasured';

export interface CheckReport {
  readonly result: CheckResult;
  readonly profile: string;
  /** Of the expanded payload. */
  readonly tokens: number;
  readonly chars: number;
  /** Tokens of the payload's notes: with the sections' they add up to `tokens`. */
  readonly notesTokens: number;
  readonly totalLimit: number | undefined;
  readonly comparison: Comparison | undefined;
  readonly sections: readonly CheckedSection[];
  /** By rule, then place. */
  readonly findings: readonly CheckFinding[];
  /** Findings that comments in the files silence. */
  readonly suppressed: number;
}
