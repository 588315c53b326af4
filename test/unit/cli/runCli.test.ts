import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, CliWorld } from '../../support/cliWorld';
import { pidIn, whenGone } from '../../support/processes';
import { tempFolder } from '../../support/tempFolder';
import { commit, git } from '../node/git/gitWorld';

/** A workspace as the README describes one: instructions, memory, two languages of source, a perception plug-in. */
const WORKSPACE = {
  'AGENTS.md': '# Rules\n\n- Answer in one sentence.\n- Run the tests.\n',
  'memory/SOUL.md': '# Soul\n\nCalm and exact.\n',
  'src/server.ts':
    'import { hash } from "./hash";\n\nexport function startServer(port: number): void {\n  hash(String(port));\n}\n',
  'src/hash.ts': '/** Hashes. */\nexport function hash(text: string): string {\n  return text;\n}\n',
  'tools/count.py': 'def count_words(text):\n    return len(text.split())\n',
  'plugins/ports.sh': 'echo "SUMMARY:OK:All 4 ports UP"\necho ---\necho "80 443 5432 6379"\n',
};

function config(sections: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return { '.context-budget/config.json': JSON.stringify({ version: 1, sections, ...more }) };
}

const PORTS = { id: 'ports', command: ['bash', 'plugins/ports.sh'], timeout_ms: 10_000, priority: 'P2' };

let world: CliWorld;
beforeEach(async () => {
  world = await CliWorld.create();
});

async function run(root: string, ...argv: readonly string[]): Promise<CliResult> {
  return world.run(argv, { cwd: root });
}

/** The row of a section in the text table, its columns. */
function row({ out }: CliResult, title: string): readonly string[] {
  const line = out.split('\n').find((each) => each.split(/\s{2,}/)[1] === title);
  return line?.split(/\s{2,}/) ?? [];
}

interface JsonPayload {
  readonly version: string;
  readonly mode: string;
  readonly budget: Readonly<Record<string, unknown>>;
  readonly sections: readonly {
    readonly id: string;
    readonly priority: string;
    readonly status: string;
    readonly text: string;
    tokens: number;
  }[];
  readonly repo_map: {
    readonly items: readonly { path: string; symbols: readonly { handle: string; name: string }[] }[];
  };
  readonly notes: readonly string[];
}

function parse({ out }: CliResult): JsonPayload {
  return JSON.parse(out);
}

describe('budget', () => {
  it('shows what is found without any config, and says nothing else', async () => {
    const result = await run(await tempFolder(WORKSPACE), 'budget');
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/^Context budget, profile default, expanded payload\n/);
    expect(row(result, 'AGENTS.md')).toEqual(expect.arrayContaining(['OK', 'full']));
    expect(row(result, 'memory/SOUL.md')[0]).toBe('OK');
    expect(row(result, 'repo-map')[0]).toBe('OK');
    expect(result.out).toMatch(/[\d,]+ of 7,500 tokens, \d+%\n[\d,]+ of 30,000 characters, [\d<]+%\nStatus OK\n/);
  });

  it('has the same numbers as the payload, for both kinds', async () => {
    const root = await tempFolder(WORKSPACE);
    for (const [table, payload] of [
      [['budget'], ['payload', '--expanded']],
      [['budget', '--index'], ['payload']],
    ] as const) {
      const counted = parse(await run(root, ...table, '--json'));
      const delivered = parse(await run(root, ...payload, '--json'));
      expect(counted.budget).toEqual(delivered.budget);
      expect(counted.sections.map(({ id, tokens }) => [id, tokens])).toEqual(
        delivered.sections.map(({ id, tokens }) => [id, tokens]),
      );
      expect(counted.sections.some((section) => 'text' in section)).toBe(false);
    }
  });

  it.each(['text', 'markdown', 'xml', 'json'])('prints %s without a path of this machine', async (format) => {
    const root = await tempFolder({ ...WORKSPACE, ...config([PORTS]) });
    for (const command of [
      ...(format === 'xml' ? [] : [['budget']]),
      ['payload'],
      ['payload', '--expanded'],
      ['map'],
      ['detail', '--ids', 'section:ports'],
    ]) {
      const { out } = await run(root, ...command, '--trust', '--format', format);
      expect(out).not.toBe('');
      expect(out).not.toContain(root);
      expect(out).not.toContain(path.basename(root));
    }
  });

  it('takes the global options before and after the command', async () => {
    const root = await tempFolder(WORKSPACE);
    const before = await world.run(['--root', root, '--json', 'budget', '--index']);
    const after = await world.run(['budget', '--index', '--json', '--root', root]);
    expect(before.code).toBe(0);
    expect(after.out).toBe(before.out);
  });

  it('gives the same bytes every time, from a cold and a warm cache', async () => {
    const root = await tempFolder(WORKSPACE);
    const cold = await run(root, 'payload', '--expanded');
    expect(existsSync(world.cache)).toBe(true);
    expect((await run(root, 'payload', '--expanded')).out).toBe(cold.out);
  });

  it('exits with 3 above --fail-over, and still prints', async () => {
    const root = await tempFolder(WORKSPACE);
    const { tokens } = parse(await run(root, 'budget', '--json')).budget as { tokens: number };
    expect(await run(root, 'budget', '--fail-over', String(tokens))).toMatchObject({ code: 0 });
    const over = await run(root, 'budget', '--fail-over', String(tokens - 1));
    expect(over.code).toBe(3);
    expect(over.out).toContain('Status OK');
  });

  it('exits with 3 when what is never removed exceeds a cap, and delivers the payload whole', async () => {
    const root = await tempFolder({
      'AGENTS.md': 'Read every word of this rule, please.\n'.repeat(50),
      ...config([{ id: 'agents', file: 'AGENTS.md', priority: 'P0' }], {
        profiles: { default: { budget_tokens: 100 } },
      }),
    });
    expect((await run(root, 'budget')).out).toContain('Status ALERT');
    const result = await run(root, 'payload', '--expanded');
    expect(result.code).toBe(3);
    expect(result.out.match(/Read every word/g)).toHaveLength(50);
  });
});

