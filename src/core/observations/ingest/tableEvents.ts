import { findDate, isBareDate } from '../../text/dates';
import { ID_AT_HEAD, plainText, refsOf, taskIn, withOutcome } from './entryText';
import {
  completeTime,
  DATE_NAME,
  type EventTime,
  type FoundEvents,
  type LogEvent,
  NO_TIME,
  orderOf,
  shortDaysOf,
  timeAtHead,
  timeOfHeading,
} from './logEvent';
import type { PipeTable, TableRow } from './tableColumns';
import { type ColumnRole, columnRole } from './tableColumns';

/** Cells that say that there is nothing. */
const NOTHING = /^(?:[-–—]+|n\/?a|none|无|無|\?)$/i;
const ID_HEADER = /\bid\b|编号|編號/i;
const IS_DIVIDER = /^[\s|:-]+$/;

interface Column {
  readonly header: string;
  readonly role: ColumnRole | undefined;
}

/** Fewer rows may be fractions. */
const MIN_DAYS = 3;
/** Whether a first column without a name is one of days. */
function areDays(name: string, rows: readonly TableRow[]): boolean {
  if (name !== '' || rows.length < MIN_DAYS) return false;
  const cells = rows.map((row) => plainText(row.cells[0] ?? ''));
  const isDay = (cell: string): boolean => !/^\d+\.\d+$/.test(cell) && timeOfHeading(cell, 'month-first') !== undefined;
  const isFull = cells.some((cell) => findDate(cell)?.day.startsWith('0000') === false);
  return (isFull || shortDaysOf(cells) !== undefined) && cells.filter(isDay).length >= MIN_ALIKE * rows.length;
}

function readColumns(header: readonly string[], rows: readonly TableRow[]): readonly Column[] {
  const columns = header.map((name, at): Column => {
    const text = plainText(name);
    const isTime = DATE_NAME.test(text) || (at === 0 && areDays(text, rows));
    return { header: text, role: columnRole(name) ?? (isTime ? 'time' : undefined) };
  });
  const tasks = columns.filter(({ role }) => role === 'task');
  if (tasks.length < 2) return columns;
  // Beside its id, the task's own column says what it is.
  const id = tasks.find(({ header: name }) => ID_HEADER.test(name)) ?? tasks[0];
  return columns.map((column) => (column.role === 'task' && column !== id ? { ...column, role: 'what' } : column));
}

/** `14:30 – 15:00`, `10-28 19 -- 21` */
const SPAN = /(?:\d:\d\d|\s\d{1,2})\s?[–—-]{1,2}\s?\d{1,2}(?::\d\d)?(?!\d|-\d)/u;

/** One row by what its columns mean. */
class Row {
  constructor(
    private readonly columns: readonly Column[],
    private readonly row: TableRow,
  ) {}

  cell(role: ColumnRole): string {
    const at = this.columns.findIndex((column) => column.role === role);
    const text = at < 0 ? '' : plainText(this.row.cells[at] ?? '');
    return NOTHING.test(text) ? '' : text;
  }

  /** All texts of one role, in the order of the columns. */
  texts(role: ColumnRole): string {
    return this.columns
      .map((column, at) => (column.role === role ? plainText(this.row.cells[at] ?? '') : ''))
      .filter((text) => text !== '' && !NOTHING.test(text))
      .join('; ');
  }

  get what(): string {
    const others = this.columns.map(({ role }, at) => (role === undefined ? plainText(this.row.cells[at] ?? '') : ''));
    const task = this.cell('task');
    // An id alone says nothing where there is a text.
    const name = ID_AT_HEAD.exec(task)?.[0] === task ? '' : task;
    const [notes, evidence, result] = [this.texts('notes'), this.texts('evidence'), this.texts('result')];
    const candidates = [this.texts('what'), name, notes, evidence, result, task, ...others, this.cell('phase')];
    // A day is what is said only where nothing else is.
    const said = candidates.filter((text) => text !== '');
    return said.find((text) => !isBareDate(text)) ?? said[0] ?? '';
  }

  get taskId(): string {
    const task = this.cell('task');
    return this.texts('what') === '' ? (ID_AT_HEAD.exec(task)?.[0] ?? '') : task;
  }

