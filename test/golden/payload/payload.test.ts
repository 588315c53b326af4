import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScoringMode } from '../../../src/core/model/relevance';
import type { ContextReport, PayloadReport } from '../../../src/core/model/report';
import { buildReport } from '../../../src/core/pipeline/report/buildReport';
import type { Tokenizer } from '../../../src/core/ports/ports';
import { PAYLOAD_FORMATS, renderPayload } from '../../../src/core/render/renderPayload';
import { readElements } from '../../property/payloadArbitraries';
import { exactTokenizer } from '../../support/exactTokenizer';
import { history, scoring, usageWindow } from '../../support/usageBuilder';
import { FIXTURE_MAP, FIXTURE_REQUEST, FIXTURE_SECTIONS } from './fixture';
import { readXml } from './readXml';

const TOKENIZERS = (['o200k_base', 'cl100k_base'] as const).map(exactTokenizer);
const [O200K] = TOKENIZERS as [Tokenizer, Tokenizer];
const REPORT = buildReport(FIXTURE_REQUEST, FIXTURE_MAP, O200K);
const MODES = ['index', 'expanded'] as const;
const EXTENSIONS = { text: 'txt', markdown: 'md', xml: 'xml', json: 'json' } as const;

/** Compares with the file beside this test; `UPDATE_GOLDEN=1` rewrites it. */
function expectGolden(name: string, actual: string): void {
  const file = new URL(name, import.meta.url);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}

/** With 50 cycles of history. */
const usage = usageWindow(50, [
  history('topic-memory', 50, []),
  history('progress', 50, [30, 44, 49]),
  history('diagnostics', 50, [7]),
  history('repo-map', 50, [40, 41, 42, 43]),
]);
const scored = (mode: ScoringMode): ContextReport =>
  buildReport({ ...FIXTURE_REQUEST, usage, scoring: scoring(mode), query: 'deploy' }, FIXTURE_MAP, O200K);

/** For an agent that loads two files by itself, one of them cut. */
function forAgent(): ContextReport {
  const marks = {
    'agents-md': { agent: 'Codex', cut: undefined },
    memory: { agent: 'Codex', cut: { bytesLost: 575, line: 5 } },
  };
  const sections = FIXTURE_SECTIONS.map((each) => {
    const loadedBy = each.id === 'agents-md' || each.id === 'memory' ? marks[each.id] : undefined;
    return loadedBy ? { ...each, loadedBy } : each;
  });
  const profile = { ...FIXTURE_REQUEST.profile, agent: 'codex' as const };
  return buildReport({ ...FIXTURE_REQUEST, profile, sections }, FIXTURE_MAP, O200K);
}

/**
 * The report with a mark in place of each reason: what a reason says is in `reasons.json` alone, so that another wording
 * changes one file. Marks need escaping in every format.
 */
function marked(report: ContextReport): ContextReport {
  const reasonOf = (id: string): string => `<reason | of ${id}>`;
  const mark = (payload: PayloadReport): PayloadReport => ({
    ...payload,
    budget: { ...payload.budget, downgradeApplied: payload.budget.downgradeApplied.map((_, at) => reasonOf(`${at}`)) },
    sections: payload.sections.map((section) => ({ ...section, reason: reasonOf(section.id) })),
    cuts: payload.cuts.map((cut) => ({ ...cut, reason: reasonOf(cut.id) })),
  });
  return { ...report, payloads: { index: mark(report.payloads.index), expanded: mark(report.payloads.expanded) } };
}

/** What each section's reason and explanation say, by the report. */
function reasonsOf(reports: Readonly<Record<string, ContextReport>>): string {
  const words = Object.entries(reports).map(([name, { payloads }]) => {
    const said = MODES.map((mode) => {
      const { sections, budget } = payloads[mode];
      const each = sections.map(({ id, reason, explanation }) => [id, [reason, explanation]]);
      return [mode, { downgrades: budget.downgradeApplied, grants: budget.grants, sections: Object.fromEntries(each) }];
    });
    return [name, Object.fromEntries(said)];
  });
  return `${JSON.stringify(Object.fromEntries(words), null, 2)}\n`;
}

