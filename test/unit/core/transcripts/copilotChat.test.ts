import { describe, expect, it } from 'vitest';
import { copilotChat } from '../../../../src/core/transcripts/copilotChat';
import { allText, calls, fixture, read } from '../../../support/transcripts';

const EXPORT = fixture('copilot-chat/chat.json');

describe('the Copilot Chat adapter', () => {
  it('takes each request as a turn, in the words that a person saw', () => {
    const { turns, end } = read('copilot-chat', EXPORT);
    expect(turns).toMatchObject([
      {
        key: 'copilot-chat:export:request_1',
        userText: 'Why does the "build" fail? {[}',
        replyText: 'I look at src/build.ts. The import was wrong.',
        startedAt: 1_786_366_800_000,
        inputTokens: 28_857,
        model: 'copilot/x',
        responseMs: 44_202,
      },
      { userText: '谢谢。', replyText: '不客气。' },
    ]);
    expect(end.open).toBeUndefined();
  });

  it('takes calls once, with the arguments of the model where they are kept', () => {
    expect(calls(read('copilot-chat', EXPORT).turns[0])).toEqual([
      'read read_file: src/build.ts',
      'edit replace_string_in_file: src/build.ts',
      'search grep_search: ',
      'run run_in_terminal: dist/log.txt !',
      'context mcp_context-budge_context_detail:  | section:soul',
      'edit textEditGroup: src/build.ts',
      'other variableData: build.mjs',
      'read contentReferences: AGENTS.md',
    ]);
  });

  it('keeps what an edit writes', () => {
    const edits = read('copilot-chat', EXPORT).turns[0]?.toolCalls.filter(({ kind }) => kind === 'edit') ?? [];
    expect(edits.map((call) => call.input)).toEqual(['b', 'fixed']);
  });

  it('leaves out thinking and files of other folders', () => {
    const text = allText(read('copilot-chat', EXPORT));
    expect(text).not.toContain('PRIVATE THOUGHTS');
    expect(text).not.toContain('x.md');
  });

  it('gives the requests that are whole when the export is cut', () => {
    const { turns } = read('copilot-chat', EXPORT.subarray(0, EXPORT.length - 60));
    expect(turns.map(({ key }) => key)).toEqual(['copilot-chat:export:request_1']);
  });

  it('looks at the list of requests alone, wherever else that word stands', () => {
    const text =
      '{"a":{"requests":[{"message":"no"}]},"b":"requests","c":[{"message":"no"}],"requests":[{"message":"yes"}]}';
    expect(read('copilot-chat', text).turns.map(({ userText }) => userText)).toEqual(['yes']);
  });

  it('knows an export by its head', () => {
    expect(copilotChat.isTranscript('/x/chat.json', new TextDecoder().decode(EXPORT).slice(0, 500))).toBe(true);
    expect(copilotChat.isTranscript('/x/package.json', '{"name":"x"}')).toBe(false);
  });
});
