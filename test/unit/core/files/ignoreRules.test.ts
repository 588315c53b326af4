import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { IgnoreFile } from '../../../../src/core/files/ignoreFile';
import { IgnoreRules } from '../../../../src/core/files/ignoreRules';
import { walkFiles } from '../../../../src/core/files/walk';
import { openFileSource } from '../../../../src/node/fileSource';
import { IS_LONG } from '../../../support/extent.mjs';
import { MemoryFiles } from '../../../support/memoryFiles';

/** Small and seeded, so that a failing tree can be made again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const TREES = IS_LONG ? 24 : 8;
const NAMES = ['a', 'b', 'build', 'src', 'a b', 'x[1]', 'log'];
const FILES = ['a.ts', 'b.log', 'keep.log', '#hash', '!bang', 'build', 'c .md'].concat([
  'R2.md',
  ']x',
  '-y',
  'xx[1]',
  'aaab',
  'trailing ',
  'trailing',
  'carriage.md',
  'lone',
  '9',
]);
/** Each pattern is here for one rule of gitignore(5): anchors, depth, folders only, negation, classes, escapes. */
const PATTERNS = [
  '*.log',
  '!keep.log',
  '/a.ts',
  'build',
  'build/',
  '!build/',
  '/build',
  'a/**',
  '!a/b/',
  '**/src/*.ts',
  'src/**/b.log',
  '!src/',
  '*',
  '!*/',
  '!*.ts',
  '\\#hash',
  '\\!bang',
  'x\\[1\\]/',
  'x[[]1]',
  'a b/',
  'c\\ .md',
  '[ab]/*.md',
  '# a comment',
  'a/b',
  '/*/log',
  '!log/',
  '?.ts',
  '[!a].ts',
  '[^[:alpha:]]*',
  '[[:upper:][:digit:]]*.md',
  '[[:nothing:]]*',
  '[]-]*',
  '[!]a-]*',
  '[z-a]*',
  '[a\\]]*',
  '[ab',
  'a[/]b',
  '*[x]*[[]*',
  'k**.log',
  'a/***/b.log',
  'src/**/',
  '/**',
  '!/**/keep.log',
  '**',
  '!**/',
  'trailing\\ ',
  'trailing   ',
  'tab\t',
  'carriage.md\r',
  '!',
  '/',
  '//',
  'a//b',
  'lone\\',
  'a\\/b/',
  '*a*a*b*',
];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}, 60_000);

function makeTree(seed: number): { readonly root: string; readonly files: readonly string[] } {
  const next = random(seed);
  const root = mkdtempSync(path.join(tmpdir(), 'cb-ignore-'));
  folders.push(root);
  const files: string[] = [];
  const rules = () => Array.from({ length: 1 + next(5) }, () => PATTERNS[next(PATTERNS.length)]).join('\n');
  const fill = (folder: string, depth: number): void => {
    mkdirSync(path.join(root, folder), { recursive: true });
    const add = (name: string, text: string) => {
      const file = folder === '' ? name : `${folder}/${name}`;
      writeFileSync(path.join(root, file), text);
      files.push(file);
    };
    if (next(2) === 0) add('.gitignore', rules());
    const own = FILES.filter(() => next(2) === 0);
    for (const name of own) add(name, '');
    if (depth === 0) return;
    for (const name of NAMES.filter((each) => !own.includes(each) && next(2) === 0)) {
      fill(folder === '' ? name : `${folder}/${name}`, depth - 1);
    }
  };
  fill('', 3);
  execFileSync('git', ['init', '-q'], { cwd: root });
  writeFileSync(path.join(root, '.git/info/exclude'), rules());
  return { root, files };
}

/** `git check-ignore --no-index`: git's own verdict, one path each. Exit code 1 means that none is ignored. */
function ignoredByGit(root: string, files: readonly string[]): ReadonlySet<string> {
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  const input = files.join('\0');
  try {
    const args = ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '-z', '--stdin'];
    return new Set(execFileSync('git', args, { cwd: root, input, encoding: 'utf8', stdio }).split('\0'));
  } catch (error) {
    if ((error as { status?: number }).status === 1) return new Set();
    throw error;
  }
}

describe('against git itself', () => {
  test('the walk lists what `git check-ignore` does not name, on generated trees', async () => {
    let ignored = 0;
    for (let seed = 1; seed <= TREES; seed++) {
      const { root, files } = makeTree(seed);
      const byGit = ignoredByGit(root, files);
      ignored += byGit.size;
      const result = await walkFiles((await openFileSource(root)).files);
      expect({ seed, files: result.files }).toEqual({ seed, files: files.filter((file) => !byGit.has(file)).sort() });
      for (const file of files)
        expect({ seed, file, is: result.rules.isIgnored(file) }).toEqual({ seed, file, is: byGit.has(file) });
    }
    expect(ignored).toBeGreaterThan(TREES * 12);
  });
});

