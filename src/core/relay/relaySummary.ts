import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { formatCount } from '../text/numbers';
import { toOneLine, toSentence } from '../text/sentence';
import { objectsAt } from '../transcripts/jsonFields';
import { firstText } from './jsonValue';
import { asRecoveryState, foldState, type RecoveryState, readLedger } from './ledger';
import { ESSENTIAL_TITLES, type RelayContext, type RelaySelfCheck } from './relayContext';

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

/**
 * The recovery that the work is in: by the ledger (the given one, else the log's own), else by the log's `recovery_state`
 * or `state`, else by its last status report. A ledger that names another state ends the search: there is none.
 */
export function recoveryOf(log: JsonRecord, ledger: unknown): Recovery | undefined {
  const facts = ledger ?? ownValue(log, 'ledger');
  const report = objectsAt(log, 'status_reports').at(-1);
  const places: readonly (readonly [string, unknown])[] = [
    [readLedger(facts).state, facts],
    [foldState(ownValue(log, 'recovery_state')) || foldState(ownValue(log, 'state')), log],
    [foldState(report && ownValue(report, 'status')), report],
  ];
  const [word, record] = places.find(([said]) => said !== '') ?? ['', undefined];
  const state = asRecoveryState(word);
  return state && { state, since: sinceOf(record, record === report ? REPORT_KEYS : SINCE_KEYS) };
}

/** The summary never has more lines (DESIGN §7). */
export const MAX_SUMMARY_LINES = 10;

/** A summary's line, in UTF-16 code units; whole texts are in `relay_context`. */
const MAX_LINE_CHARS = 400;

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

/**
 * Who acts next, as the route says it: by name (`next: verifier`), or by its step (`planner → implementer, step 2`).
 * `undefined` when it does not say.
 */
export function nextActor(wholeRoute: string): string | undefined {
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
function joinItems(items: readonly string[], roomChars: number): string {
  const lines = items.map((item) => toOneLine(item));
  let shown = 0;
  for (let room = roomChars; shown < lines.length; shown++) {
    room -= (lines[shown]?.length ?? 0) + 2;
    if (room < 0) break;
  }
  if (lines.length === 0) return 'none';
  const text = shown === 0 ? toSentence(lines[0] ?? '', roomChars) : lines.slice(0, shown).join('; ');
  const left = lines.length - Math.max(1, shown);
  return left === 0 ? text : `${text}; and ${formatCount(left)} more`;
}

function textLine(title: string, text: string | undefined): string {
  return `${title}: ${text === undefined ? 'missing' : toSentence(text, MAX_LINE_CHARS)}`;
}

function listLine(title: string, items: readonly string[] | undefined): string {
  const count = items && items.length > 1 ? ` (${formatCount(items.length)})` : '';
  return `${title}${count}: ${items ? joinItems(items, MAX_LINE_CHARS) : 'missing'}`;
}

/**
 * At most {@link MAX_SUMMARY_LINES} lines that answer: goal, constraints, latest instruction, blockers, who acts next.
 * Long texts are shortened at a word; `relay_context` has them whole.
 */
export function summarizeRelay(context: RelayContext, { missing }: RelaySelfCheck): string {
  const route = context.controller_route_summary;
  const actor = route === undefined ? undefined : nextActor(route);
  const lines = [
    textLine(ESSENTIAL_TITLES.goal, context.goal),
    listLine(ESSENTIAL_TITLES.constraints, context.constraints),
    textLine(ESSENTIAL_TITLES.latest_instruction, context.latest_instruction),
    listLine(ESSENTIAL_TITLES.current_blockers, context.current_blockers),
    textLine(ESSENTIAL_TITLES.controller_route_summary, route),
    `Next: ${actor ?? (route === undefined ? 'missing' : 'as the route says')}`,
  ];
  if (missing.length > 0) lines.push(`Missing: ${missing.join(', ')}`);
  return lines.join('\n');
}