  /** Everything that is no label of the observation, whole. */
  get detail(): string {
    const labels: readonly (ColumnRole | undefined)[] = ['time', 'task', 'actor', 'phase', 'number'];
    return this.columns
      .flatMap(({ header, role }, at) => {
        const text = (this.row.cells[at] ?? '').replace(/<br\s*\/?>/gi, '\n');
        const isMore = role === 'time' ? SPAN.test(text) : role === 'task' && this.taskId !== this.cell('task');
        const isSaid = labels.includes(role) && !isMore;
        return isSaid || text === '' || NOTHING.test(text) ? [] : [`${header}: ${text}`];
      })
      .join('\n');
  }

  get summary(): string {
    const what = this.what;
    const result = this.texts('result');
    return withOutcome(what, [this.cell('status'), result === what ? '' : result]);
  }

  get type(): string {
    return this.cell('status') !== '' && this.cell('phase') === '' ? 'task' : 'event';
  }
}

/** How the rows of a table become events. */
export interface TableReading {
  /** Day of the heading above, `YYYY-MM-DD`. */
  readonly day: string | undefined;
  /** For a day without one, on a line. */
  readonly yearOf: (day: string | undefined, line: number) => string | undefined;
  /** A day of the table as it is; see `LogFacts`. */
  readonly asMeant?: (day: string, line: number) => string;
  /** `timed`: only of a table with times; `timeline`: only where these come first; `status`: also what a table of tasks says is done; `all`: of any, since the day is known. */
  readonly mode: 'timed' | 'timeline' | 'status' | 'all';
}

/** Behind a number. */
const MAX_TIMELINE_COLUMN = 1;

/** `10-28 19 -- 21`: the hours behind a day. */
const HOURS = /\s+\d{1,2}(?::\d\d)?\s?(?:-{1,2}\s?(?:\d{1,2}(?::\d\d)?)?|起)?$/u;
/** `09-13 21:5x`, `09-14 0x:xx`: a guessed time of day. */
const VAGUE_CLOCK = /\s+(?=\S*x)[\dx]{1,2}:[\dx]{2}$/iu;
/** A table with such a column says what there is to call. */
const IS_API = /^(?:(?:api )?endpoints?|(?:api )?routes?|(?:api )?接口(?:路径|地址)?|路由)$/iu;
/** What has a state and is no work: a table of such says how things stand. */
const IS_PART =
  /^(?:areas?|categor(?:y|ies)|components?|docs?|documents?|modules?|pages?|parts?|screens?|services?|(?:sub)?systems?|methods?|functions?|layers?|组件|模块|部件|服务|系统|文档|页面|方法|函数|层级)$/iu;
/** A longer cell is no day with its hours. UTF-16 code units. */
const MAX_TIME_CHARS = 60;
const withoutHours = (text: string): string =>
  text.length > MAX_TIME_CHARS ? text : text.replace(HOURS, '').replace(VAGUE_CLOCK, '');
/** What is measured is no work, whatever its day. */
const IS_METRIC = /^(?:metrics?|kpis?|指标)$/iu;
const IS_VALUE = /^(?:values?|current|数值|值|当前值?)$/iu;
/** A cell says that work is done. */
const DONE =
  /^(?!.*(?:未|\bnot\b|\bin[ -]progress))(?:[^\p{L}]*[☑✅✔✓]|.*(?:\b(?:done|merged|completed?|closed|fixed|passed|shipped|landed)\b|完成|通过|已))/iu;

/** What the second column of a table of fields is called. */
const VALUE_HEADER = /^(?:values?|details?|content|info(?:rmation)?|描述|内容|說明|说明|值|详情|數值|数值)$/iu;

/** Whether a table says the fields of one account: a name and a value in each row. */
export function isFieldTable({ header, rows }: PipeTable): boolean {
  if (header.length !== 2 || !VALUE_HEADER.test(plainText(header[1] ?? ''))) return false;
  const names = rows.map(({ cells }) => plainText(cells[0] ?? ''));
  return (
    new Set(names).size === names.length && names.every((name) => name.length < 40 && timeAtHead(name) === undefined)
  );
}

