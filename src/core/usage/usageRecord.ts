/**
 * The usage record (`usage.v1`, DESIGN §5.4): one use of a payload by an agent, with what it loaded and what of it was
 * cited. This file decides the shapes; `usageCodec.ts` reads and writes lines, `usageLog.ts` is where they are kept.
 */

import type { ScoringMode } from '../model/relevance';
import type { Disclosure, PayloadMode, Priority } from '../model/section';
import type { RecordLogFailure } from '../records/recordLog';
import { hashText } from '../text/hash';
import { wordedErrorClass } from '../text/phrase';
import type { RequestUsage } from '../transcripts/sessions/sessionLog';

/** A failure of the usage log, in words for the user: what was wrong and what to do; no absolute path. */
export class UsageError extends wordedErrorClass<RecordLogFailure>('UsageError') {}

/** Strongest first. */
export const EVIDENCE_KINDS = ['handle', 'id', 'path', 'keyword', 'tag'] as const;

/** How we know that a section was used. */
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Evidence that a section was used in a cycle. */
export interface Citation {
  /** The section's id. */
  readonly id: string;
  readonly evidence: EvidenceKind;
  /** What was seen, on one line and at most 120 characters: `section:soul`, `src/a.ts`, `lease, takeover`. */
  readonly what: string;
  /** Where it is one entry of the section's text that was used: `entryHash` of that. */
  readonly entry?: string | undefined;
}

/** What the map of a payload showed, at most `MAX_MAP_NAMES` of each. */
export interface ShownMap {
  /** Workspace-relative. */
  readonly paths: readonly string[];
  /** Names of symbols. */
  readonly names: readonly string[];
}

export const MAX_MAP_NAMES = 200;

/** One section of a payload as an agent got it. */
export interface UsedSection {
  readonly id: string;
  /** UTF-16 code units of the element as shown. */
  readonly chars: number;
  /** Tokens of the same text. */
  readonly tokens: number;
  readonly disclosure: Disclosure;
  /** Size if it were shown in full; absent in records of other programs. */
  readonly charsFull?: number | undefined;
  readonly tokensFull?: number | undefined;
  /** `hashText` of the text within the element as shown: tells whether a provider's prompt cache still holds. */
  readonly hash?: string | undefined;
  /** Absent in records of other programs. */
  readonly priority?: Priority | undefined;
}

/** A cycle before it has its number. */
export interface UsageDraft {
  /** `YYYY-MM-DD HH:mm:ss`, local time. */
  readonly ts: string;
  /** What caused the use of the payload: the caller's own words, else `copy`, `tool`, `cite` or `transcript`. */
  readonly trigger: string;
  readonly profile: string;
  /** In payload order. Empty in a record that only adds citations to an earlier cycle. */
  readonly sections: readonly UsedSection[];
  readonly cited: readonly Citation[];
  /** Scoring mode of the cycle: its phase in the report. Absent: `baseline`. */
  readonly mode?: ScoringMode | undefined;
  readonly payload?: PayloadMode | undefined;
  /** Tokens around the sections (notes, index tags). */
  readonly overheadTokens?: number | undefined;
  /** UTF-16 code units of the same; absent in records of earlier versions. */
  readonly overheadChars?: number | undefined;
  readonly responseMs?: number | undefined;
  /** Decision quality, 0…1 or 0…100, as the caller measures it. */
  readonly observabilityScore?: number | undefined;
  /** What the payload's map showed, so that replies are compared with it; absent without a map. */
  readonly map?: ShownMap | undefined;
  /** `hashText` of the task that the payload was made for; the task itself is never kept. */
  readonly queryHash?: string | undefined;
  /**
   * `false`: a payload that was handed out, of whose use nothing is known yet. `true` only in merged records: a later
   * line (a reply, a tool call) joined the cycle. Absent: judged, as in records without this field.
   */
  readonly judged?: boolean | undefined;
  /** The model that answered, as a transcript names it. */
  readonly model?: string | undefined;
  /** Tokens of the cycle's requests together, as the provider counted them. */
  readonly usage?: Partial<RequestUsage> | undefined;
  /** Tells a transcript's turn that is recorded already: `claude-code:<session>:<turn>`. */
  readonly origin?: string | undefined;
}

/** A recorded cycle. Several lines with the same `cycle` are one: the later ones add citations. */
export interface UsageRecord extends UsageDraft {
  /** Increasing, from 1; never given twice. */
  readonly cycle: number;
}

/** What a later line adds to a cycle. */
export type UsageAddition = Pick<UsageDraft, 'profile' | 'ts' | 'cited' | 'responseMs' | 'observabilityScore'>;

/** Known by its words, id and date: the same entry in another place has the same hash. */
export function entryHash(text: string): string {
  return hashText(text.replace(/\s+/gu, ' ').trim());
}
