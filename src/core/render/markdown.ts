import type { ContextReport, PayloadReport, ReportSection } from '../model/report';
import type { PayloadMode } from '../model/section';
import { fenceOf } from '../text/elements';
import { formatCount } from '../text/numbers';
import { toOneLine } from '../text/sentence';

/** A block that no line of the text can close. */
export function fenced(text: string, language = ''): string {
  const fence = fenceOf(text);
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

/** What stands below a section's row in an index-only payload: rows of files or observations, or the map. */
function renderBelow({ id, text }: ReportSection): string {
  const [, below = ''] = text.split(/\n([\s\S]*)/);
  return below === '' ? '' : `\n## ${id}\n\n${codeBlock(below)}`;
}

function renderNotes(notes: readonly string[]): string {
  return notes.length === 0 ? '' : `\n## Notes\n\n${notes.map((note) => `- ${plain(note)}\n`).join('')}`;
}

/** A payload as Markdown, to be read by people: contents stand in fenced blocks that they cannot end. */
export function renderMarkdown(report: ContextReport, mode: PayloadMode): string {
  const payload = report.payloads[mode];
  const shown = payload.sections.filter(({ disclosure }) => disclosure !== 'omitted');
  const isIndex = mode === 'index';
  const body = (isIndex ? renderTable(shown) : '') + shown.map(isIndex ? renderBelow : renderSection).join('');
  return header(report, payload) + body + renderNotes(payload.notes);
}
