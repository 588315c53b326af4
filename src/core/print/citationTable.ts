import { displayWidth, padWidth } from '../text/displayWidth';
import type { Citation } from '../usage/usageRecord';

const HEAD = ['section', 'evidence', 'what'] as const;

function row(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, at) => padWidth(cell, widths[at] ?? 0, 'left'));
  return `${padded.join('  ').trimEnd()}\n`;
}

/** Citations as a table of text: section, evidence, what was seen. Empty when there are none. */
export function renderCitationTable(cited: readonly Citation[]): string {
  if (cited.length === 0) return '';
  const rows = [HEAD, ...cited.map(({ id, evidence, what }) => [id, evidence, what])];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((cells) => displayWidth(cells[at] ?? ''))));
  return rows.map((cells) => row(cells, widths)).join('');
}
