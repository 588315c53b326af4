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
