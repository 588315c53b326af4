/**
 * The compactor's input from what was seen of the work: an agent's transcript, the observations of a folder. It decides
 * which facts become essentials and which become entries of a log; finding facts is the business of their readers.
 */

import { redactSecrets } from '../observations/capture/redact';
import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import type { RelayFacts } from '../transcripts/relayFacts';
import { readLedger } from './ledger';
import type { RelayContext } from './relayContext';

/** Longer messages are pasted material; their first lines say what is wanted. UTF-16 code units. */
const MAX_INSTRUCTION_CHARS = 20_000;

/** Whole lines from the start. */
function firstLines(text: string): string {
  if (text.length <= MAX_INSTRUCTION_CHARS) return text;
  const end = text.lastIndexOf('\n', MAX_INSTRUCTION_CHARS);
  return text.slice(0, end > 0 ? end : MAX_INSTRUCTION_CHARS);
}

/** Essentials that a transcript shows. Goal, constraints and route are the controller's to say. */
function essentialsOf({ latestInstruction, openFailures }: RelayFacts): RelayContext {
  return {
    ...(latestInstruction === undefined ? {} : { latest_instruction: redactSecrets(firstLines(latestInstruction)) }),
    ...(openFailures.length === 0
      ? {}
      : { current_blockers: openFailures.map(({ what, where }) => redactSecrets(`${what} (${where})`)) }),
  };
}

/**
 * Essentials for a log that lacks them: the ledger's, then those of the log's own `ledger`, then what was seen. Secrets in
 * what was seen are masked by their looks.
 */
export function essentialsWithFacts(log: unknown, ledger: unknown, facts: RelayFacts | undefined): RelayContext {
  const inner = isRecord(log) ? ownValue(log, 'ledger') : undefined;
  return { ...(facts ? essentialsOf(facts) : {}), ...readLedger(inner).context, ...readLedger(ledger).context };
}

/** Facts of several places, the first one's before the others'. */
export function mergeFacts(places: readonly RelayFacts[]): RelayFacts {
  return {
    latestInstruction: places.find(({ latestInstruction }) => latestInstruction !== undefined)?.latestInstruction,
    openFailures: places.flatMap(({ openFailures }) => openFailures),
    repeatedStatuses: places.flatMap(({ repeatedStatuses }) => repeatedStatuses),
  };
}

/** Entries as agents write them. Their three keys make the same fact, joined again, a duplicate. */
function entriesOf({ openFailures, repeatedStatuses }: RelayFacts): Readonly<Record<string, readonly JsonRecord[]>> {
  const text = (value: string): string => redactSecrets(value);
  return {
    execution_logs: openFailures.map(({ what, where, turn }) => {
      const dedup_key = text(where);
      return { event_type: 'failure', dedup_key, step_id: turn, status: 'failed', message: text(what) };
    }),
    status_reports: repeatedStatuses.map(({ text: said, times }) => {
      const message = text(said);
      return { event_type: 'repeated_status', dedup_key: message, step_id: 'seen', message, times };
    }),
  };
}

/**
 * A relay log with open failures and repeated statuses at the end of its lists; other keys stay as they are, and so does
 * a list of the wrong type, which compaction names. The log is not changed.
 */
export function joinFacts(log: JsonRecord, facts: RelayFacts): JsonRecord {
  const lists = Object.entries(entriesOf(facts)).flatMap(([key, entries]): [string, unknown][] => {
    const known = ownValue(log, key);
    if (entries.length === 0 || (known !== undefined && !Array.isArray(known))) return [];
    return [[key, [...(known ?? []), ...entries]]];
  });
  return { ...log, ...Object.fromEntries(lists) };
}
