import * as z from 'zod/mini';
import type { DetailSource } from '../model/detail';
import { restHandle } from '../render/detail';
import { escapeReserved, renderDetail, splitFromLine } from '../text/elements';
import { formatCount } from '../text/numbers';
import { type AnswerBudget, answerBudget, answerTokens, largestCount, profileInForce, tooSmall } from './fitAnswer';
import type { ToolAnswer, ToolCall, ToolHost } from './tool';
import { ToolError } from './tool';
import { argumentsOf, defineTool, listOf, nameText } from './toolInput';

/** Handles of one call. */
const MAX_HANDLES = 20;

/** Lines too long for the cap that one item passes over; a file of such lines is no text. */
const MAX_HUGE_LINES = 8;

/** Handles that may be said again: they have no path in them. */
const PLAIN_HANDLE = /^(?:\d{1,15}|section:[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}|sym:[0-9a-f]{8})$/u;

/** Handles that no search of symbols helps with. */
const NO_SYMBOL = /^(?:\d{1,15}$|section:|file:)/u;

/** What a handle stands for; the workspace has masked it. */
interface Found {
  /** As it was asked for. */
  readonly asked: string;
  readonly source: Pick<DetailSource, 'handle' | 'title'>;
  /** Each with its `\n`; escaped. */
  readonly lines: readonly string[];
}

/** A found text as far as it is shown. */
interface Shown {
  readonly found: Found;
  readonly lines: readonly string[];
  readonly count: number;
}

/** All that an answer says. */
interface DetailParts {
  readonly shown: readonly Shown[];
  /** Handles that found no room. */
  readonly omitted: readonly string[];
  readonly unknown: readonly string[];
}

function restOf({ found, lines, count }: Shown): string | undefined {
  return count < lines.length ? restHandle(found.source.handle, count, lines.length) : undefined;
}

function contentOf(shown: Shown): string {
  const { lines, count } = shown;
  const rest = restOf(shown);
  const left = formatCount(lines.length - count);
  const note = rest === undefined ? '' : `… ${left} of ${formatCount(lines.length)} lines more: ${rest}\n`;
  return lines.slice(0, count).join('') + note;
}

function render({ shown, omitted, unknown }: DetailParts): ToolAnswer {
  const rests = shown.map(restOf).filter((rest) => rest !== undefined);
  const notes = [
    ...(omitted.length > 0 ? [`left out, ask again: ${omitted.join(', ')}\n`] : []),
    ...(unknown.length > 0 ? [`nothing has this handle: ${unknown.join(', ')}\n`] : []),
  ];
  const elements = shown.map((each) => renderDetail(each.found.source, contentOf(each)));
  return {
    text: [...elements, ...notes].join(''),
    structured: {
      items: shown.map((each) => {
        const { handle, title } = each.found.source;
        return { handle, title, text: contentOf(each) };
      }),
      left_out: omitted.length + rests.length,
      next: [...rests, ...omitted],
      unknown,
    },
  };
}

/** How a handle that leads nowhere is named: by its place when it may hold a path. */
function nameOf(handle: string, at: number): string {
  return PLAIN_HANDLE.test(handle.trim()) ? handle.trim() : `handles[${at}]`;
}

async function findOne(host: ToolHost, given: string): Promise<readonly Found[]> {
  const asked = given.trim();
  const { base, line: from } = splitFromLine(asked);
  const { items } = await host.workspace.resolve([base]);
  return items.flatMap(({ handle, title, text: plain }) => {
    const text = escapeReserved(plain).replace(/\n$/, '');
    const lines = text === '' ? [] : text.split('\n').slice(from - 1);
    // A line that is not there: the handle leads nowhere.
    if (lines.length === 0 && from > 1) return [];
    const source = { handle: base === asked ? handle : asked, title };
    return [{ asked, source, lines: lines.map((line) => `${line}\n`) }];
  });
}

