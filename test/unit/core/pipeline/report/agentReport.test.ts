import { describe, expect, it } from 'vitest';
import type { CollectedSection } from '../../../../../src/core/model/section';
import { buildReport } from '../../../../../src/core/pipeline/report/buildReport';
import { renderBudgetTable } from '../../../../../src/core/print/budgetTable';
import { toJsonPayload } from '../../../../../src/core/render/json';
import { renderPayload } from '../../../../../src/core/render/renderPayload';
import { NO_WORDS } from '../../../../../src/core/text/phrase';
import { FAKE_TOKENIZER } from '../../../../property/payloadArbitraries';
import { factsOf } from '../../../../support/english';
import { request, section } from '../../../../support/sectionBuilder';

const TEXT = 'one two three\nfour five six\n';
const WHOLE: Partial<CollectedSection> = { loadedBy: { agent: 'Codex', cut: undefined } };
const CUT: Partial<CollectedSection> = { loadedBy: { agent: 'Codex', cut: { bytesLost: 14, line: 2 } } };

function build(sections: readonly CollectedSection[], caps: Parameters<typeof request>[1] = {}) {
  return buildReport(request(sections, { agent: 'codex', ...caps }), undefined, FAKE_TOKENIZER);
}

const loaded = (over: Partial<CollectedSection> = WHOLE) =>
  section('agents-md', TEXT, { title: 'AGENTS.md', priority: 'P0', ...over });

describe('a payload for an agent', () => {
  it('is without what the agent loads by itself, and says so', () => {
    const report = build([loaded(), section('other', 'kept')]);
    const { text, notes, sections, budget, cuts } = report.payloads.expanded;
    const note = 'left out, because Codex loads it itself: AGENTS.md';
    expect(notes).toEqual([note]);
    expect(text).toBe(`<other>kept</other>\n<context-notes>${note}</context-notes>\n`);
    expect(budget.tokens).toBe(FAKE_TOKENIZER.count(text));
    expect(budget.agent).toEqual({ name: 'Codex', tokens: FAKE_TOKENIZER.count(TEXT), sections: 1 });
    expect(sections[0]).toMatchObject({
      id: 'agents-md',
      disclosure: 'omitted',
      reason: 'loaded by Codex',
      tokens: 0,
      agentTokens: FAKE_TOKENIZER.count(TEXT),
      explanation: `Left out of the payload, because Codex loads it itself (${FAKE_TOKENIZER.count(TEXT)} tokens).`,
    });
    expect(cuts).toEqual([]);
    expect(report.payloads.index.text).not.toContain('section:agents-md');
  });

  it('counts what the agent keeps of a file that it cuts, and says that the rest is lost', () => {
    const { sections, notes, budget } = build([loaded(CUT)]).payloads.expanded;
    expect(budget.agent?.tokens).toBe(FAKE_TOKENIZER.count('one two three\n'));
    expect(notes).toEqual(['left out, because Codex loads it itself: AGENTS.md (cut at line 2)']);
    expect(factsOf(sections[0]?.words.explanation ?? NO_WORDS)).toEqual(
      expect.arrayContaining([2, 14, 'section:agents-md']),
    );
  });

  it('holds its caps without that part, which may be larger than they are', () => {
    const large = loaded({ ...WHOLE, body: { kind: 'text', text: 'word '.repeat(500) } });
    const { budget, sections } = build([large, section('other', 'kept')], { budgetTokens: 100 }).payloads.expanded;
    expect(budget).toMatchObject({ status: expect.not.stringMatching('ALERT'), downgradeApplied: [] });
    expect(budget.agent?.tokens).toBeGreaterThan(100);
    expect(sections[1]?.disclosure).toBe('full');
  });

  it('does not ask to shrink what the payload is without', () => {
    const other = section('other', 'word '.repeat(300), { priority: 'P0' });
    const [over] = build([loaded(), other], { budgetTokens: 50 }).payloads.expanded.notes;
    expect(over).toMatch(/^over budget: .*shrink first: other [\d,]+$/);
  });

  it('counts nothing of what somebody excluded', () => {
    const { budget, sections, notes } = build([loaded({ ...WHOLE, isExcluded: true })]).payloads.expanded;
    expect(budget.agent).toEqual({ name: 'Codex', tokens: 0, sections: 0 });
    expect(sections[0]?.reason).toBe('excluded');
    expect(notes).toEqual([]);
  });

  it('names several files in one note', () => {
    const { notes } = build([loaded(), section('b', 'b', { title: 'b.md', ...CUT })]).payloads.index;
    expect(notes.at(-1)).toBe('left out, because Codex loads them itself: AGENTS.md, b.md (cut at line 2)');
  });

  it('has the numbers in the table and in JSON', () => {
    const report = build([loaded(), section('other', 'kept')]);
    const tokens = FAKE_TOKENIZER.count(TEXT);
    const table = renderBudgetTable(report, 'expanded', 'text');
    expect(table).toMatch(new RegExp(`AGENTS\\.md +\\+${tokens} .*omitted +loaded by Codex`));
    expect(table).toContain(`+${tokens} tokens that Codex loads itself, `);
    const json = toJsonPayload(report, 'expanded');
    expect(json.budget.agent_tokens).toBe(tokens);
    expect(json.sections.map((each) => each.agent_tokens)).toEqual([tokens, undefined]);
    expect(renderPayload(report, 'expanded', 'xml')).toContain(` agent_tokens="${tokens}"`);
  });

  it('is as without an agent where it loads nothing, but for the totals', () => {
    const sections = [section('other', 'kept')];
    const plain = buildReport(request(sections), undefined, FAKE_TOKENIZER).payloads.expanded;
    const { budget, ...rest } = build(sections).payloads.expanded;
    expect({ ...rest, budget: { ...budget, agent: undefined } }).toEqual(plain);
  });
});
