import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../../src/core/pipeline/report/buildReport';
import { renderPayload } from '../../../../src/core/render/renderPayload';
import { readXml } from '../../../golden/payload/readXml';
import { FAKE_TOKENIZER } from '../../../property/payloadArbitraries';
import { request, section } from '../../../support/sectionBuilder';

function report(text: string, title = 'a') {
  return buildReport(request([section('a', text, { title })]), undefined, FAKE_TOKENIZER);
}

describe('renderPayload', () => {
  it('gives the text form that was counted', () => {
    const each = report('hello');
    expect(renderPayload(each, 'expanded', 'text')).toBe(each.payloads.expanded.text);
  });

  it('leaves characters that XML forbids out and escapes the rest', () => {
    const xml = renderPayload(
      report('a\u0000\u0008\u000c\ud800b\udc00\uffff ]]> & "<x y=\'1\'>" 👍\nc', 'a "b"\n<c>'),
      'expanded',
      'xml',
    );
    const [item] = readXml(xml).children.find(({ name }) => name === 'sections')?.children ?? [];
    expect(item?.attributes.title).toBe('a "b"\n<c>');
    expect(item?.children.find(({ name }) => name === 'text')?.text).toBe('ab ]]> & "<x y=\'1\'>" 👍\nc');
  });

  it('writes XML that a strict reader takes for an empty payload', () => {
    const empty = buildReport(request([]), undefined, FAKE_TOKENIZER);
    expect(readXml(renderPayload(empty, 'index', 'xml')).name).toBe('context-payload');
    expect(renderPayload(empty, 'index', 'text')).toBe('');
  });

  it('writes cells of a Markdown table that cannot end them', () => {
    const markdown = renderPayload(report('# a | b <script> `c`'), 'index', 'markdown');
    expect(markdown).toContain('| OK | a | a ¦ b &lt;script\\> c | ~'.replace('¦', '\\|'));
  });

  it('says what priorities were granted, and of each cut what it left out and what more costs', () => {
    const list = Array.from({ length: 40 }, (_, at) => `- 2026-02-03 10:${at + 10} a step that was done`).join('\n');
    const kept = section('kept', list, { priority: 'P3', keepRecent: 3 });
    const each = request([section('log', list, { priority: 'P4' }), kept], { budgetTokens: 400 });
    const { budget } = JSON.parse(renderPayload(buildReport(each, undefined, FAKE_TOKENIZER), 'expanded', 'json'));
    const [p3, p4] = budget.grants;
    expect([p3, p4]).toMatchObject([{ priority: 'P3' }, { priority: 'P4' }]);
    expect(p4.used).toBeLessThanOrEqual(p4.offered);
    // A rule of the config is no cut of the budget.
    const [cut, ...others] = budget.cuts;
    expect(others).toEqual([]);
    expect(Object.keys(cut)).toEqual(['id', 'tokens_full', 'tokens', 'left_out', 'next_tokens', 'reason']);
    expect(cut).toMatchObject({ id: 'log', tokens: p4.used, left_out: { entries: expect.any(Number) } });
    expect(cut.next_tokens).toBeGreaterThan(p4.offered);
    expect(cut.reason).toMatch(
      new RegExp(`^newest ${40 - cut.left_out.entries} of 40: P4 got ${p4.used} of 400 tokens$`),
    );
    expect(budget.downgrade_applied).toEqual([`${cut.reason}: log`]);
  });

  it('has every field of context_payload.v2, and no other', () => {
    const payload = JSON.parse(renderPayload(report('hello'), 'expanded', 'json'));
    expect(Object.keys(payload)).toEqual([
      'version',
      'profile',
      'mode',
      'budget',
      'sections',
      'observations',
      'repo_map',
      'notes',
    ]);
    expect(Object.keys(payload.budget)).toEqual([
      'budget_tokens',
      'tokens',
      'tokenizer',
      'hard_cap_chars',
      'chars',
      'status',
      'truncated',
      'downgrade_applied',
      'grants',
      'cuts',
    ]);
    expect(Object.keys(payload.sections[0])).toEqual([
      'id',
      'title',
      'priority',
      'status',
      'summary',
      'disclosure',
      'reason',
      'chars',
      'tokens',
      'tokens_full',
      'citations',
      'roi',
      'roi_class',
      'score',
      'handle',
      'text',
    ]);
  });
});
