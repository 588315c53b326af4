import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import type { DroppedItem } from './dropped';
import { readEssentials } from './essentials';
import { faultOf, firstText, wordsAt } from './jsonValue';
import type { RelayContext } from './relayContext';

/** States in which the work is not as it should be (DESIGN §7). */
const RECOVERY_STATES = ['WARNING', 'STALE', 'LEASE_TAKEOVER'] as const;

/** One of them. */
export type RecoveryState = (typeof RECOVERY_STATES)[number];

/** A task or step, as the ledger has it. */
interface LedgerTask {
  /** `task_id`, `step_id` or `id`; all that it has. */
  readonly ids: readonly string[];
  readonly title: string;
  /** Folded: lower case, trimmed. Empty when there is none. */
  readonly status: string;
}

/** The facts that a relay may go by. */
export interface Ledger {
  readonly context: RelayContext;
  /** Upper case, words joined by `_`: `RUNNING`, `STALE`; empty when the ledger does not say. */
  readonly state: string;
  readonly tasks: readonly LedgerTask[];
  readonly dropped: readonly DroppedItem[];
}

const STATE_KEYS = ['state', 'recovery_state', 'status'] as const;
const TASK_LISTS = ['tasks', 'steps', 'role_lifecycle'] as const;
const ID_KEYS = ['task_id', 'step_id', 'id'] as const;
const TITLE_KEYS = ['title', 'name', 'summary', 'description'] as const;

/** Status words of a task that is finished (DESIGN §7), lower case. */
export const FINISHED: ReadonlySet<string> = new Set(
  [
    ['completed', 'complete', 'done', 'success', 'succeeded', 'accepted', 'resolved', 'finished', 'passed', 'pass'],
    ['ok', 'closed', 'merged', '已完成', '完成', '成功', '已接受', '已解决', '已解決', '通过', '通過'],
  ].flat(),
);

/** States that say that all is done. */
const FINAL_STATES = new Set(['DONE', 'COMPLETED', 'COMPLETE', 'FINISHED', '已完成', '完成']);

/** Whether the ledger shows everything as finished: by its state, or by each of its tasks. */
export function isAllFinished({ state, tasks }: Pick<Ledger, 'state' | 'tasks'>): boolean {
  return FINAL_STATES.has(state) || (tasks.length > 0 && tasks.every(isFinished));
}

/** Folds a state: ` lease takeover ` is `LEASE_TAKEOVER`. */
export function foldState(value: unknown): string {
  const state = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return state.replace(/[\s-]+/g, '_');
}

/** The state as one of {@link RECOVERY_STATES}; `undefined` for any other. */
export function asRecoveryState(state: string): RecoveryState | undefined {
  return RECOVERY_STATES.find((known) => known === state);
}

/** Whether the ledger shows the task as finished. */
export function isFinished({ status }: LedgerTask): boolean {
  return FINISHED.has(status);
}

function taskOf(value: unknown, name?: string): readonly LedgerTask[] {
  const named = name === undefined ? [] : [name];
  // `{ "T1": "done" }` is the shortest way to write a ledger.
  if (typeof value === 'string' && name !== undefined) {
    return [{ ids: named, title: '', status: value.trim().toLowerCase() }];
  }
  if (!isRecord(value)) return [];
  const task = {
    ids: [...named, ...wordsAt(value, ID_KEYS)],
    title: firstText(value, TITLE_KEYS),
    status: firstText(value, ['status', 'state']).toLowerCase(),
  };
  const steps = ownValue(value, 'steps');
  return [task, ...(Array.isArray(steps) ? steps.flatMap((step) => taskOf(step)) : [])];
}

function tasksOf(record: JsonRecord): readonly LedgerTask[] {
  return TASK_LISTS.flatMap((key) => {
    const value = ownValue(record, key);
    if (Array.isArray(value)) return value.flatMap((task) => taskOf(task));
    if (!isRecord(value)) return [];
    return Object.keys(value).flatMap((name) => taskOf(ownValue(value, name), name));
  });
}

/**
 * Reads a ledger: the essentials at its top or in its `relay_context`, `state` (or `recovery_state`, or `status`), and
 * `tasks`, `steps` or `role_lifecycle`, a list or an object by id. What is no ledger, or cannot be written as JSON, has no facts.
 */
export function readLedger(value: unknown): Ledger {
  if (!isRecord(value)) return { context: {}, state: '', tasks: [], dropped: [] };
  const inner = ownValue(value, 'relay_context');
  const places = isRecord(inner) ? [readEssentials(inner, 'ledger.relay_context')] : [];
  const top = readEssentials(value, 'ledger');
  const facts = faultOf(value) === undefined ? value : {};
  return {
    context: Object.assign({}, top.context, ...places.map(({ context }) => context)),
    state: foldState(firstText(facts, STATE_KEYS)),
    tasks: tasksOf(facts),
    dropped: [...places, top].flatMap(({ dropped }) => dropped).filter(({ rule }) => rule !== 'unknown_key'),
  };
}
