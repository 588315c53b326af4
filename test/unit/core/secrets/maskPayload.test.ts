import { describe, expect, it } from 'vitest';
import type { ContextReport, ReportSection } from '../../../../src/core/model/report';
import { maskReport } from '../../../../src/core/secrets/maskPayload';
import type { SecretScanner } from '../../../../src/core/secrets/secretScanner';

const KEY = 'aB3dE5gH7jK9mN1pQ3sT5vX7z';

/** Finds `KEY` and nothing else. */
const scanner: SecretScanner = {
  scan: async (texts) =>
    texts.map((text) => {
      const start = text.indexOf(KEY);
      return start < 0 ? [] : [{ start, end: start + KEY.length, label: 'key' }];
    }),
};

const countTokens = async (texts: readonly string[]) => texts.map(({ length }) => length);

function reportOf(contents: Readonly<Record<string, string>>): ContextReport {
  const sections = Object.entries(contents).map(([id, text]) => {
    const chars = `<${id}>\n${text}\n</${id}>\n`.length;
    return { id, text, chars, tokens: chars, summary: text.slice(0, 20) } as ReportSection;
  });
  const text = sections.map(({ id, text: content }) => `<${id}>\n${content}\n</${id}>\n`).join('');
  const budget = {
    budgetTokens: text.length,
    hardCapChars: 9999,
    tokens: text.length,
    chars: text.length,
    status: 'WARN',
  };
  const payload = { mode: 'expanded', text, sections, budget, overheadTokens: 0, notes: [] };
  return {
    profile: 'default',
    payloads: { expanded: payload, index: payload },
    problems: [],
  } as unknown as ContextReport;
}

describe('maskReport', () => {
  it('masks text and parts alike and corrects their numbers', async () => {
    const report = reportOf({ git: `one\nkey ${KEY}`, memory: 'plain' });
    const { report: masked, findings } = await maskReport(report, 'expanded', { scanner, countTokens });
    const { text, sections, budget, overheadTokens } = masked.payloads.expanded;
    expect(findings).toEqual([{ sectionId: 'git', line: 2, label: 'key', value: KEY }]);
    expect(text).toBe('<git>\none\nkey [masked: key]\n</git>\n<memory>\nplain\n</memory>\n');
    expect(sections.map((section) => section.text)).toEqual(['one\nkey [masked: key]', 'plain']);
    expect(budget).toMatchObject({ tokens: text.length, chars: text.length });
    expect(sections.reduce((sum, { tokens }) => sum + tokens, overheadTokens)).toBe(budget.tokens);
    expect(sections.map(({ chars }) => chars)).toEqual([35, 25]);
  });

  it('gives the very report back where nothing is found, and leaves the other payload alone', async () => {
    const plain = reportOf({ git: 'nothing' });
    expect((await maskReport(plain, 'expanded', { scanner, countTokens })).report).toBe(plain);
    const report = reportOf({ git: KEY });
    const masked = await maskReport(report, 'expanded', { scanner, countTokens });
    expect(masked.report.payloads.index).toBe(report.payloads.index);
  });
});
