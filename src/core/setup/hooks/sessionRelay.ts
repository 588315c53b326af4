/**
 * What of the relay context outlives a compaction of one agent's session: compacted before it, kept in a file, served
 * after it. At the session's start, the index-only payload follows the relay summary, within the hook's limit; where both
 * do not fit, the index gives way, since the agent can ask for it. `relay/` does the compacting.
 */
import { compactRelay, type RelayCompaction } from '../../relay/compactRelay';
import { ledgerWithFacts, logBesideFacts } from '../../relay/factsInput';
import { ESSENTIALS } from '../../relay/relayContext';
import { NOTES_ELEMENT } from '../../text/elements';
import { isRecord } from '../../text/jsonRecord';
import { formatCount } from '../../text/numbers';
import type { RelayFacts } from '../../transcripts/relayFacts';
import { MAX_CONTEXT_CHARS } from './hookTarget';

/** Kept free for the sentence that stands for an index that does not fit. */
const NOTICE_CHARS = 300;

/** The element that carries the relay summary. */
const RELAY_ELEMENT = 'relay';

/** The relay summary as an element, or a line that names its `file` where it leaves no room. `text` is escaped already. */
export function relayElement(text: string, file: string): string {
  if (text.trim() === '') return '';
  const elementOf = (inner: string): string => `<${RELAY_ELEMENT}>\n${inner}\n</${RELAY_ELEMENT}>\n`;
  const element = elementOf(text.trimEnd());
  if (element.length + NOTICE_CHARS <= MAX_CONTEXT_CHARS) return element;
  const count = formatCount(element.length);
  return elementOf(`The relay summary has ${count} characters, too many for a hook. Read ${file}.`);
}

/** Characters that the index payload may have beside `relay`. */
export function indexCapChars(relay: string): number {
  return MAX_CONTEXT_CHARS - relay.length;
}

/** Relay element and index, whole, within `MAX_CONTEXT_CHARS`. An index that could not be fitted is named instead. */
export function sessionStartContext(relay: string, index: string): string {
  const cap = indexCapChars(relay);
  if (index.length <= cap) return relay + index;
  const told = `The index of this folder has ${formatCount(index.length)} characters; a hook may print ${formatCount(cap)}.`;
  return `${relay}<${NOTES_ELEMENT}>\n${told} Ask for it with "context-budget payload".\n</${NOTES_ELEMENT}>\n`;
}

/** Characters that `partialIndexNotice` has at most, its element with it. */
export const PARTIAL_NOTICE_CHARS = 240;

/** Says in one line that the map is not whole, and what to do. */
export function partialIndexNotice({ done, total }: { readonly done: number; readonly total: number }): string {
  const told =
    total === 0
      ? 'The repo map is missing: files are still being listed.'
      : `The repo map is incomplete: ${formatCount(done)} of ${formatCount(total)} files are indexed so far.`;
  return `<${NOTES_ELEMENT}>\n${told} Ask for the rest with repo_map, or "context-budget map".\n</${NOTES_ELEMENT}>\n`;
}

/** What was kept of the relay context at the last compaction. */
export const RELAY_KEPT_PATH = '.context-budget/relay.compacted.json';

/** Key that says whose compaction a kept file is of. */
const SESSION_KEY = 'session_id';

/** What there is to compact. */
interface SessionRelay {
  /** The parsed relay log; undefined where there is none. */
  readonly log: unknown;
  /** The parsed ledger beside it; undefined where there is none. */
  readonly ledger: unknown;
  /** Of the session's transcript; fill what the log and its ledger lack. */
  readonly facts: RelayFacts | undefined;
  readonly sessionId: string | undefined;
}

/**
 * The compacted relay context of a session; undefined when there is no log, and neither ledger nor transcript has an
 * essential. Likely secrets of a transcript are masked (best effort). Throws `RelayError` when the log is no object.
 */
export function compactSession({ log, ledger, facts, sessionId }: SessionRelay): RelayCompaction | undefined {
  const known = ledgerWithFacts(log, ledger, facts);
  if (log === undefined && !ESSENTIALS.some((key) => Object.hasOwn(known, key))) return undefined;
  const bare = isRecord(log) ? logBesideFacts(log, facts) : log;
  const compacted = compactRelay(bare === undefined ? {} : bare, { ledger: known });
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
  if (!isRecord(kept) || typeof kept.summary !== 'string') return '';
  const owner = kept[SESSION_KEY];
  return owner === undefined || owner === sessionId ? kept.summary : '';
}
