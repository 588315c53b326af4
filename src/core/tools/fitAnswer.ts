/** Whether an answer keeps its budget, and the largest one that does. */

import { profileOf } from '../config/config';
import type { Profile } from '../model/profile';
import { plural } from '../text/numbers';
import type { Workspace } from '../workspace/workspace';
import type { ToolCall, ToolHost } from './tool';
import { ToolError } from './tool';

/** A budget of one call. Both caps are inclusive. */
export interface AnswerBudget {
  /** By the host's tokenizer. */
  readonly tokens: number;
  /** UTF-16 code units. */
  readonly chars: number;
  /** Whether the call set `tokens`, so that another may set more; else a cap of the profile did. */
  readonly isOfCall: boolean;
  readonly host: Pick<ToolHost, 'countTokens'>;
}

/** The caps in force of a workspace that has read its config. */
export function profileInForce({ snapshot }: Pick<Workspace, 'snapshot'>): Profile {
  return profileOf(snapshot.config, snapshot.profile);
}

/** What a call may cost: its layer's cap, the profile's, and the host's, whichever is least. */
export function answerBudget(host: ToolHost, call: ToolCall, layerTokens: number): AnswerBudget {
  const { budgetTokens, hardCapChars } = profileInForce(host.workspace);
  const cap = Math.min(layerTokens, budgetTokens);
  const tokens = Math.min(cap, call.budgetTokens ?? Number.POSITIVE_INFINITY);
  return { tokens: Math.max(0, Math.floor(tokens)), chars: hardCapChars, isOfCall: tokens < cap, host };
}

/** What an answer costs in tokens; infinite above the cap of characters. */
export async function answerTokens(answer: string, { host, chars }: AnswerBudget): Promise<number> {
  if (answer.length > chars) return Number.POSITIVE_INFINITY;
  const [tokens = Number.POSITIVE_INFINITY] = await host.countTokens([answer]);
  return tokens;
}

/** The share of its budget that an answer should ask for next, which cost `tokens`; half where a cap of the host alone is passed. */
export function shareOf(answer: string, tokens: number, budget: AnswerBudget): number {
  if (Number.isFinite(tokens)) return budget.tokens / tokens;
  return answer.length > budget.chars ? budget.chars / answer.length : 0.5;
}

/** How an answer gets more room. */
export function roomAdvice({ isOfCall }: Pick<AnswerBudget, 'isOfCall'>): string {
  return isOfCall ? 'give a larger budget' : 'raise the cap in the config';
}

/** That no answer fits, and what can be done about it. */
export function tooSmall({ tokens, isOfCall }: Pick<AnswerBudget, 'tokens' | 'isOfCall'>): ToolError {
  const advice = `${isOfCall ? '' : 'ask for less, or '}${roomAdvice({ isOfCall })}`;
  return new ToolError('budget', `No answer fits into ${plural(tokens, 'token')}: ${advice}.`);
}

/**
 * The largest count from `least` to `most` that fits, if cost grows with the count; a smaller one where it does not
 * quite; `undefined` when not even `least` fits. Doubles its steps, so that a small budget costs what it holds, not what
 * there is.
 */
export async function largestCount(
  [least, most]: readonly [least: number, most: number],
  fits: (count: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (!(await fits(least))) return undefined;
  let low = least;
  let high = Math.min(least + 1, most);
  while (low < high && (await fits(high))) {
    low = high;
    high = Math.min(high * 2, most);
  }
  high -= 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The answer of the largest count that fits. @throws ToolError `budget` when not even the answer of `least` does */
export async function largestAnswer(
  range: readonly [least: number, most: number],
  render: (count: number) => string,
  budget: AnswerBudget,
): Promise<string> {
  const fits = async (count: number): Promise<boolean> => (await answerTokens(render(count), budget)) <= budget.tokens;
  const count = await largestCount(range, fits);
  if (count === undefined) throw tooSmall(budget);
  return render(count);
}
