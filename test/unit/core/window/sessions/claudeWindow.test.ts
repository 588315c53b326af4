import { describe, expect, it } from 'vitest';
import { claudeSession } from '../../../../../src/core/transcripts/sessions/claudeSession';
import type { SessionEvent } from '../../../../../src/core/transcripts/sessions/sessionLog';
import {
  type AgentSession,
  assembleSessions,
  type SessionRequest,
} from '../../../../../src/core/window/sessions/sessions';
import { TimelineBuilder } from '../../../../../src/core/window/sessions/timeline';

type Fields = Record<string, unknown>;

const SESSION = { sessionId: 'a', cwd: '/w', uuid: 'u', parentUuid: 'p' };

function user(content: unknown, more: Fields = {}): Fields {
  return { ...SESSION, type: 'user', message: { role: 'user', content }, ...more };
}

function result(id: string, content: unknown, file?: Fields): Fields {
  return user([{ type: 'tool_result', tool_use_id: id, content }], { toolUseResult: { file } });
}

/** One request of one record. Without `stop` the output is what was there when the answer began. */
function answer(id: string, window: number, blocks: readonly Fields[], { output = 1, stop = false, model = '' } = {}) {
  const usage = { input_tokens: window, output_tokens: output };
  const message = {
    id,
    model: model || 'claude-opus-4-5',
    content: blocks,
    usage,
    stop_reason: stop ? 'tool_use' : null,
  };
  return { ...SESSION, type: 'assistant', requestId: `r${id}`, message };
}

const text = (words: number): string => Array.from({ length: words }, (_, at) => `w${at}`).join(' ');
const call = (id: string, name: string, input: Fields): Fields => ({ type: 'tool_use', id, name, input });
const BOUNDARY = { ...SESSION, type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } };

/** The session that the records come to. A word is a token. */
function sessionOf(records: readonly Fields[]): AgentSession | undefined {
  const events: SessionEvent[] = [];
  const reader = claudeSession.open({ head: {}, emit: (event) => events.push(event) }, { name: 'a' });
  for (const record of records) reader.record(record);
  const builder = new TimelineBuilder();
  for (const event of events)
    builder.add(event, event.kind === 'block' && event.text ? event.text.split(' ').length : 0);
  const file = { agent: 'claude-code', name: 'a', head: { id: 'a' }, timeline: builder.finish() } as const;
  return assembleSessions([file])[0];
}

function requestsOf(records: readonly Fields[]): readonly SessionRequest[] {
  return sessionOf(records)?.requests ?? [];
}

function lastParts(...records: readonly Fields[]): SessionRequest['parts'] {
  return (requestsOf([user('go on'), ...records]).at(-1) as SessionRequest).parts;
}

describe('thoughts in a window of Claude Code', () => {
  const thought = { type: 'thinking', thinking: text(20), signature: 's'.repeat(5_000) };

  it('are as long as their signatures say where the output is not recorded', () => {
    const parts = lastParts(answer('1', 9_000, [thought, { type: 'text', text: 'done' }]), answer('2', 10_100, []));
    expect(parts).toMatchObject({ thinking: 1_000, assistant: 1 });
  });

  it('are what is left of the recorded output', () => {
    const blocks = [thought, call('c', 'Bash', { command: 'ls' })];
    const parts = lastParts(
      answer('1', 9_000, blocks, { output: 1_500, stop: true }),
      result('c', text(100)),
      answer('2', 12_000, []),
    );
    // Two words and 57 tokens around the call; the result has 18 of its own.
    expect(parts).toMatchObject({ thinking: 1_500 - 2 - 57, command: Math.round(102 * 1.14) + 57 + 18 });
  });

  it('leave the window of older models with the next message', () => {
    const old = { model: 'claude-sonnet-4-5-20250929' };
    expect(lastParts(answer('1', 9_000, [thought], old), user('next'), answer('2', 9_100, [], old)).thinking).toBe(0);
  });
});

describe('pictures in a window of Claude Code', () => {
  /** The head of a PNG: its signature, and the chunk that says its size. */
  const picture = (width: number, height: number, cut = 0): Fields => {
    const bytes = Buffer.alloc(33);
    bytes.write('\u0089PNG\r\n\u001a\n', 'latin1');
    bytes.writeUInt32BE(13, 8);
    bytes.write('IHDR', 12, 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64').slice(cut) },
    };
  };

  it.each([
    ['by their pixels', [1_000, 750], 1_000],
    ['as the model sees them: scaled down', [3_136, 600], 628],
    ['with a largest size', [1_500, 1_500], 1_600],
  ])('count %s, pasted or read', (_, [width = 0, height = 0], tokens) => {
    const shot = [picture(width, height)];
    expect(lastParts(user([...shot, { type: 'text', text: 'see' }]), answer('1', 9_000, []))).toMatchObject({
      user: tokens + 3,
    });
    const read = [answer('1', 9_000, [call('c', 'Read', {})]), result('c', shot), answer('2', 12_000, [])];
    expect(lastParts(...read).read).toBe(tokens + 2 + 57 + 18);
  });

  it('that are broken or masked count nothing', () => {
    const parts = lastParts(user([picture(1_000, 750, 3)]), user([{ type: 'image' }]), answer('1', 9_000, []));
    expect(parts.user).toBe(2);
  });
});

