/** `map --changed` against repositories made by git itself: roles, reasons, the JSON contract (DESIGN §5.6), errors. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDiff } from '../../../src/core/pipeline/collect/gitChanges';
import { changeRequest } from '../../../src/core/pipeline/collect/gitQuestions';
import { NodeProcessRunner } from '../../../src/node/process/processRunner';
import { type CliResult, CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';
import { commit, git } from '../node/git/gitWorld';

const FILES = {
  'src/config.ts': [
    'export function parseConfig(text: string): string {',
    '  return text;',
    '}',
    '',
    'export function oldName(): number {',
    '  return 1;',
    '}',
    '',
    'export function untouched(): number {',
    '  return 2;',
    '}',
    '',
  ].join('\n'),
  'src/app.ts': [
    "import { oldName, parseConfig } from './config';",
    '',
    'export function start(): string {',
    "  return parseConfig('a');",
    '}',
    '',
    'export function count(): number {',
    '  return oldName();',
    '}',
    '',
  ].join('\n'),
  'src/other.ts': 'export function idle(): void {}\n',
  'test/config.test.ts': "import { parseConfig } from '../src/config';\nit('parses', () => parseConfig('a'));\n",
};

const run = async (cwd: string, argv: readonly string[]): Promise<CliResult> =>
  (await CliWorld.create()).run(argv, { cwd });

interface JsonSymbol {
  readonly name: string;
  readonly role?: string;
  readonly why?: readonly string[];
}

interface JsonMap {
  readonly repo_map: {
    readonly items: readonly {
      readonly path: string;
      readonly role?: string;
      readonly why?: readonly string[];
      readonly symbols: readonly JsonSymbol[];
    }[];
  };
  readonly notes: readonly string[];
}

let made: string;

beforeAll(async () => {
  made = mkdtempSync(path.join(tmpdir(), 'context-budget-test-'));
  cpSync(await tempFolder(FILES), made, { recursive: true });
  git(made, 'init', '-q', '--template=');
  commit(made, 'first');
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** A copy of the files in a repository with one commit. */
async function world(): Promise<string> {
  const at = await tempFolder();
  cpSync(made, at, { recursive: true, preserveTimestamps: true });
  return at;
}

function edit(at: string, name: string, from: string, to: string): void {
  const text = (FILES as Readonly<Record<string, string>>)[name] ?? '';
  mkdirSync(path.dirname(path.join(at, name)), { recursive: true });
  writeFileSync(path.join(at, name), text === '' ? to : text.replace(from, to));
}

async function changedMap(at: string, ...more: readonly string[]): Promise<JsonMap> {
  const { out, err, code } = await run(at, ['map', '--changed', '--trust', '--json', ...more]);
  expect(code, err).toBe(0);
  return JSON.parse(out) as JsonMap;
}

