import * as z from 'zod/mini';
import { isObservationHandle } from '../model/observation';
import type { ReportSection } from '../model/report';
import { WORST_FIRST } from '../model/status';
import type { SessionSnapshot } from '../workspace/workspace';
import { defineTool } from './defineTool';
import { eventGroup } from './eventGroup';
import { answerBudget, profileInForce } from './fitAnswer';
import { ROW_COLUMNS, sectionRows } from './rows';
import { fitTable, type RowGroup, tableOutput } from './tablePage';
import type { ToolHost } from './tool';
import { ToolError } from './toolError';
import { argumentsOf, described, nameText, queryText } from './toolInput';

/** Sections with something to show, alarms first, else in the order of the payload. */
function byAlarm(sections: readonly ReportSection[]): readonly ReportSection[] {
  const shown = sections.filter(({ isExcluded }) => !isExcluded);
  return WORST_FIRST.flatMap((status) => shown.filter((section) => section.status === status));
}

/** The group of sections after the one with that handle. @throws ToolError `unknown` when there is none */
async function sectionGroup(host: ToolHost, snapshot: SessionSnapshot, after: string | undefined): Promise<RowGroup> {
  const sections = byAlarm(snapshot.report?.payloads.index.sections ?? []);
  const at = after === undefined ? -1 : sections.findIndex(({ handle }) => handle === after);
  if (after !== undefined && at < 0) throw new ToolError('unknown', 'after: no row has this handle.');
  return { rows: await sectionRows(host, sections.slice(at + 1)), more: 0 };
}

/** What there is: a row a section and a row an observation, from which an agent asks for details. */
export const CONTEXT_INDEX = defineTool({
  name: 'context_index',
  title: 'Context index',
  description:
    'What there is to know here, a row each: sections (alarms first), then recorded events, newest first. Rows give a ' +
    'handle and what its detail costs. Start here.',
  input: () =>
    argumentsOf({
      query: described(z.optional(queryText()), 'events with these words only, best first'),
      task: described(z.optional(nameText()), 'events of this task id only'),
      after: described(z.optional(nameText()), 'go on after this handle'),
    }),
  output: tableOutput,
  answer: async ({ query, task, after }, host, call) => {
    const snapshot = await host.session.whenCollected(call.signal);
    if (call.signal.aborted) return undefined;
    const isAfterEvent = after !== undefined && isObservationHandle(after);
    const hasSections = query === undefined && task === undefined && !isAfterEvent;
    const sections = hasSections ? [await sectionGroup(host, snapshot, after)] : [];
    const limit = profileInForce(host.session).topK.index;
    const wanted = { query, task, after: isAfterEvent ? after : undefined, limit };
    const events = await eventGroup(host, wanted);
    const { indexTokens } = profileInForce(host.session);
    const isEmpty = [...sections, ...events].every(({ rows }) => rows.length === 0);
    const page = {
      head: [],
      columns: ROW_COLUMNS,
      groups: [...sections, ...events],
      notes: isEmpty ? ['Nothing matches.'] : [],
      isInOrder: true,
    };
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});