/** `src/a.ts`, a name of a file and no more. */
const IS_FILE = /^[\w@.-]*(?:\/[\w@.{}*-]+)+$|^[\w-]+\.[a-z]{1,5}$/i;
/** `94.4%(17/18)`, `+0.121`, `0.997 / 0.876` */
const IS_FIGURE = /^[~≈<>+±-]?\$?\d[\d.,]*\s?(?:%|\p{L}{1,3})?(?:\s?[(（/→].*)?$/u;
const MIN_ALIKE = 0.8;

/** `3ebbd20`, `44f1002` / `22a2513` */
const IS_COMMIT = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\p{L}\d])/u;

/** What a column is called that tells what was done. */
const DEEDS_HEADER = /^(?:what (?:was|we|i) (?:done|did)|work done|做了什么|干了什么|完成内容)$/iu;

/** Whether each row of a table tells what was done, as a commit does. */
export const tellsDeeds = (table: PipeTable): boolean =>
  hasCommits(table) || table.header.some((name) => DEEDS_HEADER.test(plainText(name)));

const hasCommits = ({ header, rows }: PipeTable): boolean =>
  rows.length > 1 &&
  header.some(
    (_, at) => rows.filter(({ cells }) => IS_COMMIT.test(plainText(cells[at] ?? ''))).length >= MIN_ALIKE * rows.length,
  );

/** Whether a table lists files that were touched, or figures that were measured: facts of one account. */
function isFactTable({ rows }: PipeTable, columns: readonly Column[]): boolean {
  if (columns.some(({ role }) => role === 'time' || role === 'status' || role === 'task')) return false;
  const areMost = (at: number, form: RegExp): boolean =>
    rows.filter(({ cells }) => form.test(plainText(cells[at] ?? ''))).length >= MIN_ALIKE * rows.length;
  return areMost(0, IS_FILE) || columns.some(({ role }, at) => at > 0 && role === undefined && areMost(at, IS_FIGURE));
}

/** `09:15`, `9:15 – 10:00`, beside a column of days. */
const IS_CLOCK = /^\d{1,2}:\d\d(?::\d\d)?(?![\p{L}\d:])/u;

/** A column of days that say nothing of when work was done. */
const OTHER_DAY = /due|deadline|start|begin|begun|creat|plan|截止|开始|创建|计划/iu;

/** The day of a row that says that its work is done, in a column of another name: `Target`, `里程碑`. */
function dayInRow(columns: readonly Column[], { cells }: TableRow): string | undefined {
  const days = cells.map(plainText).flatMap((text, at) => {
    const isOther = OTHER_DAY.test(columns[at]?.header ?? '');
    return isBareDate(text) && !isOther ? (findDate(text)?.day ?? []) : [];
  });
  return days.find((day) => !day.startsWith('0000'));
}

/** The columns of days and of times of day; -1 where there is none. One column may say both. */
function timeColumns(columns: readonly Column[], rows: readonly TableRow[]): readonly [dayAt: number, clockAt: number] {
  const times = columns.flatMap(({ role }, at) => (role === 'time' ? [at] : []));
  const clocks = times.filter((at) => rows.every((row) => isClockOrNothing(row, at)));
  // Two columns of times of day are a start and an end.
  const [clockAt = -1] = times.length === 2 && clocks.length === 1 ? clocks : [];
  return [times.find((at) => at !== clockAt) ?? -1, clockAt];
}

function isClockOrNothing({ cells }: TableRow, at: number): boolean {
  const text = plainText(cells[at] ?? '');
  return text === '' || NOTHING.test(text) || IS_CLOCK.test(text);
}

