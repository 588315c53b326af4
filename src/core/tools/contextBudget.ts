import * as z from 'zod/mini';
import type { Problem } from '../model/problem';
import type { PayloadReport } from '../model/report';
import { formatCount, plural } from '../text/numbers';
import { toOneLine } from '../text/sentence';
import { answerBudget, profileInForce } from './fitAnswer';
import { withoutPlaces } from './rows';
import { fitTable, rowsAfter, type TableRow } from './tablePage';
import { ToolError } from './tool';
import { argumentsOf, defineTool, described, nameText } from './toolInput';

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
    return { handle, text: `${status} | ${handle} | ${tokens} of ${tokensFull} tok | ${shown}\n` };
  });
}

function problemNotes(all: readonly Problem[]): readonly string[] {
  const problems = all.filter(({ severity }) => severity !== 'hint');
  const told = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ severity, message }) => `${severity}: ${withoutPlaces(toOneLine(message))}`);
  const more = problems.length - told.length;
  return [...told, ...(more > 0 ? [plural(more, 'more problem')] : [])];
}

/** What the context costs, section by section. */
export const CONTEXT_BUDGET = defineTool({
  name: 'context_budget',
  description: 'What each section of the context costs in tokens, against the caps.',
  input: () => argumentsOf({ after: described(z.optional(nameText()), 'go on after this handle') }),
  answer: async ({ after }, host, call) => {
    const { report } = await host.workspace.whenReady(call.signal);
    if (call.signal.aborted) return undefined;
    if (!report) throw new ToolError('failed', 'The folder could not be read.');
    const rows = rowsAfter(rowsOf(report.payloads.expanded), after?.trim(), 'no section has this handle');
    const page = {
      head: [totals(report.payloads.expanded)],
      groups: [{ rows, more: 0 }],
      notes: problemNotes(await host.problems()),
    };
    const { indexTokens } = profileInForce(host.workspace);
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});
