import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../package.json';
import { AGENT_WINDOWS } from '../../../src/core/agents/agentWindows';
import { WindowFiles } from '../../../src/core/window/loaded/homeFiles';
import { configuredServers } from '../../../src/core/window/loaded/mcpServers';
import { openFileSource } from '../../../src/node/fileSource';
import { ServerMeasurements } from '../../../src/node/serverMeasurements';
import { FakeKeys } from '../../fixtures/fakeSecrets';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';
import { commit, git } from '../../unit/node/git/gitWorld';
import { REPOSITORIES, type Repository } from './repositories';

/** Formats with the ending of their golden files. */
const FORMATS = { text: 'txt', json: 'json', markdown: 'md', sarif: 'sarif', github: 'github.txt' } as const;

let world: CliWorld;
beforeAll(async () => {
  world = await CliWorld.create();
});

/** Compares with the file beside this test; `UPDATE_GOLDEN=1` rewrites it. */
function expectGolden(name: string, actual: string): void {
  const file = new URL(name, import.meta.url);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, actual);
  expect(existsSync(file), `${name} is missing: run with UPDATE_GOLDEN=1`).toBe(true);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}

/** The official schema, which is draft-04 but for nothing that draft-07 reads otherwise; one of its patterns is no Unicode one. */
function sarifValidator(): (log: unknown) => readonly unknown[] {
  const require = createRequire(import.meta.url);
  const { $schema: _, id: __, ...schema } = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const ajv = new Ajv({ strict: false, unicodeRegExp: false, allErrors: true, code: { optimize: false } });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return (log) => (validate(log) ? [] : (validate.errors ?? []));
}

async function write(root: string, files: Repository['files']): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function build({ files, before }: Pick<Repository, 'files' | 'before'>): Promise<string> {
  const root = await tempFolder();
  if (before) {
    git(root, 'init', '-q', '--template=');
    await write(root, before);
    commit(root, 'first', '2026-03-01T10:00:00Z');
    for (const name of Object.keys(before)) await rm(path.join(root, name));
  }
  await write(root, files);
  if (before) commit(root, 'second', '2026-03-02T10:00:00Z');
  return root;
}

