import { isRecord, type JsonRecord, ownValue, parseJson } from '../../text/jsonRecord';
import { lineAt } from '../../text/sentence';
import { commandRef } from '../observation';
import { refsOf, taskIn } from './entryText';
import {
  completeTime,
  type EventTime,
  type FoundEvents,
  type LogEvent,
  NO_TIME,
  ofEpoch,
  timeAtHead,
} from './logEvent';
import type { ColumnRole } from './tableColumns';
import { keyRole } from './tableColumns';

/** Keys that hold a list of events inside a task. */
const EVENT_LISTS =
  /^(?:events?|steps?|history|logs?|log_?entries|timeline|entries|runs|attempts|phases|results|observations|tasks|sub_?tasks|items|sessions|checkpoints|features|(?:user_?)?stories|messages|todos|milestones|decisions|records|activit(?:y|ies)|iterations|cycles)$/i;
/** In the order in which they are believed. */
const TIME_KEYS = [
  ...['ts', 'time', 'timestamp', 'date', 'at', 'when', 'finished_at', 'completed_at', 'ended_at', 'updated_at'],
  ...['last_updated', 'created_at', 'started_at', 'start_time', 'end_time', 'datetime'],
];
/** Names of fields that `tableColumns.ts` gives another meaning, or none, in a table. */
const KEY_ROLES: Readonly<Record<string, ColumnRole>> = {
  id: 'number',
  text: 'what',
  msg: 'what',
  name: 'what',
  goal: 'what',
  content: 'what',
  from: 'actor',
  agent_id: 'actor',
  run_id: 'task',
  job: 'task',
  passed: 'status',
  passes: 'status',
  success: 'status',
  ok: 'status',
};
const COMMAND_KEYS = ['command', 'cmd', 'verify', 'script', 'run_command'];
const FILE_KEYS = ['files', 'changed_files', 'files_changed', 'modified_files', 'paths', 'artifacts'];
/** Values that are yes or no say how it ended. */
const ENDED: Readonly<Record<string, string>> = { true: 'passed', false: 'failed' };
const WHAT_KEYS = 'summary message event title what description text msg action name label goal slug command'.split(
  ' ',
);

/** `task_name`, `step_title` */
const LIKE_WHAT = /_(?:name|title|summary|description|text|message)$/;

