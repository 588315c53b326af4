import { describe, expect, it } from 'vitest';
import { asGiven, inEnglish } from '../../../../../src/core/text/phrase';
import { findingWords, groupFindings } from '../../../../../src/core/window/sessions/findingWords';
import type { Finding } from '../../../../../src/core/window/sessions/sessionData';
import { sessionPage, sessionRow } from '../../../../../src/core/window/sessions/sessionPage';
import { type AgentSession, type SessionRequest, sumOf } from '../../../../../src/core/window/sessions/sessions';
import { subagentCost } from '../../../../../src/core/window/sessions/windowFindings';

/** A request of a turn with a window of so many tokens. */
function request(turn: number, window: number, more: Partial<SessionRequest> = {}): SessionRequest {
  const key = `${turn}/${window}/${more.compactions ?? 0}/${more.subagent ?? ''}`;
  const parts = {
    ...Object.fromEntries(['instructions', 'search', 'command', 'edit', 'subagent', 'web'].map((part) => [part, 0])),
    ...{ user: 10, read: window - 40, assistant: 5, thinking: 0, summary: 0, mcp: { github: 5 }, residual: 20 },
  } as unknown as SessionRequest['parts'];
  return {
    id: key,
    key,
    model: 'm',
    factor: 1,
    turn,
    time: undefined,
    subagent: undefined,
    compactions: 0,
    cuts: 0,
    calls: 0,
    counted: {},
    known: {},
    usage: { input: 0, cacheRead: window, cacheWrite: 0, output: 1 },
    cacheSeconds: undefined,
    parts,
    ...more,
  };
}

function session(requests: readonly SessionRequest[], findings: readonly Finding[] = []): AgentSession {
  return {
    id: 'claude-code:a',
    agent: 'claude-code',
    title: 'fix login test',
    model: 'm',
    started: 0,
    ended: 1,
    turns: 9,
    requests,
    peakTokens: 0,
    windowTokens: 200_000,
    compactions: 1,
    usage: 'provider',
    isCut: false,
    findings,
  };
}

const TURNS = Array.from({ length: 9 }, (_, at) => at + 1);

describe('the page of a session', () => {
  it('shows each turn as the largest of its windows, whose parts add up to it', () => {
    const requests = TURNS.flatMap((turn) => [request(turn, turn * 1_000), request(turn, turn * 1_000 - 500)]);
    const { unit, steps, readTokens, cachedTokens } = sessionPage(session(requests));
    expect(unit).toBe('turn');
    expect(steps.map(({ number, tokens, requests }) => [number, tokens, requests])).toEqual(
      TURNS.map((turn) => [turn, turn * 1_000, 2]),
    );
    expect(steps.every(({ parts, tokens }) => sumOf(parts) === tokens)).toBe(true);
    expect(readTokens).toBe(requests.reduce((sum, { parts }) => sum + sumOf(parts), 0));
    expect(cachedTokens).toBe(readTokens);
  });

  it('shows single requests where there are few turns', () => {
    const requests = [request(1, 1_000), request(1, 2_000), request(3, 3_000)];
    const { unit, steps } = sessionPage(session(requests));
    expect(unit).toBe('request');
    expect(steps.map(({ number, turn, tokens }) => [number, turn, tokens])).toEqual([
      [1, 1, 1_000],
      [2, 1, 2_000],
      [3, 3, 3_000],
    ]);
  });

  it('leaves subagents out of the steps, and sums up what they read', () => {
    const { steps, subagentTokens } = sessionPage(session([request(1, 1_000), request(1, 700, { subagent: 's' })]));
    expect(steps).toHaveLength(1);
    expect(subagentTokens).toBe(700);
  });

  it.each([
    ['between two turns', [request(5, 4_900), request(6, 1_000, { compactions: 1 })], 4.5, 5],
    ['inside of a turn, behind its largest window', [request(5, 4_900), request(5, 900, { compactions: 1 })], 4.5, 4],
    ['inside of a turn, before its largest window', [request(5, 900), request(5, 4_900, { compactions: 1 })], 3.5, 4],
  ])('marks a compaction %s', (_, own, at, step) => {
    const turns = own.map(({ turn }) => turn);
    const after = TURNS.filter((turn) => turn > Math.max(...turns)).map((turn) =>
      request(turn, 1_000, { compactions: 1 }),
    );
    const before = TURNS.filter((turn) => turn < Math.min(...turns)).map((turn) => request(turn, turn * 1_000));
    const { compactedAt, steps } = sessionPage(session([...before, ...own, ...after]));
    expect(compactedAt).toEqual([at]);
    expect(steps.map(({ isCompacted }) => isCompacted).indexOf(true)).toBe(step);
  });

  it('marks breaks of the cache at the step that paid for them', () => {
    const cold = { usage: { input: 0, cacheRead: 0, cacheWrite: 9_000, output: 1 } };
    const requests = [request(1, 9_000), request(2, 9_000, cold), request(3, 9_000)];
    const broken: Finding = { rule: 'cache-break', turns: [1, 2], tokens: 9_000, what: 'w', fix: 'none' };
    const { steps, list } = sessionPage(session(requests, [broken]));
    expect(steps.map(({ cacheBreaks }) => cacheBreaks)).toEqual([0, 1, 0]);
    expect(list.map(({ rule, step }) => [rule, step])).toEqual([['cache-break', 1]]);
  });

  it('counts findings as its row does', () => {
    const again = { rule: 'read-again', tokens: 10, what: 'a.ts', fix: 'map' } as const;
    const given = session(
      [request(1, 1_000)],
      [
        { ...again, turns: [1] },
        { ...again, turns: [2] },
      ],
    );
    expect(sessionPage(given).list).toHaveLength(sessionRow(given).findings);
    expect(sessionRow(given).findings).toBe(1);
  });
});

