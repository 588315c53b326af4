/** Lines that are heads of entries by what other lines of the log look like, in texts without the marks of Markdown. */
import { findDate, isDateAlone, isDateFirst } from '../../text/dates';
import { tellsAct } from './acts';
import { DATE_FIELD, timeAtHead } from './logEvent';
import { kindOf } from './sectionWords';

export type Stamp = 'id' | 'state' | 'commit' | 'label' | 'lead';

/**
 * What a line that no time begins starts with where each line is an entry: `OI-1 DONE: …`, `B3: DONE — …`,
 * `7984585 parser: …` (a commit), `1.2: …` (a release), `[Phase 1 — Parser] COMPLETE`, `PHASE 2  PARSER .... COMPLETE`,
 * `**Update**: 2026-02-03 — …`, `Phase 1 audit: …`, `[v1.3.1](…) …`. With fewer than `least` such lines they are no entries.
 */
const STAMPS: readonly (readonly [name: Stamp, form: RegExp, least: number])[] = [
  ['id', /^\s*\[?[A-Z][A-Z0-9]+-\d+(?!\d)[\]:. ]/, 1],
  [
    'state',
    /^\[?\p{L}[\p{L} _#.-]{0,16}\d[\w.-]{0,8}\]?\s?[:：–—-]\s?(?:[✅☑✔✓❌]\uFE0F?\s?)?(?:DONE|COMPLETED?|FINISHED|FIXED|MERGED|SHIPPED|PASS(?:ED)?|FAIL(?:ED)?|SKIPPED|BLOCKED|已?完成|通过|失败)(?![\p{L}\p{N}])/iu,
    2,
  ],
  ['state', /^\[?(?:DONE|COMPLETED?|FIXED|MERGED|SHIPPED|PASS(?:ED)?|FAIL(?:ED)?)\]?(?:\s?[:：–—]|\s-|(?<=\]))\s/, 2],
  ['state', /^【已?(?:完成|修复|修正|解决|上线|关闭|发布|合并|部署|实现|优化|测试|失败)】\s?\S/u, 2],
  ['state', /^【(?:新增|增加|添加|修[复改]|优化|改进|完善|调整|更新|升级|变更|删除|移除|重构|bug ?修复)】\s?\S/iu, 2],
  [
    'state',
    /^\[[^[\]]{3,80}\]\s+(?:DONE|COMPLETED?|FINISHED|PASS(?:ED)?|FAIL(?:ED)?|NEEDS \p{L}+|IN PROGRESS|BLOCKED)(?!\p{L})/iu,
    2,
  ],
  [
    'state',
    /^\s*(?:PHASE|STEP|STAGE|TASK|MILESTONE|SPRINT) ?#?\d{1,3}\b.{0,100}?(?:\.{2}|\s{2}|[—–:-])\s?(?:DONE|COMPLETED?|FINISHED|SHIPPED)(?:\s+\d{4}-\d\d-\d\d)?\s*$/iu,
    2,
  ],
  ['state', /^[\p{L}\p{N}_.-]{1,30}\s{2,}(?:done|DONE|已?完成)(?=\s|$)/u, 3],
  ['id', /^v?\d{1,2}\.\d{1,3}(?:\.\d{1,3})?[:：]\s?\S/u, 3],
  ['id', /^(?:pre|(?:phase|step|stage|sprint|week) \d{1,3})(?: \p{L}{3,12})?[:：]\s+(?=\p{L}+ed\s|\S.{60})/iu, 3],
  ['id', /^\[v?\d{1,2}\.\d{1,3}(?:\.\d{1,3})?\]\([^)\s]{1,200}\)\s+\S/u, 2],
  ['commit', /^[0-9a-f]{7,40}\s+\p{L}/u, 2],
  // `**Day 1 — parser.** Wrote it …`
  ['label', /^\*\*(?:Day|Session|Week|Iteration|Sprint|Round) \d{1,3}\s?[—–:-]\s[^*]{3,80}\*\*[:.]?\s+\S/iu, 2],
  // `**Parser.** Wrote it …`, below a day
  ['lead', /^\*\*[^*]{3,80}[.。]\*\*\s+\S/u, 3],
  ['label', /^\*\*\p{L}[^*:：]{1,30}(?:[:：]\*\*|\*\*[:：])\s*\d{4}-\d\d-\d\d\s+[—–-]{1,2}\s/u, 3],
];

