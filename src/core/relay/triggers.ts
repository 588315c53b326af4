/**
 * When a relay log is due for compaction (DESIGN §7), and why. It decides by what the log and the ledger say now and by
 * what was seen before; the state goes in and comes out, nothing is kept here. Each trigger fires once for its cause:
 * a length, a repetition or a state that goes back and forth around its limit does not fire again and again.
 */

import { tokensOf } from '../text/counts';
import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { type Phrase, phrase } from '../text/phrase';
import { toSentence } from '../text/sentence';
import { objectsAt } from '../transcripts/jsonFields';
import { alarmOf, HEALTH_KEYS } from './dropRules';
import { readEssentials } from './essentials';
import { faultOf, saidItems, textsIn, wordsAt } from './jsonValue';
import { type Ledger, readLedger } from './ledger';
import { hasId, idsIn, wordsIn } from './mentions';
import type { RelayContext } from './relayContext';
import { recoveryOf } from './relaySummary';
import type { RecoveryState } from './states';

/** What fired. */
type TriggerKind = 'length' | 'repeated_status' | 'new_instruction' | 'recovery';

/** One reason to compact now. */
export interface RelayTrigger {
  readonly kind: TriggerKind;
  /** In one line: what was seen and which limit it met. */
  readonly why: Phrase;
}

/** When triggers fire. */
export interface TriggerSettings {
  /** Longer logs are due; `relay.max_tokens` of the config. */
  readonly maxTokens: number;
  /** So many equal reports in a row are a repetition. */
  readonly repeats: number;
}

/** Three times is a repetition; twice may be a coincidence. */
export const DEFAULT_REPEATS = 3;

/** A log that was too long is so again only after it was shorter than this share of the limit. */
const REARM_SHARE = 0.8;

/** A recovery is over, and another status has taken over, when it was seen so often in a row. */
const SETTLED = 2;

/** Fewer words than this (`continue`, `go on`) tell nothing about what an instruction is about. */
const MIN_TELLING_WORDS = 3;

/** What was seen before. Plain data; begin with {@link INITIAL_TRIGGER_STATE}. */
export interface TriggerState {
  /** False after `length` fired, until the log was short again. */
  readonly isLengthArmed: boolean;
  /** The status that fired, and how many reports there were then. */
  readonly repeated: { readonly status: string; readonly reports: number } | undefined;
  /** The newest instructions, the last one last; undefined before the first look. */
  readonly instructions: readonly string[] | undefined;
  /** The recovery that was entered and not left yet; undefined before the first look. */
  readonly recovery: RecoveryState | 'none' | undefined;
  /** How often in a row no recovery was seen since. */
  readonly calm: number;
}

/** Nothing was seen yet. */
export const INITIAL_TRIGGER_STATE: TriggerState = {
  isLengthArmed: true,
  repeated: undefined,
  instructions: undefined,
  recovery: undefined,
  calm: 0,
};

/** An instruction as triggers compare it. */
function instructionOf({ latest_instruction: said }: RelayContext): string | undefined {
  return said === undefined ? undefined : saidItems(said).join('\n');
}

/**
 * What a compacted log remembers of the time when it was written, for a look that has no other memory: its instruction
 * and its recovery. Leaving that recovery fires at the first look without it.
 */
export function rememberedState(compacted: JsonRecord): TriggerState {
  const instruction = instructionOf(readEssentials(compacted).context);
  return {
    ...INITIAL_TRIGGER_STATE,
    instructions: instruction === undefined ? [] : [instruction],
    recovery: recoveryOf(compacted, undefined)?.state ?? 'none',
    calm: SETTLED - 1,
  };
}

/** What is looked at. */
export interface TriggerInput {
  /** The relay log; what is no object says nothing. */
  readonly log: unknown;
  /** What compaction leaves of it, by which a recovery is known; the log itself where that is what it is. */
  readonly compacted?: JsonRecord;
  readonly ledger?: unknown;
  /** Tokens of the log. */
  readonly count: () => number;
}

/** What fired now, and what to pass in next time. */
interface TriggerCheck {
  readonly fired: readonly RelayTrigger[];
  readonly state: TriggerState;
}

type Step = { readonly fired?: RelayTrigger; readonly state: Partial<TriggerState> };

function checkLength(state: TriggerState, tokens: number, { maxTokens }: TriggerSettings): Step {
  if (tokens <= maxTokens * REARM_SHARE) return { state: { isLengthArmed: true } };
  if (tokens <= maxTokens || !state.isLengthArmed) return { state: {} };
  const why = phrase('the log has {0}, more than {1}', tokensOf(tokens), maxTokens);
  return { fired: { kind: 'length', why }, state: { isLengthArmed: false } };
}

