import { describe, expect, it } from 'vitest';
import { geminiSession } from '../../../../src/core/transcripts/sessions/geminiSession';
import type { LoggedBlock, RequestUsage, SessionEvent } from '../../../../src/core/transcripts/sessions/sessionLog';
import { partsOf } from '../../../../src/core/window/sessions/parts';
import { type AgentSession, assembleSessions } from '../../../../src/core/window/sessions/sessions';
import { TimelineBuilder } from '../../../../src/core/window/sessions/timeline';

const START = Date.parse('2026-11-20T09:00:00Z');

/** A log in which each event comes a second after the one before, unless it says its time. A word is a token. */
function sessionOf(events: readonly SessionEvent[]): AgentSession {
  const builder = new TimelineBuilder();
  events.forEach((event, at) => {
    builder.add({ time: START + at * 1_000, ...event }, event.kind === 'block' ? event.text.split(' ').length : 0);
  });
  const file = { agent: 'codex', name: 'a', head: { id: 'a', cwd: '/w' }, timeline: builder.finish() } as const;
  return assembleSessions([file])[0] as AgentSession;
}

const PROMPT: readonly SessionEvent[] = [
  { kind: 'prompt' },
  { kind: 'block', part: 'user', from: 'user', text: 'go on' },
];

let requests = 0;

function request(given: Partial<RequestUsage> = {}, more: Partial<SessionEvent> = {}): readonly SessionEvent[] {
  const key = `r${++requests}`;
  const usage = { input: 10_000, cacheRead: 0, cacheWrite: 0, output: 5, ...given };
  return [
    { kind: 'request', id: key, key, model: 'm', ...more } as SessionEvent,
    { kind: 'usage', key, usage, cacheSeconds: 300, ...more } as SessionEvent,
  ];
}

function read(id: string, text: string, more: Partial<LoggedBlock> = {}): readonly SessionEvent[] {
  const call = { id, tool: 'Read', path: 'src/a.ts', range: 'L1-L200' };
  return [
    { kind: 'block', part: 'read', from: 'call', text: 'Read src/a.ts', call },
    { kind: 'block', part: 'read', from: 'result', text, call, ...more },
  ];
}

/** So many words that no other text has. */
function words(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(' ');
}

function rules({ findings }: AgentSession): string[] {
  return findings.map(({ rule }) => rule);
}

describe('parts of a window', () => {
  it('are scaled down to the window where our counts exceed it, and add up exactly', () => {
    const usage = { input: 7, cacheRead: 3, cacheWrite: 0, output: 1 };
    const counts = { counted: { read: 100, user: 50, 'mcp:github': 33 }, known: {}, model: undefined };
    const { read: ofRead, user, mcp, residual } = partsOf(counts, usage);
    expect([ofRead, user, mcp.github, residual]).toEqual([5, 3, 2, 0]);
  });

  it('leave what no text explains to the residual', () => {
    const usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 1 };
    expect(partsOf({ counted: { user: 100 }, known: { thinking: 30 }, model: 'm' }, usage)).toMatchObject({
      user: 100,
      thinking: 30,
      residual: 870,
    });
  });
});

describe('read-again', () => {
  const text = words('line', 300);

  it('costs its tokens for each request that carried it again', () => {
    const session = sessionOf([
      ...PROMPT,
      ...request(),
      ...read('1', text),
      ...request(),
      ...PROMPT,
      ...read('2', text),
      ...request(),
      ...request(),
    ]);
    expect(session.findings).toEqual([
      { rule: 'read-again', turns: [1, 2], tokens: 600, what: 'src/a.ts#L1-L200', fix: 'map' },
    ]);
  });

  it.each<readonly [string, readonly SessionEvent[], readonly SessionEvent[]]>([
    ['other content', [], read('2', `${text} more`)],
    ['a compaction between', [{ kind: 'compaction' }], read('2', text)],
    ['a subagent', [], read('2', text).map((event) => ({ ...event, subagent: 's' }))],
    ['a failed read', [], read('2', text, { isError: true })],
  ])('is not %s', (_, between, again) => {
    const session = sessionOf([
      ...PROMPT,
      ...read('1', text),
      ...request(),
      ...between,
      ...again,
      ...request(),
      ...request(),
    ]);
    expect(rules(session)).toEqual([]);
  });
});