/** A commit that is surely one: with a digit and a letter. */
const COMMIT = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\s/;

/** A line of a list of what was done, in a text without bullets. */
const MARKED_LINE = /^[✅☑✔✓❌⬜☐🔲]\uFE0F?\s+\S/u;
/** Boxes that are drawn, between which blank lines may stand. */
const DRAWN_BOX = /^[☑✔⬜☐🔲]/u;
const DASHED_LINE = /^[–—]\s+\S/u;
/** `✓ Parser` */
const TICKED_LINE = /^[✓✔✅☑]\uFE0F?\s+\p{L}.{0,80}$/u;
/** `Day 3`, `Session 2: parser`. */
const SITTING_LINE = /^(?:day|session|week|entry)\s#?\d{1,3}(?:[:.]?|(?:\s?[:–—]|\s-)\s.{1,60})$/i;
/** `[Session 1 — Setup — 2026-02-22]` */
const IN_BRACKETS = /^\[([^[\]]{4,100})\]$/;
/** `Task ID: 3`, with `Task: parser` in one of the next lines. */
const TASK_ID = /^Task ID:\s*(\S{1,20})\s*$/i;
const TASK_NAME = /^Task:\s*(\S.*)$/i;
/** `misha -- 2026-02-03 14:32`: who tells something on that day. */
const AUTHOR = /^\s*(\p{L}[\p{L}\p{N}_.’' ]{0,24}?)\s+(?:-{1,2}|[–—|])\s*$/u;
/** Items, headings, rows, quotes, pictures and fields. */
const NO_HEAD = /^(?:[-*+•#>|]|\s*(?:<[a-z]|!\[)|\d{1,3}[.)]\s)|^[^:：]{1,30}[:：]/u;
/** Words alone. */
const GROUP_NAME = /^[\p{L}\p{N} ]{2,30}$/u;
/** In a date. */
const MONTH_WORD = /\p{L}{3,}/gu;
/** Lines that are indented under one of a list, at most. */
const MAX_BELOW = 20;
/** A longer line is text. UTF-16 code units. */
const MAX_CHARS = 100;

/** What stands below a line was told then, and by whom. */
export interface LineHead {
  readonly text: string;
  readonly author?: string | undefined;
}

/** A line that names a day behind other words, and how those look. */
interface DayLine extends LineHead {
  readonly look: string;
}

/** `Date: 2026-02-03` above each of several accounts. */
const FIELD_LOOK = 'field';

function dayLine(line: string): DayLine | undefined {
  const date = line.length < MAX_CHARS && /\d/.test(line) ? findDate(line, { inside: true }) : undefined;
  if (!date || date.day.startsWith('0000') || isDateFirst(line, date)) return undefined;
  if (DATE_FIELD.test(line) && isDateAlone(line.slice(date.clock?.end ?? date.end)))
    return { text: line.slice(date.index).trim(), look: FIELD_LOOK };
  const end = date.clock?.end ?? date.end;
  const [before, text, after] = [line.slice(0, date.index), line.slice(date.index, end), line.slice(end)];
  const author = isDateAlone(after) ? AUTHOR.exec(before)?.[1] : undefined;
  if (author !== undefined) return { text, author, look: '' };
  return NO_HEAD.test(before) ? undefined : { text, look: `${before}|${after}`.replace(/\d/g, '0') };
}

/** Two lines behind dashes and more, where no text stands above the first: that would go on in them. */
function dashedLists(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at = 0; at < lines.length; at++) {
    const first = at;
    while (DASHED_LINE.test(lines[at] ?? '')) at++;
    const isList = at - first > 1 && /^\s*$|^#/.test(lines[first - 1] ?? '');
    for (let line = first; isList && line < at; line++) found.add(line);
  }
  return found;
}

/** A short heading with a number, such as that of a day. */
const DAY_HEADING = /^#{1,6}\s*[^\n]{0,16}\d[^\n]{0,8}$/;
/** A line that Markdown breaks where its writer did, and which is no sentence, field or mark. */
const BROKEN_LINE = /^(?![^:：]{1,30}[:：])\p{L}[^|]{2,98}[^.。!?！？:：\s](?= {2,}$|\\$)/u;
const LAST_LINE = /^(?![^:：]{1,30}[:：])\p{L}[^|]{2,98}$/u;

/** Lines right below several days, each broken by hand: a list without marks. */
function brokenLists(lines: readonly string[]): ReadonlySet<number> {
  const runs: (readonly number[])[] = [];
  for (const [at, line] of lines.entries()) {
    if (!DAY_HEADING.test(line)) continue;
    let end = at + 1;
    while (BROKEN_LINE.test(lines[end] ?? '')) end++;
    const areDeeds = lines.slice(at + 1, end + 1).every((text) => tellsAct({ text }));
    const isList =
      areDeeds && end > at + 1 && LAST_LINE.test(lines[end] ?? '') && /^\s*$|^#/.test(lines[end + 1] ?? '');
    if (isList) runs.push(Array.from({ length: end - at }, (_, line) => at + 1 + line));
  }
  return new Set(runs.length > 1 ? runs.flat() : []);
}

const INDENTED = /^(?:\t| {2,})(?![-*+•>]\s|\d{1,3}[.)]\s)\S/u;
/** A line from this length on may go on in the next one; a Chinese character is as wide as two. UTF-16 code units. */
const MIN_BROKEN_CHARS = 60;
/** Whether a line may go on in the next one: it is long and ends no sentence. */
const isBroken = (line: string): boolean =>
  line.replace(/\p{Script=Han}/gu, '  ').length > MIN_BROKEN_CHARS && !/[.!?。！？；;]\s*$/u.test(line);

/** Lines that stand indented right below one that is a day and no more: a list without marks, of at least two items. */
function indentedLists(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, line] of lines.entries()) {
    const date = line.length < MAX_CHARS ? findDate(line) : undefined;
    if (!date || !isDateAlone(`${line.slice(0, date.index)} ${line.slice(date.end)}`)) continue;
    const isItem = (next: number): boolean => INDENTED.test(lines[next] ?? '');
    if (!isItem(at + 1) || !isItem(at + 2) || isBroken(lines[at + 1] ?? '')) continue;
    for (let next = at + 1; isItem(next); next++)
      if (next === at + 1 || !isBroken(lines[next - 1] ?? '')) found.add(next);
  }
  return found;
}

