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
import { MemoryFiles, type MemoryNode } from '../../../../support/memoryFiles';
import { runs } from '../../../../support/runs';
import { request, section } from '../../../../support/sectionBuilder';

const counter = LineTokenCounter.over(FAKE_TOKENIZER);
const words = (count: number): string => 'a few words of a rule\n'.repeat(Math.ceil(count / 5));
const choices = { pinned: [], excluded: [], onDemand: [] };

/** What a folder of these files becomes without a config. */
async function found(
  files: Readonly<Record<string, string>>,
  {
    agents = [],
    extra = [],
    links,
    ...caps
  }: {
    agents?: AgentId[];
    extra?: CollectedSection[];
    links?: ReadonlyMap<string, string>;
  } & Partial<Profile> = {},
) {
  const paths = [...Object.keys(files), ...(links?.keys() ?? [])];
  const { definitions, agents: inUse } = discoverSections(paths, {
    agents: { configured: agents },
    ...(links ? { links } : {}),
  });
  const nodes = new Map<string, MemoryNode>(Object.entries(files));
  for (const [path, linkTo] of links ?? []) nodes.set(path, { linkTo });
  const ports = { files: new MemoryFiles(Object.fromEntries(nodes)), processes: undefined, editor: undefined };
  const context = { isTrusted: true, choices, files: paths };
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

// Folders with instruction files of any size.
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

  it('counts no file as another that says something of its own', async () => {
    const real = '# Rules\n\nAlways test.';
    const rootOf = async (claude: string) =>
      rows((await found({ 'AGENTS.md': real, 'CLAUDE.md': claude })).sections).filter((row) => !row.startsWith('P0'));
    for (const pointer of [
      '@AGENTS.md',
      '# Claude\r\n\r\n@./AGENTS.md\r\n',
      '\uFEFF@AGENTS.md\n',
      'Read\nAGENTS.md first.',
    ])
      expect([pointer, await rootOf(pointer)]).toEqual([pointer, ['P3 rules: CLAUDE.md']]);
    const long = `See AGENTS.md ${'!'.repeat(385)}`;
    expect(await rootOf(long)).toEqual(['P3 rules: CLAUDE.md']);
    for (const own of ['@AGENTS.md\nAlways use bun.', 'See AGENTS.md:\n- Never push.', `${long}!`])
      expect([own, await rootOf(own)]).toEqual([own, ['P1 CLAUDE.md']]);
  });

  it('takes the first root file that says anything', async () => {
    const files = { 'AGENTS.md': '\n', 'CLAUDE.md': '# C', 'GEMINI.md': 'g' };
    const { sections } = await found(files);
    expect(rows(sections).filter((row) => row.startsWith('P0'))).toEqual(['P0 CLAUDE.md']);
    expect(rows((await found({ 'AGENTS.md': '' })).sections)).toHaveLength(1);
  });

  it('keeps the root P0 under half of a cap, not at exactly half of it', async () => {
    const size = counter.measure(renderElement('agents-md', 'x'.repeat(500)));
    const rootAt = async (caps: Partial<Profile>) =>
      rows(
        (await found({ 'AGENTS.md': 'x'.repeat(500) }, { budgetTokens: 9999, hardCapChars: 9999, ...caps })).sections,
      );
    expect(await rootAt({ hardCapChars: size.chars * 2 })).toEqual(['P2 AGENTS.md']);
    expect(await rootAt({ hardCapChars: size.chars * 2 + 1 })).toEqual(['P0 AGENTS.md']);
    expect(await rootAt({ budgetTokens: size.tokens * 2 })).toEqual(['P2 AGENTS.md']);
    expect(await rootAt({ budgetTokens: size.tokens * 2 + 1 })).toEqual(['P0 AGENTS.md']);
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

  it('takes no folder of the config for the rules', async () => {
    const { asked, sections } = await found(
      { 'AGENTS.md': words(300), 'CLAUDE.md': words(700), 'GEMINI.md': 'g' },
      { budgetTokens: 1000, hardCapChars: 100_000 },
    );
    const docs = section('docs', '', {
      source: { kind: 'files', pattern: 'docs/*.md' },
      body: {
        kind: 'folder',
        files: [{ path: 'docs/a.md', key: 'a', title: 'a', date: undefined, text: 'a', keywords: [] }],
        leftOut: 0,
      },
    });
    const both = defaultPriorities({ ...asked, sections: [docs, ...asked.sections] }, counter);
    expect(rows(both)).toEqual([...rows(sections), ...rows([docs])].sort());
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
    await fc.assert(
      fc.asyncProperty(folder, cap, cap, async (files, budgetTokens, chars) => {
        const hardCapChars = chars * 4;
        const { sections } = await found(Object.fromEntries(files), { budgetTokens, hardCapChars });
        const size = essential(sections);
        expect(size.tokens === 0 || size.tokens * 2 < budgetTokens).toBe(true);
        expect(size.chars === 0 || size.chars * 2 < hardCapChars).toBe(true);
        // Nothing that says anything is lost, or there twice.
        const shown = sections.flatMap(({ source, body }) =>
          body.kind === 'folder' ? body.files.map(({ path }) => path) : source.kind === 'file' ? [source.path] : [],
        );
        const saying = files.flatMap(([path, text]) => (text === '' ? [] : path));
        expect(shown).toEqual(expect.arrayContaining(saying));
        expect(new Set(shown).size).toBe(shown.length);
      }),
    );
  });

  it('does not mind line ends, byte order marks, links to files that are there, or the order of files', async () => {
    await fc.assert(
      fc.asyncProperty(folder, cap, cap, fc.boolean(), async (files, budgetTokens, chars, hasMark) => {
        const caps = { budgetTokens, hardCapChars: chars * 4 };
        const plain = await found(Object.fromEntries(files), caps);
        const turned = files.toReversed().map(([path, text]) => {
          return [path, (hasMark ? '\uFEFF' : '') + text.replaceAll('\n', '\r\n')] as const;
        });
        expect(rows((await found(Object.fromEntries(turned), caps)).sections)).toEqual(rows(plain.sections));
        // Each text is counted once: a link to it that is found too brings nothing.
        const has = new Set(files.map(([path]) => path));
        const links = new Map(has.has('sub/CLAUDE.md') ? [['sub/GEMINI.md', 'sub/CLAUDE.md']] : []);
        if (has.has('AGENTS.md')) links.set('x/AGENTS.md', 'AGENTS.md');
        const agents = [...plain.asked.agents];
        const linked = await found(Object.fromEntries(files), {
          ...caps,
          links,
          ...(agents.length > 0 ? { agents } : {}),
        });
        expect(rows(linked.sections)).toEqual(rows(plain.sections));
      }),
    );
  });

  it('shows the instructions of the closest folder whole for a file in focus, beside large P2 sections', async () => {
    // Beside six sections of P2 each has a twelfth of the caps at least.
    const sizes = fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(folder, sizes, fc.integer({ min: 0, max: 4 }), async (files, nested, at) => {
        const caps = { budgetTokens: 6000, hardCapChars: 24_000 };
        const deep = nested.map((count, depth) => [`${'d/'.repeat(depth + 1)}AGENTS.md`, words(count)] as const);
        const large = section('large', words(3000));
        const { asked } = await found(Object.fromEntries([...files, ...deep]), { ...caps, extra: [large] });
        const depth = Math.min(at, nested.length - 1);
        const focused = { ...asked, focusPaths: [`${'d/'.repeat(depth + 1)}main.ts`] };
        const { sections, budget } = buildReport(focused, undefined, FAKE_TOKENIZER).payloads.expanded;
        expect(budget.status).not.toBe('ALERT');
        const shown = sections.flatMap(({ files: own = [] }) => own);
        expect(shown[0]).toMatchObject({ path: deep[depth]?.[0], shown: 'full' });
      }),
      runs(10, 300),
    );
  });
});