/** Shows as many lines of `found` beside the others as its own cap and the whole one hold; undefined when none fit. */
async function fitItem(
  found: Found,
  before: DetailParts,
  own: AnswerBudget,
  whole: AnswerBudget,
): Promise<Shown | undefined> {
  let lines = found.lines;
  const keeps = async (shown: Shown): Promise<boolean> => {
    if (!(await keepsAlone(shown, own))) return false;
    const all = render({ ...before, shown: [...before.shown, shown] });
    return (await answerTokens(all, whole)) <= whole.tokens;
  };
  for (let huge = 0; ; huge++) {
    const fits = (count: number): Promise<boolean> => keeps({ found, lines, count });
    const count = (await fits(lines.length))
      ? lines.length
      : await largestCount([0, Math.max(0, lines.length - 1)], fits);
    if (count === undefined) return undefined;
    const line = lines[count];
    const isHuge =
      huge < MAX_HUGE_LINES &&
      line !== undefined &&
      (await answerTokens({ text: line, structured: { line } }, own)) > own.tokens / 2 &&
      !(await keepsAlone({ found, lines: [line, ''], count: 1 }, own));
    if (!isHuge)
      return count === 0 && lines.length > 0 && before.shown.length > 0 ? undefined : { found, lines, count };
    // A line is never cut apart: one that no answer could hold is named instead.
    const said = `… a line of ${formatCount(line.length - 1)} characters\n`;
    lines = lines.map((each, at) => (at === count ? said : each));
  }
}

/** Whether an item's own cap holds it, were it the whole answer. */
async function keepsAlone(shown: Shown, own: AnswerBudget): Promise<boolean> {
  return (await answerTokens(render({ shown: [shown], omitted: [], unknown: [] }), own)) <= own.tokens;
}

/** What to ask for again: the handle as it was given, or each one's own where it leads to several. */
function againOf(found: readonly Found[], left: readonly Found[]): readonly string[] {
  const isAlone = ({ asked }: Found): boolean => found.filter((each) => each.asked === asked).length === 1;
  return [...new Set(left.map((each) => (isAlone(each) ? each.asked : each.source.handle)))];
}

async function fitDetail(found: readonly Found[], unknown: readonly string[], own: AnswerBudget, whole: AnswerBudget) {
  let left = found;
  let parts: DetailParts = { shown: [], omitted: againOf(found, left), unknown };
  for (const each of found) {
    const others = left.filter((other) => other !== each);
    const omitted = againOf(found, others);
    const shown = await fitItem(each, { ...parts, omitted }, own, whole);
    if (!shown) continue;
    left = others;
    parts = { ...parts, omitted, shown: [...parts.shown, shown] };
  }
  const answer = render(parts);
  if (parts.shown.length === 0) throw tooSmall(own.tokens < whole.tokens ? own : whole);
  if ((await answerTokens(answer, whole)) > whole.tokens) throw tooSmall(whole);
  return { answer, cited: parts.shown.map(({ found: { asked } }) => asked) };
}

async function answerDetail(
  handles: readonly string[],
  host: ToolHost,
  call: ToolCall,
): Promise<ToolAnswer | undefined> {
  const found: Found[] = [];
  const unknown: string[] = [];
  for (const [at, handle] of [...new Set(handles)].entries()) {
    const items = await findOne(host, handle);
    if (call.signal.aborted) return undefined;
    found.push(...items);
    if (items.length === 0) unknown.push(nameOf(handle, at));
  }
  if (found.length === 0) {
    const hint = handles.some((handle) => !NO_SYMBOL.test(handle.trim()))
      ? ' context_search finds symbols by name.'
      : '';
    throw new ToolError('unknown', `Nothing here has this handle: ${unknown.join(', ')}.${hint}`);
  }
  const { detailTokens, budgetTokens } = profileInForce(host.workspace);
  const whole = answerBudget(host, call, budgetTokens);
  const own = answerBudget(host, call, detailTokens);
  const { answer, cited } = await fitDetail(found, unknown, own, whole);
  await host.cite([...new Set(cited)]);
  return answer;
}

/** The texts behind handles; each expansion is a citation. */
export const CONTEXT_DETAIL = defineTool({
  name: 'context_detail',
  title: 'Context detail',
  description:
    'The text behind handles: 12 (event), section:soul, sym:1f3a9c02 or Class.method (symbol), PATH:12, file:PATH#L10-L40. ' +
    'Ask for what you need, not more.',
  input: () => argumentsOf({ handles: listOf(nameText(), 1, MAX_HANDLES) }),
  output: () =>
    z.object({
      items: z.array(z.object({ handle: z.string(), title: z.string(), text: z.string() })),
      left_out: z.number(),
      next: z.array(z.string()),
      unknown: z.array(z.string()),
    }),
  answer: ({ handles }, host, call) => answerDetail(handles, host, call),
});
