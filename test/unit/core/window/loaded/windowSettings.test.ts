/** What first requests of real clients showed of settings, heads and imports (Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102, OpenCode 1.18.33). */
import { describe, expect, it } from 'vitest';
import { AGENT_WINDOWS } from '../../../../../src/core/agents/agentWindows';
import type { AgentId } from '../../../../../src/core/model/agent';
import { WindowFiles } from '../../../../../src/core/window/loaded/homeFiles';
import { configuredServers } from '../../../../../src/core/window/loaded/mcpServers';
import { MemoryFiles } from '../../../../support/memoryFiles';
import { ROOT, windowOf } from './windowOf';

type Texts = Readonly<Record<string, string | number>>;

const json = JSON.stringify;
const skill = (name: string, description = `Does ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;

/** Fates by source or id, of one kind. */
async function fatesOf(agent: AgentId, kinds: string, texts: Texts, model?: string) {
  const items = await windowOf(agent, texts, { ...(model ? { model } : {}), instructions: 'Use it.' });
  const rows = items.filter(({ kind }) => kinds.split(' ').includes(kind));
  return Object.fromEntries(rows.map(({ id, source, fate, kind }) => [kind === 'mcp' ? id : source, fate]));
}

async function rowOf(agent: AgentId, source: string, texts: Texts) {
  return (await windowOf(agent, texts)).find((item) => item.source === source);
}

describe('settings that name instruction files', () => {
  it('Gemini CLI reads other names, in the home folder too', async () => {
    const texts = {
      '.gemini/settings.json': json({ context: { fileName: 'AGENTS.md' } }),
      ...{ 'AGENTS.md': 'a', 'GEMINI.md': '@docs/x.md', 'docs/x.md': 'x', '~/.gemini/AGENTS.md': 'h' },
    };
    expect(await fatesOf('gemini-cli', 'instructions user', texts)).toEqual({
      ...{ 'GEMINI.md': 'disabled', 'docs/x.md': 'disabled', 'AGENTS.md': 'loaded', '~/.gemini/AGENTS.md': 'loaded' },
    });
    expect((await rowOf('gemini-cli', 'GEMINI.md', texts))?.reason).toBe(
      'left out by context.fileName in .gemini/settings.json',
    );
  });

  it('Codex falls back to other names only without its own', async () => {
    const texts = { '.codex/config.toml': 'project_doc_fallback_filenames = ["TEAM.md"]\n', 'TEAM.md': 'team' };
    expect(await fatesOf('codex', 'instructions', texts)).toEqual({ 'TEAM.md': 'loaded' });
    expect(await fatesOf('codex', 'instructions', { ...texts, 'AGENTS.md': 'own' })).toEqual({ 'AGENTS.md': 'loaded' });
  });

  it('OpenCode adds paths and patterns, not addresses', async () => {
    const texts = {
      'opencode.json': json({ instructions: ['docs/t*.md', 'packages/**/RULES.md', 'none.md', 'https://x.org/y.md'] }),
      ...{ 'AGENTS.md': 'a', 'docs/two.md': '2', 'docs/other.md': 'o', 'packages/a/b/RULES.md': 'r' },
      'node_modules/packages/RULES.md': 'n',
    };
    expect(await fatesOf('opencode', 'instructions', texts)).toEqual({
      ...{ 'AGENTS.md': 'loaded', 'docs/two.md': 'loaded', 'packages/a/b/RULES.md': 'loaded' },
    });
  });

  it('looks into no more folders than anybody keeps instructions in', async () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`d${at}/x.txt`, '']));
    const memory = new MemoryFiles(many);
    expect(await new WindowFiles(memory, undefined).matching('**/RULES.md')).toEqual([]);
    expect(memory.lists.length).toBeLessThanOrEqual(2000);
  });

  it('Claude Code leaves out what patterns of absolute paths name', async () => {
    const texts = {
      '.claude/settings.json': json({ claudeMdExcludes: ['**/rules/extra.md', `${ROOT}/CLAUDE.local.md`] }),
      ...{ 'CLAUDE.md': 'c', 'CLAUDE.local.md': 'l', '.claude/rules/extra.md': 'e' },
    };
    expect(await fatesOf('claude-code', 'instructions', texts)).toEqual({
      ...{ 'CLAUDE.md': 'loaded', 'CLAUDE.local.md': 'disabled', '.claude/rules/extra.md': 'disabled' },
    });
  });
});

describe('texts of instruction files', () => {
  it('Claude Code sends neither frontmatter nor comments that are blocks', async () => {
    const text = '---\nowner: me\n---\n# T\n\n<!-- one\ntwo -->\n\nword <!-- kept --> word\n```\n<!-- kept -->\n```\n';
    const row = await rowOf('claude-code', 'CLAUDE.md', { 'CLAUDE.md': text });
    expect(row?.tokens).toBe('# T\n\nword <!-- kept --> word\n```\n<!-- kept -->\n```\n'.length);
    expect((await rowOf('gemini-cli', 'GEMINI.md', { 'GEMINI.md': text }))?.tokens).toBe(text.length);
  });

  it('Windsurf has no rule in the window that is read on demand, however large', async () => {
    const rule = (trigger: string) => `---\ntrigger: ${trigger}\n---\n${'x'.repeat(20_000)}`;
    const texts = { '.windsurf/rules/a.md': rule('manual'), '.windsurf/rules/b.md': rule('always_on') };
    expect(await fatesOf('windsurf', 'instructions', texts)).toEqual({
      '.windsurf/rules/a.md': 'deferred',
      '.windsurf/rules/b.md': 'cut',
    });
    expect((await rowOf('windsurf', '.windsurf/rules/a.md', texts))?.tokens).toBe(0);
  });

  it('a file that is too large to be read is unmeasured only where it is in the window', async () => {
    const texts = { 'CLAUDE.md': 6_000_000, 'AGENTS.md': 'a' };
    expect(await fatesOf('claude-code', 'instructions', texts)).toEqual({
      ...{ 'CLAUDE.md': 'dropped', 'AGENTS.md': 'shadowed' },
    });
    expect(await fatesOf('copilot-vscode', 'instructions', texts)).toEqual({
      ...{ 'CLAUDE.md': 'unmeasured', 'AGENTS.md': 'loaded' },
    });
  });

  it('Gemini CLI replaces the words that import', async () => {
    const texts = { 'GEMINI.md': 'See @docs/x.md now.\n', 'docs/x.md': 'x' };
    expect((await rowOf('gemini-cli', 'GEMINI.md', texts))?.tokens).toBe('See  now.\n'.length);
  });

  it('Copilot CLI gives each file its imports again, and none to GEMINI.md', async () => {
    const texts = {
      ...{ 'AGENTS.md': '@docs/one.md', 'CLAUDE.md': '@docs/one.md @AGENTS.md', 'GEMINI.md': '@docs/three.md' },
      ...{ 'docs/one.md': 'one\n@CLAUDE.md', 'docs/three.md': 'three' },
    };
    const rows = (await windowOf('copilot-cli', texts)).filter(({ kind }) => kind === 'instructions');
    expect(rows.map(({ source, reason }) => `${source}: ${reason}`)).toEqual([
      'AGENTS.md: read 2 times',
      'docs/one.md: imported by AGENTS.md; read 2 times',
      ...['CLAUDE.md: read at start', 'GEMINI.md: read at start'],
    ]);
    expect(rows.find(({ source }) => source === 'docs/one.md')?.tokens).toBe(2 * 'one\n@CLAUDE.md'.length + 1);
  });

  it('a file that is shadowed in another folder is not on demand', async () => {
    const texts = { 'CLAUDE.md': 'c', 'a/CLAUDE.md': 'a', 'a/AGENTS.md': 'a', 'b/AGENTS.md': 'b' };
    expect(await fatesOf('claude-code', 'instructions', texts)).toMatchObject({
      ...{ 'a/CLAUDE.md': 'deferred', 'a/AGENTS.md': 'shadowed' },
    });
  });

  it('Codex loads no file of another folder, also where that would be cut there', async () => {
    const texts = { 'AGENTS.md': 'x'.repeat(30_000), 'a/AGENTS.md': 'x'.repeat(10_000) };
    expect(await fatesOf('codex', 'instructions', texts)).toEqual({ 'AGENTS.md': 'loaded', 'a/AGENTS.md': 'deferred' });
  });
});

describe('settings that turn off', () => {
  const entry = { mcpServers: { db: { command: 'db' } } };

  it.each([
    ['mcp__db__find', 'disabled'],
    ['mcp__db', 'disabled'],
    ['mcp__db__*', 'disabled'],
    ['mcp__d', 'listed'],
  ])('Claude Code: %s makes the tool %s', async (permission, fate) => {
    const texts = { '.mcp.json': json(entry), '.claude/settings.json': json({ permissions: { deny: [permission] } }) };
    expect(await fatesOf('claude-code', 'mcp', texts)).toEqual({
      'mcp:db#instructions': 'loaded',
      'mcp:db/find': fate,
    });
  });

  it('of two servers of one name in a file, the last one is the one that agents start', async () => {
    const text = '{"mcpServers": {"db": {"command": "first"}, "log": {"command": "log"}, "db": {"command": "second"}}}';
    const rules = AGENT_WINDOWS['claude-code']!;
    const files = new WindowFiles(new MemoryFiles({ '.mcp.json': text }), new MemoryFiles({}));
    const servers = await configuredServers(rules, ROOT, files);
    expect(servers.map(({ name, command, off }) => [name, ...command, off])).toEqual([
      ['db', 'second', undefined],
      ['log', 'log', undefined],
    ]);
  });

  it('Claude Code: a subagent', async () => {
    const texts = {
      '.claude/settings.json': json({ permissions: { deny: ['Agent(judge)', 'Skill(ship)'] } }),
      ...{ '.claude/agents/judge.md': skill('judge'), '.claude/agents/nameless.md': '---\ndescription: x\n---\n' },
      ...{ '.claude/agents/scout.md': skill('scout'), '.claude/skills/ship/SKILL.md': skill('ship') },
    };
    expect(await fatesOf('claude-code', 'subagents skills', texts)).toEqual({
      ...{ '.claude/agents/judge.md': 'disabled', '.claude/agents/nameless.md': 'dropped' },
      ...{ '.claude/agents/scout.md': 'listed', '.claude/skills/ship/SKILL.md': 'listed' },
    });
  });

  it('OpenCode: tools, skills and subagents by pattern; a server without tools says nothing', async () => {
    const texts = {
      'opencode.json': json({
        mcp: { db: { type: 'local', command: ['db'] }, log: { type: 'local', command: ['log'] } },
        tools: { 'db_*': false, 'log_*': false, log_find: true },
        permission: { skill: { '*': 'deny', ship: 'allow' } },
        agent: { pilot: { disable: true } },
      }),
      ...{ '.claude/skills/ship/SKILL.md': skill('ship'), '.claude/skills/cook/SKILL.md': skill('cook') },
      ...{ '.opencode/agents/pilot.md': skill('pilot'), '.opencode/agents/guide.md': skill('guide') },
    };
    expect(await fatesOf('opencode', 'mcp skills subagents', texts)).toEqual({
      ...{ 'mcp:db#instructions': 'deferred', 'mcp:db/find': 'disabled' },
      ...{ 'mcp:log#instructions': 'loaded', 'mcp:log/find': 'loaded' },
      ...{ '.claude/skills/ship/SKILL.md': 'listed', '.claude/skills/cook/SKILL.md': 'disabled' },
      ...{ '.opencode/agents/pilot.md': 'disabled', '.opencode/agents/guide.md': 'listed' },
    });
  });

  it('Codex: a skill by its path or name, in the home folder’s settings alone', async () => {
    const off = (key: string) => `[[skills.config]]\n${key}\nenabled = false\n`;
    const texts = {
      '.codex/config.toml': off('name = "keep"'),
      '~/.codex/config.toml': off(`path = "${ROOT}/.agents/skills/ship/SKILL.md"`) + off('name = "cook"'),
      ...Object.fromEntries(['keep', 'ship', 'cook'].map((name) => [`.agents/skills/${name}/SKILL.md`, skill(name)])),
    };
    expect(await fatesOf('codex', 'skills', texts)).toEqual({
      ...{ '.agents/skills/keep/SKILL.md': 'listed', '.agents/skills/ship/SKILL.md': 'disabled' },
      '.agents/skills/cook/SKILL.md': 'disabled',
    });
  });

  it('Gemini CLI: skills by name', async () => {
    const texts = {
      '.gemini/settings.json': json({ skills: { disabled: ['ship'] } }),
      '.agents/skills/ship/SKILL.md': skill('ship'),
    };
    expect(await fatesOf('gemini-cli', 'skills', texts)).toEqual({ '.agents/skills/ship/SKILL.md': 'disabled' });
  });
});

describe('heads of skills', () => {
  const texts = Object.fromEntries(
    Object.entries({
      'group/deep': skill('deep'),
      nameless: '---\ndescription: Has none.\n---\n',
      silent: '---\nname: silent\n---\nFirst line.\n',
      headless: '# Title\n\nText.\n',
      colon: skill('colon', 'Use when: asked'),
      star: '---\nname: star\ndescription: All tools.\nallowed-tools: *\n---\n',
      twice: '---\nname: twice\ndescription: Two names.\nname: twice\n---\n',
      tab: '---\nname: tab\ndescription: A tab.\nmetadata:\n\ta: b\n---\n',
      open: '---\nname: open\ndescription: No end.\nversion: "1\n---\n',
    }).map(([name, text]) => [`.agents/skills/${name}/SKILL.md`, text]),
  );

  it.each<[AgentId, string]>([
    ['codex', 'deep nameless colon'],
    ['gemini-cli', 'colon star twice tab open'],
    ['copilot-cli', 'deep nameless silent'],
    ['opencode', 'deep colon tab'],
  ])('%s lists %s', async (agent, names) => {
    const items = await windowOf(agent, texts);
    const listed = items.filter(({ kind, fate }) => kind === 'skills' && fate === 'listed');
    expect(listed.map(({ id }) => id.slice(6)).sort()).toEqual(names.split(' ').sort());
  });

  it('Claude Code lists all but deeper ones, by the name of their folder', async () => {
    const own = Object.fromEntries(
      Object.entries(texts).map(([path, text]) => [path.replace('.agents', '.claude'), text]),
    );
    const items = await windowOf('claude-code', { ...own, '.claude/skills/odd/SKILL.md': skill('Other Name') });
    expect(
      items
        .filter(({ kind, fate }) => kind === 'skills' && fate === 'listed')
        .map(({ id }) => id.slice(6))
        .sort(),
    ).toEqual(['colon', 'headless', 'nameless', 'odd', 'silent', 'star', 'tab', 'twice']);
  });

  it('of one name: Codex lists all, OpenCode one by chance, Copilot CLI the first', async () => {
    const twice = { '.agents/skills/a/SKILL.md': skill('same'), '.claude/skills/a/SKILL.md': skill('same') };
    const homes = { ...twice, '~/.agents/skills/a/SKILL.md': skill('same') };
    expect(Object.values(await fatesOf('codex', 'skills', homes))).toEqual(['listed', 'listed']);
    expect(Object.values(await fatesOf('copilot-cli', 'skills', twice))).toEqual(['listed', 'shadowed']);
    const rows = (await windowOf('opencode', twice)).filter(({ kind }) => kind === 'skills');
    expect(rows.map(({ certain }) => certain)).toEqual([false, false]);
  });

  it('Copilot CLI lists commands of the folder itself, those without a head by all of their text', async () => {
    const rows = await windowOf('copilot-cli', {
      '.claude/commands/run.md': 'Line one.\n\nLine two.\n',
      '.claude/commands/sub/in.md': '---\ndescription: In.\n---\n',
    });
    const commands = rows.filter(({ kind }) => kind === 'commands');
    expect(commands.map(({ id }) => id)).toEqual(['command:run']);
    expect(commands[0]?.tokens).toBe(
      '<skill>\n  <name>run</name>\n  <description>Line one. Line two.</description>\n  <location>project</location>\n</skill>\n'
        .length,
    );
  });
});
