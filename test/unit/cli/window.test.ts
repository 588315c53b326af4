import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/core/text/displayWidth';
import { TABLE_COLUMNS } from '../../../src/core/text/textTable';
import { CliWorld } from '../../support/cliWorld';
import { sharedTokenizer } from '../../support/sharedTokenizer';
import { tempFolder } from '../../support/tempFolder';

let world: CliWorld;
let root: string;
let home: string;

async function write(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

interface Item {
  readonly id: string;
  readonly source: string;
  readonly line: number | null;
  readonly tokens: number;
  readonly tokens_full: number;
  readonly fate: string;
}

interface Agent {
  readonly agent: string;
  readonly loaded_tokens: number;
  readonly on_demand_tokens: number;
  readonly exact: boolean;
  readonly window_tokens: number | null;
  readonly categories: readonly { readonly kind: string; readonly tokens: number; readonly items: readonly Item[] }[];
}

async function count(text: string): Promise<number> {
  return (await sharedTokenizer('o200k_base')).count(text);
}

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder();
  home = await tempFolder();
});

async function run(...args: string[]) {
  const result = await world.run(['window', '--root', root, '--json', ...args], { env: { HOME: home } });
  const report = JSON.parse(result.out) as {
    readonly version: string;
    readonly agents: readonly Agent[];
    readonly duplicates: readonly { readonly agent: string; readonly tokens: number; readonly places: string[] }[];
    readonly problems: readonly string[];
  };
  const [agent] = report.agents;
  const items = (agent?.categories ?? []).flatMap(({ items: own }) => own);
  return { ...result, report, agent, items, item: (id: string) => items.find((each) => each.id === id) };
}

