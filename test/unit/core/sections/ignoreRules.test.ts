import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { IgnoreRules } from '../../../../src/core/sections/ignoreRules';
import { walkFiles } from '../../../../src/core/sections/walk';
import { openFileSource } from '../../../../src/node/fileSource';

/** Small and seeded, so that a failing tree can be made again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = ['a', 'b', 'build', 'src', 'a b', 'x[1]', 'log'];
const FILES = ['a.ts', 'b.log', 'keep.log', '#hash', '!bang', 'build', 'c .md'];
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
];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

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
  test('the walk lists what `git check-ignore` does not name, on 24 generated trees', async () => {
    let ignored = 0;
    for (let seed = 1; seed <= 24; seed++) {
      const { root, files } = makeTree(seed);
      const byGit = ignoredByGit(root, files);
      ignored += byGit.size;
      const result = await walkFiles((await openFileSource(root)).files);
      expect({ seed, files: result.files }).toEqual({ seed, files: files.filter((file) => !byGit.has(file)).sort() });
      for (const file of files)
        expect({ seed, file, is: result.rules.isIgnored(file) }).toEqual({ seed, file, is: byGit.has(file) });
    }
    expect(ignored).toBeGreaterThan(300);
  }, 60_000);
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

  test('case counts unless the file system folds it', () => {
    const [exact, folding] = [new IgnoreRules(), new IgnoreRules(true)];
    for (const rules of [exact, folding]) rules.setFolder('', 'Build/');
    expect(exact.isIgnored('build/a')).toBe(false);
    expect(folding.isIgnored('build/a')).toBe(true);
  });

  test('a pattern for folders leaves files of that name alone', () => {
    const rules = new IgnoreRules();
    rules.setFolder('', 'out/');
    expect(rules.isIgnored('out')).toBe(false);
    expect(rules.isIgnored('out', true)).toBe(true);
  });
});
