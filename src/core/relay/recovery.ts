import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { toSentence } from '../text/sentence';
import { asRecoveryState, foldState, type RecoveryState, readLedger } from './ledger';

/** A recovery as the ledger or the log shows it. */
export interface Recovery {
  readonly state: RecoveryState;
  /** Since when, in the words of the record that has the state; undefined when it does not say. */
  readonly since: string | undefined;
}

/**
 * Whether a relay may only report, forward and copy: somebody else acts for the work, or should. A warning leaves the
 * work where it is.
 */
export function isForwardOnly(state: RecoveryState | undefined): boolean {
  return state === 'STALE' || state === 'LEASE_TAKEOVER';
}

const SINCE_KEYS: readonly string[] = ['state_since', 'recovery_since', 'since'];

/** A report is made when its state is; a ledger or a log is written again and again. */
const REPORT_KEYS: readonly string[] = [...SINCE_KEYS, 'ts', 'time'];

/** A point in time is short; more is a sentence. UTF-16 code units. */
const MAX_SINCE_CHARS = 40;

function sinceOf(record: unknown, keys: readonly string[]): string | undefined {
  if (!isRecord(record)) return undefined;
  for (const key of keys) {
    const value = ownValue(record, key);
    if (typeof value === 'string' && value.trim() !== '') return toSentence(value, MAX_SINCE_CHARS);
  }
  return undefined;
}

function lastReport(log: JsonRecord): JsonRecord | undefined {
  const reports = ownValue(log, 'status_reports');
  return Array.isArray(reports) ? reports.filter(isRecord).at(-1) : undefined;
}

/**
 * The recovery that the work is in: by the ledger (the given one, else the log's own), else by the log's `recovery_state`
 * or `state`, else by its last status report. A ledger that names another state ends the search: there is none.
 */
export function recoveryOf(log: JsonRecord, ledger: unknown): Recovery | undefined {
  const facts = ledger ?? ownValue(log, 'ledger');
  const report = lastReport(log);
  const places: readonly (readonly [string, unknown])[] = [
    [readLedger(facts).state, facts],
    [foldState(ownValue(log, 'recovery_state')) || foldState(ownValue(log, 'state')), log],
    [foldState(report && ownValue(report, 'status')), report],
  ];
  const [word, record] = places.find(([said]) => said !== '') ?? ['', undefined];
  const state = asRecoveryState(word);
  return state && { state, since: sinceOf(record, record === report ? REPORT_KEYS : SINCE_KEYS) };
}
