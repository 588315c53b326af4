/**
 * What of the relay context outlives a compaction of one agent's session: compacted before it, kept in a file, served
 * after it. It decides what goes in and whose it is; compacting itself is `relay/`'s business.
 */
import { compactRelay, type RelayCompaction } from '../../relay/compactRelay';
import { essentialsWithFacts } from '../../relay/factsInput';
import type { RelayFacts } from '../../transcripts/relayFacts';

/** What was kept of the relay context at the last compaction. */
export const RELAY_KEPT_PATH = '.context-budget/relay.compacted.json';

/** Key that says whose compaction a kept file is of. */
const SESSION_KEY = 'session_id';

/** What there is to compact. */
export interface SessionRelay {
  /** The parsed relay log; undefined where there is none. */
  readonly log: unknown;
  /** The parsed ledger beside it; undefined where there is none. */
  readonly ledger: unknown;
  /** Of the session's transcript; fill what the log and its ledger lack. */
  readonly facts: RelayFacts | undefined;
  readonly sessionId: string | undefined;
}

/**
 * The compacted relay context of a session; undefined when there is no log, and neither ledger nor transcript has an essential. Secrets that a
 * transcript shows are masked by their looks. Throws `RelayError` when the log is no object.
 */
export function compactSession({ log, ledger, facts, sessionId }: SessionRelay): RelayCompaction | undefined {
  const known = essentialsWithFacts(log, ledger, facts);
  if (log === undefined && Object.keys(known).length === 0) return undefined;
  const compacted = compactRelay(log === undefined ? {} : log, { ledger: known });
  return sessionId === undefined
    ? compacted
    : { ...compacted, output: { ...compacted.output, [SESSION_KEY]: sessionId } };
}

/**
 * The summary of a kept file; empty when it is another session's, since two agents may work in one folder. Throws when
 * the text is no JSON.
 */
export function keptSummary(text: string, sessionId: string | undefined): string {
  const kept: unknown = JSON.parse(text);
  if (typeof kept !== 'object' || kept === null || !('summary' in kept) || typeof kept.summary !== 'string') return '';
  const owner = SESSION_KEY in kept ? kept[SESSION_KEY] : undefined;
  return owner === undefined || owner === sessionId ? kept.summary : '';
}