function named(wanted: string): Repository {
  const found = REPOSITORIES.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no repository ${wanted}.`);
  return found;
}

interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly path: string;
  readonly line: number;
  readonly level: string;
  readonly tokens?: number;
}

async function findings(root: string, ...args: readonly string[]) {
  const { code, out } = await world.run(['check', '--root', root, '--json', ...args]);
  const report = JSON.parse(out) as { readonly findings: readonly Finding[]; readonly suppressed: number };
  return { code, ...report, of: (rule: string) => report.findings.filter((each) => each.rule === rule) };
}

describe.each(REPOSITORIES)('check of a repository: $name', (repository) => {
  it(`exits with ${repository.code} and prints every format`, async () => {
    const root = await build(repository);
    for (const [format, ending] of Object.entries(FORMATS)) {
      const { code, out } = await world.run(['check', '--root', root, '--format', format, ...(repository.args ?? [])], {
        cwd: root,
      });
      expect(code, format).toBe(repository.code);
      // Another version of the product is no other result.
      expectGolden(`${repository.name}.${ending}`, out.replace(`"version": "${version}"`, '"version": "0.0.0"'));
    }
  });

  it('has the totals of budget', async () => {
    const root = await build(repository);
    // What the test above has compared with the command's own output.
    const check = JSON.parse(readFileSync(new URL(`${repository.name}.json`, import.meta.url), 'utf8'));
    const trust = repository.args?.filter((arg) => arg === '--trust') ?? [];
    const budget = JSON.parse((await world.run(['budget', '--root', root, '--json', ...trust])).out);
    const { tokens, chars } = budget.budget;
    expect({ tokens: check.tokens, chars: check.chars }).toEqual({ tokens, chars });
    const sizes = ({ id, tokens: own, tokens_full }: Record<string, unknown>) => ({ id, own, tokens_full });
    // What only the baseline has is no section of the payload.
    const now = check.sections.filter(({ compared }: { compared?: number }) => compared !== 0);
    expect(now.map(sizes)).toEqual(budget.sections.map(sizes));
  });
});

describe('secret', () => {
  it('names the observation that has it, the log and its line', async () => {
    const key = `ghp_${new FakeKeys(7).random(36)}`;
    const observed = (id: number, summary: string) =>
      JSON.stringify({ schema_version: 'obs.v1', id, ts: '2026-02-03 10:00:00', type: 'event', summary, detail: '' });
    const log = ['', observed(3, 'set up'), observed(7, `rotated ${key}`), observed(9, 'went on'), ''].join('\n');
    const root = await tempFolder({ '.context-budget/observations.jsonl': log });
    expect((await findings(root)).of('secret')).toEqual([
      {
        ...{ rule: 'secret', level: 'error', message: 'GitHub token in observation 7', section: 'observations' },
        ...{ path: '.context-budget/observations.jsonl', line: 3, observation: 7 },
      },
    ]);
  });
});

describe('stale-path', () => {
  it('names the commit and the new path, and says nothing without trust', async () => {
    const repository = named('stale-path');
    const root = await build(repository);
    const short = git(root, 'rev-parse', 'HEAD').slice(0, 10);
    const trusted = await findings(root, '--trust');
    expect(trusted.of('stale-path')).toMatchObject([
      { level: 'note', line: 3, message: expect.stringMatching(`renamed to “src/shop/pricing.ts” .*${short}`) },
      { level: 'note', line: 4, message: expect.stringMatching(`tax.ts” was deleted in commit ${short} `) },
    ]);
    expect((await findings(root)).of('stale-path')).toEqual([]);
    const [silenced = ''] = Object.values(repository.files);
    await writeFile(path.join(root, 'AGENTS.md'), silenced.replace(/<!--.*-->/, ''));
    expect((await findings(root, '--trust')).of('stale-path').map(({ line }) => line)).toEqual([3, 4, 7]);
  });
});

describe('skill-cut', () => {
  it('finds the skills for which the list has no room, and what it leaves of the others', async () => {
    const name = (at: number): string => `${'s'.repeat(56)}-${String(at).padStart(3, '0')}`;
    const skills = Array.from({ length: 160 }, (_, at) => [
      `.agents/skills/${name(at)}/SKILL.md`,
      `---\nname: ${name(at)}\ndescription: Ships it\n---\nGo.\n`,
    ]);
    const root = await build({ files: Object.fromEntries(skills) });
    const { of, code } = await findings(root, '--agent', 'codex');
    expect(code).toBe(0);
    const dropped = of('skill-cut').filter(({ message }) => message.startsWith('Codex does not list'));
    // Each takes 2 + 60 + 11 + 60 + 11 characters of 21,760.
    const kept = Math.floor(21_760 / 144);
    expect(dropped.map(({ path: file }) => file)).toEqual(skills.slice(kept).map(([file]) => file));
    expect(of('skill-cut').length - dropped.length).toBe(kept);
    expect(of('skill-cut').every(({ line }) => line === 3)).toBe(true);
  });
});

describe('agent-limit', () => {
  it('is the window without the own prompt, with the figures of servers that were kept', async () => {
    const root = await build(named('agent-limit'));
    const { files, realRoot } = await openFileSource(root);
    const rules = AGENT_WINDOWS['claude-code'];
    if (!rules) throw new Error('Claude Code has a row.');
    const [server] = await configuredServers(rules, realRoot, new WindowFiles(files, undefined));
    const before = await findings(root);
    expect(before.of('unmeasured')).toMatchObject([{ path: '.mcp.json', line: 3 }]);
    const tools = [{ name: 'query', description: 'Asks', inputSchema: { type: 'object', properties: {} } }];
    await new ServerMeasurements(world.cache).save(
      { root: realRoot, source: '.mcp.json', name: 'db' },
      { commandHash: server?.commandHash ?? '', server: 'db 1', instructions: 'Ask the database first.', tools },
    );
    const { of } = await findings(root);
    const { out } = await world.run(['window', '--root', root, '--json', '--agent', 'claude-code']);
    const [agent] = JSON.parse(out).agents;
    const own = agent.categories.find(({ kind }: { kind: string }) => kind === 'agent');
    expect(of('unmeasured')).toEqual([]);
    expect(of('agent-limit')).toMatchObject([
      { tokens: agent.loaded_tokens - own.tokens, path: '.claude/skills/ship/SKILL.md' },
    ]);
    expect(of('agent-limit')[0]?.tokens).toBeGreaterThan(before.of('agent-limit')[0]?.tokens ?? 0);
  });

  it('is unmeasured while a server or a list of servers is, unless the rule is off', async () => {
    const config = (rules: object) => JSON.stringify({ check: { rules, limits: { agent: { 'claude-code': 9000 } } } });
    const root = await build({ ...named('agent-limit') });
    await write(root, { '.context-budget/config.json': config({}) });
    expect(await findings(root)).toMatchObject({ code: 4, findings: [{ rule: 'unmeasured', path: '.mcp.json' }] });
    expect((await findings(root, '--agent', 'codex')).code).toBe(0);
    await write(root, { '.mcp.json': '{ "mcpServers": ' });
    const { code, of } = await findings(root);
    expect(code).toBe(4);
    expect(of('unmeasured').map(({ message }) => message)).toEqual([
      'Claude Code: .mcp.json is not valid JSON: its MCP servers are unknown',
    ]);
    await write(root, { '.context-budget/config.json': config({ unmeasured: 'off' }) });
    expect((await findings(root)).code).toBe(0);
  });

  it('reads no home folder, and knows the instruction files of agents that run as a service', async () => {
    const home = await tempFolder({ '.claude/CLAUDE.md': '- One more rule.\n'.repeat(100) });
    const limits = { 'claude-code': 1, 'copilot-cloud-agent': 1 };
    const root = await build({
      files: {
        'AGENTS.md': '# Rules\n',
        '.context-budget/config.json': JSON.stringify({ check: { limits: { agent: limits } } }),
      },
    });
    await write(root, { 'CLAUDE.md': '@AGENTS.md\n' });
    const { out } = await world.run(['check', '--root', root, '--json'], { env: { HOME: home } });
    const found = (JSON.parse(out).findings as readonly Finding[]).filter(({ rule }) => rule === 'agent-limit');
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Claude Code loads \d of 1 tokens before the first word: instructions \d tokens$/),
      expect.stringMatching(/^Copilot .*: instructions \d tokens?$/),
    ]);
  });
});

describe('paths for code hosts', () => {
  it('are from the current folder, whether links lead to it, to the checked folder or to neither', async () => {
    const folder = await tempFolder();
    const [repository, links] = [path.join(folder, 'repository'), path.join(folder, 'links')];
    await write(path.join(repository, 'web'), named('secret').files);
    await mkdir(links);
    await symlink(repository, path.join(links, 'all'), 'junction');
    await symlink(path.join(repository, 'web'), path.join(repository, 'site'), 'junction');
    for (const cwd of [repository, path.join(links, 'all')])
      for (const root of ['web', 'site', path.join(repository, 'web'), path.join(links, 'all', 'web')]) {
        const { out } = await world.run(['check', '--root', root, '--format', 'github'], { cwd });
        expect(out, `${root} from ${cwd}`).toMatch(/^::error file=web\/AGENTS\.md,/);
      }
    const { out } = await world.run(['check', '--root', repository, '--format', 'github'], { cwd: links });
    expect(out).toMatch(/^::error file=web\/AGENTS\.md,/);
  });
});

describe('SARIF', () => {
  const faultsOf = sarifValidator();

  it('is refused by the schema when it is wrong', () => {
    const result = { message: { text: 'x' }, level: 'bad' };
    expect(faultsOf({ version: '2.1.0', runs: [{ tool: { driver: { name: 'a' } }, results: [result] }] })).not.toEqual(
      [],
    );
  });

  it.each(REPOSITORIES)('of $name is valid, and its rules lead to headings of the docs', ({ name }) => {
    const log = JSON.parse(readFileSync(new URL(`${name}.sarif`, import.meta.url), 'utf8'));
    expect(faultsOf(log)).toEqual([]);
    const page = readFileSync('docs/check.md', 'utf8');
    for (const { id, helpUri } of log.runs[0].tool.driver.rules) {
      expect(helpUri.endsWith(`/docs/check.md#${id}`)).toBe(true);
      expect(page).toContain(`\n## ${id}\n`);
    }
  });
});