/** Lines such as `✓ Parser`, several of them, each alone above a list. */
function tickedHeads(lines: readonly string[]): ReadonlySet<number> {
  const found = [...lines.keys()].filter(
    (at) =>
      TICKED_LINE.test(lines[at] ?? '') &&
      (lines[at - 1] ?? '').trim() === '' &&
      (lines[at + 1] ?? '').trim() === '' &&
      /^[-*+]\s/.test(lines[at + 2] ?? ''),
  );
  return new Set(found.length > 1 ? found : []);
}

/** Looks at all lines once; each is then judged by those that are alike. */
export class LineHeads {
  readonly #hasSittings: boolean;
  readonly #hasHeadings: boolean;
  readonly #stamps: typeof STAMPS;
  /** By index, 0-based. */
  readonly #days = new Map<number, DayLine>();
  readonly #looks = new Map<string, number>();
  /** Lines of lists behind dashes, and of those without marks, 0-based. */
  readonly #listed: ReadonlySet<number>;
  /** Lines with a mark that stand above a list, 0-based. */
  readonly #ticked: ReadonlySet<number>;
  /** Short lines that stand there more than once. */
  readonly #again = new Set<string>();

  constructor(private readonly lines: readonly string[]) {
    this.#listed = new Set([...dashedLists(lines), ...brokenLists(lines), ...indentedLists(lines)]);
    this.#ticked = tickedHeads(lines);
    const seen = new Set<string>();
    for (const line of lines) if (GROUP_NAME.test(line) && seen.size === seen.add(line).size) this.#again.add(line);
    this.#hasHeadings = lines.some((line) => /^ {0,3}#{1,6}\s/.test(line));
    this.#hasSittings = lines.filter((line) => SITTING_LINE.test(line)).length > 1;
    this.#stamps = STAMPS.filter(
      ([name, form, least]) =>
        (name !== 'commit' || lines.some((line) => COMMIT.test(line))) &&
        lines.filter((line) => form.test(line)).length >= least,
    );
    let above = '';
    const fields: [number, DayLine][] = [];
    for (const [at, line] of lines.entries()) {
      const last = above;
      if (line.trim() !== '') above = line;
      const isOver = (lines[at - 1] ?? '').trim() === '' || /^[^\p{L}\p{N}]*$/u.test(lines[at - 1] ?? '');
      const day = isOver && (lines[at + 1] ?? '') !== '' ? dayLine(line) : undefined;
      // A field of a heading dates that, and a single one above all else the whole log.
      if (day?.look === FIELD_LOOK && /^#/.test(last)) fields.push([at, day]);
      if (!day || (day.look === FIELD_LOOK && /^#/.test(last))) continue;
      this.#days.set(at, day);
      if (day.look !== FIELD_LOOK || last !== '') this.#looks.set(day.look, (this.#looks.get(day.look) ?? 0) + 1);
    }
    // Under the title alone it is the first of such accounts.
    const [first, second] = fields;
    if (first && !second && (this.#looks.get(FIELD_LOOK) ?? 0) > 0) this.#days.set(...first);
  }

  /** The head that a line is: a sitting, a day in brackets, or a day in words that come again with other days. */
  headAt(at: number): LineHead | undefined {
    const line = this.lines[at] ?? '';
    if (this.#hasSittings && SITTING_LINE.test(line)) return { text: line };
    if (this.#ticked.has(at)) return { text: line };
    const task = TASK_ID.exec(line)?.[1];
    const isLogged = task && this.lines.slice(at + 1, at + 8).some((text) => /^Work Log:/i.test(text));
    const name = isLogged && this.lines.slice(at + 1, at + 4).flatMap((text) => TASK_NAME.exec(text)?.[1] ?? [])[0];
    if (name) return { text: `Task ${task}: ${name.trim()}` };
    const inside = IN_BRACKETS.exec(line)?.[1];
    if (inside !== undefined && findDate(inside, { inside: true })) return { text: inside };
    const day = this.#days.get(at);
    return day && (this.#looks.get(day.look) ?? 0) > (day.look === FIELD_LOOK ? 0 : 1) ? day : undefined;
  }

  /**
   * A line of its own above a list that says what kind of list it is: `开发完成部分`; in a text with headings one that comes
   * again, such as `Completed` under each session.
   */
  groupAt(at: number, item: RegExp): string | undefined {
    const line = this.lines[at] ?? '';
    if (!GROUP_NAME.test(line) || kindOf(line) === 'title') return undefined;
    const behind = this.lines.slice(at + 1, at + 4).findIndex((text) => text.trim() !== '');
    const isAbove = behind >= 0 && item.test(this.lines[at + 1 + behind] ?? '');
    return isAbove && (this.#hasHeadings ? this.#again.has(line) : behind > 0) ? line : undefined;
  }

  /** What it starts with where each such line is an entry. */
  stampOf(line: string): Stamp | undefined {
    return this.#stamps.find(([, form]) => form.test(line))?.[0];
  }

  /** What the head of a line looks like: lines of one log look alike, and a date in a wrapped line does not. */
  lookOf(line: string): string | undefined {
    const time = timeAtHead(line);
    return time ? line.slice(time.index, time.end).replace(/\d+/g, '0').replace(MONTH_WORD, 'M') : this.stampOf(line);
  }

  /** Whether one of the texts above has that look. */
  looksLike(look: string, above: readonly { readonly text: string }[]): boolean {
    return above.some(({ text }) => this.lookOf(text) === look);
  }

  /** Whether it starts with a mark, as the one before or behind it does, or is of a list behind dashes or without marks. */
  isMarked(at: number): boolean {
    const isOne = (line = ''): boolean => MARKED_LINE.test(line);
    const isBox = DRAWN_BOX.test(this.lines[at] ?? '');
    const isPassed = (line = 'end'): boolean => /^\s+\S/.test(line) || (isBox && line.trim() === '');
    /** Beyond what is indented under a line. */
    const beside = (step: number): string | undefined => {
      let next = at + step;
      for (let count = 0; count < MAX_BELOW && isPassed(this.lines[next]); count++) next += step;
      return this.lines[next];
    };
    const isBeside = isOne(this.lines[at]) && (isOne(beside(-1)) || isOne(beside(1)));
    return (isOne(this.lines[at]) && isBeside) || this.#listed.has(at);
  }
}