describe('findings in words', () => {
  const about = { path: 'src/session.ts', range: 'L1-L200', size: 1_200 };
  const words = (findings: readonly Finding[]) =>
    groupFindings(findings).map((group) => Object.values(findingWords(group)).map(inEnglish));

  it('puts readings of the same lines together, and breaks of the cache; most tokens first', () => {
    const read = { rule: 'read-again', what: 'src/session.ts#L1-L200', about, fix: 'map' } as const;
    const broken = { rule: 'cache-break', what: 'x', fix: 'none' } as const;
    const cause = (message: string) => ({ cause: { message, args: [] } });
    expect(
      words([
        { ...read, turns: [4, 9], tokens: 2_000 },
        { ...broken, turns: [18], tokens: 5_000, about: cause('model changed') },
        { ...broken, turns: [10, 11], tokens: 4_000, about: cause('window compacted') },
        { ...read, turns: [4, 19], tokens: 1_000 },
      ]),
    ).toEqual([
      ['The cache broke 2 times', 'turn 11: window compacted; turn 18: model changed'],
      ['src/session.ts was read 3 times', 'lines 1 to 200, turns 4, 9, 19'],
    ]);
  });

  it('names what was not used, what was lost and what was never called', () => {
    const base = { turns: [4], tokens: 0, fix: 'none' } as const;
    expect(
      words([
        { ...base, rule: 'unused-output', what: 'w', about: { tool: 'Bash', size: 12_000 } },
        { ...base, rule: 'unused-output', what: 'w', about: { ...about, tool: 'Read' } },
        { ...base, rule: 'unused-server', what: 'w', about: { server: 'github' } },
        { ...base, rule: 'lost-instruction', what: 'Never push.' },
      ]),
    ).toEqual([
      ['Output of Bash was not visibly used later', '12,000 tokens, turn 4'],
      ['src/session.ts was read, but not visibly used later', '1,200 tokens, turn 4'],
      ['MCP server github was never called', 'Its tools are in each window, also of the other sessions'],
      ['An instruction was lost in a compaction', '“Never push.”, turn 4'],
    ]);
  });

  it('says what filled a window, what failed, which picture, which subagents, and what left', () => {
    const base = { turns: [4], tokens: 1, what: 'w', fix: 'none' } as const;
    const prompt = { name: { message: "agent's prompt and tools", args: [] }, tokens: 90_000 };
    const subagents = [1, 2].map((at) => ({ name: `a${at}`, tokens: 9_000 / at }));
    expect(
      words([
        { ...base, rule: 'full-before-work', about: { from: 130_000, to: 200_000, largest: [prompt] } },
        { ...base, rule: 'repeated-command', about: { tool: 'npm', times: 3 } },
        { ...base, rule: 'oversized-image', about: { path: 'a.png', tool: 'Read', size: 1_500, to: 1_600 } },
        { ...base, rule: 'oversized-image', about: { path: undefined, tool: 'shot', size: 1_500, to: 1_600 } },
        { ...base, rule: 'subagent-cost', about: { times: 7, share: 42, largest: subagents } },
        { ...base, rule: 'subagent-cost', about: { times: 1, share: 30, largest: subagents.slice(0, 1) } },
        { ...base, rule: 'window-shrank', about: { from: 9_000, to: 5_000 } },
      ]),
    ).toEqual([
      [
        '130,000 of 200,000 tokens were taken before the first tool call',
        "agent's prompt and tools: 90,000 tokens; turn 4",
      ],
      ['npm failed 3 times with the same output', 'turn 4'],
      ['a.png is a picture of about 1,500 tokens', 'the window grew by 1,600 tokens, turn 4'],
      ['shot gave a picture of about 1,500 tokens', 'the window grew by 1,600 tokens, turn 4'],
      ['7 subagents used 42% of the tokens', 'a1: 9,000 tokens; a2: 4,500 tokens; 5 more; turn 4'],
      ['One subagent used 30% of the tokens', 'a1: 9,000 tokens; turn 4'],
      ['Content left the window without a mark in the log', '9,000 tokens, then 5,000, turn 4'],
    ]);
  });

  it('quotes a finding of a kind that it does not know, or whose parts were masked', () => {
    const finding = { rule: 'unused-output', turns: [1, 2], tokens: 1, what: 'Bash: [masked]', fix: 'none' } as const;
    expect(words([finding])).toEqual([['Bash: [masked]', 'turns 1, 2']]);
  });
});