describe('what Claude Code logs and the model does not read', () => {
  it('is the text of a plan: it is in a file', () => {
    const plan = call('c', 'ExitPlanMode', { plan: text(3_000), allowedPrompts: [] });
    expect(lastParts(answer('1', 9_000, [plan]), result('c', 'ok'), answer('2', 9_200, [])).assistant).toBe(78);
  });

  it('is what hooks show on screen, and names beside the lines that list them', () => {
    const attachment = (fields: Fields): Fields => ({ ...SESSION, type: 'attachment', attachment: fields });
    const parts = lastParts(
      attachment({ type: 'hook_success', stdout: text(500) }),
      attachment({ type: 'async_hook_response', stderr: text(500) }),
      attachment({ type: 'deferred_tools_delta', addedNames: ['A', 'B'], addedLines: [text(100)] }),
      attachment({ type: 'hook_additional_context', content: [text(100)], toolUseID: text(50) }),
      answer('1', 9_000, []),
    );
    expect(parts.instructions).toBe(228);
  });
});

describe('files that a message names with @', () => {
  const grown = (said: string, more: readonly Fields[] = []): SessionRequest['parts'] =>
    lastParts(...more, answer('1', 9_000, []), user(said), answer('2', 12_000, []));

  it('are what the window grows by beside its texts', () => {
    expect(grown('see @src/a.ts now')).toMatchObject({ read: 2_996, user: 6 });
  });

  it('are none where the text is about people or code, and where the log has them', () => {
    expect(grown('ask bob@example.com or @bob')).toMatchObject({ read: 0 });
    const attachment = { ...SESSION, type: 'attachment', attachment: { type: 'skill_listing', content: 'skills' } };
    expect(grown('see @src/a.ts now', [attachment])).toMatchObject({ read: 0 });
  });
});

describe('tools that a search loads', () => {
  it('are in the window from then on', () => {
    const found = ['AskUserQuestion', 'TaskCreate'].map((name) => ({ type: 'tool_reference', tool_name: name }));
    const search = [answer('1', 9_000, [call('c', 'ToolSearch', { query: 'x' })]), result('c', found)];
    expect(lastParts(...search, answer('2', 11_000, [])).instructions).toBe(2 * 690 + 2 + 57 + 18);
  });
});

describe('what Claude Code puts back behind a compaction', () => {
  const read = (id: string, path: string, words: number, share = 1): readonly Fields[] => [
    answer(id, 20_000, [call(id, 'Read', { file_path: `/w/${path}` })]),
    result(id, text(words), { numLines: 100 * share, totalLines: 100 }),
  ];
  const summary = user('so far', { isCompactSummary: true });
  const before = [answer('0', 15_002, []), ...read('1', 'a.ts', 1_000), ...read('2', 'big.ts', 6_000)];

  it('is small files, as far as the window has room for them', () => {
    // 15,000 tokens are the agent's own from the first window on.
    const roomy = lastParts(...before, BOUNDARY, summary, answer('3', 19_000, []));
    expect(roomy).toMatchObject({ read: 1_140, summary: 2, residual: 17_858 });
    const full = lastParts(...before, BOUNDARY, summary, answer('3', 15_402, []));
    expect(full).toMatchObject({ read: 400, summary: 2, residual: 15_000 });
    const none = lastParts(...before, BOUNDARY, summary, answer('3', 14_000, []));
    expect(none).toMatchObject({ read: 0, residual: 13_998 });
  });

  it('is the whole of a file that was read in part, the plan, and skills', () => {
    const skill = user([{ type: 'text', text: `Base directory for this skill: /s ${text(294)}` }], { isMeta: true });
    const parts = lastParts(
      answer('0', 15_002, []),
      ...read('1', 'a.ts', 200, 0.5),
      answer('2', 16_000, [call('2', 'ExitPlanMode', { plan: text(200) })]),
      skill,
      BOUNDARY,
      summary,
      answer('3', 40_000, []),
    );
    // The other half of the file's 690 characters has 3 to a token.
    expect(parts).toMatchObject({ read: Math.round(200 * 1.14) + Math.round(text(200).length / 3), instructions: 570 });
  });

  it('is what a command says, and what the files that it names may have', () => {
    const command = user('<command-name>/plan</command-name>');
    const body = user([{ type: 'text', text: `Read @docs/plan.md first ${text(96)}` }], { isMeta: true });
    const parts = lastParts(answer('0', 15_002, []), command, body, BOUNDARY, summary, answer('3', 18_000, []));
    // 5,000 and 113 tokens at most, in the room that there is.
    expect(parts.read + parts.instructions).toBe(18_000 - 15_002);
    expect(parts.instructions).toBe(Math.round((113 * 2_998) / 5_113));
  });

  it('is forgotten with the compaction: the next one has what was used since', () => {
    const again = [...before, BOUNDARY, summary, answer('3', 19_000, []), BOUNDARY, summary, answer('4', 19_000, [])];
    expect(lastParts(...again)).toMatchObject({ read: 0, residual: 18_998 });
  });

  it('is what the log says where it has attachments', () => {
    const restored = { type: 'file', filename: 'a.ts', content: { type: 'text', file: { content: text(100) } } };
    const attachment = { ...SESSION, type: 'attachment', attachment: restored };
    const parts = lastParts(
      { ...SESSION, type: 'attachment', attachment: { type: 'skill_listing', content: 'skills' } },
      ...before,
      BOUNDARY,
      summary,
      attachment,
      answer('3', 19_000, []),
    );
    expect(parts.read).toBe(114);
  });
});