describe('against git itself, a line at a time', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'cb-ignore-'));
  folders.push(root);
  execFileSync('git', ['init', '-q'], { cwd: root });
  const names = [...NAMES, ...FILES, 'A', 'Z9.md', '[', '-', 'tab\t', 'b/c'];
  const paths = names.flatMap((name) => [name, `a/${name}`, `src/b/${name}`, `${name}/x/b.log`, `${name}/9`]);

  test.each(PATTERNS)('%j', (pattern) => {
    writeFileSync(path.join(root, '.git/info/exclude'), `*q\n${pattern}\n`);
    const byGit = ignoredByGit(root, paths);
    const rules = new IgnoreRules();
    rules.setExclude(`*q\n${pattern}\n`);
    expect(paths.filter((file) => rules.isIgnored(file))).toEqual(paths.filter((file) => byGit.has(file)));
  });
});

describe('thousands of patterns', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `name${at}.log`);

  test('without wildcards, and by ending, cost as little as one', () => {
    const meter = { steps: 0 };
    const lines = names.flatMap((name) => [name, `/a/${name}`, `*.${name}`, `!b/${name}`]);
    const file = new IgnoreFile(lines.join('\n'));
    const judge = (of: string) => file.judge(of, false, meter, Number.POSITIVE_INFINITY);
    expect(['x/name7.log', 'a/name8.log', 'x.name9.log', 'b/name4999.log', 'other'].map(judge)).toEqual([
      'ignored',
      'ignored',
      'ignored',
      'kept',
      undefined,
    ]);
    expect(meter.steps).toBeLessThan(100);
  });

  test('with wildcards have a budget: what they cannot be asked about is left out, and counted', async () => {
    const nodes = Object.fromEntries(names.slice(0, 100).map((name) => [name, '']));
    const wild = names.map((name) => `*a*${name}*`).join('\n');
    const files = new MemoryFiles({ ...nodes, '.gitignore': `name5.log\n${wild}`, 'sub/a.ts': '' });
    const { files: found, problems } = await walkFiles(files, { maxSteps: 1_000_000 });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(100);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The ignore files have too many patterns for .*: \d+ files and folders are left out\.$/),
    ]);
  });

  test('after a walk have a budget for each path, not for all of them', async () => {
    const files = new MemoryFiles({ '.gitignore': names.map((name) => `*a*${name}*`).join('\n'), 'b.ts': '' });
    const { rules, problems } = await walkFiles(files);
    expect(problems).toEqual([]);
    for (let times = 0; times < 20; times++) expect(rules.isIgnored('b.ts')).toBe(false);
  });

  // The `ignore` library's expressions took minutes for each of these.
  test.each([
    [`${'*a'.repeat(40)}*b`, 'a'.repeat(255)],
    [`${'**/a/'.repeat(40)}b`, `${'a/'.repeat(1500)}a`],
    [`${'*a*a/'.repeat(10)}*b`, `${`${'a'.repeat(200)}/`.repeat(10)}a`],
  ])('%s ends', (pattern, file) => {
    const rules = new IgnoreRules();
    rules.setFolder('', pattern);
    expect(rules.isIgnored(file)).toBe(false);
  });

  test('in too many files are not applied from some file on, which is told, and not for each', async () => {
    const large = `${'x'.repeat(99)}\n`.repeat(7_000);
    const nodes = Object.fromEntries(
      Array.from({ length: 80 }, (_, at) => [`f${at}/.gitignore`, at < 3 ? large : 'x']),
    );
    const { problems } = await walkFiles(new MemoryFiles(nodes));
    expect(problems.length).toBeLessThan(60);
    expect(problems[0]?.message).toContain('The ignore files together are too large');
    expect(problems.at(-1)?.message).toMatch(/^\d+ more folders or ignore files could not be read\.$/);
  });
});

describe('IgnoreRules', () => {
  test('a changed .gitignore counts from then on', () => {
    const rules = new IgnoreRules();
    expect(rules.isIgnored('a/b.log')).toBe(false);
    rules.setFolder('a', '*.log');
    expect(rules.isIgnored('a/b.log')).toBe(true);
    rules.setFolder('a', '');
    expect(rules.isIgnored('a/b.log')).toBe(false);
    rules.setExclude('b.*');
    expect(rules.isIgnored('a/b.log')).toBe(true);
  });

  test('case counts', () => {
    const rules = new IgnoreRules();
    rules.setFolder('', 'Build/');
    expect(rules.isIgnored('build/a')).toBe(false);
    expect(rules.isIgnored('Build/a')).toBe(true);
  });

  test('a pattern for folders leaves files of that name alone', () => {
    const rules = new IgnoreRules();
    rules.setFolder('', 'out/');
    expect(rules.isIgnored('out')).toBe(false);
    expect(rules.isIgnored('out', true)).toBe(true);
  });
});
