import * as z from 'zod/mini';
import type { LayerAnswer } from '../observations/layers';
import { ObservationError } from '../observations/observationError';
import type { ObservationService } from '../observations/observationService';
import { formatCount } from '../text/numbers';
import {
  type AnswerBudget,
  answerBudget,
  answerTokens,
  largestCount,
  profileInForce,
  roomAdvice,
  tooSmall,
} from './fitAnswer';
import { observationRow } from './rows';
import type { TableRow } from './tablePage';
import { ToolError } from './tool';
import { argumentsOf, defineTool, described, nameText, wholeNumber } from './toolInput';

/** More rows than any budget holds. */
const MAX_WINDOW = 500;

type Around = { readonly id: number } | { readonly taskId: string };

function aroundOf(id: number | undefined, task: string | undefined): Around {
  if (id !== undefined && task === undefined) return { id };
  if (task !== undefined && id === undefined) return { taskId: task };
  throw new ToolError('input', 'The call was not understood: give either id or task.');
}

async function layerOf(service: ObservationService, around: Around, window: number): Promise<LayerAnswer> {
  try {
    return await service.timeline({ around, window });
  } catch (error) {
    if (!ObservationError.is(error, 'unknown')) throw error;
    throw new ToolError('unknown', 'No event has this id or task. context_index lists what there is.');
  }
}

/**
 * @param asked the event that the rows are around, from which nothing new is seen
 * @param larger what makes the window larger
 */
function render(rows: readonly TableRow[], total: number, asked: string | undefined, larger: string): string {
  const left = Math.max(0, total - rows.length);
  const ends = [rows[0]?.handle, rows.at(-1)?.handle].filter((handle) => handle !== undefined && handle !== asked);
  const next = ends.length > 0 ? `id ${[...new Set(ends)].join(' or ')}` : larger;
  const foot = left > 0 ? `… ${formatCount(left)} more around: ${next}\n` : '';
  return rows.map(({ text }) => text).join('') + foot;
}

/** The largest window that fits; each is another request, since rows on both sides of the centre go. */
async function fitTimeline(
  layerAt: (window: number) => Promise<LayerAnswer>,
  window: number,
  asked: string | undefined,
  budget: AnswerBudget,
): Promise<string> {
  const answers = new Map<number, string>();
  const fits = async (count: number): Promise<boolean> => {
    const { rows, total } = await layerAt(count);
    const answer = render(
      rows.map(observationRow),
      total,
      asked,
      count < window ? roomAdvice(budget) : 'give a larger window',
    );
    answers.set(count, answer);
    return (await answerTokens(answer, budget)) <= budget.tokens;
  };
  // Most often all of it fits.
  const count = (await fits(window)) ? window : await largestCount([1, window - 1], fits);
  const answer = count === undefined || count < 1 ? undefined : answers.get(count);
  if (answer === undefined) throw tooSmall(budget);
  return answer;
}

/** What happened around an event, in time order. */
export const CONTEXT_TIMELINE = defineTool({
  name: 'context_timeline',
  description: 'Events in time order, around one or of a task.',
  input: () =>
    argumentsOf({
      id: described(z.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)), 'event'),
      task: described(z.optional(nameText()), 'task id'),
      window: described(z.optional(wholeNumber(1, MAX_WINDOW)), 'rows at most'),
    }),
  answer: async ({ id, task, window }, host, call) => {
    const around = aroundOf(id, task);
    await host.workspace.whenCollected(call.signal);
    if (call.signal.aborted) return undefined;
    const service = host.workspace.observations;
    if (!service) throw new ToolError('unavailable', 'No events are kept here.');
    const { timelineTokens, topK } = profileInForce(host.workspace);
    const budget = answerBudget(host, call, timelineTokens);
    const rows = Math.max(1, window ?? topK.timeline);
    const asked = id === undefined ? undefined : String(id);
    return fitTimeline((count) => layerOf(service, around, count), rows, asked, budget);
  },
});