describe('unused-output', () => {
  const large = words('unheard', 3_000);
  const tail = [...request(), ...request(), ...request(), ...PROMPT, ...request()];

  it('is a large result of which no later word is', () => {
    const session = sessionOf([...PROMPT, ...request(), ...read('1', large), ...tail]);
    expect(session.findings).toMatchObject([{ rule: 'unused-output', turns: [1], tokens: 12_000, fix: 'map' }]);
  });

  it.each([
    ['a word of it', 'Fixed unheard77.'],
    ['its file', 'Nothing to do in longname then.'],
  ])('is not when a later answer names %s', (_, text) => {
    const answer: SessionEvent = { kind: 'block', part: 'assistant', from: 'model', text };
    const given = read('1', large, { call: { id: '1', tool: 'Read', path: 'src/longname.ts' } });
    expect(rules(sessionOf([...PROMPT, ...request(), ...given, answer, ...tail]))).toEqual([]);
  });

  it('is not in the last turn', () => {
    expect(
      rules(sessionOf([...PROMPT, ...request(), ...read('1', large), ...request(), ...request(), ...request()])),
    ).toEqual([]);
  });
});

describe('cache-break', () => {
  const warm = { input: 10, cacheRead: 40_000, cacheWrite: 10_000 };
  const cold = { input: 10, cacheRead: 5_000, cacheWrite: 50_000 };

  it.each<readonly [string, readonly SessionEvent[], Partial<SessionEvent>]>([
    ['window compacted', [{ kind: 'compaction' }], {}],
    ['model changed', [], { model: 'other' } as Partial<SessionEvent>],
    ['10 minutes between two requests', [], { time: START + 602_000 }],
    ['cause unknown', [], {}],
  ])('names its cause: %s', (cause, between, more) => {
    const session = sessionOf([...PROMPT, ...request(warm), ...between, ...request(cold, more)]);
    expect(session.findings).toMatchObject([
      {
        rule: 'cache-break',
        turns: [1],
        tokens: 45_000,
        what: `${cause}: 45,000 tokens read again without the cache`,
      },
    ]);
  });

  it('is no request that read what the one before had written', () => {
    expect(rules(sessionOf([...PROMPT, ...request(warm), ...request({ ...warm, cacheRead: 50_000 })]))).toEqual([]);
  });
});

describe('lost-instruction', () => {
  const order = 'Never touch the generated protobuf folder.';
  const before: readonly SessionEvent[] = [
    { kind: 'prompt' },
    { kind: 'block', part: 'user', from: 'user', text: `Add a test. ${order}` },
    ...request(),
    { kind: 'compaction' },
  ];

  function summary(text: string): SessionEvent {
    return { kind: 'block', part: 'summary', from: 'agent', text };
  }

  it('is an order that the summary does not hold', () => {
    const session = sessionOf([...before, summary('A test was asked for.'), ...request()]);
    expect(session.findings).toEqual([
      { rule: 'lost-instruction', turns: [1, 1], tokens: 0, what: order, fix: 'none' },
    ]);
  });

  it('is none that the summary holds in other words', () => {
    const kept = summary('The user wants the generated protobuf folder left alone.');
    expect(rules(sessionOf([...before, kept, ...request()]))).toEqual([]);
  });
});