describe('golden payloads', () => {
  for (const mode of MODES)
    it.each(PAYLOAD_FORMATS)(`${mode} as %s`, (format) => {
      expectGolden(`${mode}.${EXTENSIONS[format]}`, renderPayload(marked(REPORT), mode, format));
    });

  describe('with 50 cycles of history', () => {
    it.each(['off', 'baseline'] as const)('%s is the golden payload without scoring', (scoringMode) => {
      for (const mode of MODES)
        for (const format of ['text', 'markdown'] as const)
          expectGolden(`${mode}.${EXTENSIONS[format]}`, renderPayload(marked(scored(scoringMode)), mode, format));
    });

    it('dynamic', () => {
      expectGolden('expanded-dynamic.md', renderPayload(marked(scored('dynamic')), 'expanded', 'markdown'));
    });

    it('static', () => {
      expectGolden('expanded-static.md', renderPayload(marked(scored('static')), 'expanded', 'markdown'));
    });
  });

  it.each(['text', 'json'] as const)(
    'for an agent that loads two files by itself, one of them cut, as %s',
    (format) => {
      expectGolden(`expanded-agent.${EXTENSIONS[format]}`, renderPayload(marked(forAgent()), 'expanded', format));
    },
  );

  it('say why each section is as it is', () => {
    const reports = { unscored: REPORT, dynamic: scored('dynamic'), static: scored('static'), agent: forAgent() };
    expectGolden('reasons.json', reasonsOf(reports));
  });

  it.each(MODES)('%s: XML is well-formed and says the same as JSON', (mode) => {
    const root = readXml(renderPayload(REPORT, mode, 'xml'));
    expect(root.name).toBe('context-payload');
    const sections = root.children.find(({ name }) => name === 'sections')?.children ?? [];
    const texts = sections.map(({ children }) => children.find(({ name }) => name === 'text')?.text);
    expect(texts).toEqual(REPORT.payloads[mode].sections.map(({ text }) => text));
    expect(sections.map(({ attributes }) => attributes.handle)).toEqual(
      REPORT.payloads[mode].sections.map(({ handle }) => handle),
    );
  });

  it.each(MODES)('%s: fenced blocks of the Markdown hold the contents and cannot be ended by them', (mode) => {
    const fenced = {
      ...FIXTURE_REQUEST,
      sections: [{ ...FIXTURE_SECTIONS[0]!, body: { kind: 'text' as const, text: '```\na\n````\n# x' } }],
    };
    const markdown = renderPayload(buildReport(fenced, undefined, O200K), mode, 'markdown');
    if (mode === 'expanded') expect(markdown).toContain('\n`````text\n```\na\n````\n# x\n`````\n');
    else expect(markdown).not.toContain('````');
  });

  it('has no absolute path, no time and no forged element', () => {
    for (const mode of MODES) expect(REPORT.payloads[mode].text).not.toMatch(/\/(home|work|tmp|root)\//);
    const ids = REPORT.payloads.expanded.sections
      .filter(({ disclosure }) => disclosure !== 'omitted')
      .map(({ id }) => id);
    expect(readElements(REPORT.payloads.expanded.text).map(({ name }) => name)).toEqual([...ids, 'context-notes']);
  });
});

describe('token counts with the real tokenizers', () => {
  /** Contents that begin or end in ways that could join with tags: slashes, blank lines, spaces, digits, symbols. */
  const EDGES = [
    '/x\n/y',
    '\n\na\n\n\nb',
    '- a\n\n\n- b\n/c\n- d',
    '1\n2',
    '>>>\n<<<',
    'a \n  b  \n',
    '中\n文',
    '// c\n\n//d',
    ')\n}',
    '- 1\n- \n-  x',
  ];

  for (const tokenizer of TOKENIZERS)
    it(`add up to the whole text: ${tokenizer.name}`, () => {
      for (const budgetTokens of [40, 90, 150, 250, 400, 700, 5000]) {
        const edges = EDGES.map((text, at) => ({
          ...FIXTURE_SECTIONS[6]!,
          id: `edge-${at}-`,
          priority: 'P4' as const,
          body: { kind: 'text' as const, text },
        }));
        const each = {
          ...FIXTURE_REQUEST,
          sections: [...FIXTURE_SECTIONS, ...edges],
          profile: { ...FIXTURE_REQUEST.profile, budgetTokens },
        };
        for (const payload of Object.values(buildReport(each, FIXTURE_MAP, tokenizer).payloads)) {
          expect(payload.budget.tokens).toBe(tokenizer.count(payload.text));
          expect(payload.sections.reduce((sum, { tokens }) => sum + tokens, payload.overheadTokens)).toBe(
            payload.budget.tokens,
          );
          for (const { id, text, tokens, disclosure } of payload.mode === 'expanded' ? payload.sections : []) {
            if (disclosure === 'omitted') continue;
            const element = text.includes('\n')
              ? `<${id}>\n${text.replace(/\n$/, '')}\n</${id}>\n`
              : `<${id}>${text}</${id}>\n`;
            expect(tokenizer.count(element)).toBe(tokens);
          }
        }
      }
    });
});
