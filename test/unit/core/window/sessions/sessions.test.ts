import { describe, expect, it } from 'vitest';
import { claudeSession } from '../../../../../src/core/transcripts/sessions/claudeSession';
import { codexSession } from '../../../../../src/core/transcripts/sessions/codexSession';
import { geminiSession } from '../../../../../src/core/transcripts/sessions/geminiSession';
import { opencodeSession } from '../../../../../src/core/transcripts/sessions/opencodeSession';
import type {
  LoggedBlock,
  RequestUsage,
  SessionEvent,
  SessionHead,
} from '../../../../../src/core/transcripts/sessions/sessionLog';
import { partsOf } from '../../../../../src/core/window/sessions/parts';
import type { Finding } from '../../../../../src/core/window/sessions/sessionData';
import { type AgentSession, assembleSessions } from '../../../../../src/core/window/sessions/sessions';
import { TimelineBuilder } from '../../../../../src/core/window/sessions/timeline';

const START = Date.parse('2026-11-20T09:00:00Z');

/** A log in which each event comes a second after the one before, unless it says its time. A word is a token. */
function sessionOf(events: readonly SessionEvent[], head: SessionHead = {}): AgentSession {
  const builder = new TimelineBuilder();
  events.forEach((event, at) => {
    builder.add({ time: START + at * 1_000, ...event }, event.kind === 'block' ? event.text.split(' ').length : 0);
  });
  const file = {
    agent: 'codex',
    name: 'a',
    head: { id: 'a', cwd: '/w', ...head },
    timeline: builder.finish(),
  } as const;
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
    const counts = { counted: { read: 100, user: 50, 'mcp:github': 33 }, known: {}, factor: 1 };
    const { read: ofRead, user, mcp, residual } = partsOf(counts, usage);
    expect([ofRead, user, mcp.github, residual]).toEqual([5, 3, 2, 0]);
  });

  it('leave what no text explains to the residual', () => {
    const usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 1 };
    expect(partsOf({ counted: { user: 100 }, known: { thinking: 30 }, factor: 1 }, usage)).toMatchObject({
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
    expect(session.findings).toMatchObject([
      { rule: 'read-again', turns: [1, 2], tokens: 600, what: 'src/a.ts#L1-L200', fix: 'map' },
    ]);
  });

  it.each<readonly [string, readonly SessionEvent[], readonly SessionEvent[]]>([
    ['other content', [], read('2', `${text} more`)],
    ['a compaction between', [{ kind: 'compaction' }], read('2', text)],
    ['content that left without a mark between', request({ input: 8_000 }), read('2', text)],
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
    expect(rules(session)).not.toContain('read-again');
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

  it('is each output of a file that no later answer names', () => {
    const call = (id: string) => ({ call: { id, tool: 'Read', path: 'src/longname.ts', range: id } });
    const large = (id: string) => read(id, words(`unheard${id}x`, 3_000), call(id));
    const answer: SessionEvent = { kind: 'block', part: 'assistant', from: 'model', text: 'Changed longname so.' };
    const { findings } = sessionOf([
      ...PROMPT,
      ...request(),
      ...large('1'),
      ...large('2'),
      answer,
      ...large('3'),
      ...tail,
    ]);
    expect(findings.map(({ about }) => about?.range)).toEqual(['3']);
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
    ['content cleared', [{ kind: 'cleared', calls: [] }], {}],
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

describe('hidden thoughts', () => {
  /** What a reader makes of records, with a token a word. */
  const partsOfRecords = (records: readonly Record<string, unknown>[]): readonly number[] => {
    const events: SessionEvent[] = [];
    const reader = geminiSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    for (const record of records) reader.record(record);
    return sessionOf(events).requests.map(({ parts }) => parts.thinking);
  };
  const answer = (id: string, output: number, thoughts: number, more: object = {}) => ({
    id,
    type: 'gemini',
    model: 'gemini-3-pro',
    content: 'done',
    tokens: { input: 10_000, output, cached: 0, thoughts, tool: 0, total: 10_000 + output + thoughts },
    ...more,
  });

  it('of Gemini stay in the window until the next message of the user', () => {
    const said = (id: string) => ({ id, type: 'user', content: [{ text: 'go on' }] });
    const toolCalls = [{ id: 'c', name: 'read_file', args: { path: 'a b c' } }];
    const all = [said('1'), answer('2', 5, 300, { toolCalls }), answer('3', 1, 0), said('4'), answer('5', 1, 0)];
    // The answer, the call's four words, and no thought at all are shown.
    expect(partsOfRecords(all)).toEqual([0, 300, 0]);
  });
});

describe("Codex' web searches", () => {
  it('are in the window as far as it grew by more than its texts', () => {
    const events: SessionEvent[] = [];
    const reader = codexSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    const item = (payload: object) => reader.record({ type: 'response_item', payload });
    const said = (role: string) => item({ type: 'message', role, content: [{ type: 'output_text', text: 'go on' }] });
    const used = (input_tokens: number, total: number) =>
      reader.record({
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { total_token_usage: { total }, last_token_usage: { input_tokens, output_tokens: 2 } },
        },
      });
    said('user');
    said('assistant');
    used(10_002, 1);
    said('user');
    item({ type: 'web_search_call', action: { type: 'open_page', url: 'https://example.com' } });
    said('assistant');
    used(17_000, 2);
    said('user');
    said('assistant');
    used(11_000, 3);
    const [first, searched, later] = sessionOf(events).requests;
    // The reader says an empty text beside each message, which is a word here.
    expect(first?.parts).toMatchObject({ web: 0, residual: 9_999 });
    expect(searched?.parts).toMatchObject({ web: 6_993, residual: 9_999 });
    // What the provider takes away again is not counted on.
    expect(later?.parts).toMatchObject({ web: 988, residual: 9_999 });
  });
});

describe('a session of Codex', () => {
  const subagent = { subagent: { thread_spawn: { parent_thread_id: 'p1' } } };

  it.each([
    ['begun by a person', {}, undefined],
    ['of a subagent', { source: subagent, forked_from_id: 'f1' }, { id: 'p1', as: 'subagent' }],
    ['that goes on from another', { source: 'cli', forked_from_id: 'f1' }, { id: 'f1', as: 'fork' }],
  ])('%s says so at its head, once', (_, more, parent) => {
    const head = {};
    const reader = codexSession.open({ head, emit: () => undefined }, { name: 'a' });
    reader.record({ type: 'session_meta', payload: { cwd: '/elsewhere' } });
    reader.record({ type: 'session_meta', payload: { id: 's1', cwd: '/w', ...more } });
    reader.record({ type: 'session_meta', payload: { id: 's2', cwd: '/v', forked_from_id: 'f2' } });
    expect(head).toEqual({ id: 's1', cwd: '/w', ...(parent ? { parent } : {}) });
  });

  it('counts the same total once, and no request of nothing', () => {
    const events: SessionEvent[] = [];
    const reader = codexSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    const used = (total: number, input_tokens: number) =>
      reader.record({
        type: 'event_msg',
        payload: { type: 'token_count', info: { total_token_usage: { total }, last_token_usage: { input_tokens } } },
      });
    used(1, 100);
    used(1, 100);
    used(2, 0);
    used(3, 120);
    expect(sessionOf(events).requests.map(({ usage }) => usage?.input)).toEqual([100, 120]);
  });
});

describe("OpenCode's thoughts", () => {
  const answered = (tokens: object, thought: string): readonly SessionEvent[] => {
    const events: SessionEvent[] = [];
    const reader = opencodeSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    const given = { role: 'assistant', modelID: 'gpt-5.3-codex' };
    const cache = { read: 4_000, write: 0 };
    reader.record({ id: '1', role: 'user', parts: [{ type: 'text', text: 'go on' }] });
    reader.record({
      ...given,
      id: '2',
      tokens: { input: 5_000, output: 500, reasoning: 300, cache, ...tokens },
      parts: [{ type: 'reasoning', text: thought }],
    });
    reader.record({ ...given, id: '3', tokens: { input: 6_000, output: 1, reasoning: 0, cache }, parts: [] });
    return events;
  };

  it.each([
    ['inside of the output, as the total says', { total: 9_500 }, 500],
    ['beside it', { total: 9_800 }, 800],
    ['beside it where there is no total', {}, 800],
  ])('count once: %s', (_, tokens, output) => {
    const [first] = sessionOf(answered(tokens, '**Planning**')).requests;
    expect(first?.usage).toMatchObject({ input: 5_000, cacheRead: 4_000, output });
  });

  it.each(['**Planning**', ''])('are in the window whole, not as the summary %j', (thought) => {
    const [, next] = sessionOf(answered({ total: 9_500 }, thought)).requests;
    expect(next?.parts.thinking).toBe(300);
  });
});

describe("OpenCode's messages of the user", () => {
  const given = (...parts: readonly object[]): readonly SessionEvent[] => {
    const events: SessionEvent[] = [];
    const reader = opencodeSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    reader.record({ id: '1', role: 'user', parts });
    return events.map(({ time: _, ...event }) => event as SessionEvent);
  };

  it('are what a person wrote, beside what OpenCode adds, and without what it ignores', () => {
    const parts = [
      { type: 'text', text: 'look at this' },
      { type: 'text', text: 'The file has 3 lines', synthetic: true },
      { type: 'text', text: 'for the screen', ignored: true },
    ];
    expect(given(...parts)).toEqual([
      { kind: 'prompt' },
      { kind: 'block', part: 'user', from: 'user', text: 'look at this' },
      { kind: 'block', part: 'instructions', from: 'agent', text: 'The file has 3 lines' },
    ]);
  });

  it('begin no turn where OpenCode wrote them', () => {
    expect(given({ type: 'text', text: 'Continue', synthetic: true })).toEqual([
      { kind: 'block', part: 'instructions', from: 'agent', text: 'Continue' },
    ]);
  });
});

describe("OpenCode's request for a summary", () => {
  it('is none of a window that shrank', () => {
    const events: SessionEvent[] = [];
    const reader = opencodeSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    const parts = [{ type: 'text', text: 'go on' }];
    const answered = (id: string, input: number, more: object = {}) => ({
      id,
      role: 'assistant',
      modelID: 'm',
      tokens: { input, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
      parts,
      ...more,
    });
    reader.record({ id: '1', role: 'user', parts });
    reader.record(answered('2', 50_000));
    reader.record({ id: '3', role: 'user', parts: [{ type: 'compaction', auto: true }] });
    reader.record(answered('4', 30_000, { summary: true }));
    reader.record(answered('5', 8_000));
    const session = sessionOf(events);
    expect(session).toMatchObject({ turns: 1, compactions: 1, findings: [] });
    expect(session.requests.map(({ parts: { summary } }) => summary)).toEqual([0, 0, 2]);
  });
});

describe('servers of Claude Code', () => {
  const given = (...attachments: readonly object[]): readonly SessionEvent[] => {
    const events: SessionEvent[] = [];
    const reader = claudeSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    const record = { sessionId: 'a', cwd: '/w', type: 'attachment' };
    for (const attachment of attachments) reader.record({ ...record, attachment });
    return events;
  };
  const unused = (events: readonly SessionEvent[]): readonly string[] => {
    const files = ['a', 'b', 'c'].map((name) => {
      const builder = new TimelineBuilder();
      for (const event of [...PROMPT, ...events, ...request()]) builder.add(event, 1);
      return { agent: 'claude-code', name, head: { id: name, cwd: '/w' }, timeline: builder.finish() } as const;
    });
    return assembleSessions(files)[0]?.findings.map(({ what }) => what.split(':')[0] ?? '') ?? [];
  };
  const instructions = { type: 'mcp_instructions_delta', addedNames: ['claude.ai Linear'], addedBlocks: ['# Linear'] };

  it('have the names of their tools', () => {
    expect(unused(given(instructions))).toEqual(['claude_ai_Linear']);
  });

  it('are not in the window when their tools are deferred', () => {
    const deferred = { type: 'deferred_tools_delta', addedNames: ['WebFetch', 'mcp__claude_ai_Linear__list_issues'] };
    expect(unused(given(deferred, instructions))).toEqual([]);
    expect(unused(given(instructions, deferred))).toEqual([]);
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

/** A command with its result. */
function command(id: string, text: string, output: string, more: Partial<LoggedBlock> = {}): readonly SessionEvent[] {
  const call = { id, tool: 'Bash' };
  return [
    { kind: 'block', part: 'command', from: 'call', text: `Bash ${JSON.stringify({ command: text })}`, call },
    { kind: 'block', part: 'command', from: 'result', text: output, isError: true, call, ...more },
  ];
}

describe('repeated-command', () => {
  const failure = words('error', 50);
  const edit: SessionEvent = {
    kind: 'block',
    part: 'edit',
    from: 'result',
    text: 'done',
    call: { id: 'e', tool: 'Edit', path: 'a.ts' },
  };

  it('names the program alone, and costs what was carried from the second failure on', () => {
    const runs = ['1', '2', '3'].flatMap((id) => [
      ...command(id, 'cd /w && npm run secret-name', failure),
      ...request(),
    ]);
    const { findings } = sessionOf([...PROMPT, ...request(), ...runs]);
    expect(findings).toEqual([
      {
        rule: 'repeated-command',
        turns: [1],
        // The second is read by two requests, the third by one.
        tokens: 3 * 50,
        what: 'npm: the same command failed 3 times with the same output',
        about: { tool: 'npm', times: 3 },
        fix: 'none',
      },
    ]);
  });

  it.each([
    ['twice', command('3', 'npm test', 'ok', { isError: false })],
    ['with other output', command('3', 'npm test', words('other', 50))],
    ['of another command', command('3', 'npm run lint', failure)],
    ['after an edit', [edit, ...command('3', 'npm test', failure)]],
  ])('says nothing of failures %s', (_, third) => {
    const two = ['1', '2'].flatMap((id) => command(id, 'npm test', failure));
    expect(rules(sessionOf([...PROMPT, ...request(), ...two, ...third, ...request()]))).toEqual([]);
  });
});

describe('tokens of findings about texts', () => {
  // 5% of the window are 3,500 tokens: what is large is so by the model's count alone.
  const asked = () => request({ input: 70_000 }, { model: 'claude-opus-4-8' } as Partial<SessionEvent>);
  const failure = words('error', 50);
  const file = words('line', 300);

  it.each<readonly [string, readonly SessionEvent[], Partial<Finding>]>([
    [
      'read-again',
      [...read('1', file), ...asked(), ...read('2', file), ...asked(), ...asked()],
      { tokens: 2 * 510, about: { path: 'src/a.ts', range: 'L1-L200', size: 510 } },
    ],
    [
      'unused-output',
      [...read('1', words('unheard', 3_000)), ...asked(), ...asked(), ...asked(), ...PROMPT, ...asked()],
      { tokens: 4 * 5_100, what: 'src/a.ts#L1-L200: 5,100 tokens, not visibly used later' },
    ],
    [
      'repeated-command',
      ['1', '2', '3'].flatMap((id) => [...command(id, 'npm test', failure), ...asked()]),
      { tokens: 3 * 85 },
    ],
  ])("are the model's, as those of parts: %s", (rule, events, finding) => {
    expect(sessionOf([...PROMPT, ...asked(), ...events]).findings).toMatchObject([{ rule, ...finding }]);
  });
});

describe('oversized-image', () => {
  const picture = (tokens: number): SessionEvent => ({
    kind: 'block',
    part: 'read',
    from: 'result',
    text: '',
    tokens,
    call: { id: 'p', tool: 'Read', path: 'shot.png' },
  });
  const grown = (tokens: number): readonly SessionEvent[] =>
    Array.from({ length: 4 }, () => request({ input: 10_000 + tokens })).flat();

  it('costs its tokens for each request that read it', () => {
    const { findings } = sessionOf([...PROMPT, ...request(), picture(1_500), ...grown(1_600)]);
    expect(findings).toMatchObject([{ rule: 'oversized-image', turns: [1], tokens: 6_000 }]);
    expect(findings[0]?.what).toBe('shot.png: a picture of about 1,500 tokens; the window grew by 1,600');
  });

  it.each([
    ['small', [picture(600), ...grown(700)]],
    ['not in the window', [picture(1_500), ...grown(100)]],
    ['gone soon', [picture(1_500), ...grown(1_600).slice(0, 4)]],
  ])('says nothing of a picture that is %s', (_, events) => {
    expect(rules(sessionOf([...PROMPT, ...request(), ...events]))).toEqual([]);
  });
});

describe('full-before-work', () => {
  const call: SessionEvent = {
    kind: 'block',
    part: 'search',
    from: 'call',
    text: 'Grep x',
    call: { id: 'c', tool: 'Grep' },
  };
  const claude = (window: number, more: Partial<RequestUsage> = {}): readonly SessionEvent[] =>
    request({ input: window, ...more }, { model: 'claude-opus-4-5' } as Partial<SessionEvent>);

  it('costs what is over the limit, for each request of the window', () => {
    const { findings } = sessionOf([...PROMPT, ...claude(130_000), call, ...claude(131_000)]);
    expect(findings).toEqual([
      {
        rule: 'full-before-work',
        turns: [1],
        tokens: 2 * 10_000,
        what: "130,000 of 200,000 tokens before the first tool call; most: agent's prompt and tools 129,998",
        about: {
          from: 130_000,
          to: 200_000,
          largest: [{ name: { message: "agent's prompt and tools", args: [] }, tokens: 129_998 }],
        },
        fix: 'fewer-tools',
      },
    ]);
  });

  it.each([
    ['is small', [...claude(119_000), call]],
    ['was filled by work', [...claude(20_000), call, ...claude(150_000), call]],
    ['was begun elsewhere', [...claude(10_000, { cacheRead: 130_000 }), call]],
  ])('says nothing of a window that %s', (_, events) => {
    expect(rules(sessionOf([...PROMPT, ...events]))).toEqual([]);
  });

  it('says nothing where the log begins in the middle of the session', () => {
    const events: SessionEvent[] = [];
    const head: SessionHead = {};
    const reader = claudeSession.open({ head, emit: (event) => events.push(event) }, { name: 'a' });
    const record = { sessionId: 'a', cwd: '/w', uuid: 'u2', parentUuid: 'u1' };
    reader.record({ ...record, type: 'user', message: { role: 'user', content: 'go on' } });
    expect(head.isCut).toBe(true);
    expect(rules(sessionOf([...PROMPT, ...claude(130_000), call], head))).toEqual([]);
  });
});

describe('window-shrank', () => {
  const at = (window: number): readonly SessionEvent[] => request({ input: window });

  it('shows both windows', () => {
    const { findings } = sessionOf([...PROMPT, ...at(50_000), ...PROMPT, ...at(42_000)]);
    expect(findings).toEqual([
      {
        rule: 'window-shrank',
        turns: [1, 2],
        tokens: 0,
        what: 'content left without a mark: 50,000 tokens, then 42,000',
        about: { from: 50_000, to: 42_000 },
        fix: 'none',
      },
    ]);
  });

  it.each([
    ['a compaction', [...at(50_000), { kind: 'compaction' } as const, ...at(42_000)]],
    ['a way back', [...at(50_000), { kind: 'rewind', to: 'x' } as const, ...at(42_000)]],
    ['cleared results', [...at(50_000), { kind: 'cleared', calls: [] } as const, ...at(42_000)]],
    ['another model', [...at(50_000), ...request({ input: 42_000 }, { model: 'n' } as Partial<SessionEvent>)]],
    ['a reminder that went', [...at(50_000), ...at(49_100)]],
    [
      'thoughts of an earlier turn',
      [
        { kind: 'block', part: 'thinking', from: 'model', text: words('thought', 6_000) } as const,
        ...at(50_000),
        ...PROMPT,
        ...at(42_000),
      ],
    ],
  ])('says nothing of %s', (_, events) => {
    expect(rules(sessionOf([...PROMPT, ...events]))).toEqual([]);
  });
});

describe('subagent-cost', () => {
  const of = (subagent: string, window: number): readonly SessionEvent[] =>
    request({ input: window, output: 0 }, { subagent } as Partial<SessionEvent>);

  it('has the sum of each subagent', () => {
    const { findings } = sessionOf([...PROMPT, ...request({ output: 0 }), ...of('a', 1_000), ...of('b', 4_000)]);
    expect(findings).toEqual([
      {
        rule: 'subagent-cost',
        turns: [1],
        tokens: 5_000,
        what: "2 subagents used 33% of the session's tokens: b 4,000, a 1,000",
        about: {
          times: 2,
          share: 33,
          largest: [
            { name: 'b', tokens: 4_000 },
            { name: 'a', tokens: 1_000 },
          ],
        },
        fix: 'none',
      },
    ]);
  });

  it('says nothing of a small share', () => {
    expect(rules(sessionOf([...PROMPT, ...request({ output: 0 }), ...of('a', 2_000)]))).toEqual([]);
  });
});

describe('a conversation of Claude Code that begins again in its log', () => {
  it('has an empty window', () => {
    const events: SessionEvent[] = [];
    const reader = claudeSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    const record = { sessionId: 'a', cwd: '/w' };
    const said = (uuid: string, parentUuid: string | null, content: string): void =>
      reader.record({ ...record, type: 'user', uuid, parentUuid, message: { role: 'user', content } });
    said('1', null, words('plan', 500));
    said('2', '1', 'more of it');
    said('3', null, 'Implement the plan');
    events.push(...request());
    expect(sessionOf(events).requests[0]?.parts.user).toBe(3);
  });
});

describe('sessions', () => {
  const file = (id: string, start: number, events: readonly SessionEvent[], head: SessionHead = {}) => {
    const builder = new TimelineBuilder();
    events.forEach((event, at) => {
      builder.add({ time: start + at * 1_000, ...event }, event.kind === 'block' ? event.text.split(' ').length : 0);
    });
    return { agent: 'codex', name: id, head: { id, cwd: '/w', ...head }, timeline: builder.finish() } as const;
  };
  const plain = (id: string, start: number) => file(id, start, [...PROMPT, ...request()]);

  it('come newest first, those of one moment by id, whatever order their files came in', () => {
    const files = [plain('b', START), plain('d', START + 2_000), plain('c', START + 1_000), plain('a', START)];
    const ids = (of: typeof files) => assembleSessions(of).map(({ id }) => id);
    expect(ids(files)).toEqual(['codex:d', 'codex:c', 'codex:a', 'codex:b']);
    expect(ids(files.toReversed())).toEqual(ids(files));
  });

  it('are of the model that most requests had', () => {
    const models = ['small', 'large', 'large', 'small', 'large'];
    const [session] = assembleSessions([
      file('a', START, [...PROMPT, ...models.flatMap((model) => request({}, { model } as Partial<SessionEvent>))]),
    ]);
    expect(session?.model).toBe('large');
  });

  it.each<readonly [model: string, peakTokens: number, windowTokens: number | undefined]>([
    ['claude-opus-4-7', 150_000, 1_000_000],
    ['claude-opus-4-8', 150_000, 1_000_000],
    ['claude-opus-5-5', 150_000, 1_000_000],
    ['claude-sonnet-5', 150_000, 1_000_000],
    ['claude-fable-5', 150_000, 1_000_000],
    ['claude-opus-4-6', 150_000, 200_000],
    ['claude-opus-4-6', 250_000, 1_000_000],
    ['claude-opus-4-6[1m]', 150_000, 1_000_000],
    ['gpt-5.5', 150_000, 272_000],
    ['gpt-5.5', 300_000, undefined],
    ['gpt-6-sol', 300_000, 872_000],
    ['gemini-2.5-pro', 150_000, 1_048_576],
    ['gpt-4.1', 150_000, undefined],
    ['other', 150_000, undefined],
  ])('have the window of their model: %s with %d tokens', (model, input, windowTokens) => {
    const [session] = assembleSessions([
      file('a', START, [...PROMPT, ...request({ input }, { model } as Partial<SessionEvent>)]),
    ]);
    expect(session?.windowTokens).toBe(windowTokens);
  });

  it('have the findings of most tokens first', () => {
    const again = (id: string, size: number, path: string) => {
      const call = { id, tool: 'Read', path, range: 'L1-L200' };
      return [
        { kind: 'block', part: 'read', from: 'call', text: `Read ${path}`, call },
        { kind: 'block', part: 'read', from: 'result', text: words(path, size), call },
      ] as const satisfies readonly SessionEvent[];
    };
    const { findings } = sessionOf([
      ...PROMPT,
      ...request(),
      ...again('1', 300, 'small.ts'),
      ...request(),
      ...again('2', 300, 'small.ts'),
      ...request(),
      ...again('3', 900, 'large.ts'),
      ...request(),
      ...again('4', 900, 'large.ts'),
      ...request(),
      ...request(),
    ]);
    const tokens = findings.map((finding) => finding.tokens);
    expect(new Set(tokens).size).toBeGreaterThan(1);
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a));
    expect(findings[0]?.what).toContain('large.ts');
  });
});
