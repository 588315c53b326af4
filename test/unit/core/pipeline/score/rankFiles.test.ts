import { describe, expect, it } from 'vitest';
import type { FolderFile } from '../../../../../src/core/model/section';
import { routeSection } from '../../../../../src/core/pipeline/route/route';
import { rankFiles } from '../../../../../src/core/pipeline/score/rankFiles';
import { scoreSections } from '../../../../../src/core/pipeline/score/score';
import { section } from '../../../../support/sectionBuilder';

function file(path: string, text = 'Nothing of note.\n', over: Partial<FolderFile> = {}): FolderFile {
  const key = path.replace(/\.\w+$/, '');
  return { path, key, title: key, date: undefined, text, keywords: [], ...over };
}

function rank(files: readonly FolderFile[], task = '', focusPaths: readonly string[] = []) {
  const { files: ranked, early } = rankFiles(files, { task, focusPaths });
  return { paths: ranked.map(({ path }) => path), early };
}

describe('rankFiles without a task', () => {
  it('puts the newest first, of one day the latest, and what has no date last by path', () => {
    const files = [
      file('zebra.md'),
      file('alpha.md'),
      file('2026-02-03T0900.md', '', { date: '2026-02-03' }),
      file('2026-02-03T1800.md', '', { date: '2026-02-03' }),
      file('topic.md', '', { date: '2026-02-04' }),
    ];
    expect(rank(files)).toEqual({
      paths: ['topic.md', '2026-02-03T1800.md', '2026-02-03T0900.md', 'alpha.md', 'zebra.md'],
      early: 0,
    });
    expect(rank([])).toEqual({ paths: [], early: 0 });
  });
});

describe('rankFiles for a task', () => {
  const files = [
    file('cron.md', '- The nightly job runs at five.\n'),
    file('proxy.md', '- localhost needs no proxy: `NO_PROXY` is set.\n'),
    file('release.md', '- Tag, then publish.\n'),
    file('notes.md', '- 数据库迁移前先备份\n', { title: '数据库' }),
    file('misc.md', '- The job list is long. Proxy, tag, cron, publish, 备份: see elsewhere.\n'.repeat(4)),
  ];

  it.each([
    ['The nightly job does not run', 'cron.md'],
    ['why does the request to localhost go through the proxies', 'proxy.md'],
    ['数据库怎么迁移', 'notes.md'],
    ['noProxy is not read', 'proxy.md'],
    ['publishing a tag fails', 'release.md'],
    ['look into release.md again', 'release.md'],
  ])('%s', (task, path) => {
    expect(rank(files, task).paths[0]).toBe(path);
    expect(rank(files, task).early).toBeGreaterThan(0);
  });

  it('finds a file by a keyword of its frontmatter, whatever its text says', () => {
    const named = file('x.md', 'Short.\n', { keywords: ['web scraping'] });
    expect(rank([...files, named], 'web scraping stopped working').paths[0]).toBe('x.md');
  });

  it('grants at most three early, and none that matches far less than the best', () => {
    const same = Array.from({ length: 4 }, (_, at) => file(`a${at}.md`, '- proxy proxy proxy\n'));
    expect(rank([...same, ...files.slice(2, 4), file('x.md'), file('y.md')], 'the proxy').early).toBe(3);
    const far = rank(files, 'nightly job at five');
    expect(far).toMatchObject({ early: 1, paths: ['cron.md', 'misc.md', 'notes.md', 'proxy.md', 'release.md'] });
  });

  it('grants none early for words that no file has, and orders by date then', () => {
    const dated = files.map((each, at) => ({ ...each, date: `2026-02-0${at + 1}` }));
    expect(rank(dated, 'kubernetes ingress')).toMatchObject({
      early: 0,
      paths: dated.map(({ path }) => path).reverse(),
    });
  });
});

describe('rankFiles with a focus', () => {
  const rule = (path: string, folder: string, ...globs: string[]) =>
    file(path, 'Rules.\n', { scope: { folder, globs } });
  const rules = [
    rule('GEMINI.md', ''),
    rule('always.mdc', '', '**/*'),
    rule('packages/CLAUDE.md', 'packages'),
    rule('packages/app/CLAUDE.md', 'packages/app'),
    rule('packages/other/CLAUDE.md', 'packages/other'),
    rule('ts.mdc', '', '*.ts'),
    rule('py.mdc', '', '**/*.py'),
  ];

  it('puts rules whose scope holds a focus file first, the closest first', () => {
    const { paths, early } = rank(rules, '', ['packages/app/src/a.ts']);
    expect(paths.slice(0, 3)).toEqual(['packages/app/CLAUDE.md', 'packages/CLAUDE.md', 'ts.mdc']);
    expect(early).toBe(3);
  });

  it('says nothing of rules that hold everywhere, and holds no rule of a folder that only begins alike', () => {
    expect(rank(rules, '', ['README.rst']).early).toBe(0);
    expect(rank([rule('a/CLAUDE.md', 'packages/app')], '', ['packages/app2/x.ts']).early).toBe(0);
  });

  it('prefers the focus to the task', () => {
    const task = 'Rules for the other package';
    expect(rank(rules, task, ['packages/app/x.rs']).paths[0]).toBe('packages/app/CLAUDE.md');
  });
});

describe('scoreSections', () => {
  const folder = (id: string, files: readonly FolderFile[], over = {}) =>
    routeSection(section(id, '', { body: { kind: 'folder', files, leftOut: 0 }, ...over }));
  const two = [file('a/x.md', '- proxy\n'), file('a/y.md', '- tea\n')];
  const others = [file('b/p.md', '- proxy proxy\n'), file('b/q.md'), file('b/r.md'), file('b/s.md')];

  it('ranks the files of all folders together, and says how many of each are granted early', () => {
    const scored = scoreSections([folder('a', two), folder('b', others)], { query: 'proxy' });
    expect(scored.map(({ early }) => early)).toEqual([1, 1]);
    expect(scored.map(({ section: { body } }) => body.kind === 'folder' && body.files[0]?.path)).toEqual([
      'a/x.md',
      'b/p.md',
    ]);
  });

  it('grants nothing early of a folder that is excluded or on demand', () => {
    const over = [{ isExcluded: true }, { onDemand: true }];
    for (const each of over) {
      const [scored] = scoreSections([folder('a', two, each)], { query: 'proxy' });
      expect(scored?.early).toBeUndefined();
      expect(scored?.section.body).toMatchObject({ files: [{ path: 'a/x.md' }, { path: 'a/y.md' }] });
    }
  });
});
