import { type EventTime, readEventTime, toObservationTime } from './eventTime';
import type { FoundEvents, LogEvent } from './logEvent';
import { linksOf, plainText, withOutcome } from './plainText';
import { type ColumnRole, keyRole, readTable } from './tableColumns';
import { ID_AT_HEAD, readTableEvents } from './tableEvents';

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const BULLET = /^(\s*)(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const DATE_ANYWHERE = /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\s?\d{1,2}月\s?\d{1,2}日/;
/** After a heading's date: a weekday, or nothing. */
const WEEKDAY = /^[\s(（]*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:星期|周|週)[一二三四五六日天])?[\s)）]*$/i;
/** `(alex)` after the time of a line. */
const ACTOR = /^\s*(?:[(（]([\p{L}\p{N}_ .-]{1,40})[)）]|(User|Assistant|Human|System|Agent)(?=:))[:：]?\s*/u;
/** `Done: …`, `**Evidence:** …` */
const KEY_LINE = /^\s*(?:[-*+•]\s+)?(?:\*\*)?([^:：*]{1,30}?)(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*(.+)$/;
/** A line shorter than this says too little alone. */
const SHORT_CHARS = 24;
/** Lines of a body that are looked at for such keys. */
const KEY_LINES = 30;

/** What a heading says about what stands under it. */
interface DateScope {
  readonly level: number;
  readonly date: string;
  /** The heading is nothing but a date: each bullet under it is an event of that day. */
  readonly isDay: boolean;
}

/** An event whose lines are still being read. */
interface OpenEntry {
  readonly line: number;
  readonly ts: string;
  readonly head: string;
  readonly actor: string;
  readonly phase: string;
  /** 1…6 for a heading, 0 for a bullet or a line. */
  readonly level: number;
  /** Of a bullet; -1 for others, to which bullets belong. */
  readonly indent: number;
  readonly body: string[];
}

function keysOf(body: readonly string[]): ReadonlyMap<ColumnRole, string> {
  const keys = new Map<ColumnRole, string>();
  for (const line of body.slice(0, KEY_LINES)) {
    const match = KEY_LINE.exec(line.slice(0, 2000));
    const role = match?.[1] === undefined ? undefined : keyRole(match[1]);
    if (role && !keys.has(role)) keys.set(role, plainText(match?.[2] ?? ''));
  }
  return keys;
}

function firstText(body: readonly string[]): string {
  return body.map((text) => plainText(text.replace(BULLET, '$2'))).find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
}

function toEvent({ line, ts, head, actor, phase, level, body }: OpenEntry): LogEvent {
  const title = plainText(head);
  const detail = body
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd();
  const urls = linksOf(`${head}\n${detail}`);
  if (level === 0) {
    const isMore = detail.trim() !== '';
    const next = title.length < SHORT_CHARS ? firstText(body) : '';
    const summary = next === '' ? title : `${title} — ${next}`;
    return { line, ts, summary, actor, phase, detail: isMore ? `${head}\n${detail}` : '', type: 'event', urls };
  }
  const keys = keysOf(body);
  const id = ID_AT_HEAD.exec(title)?.[0] ?? '';
  const rest = title.slice(id.length).replace(/^[\s:：|,，—–-]+/, '');
  const what = [rest, keys.get('what') ?? ''].filter((text) => text !== '').join(' — ') || firstText(body) || title;
  return {
    line,
    ts,
    summary: withOutcome(what, [keys.get('status') ?? '', keys.get('result') ?? '']),
    taskId: id || (keys.get('task') ?? ''),
    actor: keys.get('actor') ?? '',
    phase: keys.get('phase') ?? phase,
    type: 'event',
    detail,
    urls,
  };
}

/** Reads a Markdown log line by line. */
class MarkdownReader {
  readonly #events: LogEvent[] = [];
  readonly #problems: { line: number; why: string }[] = [];
  #scopes: DateScope[] = [];
  /** Heading below a day's own. */
  #phase = '';
  #entry: OpenEntry | undefined;
  #fence: string | undefined;
  #lastFence: number | undefined;

  /** @param day that the whole log is about: its name's or its title's; holds where no heading says another */
  constructor(
    private readonly lines: readonly string[],
    private day: string | undefined,
  ) {}

  read(): FoundEvents {
    for (let at = 0; at < this.lines.length; ) at = this.#readAt(at);
    this.#close();
    const events = [...this.#events].sort((left, right) => left.line - right.line);
    return { events, problems: this.#problems };
  }

  get #date(): string | undefined {
    return this.#scope?.date ?? this.day;
  }

  get #scope(): DateScope | undefined {
    return this.#scopes.at(-1);
  }

  /** Reads what starts at a line; gives the next line to read, 0-based. */
  #readAt(at: number): number {
    const line = this.lines[at] ?? '';
    if (this.#readFence(at, line)) return at + 1;
    const heading = HEADING.exec(line);
    if (heading) {
      this.#readHeading(at, heading[1]?.length ?? 1, heading[2] ?? '');
      return at + 1;
    }
    const table = line.includes('|') ? readTable(this.lines, at) : undefined;
    if (table) {
      const found = readTableEvents(table, this.#date);
      if (found) {
        this.#events.push(...found.events);
        this.#problems.push(...found.problems);
      } else this.#entry?.body.push(...this.lines.slice(at, table.endLine - 1));
      return table.endLine - 1;
    }
    this.#readLine(at, line);
    return at + 1;
  }

  /** True for a line of a code block, which starts nothing. */
  #readFence(at: number, line: string): boolean {
    const mark = this.#markAt(at, line);
    const isCode = this.#fence !== undefined || mark !== undefined;
    if (isCode) this.#entry?.body.push(line);
    if (this.#fence === undefined) this.#fence = mark;
    else if (mark?.startsWith(this.#fence) && line.trim() === mark) this.#fence = undefined;
    return isCode;
  }

  /** The fence of a line; one that opens a block and is never closed is none: the rest of the log would be lost in it. */
  #markAt(at: number, line: string): string | undefined {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined || this.#fence !== undefined) return mark;
    this.#lastFence ??= this.lines.findLastIndex((each) => FENCE.test(each));
    return at < this.#lastFence ? mark : undefined;
  }

  #readHeading(at: number, level: number, text: string): void {
    const time = readEventTime(text);
    const date = time?.date ?? (DATE_ANYWHERE.exec(text) && this.#dateIn(text));
    if (this.#entry && this.#entry.level > 0 && level > this.#entry.level && !date) {
      this.#entry.body.push(this.lines[at] ?? '');
      return;
    }
    this.#close();
    if (date && this.#events.length === 0) this.day ??= date;
    this.#scopes = this.#scopes.filter((scope) => scope.level < level);
    this.#phase = this.#scope?.isDay ? plainText(text) : '';
    if (time && (time.date ?? this.#date) && !WEEKDAY.test(time.rest)) {
      this.#open(at, time, time.rest, level);
      this.#phase = '';
    }
    if (date) this.#scopes.push({ level, date, isDay: time?.date !== undefined && WEEKDAY.test(time.rest) });
  }

  #dateIn(text: string): string | undefined {
    const from = DATE_ANYWHERE.exec(text)?.index ?? 0;
    return readEventTime(text.slice(from))?.date;
  }

  #readLine(at: number, line: string): void {
    const bullet = BULLET.exec(line.slice(0, 4000));
    const isDay = this.#scope?.isDay === true;
    if (bullet) {
      const text = line.slice(line.length - (bullet[2]?.length ?? 0) - Math.max(0, line.length - 4000));
      const time = readEventTime(text);
      const indent = bullet[1]?.length ?? 0;
      if (time && time.rest.trim() !== '' && this.#open(at, time, time.rest, 0, indent)) return;
      const ofDay = { date: undefined, clock: time?.clock, rest: '' };
      if (isDay && indent < 2 && this.#open(at, ofDay, text, 0, indent)) return;
      // A bullet beside a dated one is none of its lines.
      if (this.#entry && indent <= this.#entry.indent) this.#close();
    } else if (line.trim() !== '') {
      const time = readEventTime(line);
      const isStamped = /^\s*[[【]/.test(line) || (time?.date !== undefined && time.clock !== undefined);
      if (time && isStamped && time.rest.trim() !== '' && this.#open(at, time, time.rest)) return;
      const isApart = (this.lines[at - 1] ?? '').trim() === '' && !/^\s/.test(line);
      const isFree = !this.#entry || (this.#entry.level === 0 && isApart && isDay);
      if (isDay && isFree && this.#open(at, { date: undefined, clock: undefined, rest: '' }, line)) return;
    }
    this.#entry?.body.push(line);
  }

  /** Begins an event where there is a date for it; false when there is none. */
  #open(at: number, time: EventTime, text: string, level = 0, indent = -1): boolean {
    const ts = toObservationTime(time, this.#date);
    if (ts === undefined) return false;
    this.#close();
    const named = level === 0 ? ACTOR.exec(text) : null;
    const actor = named?.[1] ?? named?.[2] ?? '';
    const head = actor === '' ? text : text.replace(ACTOR, '');
    this.#entry = { line: at + 1, ts, head: head.trim(), actor, phase: this.#phase, level, indent, body: [] };
    return true;
  }

  #close(): void {
    if (!this.#entry) return;
    const event = toEvent(this.#entry);
    if (event.summary.trim() !== '') this.#events.push(event);
    this.#entry = undefined;
  }
}

/**
 * Events of a Markdown log: rows of tables with a column of times, headings and bullets that start with a date, lines
 * that start with a stamp, and what stands under a heading that is nothing but a date. A file's `name` may hold the day
 * of times without one. Linear in the text.
 */
export function readMarkdownEvents(text: string, name = ''): FoundEvents {
  const day = readEventTime(name)?.date;
  return new MarkdownReader(text.split(/\r\n?|\n/), day).read();
}
