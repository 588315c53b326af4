import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentId } from '../../../../../src/core/model/agent';
import type { Profile } from '../../../../../src/core/model/profile';
import type { CollectedSection } from '../../../../../src/core/model/section';
import { SectionCollector } from '../../../../../src/core/pipeline/collect/collector';
import { discoverSections } from '../../../../../src/core/pipeline/collect/discover';
import { buildReport } from '../../../../../src/core/pipeline/report/buildReport';
import { defaultPriorities } from '../../../../../src/core/pipeline/route/defaultPriorities';
import { renderElement } from '../../../../../src/core/render/element';
import { LineTokenCounter, type Size } from '../../../../../src/core/tokens/lines';
import { FAKE_TOKENIZER } from '../../../../property/payloadArbitraries';
import { MemoryFiles } from '../../../../support/memoryFiles';
import { request, section } from '../../../../support/sectionBuilder';

const counter = LineTokenCounter.over(FAKE_TOKENIZER);
const words = (count: number): string => 'a few words of a rule\n'.repeat(Math.ceil(count / 5));
const choices = { pinned: [], excluded: [], onDemand: [] };

/** What a folder of these files becomes without a config. */
async function found(
  files: Readonly<Record<string, string>>,
  { agents = [], extra = [], ...caps }: { agents?: AgentId[]; extra?: CollectedSection[] } & Partial<Profile> = {},
) {
  const { definitions, agents: inUse } = discoverSections(Object.keys(files), { agents });
  const ports = { files: new MemoryFiles(files), processes: undefined, editor: undefined };
  const context = { isTrusted: true, choices, files: Object.keys(files) };
  const collected = await new SectionCollector(ports).collect(definitions, context);
  const asked = { ...request([...collected, ...extra], caps), agents: inUse };
  return { asked, sections: defaultPriorities(asked, counter) };
}

function rows(sections: readonly CollectedSection[]): readonly string[] {
  return sections
    .map(({ priority, title, body }) =>
      body.kind === 'folder'
        ? `${priority} rules: ${body.files.map(({ path }) => path).join(' ')}`
        : `${priority} ${title}`,
    )
    .sort();
}

function essential(sections: readonly CollectedSection[]): Size {
  const sizes = sections
    .filter(
      ({ priority, body }) => (priority === 'P0' || priority === 'P1') && body.kind === 'text' && body.text !== '',
    )
    .map(({ id, body }) => counter.measure(renderElement(id, body.kind === 'text' ? body.text : '')));
  return {
    tokens: sizes.reduce((sum, { tokens }) => sum + tokens, 0),
    chars: sizes.reduce((sum, { chars }) => sum + chars, 0),
  };
}

