import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT_IDS } from '../../../src/core/model/agent';
import { displayWidth } from '../../../src/core/text/displayWidth';
import { TABLE_COLUMNS } from '../../../src/core/text/textTable';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

let world: CliWorld;
let root: string;

async function write(name: string, text: string): Promise<void> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder();
  await write('.git/HEAD', 'ref: refs/heads/main\n');
  await write('AGENTS.md', '- rule\n'.repeat(4500));
  await write('web/AGENTS.md', '- web\n'.repeat(1000));
  await write('CLAUDE.md', 'See @AGENTS.md and @docs/gone.md, thanks.\n');
  await write('web/a.ts', 'x');
});

const agents = (...args: string[]) => world.run(['agents', '--root', root, ...args]);

describe('agents', () => {
  it('has a table for each agent, within its columns, and names agents that find nothing', async () => {
    const { code, out } = await agents('--file', 'web/a.ts');
    expect(code).toBe(0);
    expect(out).toMatch(/^What agents read for work on web\/a\.ts$/m);
    expect(out).toMatch(
      /^truncated {2,}web\/AGENTS\.md {2,}6,000 {2,}4,732 {2,}line 212\n {15}All files of this agent share/m,
    );
    expect(out).toMatch(/^Codex: 32,768 bytes read, 4,732 lost$/m);
    expect(out).toContain('Import not read: @docs/gone.md, (CLAUDE.md, line 1): the file does not exist\n');
    expect(out).toContain('Nothing to read for: Gemini CLI, Aider\n');
    for (const line of out.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(TABLE_COLUMNS);
  });

  it('tells programs the same, with the sources of its rules', async () => {
    const { out } = await agents('--json');
    const json = JSON.parse(out);
    expect(json).toMatchObject({ version: 'agents.v1', file: null });
    expect(json.agents.map(({ agent }: { agent: string }) => agent)).toEqual(AGENT_IDS);
    const claude = json.agents[1];
    expect(claude.sources[0]).toMatch(/^https:/);
    expect(claude.files[1]).toEqual({
      path: 'AGENTS.md',
      fate: 'loaded',
      bytes: 31_500,
      lines: 4500,
      bytes_lost: 0,
      cut_line: null,
      imported_by: 'CLAUDE.md',
      why: null,
      doubtful: false,
    });
    const elsewhere = json.agents[0].files.filter((file: { path: string }) => file.path.startsWith('web/'));
    expect(elsewhere).toMatchObject([{ path: 'web/AGENTS.md', elsewhere: true }]);
    expect(claude.unread_imports).toEqual([{ path: 'CLAUDE.md', line: 1, target: 'docs/gone.md,', reason: 'missing' }]);
  });

  it('shows the agents that are asked for, in Markdown too', async () => {
    const { out } = await agents('--agent', 'zed', 'codex', '--format', 'markdown', '--file', 'web');
    expect(out).toContain('## What agents read for work on web/\n');
    expect(out.match(/^### /gm)).toHaveLength(2);
    expect(out).toContain('| truncated | web/AGENTS.md | 6,000 | 4,732 | line 212 |');
  });

  it('refuses agents and files that are not there, and names what is', async () => {
    expect(await agents('--agent', 'codex', 'nobody')).toMatchObject({ code: 2, out: '' });
    expect((await agents('--agent', 'nobody')).err).toContain('Agents: codex, claude-code, ');
    const { code, err } = await agents('--file', 'gone.ts');
    expect(code).toBe(2);
    expect(err).toContain('--file gone.ts: the file does not exist in the folder.');
  });

  it('says so where there is nothing to read', async () => {
    root = await tempFolder();
    const { code, out } = await agents();
    expect(code).toBe(0);
    expect(out).toMatch(/^What agents read at the root of the folder\n\nNothing to read for: Codex, /);
  });
});

describe('payload of a profile with an agent', () => {
  it('is without what the agent loads by itself, and the budget shows it beside the payload', async () => {
    await write('AGENTS.md', 'Always write tests.\n');
    await write('GEMINI.md', 'Never skip tests.\n');
    await write('.context-budget/config.json', JSON.stringify({ profiles: { mine: { agent: 'codex' } } }));
    const expanded = ['payload', '--expanded', '--root', root, '--profile'];
    const { out: plain } = await world.run([...expanded, 'default']);
    expect(plain).toContain('Always write tests.');
    const { code, out } = await world.run([...expanded, 'mine']);
    expect(code).toBe(0);
    expect(out).not.toContain('Always write tests.');
    expect(out).toContain('Never skip tests.');
    expect(out).toContain('left out, because Codex loads it itself: AGENTS.md');
    const { out: table } = await world.run(['budget', '--root', root, '--profile', 'mine']);
    expect(table).toMatch(/AGENTS\.md +\+\d+ .*loaded by Codex/);
    expect(table).toMatch(/^\+\d+ tokens that Codex loads itself, [\d,]+ in all$/m);
  });

  it('refuses an agent that nobody knows', async () => {
    await write('.context-budget/config.json', JSON.stringify({ profiles: { mine: { agent: 'nobody' } } }));
    const { code, err } = await world.run(['budget', '--root', root]);
    expect(code).toBe(2);
    expect(err).toContain('profiles.mine.agent must be one of "codex", "claude-code", ');
  });
});
