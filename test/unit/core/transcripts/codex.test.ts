import { describe, expect, it } from 'vitest';
import { codex } from '../../../../src/core/transcripts/codex';
import { outputOf } from '../../../../src/core/transcripts/codexTools';
import { allText, calls, fixture, read } from '../../../support/transcripts';

const ROLLOUT = fixture('codex/rollout-2026-08-10T13-02-01-0198-codex.jsonl');

function item(payload: object, type = 'response_item'): string {
  return `${JSON.stringify({ timestamp: '2026-08-10T13:00:00.000Z', type, payload })}\n`;
}

function user(text: string): string {
  return item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
}

const REPLY = item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] });

describe('the Codex adapter', () => {
  it('takes messages once though both logs have them, and instructions of the program not at all', () => {
    const { turns, end } = read('codex', ROLLOUT);
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({
      key: 'codex:0198-codex:0',
      userText: 'Make the server restart cleanly.',
      replyText: 'I look at the server first.\n\nThe server closes its socket now.',
      inputTokens: 12_000,
      model: 'gpt-x',
      usage: { input: 4_000, cacheRead: 8_000, cacheWrite: 0, output: 500 },
      responseMs: 15_000,
    });
    expect(end.open).toMatchObject({ key: 'codex:0198-codex:2', userText: 'Thanks.', replyText: 'You are welcome.' });
  });

  it('reads every kind of call, its files and whether it failed', () => {
    expect(calls(read('codex', ROLLOUT).turns[0])).toEqual([
      'run shell: src/server.ts',
      'run exec_command:  !',
      'edit apply_patch: src/server.ts src/new.ts',
      'run local_shell: docs/run book.md',
      'context mcp__context-budget__context_detail:  | 12 section:ports',
      'run exec: package.json !',
    ]);
  });

  it('gives the commands of code that runs them, and no more of it', () => {
    const inputOf = (code: string): string | undefined => {
      const call = item({ type: 'custom_tool_call', call_id: 'c', name: 'exec', input: code });
      return read('codex', user('Go.') + call).end.open?.toolCalls[0]?.input;
    };
    const code = 'const r = await tools.exec_command({cmd:"npm test\\nmise run lint","workdir":"/work"}); text(r)';
    expect(inputOf(code)).toBe('npm test\nmise run lint');
    expect(inputOf('text(1 + 1)')).toBe('text(1 + 1)');
  });

  it.each(['PRIVATE THOUGHTS', 'OTHER PROJECT', 'summary text', 'Be careful', 'outside.ts"', 'elsewhere'])(
    'leaves out %s',
    (text) => {
      expect(allText(read('codex', ROLLOUT))).not.toContain(text);
    },
  );

  it('knows the model of a turn that is read again, and not the next one’s', () => {
    const model = (name: string): string => item({ model: name }, 'turn_context');
    const text = model('m-1') + user('Go.') + REPLY;
    const { open, resume } = read('codex', text).end;
    const { turns, end } = read('codex', user('Go.') + REPLY + model('m-2') + user('Next.') + REPLY, { resume });
    expect([open, ...turns, end.open].map((turn) => turn?.model)).toEqual(['m-1', 'm-1', 'm-2']);
  });

  it('keeps a server’s call that only the display log has', () => {
    const invocation = { server: 'context-budget', tool: 'context_detail', arguments: { ids: [7] } };
    const end = item({ type: 'mcp_tool_call_end', call_id: 'm', invocation, result: { Err: 'no' } }, 'event_msg');
    expect(calls(read('codex', user('Go.') + end).end.open)).toEqual([
      'context mcp__context-budget__context_detail:  | 7 !',
    ]);
  });

  it('keeps a message that only the display log has', () => {
    const shown = item({ type: 'user_message', message: 'Only shown here.' }, 'event_msg');
    const { turns } = read('codex', shown + REPLY + user('Next.'));
    expect(turns.map(({ userText }) => userText)).toEqual(['Only shown here.']);
  });

  it('takes a second message before any answer as part of the same turn, a later one as the next', () => {
    const { turns, end } = read('codex', user('One.') + user('Two.') + REPLY + user('One.'));
    expect(turns.map(({ userText }) => userText)).toEqual(['One.\n\nTwo.']);
    expect(end.open?.userText).toBe('One.');
  });

  it('reads a patch in a here-document as an edit', () => {
    const cmd = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.ts\n*** End Patch\nEOF";
    const call = item({
      type: 'function_call',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd }),
      call_id: 'c',
    });
    expect(calls(read('codex', user('Go.') + call).end.open)).toEqual(['edit exec_command: src/a.ts']);
  });

  it.each([
    ['{"output":"x","metadata":{"exit_code":2}}', true],
    ['{"output":"x","metadata":{"exit_code":0}}', false],
    ['Exit code: 1\nWall time: 1 s\nOutput:\nx', true],
    ['Exit code: 0\nOutput:\nExit code: 1', false],
    ['note: Process exited with code 3 happened earlier', false],
    ['Chunk ID: a\nProcess exited with code 137\nOutput:\n', true],
  ])('reads the exit code of %j', (output, isError) => {
    expect(outputOf(output).isError).toBe(isError);
  });

  it('knows its files and their folder by the header, also when that is longer than the head', () => {
    const head = new TextDecoder().decode(ROLLOUT).slice(0, 230);
    expect(head).not.toContain('\n');
    expect(codex.isTranscript('C:\\x\\rollout-1.jsonl', head)).toBe(true);
    expect(codex.folderOf(head)).toBe('/work/app');
  });
});
