import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../../src/core/pipeline/report/buildReport';
import type { AgentTurn } from '../../../../src/core/transcripts/transcriptAdapter';
import { taskOfTurn, transcriptCycles } from '../../../../src/core/usage/transcriptCycles';
import type { Citation } from '../../../../src/core/usage/usageRecord';
import { FAKE_TOKENIZER } from '../../../property/payloadArbitraries';
import { request, section } from '../../../support/sectionBuilder';

const REPORT = buildReport(
  request([
    section('soul', 'Be kind.\nAsk first.'),
    section('notes', 'Ports are 80 and 443.'),
    section('hidden', 'x', { isExcluded: true }),
  ]),
  undefined,
  FAKE_TOKENIZER,
);
const NOON = new Date(2026, 7, 10, 12, 0, 0).getTime();
const SECRET = 'sk-SECRET please fix src/a.ts';

function turn(part: Partial<AgentTurn> = {}): AgentTurn {
  return {
    key: 'codex:s:0',
    agent: 'codex',
    startedAt: NOON,
    userText: SECRET,
    replyText: `Done. ${SECRET}`,
    toolCalls: [],
    inputTokens: 100,
    model: 'gpt-x',
    usage: { input: 60, cacheRead: 40, cacheWrite: 0, output: 7 },
    responseMs: 1_500,
    ...part,
  };
}

function drafts(turns: readonly AgentTurn[], cited: readonly Citation[] = []) {
  return transcriptCycles(turns, { report: REPORT, cite: () => cited, fallbackTime: NOON + 60_000 });
}

describe('cycles of a transcript', () => {
  it('say when, what was loaded, what was cited, and where they are from', () => {
    const cited: Citation[] = [{ id: 'notes', evidence: 'path', what: 'src/a.ts' }];
    expect(drafts([turn()], cited)).toMatchObject([
      {
        ts: '2026-08-10 12:00:00',
        trigger: 'transcript',
        profile: 'default',
        cited,
        payload: 'expanded',
        responseMs: 1_500,
        model: 'gpt-x',
        usage: { input: 60, cacheRead: 40, cacheWrite: 0, output: 7 },
        origin: 'codex:s:0',
      },
    ]);
  });

  it('hold nothing of the conversation', () => {
    expect(JSON.stringify(drafts([turn()]))).not.toContain('SECRET');
  });

  it('have the sections that the expanded payload shows now, with its sizes', () => {
    const [draft] = drafts([turn()]);
    const shown = REPORT.payloads.expanded.sections.filter(({ disclosure }) => disclosure !== 'omitted');
    expect(draft?.sections.map(({ id, chars, tokens }) => [id, chars, tokens])).toEqual(
      shown.map(({ id, chars, tokens }) => [id, chars, tokens]),
    );
    expect(draft?.sections.map(({ id }) => id)).not.toContain('hidden');
  });

  it('have the sections that the user pasted, where there are some, with their size as pasted', () => {
    const shown = REPORT.payloads.expanded.text;
    const soul = REPORT.payloads.expanded.sections.find(({ id }) => id === 'soul');
    const [whole] = drafts([turn({ userText: `Read this:\n${shown}` })]);
    expect(whole?.sections.map(({ id }) => id)).toEqual(['notes', 'soul']);
    const element = /<soul>[\s\S]*<\/soul>/.exec(shown)?.[0];
    const [same] = drafts([turn({ userText: `See this.\n${element}\nThanks.` })]);
    expect(same?.sections).toMatchObject([{ id: 'soul', chars: soul?.chars, tokens: soul?.tokens }]);
    const [changed] = drafts([turn({ userText: '<soul>\nBe.\n</soul>' })]);
    expect(changed?.sections).toMatchObject([{ id: 'soul', chars: 18 }]);
  });

  it('leave out turns in which the agent did nothing, and citations of sections that are not there', () => {
    expect(drafts([turn({ replyText: '' })])).toEqual([]);
    expect(drafts([turn()], [{ id: 'gone', evidence: 'tag', what: 'gone' }])[0]?.cited).toEqual([]);
  });

  it('use the file’s time where the transcript has none', () => {
    expect(drafts([turn({ startedAt: undefined })])[0]?.ts).toBe('2026-08-10 12:01:00');
  });
});

describe('the task of a turn', () => {
  const { expanded, index } = REPORT.payloads;

  it.each([
    ['a message', 'Fix src/a.ts in <soul>.', 'Fix src/a.ts in <soul>.'],
    ['a payload before it', `${expanded.text}Fix it.`, 'Fix it.'],
    ['an index before it', `${index.text}Fix it.`, 'Fix it.'],
    ['an element twice', 'See\n<soul>\nx\n</soul>\nand\n<soul>y</soul>\nhere.', 'See\n\nand\n\nhere.'],
    ['an element that has no end', 'See\n<soul>\nx\n</notes>', 'See\n<soul>\nx\n</notes>'],
  ])('of %s', (_, userText, task) => {
    expect(taskOfTurn(expanded, turn({ userText })).trim()).toBe(task);
  });

  it('is found in one pass, however many elements have no end', () => {
    const userText = `${'<soul>\n'.repeat(100_000)}</notes>`;
    expect(taskOfTurn(expanded, turn({ userText }))).toBe(userText);
  });
});