describe('findings of a session', () => {
  const finding = (more: Partial<Finding>): Finding => ({
    rule: 'read-again',
    turns: [1],
    tokens: 10,
    what: 'a.ts was read again',
    fix: 'none',
    ...more,
  });

  it('are grouped with their turns in order, most tokens first', () => {
    const groups = groupFindings([
      finding({ turns: [7], tokens: 10 }),
      finding({ rule: 'window-shrank', turns: [3], tokens: 25, what: 'shrank' }),
      finding({ turns: [2, 12], tokens: 20 }),
      finding({ rule: 'unused-output', turns: [4], tokens: 40, what: 'flood' }),
    ]);
    expect(groups.map(({ turns, tokens }) => ({ turns, tokens }))).toEqual([
      { turns: [4], tokens: 40 },
      { turns: [2, 7, 12], tokens: 30 },
      { turns: [3], tokens: 25 },
    ]);
  });

  it('tell causes of breaks by their turns, whichever cost most', () => {
    const [group] = groupFindings([
      finding({ rule: 'cache-break', turns: [9], tokens: 90, about: { cause: asGiven('the model changed') } }),
      finding({ rule: 'cache-break', turns: [4], tokens: 40, about: { cause: asGiven('tools changed') } }),
    ]);
    const { evidence } = findingWords(group as NonNullable<typeof group>);
    expect(inEnglish(evidence)).toMatch(/turn 4: tools changed; turn 9: the model changed/);
  });

  it('name the subagents that used most, most first, and their turns in order', () => {
    const used = (turn: number, subagent: string | undefined, window: number) =>
      request(turn, window, subagent === undefined ? {} : { subagent });
    const [cost] = subagentCost([
      used(9, 'small', 10_000),
      used(2, 'large', 90_000),
      used(5, 'middle', 40_000),
      used(1, undefined, 100),
    ]);
    expect(cost).toMatchObject({
      turns: [2, 5, 9],
      about: {
        largest: [{ name: 'large' }, { name: 'middle' }, { name: 'small' }].slice(0, cost?.about?.largest?.length),
      },
    });
  });
});