/** Events of a table that is a log; other tables have none. Times are in one or two columns, or there is only the day above. */
export function readTableEvents(
  { header, rows }: PipeTable,
  { day, yearOf, asMeant = (read) => read, mode }: TableReading,
): FoundEvents | undefined {
  const columns = readColumns(header, rows);
  if (columns.length < 2 || isFieldTable({ header, rows, endLine: 0 })) return undefined;
  const [timeAt, clockAt] = timeColumns(columns, rows);
  if (mode === 'timeline' && (timeAt < 0 || timeAt > MAX_TIMELINE_COLUMN)) return undefined;
  const said = ({ cells }: TableRow): string => plainText(cells[timeAt] ?? '');
  const clockOf = ({ cells }: TableRow): string => IS_CLOCK.exec(plainText(cells[clockAt] ?? ''))?.[0] ?? '';
  // `19-08` in a column of days.
  const { header: dayName = '-' } = columns[timeAt] ?? {};
  const short = dayName === '' || DATE_NAME.test(dayName) ? orderOf(rows.map(said)) : undefined;
  /** @param above the day of the rows above, for a row without one */
  const timeOf = (row: TableRow, above?: string): EventTime => {
    const text = said(row);
    const clock = clockOf(row);
    const own =
      timeAt < 0
        ? undefined
        : ((clock === '' ? undefined : timeOfHeading(`${text} ${clock}`, short)) ??
          timeOfHeading(text, short) ??
          timeOfHeading(withoutHours(text), short));
    const meant = own && { ...own, day: own.day && asMeant(own.day, row.line) };
    return meant ? completeTime(meant, above ?? day, yearOf(meant.day, row.line)) : NO_TIME;
  };
  const areCommits = mode === 'status' && tellsDeeds({ header, rows, endLine: 0 });
  const isTimed = rows.some((row) => timeOf(row).ts !== undefined);
  const statusAt = columns.findIndex(({ role }) => role === 'status');
  // `Progress: 80%` is no work.
  const isOfWork = columns.some(
    ({ header: name, role }) => role === 'task' || (role === 'what' && !/^progress$/iu.test(name)),
  );
  const first = columns[0]?.header ?? '';
  if (IS_METRIC.test(first) && IS_VALUE.test(columns[1]?.header ?? '')) return undefined;
  const isOfApi = IS_API.test(first) && mode !== 'all' && !columns.some(({ role }) => role === 'task');
  const areParts = statusAt >= 0 && (isOfApi || (!isOfWork && IS_PART.test(first)));
  const isStates =
    mode === 'status' && statusAt >= 0 && !areParts && rows.some(({ cells }) => DONE.test(cells[statusAt] ?? ''));
  if (
    !isTimed &&
    (areParts || isFactTable({ header, rows, endLine: 0 }, columns) || (mode !== 'all' && !isStates && !areCommits))
  )
    return undefined;
  const events: LogEvent[] = [];
  const problems: { line: number; why: string }[] = [];
  let last: EventTime = NO_TIME;
  for (const row of rows) {
    const { cells, line } = row;
    if (cells.every((cell) => cell === '' || IS_DIVIDER.test(cell))) continue;
    // What is to do is no event.
    const isOpen = statusAt >= 0 && !DONE.test(cells[statusAt] ?? '');
    if (isOpen && (isTimed ? NOTHING.test(said(row)) : isStates)) continue;
    if (cells.length > columns.length) {
      problems.push({ line, why: `the row has ${cells.length} cells, its table has ${columns.length} columns` });
      continue;
    }
    // An empty cell means the day above, as in a table made by hand.
    const isEmpty = said(row) === '' || NOTHING.test(said(row));
    const own = timeOf(row, isEmpty ? last.ts?.slice(0, 10) : undefined);
    const inRow = isTimed || isOpen || statusAt < 0 ? undefined : dayInRow(columns, row);
    const above = isTimed ? dayAlone(last) : completeTime(undefined, day ?? inRow, undefined);
    const time = own.ts !== undefined ? own : isTimed && !isEmpty ? NO_TIME : above;
    if (isTimed && time.ts === undefined) {
      problems.push({ line, why: `"${said(row).slice(0, 40)}" is no time` });
      continue;
    }
    last = time;
    const read = new Row(columns, row);
    if (read.summary === '') {
      problems.push({ line, why: 'the row says nothing beside its time' });
      continue;
    }
    const { summary, type, detail } = read;
    const taskId = read.taskId || taskIn(cells.join(' '));
    const labels = { taskId, actor: read.cell('actor'), phase: read.cell('phase'), type };
    events.push({ line, ...time, summary, detail, ...labels, ...refsOf(cells.join('\n')) });
  }
  return { events, problems, unread: problems.map(({ line }) => line) };
}

/** Whether rows of a table name their days. */
export const isTimedTable = (table: PipeTable): boolean =>
  readTableEvents(table, { day: undefined, yearOf: () => '2000', mode: 'timed' }) !== undefined;
/** Whether rows of a table say what is done. */
export const saysDoneRows = (table: PipeTable): boolean =>
  readTableEvents(table, { day: undefined, yearOf: () => '2000', mode: 'status' }) !== undefined;

/** The day of a time, for what names none itself. */
function dayAlone({ ts }: EventTime): EventTime {
  return completeTime(undefined, ts?.slice(0, 10), undefined);
}