describe('payload', () => {
  it('is never an alarm by what was found alone: a root file over half of a cap gives way', async () => {
    const root = await tempFolder({
      'AGENTS.md': 'Read every word of this rule, please.\n'.repeat(400),
      'sub/CLAUDE.md': 'Only here.\n',
      'vendor/x/AGENTS.md': 'Not ours.\n',
    });
    const result = await run(root, 'payload', '--expanded', '--json');
    expect(result.code).toBe(0);
    const { sections, notes } = parse(result);
    expect(sections.map(({ id, priority }) => `${priority} ${id}`)).toContain('P2 agents-md');
    expect(sections.map(({ id }) => id)).toContain('rules');
    expect(notes).toContain("1 context file left out: 1 in folders of other people's code or test inputs");
  });

  it('is an index unless --expanded, and is alone on stdout', async () => {
    const root = await tempFolder(WORKSPACE);
    const index = await run(root, 'payload');
    expect(index.out).not.toContain('Answer in one sentence');
    expect(index.out).toContain('section:agents-md');
    const expanded = await run(root, 'payload', '--expanded');
    expect(expanded.out).toContain('- Answer in one sentence.');
    expect(expanded.out).toContain('startServer');
    expect(parse(await run(root, 'payload', '--json'))).toMatchObject({ version: 'context_payload.v2', mode: 'index' });
  });

  it('tries another budget of tokens, and says what a wrong one must be', async () => {
    const log = Array.from({ length: 200 }, (_, day) => `- 2026-01-01: step ${day} of the work was done\n`).join('');
    const root = await tempFolder({ ...WORKSPACE, 'memory/log.md': `# Log\n\n${log}` });
    const budgetOf = async (...more: readonly string[]) =>
      parse(await run(root, 'payload', '--expanded', '--json', ...more)).budget;
    const [small, large] = [await budgetOf('--budget', '600'), await budgetOf('--budget', '60,000')];
    expect(small).toMatchObject({ budget_tokens: 600, hard_cap_chars: 30_000 });
    expect(small.tokens).toBeLessThanOrEqual(600);
    expect(large).toMatchObject({ budget_tokens: 60_000, hard_cap_chars: 30_000 });
    expect(large.tokens).toBeGreaterThan(3000);
    expect(await run(root, 'payload', '--budget', 'many')).toMatchObject({ code: 2, out: '' });
  });

  it('says with --verbose what was cut, a line each, and of how many sections tokens were counted', async () => {
    const log = Array.from({ length: 200 }, (_, day) => `- 2026-01-01: step ${day} of the work was done\n`).join('');
    const root = await tempFolder({ ...WORKSPACE, 'MEMORY.md': `# Log\n\n${log}` });
    const argv = ['payload', '--expanded', '--budget', '600', '--verbose'];
    const first = await run(root, ...argv);
    expect(first.err).toMatch(/^cut memory \d+ -> \d+ tokens, \d+ entries left out$/m);
    expect(first.err).toMatch(/^counted [1-9]\d* of \d+ sections, the rest from the cache; \d+ text parts tokenized/m);
    const again = await run(root, ...argv);
    expect(again.out).toBe(first.out);
    expect(again.err).toMatch(/^counted 0 of \d+ sections, the rest from the cache; 0 text parts tokenized/m);

    await writeFile(path.join(root, 'memory/SOUL.md'), '# Soul\n\nCalm, exact and quick.\n');
    expect((await run(root, ...argv)).err).toMatch(/^counted 1 of /m);
    expect((await run(root, ...argv)).err).toMatch(/^counted 0 of /m);
    expect((await run(root, 'payload', '--expanded')).err).not.toContain('counted');
  });

  it('uses the caps of --profile, and refuses an unknown one by naming those there are', async () => {
    const root = await tempFolder({
      ...WORKSPACE,
      ...config([], { profiles: { planner: { budget_tokens: 2000 } } }),
    });
    expect(parse(await run(root, 'payload', '--json', '--profile', 'planner')).budget.budget_tokens).toBe(2000);
    expect(await run(root, 'payload', '--profile', 'plan')).toEqual({
      code: 2,
      out: '',
      err: 'error: Unknown profile "plan". Profiles: default, planner, implementer, verifier.\n',
    });
  });
});

describe('command sections', () => {
  it('are not run without trust, and everything else works', async () => {
    const root = await tempFolder({
      ...WORKSPACE,
      'plugins/ports.sh': 'touch was-run\n',
      ...config([PORTS]),
    });
    const result = await run(root, 'budget');
    expect(result.code).toBe(0);
    expect(row(result, 'ports')).toEqual(expect.arrayContaining(['not run', 'not trusted']));
    expect(result.err).toMatch(/^warning: 1 command section was not run: ports\. .*--trust/);
    expect(existsSync(path.join(root, 'was-run'))).toBe(false);
  });

  it('run with --trust: OK costs one sentence, ALERT opens up', async () => {
    const root = await tempFolder({ ...WORKSPACE, ...config([PORTS]) });
    const calm = await run(root, 'payload', '--expanded', '--trust');
    expect(calm.out).toContain('<ports>All 4 ports UP</ports>');
    expect(calm.out).not.toContain('5432');
    await writeFile(
      path.join(root, 'plugins/ports.sh'),
      'echo "SUMMARY:ALERT:1 port DOWN"\necho ---\necho "5432 down"\n',
    );
    const alarmed = await run(root, 'payload', '--expanded', '--trust', '--json');
    expect(parse(alarmed).sections.find(({ id }) => id === 'ports')).toMatchObject({ status: 'ALERT' });
    expect(alarmed.out).toContain('5432 down');
  });

  it('run in a folder that "trust" recorded, until it is removed', async () => {
    const root = await tempFolder({ ...WORKSPACE, ...config([PORTS]) });
    expect(await run(root, 'trust')).toEqual({ code: 0, out: `Trusted: ${root}\n`, err: '' });
    expect((await run(root, 'trust', '--list')).out).toBe(`${root}\n`);
    expect((await run(root, 'payload', '--expanded')).out).toContain('All 4 ports UP');
    expect((await run(root, 'trust', '--remove')).code).toBe(0);
    expect((await run(root, 'payload', '--expanded')).out).not.toContain('All 4 ports UP');
    expect(JSON.parse((await run(root, 'trust', '--list', '--json')).out)).toEqual({
      version: 'trust_list.v1',
      trusted: [],
    });
  });

  it('are not run any more once a command line changed after "trust", until trusted again', async () => {
    const root = await tempFolder({ ...WORKSPACE, ...config([PORTS]) });
    await run(root, 'trust');
    expect((await run(root, 'payload', '--expanded')).out).toContain('All 4 ports UP');
    const changed = { ...PORTS, command: [...PORTS.command, '--deploy'] };
    await writeFile(
      path.join(root, '.context-budget/config.json'),
      config([changed])['.context-budget/config.json'] ?? '',
    );
    const refused = await run(root, 'payload', '--expanded');
    expect(refused.out).not.toContain('All 4 ports UP');
    expect(refused.err).toContain('command lines of this folder changed since it was trusted');
    expect((await run(root, 'trust')).out).toBe(`Trusted: ${root}\n`);
    expect((await run(root, 'payload', '--expanded')).out).toContain('All 4 ports UP');
    expect((await run(root, 'trust')).out).toBe(`Already trusted: ${root}\n`);
    // What is no command may change.
    const other = [changed, { id: 'notes', file: 'AGENTS.md' }];
    await writeFile(path.join(root, '.context-budget/config.json'), config(other)['.context-budget/config.json'] ?? '');
    expect((await run(root, 'payload', '--expanded')).out).toContain('All 4 ports UP');
  });

  it('that fail, hang or flood become alarms with their reason and stop nothing else', async () => {
    const root = await tempFolder({
      ...WORKSPACE,
      'plugins/seven.sh': 'echo "no such host" >&2\nexit 7\n',
      'plugins/hang.sh': 'sleep 600\n',
      'plugins/flood.sh': 'yes "the same line over and over"\n',
      ...config([
        PORTS,
        { id: 'seven', command: ['bash', 'plugins/seven.sh'] },
        { id: 'hang', command: ['bash', 'plugins/hang.sh'], timeout_ms: 700 },
        { id: 'flood', command: ['bash', 'plugins/flood.sh'], timeout_ms: 20_000 },
        { id: 'absent', command: ['no-such-program-here'] },
      ]),
    });
    const result = await run(root, 'payload', '--expanded', '--trust', '--json');
    const sections = new Map(parse(result).sections.map((section) => [section.id, section]));
    for (const id of ['seven', 'hang', 'flood', 'absent']) expect(sections.get(id)?.status).toBe('ALERT');
    expect(sections.get('ports')?.status).toBe('OK');
    expect(sections.get('seven')?.text).toMatch(/7[\s\S]*no such host/);
    expect(sections.get('agents-md')?.text).toContain('Answer in one sentence');
  });

  it('are ended at once by Ctrl-C', async () => {
    const root = await tempFolder({
      'plugins/hang.sh': 'echo $$ > pid\nsleep 600\n',
      ...config([{ id: 'hang', command: ['bash', 'plugins/hang.sh'], timeout_ms: 60_000 }]),
    });
    const running = run(root, 'budget', '--trust');
    const pid = await pidIn(path.join(root, 'pid'));
    world.interrupt();
    expect(await running).toEqual({ code: 130, out: '', err: '' });
    // SIGKILL was sent before the command ended; the kernel needs a moment.
    await whenGone(pid);
  });
});

