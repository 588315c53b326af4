import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/core/transcripts/claudeCode';
import { allText, calls, fixture, read, WINDOWS } from '../../../support/transcripts';

const SESSION = fixture('claude-code/session.jsonl');

function record(type: 'user' | 'assistant', content: unknown, more: object = {}): string {
  const message = { role: type, content };
  return `${JSON.stringify({ type, sessionId: 's', cwd: '/work/app', uuid: 'u', message, ...more })}\n`;
}

describe('the Claude Code adapter', () => {
  it('takes a turn from a message of the user to the next one', () => {
    const { turns, end } = read('claude-code', SESSION);
    expect(turns.map(({ userText }) => userText)).toEqual([
      'Fix the off-by-one in the parser.\n\nAlso update the changelog.',
      'Now write the docs.',
    ]);
    expect(end.open?.userText).toBe('One more question.');
    expect(turns[0]?.replyText).toBe('Reading the parser now.\n\nFixed `src/parser.ts`; the loop ran once too often.');
  });

  it('maps tools, paths and handles; what lies outside the workspace is dropped', () => {
    const { turns } = read('claude-code', SESSION);
    expect(calls(turns[0])).toEqual([
      'read Read: src/parser.ts',
      'search Grep: src',
      'run Bash: docs/GRAMMAR.md test/parser.test.ts !',
      'edit Edit: src/parser.ts',
      'edit Write: ',
      'context mcp__context-budget__context_detail:  | 12 section:soul',
      'run Bash:  | 14 sym:1f3a9c',
    ]);
    expect(calls(turns[1])).toEqual([
      'edit Write: packages/docs/README.md',
      'edit MultiEdit: CHANGELOG.md',
      'edit NotebookEdit: ',
      'other Task: ',
    ]);
  });

  it('keeps what came back of a call', () => {
    const [first] = read('claude-code', SESSION).turns[0]?.toolCalls ?? [];
    expect(first).toMatchObject({ output: '1\texport function parse() {}', isError: false });
  });

  it('counts all input tokens of the last request, and takes the length that the transcript says', () => {
    const [turn] = read('claude-code', SESSION).turns;
    expect(turn).toMatchObject({
      inputTokens: 4007,
      responseMs: 61_000,
      startedAt: Date.parse('2026-08-10T12:00:04.000Z'),
    });
  });

  it('adds up what the provider counted for each request, once, and names the model', () => {
    const [turn] = read('claude-code', SESSION).turns;
    const usage = { input: 2_417, cacheRead: 7_800, cacheWrite: 100, output: 155 };
    expect(turn).toMatchObject({ model: 'claude-x', usage });
    const asked = record('user', 'Go.') + record('assistant', 'Yes.', { requestId: 'r' });
    expect(read('claude-code', asked).end.open).toMatchObject({ model: undefined, usage: undefined });
  });

  it.each([
    ['thinking', 'PRIVATE THOUGHTS'],
    ['subagents', 'SUBAGENT'],
    ['subagents’ tools', 'sidechain.ts'],
    ['turns in other folders', 'OTHER PROJECT'],
    ['files of other folders', 'secret'],
    ['reminders', 'Remember the rules'],
    ['compaction summaries', 'SUMMARY'],
    ['output of local commands', 'Set model'],
    ['errors of the service', '529'],
    ['the content of broken lines', 'not json at all'],
  ])('leaves out %s', (_what, text) => {
    expect(allText(read('claude-code', SESSION))).not.toContain(text);
  });

  it('counts what it passed over, and says where a line is broken', () => {
    const { end } = read('claude-code', SESSION);
    expect(Object.fromEntries(end.skipped)).toMatchObject({ summary: 1, meta: 1, sidechain: 2, notice: 2 });
    expect(end.broken).toEqual([{ line: 30, why: 'it is no JSON object' }]);
    expect(end.foreignTurns).toBe(1);
  });

  it('reads paths of Windows whatever their case and slashes', () => {
    const { end } = read('claude-code', fixture('claude-code/windows.jsonl'), { paths: WINDOWS });
    expect(calls(end.open)).toEqual([
      'read Read: src/Parser.ts',
      'run Bash: src/Notes.md docs/a.md',
      'read Read: ',
      'edit Edit: src/b.ts',
    ]);
    expect(end.isAnswered).toBe(true);
  });

  it('is not done while the agent uses tools', () => {
    const call = record('assistant', [{ type: 'tool_use', id: 't', name: 'Read', input: {} }]);
    const done = record('assistant', 'Done.', { message: { content: 'Done.', stop_reason: 'end_turn' } });
    expect(read('claude-code', record('user', 'Go.') + done).end.isAnswered).toBe(true);
    expect(read('claude-code', record('user', 'Go.') + done + call).end.isAnswered).toBe(false);
  });

  it('reads a last line without its end when it is whole, and says nothing of one that is not', () => {
    const whole = record('user', 'Go.') + record('assistant', 'Yes.').trimEnd();
    expect(read('claude-code', whole).end.open?.replyText).toBe('Yes.');
    const half = read('claude-code', whole.slice(0, -5));
    expect(half.end.open?.replyText).toBe('');
    expect(half.end.brokenCount).toBe(0);
  });

  it('begins a turn at a slash command, so that its work is not the turn before', () => {
    const command = record('user', '<command-name>/review</command-name>', { uuid: 'c' });
    const work = record('assistant', [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a.ts' } }]);
    const { turns, end } = read('claude-code', record('user', 'Go.') + record('assistant', 'Yes.') + command + work);
    expect(turns.map(({ replyText }) => replyText)).toEqual(['Yes.']);
    expect(end.open).toMatchObject({ userText: '', toolCalls: [{ name: 'Read', paths: ['a.ts'] }] });
  });

  const idle = '<teammate-message teammate_id="pm-agent">\n{"type":"idle_notification"}\n</teammate-message>';
  it.each([
    ['a teammate', idle, {}],
    ['a teammate, behind a heading', `Another Claude session sent a message:\n${idle}`, {}],
    ['a session', 'A peer session sent a message while you were working:\n<cross-session-message>x', {}],
    ['a session, escaped', '<\\cross-session-message from="a">x</cross-session-message>', {}],
    ['a subagent', '<agent-message from="a80">[Subagent hand-back] done</agent-message>', {}],
    ['a subagent of Codex', '<subagent_notification>{"agent_id":"a"}</subagent_notification>', {}],
    ['another agent, by its origin', 'Stop now', { origin: { kind: 'peer', from: 'b' } }],
    ['a coordinator', 'Stop now', { origin: { kind: 'coordinator' } }],
  ])('does not take a message of %s for a person’s', (_who, text, more) => {
    const { turns, end } = read('claude-code', record('user', 'Fix it.') + record('user', text, more));
    expect([...turns, end.open].map((turn) => turn?.userText)).toEqual(['Fix it.']);
    const queued = { type: 'queued_command', prompt: text, commandMode: 'prompt', ...more };
    const attached = read(
      'claude-code',
      record('user', 'Fix it.') + JSON.stringify({ type: 'attachment', attachment: queued }),
    );
    expect(attached.end.open?.userText).toBe('Fix it.');
  });

  it.each([
    ['their origin', 'Go on', { origin: { kind: 'human' } }],
    ['a channel', 'Go on', { origin: { kind: 'channel', server: 'slack' } }],
    ['the words of a heading', 'Another Claude session sent a message: what does that mean?', {}],
    ['an element in the middle', 'Why do I see <teammate-message teammate_id="a">?', {}],
  ])('takes a person’s message by %s', (_what, text, more) => {
    expect(read('claude-code', record('user', text, more)).end.open?.userText).toBe(text);
  });

  it('says how a call ended only when its result is there', () => {
    const asked = record('user', 'Go.') + record('assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }]);
    const result = (more: object) => record('user', [{ type: 'tool_result', tool_use_id: 't', content: '', ...more }]);
    const endOf = (text: string) => read('claude-code', text).end.open?.toolCalls.map(({ isError }) => isError);
    expect(endOf(asked)).toEqual([undefined]);
    expect(endOf(asked + result({}))).toEqual([false]);
    expect(endOf(asked + result({ is_error: true }))).toEqual([true]);
  });

  it('keeps both ends of a long output within 4,000 characters', () => {
    const call = record('assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'x' } }]);
    const result = record('user', [{ type: 'tool_result', tool_use_id: 't', content: `A${'x'.repeat(9000)}Z` }]);
    const output = read('claude-code', record('user', 'Go.') + call + result).end.open?.toolCalls[0]?.output ?? '';
    expect(output.length).toBeLessThanOrEqual(4000);
    expect(output.at(0)).toBe('A');
    expect(output.at(-1)).toBe('Z');
  });

  it('knows its files and their folder by the head', () => {
    const head = new TextDecoder().decode(SESSION);
    expect(claudeCode.isTranscript('/x/session.jsonl', head)).toBe(true);
    expect(claudeCode.isTranscript('/x/rollout.jsonl', new TextDecoder().decode(codexHead()))).toBe(false);
    expect(claudeCode.folderOf(head)).toBe('/work/app');
    expect(claudeCode.folderOf(`{"type":"user","cwd":"C:\\\\a","message":{"content":"${'x'.repeat(100)}`)).toBe(
      'C:\\a',
    );
  });
});

function codexHead(): Uint8Array {
  return fixture('codex/rollout-2026-08-10T13-02-01-0198-codex.jsonl');
}
