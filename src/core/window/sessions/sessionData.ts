/** What the stages between a log and a session hand to each other. Plain data. */
import type { Phrase } from '../../text/phrase';
import type { RequestUsage } from '../../transcripts/sessions/sessionLog';

/** Tokens by part; an MCP server's part is `mcp:` and its name. `counted` are those of texts, `known` the log's own. */
export interface PartCounts {
  readonly counted: Readonly<Record<string, number>>;
  readonly known: Readonly<Record<string, number>>;
}

/** One request, as far as its log tells. Plain data. */
export interface TimelineRequest extends PartCounts {
  readonly id: string;
  readonly key: string;
  readonly model: string | undefined;
  /** The model's tokens over ours, of all texts. */
  readonly factor: number;
  /** The user's messages before it. */
  readonly turn: number;
  readonly time: number | undefined;
  readonly subagent: string | undefined;
  /** Compactions of its window before it. */
  readonly compactions: number;
  /** Times that content left its window before it, as the log says: compactions, cleared results, ways back. */
  readonly cuts: number;
  /** Tools that its answer called. */
  readonly calls: number;
  readonly usage: RequestUsage | undefined;
  readonly cacheSeconds: number | undefined;
}

/** What a finding is about, piece by piece, for interfaces that say it in their own words. */
export interface FindingSubject {
  /** From the folder on, or as the agent wrote it where it lies elsewhere. */
  readonly path?: string | undefined;
  /** `L1-L200`; undefined for the whole file. */
  readonly range?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** Tokens of one copy. */
  readonly size?: number;
  readonly cause?: Phrase;
  /** How often it was there. */
  readonly times?: number;
  /** Of the whole session, in percent. */
  readonly share?: number;
  /** Tokens of the windows before and after it, or of one and of what fits in. */
  readonly from?: number;
  readonly to?: number;
  /** What it is made of, most tokens first: a name of the log, or words of ours. */
  readonly largest?: readonly { readonly name: string | Phrase; readonly tokens: number }[];
}

/** What a session spent without need, and what helps. */
export interface Finding {
  readonly rule:
    | 'read-again'
    | 'unused-output'
    | 'unused-server'
    | 'lost-instruction'
    | 'cache-break'
    | 'full-before-work'
    | 'repeated-command'
    | 'oversized-image'
    | 'subagent-cost'
    | 'window-shrank';
  /** Of the user's messages, from 1. */
  readonly turns: readonly number[];
  /** What requests read because of it: its tokens times the requests that carried them. */
  readonly tokens: number;
  /** May hold words of the session: to be masked before it is shown. */
  readonly what: string;
  readonly about?: FindingSubject;
  readonly fix: 'map' | 'on-demand' | 'exclude' | 'skill' | 'fewer-tools' | 'none';
}

/** A finding with the key of the request that shows it. */
export interface KeyedFinding {
  readonly key: string;
  readonly finding: Finding;
}
