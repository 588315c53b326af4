import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../../src/core/pipeline/report/buildReport';
import { renderPayload } from '../../../../src/core/render/renderPayload';
import { FIXTURE_MAP } from '../../../golden/payload/fixture';
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

  describe('of an index-only payload', () => {
    const row = { type: 'run', taskId: 'T-1', ts: '2026-02-03 10:00:00', actor: '', phase: 'verify', detailTokens: 9 };
    const refs = { files: ['src/a.ts#L3', 'b & c'], commands: ['npm test'], urls: [] };
    const rows = [12, 11].map((id) => ({ ...row, id, summary: `step <${id}>`, refs, text: `${id} | step <${id}>\n` }));
    const file = { path: 'topics/cron.md', key: 'cron', title: 'Cron', text: 'How cron runs.', date: '2026-02-01' };
    const folder = { kind: 'folder', files: [{ ...file, keywords: [] }], leftOut: 0 } as const;
    const match = { isMatch: true, known: ['cron'], unknown: ['zz', 'yy'], nearest: { zz: ['zip', 'z<p'], yy: [] } };
    const sections = [
      section('soul', 'Be kind.'),
      section('observations', '', {
        source: { kind: 'builtin', builtin: 'observations' },
        body: { kind: 'observations', rows, total: 2 },
      }),
      section('topics', '', { priority: 'P4', source: { kind: 'files', pattern: 'topics/*.md' }, body: folder }),
      section('repo-map', '', { source: { kind: 'builtin', builtin: 'repo-map' }, body: { kind: 'repoMap' } }),
    ];
    const given = buildReport(request(sections), { ...FIXTURE_MAP, match }, FAKE_TOKENIZER);

    it('has in Markdown each row of files and observations and the map, as its text has', () => {
      const markdown = renderPayload(given, 'index', 'markdown');
      const { text } = given.payloads.index;
      const below = text.split('\n').filter((line) => /^(?:\d+ \| |Cron \| |src\/| {2}function )/.test(line));
      expect(below).toHaveLength(13);
      for (const line of below) expect(markdown.split('\n')).toContain(line);
    });

    it('has in XML the observations and the match that it has in JSON', () => {
      const { children } = readXml(renderPayload(given, 'index', 'xml'));
      const json = JSON.parse(renderPayload(given, 'index', 'json'));
      const [observations, found] = ['observations', 'match'].map((name) =>
        children.find((each) => each.name === name),
      );
      expect(observations?.attributes).toEqual({ source: 'jsonl' });
      for (const [at, item] of json.observations.items.entries()) {
        const { attributes, children: parts } = observations?.children[at] ?? {};
        const { summary, refs: places, ...values } = item;
        expect(attributes).toEqual(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, `${value}`])));
        expect(parts?.find(({ name }) => name === 'summary')?.text).toBe(summary);
        const shown = parts?.find(({ name }) => name === 'refs')?.children.map(({ text }) => text);
        expect(shown).toEqual([...places.files, ...places.commands, ...places.urls]);
      }
      const said = (name: string) => found?.children.filter((each) => each.name === name) ?? [];
      expect(said('known').map(({ text }) => text)).toEqual(json.match.known);
      expect(said('unknown').map(({ text }) => text)).toEqual(json.match.unknown);
      const nearest = said('nearest').map((each) => [each.attributes.word, each.children.map(({ text }) => text)]);
      expect(Object.fromEntries(nearest)).toEqual(json.match.nearest);
    });
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