describe('defaultPriorities', () => {
  it('makes the root file P0, memories and what holds everywhere P1, and all others rules', async () => {
    const { sections } = await found({
      'AGENTS.md': '# Agents',
      'CLAUDE.md': '# Claude',
      'packages/a/CLAUDE.md': '# A',
      '.cursor/rules/always.mdc': '---\nalwaysApply: true\n---\nalways',
      '.cursor/rules/css.mdc': '---\nglobs: *.css, *.scss\n---\n# Styles\ncss',
      'MEMORY.md': '- m',
      'HEARTBEAT.md': '- h',
      'memory/SOUL.md': '- s',
      'NEXT.md': '- n',
      'PROGRESS.md': '- p',
    });
    expect(rows(sections)).toEqual([
      'P0 AGENTS.md',
      'P0 HEARTBEAT.md',
      'P1 .cursor/rules/always.mdc',
      'P1 CLAUDE.md',
      'P1 MEMORY.md',
      'P1 NEXT.md',
      'P1 memory/SOUL.md',
      'P3 PROGRESS.md',
      'P3 rules: .cursor/rules/css.mdc packages/a/CLAUDE.md',
    ]);
    const files = sections.flatMap(({ body }) => (body.kind === 'folder' ? body.files : []));
    expect(files.map(({ key, title, scope }) => ({ key, title, scope }))).toEqual([
      { key: '.cursor/rules/css', title: 'Styles', scope: { folder: '', globs: ['*.css', '*.scss'] } },
      { key: 'packages/a/CLAUDE', title: 'A', scope: { folder: 'packages/a', globs: [] } },
    ]);
  });

  it('takes agents of the config alone', async () => {
    const files = { 'AGENTS.md': 'a', 'CLAUDE.md': 'c', 'GEMINI.md': 'g' };
    expect(rows((await found(files, { agents: ['gemini-cli'] })).sections)).toEqual([
      'P0 AGENTS.md',
      'P1 GEMINI.md',
      'P3 rules: CLAUDE.md',
    ]);
  });

  it('counts a root file that only leads to another as that one', async () => {
    const real = '# Rules\n\nAlways test.';
    expect(rows((await found({ 'AGENTS.md': '# Agents\n\nSee CLAUDE.md.\n', 'CLAUDE.md': real })).sections)).toEqual([
      'P0 CLAUDE.md',
      'P3 rules: AGENTS.md',
    ]);
    expect(rows((await found({ 'AGENTS.md': real, 'CLAUDE.md': '@AGENTS.md\n' })).sections)).toEqual([
      'P0 AGENTS.md',
      'P3 rules: CLAUDE.md',
    ]);
    const both = { 'AGENTS.md': 'Read CLAUDE.md', 'CLAUDE.md': '@AGENTS.md' };
    expect(rows((await found(both)).sections).filter((row) => row.startsWith('P0'))).toHaveLength(1);
    const own = { 'AGENTS.md': 'See CLAUDE.md.\n\nNever push.', 'CLAUDE.md': real };
    expect(rows((await found(own)).sections)).toEqual(['P0 AGENTS.md', 'P1 CLAUDE.md']);
  });

  it('passes over what does not fit: the root and memories become P2, instructions rules', async () => {
    const caps = { budgetTokens: 1000, hardCapChars: 100_000 };
    const { sections } = await found(
      { 'AGENTS.md': words(900), 'MEMORY.md': words(800), 'SOUL.md': '- s', 'CLAUDE.md': words(700), 'GEMINI.md': 'g' },
      caps,
    );
    expect(rows(sections)).toEqual([
      'P1 GEMINI.md',
      'P1 SOUL.md',
      'P2 AGENTS.md',
      'P2 MEMORY.md',
      'P3 rules: CLAUDE.md',
    ]);
    const byChars = await found({ 'AGENTS.md': 'x'.repeat(600) }, { budgetTokens: 100_000, hardCapChars: 1000 });
    expect(rows(byChars.sections)).toEqual(['P2 AGENTS.md']);
  });

  it('never changes a priority of the config, and leaves it its room', async () => {
    const big = section('own', words(900), { priority: 'P1' });
    const low = section('low', 'x', { priority: 'P4', source: { kind: 'file', path: 'sub/CLAUDE.md' } });
    const { sections } = await found(
      { 'AGENTS.md': 'a', 'CLAUDE.md': 'c', 'sub/CLAUDE.md': 'x' },
      {
        budgetTokens: 1000,
        extra: [big, low],
      },
    );
    expect(rows(sections)).toEqual(['P1 own', 'P2 AGENTS.md', 'P3 rules: CLAUDE.md', 'P4 low']);
  });

  it('renders rules with a row before each file', async () => {
    const { asked } = await found({ 'AGENTS.md': 'a', 'x/AGENTS.md': 'one', 'y/AGENTS.md': 'two' });
    const { text } = buildReport(asked, undefined, FAKE_TOKENIZER).payloads.expanded;
    expect(text).toMatch(
      /<rules>\n# AGENTS \| - \| ~\d+ tok \| section:rules\/x\/AGENTS\none\n# AGENTS \| .*\/y\/AGENTS\ntwo\n<\/rules>\n/,
    );
  });

  it('keeps P0 and P1 of what is found under half of both caps', async () => {
    const paths = [
      ...['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', '.cursorrules', '.clinerules/a.md'],
      ...['.windsurfrules', 'MEMORY.md', 'memory/SOUL.md', 'HEARTBEAT.md', 'NEXT.md', 'sub/AGENTS.md', 'sub/CLAUDE.md'],
    ];
    const text = fc.oneof(
      fc.integer({ min: 0, max: 800 }).map(words),
      fc.integer({ min: 0, max: 900 }).map((count) => '规则'.repeat(count)),
      fc.constantFrom('@AGENTS.md', 'See CLAUDE.md', '', '---\nalwaysApply: true\n---\nx'),
    );
    const folder = fc.uniqueArray(fc.tuple(fc.constantFrom(...paths), text), { selector: ([path]) => path });
    const cap = fc.integer({ min: 50, max: 3000 });
    await fc.assert(
      fc.asyncProperty(folder, cap, cap, async (files, budgetTokens, chars) => {
        const hardCapChars = chars * 4;
        const { sections } = await found(Object.fromEntries(files), { budgetTokens, hardCapChars });
        const size = essential(sections);
        expect(size.tokens === 0 || size.tokens * 2 < budgetTokens).toBe(true);
        expect(size.chars === 0 || size.chars * 2 < hardCapChars).toBe(true);
        // Nothing that was found is lost.
        const shown = sections.flatMap(({ source, body }) =>
          body.kind === 'folder' ? body.files.map(({ path }) => path) : source.kind === 'file' ? [source.path] : [],
        );
        expect([...shown].sort()).toEqual(files.map(([path]) => path).sort());
      }),
    );
  });
});