describe('a broken folder', () => {
  it('with a broken config prints with defaults, names line and expectation, and exits with 2', async () => {
    const root = await tempFolder({
      ...WORKSPACE,
      '.context-budget/config.json':
        '{\n  "version": 1,\n  "profiles": { "default": { "budget_tokens": "7.5k" } }\n}\n',
    });
    const result = await run(root, 'budget');
    expect(result.code).toBe(2);
    expect(result.out).toContain('of 7,500 tokens');
    expect(result.err).toMatch(/^error: .*config\.json, line 3: .*budget_tokens.*7\.5k/);
  });

  it('with binaries, big files, UTF-16 and a link loop still gives its payload', async () => {
    const root = await tempFolder({
      ...WORKSPACE,
      'CLAUDE.md': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Sixteen bits.', 'utf16le')]),
      'GEMINI.md': Buffer.from([0, 1, 2, 3, 0, 255]),
      'src/blob.ts': Buffer.alloc(3_000_000, 'x '),
      'src/binary.py': Buffer.from([0, 1, 2]),
    });
    await symlink('.', path.join(root, 'src/loop'));
    const result = await run(root, 'payload', '--expanded');
    expect(result.code).toBe(0);
    expect(result.out).toContain('Sixteen bits.');
    expect(result.out).toContain('count_words');
  });
});