describe('unused-server', () => {
  it('is a server that three sessions had and none called', () => {
    const files = ['a', 'b', 'c'].map((name) => {
      const builder = new TimelineBuilder();
      const events: readonly SessionEvent[] = [{ kind: 'servers', names: ['github', 'db'] }, ...PROMPT, ...request()];
      for (const event of events) builder.add(event, 1);
      if (name === 'b') builder.add({ kind: 'block', part: 'mcp', server: 'db', from: 'call', text: 'q' }, 1);
      return { agent: 'claude-code', name, head: { id: name, cwd: '/w' }, timeline: builder.finish() } as const;
    });
    const all = assembleSessions(files);
    expect(all.map(({ findings }) => findings.map(({ rule, what }) => `${rule} ${what.split(':')[0]}`))).toEqual(
      Array.from({ length: 3 }, () => ['unused-server github']),
    );
    expect(assembleSessions(files.slice(0, 2)).flatMap(rules)).toEqual([]);
  });
});

describe('a session of Gemini CLI that goes back', () => {
  const ORDER = 'Always write the tests of the harbour module before its code.';
  const said = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] });
  const answered = (id: string, text: string) => ({
    id,
    type: 'gemini',
    model: 'gemini-2.5-pro',
    content: text,
    tokens: { input: 10_000, output: 5, cached: 0, thoughts: 0, tool: 0, total: 10_005 },
  });
  const sessionOfRecords = (records: readonly Record<string, unknown>[]): AgentSession => {
    const events: SessionEvent[] = [];
    const reader = geminiSession.open({ head: {}, emit: (event) => void events.push(event) }, { name: 'a' });
    for (const record of [{ sessionId: 's', startTime: '2026-11-20T09:00:00Z' }, ...records]) reader.record(record);
    return sessionOf(events);
  };
  const before = [said('u1', 'one two three'), answered('g1', 'answer one')];
  const gone = [said('u2', words('late', 500)), answered('g2', words('reply', 300))];

  it('takes the message and all behind it out of the window, and still counts their requests', () => {
    const { requests: all, turns } = sessionOfRecords([
      ...before,
      ...gone,
      { $rewindTo: 'u2' },
      said('u3', 'four five'),
      answered('g3', 'answer two'),
    ]);
    expect(turns).toBe(3);
    expect(all.map(({ turn, parts }) => [turn, parts.user, parts.assistant])).toEqual([
      [1, 3, 0],
      [2, 503, 2],
      [3, 5, 2],
    ]);
  });

  it('begins anew when the message is not in the window', () => {
    const { requests: all } = sessionOfRecords([
      ...before,
      ...gone,
      { $rewindTo: 'nowhere' },
      said('u3', 'four five'),
      answered('g3', 'answer two'),
    ]);
    expect(all.map(({ parts }) => [parts.user, parts.assistant]).at(-1)).toEqual([2, 0]);
  });

  it('goes back to a message that a compression kept', () => {
    const { requests: all, compactions } = sessionOfRecords([
      ...before,
      ...gone,
      { $set: { messages: [said('sum', 'all in short'), said('ack', 'got it')] } },
      said('u3', 'four five six seven'),
      { $rewindTo: 'ack' },
      said('u4', 'eight'),
      answered('g4', 'answer'),
    ]);
    expect(compactions).toBe(1);
    const last = all.at(-1)?.parts;
    expect([last?.summary, last?.assistant, last?.user]).toEqual([3, 0, 1]);
  });

  it.each([
    ['not lost when it was taken back', true],
    ['lost when it stayed', false],
  ])('an order is %s', (_, isTakenBack) => {
    const session = sessionOfRecords([
      ...before,
      said('u2', ORDER),
      answered('g2', 'yes'),
      ...(isTakenBack ? [{ $rewindTo: 'u2' }] : []),
      said('u3', 'four five'),
      answered('g3', 'answer'),
      { $set: { messages: [said('sum', 'all in short')] } },
      said('u4', 'eight'),
      answered('g4', 'answer'),
    ]);
    expect(rules(session)).toEqual(isTakenBack ? [] : ['lost-instruction']);
  });
});
