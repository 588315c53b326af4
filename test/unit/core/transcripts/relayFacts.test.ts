import { describe, expect, it } from 'vitest';
import { relayFacts, repeatedOf } from '../../../../src/core/transcripts/relayFacts';
import type { AgentTurn, ToolCall } from '../../../../src/core/transcripts/transcriptAdapter';
import { fixture, read } from '../../../support/transcripts';

function call(part: Partial<ToolCall>): ToolCall {
  return { name: 'Bash', kind: 'run', paths: [], handles: [], input: '', output: '', isError: false, ...part };
}

function turn(key: string, part: Partial<AgentTurn>): AgentTurn {
  const none = {
    startedAt: undefined,
    inputTokens: undefined,
    model: undefined,
    usage: undefined,
    responseMs: undefined,
  };
  return { key, agent: 'codex', userText: '', replyText: '', toolCalls: [], ...none, ...part };
}

describe('facts for the relay', () => {
  it('takes the last message of a person, not a slash command', () => {
    const turns = [turn('1', { userText: 'Fix it.' }), turn('2', { userText: '/compact' }), turn('3', {})];
    expect(relayFacts(turns).latestInstruction).toBe('Fix it.');
    expect(relayFacts([]).latestInstruction).toBeUndefined();
  });

  it('keeps a failure until the same command or file succeeds, in any later turn', () => {
    const failed = call({ input: 'npm  test', isError: true, output: 'Exit code 1\nError: 2 failing' });
    const other = call({ input: 'npm run lint', isError: true, output: 'Output:\nboom' });
    const edit = call({ name: 'Edit', kind: 'edit', paths: ['a.ts'], isError: true, output: 'String not found' });
    const turns = [turn('1', { toolCalls: [failed, edit, other] })];
    expect(relayFacts(turns).openFailures).toEqual([
      { what: 'Bash: Error: 2 failing', where: 'npm test', turn: '1' },
      { what: 'Edit: String not found', where: 'a.ts', turn: '1' },
      { what: 'Bash: boom', where: 'npm run lint', turn: '1' },
    ]);
    const settled = turn('2', { toolCalls: [call({ input: 'npm test' }), call({ ...edit, isError: false })] });
    expect(relayFacts([...turns, settled]).openFailures.map(({ where }) => where)).toEqual(['npm run lint']);
  });

  it('says a failure once, as it was last', () => {
    const failing = (output: string) => call({ input: 'make', isError: true, output });
    const turns = [turn('1', { toolCalls: [failing('first')] }), turn('2', { toolCalls: [failing('second')] })];
    expect(relayFacts(turns).openFailures).toEqual([{ what: 'Bash: second', where: 'make', turn: '2' }]);
  });

  it('cuts a long command between characters', () => {
    const failed = call({ input: '👍'.repeat(101), isError: true, output: 'boom' });
    const [failure] = relayFacts([turn('1', { toolCalls: [failed] })]).openFailures;
    expect(failure?.where).toBe(`${'👍'.repeat(99)}…`);
  });

  it('does not take a refusal of the user for a failure', () => {
    const refused = call({ isError: true, output: "The user doesn't want to proceed with this tool use." });
    expect(relayFacts([turn('1', { toolCalls: [refused] })]).openFailures).toEqual([]);
  });

  it.each([
    ['has no result', { isError: undefined }],
    ['was declined', { isError: true, output: "The user doesn't want to proceed with this tool use." }],
    ['was declined in Codex', { output: 'exec command rejected by user' }],
    ['was interrupted', { isError: true, output: 'Exit code 137\n[Request interrupted by user for tool use]' }],
    ['runs in the background', { output: 'Command running in background with ID: b77. Output is being written to: x' }],
    ['was moved there', { output: 'Command was manually backgrounded by user with ID: b77' }],
    ['still runs in Codex', { output: 'Chunk ID: a\nWall time: 1\nProcess running with session ID 42\nOutput:\n' }],
    ['still runs in Copilot', { output: 'Command is running in terminal with ID=d9208ada' }],
  ])('keeps a failure when the command %s the next time', (_how, part) => {
    const failed = call({ input: 'npm test', isError: true, output: 'Error: 2 failing' });
    const again = turn('2', { toolCalls: [call({ input: 'npm test', ...part })] });
    expect(relayFacts([turn('1', { toolCalls: [failed] }), again]).openFailures).toEqual([
      { what: 'Bash: Error: 2 failing', where: 'npm test', turn: '1' },
    ]);
    expect(relayFacts([again]).openFailures).toEqual([]);
  });

  it.each([
    ['Process exited with code 0\nOutput:\nok', false, []],
    ['Process exited with code 1\nOutput:\n1 failing', true, ['Bash: 1 failing']],
    ['Process running with session ID 42\nOutput:\n', false, ['Bash: Error: 2 failing']],
  ])('takes the end of a command from the call that reads on: %j', (output, isError, open) => {
    const failed = call({ input: 'npm test', isError: true, output: 'Error: 2 failing' });
    const started = call({ input: 'npm test', output: 'Process running with session ID 42\nOutput:\n' });
    const read = call({ name: 'write_stdin', kind: 'other', input: '{"session_id":42,"chars":""}', output, isError });
    const facts = relayFacts([turn('1', { toolCalls: [failed, started, read] })]);
    expect(facts.openFailures.map(({ what }) => what)).toEqual(open);
  });

  it('counts lines that are said again, not code', () => {
    const replyText = '- Still waiting for CI.\n```\nreturn value;\nreturn value;\n```';
    const turns = [
      turn('1', { replyText }),
      turn('2', { replyText: 'still waiting for CI' }),
      turn('3', { replyText }),
    ];
    expect(relayFacts(turns).repeatedStatuses).toEqual([{ text: '- Still waiting for CI.', times: 3 }]);
  });

  it('reads a recorded session', () => {
    const { turns, end } = read('claude-code', fixture('claude-code/session.jsonl'));
    const facts = relayFacts(end.open ? [...turns, end.open] : turns);
    expect(facts.latestInstruction).toBe('One more question.');
    expect(facts.openFailures.map(({ what }) => what)).toEqual(['Bash: 1 failing']);
  });
});

it('texts that come again are told most often first, by their last words', () => {
  const said = ['a', 'b', 'b', 'c', 'c', 'c'].map((key, at) => ({ key, text: `${key}${at}` }));
  expect(repeatedOf(said)).toEqual([
    { text: 'c5', times: 3 },
    { text: 'b2', times: 2 },
  ]);
});