describe('map', () => {
  it('says that nothing matches instead of a map, in text and in JSON', async () => {
    const root = await tempFolder({ 'src/a.ts': 'export function parseConfig() {}\n' });
    const text = await run(root, 'map', '--query', 'zzzzqqq wwwxxx');
    expect(text).toMatchObject({
      code: 0,
      err: '',
      out: `No match for: zzzzqqq, wwwxxx.\nOnly files in languages that the map reads were searched: grep the others.\n`,
    });
    const { repo_map, match, budget } = JSON.parse((await run(root, 'map', '--query', 'parseConfgi', '--json')).out);
    expect(repo_map).toMatchObject({ files_shown: 0, items: [] });
    expect(match).toEqual({ known: [], unknown: ['parseConfgi'], nearest: { parseConfgi: ['parseConfig'] } });
    expect(budget.tokens).toBeGreaterThan(0);
  });

  it('keeps to its budget, and takes the default from the profile', async () => {
    const root = await tempFolder({
      ...WORKSPACE,
      ...config([], { profiles: { default: { map_tokens: 700 } } }),
    });
    const map = await run(root, 'map');
    expect(map).toMatchObject({ code: 0, err: '' });
    expect(map.out).toContain('startServer');
    expect(parse(await run(root, 'map', '--json'))).toMatchObject({
      version: 'context_payload.v2',
      mode: 'map',
      budget: { budget_tokens: 700, status: 'OK' },
      sections: [],
    });
    const small = parse(await run(root, 'map', '--json', '--budget', '12'));
    expect(small.budget.tokens).toBeLessThanOrEqual(12);
  });

  it('holds a map to the characters of the profile, and says so', async () => {
    const root = await tempFolder({
      '.context-budget/config.json': '{ "profiles": { "default": { "hard_cap_chars": 100 } } }',
      'a.ts': ['one', 'two', 'three', 'four']
        .map((name) => `export function ${name}(count: number): void {}\n`)
        .join(''),
    });
    const { code, out, err } = await run(root, 'map');
    expect(code).toBe(0);
    expect(out).toMatch(/^a\.ts\n {2}1 one\n/);
    expect(out.length).toBeLessThanOrEqual(100);
    expect(err).toContain('The map is limited to 100 characters');
  });

  it('ranks what the focus files use first, given from the current folder, from the root or as a folder', async () => {
    // Two equal pairs of user and used file: only the focus can put one before the other.
    const pair = (name: string) => ({
      [`${name}/main.ts`]: `import { use_${name} } from './lib';\nuse_${name}();\n`,
      [`${name}/lib.ts`]: `export function use_${name}(): void {}\n`,
    });
    const root = await tempFolder({ ...pair('one'), ...pair('two') });
    for (const [cwd, focus, first] of [
      [root, 'one/main.ts', 'one/lib.ts'],
      [root, 'two/main.ts', 'two/lib.ts'],
      [path.join(root, 'two'), 'main.ts', 'two/lib.ts'],
      [path.join(root, 'one'), 'two/main.ts', 'two/lib.ts'],
      [root, 'two', 'two/lib.ts'],
      [root, 'two\\main.ts', 'two/lib.ts'],
      [root, path.join(root, 'two', 'main.ts'), 'two/lib.ts'],
    ] as const) {
      const result = await world.run(['map', '--root', root, '--focus', focus, '--json'], { cwd });
      expect(parse(result).repo_map.items[0]?.path).toBe(first);
      const payload = await world.run(['payload', '--root', root, '--focus', focus, '--json'], { cwd });
      expect(parse(payload).repo_map.items[0]?.path).toBe(first);
    }
  });

  it('without a task and a focus looks from the files that git sees as changed, as the payload does', async () => {
    const pair = (name: string) => ({
      [`${name}/main.ts`]: `import { use_${name} } from './lib';\nuse_${name}();\n`,
      [`${name}/lib.ts`]: `export function use_${name}(): void {}\n`,
    });
    const root = await tempFolder({ ...pair('one'), ...pair('two') });
    const git = (...args: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, stdio: 'pipe' });
    };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
    const first = async () => parse(await run(root, 'map', '--json')).repo_map.items[0]?.path;
    expect(await first()).toBe('one/lib.ts');
    await writeFile(path.join(root, 'two/main.ts'), `${pair('two')['two/main.ts']}// changed\n`);
    expect(await first()).toBe('two/lib.ts');
    const { text } = parse(await run(root, 'payload', '--json', '--expanded')).sections.find(
      ({ id }) => id === 'repo-map',
    ) ?? { text: '' };
    expect(text).toBe((await run(root, 'map')).out);
  });

  it('takes a task from an option, a file or stdin, and ranks for it', async () => {
    const root = await tempFolder({
      'one.ts': 'export function loadCookies(): void {\n  readJar();\n}\n',
      'two.ts': 'export function paintWindow(): void {\n  drawFrame();\n}\n',
      'task.txt': 'The frame of the window is drawn twice\n',
    });
    const first = (result: CliResult) => parse(result).repo_map.items[0]?.path;
    expect(first(await run(root, 'map', '--json', '--query', 'The jar is not read'))).toBe('one.ts');
    expect(first(await world.run(['map', '--json', '--query-file', 'task.txt'], { cwd: root }))).toBe('two.ts');
    for (const argv of [
      ['map', '-'],
      ['map', '--query-file', '-'],
    ]) {
      const result = await world.run([...argv, '--json', '--root', root], { input: 'drawn frame' });
      expect(first(result)).toBe('two.ts');
    }
  });

  it('says what each package is for, as text, JSON and XML, and not for a task', async () => {
    const root = await tempFolder({
      'package.json': '{ "description": "Sells & feeds birds" }',
      'one.ts': 'export class Bird {\n  song = 1;\n}\n',
    });
    expect((await run(root, 'map')).out).toBe('# Sells & feeds birds\none.ts\n  1 export class Bird\n');
    const { repo_map } = JSON.parse((await run(root, 'map', '--json')).out);
    expect(repo_map.packages).toEqual([{ path: '', job: 'Sells & feeds birds' }]);
    expect((await run(root, 'payload', '--format', 'xml')).out).toContain(
      '    <package path="" job="Sells &amp; feeds birds"/>\n',
    );
    const task = await run(root, 'map', '--query', 'bird', '--json');
    expect(JSON.parse(task.out).repo_map).not.toHaveProperty('packages');
    expect((await run(root, 'payload', '--json')).out).toContain('"packages"');
  });

  it('explains itself, as text and in JSON', async () => {
    const root = await tempFolder({ 'one.ts': 'export function loadCookies(): void {\n  readJar();\n}\n' });
    const text = await run(root, 'map', '--explain', '--query', 'jar');
    expect(text.out).toMatch(/^one\.ts: file rank 1.*\n {2}1 loadCookies: score 1; words jar 1\n$/);
    const { items } = JSON.parse((await run(root, 'map', '--explain', '--query', 'jar', '--json')).out).repo_map;
    expect(items[0].why[0]).toMatch(/^file rank 1/);
    expect(items[0].symbols[0].why).toContain('words jar 1');
    expect((await run(root, 'map', '--explain')).out).toMatch(/one\.ts: importance: #1 of 1/);
  });

  it.each([
    [['--query', 'a', '--query-file', 'b'], 'cannot be used with'],
    [['--query-file', 'none.txt'], '--query-file none.txt: the file does not exist.'],
    [['--query-file', '.'], '--query-file .: it could not be read'],
    [['words'], '"words" is not an argument of map'],
    [['-', '--query', 'a'], 'Give the task once.'],
  ])('refuses %j', async (argv, message) => {
    const result = await run(await tempFolder(WORKSPACE), 'map', ...argv);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain(message);
  });

  it('refuses a focus file that is not in the folder, or is not opened by its name, in the same words', async () => {
    const closed = { '.gitignore': '.env\nlocal.ts\n', '.env': 'KEY=1\n', 'local.ts': '', '.git/config': '' };
    const root = await tempFolder({ ...WORKSPACE, ...closed });
    await symlink('.env', path.join(root, 'link.ts'));
    for (const focus of ['none.ts', '../other.ts', '/etc/hosts', '.env', 'local.ts', 'link.ts', '.git/config']) {
      for (const command of ['map', 'payload', 'budget']) {
        const result = await run(root, command, '--focus', focus);
        expect(result).toEqual({
          code: 2,
          out: '',
          err: `error: --focus ${focus}: the file does not exist in the folder.\n`,
        });
      }
    }
  });

  it('says that it is empty where there is no code', async () => {
    const result = await run(await tempFolder({ 'notes.md': 'words\n' }), 'map');
    expect(result.code).toBe(0);
    expect(result.err).toContain('The map is empty');
  });
});

