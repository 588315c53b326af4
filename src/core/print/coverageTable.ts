/**
 * The `agents` table: coverage as rows for people (text, Markdown) and programs (XML, JSON). It decides how things are
 * laid out; every number and reason is the coverage's own. English, since agents read it too.
 */

import type { AgentCoverage, CoveredFile, FileFate, UnreadImport } from '../agents/agentCoverage';
import { AGENT_TABLE } from '../agents/agentTable';
import type { TableFormat } from '../render/renderPayload';
import { fitWidth } from '../text/displayWidth';
import { formatCount } from '../text/numbers';
import { inEnglish } from '../text/phrase';
import { markdownCell, markdownTable, printable, TABLE_COLUMNS, textTable, wrap } from '../text/textTable';
import { type Column, left, partOf, right, withGap } from './renderUsageReport';

/** What a table is about. */
interface CoverageView {
  /** The file that the chains are computed for; undefined for the root alone. */
  readonly activePath: string | undefined;
  readonly agents: readonly AgentCoverage[];
}

const FATES: Readonly<Record<FileFate, string>> = {
  loaded: 'loaded',
  truncated: 'truncated',
  dropped: 'dropped',
  shadowed: 'shadowed',
  onDemand: 'on demand',
};

const COLUMNS: readonly Column<CoveredFile>[] = [
  left('Fate', ({ fate, isDoubtful }) => `${FATES[fate]}${isDoubtful ? ' ?' : ''}`),
  { ...left('File', ({ path }) => printable(path)), cut: 'middle' },
  right('Bytes', ({ bytes }) => formatCount(bytes)),
  right('Lost', ({ bytesLost }) => (bytesLost === 0 ? '' : formatCount(bytesLost))),
  right('Cut', ({ cutLine }) => (cutLine === undefined ? '' : `line ${formatCount(cutLine)}`)),
];

/** Where reasons stand below their row: under the file. */
const WHY_INDENT = 15;

const DOUBT = "? = unconfirmed by the agent's documentation";

function whyOf({ importedBy, why }: CoveredFile): string {
  const imported = importedBy === undefined ? [] : [`imported by ${importedBy}`];
  return [...imported, ...(why ? [inEnglish(why)] : [])].join('; ');
}

/** The tables' lines: the head, then those of each file, with its reason below. */
function fileLines(files: readonly CoveredFile[]): readonly (readonly string[])[] {
  const indent = ' '.repeat(WHY_INDENT);
  const { columns, rows } = partOf(undefined, files, COLUMNS);
  return textTable(columns, rows, [['File', 16]]).map((line, at) => {
    const file = files[at - 1];
    const why = file ? printable(whyOf(file)) : '';
    const below = why === '' ? [] : wrap(why, TABLE_COLUMNS - WHY_INDENT);
    return [line, ...below.map((each) => `${indent}${each}`)];
  });
}

function heading({ name, bytesLoaded, bytesLost }: AgentCoverage): string {
  const lost = bytesLost === 0 ? 'nothing lost' : `${formatCount(bytesLost)} lost`;
  return `${name}: ${formatCount(bytesLoaded)} bytes read, ${lost}`;
}

const UNREAD: Readonly<Record<UnreadImport['reason'], string>> = {
  missing: 'the file does not exist',
  outside: 'it leaves the folder, and is asked about or refused',
  tooDeep: 'it is an import of too many imports',
};

function unreadLines({ unreadImports = [] }: AgentCoverage): readonly string[] {
  return unreadImports.map(
    ({ path, line, target, reason }) =>
      `Import not read: @${printable(target)} (${printable(path)}, line ${formatCount(line)}): ${UNREAD[reason]}`,
  );
}

function title({ activePath }: CoverageView): string {
  const what = activePath === undefined ? 'at the root of the folder' : `for work on ${printable(activePath)}`;
  return `What agents read ${what}`;
}

/** Remarks below the tables. */
function remarks({ agents }: CoverageView): readonly string[] {
  const empty = agents.filter(({ files }) => files.length === 0).map(({ name }) => name);
  const isDoubtful = agents.some(({ files }) => files.some((file) => file.isDoubtful));
  return [...(empty.length > 0 ? [`Nothing to read for: ${empty.join(', ')}`] : []), ...(isDoubtful ? [DOUBT] : [])];
}

function renderText(view: CoverageView): string {
  const shown = view.agents.filter(({ files }) => files.length > 0);
  const [head, ...rows] = fileLines(shown.flatMap(({ files }) => files));
  const lines = [fitWidth(title(view), TABLE_COLUMNS, 'end'), ''];
  if (shown.length > 0) lines.push(...(head ?? []));
  let at = 0;
  for (const agent of shown) {
    lines.push('', heading(agent), ...rows.slice(at, at + agent.files.length).flat());
    lines.push(...unreadLines(agent).flatMap((line) => wrap(line, TABLE_COLUMNS)));
    at += agent.files.length;
  }
  const below = remarks(view).flatMap((line) => wrap(line, TABLE_COLUMNS));
  return `${[...lines, ...(shown.length > 0 && below.length > 0 ? [''] : []), ...below].join('\n')}\n`;
}

function renderMarkdown(view: CoverageView): string {
  const why = left('Why', (file: CoveredFile) => printable(whyOf(file)));
  const shown = view.agents.filter(({ files }) => files.length > 0);
  const parts = shown.flatMap((agent) => {
    const { columns, rows } = partOf(undefined, agent.files, [...COLUMNS, why]);
    const unread = unreadLines(agent).map((line) => `- ${markdownCell(line)}`);
    return ['', `### ${heading(agent)}`, '', ...markdownTable(columns, rows), ...withGap(unread)];
  });
  const below = remarks(view).map((line) => `- ${markdownCell(line)}`);
  return `${[`## ${markdownCell(title(view))}`, ...parts, ...withGap(below)].join('\n')}\n`;
}

function fileJson(file: CoveredFile) {
  return {
    path: file.path,
    fate: FATES[file.fate].replace(' ', '_'),
    bytes: file.bytes,
    lines: file.isUnread ? null : file.lines,
    bytes_lost: file.bytesLost,
    cut_line: file.cutLine ?? null,
    imported_by: file.importedBy ?? null,
    why: file.why ? inEnglish(file.why) : null,
    doubtful: file.isDoubtful,
    // Of another folder: it is not in the agent's sums.
    ...(file.isElsewhere ? { elsewhere: true } : {}),
  };
}

function toJson({ activePath, agents }: CoverageView) {
  return {
    version: 'agents.v1',
    file: activePath ?? null,
    agents: agents.map(({ agent, name, bytesLoaded, bytesLost, files, unreadImports = [] }) => {
      const rules = AGENT_TABLE.find((each) => each.agent === agent);
      return {
        agent,
        name,
        as_of: rules?.asOf ?? null,
        sources: rules?.sources ?? [],
        bytes_loaded: bytesLoaded,
        bytes_lost: bytesLost,
        files: files.map(fileJson),
        unread_imports: unreadImports,
      };
    }),
  };
}

/** Coverage as a table for each agent that reads anything. Text is at most `TABLE_COLUMNS` wide. */
export function renderCoverage(view: CoverageView, format: TableFormat): string {
  if (format === 'json') return `${JSON.stringify(toJson(view), null, 2)}\n`;
  return format === 'text' ? renderText(view) : renderMarkdown(view);
}
