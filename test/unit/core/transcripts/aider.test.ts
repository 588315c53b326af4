import { describe, expect, it } from 'vitest';
import { aider } from '../../../../src/core/transcripts/aider';
import { calls, fixture, read } from '../../../support/transcripts';

const HISTORY = fixture('aider/.aider.chat.history.md');

describe('the Aider adapter', () => {
  it('takes messages and answers, not headings and quotations that look like them', () => {
    const { turns, end } = read('aider', HISTORY);
    expect(turns.map(({ key, userText }) => [key, userText])).toEqual([
      ['aider:2026-08-10-14-00-05:0', 'Make the pool close its connections.\nKeep the API.'],
      ['aider:2026-08-10-14-00-05:1', 'Is `close` safe to call twice?'],
    ]);
    expect(turns[0]?.replyText).toContain('#### Steps\n> a quotation of mine');
    expect(end.open).toMatchObject({
      key: 'aider:2026-08-11-09-30-00:2',
      userText: '写一个测试。',
      replyText: '好的。',
    });
  });

  it('takes files that the agent asked for or changed, not those that the user added', () => {
    const { turns } = read('aider', HISTORY);
    expect(calls(turns[0])).toEqual(['read add: src/pool.ts', 'edit edit: src/pool.ts']);
  });

  it('reads tokens with and without a unit, and the session’s start as local time', () => {
    const { turns } = read('aider', HISTORY);
    expect(turns.map(({ inputTokens }) => inputTokens)).toEqual([2_400, 12_345]);
    expect(turns[0]?.startedAt).toBe(new Date(2026, 7, 10, 14, 0, 5).getTime());
  });

  it.each(['Main model: claude-x with diff edit format', 'Model: claude-x with whole edit format'])(
    'reads the model of %s',
    (line) => {
      const text = `\n# aider chat started at 2026-08-10 14:00:05\n\n> ${line}  \n\n#### Go.  \n\nYes.\n`;
      expect(read('aider', text).end.open).toMatchObject({ model: 'claude-x', usage: undefined });
    },
  );

  it.each([
    ['12,345', 12_345],
    ['2.4k', 2_400],
    ['1.5M', 1_500_000],
  ])('reads %s tokens', (tokens, inputTokens) => {
    const text = `\n# aider chat started at 2026-08-10 14:00:05\n\n#### Go.  \n\nYes.\n\n> Tokens: ${tokens} sent, 10 received.  \n\n#### Next.  \n`;
    expect(read('aider', text).turns[0]).toMatchObject({ inputTokens });
  });

  it('knows a history by its first line', () => {
    expect(aider.isTranscript('/x/.aider.chat.history.md', '\n# aider chat started at 2026-08-10 14:00:05\n')).toBe(
      true,
    );
    expect(aider.isTranscript('/x/README.md', '# Read me\n')).toBe(false);
  });
});