describe('window', () => {
  it('sums what is loaded, listed and cut, and what of it is on demand', async () => {
    await write(root, 'CLAUDE.md', '# Rules\n\nUse tabs. @docs/style.md\n');
    await write(root, 'docs/style.md', 'Write short words.\n');
    await write(root, '.claude/skills/ship/SKILL.md', '---\nname: ship\ndescription: Ships it\n---\nStep one.\n');
    await write(root, '.claude/agents/judge.md', '---\nname: judge\ndescription: "Reads \\"diffs\\""\n---\nBody.\n');
    const { code, report, agent, items, item } = await run('--agent', 'claude-code');
    expect(code).toBe(0);
    expect(report.version).toBe('window.v1');
    expect(item('file:CLAUDE.md')).toMatchObject({
      fate: 'loaded',
      tokens: await count('# Rules\n\nUse tabs. @docs/style.md\n'),
    });
    expect(item('file:docs/style.md')?.fate).toBe('loaded');
    expect(item('skill:ship')).toMatchObject({ fate: 'listed', tokens: await count('- ship: Ships it\n') });
    expect(item('subagent:judge')?.tokens).toBe(await count('- judge: Reads "diffs" (Tools: All tools)\n'));
    const inWindow = items.filter(({ fate }) => ['loaded', 'listed', 'cut'].includes(fate));
    expect(agent?.loaded_tokens).toBe(inWindow.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(agent?.loaded_tokens).toBe(agent?.categories.reduce((sum, { tokens }) => sum + tokens, 0));
    const later = items.filter(({ fate }) => ['listed', 'deferred'].includes(fate));
    expect(agent?.on_demand_tokens).toBe(later.reduce((sum, each) => sum + each.tokens_full - each.tokens, 0));
    expect(agent?.on_demand_tokens).toBeGreaterThan(0);
    expect(agent?.exact).toBe(false);
  });

  it('has the keys of its contract', async () => {
    await write(root, 'CLAUDE.md', 'Use tabs.\n');
    const { report } = await run('--agent', 'claude-code');
    expect(Object.keys(report)).toEqual(['version', 'agents', 'duplicates', 'problems']);
    const [agent] = report.agents;
    expect(agent).toMatchObject({
      agent: 'claude-code',
      as_of: '2026-11',
      model: null,
      not_read: expect.arrayContaining(['plugins']),
      window_tokens: 1_000_000,
    });
    expect(agent?.categories.map(({ kind }) => kind)).toEqual(['agent', 'instructions']);
    expect(agent?.categories[1]).toEqual({
      kind: 'instructions',
      tokens: await count('Use tabs.\n'),
      exact: true,
      items: [
        {
          id: 'file:CLAUDE.md',
          source: 'CLAUDE.md',
          line: null,
          tokens: await count('Use tabs.\n'),
          tokens_full: await count('Use tabs.\n'),
          fate: 'loaded',
          certain: true,
          reason: 'read at start',
        },
      ],
    });
  });

  it('survives settings that are nested deeper than a parser goes', async () => {
    await write(root, '.mcp.json', json({ mcpServers: { db: { command: 'db' } } }));
    await write(root, '.claude/settings.json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const { code, item } = await run('--agent', 'claude-code');
    expect(code).toBe(0);
    expect(item('mcp:db')?.fate).toBe('unmeasured');
  });

  it('takes of two servers of a name the stronger, leaves those off that are off, and guesses no size', async () => {
    await write(root, '.mcp.json', json({ mcpServers: { db: { command: 'db' }, web: { url: 'https://x.test' } } }));
    await write(root, '.claude/settings.json', json({ disabledMcpjsonServers: ['web'] }));
    await write(home, '.claude.json', json({ mcpServers: { db: { command: 'other' }, home: { command: 'h' } } }));
    const { item, err, agent } = await run('--agent', 'claude-code', '--home');
    expect(item('mcp:db')).toMatchObject({ source: '.mcp.json', line: 3, fate: 'unmeasured', tokens: 0 });
    expect(item('mcp:web')?.fate).toBe('disabled');
    expect(agent?.categories.flatMap(({ items }) => items).map(({ id, source, fate }) => [id, source, fate])).toEqual(
      expect.arrayContaining([
        ['mcp:db', '~/.claude.json', 'shadowed'],
        ['mcp:home', '~/.claude.json', 'unmeasured'],
      ]),
    );
    expect(err).toContain('Read from your home folder: ~/.claude.json');
  });

  it('says which servers are configured when one to measure is not', async () => {
    const none = await run('--agent', 'claude-code', '--measure', 'nope', '--trust');
    expect(none.code).toBe(4);
    expect(none.report.problems).toEqual(['No MCP server "nope" is configured for the agents shown: they have none']);
    const servers = { web: { command: 'web' }, db: { command: 'db' } };
    await write(root, '.mcp.json', json({ mcpServers: servers }));
    await write(root, '.claude/settings.json', json({ disabledMcpjsonServers: ['web'] }));
    const named = await run('--agent', 'claude-code', '--measure', 'nope', 'web', '--trust');
    expect(named.code).toBe(4);
    expect(named.report.problems).toEqual([
      'No MCP server "nope" is configured for the agents shown: they have db, web',
      'The MCP server "web" gave no figure',
    ]);
  });

  it('reads nothing of the home folder without --home, and says so', async () => {
    await write(home, '.claude/CLAUDE.md', 'Mine.\n');
    await write(home, '.claude/skills/own/SKILL.md', '---\ndescription: Own\n---\n');
    const without = await run('--agent', 'claude-code');
    expect(without.items.filter(({ source }) => source.startsWith('~/'))).toEqual([]);
    expect(without.err).toContain('--home');
    const { item } = await run('--agent', 'claude-code', '--home');
    expect(item('file:~/.claude/CLAUDE.md')).toMatchObject({ fate: 'loaded', tokens: await count('Mine.\n') });
    expect(item('skill:own')?.fate).toBe('listed');
  });

  it("reads Codex's servers and skills, whose descriptions are shortened alike", async () => {
    await write(
      root,
      '.codex/config.toml',
      'model = "x"\n\n[mcp_servers.db]\ncommand = "db"\n\n[mcp_servers.off]\ncommand = "o"\nenabled = false\n',
    );
    for (let at = 0; at < 300; at++)
      await write(
        root,
        `.agents/skills/s${at}/SKILL.md`,
        `---\nname: s${at}\ndescription: ${'word '.repeat(40)}\n---\n`,
      );
    const { item, items, agent } = await run('--agent', 'codex');
    expect(item('mcp:db')).toMatchObject({ fate: 'unmeasured', line: 3 });
    expect(item('mcp:off')?.fate).toBe('disabled');
    const skills = items.filter(({ id }) => id.startsWith('skill:'));
    expect(skills).toHaveLength(300);
    expect(new Set(skills.map(({ fate }) => fate))).toEqual(new Set(['cut']));
    expect(agent?.window_tokens).toBe(272_000);
  });

  it("drops the descriptions of Claude Code's last skills when its list is full, as its recording shows", async () => {
    // Recorded 2026-11-24 with 2.1.330 and claude-haiku-4-5: of these, in 7,974 of 8,000 characters, two kept their text.
    await write(root, '.claude/skills/mine/SKILL.md', '---\nname: mine\ndescription: My own MARKMINE.\n---\n');
    const long = 'several things well '.repeat(40).trim();
    for (let at = 10; at < 34; at++)
      await write(root, `.claude/skills/sk${at}/SKILL.md`, `---\ndescription: Skill number ${at} does ${long}\n---\n`);
    const { items } = await run('--agent', 'claude-code', '--model', 'claude-haiku-4-5');
    const fates = new Map(items.map(({ id, fate }) => [id, fate]));
    const whole = [...fates].filter(([id, fate]) => id.startsWith('skill:') && fate === 'listed').map(([id]) => id);
    expect(whole).toEqual(['skill:mine', 'skill:sk10', 'skill:sk11']);
    expect(fates.get('skill:sk33')).toBe('cut');
  });

  it('finds what an agent loads twice, but not an import beside its own file', async () => {
    const rules = [
      'Use tabs for indentation, also in tables.',
      'Name tests after behaviour. Never push to main, whatever it is.',
    ];
    await write(root, 'CLAUDE.md', `# Mine\n\n${rules.map((rule) => `- ${rule}`).join('\n')}\n@docs/a.md\n`);
    await write(root, 'docs/a.md', `Intro\n\n${rules.join('\n')}\n`);
    const { report } = await run('--agent', 'claude-code');
    expect(report.duplicates).toEqual([
      {
        agent: 'claude-code',
        tokens: await count(rules.map((rule) => `- ${rule}`).join('\n')),
        places: ['CLAUDE.md#L3-L4', 'docs/a.md#L3-L4'],
      },
    ]);
    await write(root, 'docs/a.md', 'Something else\n');
    expect((await run('--agent', 'claude-code')).report.duplicates).toEqual([]);
  });

  it('takes what settings say of skills, and of tool search', async () => {
    await write(root, '.mcp.json', json({ mcpServers: { db: { command: 'db' } } }));
    for (const name of ['asked', 'named', 'off', 'on'])
      await write(root, `.claude/skills/${name}/SKILL.md`, `---\ndescription: Says ${name}\n---\n`);
    const skillOverrides = { asked: 'user-invocable-only', named: 'name-only', off: 'on' };
    await write(root, '.claude/settings.json', json({ skillOverrides }));
    await write(root, '.claude/settings.local.json', json({ skillOverrides: { off: 'off' } }));
    const { item } = await run('--agent', 'claude-code');
    expect(['asked', 'named', 'off', 'on'].map((name) => item(`skill:${name}`)?.fate)).toEqual([
      ...['deferred', 'listed', 'disabled', 'listed'],
    ]);
    expect(item('skill:named')?.tokens).toBe(await count('- named\n'));
  });

  it('scales by the factor of a model, which is no exact count', async () => {
    await write(root, 'GEMINI.md', 'word '.repeat(1000));
    const { item } = await run('--agent', 'gemini-cli');
    const scaled = await run('--agent', 'gemini-cli', '--model', 'gemini-2.5-pro');
    expect(scaled.item('file:GEMINI.md')?.tokens).toBe(Math.round((item('file:GEMINI.md')?.tokens ?? 0) * 1.05));
    expect(scaled.agent).toMatchObject({ exact: false, window_tokens: 1_048_576 });
  });

  it('exits with 3 over a limit, 2 for an unknown agent, and says what is wrong with a config', async () => {
    await write(root, 'CLAUDE.md', 'word '.repeat(500));
    await write(root, '.mcp.json', '{ "mcpServers": ');
    const { code, report } = await run('--agent', 'claude-code', '--fail-over', '500');
    expect(code).toBe(3);
    expect(report.problems).toEqual(['.mcp.json is not valid JSON: its MCP servers are unknown']);
    expect((await world.run(['window', '--root', root, '--agent', 'nobody'])).code).toBe(2);
  });

  it('has a table for people, within its columns', async () => {
    await write(root, 'CLAUDE.md', 'Short.\n');
    await write(root, `.claude/skills/${'long'.repeat(20)}/SKILL.md`, '---\ndescription: a\n---\n');
    const { out } = await world.run(['window', '--root', root, '--agent', 'claude-code'], { env: { HOME: home } });
    expect(out).toMatch(/^Claude Code: ≈[\d,]+ of 1,000,000 \(1%\) tokens before the first word/m);
    expect(out).toMatch(/^loaded {2,}file:CLAUDE\.md {2,}2 /m);
    for (const line of out.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(TABLE_COLUMNS);
  });
});
