import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { formatCount } from '../text/numbers';
import { toOneLine, toSentence } from '../text/sentence';
import { objectsAt } from '../transcripts/jsonFields';
import { alarmOf, isTakenBack } from './dropRules';
import { inOrder } from './duplicates';
import { firstText, isBlankValue, saidInLine, saidItems } from './jsonValue';
import { readLedger } from './ledger';
import {
  ESSENTIAL_TITLES,
  type EssentialKey,
  type EssentialValue,
  type RelayContext,
  type RelaySelfCheck,
} from './relayContext';
import type { RelayAlarm } from './relayLists';
import { asRecoveryState, foldState, type RecoveryState } from './states';

/** A recovery as the ledger or the log shows it. */
export interface Recovery {
  readonly state: RecoveryState;
  /** Since when, in the words of the record that has the state; undefined when it does not say. */
  readonly since: string | undefined;
}

/**
 * Whether a relay may only report, forward and copy: another acts for the work, or should. A warning leaves the
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
  const since = isRecord(record) ? firstText(record, keys) : '';
  return since === '' ? undefined : toSentence(since, MAX_SINCE_CHARS);
}

/** The newest report that was not taken back, or a newer entry of the execution logs by which another should act. */
function newestReport(log: JsonRecord): JsonRecord | undefined {
  // Where times cannot be compared, the last report wins.
  const alarms = objectsAt(log, 'execution_logs').filter((entry) => isForwardOnly(alarmOf('execution_logs', entry)));
  const reports = objectsAt(log, 'status_reports').filter((entry) => !isTakenBack('status_reports', entry));
  const { sorted } = inOrder([...alarms, ...reports].map((entry) => ({ entry })));
  return sorted.at(-1)?.entry;
}

/**
 * The recovery that the work is in: by the given ledger, else by the log's own ledger, its `recovery_state` or `state`,
 * else by the recovery that the ledger of an earlier compaction named, else by its newest status report or an alarm of its
 * execution logs. The first of them that names another state ends the search: there is none. Ask a compacted log: compaction drops
 * alarms that are over, and no newest report.
 */
export function recoveryOf(log: JsonRecord, ledger: unknown): Recovery | undefined {
  const own = ownValue(log, 'ledger');
  const report = newestReport(log);
  const said = report && (alarmOf('status_reports', report) ?? foldState(firstText(report, ['status', 'state'])));
  const places: readonly (readonly [string, unknown])[] = [
    [readLedger(ledger).state, ledger],
    [readLedger(own).state, own],
    [foldState(ownValue(log, 'recovery_state')) || foldState(ownValue(log, 'state')), log],
    [asRecoveryState(foldState(ownValue(log, 'ledger_state'))) ?? '', undefined],
    [said ?? '', report],
  ];
  const [word, record] = places.find(([state]) => state !== '') ?? ['', undefined];
  const state = asRecoveryState(word);
  return state && { state, since: sinceOf(record, record === report ? REPORT_KEYS : SINCE_KEYS) };
}

/** A summary's line, in UTF-16 code units; whole texts are in `relay_context`. */
const MAX_LINE_CHARS = 400;

/** An object of a list is never cut shorter than this. UTF-16 code units. */
const MIN_ITEM_CHARS = 120;

/** What is next of a route's fields, with who does it. UTF-16 code units. */
const MAX_NEXT_CHARS = 200;

/** Longest name of an actor; more is a sentence. */
const MAX_ACTOR_CHARS = 60;

/** Who acts next stands near the top of a route; the patterns below take quadratic time on hostile texts. */
const MAX_ROUTE_CHARS = 2000;

