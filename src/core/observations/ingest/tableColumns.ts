// Pipe tables of Markdown, as GitHub defines them: which lines are one, and the cells of a row. Parsed here and not by a
// Markdown library, since a log needs the line of every row, and a row with too many cells said and not cut.

import { codeSpans } from '../../text/markdown';
import { simplified } from '../../text/simplified';

/** One row with its place. */
export interface TableRow {
  readonly cells: readonly string[];
  /** 1-based. */
  readonly line: number;
}

/** A table of a text. */
export interface PipeTable {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  /** Line after its last row, 1-based. */
  readonly endLine: number;
}

/** A wider table is no log. Bounds the cost: every row is read by each of its columns. */
const MAX_COLUMNS = 200;
const DIVIDER_CELL = /^\s*:?-+:?\s*$/;

function splitCells(line: string, isKept: (at: number) => boolean): string[] {
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') {
      at++;
      continue;
    }
    if (line[at] !== '|' || isKept(at)) continue;
    cells.push(line.slice(start, at));
    start = at + 1;
  }
  cells.push(line.slice(start));
  if (cells[0]?.trim() === '' && cells.length > 1) cells.shift();
  if (cells.at(-1)?.trim() === '' && cells.length > 1) cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The cells of a row; with `count`, bars inside code spans are text when that gives exactly so many. */
function readCells(line: string, count?: number): readonly string[] {
  const cells = splitCells(line, () => false);
  if (count === undefined || cells.length <= count || !line.includes('`')) return cells;
  // A bar inside a code span parts cells too, unless the row would then have too many.
  const spans = codeSpans(line);
  const kept = splitCells(line, (at) => spans.some(({ start, end }) => at > start && at < end));
  return kept.length === count ? kept : cells;
}

/** The table that starts at `lines[at]`; `undefined` when none does. `at` is 0-based. */
export function readTable(lines: readonly string[], at: number): PipeTable | undefined {
  const head = lines[at] ?? '';
  const divider = lines[at + 1] ?? '';
  if (!head.includes('|') || !divider.includes('-') || !/^[\s|:-]+$/.test(divider)) return undefined;
  const header = readCells(head);
  if (header.length > MAX_COLUMNS) return undefined;
  const marks = readCells(divider);
  // People lose count of the marks: rows are read by the header.
  const isDivider = marks.every((cell) => DIVIDER_CELL.test(cell)) && (marks.length > 1 || header.length === 1);
  if (!isDivider) return undefined;
  const rows: TableRow[] = [];
  let next = at + 2;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (line.trim() === '' || !line.includes('|')) break;
    rows.push({ cells: readCells(line, header.length), line: next + 1 });
  }
  return { header, rows, endLine: next + 1 };
}

/**
 * Names of columns, of one, lower case, without what stands in parentheses; English and Chinese.
 * A header of two names (`结果/证据`, `Date / 日期`) is what its first known name says.
 */
const NAMES = {
  time:
    'time,date,timestamp,datetime,date time,when,ts,last update,last updated,updated,updated at,' +
    'at,ended,ended at,时间,日期,日期时间,更新日期,时间戳,最新更新时间,更新时间,完成时间,完成日期',
  task:
    'task id,taskid,task_id,task,feature id,feature,issue,ticket,story,milestone,任务,任务id,任务编号,' +
    '任务 id,里程碑,需求,工单',
  actor:
    'subagent,sub-agent,sub agent,actor,agent,role,owner,who,by,author,assignee,assigned,执行者,' +
    '角色,代理,智能体,子代理,负责人,作者,操作人',
  phase: 'phase,stage,step,阶段,步骤,环节',
  what:
    'what was done,what,event,action,activity,description,summary,change,done,message,entry,' +
    'work,work done,title,progress,accomplishment,decision,error,update,做了什么,事件,动作,描述,内容,说明,摘要,' +
    '干了什么,工作内容,更新内容,更新说明,变更,进展,操作,事项,决策,错误,完成内容,事实',
  result: 'result,outcome,output,verdict,test result,tests,resolution,结果,产出,输出,结论,测试结果,解决,验收',
  next: 'next,next step,follow-up,todo,下一步,后续,待办,下一步骤',
  status: 'status,state,状态,进度',
  evidence: 'evidence,proof,commit,pr,link,证据,验收证据,提交,链接',
  files: 'file,files changed,changed files,文件,变更文件,涉及文件',
  notes: 'note,comment,remarks,details,blockers,备注,注释,阻塞项,限制',
  number: '#,no,no.,nr,id,index,序号,编号',
};

/** What a column of a log table says. */
export type ColumnRole = keyof typeof NAMES;

const ROLE_BY_NAME = new Map<string, ColumnRole>(
  (Object.entries(NAMES) as [ColumnRole, string][]).flatMap(([role, names]) =>
    names.split(',').map((name): [string, ColumnRole] => [name, role]),
  ),
);

function normalName(text: string): string {
  return simplified(text)
    .normalize('NFKC')
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[*_`:]/g, (mark) => (mark === '_' ? '_' : ' '))
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The role of a header cell; `undefined` when its name says nothing. */
export function columnRole(header: string): ColumnRole | undefined {
  const name = normalName(header);
  for (const part of [name, ...name.split(/[/、,&]| and | 和 /)]) {
    const word = part.trim();
    const role = ROLE_BY_NAME.get(word) ?? ROLE_BY_NAME.get(word.replace(/s$/, ''));
    if (role) return role;
  }
  return undefined;
}

/** The role of a key such as `task_id`, `taskId` or `Done`. */
export function keyRole(key: string): ColumnRole | undefined {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  return columnRole(key) ?? columnRole(words);
}
