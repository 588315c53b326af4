import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import type { DroppedItem } from './dropped';
import { readEssentials } from './essentials';
import { faultOf, firstText, wordsAt } from './jsonValue';
import type { RelayContext } from './relayContext';
import { FINISHED, foldState, foldStatus, UNFINISHED } from './states';

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
/** Keys of tasks, as a list or by name: `tasks`, `role_lifecycle`, `step_states`. */
const TASK_KEYS =
  /^(?:(?:role|lane|step|task|stage|phase|module)_?(?:lifecycle|states?|status(?:es)?|map)|(?:current_|active_)?(?:tasks|steps)|roles|lanes|stages|phases|modules|lifecycle)$/i;
const ID_KEYS = ['task_id', 'step_id', 'id'] as const;
const TITLE_KEYS = ['title', 'name', 'summary', 'description'] as const;
const TASK_STATES = ['status', 'state', 'outcome', 'result'] as const;

/** States that say that all is done. */
const FINAL_STATES = new Set(['DONE', 'COMPLETED', 'COMPLETE', 'FINISHED', '已完成', '完成']);

/** Whether the ledger shows everything as finished: by its state, or by each of its tasks. */
export function isAllFinished({ state, tasks }: Pick<Ledger, 'state' | 'tasks'>): boolean {
  return FINAL_STATES.has(state) || (tasks.length > 0 && tasks.every(isFinished));
}

/** Whether the ledger shows the task as finished. */
export function isFinished({ status }: LedgerTask): boolean {
  return FINISHED.has(status);
}

/** `step:S1` is the step S1. */
function idsOfName(name: string): readonly string[] {
  const id = name.slice(name.lastIndexOf(':') + 1).trim();
  return id === name || id === '' ? [name] : [id, name];
}

/** A step that one map describes and another one gives a state is one step. */
function mergedTasks(tasks: readonly LedgerTask[]): readonly LedgerTask[] {
  const stated = new Set(tasks.filter(({ status }) => status !== '').flatMap(({ ids }) => ids));
  const titles = new Map(
    tasks.flatMap(({ ids: [id], title }): [string, string][] =>
      id === undefined || title === '' ? [] : [[id, title]],
    ),
  );
  const titleOf = ({ title, ids: [id = ''] }: LedgerTask): string => title || (titles.get(id) ?? '');
  return tasks
    .filter(({ ids, status }) => status !== '' || !ids.some((id) => stated.has(id)))
    .map((task) => ({ ...task, title: titleOf(task) }));
}

/** Tasks of a list, or of an object by name: `{ "T1": "done" }` is the shortest way to write a ledger. */
function tasksIn(value: unknown): readonly LedgerTask[] {
  if (Array.isArray(value)) return value.flatMap((task) => taskOf(task));
  if (!isRecord(value)) return [];
  return Object.keys(value).flatMap((name) => taskOf(ownValue(value, name), name));
}

function taskOf(value: unknown, name?: string): readonly LedgerTask[] {
  const named = name === undefined ? [] : idsOfName(name);
  if (typeof value === 'string' && name !== undefined) {
    return [{ ids: named, title: '', status: foldStatus(value) }];
  }
  if (!isRecord(value)) return Array.isArray(value) ? tasksIn(value) : [];
  const ids = [...named, ...wordsAt(value, ID_KEYS)];
  const title = firstText(value, TITLE_KEYS);
  const own = foldStatus(firstText(value, TASK_STATES));
  const inner = tasksUnder(value);
  // A role that only has steps: `{ "implementer": { "S1": "done" } }`.
  const isMap = own === '' && inner.length === 0 && tasksIn(value).some(isStated);
  const steps = isMap ? tasksIn(value) : inner;
  // What names no state is as far as its steps are.
  const status = own === '' ? (steps.find((step) => !isFinished(step)) ?? steps[0])?.status : own;
  return [...(ids.length === 0 && title === '' ? [] : [{ ids, title, status: status ?? '' }]), ...steps];
}

function isStated({ status }: LedgerTask): boolean {
  return FINISHED.has(status) || UNFINISHED.has(status);
}

function tasksUnder(record: JsonRecord): readonly LedgerTask[] {
  return Object.keys(record)
    .filter((key) => TASK_KEYS.test(key))
    .flatMap((key) => tasksIn(ownValue(record, key)));
}

/** Top-level keys that are ids themselves: `{ "S1": "running" }`. */
const STEP_ID = /^[A-Z]{1,10}[-_]?\d+(?:\.\d+)*$/;

/**
 * Reads a ledger: the essentials at its top or in its `relay_context`, `state` (or `recovery_state`, or `status`), and
 * tasks or steps: lists, objects by id, maps of roles or steps to states such as `role_lifecycle`. What is no ledger, or
 * cannot be written as JSON, has no facts.
 */
export function readLedger(value: unknown): Ledger {
  if (!isRecord(value)) return { context: {}, state: '', tasks: [], dropped: [] };
  const { context, dropped } = readEssentials(value, 'ledger');
  const facts = faultOf(value) === undefined ? value : {};
  const steps = Object.keys(facts).filter((key) => STEP_ID.test(key));
  return {
    context,
    state: foldState(firstText(facts, STATE_KEYS)),
    tasks: mergedTasks([...tasksUnder(facts), ...steps.flatMap((key) => taskOf(ownValue(facts, key), key))]),
    dropped: dropped.filter(({ rule }) => rule !== 'unknown_key' && rule !== 'overruled'),
  };
}
