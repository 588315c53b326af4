import * as z from 'zod/mini';
import { isObservationHandle } from '../model/observation';
import type { ReportSection } from '../model/report';
import { WORST_FIRST } from '../model/section';
import type { WorkspaceSnapshot } from '../workspace/workspace';
import { answerBudget, profileInForce } from './fitAnswer';
import { emptyNotes, eventGroup, sectionRow } from './rows';
import { fitTable, type RowGroup, rowsAfter } from './tablePage';
import { argumentsOf, defineTool, described, nameText, queryText } from './toolInput';

/** Sections with something to show, alarms first, else in the order of the payload. */
function byAlarm(sections: readonly ReportSection[]): readonly ReportSection[] {
  const shown = sections.filter(({ isExcluded }) => !isExcluded);
  return WORST_FIRST.flatMap((status) => shown.filter((section) => section.status === status));
}

/** The group of sections after the one with that handle. @throws ToolError `unknown` when there is none */
function sectionGroup(snapshot: WorkspaceSnapshot, after: string | undefined): RowGroup {
  const sections = byAlarm(snapshot.report?.payloads.index.sections ?? []);
  return { rows: rowsAfter(sections, after, 'no row has this handle').map(sectionRow), more: 0 };
}

/** What there is: a row a section and a row an observation, from which an agent asks for details. */
export const CONTEXT_INDEX = defineTool({
  name: 'context_index',
  description:
    'What is known here, a row each: sections (alarms first), then recorded events, newest first; handles for detail.',
  input: () =>
    argumentsOf({
      query: described(z.optional(queryText()), 'only events with these words'),
      task: described(z.optional(nameText()), 'only events of this task id'),
      after: described(z.optional(nameText()), 'go on after this handle'),
    }),
  answer: async ({ query, task, after }, host, call) => {
    const snapshot = await host.workspace.whenCollected(call.signal);
    if (call.signal.aborted) return undefined;
    const isAfterEvent = after !== undefined && isObservationHandle(after);
    const hasSections = query === undefined && task === undefined && !isAfterEvent;
    const sections = hasSections ? [sectionGroup(snapshot, after)] : [];
    const { indexTokens, topK } = profileInForce(host.workspace);
    const events = await eventGroup(host, { query, task, after: isAfterEvent ? after : undefined, limit: topK.index });
    const isEmpty = [...sections, ...events].every(({ rows }) => rows.length === 0);
    // Words that other tasks have are no reason.
    const match = events.find((group) => group.match?.isMatch === false)?.match;
    const page = {
      head: [],
      groups: [...sections, ...events],
      notes: isEmpty ? emptyNotes(match) : [],
      isInOrder: true,
    };
    return fitTable(page, answerBudget(host, call, indexTokens));
  },
});
