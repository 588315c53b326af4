/** Snapshots of the page of a session as a host sends them. `normal` is the session of the design: 22 turns, 63 requests. */

const NONE = { instructions: 0, user: 0, read: 0, search: 0, command: 0, edit: 0, subagent: 0, web: 0, assistant: 0 };
const NO_PARTS = { ...NONE, thinking: 0, summary: 0, mcp: {}, residual: 0 };

const sumOf = ({ mcp, ...plain }) =>
  [...Object.values(plain), ...Object.values(mcp)].reduce((sum, each) => sum + each, 0);

function step(number, parts, more = {}) {
  const whole = { ...NO_PARTS, ...parts };
  return {
    number,
    turn: number,
    requests: 3,
    parts: whole,
    tokens: sumOf(whole),
    isCompacted: false,
    cacheBreaks: 0,
    ...more,
  };
}

/** Grows until turn 14, is compacted, and grows again. */
function turn(number) {
  const own = number <= 14 ? number - 1 : number - 15;
  const parts = {
    residual: 33_600,
    instructions: 4_400,
    read: 4_900 * own + (number % 3) * 300,
    edit: 150 * own,
    command: 1_090 * own,
    search: 40 * own,
    mcp: own > 3 ? { github: 3_100, 'a very long name of a server that nobody called': own > 10 ? 700 : 0 } : {},
    user: 420 + 160 * own,
    assistant: 500 + 620 * own,
    thinking: 90 * own,
    summary: number > 14 ? 13_800 : 0,
  };
  // The design's exact peak.
  const rest = number === 14 ? 148_200 - sumOf({ ...NO_PARTS, ...parts }) : 0;
  return step(
    number,
    { ...parts, command: parts.command + rest },
    {
      isCompacted: number === 15,
      cacheBreaks: number === 11 || number === 18 ? 1 : 0,
    },
  );
}

const STEPS = Array.from({ length: 22 }, (_, at) => turn(at + 1));

const phrase = (message, ...args) => ({ message, args });

const FINDINGS = [
  {
    rule: 'cache-break',
    fix: 'none',
    sentence: phrase('The cache broke {0} times', 2),
    evidence: phrase(
      '{0}; {1}',
      phrase('turn {0}: {1}', 11, phrase('{0} minutes between two requests', 12)),
      phrase('turn {0}: {1}', 18, phrase('model changed')),
    ),
    tokens: 120_300,
    path: undefined,
    line: 1,
    step: 10,
  },
  {
    rule: 'unused-output',
    fix: 'map',
    sentence: phrase('{0} was read, but not visibly used later', 'MEMORY.md'),
    evidence: phrase('{0} tokens, {1}', 6_230, phrase('turn {0}', '7')),
    tokens: 43_600,
    path: 'MEMORY.md',
    line: 1,
    step: 6,
  },
  {
    rule: 'read-again',
    fix: 'map',
    sentence: phrase('{0} was read {1} times', 'src/session.ts', 3),
    evidence: phrase('{0}, {1}', phrase('lines {0} to {1}', '1', '200'), phrase('turns {0}', '4, 9, 19')),
    tokens: 5_210,
    path: 'src/session.ts',
    line: 1,
    step: 18,
  },
  {
    rule: 'unused-server',
    fix: 'fewer-tools',
    sentence: phrase('MCP server {0} was never called', 'github'),
    evidence: phrase('Its tools are in each window, also of the other sessions'),
    tokens: 0,
    path: undefined,
    line: 1,
    step: 0,
  },
  {
    rule: 'lost-instruction',
    fix: 'none',
    sentence: phrase('An instruction was lost in a compaction'),
    evidence: phrase('“{0}”, turn {1}', 'Never push to the release branch.', 2),
    tokens: 0,
    path: undefined,
    line: 1,
    step: 14,
  },
];

export const PAGE = {
  id: 'claude-code:3f2a9c',
  agent: 'claude-code',
  model: 'claude-sonnet-4-5',
  title: 'fix login test',
  started: Date.parse('2026-11-22T10:12:00'),
  ended: Date.parse('2026-11-22T11:03:00'),
  turns: 22,
  requests: 63,
  peakTokens: 148_200,
  windowTokens: 200_000,
  findings: FINDINGS.length,
  usage: 'provider',
  compactions: 1,
  unit: 'turn',
  steps: STEPS,
  compactedAt: [13.5],
  cacheBreaks: 2,
  readTokens: 5_412_000,
  cachedTokens: 5_120_000,
  subagentTokens: 0,
  list: FINDINGS,
};

const ACTIONS = [undefined, 'onDemand', 'copyMap', undefined, undefined];

/** A state with its page changed. */
export function stateOf(changes = {}, snapshot = {}) {
  const base = {
    state: 'ready',
    name: 'fix login test',
    agent: 'Claude Code',
    folder: undefined,
    page: { ...PAGE, ...changes },
    actions: ACTIONS,
    undo: undefined,
    message: undefined,
  };
  return { snapshot: { ...base, ...snapshot } };
}

const NO_PAGE = { page: undefined, actions: [] };
const requests = (count) =>
  Array.from({ length: count }, (_, at) =>
    step(at + 1, { residual: 24_000, read: 400 * at }, { turn: 1 + (at >> 6), requests: 1 }),
  );

export const STATES = {
  normal: stateOf(),
  undo: stateOf(
    {},
    { undo: 'MEMORY.md on demand: −412 tokens', actions: [undefined, 'openFile', 'copyMap', undefined, undefined] },
  ),
  // One prompt, many requests, subagents, and a log without the provider's figures.
  requests: stateOf({
    unit: 'request',
    steps: requests(120),
    turns: 2,
    requests: 190,
    compactions: 4,
    compactedAt: [20.5, 22.5, 60.5, 118.5],
    subagentTokens: 1_900_000,
    usage: 'counted',
    windowTokens: undefined,
  }),
  one: stateOf({
    unit: 'request',
    steps: requests(1),
    turns: 1,
    requests: 1,
    compactions: 0,
    compactedAt: [],
    cacheBreaks: 0,
    list: [],
    findings: 0,
  }),
  none: stateOf({
    steps: [],
    turns: 1,
    requests: 0,
    compactions: 0,
    compactedAt: [],
    cacheBreaks: 0,
    readTokens: 0,
    cachedTokens: 0,
    list: [],
    findings: 0,
  }),
  // Names as long as they get, and of other scripts; a window that is hardly used; more findings than are shown at first.
  long: stateOf(
    {
      windowTokens: 1_048_576,
      list: Array.from({ length: 14 }, (_, at) => ({
        ...FINDINGS[2],
        sentence: phrase(
          '{0} was read twice',
          at % 2 === 0 ? `src/${'a-very-long-folder/'.repeat(6)}file.ts` : '源代码/会话与上下文.ts'.repeat(4),
        ),
      })),
    },
    { name: `登录测试 ${'and a title without an end '.repeat(5)}`, actions: [] },
  ),
  loading: stateOf({}, { ...NO_PAGE, state: 'loading' }),
  gone: stateOf({}, { ...NO_PAGE, state: 'gone' }),
  failed: stateOf({}, { ...NO_PAGE, state: 'failed', message: 'The thread of sessions ended with code 1' }),
};