describe('a window of Claude Code that goes back to an earlier message', () => {
  const at = (uuid: string, parentUuid: string | null | undefined, record: Fields): Fields => ({
    ...record,
    uuid,
    parentUuid,
  });
  const big = text(5_000);
  const order = 'Never touch the generated protobuf folder.';
  /** One turn with an answer, and one that reads a large file. */
  const turns = [
    at('1', null, user('one')),
    at('2', '1', answer('1', 9_000, [])),
    at('3', '2', user(`two three. ${order}`)),
    at('4', '3', answer('2', 9_010, [call('c', 'Read', { file_path: '/w/a.ts' })])),
    at('5', '4', result('c', big)),
    at('6', '5', answer('3', 15_000, [])),
  ];
  const summary = user('The session goes on.', { isCompactSummary: true });

  it.each<readonly [string, readonly Fields[], number, boolean]>([
    ['an answer before it', [at('7', '2', user('four')), at('8', '7', answer('4', 9_010, []))], 2, false],
    ['the beginning', [at('7', null, user('four')), at('8', '7', answer('4', 9_010, []))], 1, false],
    [
      'a record that hooks logged before its own',
      [at('7', '8', user('four')), at('8', '2', { type: 'attachment' }), at('9', '7', answer('4', 15_010, []))],
      10,
      true,
    ],
    [
      'a message that nothing answered',
      [at('7', '6', user('four five')), at('8', '6', user('six')), at('9', '8', answer('4', 15_010, []))],
      10,
      true,
    ],
    [
      'a record of the same turn, as parallel calls and interrupted ones have it',
      [at('7', '4', user('four')), at('8', '7', answer('4', 15_010, []))],
      10,
      true,
    ],
    ['a record that is missing', [at('7', 'x', user('four')), at('8', '7', answer('4', 15_010, []))], 10, true],
    [
      'a record that it does not name',
      [at('7', undefined, user('four')), at('8', '7', answer('4', 15_010, []))],
      10,
      true,
    ],
    ['itself', [at('7', '7', user('four')), at('8', '7', answer('4', 15_010, []))], 10, true],
  ])('has what came before %s', (_, more, words, hasFile) => {
    const { parts } = requestsOf([...turns, ...more]).at(-1) as SessionRequest;
    expect(parts.user).toBe(Math.round(words * 1.14));
    expect(parts.read > 5_000).toBe(hasFile);
  });

  it('has no findings about what left with the messages', () => {
    const back = [
      at('7', '2', user('four')),
      at('8', '7', answer('4', 9_010, [])),
      at('9', '8', user('five')),
      at('10', '9', answer('5', 9_020, [])),
      at('11', '10', answer('6', 9_030, [])),
      at('12', null, BOUNDARY),
      at('13', '12', summary),
      at('14', '13', user('six')),
      at('15', '14', answer('7', 9_000, [])),
    ];
    const rules = (records: readonly Fields[]) => sessionOf(records)?.findings.map(({ rule }) => rule);
    expect(rules([...turns, ...back])).toEqual([]);
    const [next, ...others] = back;
    expect(rules([...turns, { ...next, parentUuid: '6' }, ...others])).toEqual([
      'unused-output',
      'lost-instruction',
      'window-shrank',
    ]);
  });

  it('keeps the messages that a compaction sums up', () => {
    const more = [
      at('7', null, BOUNDARY),
      at('8', '7', summary),
      at('9', '8', user('four')),
      at('10', '9', answer('4', 9_010, [])),
    ];
    expect(requestsOf([...turns, ...more]).at(-1)?.cuts).toBe(1);
  });
});
