import { readEventTime, toObservationTime } from './eventTime';
import type { FoundEvents, LogEvent } from './logEvent';
import { linksOf, plainText, withOutcome } from './plainText';
import type { PipeTable, TableRow } from './tableColumns';
import { type ColumnRole, columnRole } from './tableColumns';

/** Cells that say that there is nothing. */
const NOTHING = /^(?:[-–—]+|n\/?a|none|无|無|\?)$/i;
const ID_HEADER = /\bid\b|编号|編號/i;
/** An id at the head of a task's name: `P3-00：…`, `TASK-1`, `M1.2`. */
export const ID_AT_HEAD = /^[A-Za-z][A-Za-z_]*[-_.]?\d[\w.-]*(?=$|[\s:：,，—(（])/;
const IS_DIVIDER = /^[\s|:-]+$/;

interface Column {
  readonly header: string;
  readonly role: ColumnRole | undefined;
}

function readColumns(header: readonly string[]): readonly Column[] {
  const columns = header.map((name): Column => ({ header: plainText(name), role: columnRole(name) }));
  const tasks = columns.filter(({ role }) => role === 'task');
  if (tasks.length < 2) return columns;
  // Beside its id, the task's own column says what it is.
  const id = tasks.find(({ header: name }) => ID_HEADER.test(name)) ?? tasks[0];
  return columns.map((column) => (column.role === 'task' && column !== id ? { ...column, role: 'what' } : column));
}

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
    const other = this.columns.findIndex((column) => column.role === undefined);
    const task = this.cell('task');
    // An id alone says nothing where there is a text.
    const name = ID_AT_HEAD.exec(task)?.[0] === task ? '' : task;
    const [notes, evidence, result] = [this.texts('notes'), this.texts('evidence'), this.texts('result')];
    const candidates = [this.texts('what'), name, notes, evidence, result, task];
    return candidates.find((text) => text !== '') ?? plainText(this.row.cells[other] ?? '');
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
        const isSaid = labels.includes(role) && !(role === 'task' && this.taskId !== this.cell('task'));
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

/**
 * Events of a table that is a log: one with a column of times in which some row has one. Other tables have none.
 * `date` is what a heading above says.
 */
export function readTableEvents({ header, rows }: PipeTable, date: string | undefined): FoundEvents | undefined {
  const columns = readColumns(header);
  const timeAt = columns.findIndex(({ role }) => role === 'time');
  if (timeAt < 0 || columns.length < 2) return undefined;
  const timeOf = ({ cells }: TableRow): string | undefined => {
    const time = readEventTime(plainText(cells[timeAt] ?? ''));
    return time && toObservationTime(time, date);
  };
  if (!rows.some((row) => timeOf(row) !== undefined)) return undefined;
  const events: LogEvent[] = [];
  const problems: { line: number; why: string }[] = [];
  let last: string | undefined;
  for (const row of rows) {
    const { cells, line } = row;
    if (cells.every((cell) => cell === '' || IS_DIVIDER.test(cell))) continue;
    if (cells.length > columns.length) {
      problems.push({ line, why: `the row has ${cells.length} cells, its table has ${columns.length} columns` });
      continue;
    }
    const said = plainText(cells[timeAt] ?? '');
    // An empty cell means the time above, as in a table made by hand.
    const ts = timeOf(row) ?? (said === '' || NOTHING.test(said) ? last : undefined);
    if (ts === undefined) {
      problems.push({ line, why: `"${said.slice(0, 40)}" is no time` });
      continue;
    }
    last = ts;
    const read = new Row(columns, row);
    if (read.summary === '') {
      problems.push({ line, why: 'the row says nothing beside its time' });
      continue;
    }
    const { taskId, summary, type, detail } = read;
    const labels = { taskId, actor: read.cell('actor'), phase: read.cell('phase'), type };
    events.push({ line, ts, summary, detail, ...labels, urls: linksOf(cells.join(' ')) });
  }
  return { events, problems };
}