/** `finishedAt` and `finished-at` are `finished_at`. */
function snake(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function detailLine(key: string, value: unknown): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** An object's fields by what they mean; the first of several wins. */
class Fields {
  readonly #values = new Map<string, unknown>();

  constructor(object: JsonRecord) {
    for (const [key, value] of Object.entries(object))
      if (!this.#values.has(snake(key))) this.#values.set(snake(key), value);
  }

  /** `day` holds for a time of day alone. */
  time(day: string | undefined): EventTime {
    for (const key of TIME_KEYS) {
      const time = timeOfValue(this.#values.get(key), day);
      if (time.ts !== undefined) return time;
    }
    return NO_TIME;
  }

  get what(): string {
    const named = WHAT_KEYS.map((key) => scalar(this.#values.get(key))).find((text) => text.trim() !== '');
    if (named !== undefined) return named;
    const like = [...this.#values].find(([key, value]) => LIKE_WHAT.test(key) && scalar(value).trim() !== '');
    return this.text('what') || scalar(like?.[1]) || this.text('notes');
  }

  /** What its first fields say, where none has a name that is known. */
  get first(): string {
    const said = [...this.#values].filter(([key, value]) => !TIME_KEYS.includes(key) && value !== null && value !== '');
    return said
      .slice(0, FIRST_FIELDS)
      .map(([key, value]) => detailLine(key, value).slice(0, 120))
      .join(', ');
  }

  text(role: ColumnRole): string {
    for (const [key, value] of this.#values) {
      if ((KEY_ROLES[key] ?? keyRole(key)) === role && scalar(value).trim() !== '') return scalar(value);
    }
    return '';
  }

  get id(): string {
    return scalar(this.#values.get('id'));
  }

  /** How it ended, as far as a field says. */
  get status(): string {
    const status = this.text('status');
    return ENDED[status] ?? status;
  }

  get commands(): readonly string[] {
    const exitCode = scalar(this.#values.get('exit_code') ?? this.#values.get('exit_status'));
    const said = COMMAND_KEYS.map((key) => scalar(this.#values.get(key))).filter((text) => text.trim() !== '');
    return said.slice(0, 1).map((command) => commandRef(command, exitCode));
  }

  get files(): readonly string[] {
    return FILE_KEYS.flatMap((key) => this.#values.get(key) ?? [])
      .filter((file) => typeof file === 'string')
      .slice(0, MAX_FILES);
  }
}

/** Fields that say what an object is whose fields have no known names. */
const FIRST_FIELDS = 4;
/** Files of one event that are kept. */
const MAX_FILES = 50;

/** The time that a value of JSON means: a text that starts with one, or seconds, or parts of them, since 1970. */
function timeOfValue(value: unknown, day: string | undefined): EventTime {
  if (typeof value === 'number') return ofEpoch(value);
  if (typeof value !== 'string') return NO_TIME;
  const own = timeAtHead(value);
  if (own) return completeTime(own, day, undefined);
  return /^\d{10}(?:\.\d+)?$|^\d{13}(?:\d{3}){0,2}$/.test(value) ? ofEpoch(Number(value)) : NO_TIME;
}

interface Inherited {
  /** `YYYY-MM-DD` of what it stands in: the day, but no time that it does not say. */
  readonly day: string | undefined;
  readonly taskId: string;
  readonly actor: string;
  /** It is one of a log's lines: an event whatever its fields are called. */
  readonly isLine?: boolean;
}

const NOTHING_INHERITED: Inherited = { day: undefined, taskId: '', actor: '' };

function summaryOf(fields: Fields, isLine: boolean): string {
  const { status } = fields;
  const what = fields.what || (isLine && status === '' ? fields.first : '');
  const result = fields.text('result');
  const outcome = [status, result].filter((text) => text !== '' && text !== what).join(': ');
  return [what, outcome].filter((text) => text.trim() !== '').join(' → ');
}

/** 1-based line where an object starts. */
type LineOf = (object: JsonRecord) => number;

/** Where the string ends that starts at this quotation mark: the place of its last one. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charAt(first - 1) === '\\') first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Where the objects of a JSON text start. `root` is what the text was parsed into: the brackets say which part of it
 * stands where, however its strings are written. Linear in the text.
 */
function linesOf(text: string, root: unknown): LineOf {
  const lines = new Map<unknown, number>();
  /** The lists and objects around a place, with the number of commas so far. */
  const open: { readonly value: unknown; commas: number }[] = [];
  let line = 1;
  let name = { start: 0, end: 0 };
  const next = (): unknown => {
    const around = open.at(-1);
    if (!around) return root;
    if (Array.isArray(around.value)) return around.value[around.commas];
    // A name that stands twice in an object may stand for something else the first time.
    if (!isRecord(around.value)) return undefined;
    return ownValue(around.value, JSON.parse(text.slice(name.start, name.end + 1)));
  };
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\n') line++;
    else if (char === '"') {
      name = { start: at, end: endOfString(text, at) };
      at = name.end;
    } else if (char === '{' || char === '[') {
      const value = next();
      if (char === '{') lines.set(value, line);
      open.push({ value, commas: 0 });
    } else if (char === '}' || char === ']') open.pop();
    else if (char === ',') {
      const around = open.at(-1);
      if (around) around.commas++;
    }
  }
  return (object) => lines.get(object) ?? 1;
}

/** Lists of events in an object: by their names, and in a whole file also those of things with a state or a time. */
function listsOf(
  object: JsonRecord,
  isFile: boolean,
): readonly (readonly [key: string, items: readonly JsonRecord[]])[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const items = (Array.isArray(value) ? value : []).filter(isRecord);
    const areTold = (): boolean =>
      items.every((item) => {
        const fields = new Fields(item);
        return fields.what !== '' && (fields.status !== '' || fields.time(undefined).ts !== undefined);
      });
    const isList = items.length > 0 && (EVENT_LISTS.test(key) || (isFile && areTold()));
    return isList ? [[key, items] as const] : [];
  });
}

/** The event of one object, and those of the lists in it. */
function eventsOf(object: JsonRecord, lineOf: LineOf, inherited: Inherited): LogEvent[] {
  const line = lineOf(object);
  const fields = new Fields(object);
  const lists = listsOf(object, inherited === NOTHING_INHERITED);
  const own = fields.time(inherited.day);
  const time = own.ts === undefined ? completeTime(undefined, inherited.day, undefined) : own;
  const hasLists = lists.length > 0;
  const isTaskId = hasLists || /^[A-Za-z][\w.]*[-_]?\d+$/.test(fields.id);
  const taskId = fields.text('task') || (isTaskId ? fields.id : '') || inherited.taskId;
  const actor = fields.text('actor') || inherited.actor;
  const within = { day: time.ts?.slice(0, 10), taskId, actor };
  const inner = lists.flatMap(([, items]) => items.flatMap((item) => eventsOf(item, lineOf, within)));
  const summary = summaryOf(fields, inherited.isLine === true && inner.length === 0);
  // What holds only a list of events is none itself, unless it says when it was.
  if (summary === '' || (hasLists && own.ts === undefined)) return inner;
  const detail = Object.entries(object)
    .filter(([key, value]) => !lists.some(([list]) => list === key) && value !== null && value !== '')
    .map(([key, value]) => detailLine(key, value))
    .join('\n');
  const phase = fields.text('phase');
  const isTask = hasLists || (phase === '' && fields.status !== '');
  const type = isTask ? 'task' : phase === '' && taskId === '' ? 'note' : 'event';
  const found = refsOf(detail);
  const refs = {
    files: [...fields.files, ...found.files],
    commands: [...fields.commands, ...found.commands],
    urls: found.urls,
  };
  return [{ line, ...time, summary, taskId: taskId || taskIn(summary), actor, phase, type, detail, ...refs }, ...inner];
}

function linesWithText(text: string): readonly number[] {
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]));
}

const IS_DATA = 'no line has a time or says more than a word: these are data and no log';
const SAYS_NOTHING = 'it says nothing (such as "summary" or "status")';

/** Python and JavaScript write numbers that JSON has no form for; strings are left as they are. */
const NO_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;
const withoutNaN = (text: string): string =>
  /NaN|Infinity/.test(text) ? text.replace(NO_NUMBER, (part) => (part.startsWith('"') ? part : 'null')) : text;

/** Events of a JSON file: an object, one of its lists, or a list of objects. */
export function readJsonEvents(text: string): FoundEvents {
  let value: unknown;
  try {
    value = JSON.parse(withoutNaN(text));
  } catch (error) {
    const offset = Number(/position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? 0);
    return {
      events: [],
      problems: [{ line: lineAt(text, offset), why: 'it is not JSON' }],
      unread: linesWithText(text),
    };
  }
  const objects = (Array.isArray(value) ? value : [value]).filter(isRecord);
  const lineOf = linesOf(text, value);
  const events = objects.flatMap((object) => eventsOf(object, lineOf, NOTHING_INHERITED));
  if (events.length > 0) return { events, problems: [], unread: [] };
  return { events, problems: [{ line: 1, why: SAYS_NOTHING }], unread: linesWithText(text) };
}

/** Events of a log of one JSON object a line. A line without a time has the day of the line above. */
export function readJsonLines(text: string): FoundEvents {
  const events: LogEvent[] = [];
  const problems: { line: number; why: string }[] = [];
  let day: string | undefined;
  for (const [at, source] of text.split('\n').entries()) {
    if (source.trim() === '') continue;
    const line = at + 1;
    const value = parseJson(withoutNaN(source));
    const found = isRecord(value) ? eventsOf(value, () => line, { ...NOTHING_INHERITED, day, isLine: true }) : [];
    if (found.length === 0) problems.push({ line, why: value === undefined ? 'it is not JSON' : SAYS_NOTHING });
    day = found[0]?.ts?.slice(0, 10) ?? day;
    events.push(...found);
  }
  // Rows of data: without a time and with a single word each, `add_revenue`.
  const isData = events.length > 1 && events.every(({ ts, summary }) => ts === undefined && !/\s/.test(summary));
  if (isData) return { events: [], problems: [{ line: 1, why: IS_DATA }], unread: linesWithText(text) };
  return { events, problems, unread: problems.map(({ line }) => line) };
}