/** Who says what of which task: the status, task and step of a report. */
function statusOf(report: JsonRecord): string {
  const [status = alarmOf('status_reports', report)] = wordsAt(report, HEALTH_KEYS);
  return status === undefined ? '' : [status.toLowerCase(), ...wordsAt(report, ['task_id', 'step_id'])].join(' ');
}

function checkRepeated(state: TriggerState, log: JsonRecord, { repeats }: TriggerSettings): Step {
  const statuses = objectsAt(log, 'status_reports').map(statusOf);
  const last = statuses.at(-1) ?? '';
  const other = statuses.findLastIndex((status) => status !== last);
  const run = statuses.length - 1 - other;
  const { repeated } = state;
  // Fewer reports than then: the log was compacted.
  const isOver = repeated && (statuses.length < repeated.reports || (last !== repeated.status && run >= SETTLED));
  const known = isOver ? undefined : repeated;
  if (last === '' || run < repeats || known?.status === last) return { state: { repeated: known } };
  const why = phrase('the status "{0}" was reported {1} times in a row', toSentence(last), run);
  return { fired: { kind: 'repeated_status', why }, state: { repeated: { status: last, reports: statuses.length } } };
}

const ENTRY_IDS = ['task_id', 'step_id', 'task', 'step'] as const;

/** Whether an instruction and an entry are about the same task or step; undefined when it cannot be told. */
function isShared(instruction: string, ids: ReadonlySet<string>, entry: JsonRecord): boolean | undefined {
  const own = wordsAt(entry, ENTRY_IDS);
  if (own.some((id) => hasId(instruction, id))) return true;
  if (ids.size > 0) return own.length > 0 ? false : undefined;
  const words = wordsIn(instruction);
  if (words.size < MIN_TELLING_WORDS) return undefined;
  return [...wordsIn(textsIn(entry).join('\n'))].some((word) => words.has(word));
}

function checkInstruction(
  state: TriggerState,
  log: JsonRecord,
  { tasks }: Ledger,
  instruction: string | undefined,
): Step {
  if (instruction === undefined) return { state: { instructions: state.instructions ?? [] } };
  const known = state.instructions;
  const isNew = known !== undefined && !known.includes(instruction);
  // Two are remembered: going back to the one before is no news.
  const instructions = [...(known ?? []).filter((one) => one !== instruction), instruction].slice(-2);
  if (!isNew) return { state: { instructions } };
  const entries = objectsAt(log, 'execution_logs').filter((entry) => faultOf(entry) === undefined);
  const ids = [...entries.flatMap((entry) => wordsAt(entry, ENTRY_IDS)), ...tasks.flatMap((task) => task.ids)];
  const named = idsIn(instruction, ids);
  const shared = entries.map((entry) => isShared(instruction, named, entry));
  const others = shared.filter((is) => is === false).length;
  if (others === 0 || shared.includes(true)) return { state: { instructions } };
  const why = phrase(
    others === 1
      ? 'the new instruction "{0}" shares no task or step with {1} older log entry'
      : 'the new instruction "{0}" shares no task or step with {1} older log entries',
    toSentence(instruction, 60),
    others,
  );
  return { fired: { kind: 'new_instruction', why }, state: { instructions } };
}

function checkRecovery(state: TriggerState, now: RecoveryState | undefined): Step {
  const before = state.recovery ?? 'none';
  const recovery: RecoveryState | 'none' = now ?? 'none';
  const settled = { recovery, calm: 0 };
  if (recovery === before) return { state: settled };
  const calm = state.calm + 1;
  if (recovery === 'none' && calm < SETTLED) return { state: { calm } };
  let why = phrase('went from {0} to {1}', before, recovery);
  if (before === 'none') why = phrase('entered {0}', recovery);
  else if (recovery === 'none') why = phrase('left {0}', before);
  return { fired: { kind: 'recovery', why }, state: settled };
}

/**
 * Looks at a log and says which triggers fire. The first look fires for a length, a repetition and a recovery that are
 * there already, and takes the instruction as known. Leaving a recovery fires at the second look in a row without it.
 */
export function checkTriggers(state: TriggerState, input: TriggerInput, settings: TriggerSettings): TriggerCheck {
  const log = isRecord(input.log) ? input.log : {};
  const ledger = readLedger(input.ledger ?? ownValue(log, 'ledger'));
  const { context } = readEssentials(log, '', [ledger.context]);
  const steps = [
    checkLength(state, input.count(), settings),
    checkRepeated(state, log, settings),
    checkInstruction(state, log, ledger, instructionOf(context)),
    checkRecovery(state, recoveryOf(input.compacted ?? log, input.ledger)?.state),
  ];
  return {
    fired: steps.flatMap(({ fired }) => (fired ? [fired] : [])),
    state: Object.assign({}, state, ...steps.map((step) => step.state)),
  };
}