describe('detail', () => {
  it('expands sections, symbols and lines of files', async () => {
    const root = await tempFolder({ ...WORKSPACE, ...config([PORTS]) });
    const map = parse(await run(root, 'map', '--json'));
    const hash = map.repo_map.items.flatMap(({ symbols }) => symbols).find(({ name }) => name === 'hash');
    const ids = ['section:ports', hash!.handle, 'file:tools/count.py#L2-L9'];
    const result = await run(root, 'detail', '--trust', '--ids', ids.join(','));
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toContain('80 443 5432 6379');
    expect(result.out).toContain('return text;');
    expect(result.out).toContain('return len(text.split())');
    expect(result.out).not.toContain('def count_words');
    const apart = parse(await run(root, 'detail', '--trust', '--json', '--ids', ...ids));
    expect(apart).toMatchObject({ mode: 'detail' });
    expect(apart.sections).toHaveLength(3);
    expect(apart.sections[0]).toMatchObject({
      id: 'ports',
      priority: 'P2',
      status: 'OK',
      handle: 'section:ports',
      roi_class: 'no data',
    });
    expect(Object.keys(apart.sections[1] ?? {}).sort()).toEqual(Object.keys(apart.sections[0] ?? {}).sort());
  });

  it('names unknown handles, serves the others and exits with 1', async () => {
    const root = await tempFolder(WORKSPACE);
    const result = await run(root, 'detail', '--ids', 'section:none,file:src/hash.ts#L2,file:../x,sym:00000000');
    expect(result.code).toBe(1);
    expect(result.out).toContain('export function hash');
    expect(result.err).toBe('error: unknown handle: section:none, file:../x, sym:00000000\n');
    // Handles may stand without the option, and none at all is said.
    expect((await run(root, 'detail', 'src/hash.ts:2')).out).toContain('export function hash');
    const none = await run(root, 'detail');
    expect([none.code, none.err]).toEqual([2, 'error: Name at least one handle, for example section:agents-md.\n']);
  });

  it('says below a definition who calls it and which tests there are, by name and import', async () => {
    const root = await tempFolder({
      'src/price.ts':
        'export function priceOf(id: number): number {\n  return id;\n}\n\nexport function unused(): void {}\n',
      'src/cart.ts':
        'import { priceOf } from "./price";\n\nexport function total(): number {\n  return priceOf(1) + priceOf(2);\n}\n\nexport function first(): number {\n  return priceOf(1);\n}\n',
      'src/report.ts':
        'import { priceOf } from "./price";\n\nexport function report(): string {\n  return String(priceOf(3));\n}\n',
      'src/other.ts': 'export function run(): void {}\n',
      'lib/other.ts': 'export function run(): void {}\n',
      'src/main.ts': 'import { run } from "./jobs";\n\nexport function main(): void {\n  run();\n}\n',
      'test/price.test.ts':
        'import { priceOf } from "../src/price";\n\nit("is a price", () => expect(priceOf(1)).toBe(1));\n',
    });
    const uses =
      '3 callers in 2 files: src/cart.ts:4 total, :8 first, src/report.ts:4 report; tests: test/price.test.ts';
    const one = await run(root, 'detail', 'src/price.ts:1');
    expect(one.out.endsWith(`}\n\`\`\`\n${uses}\n`), one.out).toBe(true);
    const { details } = JSON.parse((await run(root, 'detail', 'src/price.ts:1', '--json')).out);
    expect(details).toMatchObject([{ uses, text: expect.stringMatching(/^export function priceOf[^`]*\}\n$/) }]);
    // Nobody calls it, and a file's lines are no definition.
    for (const handle of ['src/price.ts:5', 'file:src/price.ts#L1-L3'])
      expect((await run(root, 'detail', handle)).out, handle).not.toMatch(/callers?|tests:/);
    // The name alone may mean either.
    expect((await run(root, 'detail', 'src/other.ts:1')).out).toContain(
      '\n1 caller in 1 file by name (one of 2): src/main.ts:4 main\n',
    );
  });

  it('finds the callers of a name that many types have by the type beside it, and tests in the same file', async () => {
    const types = Array.from(
      { length: 10 },
      (_, at) => `pub struct T${at};\nimpl T${at} {\n    pub fn new() -> Self { T${at} }\n}\n`,
    );
    const root = await tempFolder({
      'src/types.rs': types.join('\n'),
      'src/main.rs':
        'fn main() {\n    let other = T4::new();\n}\n\nfn start() {\n    // T3 comes later.\n    let one = T3::new();\n}\n',
      'src/add.rs':
        'pub fn add(a: i32) -> i32 {\n    a + 1\n}\n\nfn twice(a: i32) -> i32 {\n    add(add(a))\n}\n\n' +
        'mod tests {\n    fn adds() {\n        assert_eq!(add(1), 2);\n    }\n}\n',
      'src/main.go':
        'package main\n\ntype cart struct {\n\tprices []price\n}\n\ntype price int\n\ntype other int\n\n' +
        'func (c *cart) sum() price {\n\tvar all price\n\treturn all\n}\n',
      'src/over.ts': 'export class Money {\n  add(): void {}\n}\n\nexport class Purse {\n  add(): void {}\n}\n',
    });
    const line = async (handle: string): Promise<string> =>
      (await run(root, 'detail', handle)).out.trimEnd().split('\n').at(-1) ?? '';
    expect(await line('T3.new')).toBe(
      '1 caller in 1 file by name (one of 10): src/main.rs:7 start; types here: :16 T3',
    );
    expect(await line('src/add.rs:1')).toMatch(/^1 caller in 1 file.*: :6 twice; tests here: :11 tests\.adds$/);
    expect(await line('src/over.ts:2')).toMatch(/same name here: :6$/);
    expect(await line('src/main.go:11')).toBe('types here: :3 cart, :7 price');
    expect(await line('src/main.go:3')).not.toContain('types');
  });

  it('goes on where a section was cut', async () => {
    const rules = Array.from({ length: 250 }, (_, at) => `- rule ${at}: look twice, then once more`);
    const root = await tempFolder({ 'AGENTS.md': `${rules.join('\n')}\n` });
    const read: string[] = [];
    let parts = 0;
    let handle: string | undefined = 'section:agents-md';
    for (; handle !== undefined; parts++) {
      const { code, out } = await run(root, 'detail', '--ids', handle);
      expect(code).toBe(0);
      read.push(...out.split('\n').filter((line) => line.startsWith('- rule')));
      handle = / lines more: (\S+)/.exec(out)?.[1];
    }
    expect(parts).toBeGreaterThan(2);
    expect(read).toEqual(rules);
    expect((await run(root, 'detail', '--ids', 'section:agents-md#L251')).code).toBe(1);
  });

  it('lists the instruction files that the payload lists, with the same sizes', async () => {
    const files = {
      'AGENTS.md': '# Agents\n\nUse npm.\n',
      'CLAUDE.md': '# Claude\n\nUse tabs.\n',
      '.github/copilot-instructions.md': '# Copilot\n\nBe short',
    };
    const root = await tempFolder({ ...files, 'web/AGENTS.md': '# Web\n\nUse <rules> and React' });
    const { out } = await run(root, 'detail', '--ids', 'section:rules');
    expect(out).toMatch(/^[^\n]*\nWeb \| - \| ~\d+ tok \| section:rules\/web\/AGENTS\n```\n$/);
    expect((await run(root, 'payload')).out).toContain(`\n${out.split('\n')[1]}\n`);
    expect((await run(root, 'detail', '--ids', 'section:rules/CLAUDE')).out).toContain('Use tabs.');
    const none = await run(await tempFolder(files), 'detail', '--ids', 'section:rules');
    expect(none).toMatchObject({ code: 1, out: '', err: expect.stringContaining('section:rules') });
  });

  it('serves the files of folders by their rows, with slashes, blanks and Chinese in their names', async () => {
    const memories = {
      'memory/人 物.md': '# 人物\none\ntwo\n',
      'memory/t/a b/c, d.md': '# Deep\nthree\n',
      'memory/t/x  y.txt': 'four\n',
    };
    const root = await tempFolder({ ...WORKSPACE, ...memories });
    const lists = await run(root, 'detail', '--ids', 'section:memory-files,section:memory-t');
    const handles = [...lists.out.matchAll(/ tok \| (section:.+)$/gm)].map(([, handle = '']) => handle);
    expect(handles.toSorted()).toEqual([
      'section:memory-files/人 物',
      'section:memory-t/a b/c, d',
      'section:memory-t/x y',
    ]);
    const together = await run(root, 'detail', '--ids', handles.join(','));
    expect(together).toMatchObject({ code: 0, err: '' });
    for (const word of ['one', 'three', 'four']) expect(together.out).toContain(`${word}\n`);
    const part = await run(root, 'detail', '--ids', 'section:memory-files/人 物#L3', 'section:memory-t/a b/c, d#L2');
    expect(part).toMatchObject({ code: 0, err: '' });
    expect(part.out).toContain('\ntwo\n```');
    expect(part.out).toContain('\nthree\n```');
  });

  it.each(['file:com,ma/x,y.py#L1-L1', 'com,ma/x,y.py:1', ' com,ma/x,y.py '])(
    'does not split %s, which is a handle as a whole',
    async (handle) => {
      const root = await tempFolder({ 'com,ma/x,y.py': 'def comma(): pass\n' });
      const result = await run(root, 'detail', '--ids', handle);
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(result.out).toContain('def comma');
      const { err } = await run(root, 'detail', 'com,ma/x,y.py:9');
      expect(err).toBe('error: unknown handle: com,ma/x,y.py:9 (it has 1 line)\n');
    },
  );

  it.each([
    ['file:src/a.py#L9', 'file:src/a.py#L9 (it has 2 lines)'],
    ['src/a.py#L9-L12', 'src/a.py#L9-L12 (it has 2 lines)'],
    ['src/a.py:9', 'src/a.py:9 (it has 2 lines)'],
    ['src/a.py:2-1', 'src/a.py:2-1 (line 2 is after line 1)'],
    ['file:src/a.py#L2-L1', 'file:src/a.py#L2-L1 (line 2 is after line 1)'],
    ['file:src/a.py#L2C90', 'file:src/a.py#L2C90 (its line 2 is shorter)'],
    ['section:agents-md#L7', 'section:agents-md#L7 (it has 1 line)'],
    ['file:src/none.py#L9', 'file:src/none.py#L9'],
    [`src/${'x'.repeat(200)}`, `src/${'x'.repeat(115)}…`],
  ])('says of %s what is wrong with its lines', async (handle, words) => {
    const root = await tempFolder({ 'src/a.py': 'one\ntwo\n', 'AGENTS.md': '# Rules\n' });
    expect(await run(root, 'detail', '--ids', handle)).toMatchObject({
      ...{ code: 1, out: '', err: `error: unknown handle: ${words}\n` },
    });
  });

  it('takes a comma in a path for part of the handle', async () => {
    const root = await tempFolder({ ...WORKSPACE, 'src/a, b.ts': 'one\ntwo\n' });
    const result = await run(root, 'detail', '--ids', 'file:src/a, b.ts#L2, 12,section:none,');
    expect(result.out).toContain('two');
    expect(result.err).toBe('error: unknown handle: 12, section:none\n');
  });

  it('takes paths, places and names as rows show them', async () => {
    const root = await tempFolder({ 'src/a.ts': 'export class Store {\n  open() {\n    return 1;\n  }\n}\n' });
    const open = await run(root, 'detail', '--ids', 'src/a.ts:2,src/a.ts:3-3', 'Store.open', '--json');
    const texts = JSON.parse(open.out).sections.map(({ text }: { text: string }) => text.trim());
    expect(open).toMatchObject({ code: 0, err: '' });
    expect(texts).toEqual(['open() {\n    return 1;\n  }', 'return 1;', 'open() {\n    return 1;\n  }']);
    expect((await run(root, 'detail', '--ids', '../a.ts', 'Store.shut')).err).toContain(
      'unknown handle: ../a.ts, Store.shut',
    );
  });

  it('lists the definitions of a name that many have, each with a handle that leads to one', async () => {
    const classes = Array.from(
      { length: 9 },
      (_, at) => `export class C${at} {\n  open() {\n    return ${at};\n  }\n}\n`,
    );
    const root = await tempFolder({ 'src/a.ts': classes.join('') });
    for (const handle of ['open', 'sym:open', 'sym:src/a.ts:open']) {
      const { code, out } = await run(root, 'detail', handle);
      expect(code).toBe(0);
      expect(out).toMatch(/^``` \S+ 9 have this name: ask for the handle of a row, or for path:name\n/);
      const rows = out.split('\n').filter((row) => row.startsWith('sym:'));
      expect(rows).toHaveLength(9);
      expect(rows[3]).toMatch(/^sym:[0-9a-f]{8} \| src\/a\.ts:17 \| C3\.open \| open\(\)$/);
      expect((await run(root, 'detail', rows[3] ?? '')).out).toContain('return 3;');
    }
  });

  it('says that it stops at 100 definitions of a name', async () => {
    const files = Array.from({ length: 101 }, (_, at) => [
      `src/a${at}.ts`,
      `export function open() { return ${at}; }\n`,
    ]);
    const { out } = await run(await tempFolder(Object.fromEntries(files)), 'detail', 'open');
    expect(out).toContain('the first 100 of this name: ask for the handle of a row, or for path:name\n');
  });

  it('shows definitions that stand on the same lines once', async () => {
    const functions = Array.from({ length: 300 }, (_, at) => `function f${at}(){return ${at}}`);
    const root = await tempFolder({ 'a.js': `${functions.join(';')}\n` });
    const { code, out, err } = await run(root, 'detail', 'a.js:1');
    expect([code, err]).toEqual([0, '']);
    expect(out.startsWith('``` file:a.js#L1-L1 function f0 and 299 more\n')).toBe(true);
    expect(out.split('file:a.js#')).toHaveLength(3);
  });

  it('wants at least one handle', async () => {
    const root = await tempFolder(WORKSPACE);
    expect(await run(root, 'detail')).toMatchObject({ code: 2, out: '' });
    expect(await run(root, 'detail', '--ids', ' , ')).toMatchObject({
      code: 2,
      out: '',
      err: 'error: --ids names nothing.\n',
    });
  });
});

describe('init', () => {
  const FILE = '.context-budget/config.json';

  it('shows the config and writes nothing where nobody can be asked', async () => {
    const root = await tempFolder(WORKSPACE);
    const result = await run(root, 'init');
    expect(result.code).toBe(0);
    expect(result.out).toContain('{ "id": "agents-md", "file": "AGENTS.md" }');
    expect(result.err).toContain('Pass --yes');
    expect(existsSync(path.join(root, FILE))).toBe(false);
  });

  it.each(['n', '', 'maybe'])('writes nothing after the answer %j', async (answer) => {
    const root = await tempFolder(WORKSPACE);
    const result = await world.run(['init'], { cwd: root, answer });
    expect(result.err).toBe(`Write this to ${FILE}? [y/N] Nothing was written.\n`);
    expect(existsSync(path.join(root, FILE))).toBe(false);
  });

  const rules = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `.cursor/rules/r${at + 10}.mdc`,
      `---\nalwaysApply: true\n---\n# Rule ${at}\n\n${`Keep part ${at} of the work small and plain.\n`.repeat(15)}`,
    ]),
  );

  it.each([
    ['a small folder', WORKSPACE],
    [
      'rules that do not all fit',
      { ...WORKSPACE, ...rules, 'CLAUDE.md': '@AGENTS.md\n', 'docs/AGENTS.md': 'Be brief.\n' },
    ],
    ['a root file that is too large', { ...rules, 'AGENTS.md': '- Run the tests of the part.\n'.repeat(700) }],
    ['a root file that leads to another', { ...WORKSPACE, 'AGENTS.md': 'See CLAUDE.md.\n', 'CLAUDE.md': '# Rules\n' }],
  ])('writes what it showed after a yes, and changes no number: %s', async (_what, texts) => {
    const root = await tempFolder(texts);
    const before = await run(root, 'payload', '--expanded');
    const result = await world.run(['init'], { cwd: root, answer: 'Y' });
    expect(await readFile(path.join(root, FILE), 'utf8')).toBe(result.out);
    const after = await run(root, 'payload', '--expanded');
    expect(after).toMatchObject({ code: 0, err: '' });
    expect(after.out).toBe(before.out);
  });

  it('never touches an existing config', async () => {
    const root = await tempFolder({ ...WORKSPACE, [FILE]: 'mine' });
    const result = await run(root, 'init', '--yes');
    expect(result).toEqual({
      code: 1,
      out: '',
      err: `error: ${FILE} already exists and was not changed. Edit it, or move it first.\n`,
    });
    expect(await readFile(path.join(root, FILE), 'utf8')).toBe('mine');
  });

  it('does not write through a link out of the folder', async () => {
    const root = await tempFolder(WORKSPACE);
    const outside = await tempFolder();
    await symlink(outside, path.join(root, '.context-budget'));
    const { code, err } = await run(root, 'init', '--yes');
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('.context-budget is a link') });
    expect(existsSync(path.join(outside, 'config.json'))).toBe(false);
  });
});

describe('JSON', () => {
  it.each([
    ['stale', 'stale.v1', 'references,looked_up'],
    ['observe --summary Started', 'observe.v1', 'id'],
    ['cite --reply -', 'cite.v1', 'cited'],
    ['cite --transcripts claude-code', 'cite_transcripts.v1', 'turns,recorded'],
    ['simulate', 'simulate.v1', 'mode,profile,threshold,cycles,judged_cycles,results'],
    ['trust', 'trust.v1', 'folder,added'],
    ['trust --remove', 'trust.v1', 'folder,removed'],
    ['trust --list', 'trust_list.v1', 'trusted'],
    ['hooks install --agent codex', 'hooks.v1', 'files'],
  ])('of %s is one object that begins with %s', async (command, version, keys) => {
    const root = await tempFolder(WORKSPACE);
    const { out } = await world.run([...command.split(' '), '--json'], { cwd: root, input: 'Done.' });
    const value = JSON.parse(out);
    expect(value.version).toBe(version);
    expect(Object.keys(value)).toEqual(['version', ...keys.split(',')]);
  });

  it('of stale has the references that Git renamed', async () => {
    const root = await tempFolder({ 'AGENTS.md': 'Prices are in `src/old.ts`.\n', 'src/old.ts': 'export {};\n' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
    git('init', '-q');
    for (const [name, ...change] of [
      ['first', 'add', '.'],
      ['second', 'mv', 'src/old.ts', 'src/new.ts'],
    ] as const) {
      git(...change);
      git('commit', '-qm', name);
    }
    const { references } = JSON.parse((await run(root, 'stale', '--trust', '--json')).out);
    expect(references).toMatchObject([
      { path: 'AGENTS.md', line: 1, column_start: 16, kind: 'stale-path', replacement: 'src/new.ts' },
    ]);
    await mkdir(path.join(root, '.ai'));
    await writeFile(path.join(root, '.ai/rule.mdc'), 'See `src/old.ts`.\n');
    await mkdir(path.join(root, '.cursor'));
    await symlink('../.ai', path.join(root, '.cursor/rules'));
    const behindLink = JSON.parse((await run(root, 'stale', '--trust', '--json')).out).references;
    expect(behindLink.map((each: { path: string }) => each.path)).toEqual(['.cursor/rules/rule.mdc', 'AGENTS.md']);
    expect((await run(root, 'stale', '--trust', '--fail')).code).toBe(1);
    expect((await run(root, 'stale', '--trust', '--format', 'markdown')).out).toMatch(/^- AGENTS\.md:1: /m);
  });
});

describe('config', () => {
  it('that does nothing for a section is told by check alone', async () => {
    const root = await tempFolder({
      ...WORKSPACE,
      '.context-budget/config.json': '{ "version": 1, "pinned": ["gone"] }',
    });
    const told = 'pinned names "gone", but there is no such section';
    expect((await run(root, 'budget')).err).not.toContain(told);
    expect((await run(root, 'check')).out).toContain(told);
  });
});

describe('stale', () => {
  it('says once in a line of text what a link names twice; JSON has both places', async () => {
    const root = await tempFolder({ 'AGENTS.md': 'See [src/old.ts](src/old.ts).\n', 'src/old.ts': 'x' });
    git(root, 'init', '-q', '--template=');
    commit(root, 'first');
    rmSync(path.join(root, 'src/old.ts'));
    commit(root, 'second');
    expect((await run(root, 'stale', '--trust')).out).toMatch(/^AGENTS\.md:1: “src\/old\.ts” was deleted in .*\n$/);
    const { references } = JSON.parse((await run(root, 'stale', '--trust', '--json')).out);
    expect(references.map((each: { column_start: number }) => each.column_start)).toEqual([6, 18]);
  });

  const NO_TRUST = 'warning: No path was looked up: the folder is not trusted.';
  const NO_HISTORY = "warning: No path was looked up: Git's history could not be read.";

  it.each([
    ['without trust', 'AGENTS.md', [], false, NO_TRUST],
    ['without a repository', 'AGENTS.md', ['--trust'], false, NO_HISTORY],
    ['without instruction files', 'README.md', [], true, 'warning: This folder has no instruction files.'],
  ])('%s says that nothing was looked up, which --fail does not pass over', async (_, name, trust, isDone, told) => {
    const root = await tempFolder({ [name]: 'See `src/old.ts`.\n' });
    const { code, out, err } = await run(root, 'stale', '--verbose', ...trust);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain(told);
    expect(err).not.toContain('0 stale paths');
    const failing = await run(root, 'stale', '--fail', '--json', ...trust);
    expect(failing.code).toBe(isDone ? 0 : 4);
    expect(JSON.parse(failing.out)).toEqual({ version: 'stale.v1', references: [], looked_up: isDone });
  });

  it('a shallow clone without the commit that removed a path says that nothing was looked up', async () => {
    const origin = await tempFolder({ 'AGENTS.md': 'See `src/old.ts`.\n', 'src/old.ts': 'export {};\n', 'a.ts': '' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', origin, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
    git('init', '-q');
    for (const change of [
      ['add', '.'],
      ['rm', '-q', 'src/old.ts'],
      ['mv', 'a.ts', 'b.ts'],
    ]) {
      git(...change);
      git('commit', '-qm', 'change');
    }
    const folder = await tempFolder({});
    for (const [depth, code] of [
      ['1', 4],
      ['2', 0],
      ['3', 1],
    ] as const) {
      const clone = path.join(folder, depth);
      execFileSync('git', ['clone', '-q', '--depth', depth, pathToFileURL(origin).href, clone]);
      const result = await run(clone, 'stale', '--trust', '--fail');
      expect([depth, result.code]).toEqual([depth, code]);
      expect(result.err.includes('run git fetch --unshallow')).toBe(depth === '1');
    }
  });
});

describe('wrong usage', () => {
  it.each([
    ...['budget', 'report', 'agents', 'stale', 'simulate'].map((command) => [command, 'text, markdown, json']),
    ['check', 'text, markdown, json, sarif, github'],
  ])('XML is no form of %s, which is no payload', async (command = '', choices) => {
    const result = await run(await tempFolder(WORKSPACE), command, '--format', 'xml');
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain(`'xml' is invalid. Allowed choices are ${choices}.`);
  });

  it.each([
    ...['observe --summary Started', 'ingest', 'cite --reply -', 'cite --transcripts codex', 'init', 'trust'],
    ...['export --otlp', 'hooks install', 'hooks remove'],
  ])('%s has no form but text and JSON', async (command) => {
    const root = await tempFolder(WORKSPACE);
    for (const format of ['markdown', 'xml', 'sarif']) {
      const argv = [...command.split(' '), '--format', format];
      const result = await world.run(argv, { cwd: root, input: 'Done.' });
      expect(result).toMatchObject({ code: 2, out: '' });
      expect(result.err).toContain(`'${format}' is invalid. Allowed choices are text, json.`);
    }
    expect(existsSync(path.join(root, '.context-budget'))).toBe(false);
  });

  it.each([
    [['budgt'], "unknown command 'budgt'\n(Did you mean budget?)"],
    [['budget', '--formt', 'xml'], "unknown option '--formt'\n(Did you mean --format?)"],
    [['budget', '--format', 'yaml'], 'Allowed choices are text, markdown, xml, json'],
    [['budget', '--fail-over', 'many'], 'It must be a whole number of at least 1.'],
    [['map', '--budget', '0'], 'It must be a whole number of at least 1.'],
    [['budget', 'twice'], 'too many arguments'],
    [['payload', '--json', '--format', 'xml'], 'cannot be used with option'],
    [['payload', '--root', 'none'], 'The folder none does not exist.'],
    [['payload', '--root', 'AGENTS.md'], 'AGENTS.md is a file, not a folder.'],
  ])('%j exits with 2 and says why', async (argv, message) => {
    const result = await run(await tempFolder(WORKSPACE), ...argv);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain(message);
  });

  it('without a command shows the help on stderr', async () => {
    const result = await world.run([]);
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err).toContain('Usage: context-budget');
  });

  it.each([
    ['help foo', "error: unknown command 'foo'\n\nUsage: context-budget [options]"],
    ['help budgt', "error: unknown command 'budgt'\n(Did you mean budget?)\n\nUsage: context-budget [options]"],
    ['hooks', "error: 'hooks' needs a command: install or remove\n\nUsage: context-budget hooks"],
    ['hooks help foo', "error: unknown command 'foo'\n\nUsage: context-budget hooks"],
  ])('%s says what is wrong before the help', async (command, message) => {
    const result = await world.run(command.split(' '));
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(result.err.startsWith(message)).toBe(true);
  });

  it.each(['help', 'help budget', 'help hooks', 'hooks --help', 'hooks help'])('%s is no error', async (command) => {
    const result = await world.run(command.split(' '));
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/^Usage: context-budget/);
  });

  const COMMANDS =
    'budget payload index timeline detail map observe ingest cite report compact simulate optimize init hooks trust';

  it('lists its commands', async () => {
    const { out } = await world.run(['--help']);
    const listed = [...out.matchAll(/^ {2}([a-z]+) (?=.* {2})/gm)].map(([, name]) => name);
    for (const command of COMMANDS.split(' ')) expect(listed).toContain(command);
  });

  it.each(COMMANDS.split(' '))('%s --help has an example', async (command) => {
    const result = await world.run([command, '--help']);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(new RegExp(`Examples?:\n {2}.*context-budget ${command}\\b`));
    expect(result.out).toContain('--root <dir>');
  });

  it('prints its version', async () => {
    expect((await world.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('logs', () => {
  it('are silenced by --quiet but for errors', async () => {
    const root = await tempFolder({ ...WORKSPACE, ...config([PORTS]) });
    expect((await run(root, 'budget', '--quiet')).err).toBe('');
    const broken = await tempFolder({ '.context-budget/config.json': '{' });
    expect((await run(broken, 'budget', '--quiet')).err).toMatch(/^error: /);
  });

  it('tell of a damaged trust record, and nothing is run', async () => {
    const root = await tempFolder({ ...WORKSPACE, ...config([PORTS]) });
    await mkdir(world.config, { recursive: true });
    await writeFile(path.join(world.config, 'trusted-folders.json'), '{');
    const result = await run(root, 'budget');
    expect(result.err).toContain('is damaged, so no folder counts as trusted');
    expect(row(result, 'ports')[0]).toBe('not run');
  });
});
