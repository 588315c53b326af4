/**
 * The compactor's input from what was seen of the work: an agent's transcript, the observations of a folder. It decides
 * which facts become essentials and which become entries of a log; finding facts is the business of their readers.
 */

import { type ParseError, parse } from 'jsonc-parser';
import { redactSecrets } from '../observations/capture/redact';
import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { type Phrase, phrase } from '../text/phrase';
import type { RelayFacts } from '../transcripts/relayFacts';
import { parseExact } from './exactNumbers';
import { canonicalJson, faultOf } from './jsonValue';
import { readLedger } from './ledger';
import type { RelayContext } from './relayContext';
import { RelayError } from './relayContext';

/** Where JSON breaks off: engines do not always say. `undefined` for what is nested too deep for this parser. */
function placeOf(text: string): Phrase | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
  const [first] = errors;
  if (!first) return undefined;
  const before = text.slice(0, first.offset);
  if (text.slice(first.offset).trim() === '') return phrase('it ends in the middle');
  const [line, column] = [before.split('\n').length, first.offset - before.lastIndexOf('\n')];
  return phrase('line {0}, column {1}', String(line), String(column));
}

/**
 * Parses the text of a relay log or a ledger (`exactNumbers.ts`). `name` says in messages which one it is. Throws `RelayError` (`notJson`)
 * with the place where it breaks off.
 */
export function parseRelay(text: string, name: string | Phrase): unknown {
  if (text.trim() === '') throw new RelayError('notJson', phrase('{0} is empty; it must be a JSON object.', name));
  try {
    return parseExact(text);
  } catch (cause) {
    const place = placeOf(text);
    const words =
      place === undefined ? phrase('{0} is not valid JSON.', name) : phrase('{0} is not valid JSON: {1}.', name, place);
    throw new RelayError('notJson', words, { cause });
  }
}

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

/** Without a list of blockers that says "none" where a failure was seen that nothing has settled: it is out of date. */
function withoutDenied<T extends JsonRecord>(record: T, facts: RelayFacts | undefined): T {
  const said = ownValue(record, 'current_blockers');
  if (!facts?.openFailures.length || !Array.isArray(said) || said.length > 0) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'current_blockers')) as T;
}

/** A log as compaction is to read it beside facts: what it says of blockers goes before them, but not that there are none. */
export function logBesideFacts(log: JsonRecord, facts: RelayFacts | undefined): JsonRecord {
  const bare = withoutDenied(log, facts);
  const inner = ownValue(bare, 'relay_context');
  return isRecord(inner) ? { ...bare, relay_context: withoutDenied(inner, facts) } : bare;
}

/**
 * A ledger for a log that lacks essentials: the given ledger's, then those of the log's own `ledger`, then what was seen,
 * and the state of the given ledger. Secrets in what was seen are masked (best effort).
 */
export function ledgerWithFacts(log: unknown, ledger: unknown, facts: RelayFacts | undefined): JsonRecord {
  const inner = isRecord(log) ? ownValue(log, 'ledger') : undefined;
  const { context, state } = readLedger(ledger);
  const seen = facts ? essentialsOf(facts) : {};
  const said = withoutDenied({ ...readLedger(inner).context, ...context }, facts);
  const known = { ...seen, ...said };
  return state === '' ? known : { ...known, state };
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
  return {
    execution_logs: openFailures.map(({ what, where, turn }) => {
      const dedup_key = redactSecrets(where);
      return { event_type: 'failure', dedup_key, step_id: turn, status: 'failed', message: redactSecrets(what) };
    }),
    status_reports: repeatedStatuses.map(({ text, times }) => {
      const message = redactSecrets(text);
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
    if (known !== undefined && !Array.isArray(known)) return [];
    // A fact that is there already is the same fact, not a repetition of it.
    const before = new Set(
      (known ?? []).filter((entry) => faultOf(entry) === undefined).map((entry) => canonicalJson(entry)),
    );
    const added = entries.filter((entry) => !before.has(canonicalJson(entry)));
    return added.length === 0 ? [] : [[key, [...(known ?? []), ...added]]];
  });
  return { ...logBesideFacts(log, facts), ...Object.fromEntries(lists) };
}