/** `next: verifier`, `verifier acts next`, `下一步由 verifier 执行`. */
const NEXT_WORDS: readonly RegExp[] = [
  /\bnext(?:[ _-](?:actor|agent|step|up|owner|role|to act))?\s*(?:[:=：]|\bis\b|→|->)\s*([^.;,，。；|\n(（]+)/iu,
  /(?:下一步|下一位|下一个|下一個|接下来|接下來)\s*(?:[:：]|由|是|轮到|輪到|→|->)\s*([^.;,，。；|\n(（]+?)\s*(?:来|來)?(?:执行|執行|处理|處理|行动|行動|负责|負責|接手)?\s*(?:[.;,，。；|\n(（]|$)/u,
  /([\p{L}\p{N}_-]+)\s+(?:acts|goes|works|is)\s+next\b/iu,
];

/** `step 2`, `2nd of 3`, `第 2 步`. */
const STEP = /\bstep\s*#?(\d{1,3})\b|第\s*(\d{1,3})\s*步/iu;

const ARROW = /\s*(?:→|->|=>|⇒|➜)\s*/u;

/** Keys of a route that name who acts next, who acts now, at which step, and what is to be done. */
const NEXT_KEYS = [
  ...['next_actor', 'next_agent', 'next_role', 'next_owner', 'next_lane', 'next_worker', 'next_persona'],
  ...['to_agent', 'to_role', 'handoff_to', 'handed_to'],
] as const;
const ACTOR_KEYS = [
  ...['active_lane', 'active_role', 'active_agent', 'active_persona', 'current_agent', 'current_role', 'current_lane'],
  ...['lane', 'role', 'actor', 'owner', 'agent', 'agent_name', 'worker', 'worker_role', 'assigned_to', 'assignee'],
] as const;
const STEP_KEYS = ['active_step', 'step', 'step_id', 'current_step', 'active_task', 'active_task_id'] as const;
const ACTION_KEYS = ['next_action', 'next_step', 'next', '下一步', 'next_steps', 'focus_for_next'] as const;

/** `implementer, step S2: run the tests` */
function nextOfRoute(route: JsonRecord): string {
  const [to, actor, step, action] = [NEXT_KEYS, ACTOR_KEYS, STEP_KEYS, ACTION_KEYS].map((keys) => {
    const value = keys.map((key) => ownValue(route, key)).find((one) => !isBlankValue(one));
    return value === undefined ? '' : saidInLine(value);
  });
  const who = to || [actor, step && `step ${step}`].filter((part) => part).join(', ');
  if (!action) return to || (actor ? who : '');
  return toSentence(who ? `${who}: ${action}` : action, MAX_NEXT_CHARS);
}

/**
 * Who acts next, as the route says it: by name (`next: verifier`), by its step (`planner → implementer, step 2`), or by
 * the fields of an object. `undefined` when it does not say.
 */
export function nextActor(given: EssentialValue): string | undefined {
  if (isRecord(given)) return nextOfRoute(given) || nextInText(saidInLine(given));
  if (!Array.isArray(given)) return nextInText(String(given));
  const objects = given.filter(isRecord).map(nextOfRoute);
  return objects.find((next) => next !== '') ?? nextInText(saidItems(given).join('\n'));
}

function nextInText(wholeRoute: string): string | undefined {
  const route = wholeRoute.slice(0, MAX_ROUTE_CHARS);
  for (const words of NEXT_WORDS) {
    const name = toOneLine(words.exec(route)?.[1] ?? '').replace(/^(?:the|由)\s*/iu, '');
    if (name !== '' && name.length <= MAX_ACTOR_CHARS) return name;
  }
  const match = STEP.exec(route);
  const step = Number(match?.[1] ?? match?.[2] ?? 0);
  const [line = ''] = route.split('\n').filter((part) => ARROW.test(part));
  const roles = (line.split(/[,，;；.。(（]/u)[0] ?? '').split(ARROW);
  const role = roles.length > 1 ? roles[step - 1]?.trim() : undefined;
  return role === undefined || role === '' ? undefined : toSentence(role, MAX_ACTOR_CHARS);
}

/** Whole items, as many as fit into a line, and how many are left. */
function joinItems(items: readonly string[], roomChars: number, separator: string): string {
  const lines = items.map((item) => toOneLine(item));
  let shown = 0;
  for (let room = roomChars; shown < lines.length; shown++) {
    room -= (lines[shown]?.length ?? 0) + separator.length;
    if (room < 0) break;
  }
  if (lines.length === 0) return 'none';
  const text = shown === 0 ? toSentence(lines[0] ?? '', roomChars) : lines.slice(0, shown).join(separator);
  const left = lines.length - Math.max(1, shown);
  return left === 0 ? text : `${text}; and ${formatCount(left)} more`;
}

/** Keys that an object leads with where not all of it fits into a line: the block, its reach, the decision; the goal. */
const LEADING =
  /^(?:blocker|block|name|title|what|summary|description|issue|message|goal|task|text|impact|reach|scope|severity|pending_decision|decision|needs?|next_action|next|active_\w+|owner)$/i;

/** An item in one line of at most `roomChars`, or its leading keys first where it is longer. */
function saidItem(item: unknown, roomChars: number): string {
  const said = saidInLine(item);
  if (said.length <= roomChars || !isRecord(item)) return said;
  // Sorting is stable: apart from what leads, keys stay in their order.
  const entries = Object.entries(item).sort(([a], [b]) => Number(LEADING.test(b)) - Number(LEADING.test(a)));
  return saidInLine(Object.fromEntries(entries.map(([key, part]) => [key, toSentence(saidInLine(part))])));
}

/** An essential in one line: a list counts its items. */
function essentialLine(title: string, value: EssentialValue | undefined): string {
  if (value === undefined) return `${title}: missing`;
  if (!Array.isArray(value)) return `${title}: ${toSentence(saidItem(value, MAX_LINE_CHARS), MAX_LINE_CHARS)}`;
  const count = value.length > 1 ? ` (${formatCount(value.length)})` : '';
  // One long object leaves room for the others; a text of a list is shown whole, or counted.
  const room = Math.max(MIN_ITEM_CHARS, Math.floor(MAX_LINE_CHARS / value.length));
  const items = value.map((item) => (isRecord(item) ? toSentence(saidItem(item, room), room) : saidInLine(item)));
  return `${title}${count}: ${joinItems(items, MAX_LINE_CHARS, value.some(isRecord) ? ' | ' : '; ')}`;
}

/** An alarm in one line. */
export function alarmLine({ status, text }: RelayAlarm): string {
  return text === '' ? status : `${status}: ${text}`;
}

/** The newest alarms stand last in their lists and come first here. */
function alarmsLine(alarms: readonly RelayAlarm[]): string {
  const lines = [...alarms].reverse().map(alarmLine);
  return `Alarms${lines.length > 1 ? ` (${formatCount(lines.length)})` : ''}: ${joinItems(lines, MAX_LINE_CHARS, ' | ')}`;
}

/**
 * At most 10 lines (DESIGN §7) that answer: goal, constraints, latest instruction, blockers, alarms, who acts
 * next. Objects are said in one line, long texts are shortened at a word; `relay_context` has them whole.
 */
export function summarizeRelay(
  context: RelayContext,
  { missing }: RelaySelfCheck,
  alarms: readonly RelayAlarm[] = [],
): string {
  const route = context.controller_route_summary;
  const actor = route === undefined ? undefined : nextActor(route);
  const lineOf = (key: EssentialKey): string => essentialLine(ESSENTIAL_TITLES[key], context[key]);
  const lines = [
    ...(['goal', 'constraints', 'latest_instruction', 'current_blockers'] as const).map(lineOf),
    ...(alarms.length > 0 ? [alarmsLine(alarms)] : []),
    lineOf('controller_route_summary'),
    `Next: ${actor ?? (route === undefined ? 'missing' : 'as the route says')}`,
  ];
  if (missing.length > 0) lines.push(`Missing: ${missing.join(', ')}`);
  return lines.join('\n');
}