describe('map --changed', () => {
  it('lists what changed, then callers and tests, each with its role and why', async () => {
    const at = await world();
    git(at, 'checkout', '-q', '-b', 'work');
    edit(at, 'src/config.ts', '  return text;', '  return text.trim();');
    const { repo_map, notes } = await changedMap(at);
    expect(repo_map.items).toMatchObject([
      {
        path: 'src/config.ts',
        symbols: [{ name: 'parseConfig', role: 'changed', why: ['changed +1 -1'] }],
      },
      {
        path: 'src/app.ts',
        symbols: [{ name: 'start', role: 'caller', why: ['calls parseConfig (changed)', 'imports src/config.ts'] }],
      },
      { path: 'test/config.test.ts', role: 'test', why: ['test of parseConfig', 'imports src/config.ts'], symbols: [] },
    ]);
    expect(repo_map.items.flatMap(({ symbols }) => symbols)).toHaveLength(2);
    expect(notes.join()).toContain('changed since main (merge base ');
  });

  it('gives the callers of each changed name a turn', async () => {
    const at = await world();
    for (const name of ['c1', 'c2', 'c3'])
      edit(at, `src/${name}.ts`, '', `import { oldName } from './config';\nexport const ${name} = () => oldName();\n`);
    edit(at, 'src/d1.ts', '', "import { untouched } from './config';\nexport const d1 = () => untouched();\n");
    rmSync(path.join(at, 'src/app.ts'));
    commit(at, 'callers');
    git(at, 'checkout', '-q', '-b', 'work');
    writeFileSync(
      path.join(at, 'src/config.ts'),
      FILES['src/config.ts'].replace('return 1', 'return 3').replace('return 2', 'return 4'),
    );
    const { items } = (await changedMap(at)).repo_map;
    const callers = items.filter(({ symbols }) => symbols.some(({ role }) => role === 'caller'));
    expect(callers.map((file) => file.path)).toEqual(['src/c1.ts', 'src/d1.ts', 'src/c2.ts', 'src/c3.ts']);
  });

  it('names a deleted definition where its callers remain', async () => {
    const at = await world();
    edit(at, 'src/config.ts', 'export function oldName(): number {\n  return 1;\n}\n\n', '');
    const { repo_map } = await changedMap(at);
    const symbols = repo_map.items.flatMap((file) => file.symbols);
    expect(symbols).toMatchObject([
      { name: 'count', role: 'caller', why: ['calls oldName (deleted from src/config.ts)', 'imports src/config.ts'] },
    ]);
    rmSync(path.join(at, 'src/config.ts'));
    const { items } = (await changedMap(at)).repo_map;
    const gone = items.flatMap((file) => file.symbols);
    expect(items[0]).toMatchObject({ path: 'src/config.ts', role: 'changed', why: ['deleted'], symbols: [] });
    expect(gone.map(({ name, role }) => [name, role])).toEqual([
      ['start', 'caller'],
      ['count', 'caller'],
    ]);
  });

  it.each(['deleted', 'deleted in the index, and there again'])(
    'names a file that no other mentions: %s',
    async (how) => {
      const at = await world();
      git(at, 'rm', '-q', '--cached', 'src/other.ts');
      if (how === 'deleted') rmSync(path.join(at, 'src/other.ts'));
      const { out } = await run(at, ['map', '--changed', '--trust']);
      expect(out).toBe(
        how === 'deleted'
          ? 'src/other.ts\n  (file) | deleted\n'
          : 'src/other.ts\n  1 export function idle(): void | new\n',
      );
    },
  );

  it('counts deleted files alike at every budget', async () => {
    const at = await world();
    for (let n = 0; n < 60; n++) edit(at, `gen/g${n}.ts`, '', `export const g${n} = ${n};\n`);
    git(at, 'add', '.');
    git(at, 'commit', '-qm', 'generated');
    const totals = async (): Promise<readonly number[]> => {
      const shown = await Promise.all(
        ['100', '5000'].map((budget) => run(at, ['map', '--changed', 'HEAD', '--trust', '--json', '--budget', budget])),
      );
      return shown.map(({ out }) => JSON.parse(out).repo_map.files_total);
    };
    rmSync(path.join(at, 'gen'), { recursive: true });
    const [small, large] = await totals();
    expect(small).toBe(large);
    expect(large).toBeGreaterThanOrEqual(60);
  });

  it('names no deleted file that the config keeps out of the map', async () => {
    const at = await world();
    edit(at, '.context-budget/config.json', '', '{ "version": 1, "repo_map": { "exclude": ["src/o*.ts"] } }');
    for (const name of ['src/other.ts', 'src/app.ts']) rmSync(path.join(at, name));
    const { items } = (await changedMap(at)).repo_map;
    expect(items.map((file) => file.path)).toEqual(['.context-budget/config.json', 'src/app.ts']);
  });

  it('takes a new file as changed from top to bottom, and a rename as itself', async () => {
    const at = await world();
    edit(at, 'src/new.ts', '', 'export function fresh(): void {}\n');
    git(at, 'mv', 'src/other.ts', 'src/moved.ts');
    const { items } = (await changedMap(at)).repo_map;
    expect(items).toMatchObject([
      { path: 'src/new.ts', symbols: [{ name: 'fresh', role: 'changed', why: ['new'] }] },
      { path: 'src/moved.ts', role: 'changed', why: ['renamed from src/other.ts'], symbols: [] },
    ]);
  });

  it('prints a reason on each row, and says when nothing changed', async () => {
    const at = await world();
    const idle = await run(at, ['map', '--changed', '--trust']);
    expect([idle.code, idle.out]).toEqual([0, '']);
    expect(idle.err).toContain('Nothing changed since main (merge base ');
    edit(at, 'src/config.ts', '  return 2;', '  return 3;');
    const { out } = await run(at, ['map', '--changed', 'HEAD', '--trust']);
    expect(out).toBe(
      'src/config.ts\n  9 export function untouched(): number | changed +1 -1\n' +
        'test/config.test.ts\n  (file) | test of src/config.ts\n',
    );
  });

  it('refuses without trust, with a task, and for a base that is none', async () => {
    const at = await world();
    const plain = await run(at, ['map', '--changed']);
    expect([plain.code, plain.out]).toEqual([1, '']);
    expect(plain.err).toContain('only read in trusted folders');
    expect(plain.err).toContain('pass --trust on the command line');
    const both = await run(at, ['map', '--changed', '--query', 'a', '--trust']);
    expect(both.code).toBe(2);
    const odd = await run(at, ['map', '--changed=--output=x', '--trust']);
    expect([odd.code, odd.out]).toEqual([1, '']);
    expect(odd.err).toContain('is no name of a branch or commit');
  });
});

it('leaves out files that were touched but are as they were, also binary ones', async () => {
  const root = await tempFolder({ 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'export const b = 1;\n' });
  const bytes = (last: number) => Uint8Array.from([0, 1, 2, last]);
  writeFileSync(path.join(root, 'same.bin'), bytes(3));
  writeFileSync(path.join(root, 'other.bin'), bytes(3));
  git(root, 'init', '-q', '-b', 'main', '--template=');
  commit(root, 'first');
  writeFileSync(path.join(root, 'src/b.ts'), 'export const b = 2;\n');
  writeFileSync(path.join(root, 'other.bin'), bytes(4));
  for (const file of ['src/a.ts', 'same.bin']) utimesSync(path.join(root, file), 1e9, 1e9);
  const { out } = await run(root, ['map', '--changed', '--trust', '--json']);
  expect(out).toContain('src/b.ts');
  expect(out).not.toContain('src/a.ts');
  expect(out).not.toContain('same.bin');
  const { stdout } = await new NodeProcessRunner(root).run(changeRequest('diff', 'HEAD'));
  expect(parseDiff(stdout).map(({ path: file, kind }) => [file, kind])).toEqual([
    ['other.bin', 'changed'],
    ['src/b.ts', 'changed'],
  ]);
});
