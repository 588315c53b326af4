import { describe, expect, it } from 'vitest';
import { claudeSession } from '../../../../../src/core/transcripts/sessions/claudeSession';
import { codexSession } from '../../../../../src/core/transcripts/sessions/codexSession';
import type { LoggedBlock, SessionEvent } from '../../../../../src/core/transcripts/sessions/sessionLog';
import { partsOf } from '../../../../../src/core/window/sessions/parts';
import { TimelineBuilder } from '../../../../../src/core/window/sessions/timeline';

/** Parts of each request's window; a word is a token. */
function partsIn(events: readonly SessionEvent[]) {
  const builder = new TimelineBuilder();
  for (const event of events)
    builder.add(event, event.kind === 'block' && event.text !== '' ? event.text.split(' ').length : 0);
  return builder.finish().requests.map((request) => ({ factor: request.factor, ...partsOf(request, request.usage) }));
}

function words(count: number): string {
  return Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
}

function said(part: LoggedBlock['part'], count: number, more: Partial<LoggedBlock> = {}): SessionEvent {
  return { kind: 'block', part, from: 'model', text: words(count), ...more };
}

let keys = 0;

function request(model: string, window: number, output: number, hasHiddenThinking = false): readonly SessionEvent[] {
  const key = `r${++keys}`;
  const usage = { input: window, cacheRead: 0, cacheWrite: 0, output };
  return [
    { kind: 'request', id: key, key, model },
    { kind: 'usage', key, usage, hasHiddenThinking },
  ];
}

function answered(model: string, window: number, count: number, output: number): readonly SessionEvent[] {
  const [begin, usage] = request(model, window, output);
  return [begin as SessionEvent, said('assistant', count), usage as SessionEvent];
}

describe("a model's tokens over ours", () => {
  const factors = (model: string, count: number, output: number) =>
    partsIn([...answered(model, 30_000, count, output), ...answered(model, 32_000, 1, 2)]).map(({ factor }) => factor);

  it.each([
    ['are measured by its answers', 'claude-opus-4-6', 1_000, 1_550, 1.55],
    ['are those expected after little text', 'claude-opus-4-6', 900, 1_400, 1.19],
    ['are those expected where the figure has more than the text', 'claude-opus-4-6', 1_000, 2_600, 1.19],
    ['are the same for models of a known tokenizer', 'gpt-5.5', 1_000, 1_550, 1],
  ])('%s', (_, model, count, output, factor) => {
    expect(factors(model, count, output)).toEqual([factor, factor]);
  });

  it('are not measured by an answer with thinking', () => {
    const [begin, usage] = request('claude-opus-4-6', 30_000, 1_550, true);
    const events = [begin as SessionEvent, said('assistant', 1_000), usage as SessionEvent];
    expect(partsIn(events)[0]?.factor).toBe(1.19);
  });
});

describe('thinking of earlier turns', () => {
  it('is in the windows of models that keep it alone, whatever model thought', () => {
    const prompt: SessionEvent = { kind: 'prompt' };
    const [begin, usage] = request('claude-opus-4-5', 20_000, 1);
    const thought = said('thinking', 0, { text: '', summarized: 900 });
    const events = [prompt, begin as SessionEvent, thought, usage as SessionEvent, prompt];
    for (const model of ['claude-sonnet-4-5', 'claude-opus-4-5']) events.push(...request(model, 22_000, 1), prompt);
    expect(partsIn(events).map(({ thinking }) => thinking)).toEqual([0, 0, 900]);
  });
});

