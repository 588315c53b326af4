import { isRecord, type JsonRecord, parseJson } from '../../text/jsonRecord';
import { timeOfValue } from './eventTime';
import type { FoundEvents, LogEvent } from './logEvent';
import type { ColumnRole } from './tableColumns';
import { keyRole } from './tableColumns';

/** Keys that hold a list of events inside a task. */
const EVENT_LISTS = /^(?:events?|steps?|history|logs?|timeline|entries|runs|attempts|phases|results|observations)$/i;
/** In the order in which they are believed. */
const TIME_KEYS = [
  ...['ts', 'time', 'timestamp', 'date', 'at', 'finished_at', 'completed_at', 'ended_at', 'updated_at'],
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
  exit_code: 'result',
};
const WHAT_KEYS = 'summary message event title what description text msg action name goal'.split(' ');

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

  get time(): string | undefined {
    for (const key of TIME_KEYS) {
      const time = timeOfValue(this.#values.get(key));
      if (time !== undefined) return time;
    }
    return undefined;
  }

  get what(): string {
    const named = WHAT_KEYS.map((key) => scalar(this.#values.get(key))).find((text) => text.trim() !== '');
    return named ?? (this.text('what') || this.text('notes'));
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
}

interface Inherited {
  readonly ts: string | undefined;
  readonly taskId: string;
  readonly actor: string;
}

function summaryOf(fields: Fields): string {
  const { what } = fields;
  const [status, result] = [fields.text('status'), fields.text('result')];
  const outcome = [status, result].filter((text) => text !== '' && text !== what).join(': ');
  return [what, outcome].filter((text) => text.trim() !== '').join(' → ');
}

/** The event of one object, and those of the lists in it. */
function eventsOf(object: JsonRecord, line: number, inherited: Inherited): LogEvent[] {
  const fields = new Fields(object);
  const lists = Object.entries(object).filter(
    ([key, value]) => EVENT_LISTS.test(key) && Array.isArray(value) && value.some(isRecord),
  );
  const ts = fields.time ?? inherited.ts;
  const hasLists = lists.length > 0;
  const taskId = fields.text('task') || (hasLists ? fields.id : '') || inherited.taskId;
  const actor = fields.text('actor') || inherited.actor;
  const inner = lists.flatMap(([, value]) =>
    (value as readonly unknown[]).filter(isRecord).flatMap((item) => eventsOf(item, line, { ts, taskId, actor })),
  );
  const summary = summaryOf(fields);
  if (ts === undefined || summary === '') return inner;
  const detail = Object.entries(object)
    .filter(([key, value]) => !lists.some(([list]) => list === key) && value !== null && value !== '')
    .map(([key, value]) => detailLine(key, value))
    .join('\n');
  const phase = fields.text('phase');
  const isTask = hasLists || (phase === '' && fields.text('status') !== '');
  const type = isTask ? 'task' : phase === '' && taskId === '' ? 'note' : 'event';
  return [{ line, ts, summary, taskId, actor, phase, type, detail }, ...inner];
}

/** 1-based line of a place in the text. */
function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

const NO_TIME = 'it has no time (such as "ts" or "finished_at") or says nothing (such as "summary" or "status")';
const NOTHING_INHERITED: Inherited = { ts: undefined, taskId: '', actor: '' };

/** Events of a JSON file: an object, one of its lists, or a list of objects. */
export function readJsonEvents(text: string): FoundEvents {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const offset = Number(/position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? 0);
    return { events: [], problems: [{ line: lineOf(text, offset), why: 'it is not JSON' }] };
  }
  const objects = (Array.isArray(value) ? value : [value]).filter(isRecord);
  const events = objects.flatMap((object) => eventsOf(object, 1, NOTHING_INHERITED));
  return { events, problems: events.length === 0 ? [{ line: 1, why: NO_TIME }] : [] };
}

/** Events of a log of one JSON object a line. */
export function readJsonLines(text: string): FoundEvents {
  const events: LogEvent[] = [];
  const problems: { line: number; why: string }[] = [];
  for (const [at, source] of text.split('\n').entries()) {
    if (source.trim() === '') continue;
    const line = at + 1;
    const value = parseJson(source);
    const found = isRecord(value) ? eventsOf(value, line, NOTHING_INHERITED) : [];
    if (found.length === 0) problems.push({ line, why: value === undefined ? 'it is not JSON' : NO_TIME });
    events.push(...found);
  }
  return { events, problems };
}
