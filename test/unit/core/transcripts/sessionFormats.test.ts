import { describe, expect, it } from 'vitest';
import { claudeSession } from '../../../../src/core/transcripts/sessions/claudeSession';
import { codexSession } from '../../../../src/core/transcripts/sessions/codexSession';
import { copilotSession } from '../../../../src/core/transcripts/sessions/copilotSession';
import { piSession } from '../../../../src/core/transcripts/sessions/piSession';
import type { SessionEvent, SessionFormat, SessionHead } from '../../../../src/core/transcripts/sessions/sessionLog';

/** Events of some records, without their times, and the head. */
function read(format: SessionFormat, records: readonly object[]) {
  const events: SessionEvent[] = [];
  const head: SessionHead = {};
  const reader = format.open({ head, emit: (event) => events.push(event) }, { name: 'a' });
  for (const record of records) reader.record({ ...record });
  return { events, head };
}

const blocks = (format: SessionFormat, ...records: readonly object[]) =>
  read(format, records).events.filter(({ kind }) => kind === 'block');

describe('a session of Pi', () => {
  it('says where it was begun and which session it goes on from, by its first record', () => {
    const { head } = read(piSession, [
      { type: 'session', id: 's1', cwd: '/w', parentSession: 's0' },
      { type: 'session', id: 's2', cwd: '/v', parentSession: 's9' },
    ]);
    expect(head).toEqual({ id: 's1', cwd: '/w', parent: { id: 's0', as: 'fork' } });
  });

  it('has no parent when the record names none', () => {
    expect(read(piSession, [{ type: 'session', id: 's1', cwd: '/w' }]).head).toEqual({ id: 's1', cwd: '/w' });
  });

  it.each([
    ['the summary of a branch', { type: 'branch_summary', summary: 'left' }, { part: 'summary', text: 'left' }],
    [
      'the message of an extension',
      { type: 'custom_message', content: 'obey' },
      { part: 'instructions', text: 'obey' },
    ],
    [
      'a command of the person',
      { type: 'message', message: { role: 'bashExecution', command: 'ls', output: 'a.ts' } },
      { part: 'command', text: 'ls\na.ts' },
    ],
  ])('counts %s', (_, record, block) => {
    expect(blocks(piSession, record)).toMatchObject([{ from: 'agent', ...block }]);
  });

  it('does not count a command that is kept out of the window', () => {
    const message = { role: 'bashExecution', command: 'ls', output: 'a.ts', excludeFromContext: true };
    expect(blocks(piSession, { type: 'message', message })).toEqual([]);
  });

  it.each([
    ['its id', { firstKeptEntryId: 'e1' }, 'e1'],
    ['its index', { firstKeptEntryIndex: 1 }, 'e1'],
    ['neither', {}, undefined],
  ])('finds the first entry that a compaction keeps by %s', (_, kept, keepsFrom) => {
    const { events } = read(piSession, [
      { type: 'session', id: 's1' },
      { type: 'message', id: 'e1', message: { role: 'user', content: 'go on' } },
      { type: 'compaction', id: 'e2', parentId: 'e1', summary: 'so far', ...kept },
    ]);
    expect(events.find(({ kind }) => kind === 'compaction')).toMatchObject({ keepsFrom });
    expect(events.at(-1)).toMatchObject({ kind: 'block', part: 'summary', text: 'so far' });
  });
});

describe('a session of Copilot CLI', () => {
  it.each([
    ['after a compaction', { summaryContent: 'so far', success: true }, ['compaction', 'block']],
    ['after a compaction that does not say how it ended', { summaryContent: 'so far' }, ['compaction', 'block']],
    ['but not after one that failed', { summaryContent: 'so far', success: false }, []],
  ])('goes on from a summary %s', (_, data, kinds) => {
    const { events } = read(copilotSession, [{ type: 'session.compaction_complete', data }]);
    expect(events.map(({ kind }) => kind)).toEqual(kinds);
    if (kinds.length > 0) expect(events[1]).toMatchObject({ part: 'summary', from: 'agent', text: 'so far' });
  });

  it.each([
    ['a person', { content: 'go on' }, ['prompt', 'block'], 'user'],
    ['a person who is named', { content: 'go on', source: 'user' }, ['prompt', 'block'], 'user'],
    ['a skill', { content: 'go on', source: 'skill' }, ['block'], 'instructions'],
  ])('knows the message of %s', (_, data, kinds, part) => {
    const { events } = read(copilotSession, [{ type: 'user.message', data: { ...data, transformedContent: 'x' } }]);
    expect(events.map(({ kind }) => kind)).toEqual(kinds);
    expect(events.at(-1)).toMatchObject({ part, from: part === 'user' ? 'user' : 'agent' });
  });
});

describe('a session of Claude Code', () => {
  const head = { sessionId: 'a', cwd: '/w', uuid: 'u1', timestamp: '2026-11-20T09:00:00Z' };

  it('clears the results that a small compaction names', () => {
    const microcompactMetadata = { compactedToolIds: ['t1', 7, 't2'] };
    const record = { ...head, type: 'system', subtype: 'microcompact_boundary', microcompactMetadata };
    expect(read(claudeSession, [record]).events).toContainEqual(
      expect.objectContaining({ kind: 'cleared', calls: ['t1', 't2'] }),
    );
  });

  it('clears nothing for another notice', () => {
    const record = { ...head, type: 'system', subtype: 'informational', content: 'x' };
    expect(read(claudeSession, [record]).events.map(({ kind }) => kind)).not.toContain('cleared');
  });

  it('counts the result of a search that the provider ran', () => {
    const content = [
      { type: 'server_tool_use', id: 't1', name: 'WebSearch', input: { query: 'x' } },
      { type: 'web_search_tool_result', tool_use_id: 't1', content: [{ title: 'Found' }] },
    ];
    const message = { id: 'm1', model: 'm', role: 'assistant', content, usage: { input_tokens: 5, output_tokens: 1 } };
    expect(blocks(claudeSession, { ...head, type: 'assistant', requestId: 'r1', message })).toContainEqual(
      expect.objectContaining({ part: 'web', from: 'result', text: '[{"title":"Found"}]' }),
    );
  });
});

describe('a session of Codex that is compacted', () => {
  const compacted = (payload: object) => blocks(codexSession, { type: 'compacted', payload });

  it('goes on from its summary and from what was kept, each once', () => {
    const replacement_history = [
      { role: 'user', content: 'go on' },
      { role: 'developer', content: 'obey' },
      { role: 'user', content: 'so far' },
    ];
    expect(compacted({ message: 'so far', replacement_history })).toMatchObject([
      { part: 'summary', from: 'agent', text: 'so far' },
      { part: 'user', from: 'agent', text: 'go on' },
      { part: 'instructions', from: 'agent', text: 'obey' },
    ]);
  });

  it('assumes a size for a summary that is hidden, and for no other', () => {
    expect(compacted({})).toMatchObject([{ part: 'summary', isAssumed: true, tokens: expect.any(Number) }]);
    expect(compacted({ message: 'so far' })[0]).not.toHaveProperty('isAssumed');
  });
});
