import * as z from 'zod/mini';
import type { Problem } from '../model/problem';
import type { PayloadReport } from '../model/report';
import { formatCount } from '../text/numbers';
import { toOneLine } from '../text/sentence';
import { defineTool } from './defineTool';
import { answerBudget, profileInForce } from './fitAnswer';
import { fitTable, type TableRow, tableOutput } from './tablePage';
import type { ToolHost } from './tool';
import { ToolError } from './toolError';
import { argumentsOf, described, nameText } from './toolInput';
import { withoutPlaces } from './withoutPlaces';

const COLUMNS: readonly string[] = ['handle', 'status', 'tokens', 'full', 'shown'];

/** Problems that are told; the panel tells all. */
const MAX_PROBLEMS = 3;

function totals({ budget }: PayloadReport): string {
  const { tokens, budgetTokens, chars, hardCapChars, status } = budget;
  const used = `${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens`;
  return `${status}: ${used}, ${formatCount(chars)} of ${formatCount(hardCapChars)} characters\n`;
}

function rowsOf({ sections }: PayloadReport): readonly TableRow[] {
  return sections.map(({ handle, status, tokens, tokensFull, disclosure, reason }) => {
    const shown = toOneLine(`${disclosure}: ${reason}`).replaceAll('|', '¦');
    return {
      handle,
      text: `${status} | ${handle} | ${tokens} of ${tokensFull} tok | ${shown}\n`,
      cells: [handle, status, tokens, tokensFull, shown],
    };
  });
}

async function problemNotes(host: ToolHost, problems: readonly Problem[]): Promise<readonly string[]> {
  const told = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ severity, message }) => `${severity}: ${withoutPlaces(toOneLine(message))}`);
  const more = problems.length - told.length;
  return [...(await host.maskText(told)), ...(more > 0 ? [`${formatCount(more)} more problems`] : [])];
}

/** What the context costs, section by section. */
export const CONTEXT_BUDGET = defineTool({
  name: 'context_budget',
  title: 'Context budget',
  description: "What this workspace's context costs an agent, section by section, in tokens, against its caps.",
  input: () => argumentsOf({ after: described(z.optional(nameText()), 'go on after this handle') }),
  output: tableOutput,
  answer: async ({ after }, host, call) => {
    const { report, problems } = await host.session.whenReady(call.signal);
    if (call.signal.aborted) return undefined;
    if (!report) throw new ToolError('failed', 'The folder could not be read.');
    const rows = rowsOf(report.payloads.expanded);
    const at = after === undefined ? -1 : rows.findIndex(({ handle }) => handle === after.trim());
    if (after !== undefined && at < 0) throw new ToolError('unknown', 'after: no section has this handle.');
    const page = {
      head: [totals(report.payloads.expanded)],
      columns: COLUMNS,
      groups: [{ rows: rows.slice(at + 1), more: 0 }],
      notes: await problemNotes(host, problems),
    };
    const { indexTokens } = profileInForce(host.session);
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});
