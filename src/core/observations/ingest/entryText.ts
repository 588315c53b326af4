/** What the text of an entry says: its summary, its task, what it points at. */
import type { ObservationRefs } from '../../model/observation';
import { ENGLISH_MONTH, isDateAlone, isDateFirst } from '../../text/dates';
import { commandOf, commandRef } from '../observation';
import { completeTime, DATE_WORDS, type LogEvent, type WrittenTime } from './logEvent';
import { type ColumnRole, keyRole } from './tableColumns';

/** A text of Markdown as one reads it: without marks of code, emphasis and links. `__` stays: it is in names of files. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/!?\[([^\]]{0,300})\]\([^)\s]{0,1000}\)/g, '$1')
    .replace(/\*\*|`+|~~/g, '')
    .trim();
}

/** `what → outcome`; outcomes that are empty or said already are left out. */
export function withOutcome(what: string, outcomes: readonly string[]): string {
  const said = outcomes.filter((text) => text !== '' && text !== what);
  if (what === '') return said.join(': ');
  return said.length === 0 ? what : `${what} → ${said.join(': ')}`;
}

/** At the head of a task's name: `P3-00：…`, `TASK-1`, `M1.2`. */
export const ID_AT_HEAD = /^[A-Za-z][A-Za-z_]*[-_.]?\d[\w.-]*(?=$|[\s:：,，—(（])/;

/** `TASK-12`, `#42`; names of standards, models and versions look alike and are none. */
const TASK_ID =
  /(?<![\w/#.-])(?!(?:UTF|SHA|GPT|RFC|ISO|HTTP|TLS|MD|AES|RSA|CVE|CWE|PEP|EN|GB|UTC|GMT|COVID|WCAG|ES|CP|BASE|ED|PM|AM|Q|H|P|V|CLAUDE|MAX|MIN|TOP|NODE|PY|ARM|X)-\d)(?:[A-Z][A-Z0-9_]{1,11}-\d{1,6}(?:\.\d+)?(?![\w-])|#\d{1,6}(?![\w-]))/u;

/** The first id of a task in a text; empty without one. */
export function taskIn(text: string): string {
  return TASK_ID.exec(text)?.[0] ?? '';
}

/** How much of an entry is looked at for what it points at, and how many of each are kept. UTF-16 code units. */
const MAX_REFS_CHARS = 20_000;
const MAX_REFS = 20;

const URLS = /https?:\/\/[^\s<>()[\]|`"'，。；）】]+/g;
const CODE = /`([^`\n]{1,300})`/g;
/** A path of folders, or a name with a usual ending; with lines as `:12` or `:12-20`. */
const FILE =
  /(?<![\p{L}\w@/.:-])(?:\.{0,2}\/)?(?:[\p{L}\p{N}_.@-]{1,80}\/){0,12}[\p{L}\p{N}_@-][\p{L}\p{N}_.@-]{0,80}\.(?:[cm]?[jt]sx?|md|mdx|py|go|rs|java|kt|cs?|h|cc|cpp|hpp|rb|php|swift|sh|bash|ps1|json[lc5]?|ya?ml|toml|ini|cfg|conf|env|txt|log|csv|sql|html?|s?css|vue|svelte|xml|lock|ipynb|proto|tf|gradle|dart|lua|r|jl|ex|exs|service|plist)(?![\w/])(?::(\d{1,6})(?:-(\d{1,6}))?)?/giu;
/** The first word of what is run and not only named. */
const RUN =
  /^(?:\$ )?(?:[A-Z_]{2,30}=\S{0,80} )*(?:\.{1,2}\/[\w./-]+|(?:npm|npx|pnpm|yarn|bun|bunx|deno|node|tsc|vitest|jest|eslint|biome|python3?|pytest|pip3?|uvx?|poetry|ruff|mypy|make|cmake|ctest|ninja|cargo|rustc|go|git|gh|docker|docker-compose|kubectl|helm|terraform|ansible|bash|sh|zsh|pwsh|mvn|gradle|dotnet|swift|xcodebuild|ruby|bundle|rails|rake|php|composer|curl|wget|ssh|systemctl|psql|sqlite3|alembic|just|bazel|adb)\s+\S.*|make|pytest|tsc|ctest)$/;
const EXIT_CODE = /(?:exit(?:ed)?(?:\s+with)?(?:[\s_-]?(?:code|status))?|退出码|退出碼)\s*[:=：]?\s*(\d{1,3})(?!\d)/iu;

/** What a text points at: addresses, paths and, in back-ticks or behind `$ `, commands with the exit code behind them. */
export function refsOf(markdown: string): ObservationRefs {
  const text = markdown.slice(0, MAX_REFS_CHARS);
  const urls = (text.match(URLS) ?? []).map((url) => url.replace(/[.,;:!?]+$/, ''));
  const commands: string[] = [];
  const addCommand = (code: string, behind: string): void => {
    const command = code.trim();
    if (RUN.test(command)) commands.push(commandRef(command.replace(/^\$ /, ''), EXIT_CODE.exec(behind)?.[1]));
  };
  const rest = text.replace(URLS, ' ').replace(CODE, (whole, code: string, at: number) => {
    addCommand(code, text.slice(at, at + whole.length + 120).split('\n', 1)[0] ?? '');
    return RUN.test(code.trim()) ? ' ' : ` ${code} `;
  });
  for (const [line] of rest.matchAll(/^\s*\$ \S.{0,200}$/gm)) addCommand(line.trim(), '');
  const files = [...rest.matchAll(FILE)].map(([path, from, to]) => {
    const name = path.replace(/:\d+(?:-\d+)?$/, '').replace(/^\.\//, '');
    return from === undefined ? name : `${name}#L${from}${to === undefined ? '' : `-L${to}`}`;
  });
  const first = (values: readonly string[]): readonly string[] => [...new Set(values)].slice(0, MAX_REFS);
  return { files: first(files), commands: first(commands), urls: first(urls) };
}

/** `(alex)` after the time of a line. */
const ACTOR = /^\s*(?:[(（]([\p{L}\p{N}_ .-]{1,40})[)）]|(User|Assistant|Human|System|Agent)(?=:))[:：]?\s*/u;
/** `Done: …`, `**Evidence:** …` */
export const KEY_LINE =
  /^\s*(?:[-*+•]\s+)?(?:\*\*)?([^:：*]{1,30}?)(?:\*\*)?(?:\s*[:：]|(?<=[?？]\*\*))\s*(?:\*\*)?\s*(.*)$/;
/** `(local)`, `CST` and the like: a name of a zone that says no offset for sure. */
const ZONE_NAME =
  /^\s*(?:[(（](?:local(?: time)?|[A-Z]{2,5}|本地时间?)[)）]|(?:CST|EST|EDT|PST|PDT|CET|CEST|JST|BJT|IST)\b)/u;
const SEPARATOR = /^[\s\])）】*`_|:：,，·–—-]+/u;
/** Words around a date that do not make a heading more than that day's. */
const DAY_WORDS = new RegExp(
  `(?<!\\p{L})(?:${DATE_WORDS}|dia|día|jour|giorno|dzień|день|tag)(?=\\s?[:：\\d])|\\b(?:session|log|entry|entries|day|update|daily|notes?|journal|release|version|unreleased|initiali[sz]ed|continued|created|updated|last|generated|started|on|date|week|sprint|worklog|md|v?\\d+(?:\\.\\d+)*)\\b|日志|记录|更新|日期|时间|第|天|日|版本|及之前|及以前|之前|以前|今天|今日|\\btoday\\b|\\b(?:and|or) (?:before|earlier)\\b`,
  'giu',
);
/** A line shorter than this says too little alone. */
export const SHORT_CHARS = 24;
/** Lines of a body that are looked at for keys. */
const KEY_LINES = 30;

/** An entry before its body is known. */
export interface Entry {
  readonly line: number;
  readonly end: number;
  readonly time: WrittenTime | undefined;
  readonly day: string | undefined;
  readonly text: string;
  readonly phase: string;
  /** Who tells it, as a line above says. */
  readonly actor: string;
  /** Its body may have fields. */
  readonly isHeading: boolean;
  readonly box?: 'done' | 'open' | undefined;
}

/** `- 2月26日`, `～ 2026/2/26`, `to Feb 26`: the last day of a span, right behind its first and with nothing but marks behind. */
const SPAN_END = new RegExp(
  `^(?:\\s?(?:[-~～–—－至到]{1,2}|to|bis|until)\\s?(?:\\d{4}[/年]\\s?)?(?:\\d{1,2}[/月]\\s?\\d{1,2}(?!\\d)\\s?[日号號]?|\\d{1,2}\\s?日|${ENGLISH_MONTH}\\.? \\d{1,2}(?:, ?\\d{4})?(?!\\d)|\\d{1,2} ${ENGLISH_MONTH}\\.?(?:,? \\d{4})?(?!\\d)|(?:\\d{4}-\\d\\d-|\\d{4}\\.\\d{1,2}\\.)\\d{1,2}(?!\\d))|[-~～–—－]\\d{1,2}\\.\\d{1,2}(?![\\d.]))(?=[\\s)）\\]】*_]*(?:$|[:：,，—–|-]|[(（]v?\\d))`,
  'iu',
);
/** Where a time ends, the last day of its span and all. */
const endOf = (text: string, { end }: WrittenTime): number => end + (SPAN_END.exec(text.slice(end))?.[0].length ?? 0);

function hasOnlyDayWords(text: string): boolean {
  return isDateAlone(text) || isDateAlone(text.replace(DAY_WORDS, ' ').replace(/\d+/g, ' '));
}

/** What a text says beside its time. */
export function restOf(text: string, time: WrittenTime | undefined): string {
  if (!time) return text;
  const before = isDateFirst(text, time) ? '' : text.slice(0, time.index).replace(/[\s[(（【*_`~≈|–—-]+$/u, '');
  const after = text.slice(endOf(text, time)).replace(ZONE_NAME, '').replace(SEPARATOR, '');
  return [before, after].filter((part) => /[\p{L}\p{N}]/u.test(part)).join(' — ');
}

/** `Entry for the day: `, in whatever language. */
const NAME_OF_DAY = /^[^\p{N}:：]{1,40}[:：]\s*$/u;

/** Whether a heading names a day, and perhaps a number or a version, and nothing that happened. */
export function isBareDay(text: string, time: WrittenTime | undefined): boolean {
  if (!time) return false;
  const before = text.slice(0, time.index);
  const after = text.slice(endOf(text, time));
  return hasOnlyDayWords(`${before} ${after}`) || (NAME_OF_DAY.test(before) && isDateAlone(after));
}

/** `**Time spent: 2h**`, `耗时：2 小时` */
export const SPENT =
  /^[^\p{L}\p{N}]*(?:time spent|hours(?: spent)?|duration|dauer|durée|temps passé|耗时|用时|时长)[^\p{L}\p{N}]{0,4}[:：]/iu;

/** The first line that tells something; how long it took is said of what was done. */
function firstText(body: readonly string[]): string {
  const told = body.filter((line) => !/^#{1,6} /.test(line) && !SPENT.test(line));
  const texts = (told.some((line) => line.trim() !== '') ? told : body).map((line) =>
    plainText(line.replace(/^\s*(?:[-*+•]|\d+[.)]|#{1,6})\s+/, '')),
  );
  return texts.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
}

const COMMAND_KEY = /^(?:commands?|cmd|命令)$/iu;
const EXIT_KEY = /^(?:exit[ _-]?(?:code|status)|退出码|退出碼)$/iu;

/** What the fields of an account say, and its commands. */
function fieldsOf(body: readonly string[]) {
  const keys = new Map<ColumnRole, string>();
  const commands: string[] = [];
  let exitCode = '';
  for (const line of body.slice(0, KEY_LINES)) {
    const [, key = '', value = ''] = KEY_LINE.exec(line.slice(0, 2000)) ?? [];
    if (value === '') continue;
    const role = keyRole(key);
    if (role && !keys.has(role)) keys.set(role, plainText(value));
    if (EXIT_KEY.test(key)) exitCode = /\d{1,3}/.exec(value)?.[0] ?? '';
    if (!COMMAND_KEY.test(key)) continue;
    const code = EXIT_CODE.exec(value);
    commands.push(plainText(value.slice(0, code?.index)).replace(/[\s(（→—–-]+$/u, ''));
    exitCode = code?.[1] ?? exitCode;
  }
  return { keys, commands: commands.map((command) => commandRef(command, exitCode)) };
}

/** What an account's title and fields say. */
function accountFacts(text: string, title: string, phase: string, body: readonly string[], detail: string) {
  const { keys, commands } = fieldsOf(body);
  const id = ID_AT_HEAD.exec(title)?.[0] ?? '';
  const rest = title.slice(id.length).replace(/^[\s:：|,，—–-]+/, '');
  const said = [rest, keys.get('what') ?? ''].filter((text) => text !== '').join(' — ');
  const isBare = said === '' || hasOnlyDayWords(said);
  return {
    summary: withOutcome(isBare ? firstText(body) || text : said, [keys.get('status') ?? '', keys.get('result') ?? '']),
    taskId: id || (keys.get('task') ?? '') || taskIn(title) || taskIn(detail),
    actor: keys.get('actor') ?? '',
    phase: keys.get('phase') ?? phase,
    detail,
    commands,
  };
}

/** What an item or a line says: its text, or where that is short the next line too. */
function lineFacts(said: string, phase: string, body: readonly string[], detail: string, box: Entry['box']) {
  const [named, inParens, role] = ACTOR.exec(said) ?? [''];
  const head = said.slice(named.length).trim();
  const title = plainText(head);
  const more = title.length < SHORT_CHARS ? firstText(body) : '';
  return {
    summary: withOutcome(
      title === '' ? more : more === '' ? title : `${title} — ${more}`,
      box === undefined ? [] : [box],
    ),
    taskId: taskIn(title) || taskIn(detail),
    actor: inParens ?? role ?? '',
    phase,
    detail: detail.trim() === '' ? '' : `${head}\n${detail}`,
    commands: [],
  };
}

/**
 * The event of an entry of a log's `lines`; its body ends before the line `next` (1-based). `year` is for days without
 * one.
 */
export function entryEvent(entry: Entry, lines: readonly string[], next: number | undefined, year?: string): LogEvent {
  const { line, end, time, day, text, phase, isHeading, box } = entry;
  const body = lines.slice(line, Math.min(end, (next ?? Number.POSITIVE_INFINITY) - 1));
  const detail = body
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd();
  // A date inside a sentence is a part of it.
  const isInside = time !== undefined && !isDateFirst(text, time);
  const rest = restOf(text, time);
  const said = isInside ? text : rest || (isHeading ? text : '');
  const facts = isHeading
    ? accountFacts(plainText(text), plainText(rest), phase, body, detail)
    : lineFacts(said, phase, body, detail, box);
  const refs = refsOf(`${text}\n${detail}`);
  const bare = new Set(facts.commands.map((command) => commandOf(command).command));
  const commands = [...facts.commands, ...refs.commands.filter((command) => !bare.has(commandOf(command).command))];
  const when = completeTime(time, day, year);
  const actor = facts.actor || entry.actor;
  return { line, ...when, ts: when.ts, ...facts, actor, ...refs, commands, type: box ? 'task' : 'event' };
}
