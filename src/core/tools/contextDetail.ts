import { unknownWords } from '../workspace/detailResolver';
import { answerBudget, answerTokens, profileInForce, shareOf, tooSmall } from './fitAnswer';
import { maySayAgain } from './rows';
import { type ToolCall, ToolError, type ToolHost } from './tool';
import { argumentsOf, defineTool, listOf, nameText } from './toolInput';

/** Handles of one call. */
const MAX_HANDLES = 20;

/** Times that less is asked for where the host's tokenizer counts more than the workspace's. */
const MAX_TRIES = 8;

/** Handles that no search of symbols helps with. */
const NO_SYMBOL = /^(?:\d{1,15}$|section:|file:)/u;

async function answerDetail(handles: readonly string[], host: ToolHost, call: ToolCall): Promise<string | undefined> {
  const asked = [...new Set(handles.map((handle) => handle.trim()))];
  // The caps are those of the config, once it is read.
  await host.workspace.whenListed(call.signal);
  if (call.signal.aborted) return undefined;
  const { budgetTokens: wholeTokens, detailTokens } = profileInForce(host.workspace);
  const budget = answerBudget(host, call, wholeTokens);
  let budgetTokens = budget.tokens;
  for (let tries = 1; tries <= MAX_TRIES && budgetTokens > 0; tries++) {
    const detail = await host.workspace.detail(asked, { isNamed: true, budgetTokens });
    if (call.signal.aborted) return undefined;
    const { text, items, asRows, unknown } = detail;
    const names = unknown
      .map((handle) =>
        maySayAgain(handle)
          ? unknownWords(handle, detail)
          : `handles[${handles.findIndex((each) => each.trim() === handle)}]`,
      )
      .join(', ');
    if (unknown.length === asked.length) {
      const hint = asked.some((handle) => !NO_SYMBOL.test(handle)) ? ' context_search finds symbols by name.' : '';
      throw new ToolError('unknown', `Nothing here has this handle: ${names}.${hint}`);
    }
    if (items.length + asRows.length === 0) break;
    const answer = unknown.length > 0 ? `${text}nothing has this handle: ${names}\n` : text;
    const cost = await answerTokens(answer, budget);
    if (cost <= budget.tokens) {
      await host.cite([...new Set(items.map((item) => item.asked))]);
      return answer;
    }
    budgetTokens = Math.floor(budgetTokens * shareOf(answer, cost, budget) * 0.96);
  }
  const isOfCall = budget.isOfCall && budget.tokens < detailTokens;
  throw tooSmall({ tokens: Math.min(detailTokens, budget.tokens), isOfCall });
}

/** The texts behind handles; each expansion is a citation. */
export const CONTEXT_DETAIL = defineTool({
  name: 'context_detail',
  description:
    'The text behind handles: 12 (event), section:soul, sym:1f3a9c02 or Class.method (symbol), PATH:12, file:PATH#L10-L40. ' +
    'Code as its file has it, between marker lines. Read the lines that you will edit yourself.',
  input: () => argumentsOf({ handles: listOf(nameText(), 1, MAX_HANDLES) }),
  answer: ({ handles }, host, call) => answerDetail(handles, host, call),
});