describe('notes on changed files in a session that an editor drives', () => {
  const PATH = '/w/src/a.ts';
  const before = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const list = (text: string) => [{ type: 'text', text }];

  function notesOf(records: readonly object[]): readonly string[] {
    const notes: string[] = [];
    const emit = (event: SessionEvent): void => {
      if (event.kind === 'block' && event.isAssumed === true && event.text.startsWith('Note: ')) notes.push(event.text);
    };
    const reader = claudeSession.open({ head: {}, emit }, { name: 'a' });
    for (const record of records) reader.record({ sessionId: 'a', ...record });
    return notes;
  }

  const user = (content: unknown, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
  const used = (id: string, name: string, input: object, toolUseResult: object) => [
    {
      type: 'assistant',
      message: { id, model: 'm', usage: { input_tokens: 1 }, content: [{ type: 'tool_use', id, name, input }] },
    },
    user([{ type: 'tool_result', tool_use_id: id, content: 'done' }], { toolUseResult }),
  ];
  const read = (id: string, input: object = {}) => used(id, 'Read', { file_path: PATH, ...input }, {});
  const lines = [' line 19', '-line 20', '+new 20', ' line 21'];
  const edit = (id: string) =>
    used(
      id,
      'Edit',
      { file_path: PATH },
      {
        originalFile: before.join('\n'),
        structuredPatch: [{ oldStart: 19, oldLines: 3, newStart: 19, newLines: 3, lines }],
      },
    );
  const done = { type: 'assistant', message: { id: 'z', model: 'm', usage: { input_tokens: 1 }, content: [] } };

  it('come again with each message: the change, eight lines around it, their numbers', () => {
    const notes = notesOf([user(list('go')), ...read('1'), ...edit('2'), user(list('a')), done, user(list('b'))]);
    expect(notes).toHaveLength(2);
    expect(notes[1]).toBe(notes[0]);
    const shown = notes[0]?.split('\n').slice(1) ?? [];
    expect(shown).toHaveLength(17);
    expect([shown[0], shown[8], shown[16]]).toEqual(['    12→line 12', '    20→new 20', '    28→line 28']);
  });

  it.each([
    ['in a terminal', [user('go'), ...read('1'), ...edit('2'), user('on')]],
    ['with a command', [user(list('go')), ...read('1'), ...edit('2'), user('<command-name>/x</command-name>')]],
    [
      'of a file that was read again since',
      [user(list('go')), ...read('1'), ...edit('2'), ...read('3'), user(list('on'))],
    ],
    [
      'of a file that was read in part',
      [user(list('go')), ...read('1', { offset: 9, limit: 9 }), ...edit('2'), user(list('on'))],
    ],
    [
      'behind a compaction',
      [user(list('go')), ...read('1'), ...edit('2'), { type: 'system', subtype: 'compact_boundary' }, user(list('on'))],
    ],
  ])('do not come %s', (_, records) => {
    expect(notesOf(records)).toEqual([]);
  });

  it('have all changes at the lines where they are now', () => {
    const second = used(
      '3',
      'Edit',
      { file_path: PATH },
      {
        originalFile: before.with(19, 'new 20').join('\n'),
        structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 3, lines: ['+x', '+y', ' line 1'] }],
      },
    );
    const [note = ''] = notesOf([user(list('go')), ...read('1'), ...edit('2'), ...second, user(list('on'))]);
    const shown = note.split('\n').slice(1);
    expect([shown[0], shown[9], shown[10]]).toEqual(['     1→x', '    10→line 8', '    14→line 12']);
    expect(shown).toContain('    22→new 20');
  });
});

describe("windows of Codex' models", () => {
  function codex(records: readonly object[]) {
    const events: SessionEvent[] = [];
    const reader = codexSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
    for (const [type, payload] of [['turn_context', { model: 'gpt-5.5' }], ...records.flatMap(Object.entries)])
      reader.record({ type, payload });
    return partsIn(events);
  }
  const message = (role: string, text: string) => ({
    response_item: { type: 'message', role, content: [{ type: 'output_text', text }] },
  });
  let total = 0;
  const count = (input_tokens: number, output_tokens: number, reasoning_output_tokens: number) => {
    const last_token_usage = { input_tokens, output_tokens, reasoning_output_tokens };
    return { event_msg: { type: 'token_count', info: { total_token_usage: { total: ++total }, last_token_usage } } };
  };

  it('hold the frames of calls and results, and thinking until the next message', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'shell', arguments: '{"command":"make"}' };
    const [first, second, third] = codex([
      message('user', 'go'),
      { response_item: call },
      { response_item: { type: 'function_call_output', call_id: 'c', output: words(50) } },
      count(10_001, 120, 100),
      message('assistant', 'done'),
      count(10_182, 3, 0),
      message('user', 'on'),
      message('assistant', 'done'),
      count(10_088, 3, 0),
    ]);
    // The call is two words, 18 more are its frame; the result has 9, an answer 2.
    expect(first).toMatchObject({ residual: 10_000, thinking: 0 });
    expect(second).toMatchObject({ residual: 10_000, thinking: 100, command: 61, assistant: 20 });
    expect(third).toMatchObject({ residual: 10_000, thinking: 0, command: 61, assistant: 25 });
  });

  it('hold the tools that a search found', () => {
    const tools = [{ name: 'list_issues', description: words(40) }];
    const [, second] = codex([
      message('user', 'go'),
      { response_item: { type: 'tool_search_call', call_id: 's', arguments: '{}' } },
      { response_item: { type: 'tool_search_output', call_id: 's', tools } },
      count(10_001, 2, 0),
      message('assistant', 'done'),
      count(10_054, 1, 0),
    ]);
    expect(second?.residual).toBe(10_000);
  });

  it('hold the summary that the log leaves out, as far as they grew by it', () => {
    const [, compacted] = codex([
      message('user', 'go'),
      message('assistant', 'done'),
      count(10_001, 1, 0),
      { compacted: { message: '', replacement_history: [] } },
      message('assistant', 'done'),
      count(12_500, 1, 0),
    ]);
    expect(compacted).toMatchObject({ summary: 2_500, residual: 10_000 });
  });
});
