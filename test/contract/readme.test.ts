import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
// @ts-expect-error: a file of the package without types
import { collect, readManifest } from '@vscode/vsce/out/package.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/tempFolder';
// @ts-expect-error: a script without types
import { FILES, renderTables, valuesOf } from '../tools/docs.mjs';
// @ts-expect-error: a script without types
import { renderNotices } from '../tools/notices.mjs';
// @ts-expect-error: a script without types
import { anchorsOf } from '../ui/extension/extensionPage.mjs';

const REPOSITORY = 'https://github.com/context-budget/context-budget';

const readme = readFileSync('README.md', 'utf8');

describe('README.md', () => {
  it.each<string>(FILES)('%s has the tables of the manifest', (file) => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const words = JSON.parse(readFileSync('package.nls.json', 'utf8'));
    const text = readFileSync(file, 'utf8');
    expect(text).toBe(renderTables(text, manifest, words));
  });

  it('has all three tables somewhere', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const all = (FILES as readonly string[]).map((file) => readFileSync(file, 'utf8')).join('');
    expect(all).toContain(`| \`${manifest.contributes.commands[0].command}\` |`);
    expect(all).toContain(`| \`${manifest.contributes.languageModelTools[0].name}\` |`);
    expect(readme).toContain('| `contextBudget.statusBar.warnAt` | `80` | number, 1 to 100 |');
  });

  it('says what each setting may hold: words, bounds or kind', () => {
    expect(valuesOf({ type: 'number', minimum: 1, maximum: 100 })).toBe('number, 1 to 100');
    expect(valuesOf({ type: 'string', enum: ['off', 'on'] })).toBe('`off`, `on`');
    expect(valuesOf({ type: 'array', items: { type: 'string', enum: ['a', 'b'] } })).toBe('any of `a`, `b`');
    expect(valuesOf({ type: 'boolean' })).toBe('`true`, `false`');
    expect(valuesOf({ type: 'string' })).toBe('string');
  });

  it('shows pictures, and the benefit before the commands', () => {
    expect(picturesOf(readme).length).toBeGreaterThan(0);
    expect(readme.indexOf('media/panel.png')).toBeLessThan(readme.indexOf('npm start'));
  });
});

/** Targets of the links and pictures of a Markdown text. */
function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function picturesOf(text: string): readonly string[] {
  return [...text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** The path of a link that leads into the repository, with its anchor; undefined for other sites. */
function repositoryPath(link: string): string | undefined {
  if (!/^\w+:/.test(link)) return link;
  return new RegExp(`^${REPOSITORY}/(?:blob|raw)/HEAD/(.+)$`).exec(link)?.[1];
}

/** Fails unless `link`, in the file `from`, leads to a committed file or folder, and to a heading of it. */
function expectAlive(link: string, from: string, tracked: ReadonlySet<string>): void {
  const inside = repositoryPath(link);
  if (inside === undefined) {
    expect(link).toMatch(/^https:\/\//);
    expect(link).not.toContain(REPOSITORY);
    return;
  }
  const [file = '', anchor] = inside.split('#');
  const target = file === '' ? from : file;
  expect(tracked, `${from}: ${link}`).toContain(target);
  if (anchor !== undefined) expect(anchorsOf(readFileSync(target, 'utf8')), `${from}: ${link}`).toContain(anchor);
}

let tracked: ReadonlySet<string> = new Set();

beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  const paths = new Set<string>();
  for (const file of files.filter((name) => existsSync(name)))
    for (let path = file; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) paths.add(path);
  tracked = paths;
});

describe('links of Markdown files', () => {
  it.each(['README.md', 'GUIDE.md', 'CONTRIBUTING.md'])('%s leads to files and headings that exist', (from) => {
    const links = linksOf(readFileSync(from, 'utf8'));
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expectAlive(link, from, tracked);
  });
});

interface PackagedFile {
  readonly path: string;
  readonly contents?: Buffer | string;
  readonly localPath?: string;
}

describe('the packaged extension page', () => {
  const pages = new Map<string, string>();
  let packaged: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    // In a folder with nothing beside the tracked files: vsce looks at every file of the test host.
    const folder = await tempFolder();
    for (const path of tracked)
      if (/^[^/]+$|^(?:media|l10n)\//.test(path) && statSync(path).isFile()) cpSync(path, join(folder, path));
    const { main, browser } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const entry of [main, browser].map(String)) {
      const file = join(folder, entry.endsWith('.js') ? entry : `${entry}.js`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    const files: readonly PackagedFile[] = await collect(await readManifest(folder), {
      cwd: folder,
      dependencies: false,
    });
    packaged = new Set(files.map(({ path }) => path));
    for (const { path, contents, localPath } of files)
      if (path.endsWith('.md')) pages.set(path, String(contents ?? readFileSync(localPath ?? '', 'utf8')));
  });

  it('is made with absolute links, as vsce rewrites them', () => {
    const { scripts, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(repository.url).toBe(`${REPOSITORY}.git`);
    expect(scripts['package:built']).toBe('node test/tools/vsix.mjs');
    expect(readFileSync('test/tools/vsix.mjs', 'utf8')).not.toMatch(/rewrite|allow-missing/);
  });

  it.each(['extension/readme.md', 'extension/changelog.md'])(
    '%s: every picture and link is absolute and alive',
    (page) => {
      const text = pages.get(page) ?? '';
      for (const picture of picturesOf(text)) expect(picture).toMatch(/^https:\/\//);
      for (const link of linksOf(text)) {
        if (!link.startsWith('#')) expect(link).toMatch(/^https:\/\//);
        expectAlive(link, page.endsWith('readme.md') ? 'README.md' : 'CHANGELOG.md', tracked);
      }
      expect(linksOf(text).length).toBeGreaterThan(0);
      expect(text).not.toContain('/issues/');
    },
  );

  it('every other packaged page links to absolute addresses or packaged files', () => {
    const others = [...pages].filter(([path]) => !/readme|changelog/.test(path));
    expect(others.map(([path]) => path)).toContain('extension/GUIDE.md');
    for (const [path, text] of others)
      for (const link of linksOf(text))
        if (!/^(?:https:\/\/|#)/.test(link)) expect(packaged, `${path}: ${link}`).toContain(`extension/${link}`);
  });
});

describe('CHANGELOG.md', () => {
  it('has one line of at most 20 words for each change', () => {
    const lines = readFileSync('CHANGELOG.md', 'utf8').split('\n');
    const entries = lines.filter((line) => line.startsWith('- '));
    expect(entries.length).toBeGreaterThan(50);
    expect(entries.filter((entry) => entry.slice(2).split(' ').length > 20)).toEqual([]);
    expect(lines.filter((line) => /^\s+\S/.test(line))).toEqual([]);
  });
});

describe('NOTICE.md', () => {
  it('has the licence of everything that is shipped', () => {
    expect(readFileSync('NOTICE.md', 'utf8')).toBe(renderNotices());
  });
});
