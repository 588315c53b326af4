/**
 * The pieces of the text form: elements, index rows and the one-liners that stand for a section. It decides how a piece
 * is written, not which pieces a payload has. Every piece starts at a line start with a letter or `<` and ends with
 * `\n`, so that the token counts of pieces add up to the count of the whole (`tokens/lines.ts`).
 */

import type { ContextReport, PayloadReport, ReportSection } from '../model/report';
import type { PayloadMode, Status } from '../model/section';
import type { Escape } from '../text/elements';
import { elementName, sectionHandle, splitFromLine } from '../text/elements';
import { formatCount } from '../text/numbers';
import { toOneLine, toSentence } from '../text/sentence';

/** A block whose fence is longer than any run of backticks in the text, so that no line can close it (CommonMark 4.5). */
export function fenced(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  return `${fence}${language}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

function codeBlock(text: string): string {
  return fenced(text === '' ? '\n' : text, 'text');
}

/** One line in which nothing is a mark of Markdown or HTML. */
function plain(text: string): string {
  return toOneLine(text).replace(/[\\`*_[\]<>|#~&]/g, (mark) =>
    mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`,
  );
}

function header(report: ContextReport, { mode, budget }: PayloadReport): string {
  const tokens = `${formatCount(budget.tokens)} of ${formatCount(budget.budgetTokens)} tokens`;
  const chars = `${formatCount(budget.chars)} of ${formatCount(budget.hardCapChars)} characters`;
  return `# Context: ${plain(report.profile)}, ${mode}\n\n${tokens} · ${chars} · ${budget.status}\n`;
}

function renderTable(sections: readonly ReportSection[]): string {
  const rows = sections.map(
    ({ status, id, summary, tokensFull, handle }) =>
      `| ${status} | ${id} | ${plain(summary)} | ~${tokensFull} | \`${handle}\` |\n`,
  );
  return `\n| status | section | summary | tokens | handle |\n| --- | --- | --- | ---: | --- |\n${rows.join('')}`;
}

function renderSection({ id, status, disclosure, reason, text }: ReportSection): string {
  return `\n## ${id}\n\n${status} · ${disclosure} · ${plain(reason)}\n\n${codeBlock(text)}`;
}

/** The map of an index-only payload stands after its row in the section's text. */
function renderMap({ sections, repoMap }: PayloadReport): string {
  const section = repoMap && sections.find(({ source }) => source.kind === 'builtin' && source.builtin === 'repo-map');
  const map = section?.text.slice(section.text.indexOf('\n') + 1) ?? '';
  return section && map !== '' ? `\n## ${section.id}\n\n${codeBlock(map)}` : '';
}

function renderNotes(notes: readonly string[]): string {
  return notes.length === 0 ? '' : `\n## Notes\n\n${notes.map((note) => `- ${plain(note)}\n`).join('')}`;
}

/** A payload as Markdown, to be read by people: contents stand in fenced blocks that they cannot end. */
export function renderMarkdown(report: ContextReport, mode: PayloadMode): string {
  const payload = report.payloads[mode];
  const shown = payload.sections.filter(({ disclosure }) => disclosure !== 'omitted');
  const body = mode === 'index' ? renderTable(shown) + renderMap(payload) : shown.map(renderSection).join('');
  return header(report, payload) + body + renderNotes(payload.notes);
}

// Handles that name lines: `file:src/a.ts#L10-L40`, and `section:soul#L41` for all from that line on. Lines count from 1.

const FILE_HANDLE = /^(file:.+?)(?:#L(\d+)(?:-L?\d+)?)?$/;
/** The handle of what follows `shown` of `total` lines. */
export function restHandle(handle: string, shown: number, total: number): string {
  const match = FILE_HANDLE.exec(handle);
  if (!match) {
    const { base, line } = splitFromLine(handle);
    return `${base}#L${line + shown}`;
  }
  const start = Number(match[2] ?? 1);
  return `${match[1]}#L${start + shown}-L${start + total - 1}`;
}

/** A line that is blank is one; what follows the last line's end is none. */
export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** The text from that line on; undefined where it has no such line. */
export function textFromLine(text: string, line: number): string | undefined {
  if (line === 1) return text;
  const rest = text.split('\n').slice(line - 1);
  return line > countLines(text) ? undefined : rest.join('\n');
}

/** `<id>one line</id>` or the content on lines of its own; `content` is escaped already. Ends with `\n`. */
export function renderElement(id: string, content: string): string {
  const name = elementName(id);
  if (!content.includes('\n')) return `<${name}>${content}</${name}>\n`;
  return `<${name}>\n${content}${content.endsWith('\n') ? '' : '\n'}</${name}>\n`;
}

/** A cell of a row: one escaped line of at most a sentence's length, without the row's separator. */
export function toCell(text: string, escapeTags: Escape): string {
  // Folding white space may form a tag that was none before: escape comes last.
  return escapeTags(toSentence(text).replaceAll('|', '¦'));
}

/** What a row or a one-liner says of a section. */
interface RowFacts {
  readonly id: string;
  readonly status: Status;
  /** The sentence as a cell. */
  readonly cell: string;
  /** Tokens of the section in full. */
  readonly tokensFull: number;
}

/** A row of the index: `STATUS | id | sentence | ~N tok | section:id`, ends with `\n`. */
export function renderRow({ id, status, cell, tokensFull }: RowFacts): string {
  return `${status} | ${id} | ${cell} | ~${tokensFull} tok | ${sectionHandle(id)}\n`;
}

/** The content of an element that keeps one sentence; an alarm keeps its status word. */
export function renderSentence({ id, status, cell, tokensFull }: RowFacts): string {
  const alarm = status === 'OK' ? '' : `${status} | `;
  return `${alarm}${cell} | ~${tokensFull} tok | ${sectionHandle(id)}`;
}

/**
 * The content of a stub: that the section exists, what it would cost, how to ask for it. `titleCell` may be empty.
 * `lastCitedCycle`: the cycle's number, not its age, so that the line stays the same until it is cited again.
 */
export function renderStub(id: string, titleCell: string, tokensFull: number, lastCitedCycle?: number): string {
  const cited = lastCitedCycle === undefined ? '' : `last cited in cycle ${lastCitedCycle} | `;
  return `${titleCell === '' ? '' : `${titleCell} | `}~${tokensFull} tok | ${cited}${sectionHandle(id)}`;
}

/** The line that stands for entries left out of a list; the same for any number, so that dropping one more is free. */
export function renderMissingEntries(id: string, isNewestKept: boolean): string {
  return `… ${isNewestKept ? 'older' : 'more'} entries: ${sectionHandle(id)}\n`;
}
