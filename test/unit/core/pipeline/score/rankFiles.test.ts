import { describe, expect, it } from 'vitest';
import type { FolderFile } from '../../../../../src/core/model/section';
import { ruleScope } from '../../../../../src/core/pipeline/collect/fileRules';
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

  it('reads Chinese without its function words, whose pairs are in every text', () => {
    const logs = [
      file('a.md', '- 之前的网关为什么没有日志，一个问题也没有记下来。我们应该怎么做？\n'),
      file('b.md', '- 网关只放行本机地址\n'),
      file('c.md', '- 为什么还是没有日志\n'),
      file('d.md', '- 之前的事情\n'),
    ];
    expect(rank(logs, '为什么之前放行的地址没有了？').paths[0]).toBe('b.md');
  });

  it('prefers the day whose one entry has all words to a long one that has them here and there', () => {
    const filler = '- Nothing to report about the weather today, as on any other day.\n'.repeat(8);
    const day = (...lines: readonly string[]) =>
      `# Day\n\n${lines.map((line) => `## Later\n\n${filler}- ${line}\n`).join('\n')}`;
    const some = [
      file('spread.md', day('the proxy', 'a certificate', 'the renewal')),
      file('together.md', day('none', 'the proxy lost its certificate at renewal', 'none')),
    ];
    expect(rank([...some, file('x.md')], 'proxy certificate renewal').paths[0]).toBe('together.md');
  });

  it.each([
    ['the answer is 502 again', 'code.md'],
    ['crash with 0xC0000409', 'hex.md'],
    ['go on with what was done on 2026-02-03', '2026-02-03.md'],
    ['继续 2026年2月3日 的工作', '2026-02-03.md'],
    ['2月3日的记录', '2026-02-03.md'],
  ])('matches numbers and days: %s', (task, path) => {
    const some = [
      file('code.md', '- The gateway answers 502.\n'),
      file('hex.md', '- bun ends with 0xc0000409\n'),
      file('2026-02-03.md', '- Tea.\n', { date: '2026-02-03' }),
      file('2026-02-04.md', '- Coffee, 5021 cups.\n', { date: '2026-02-04' }),
    ];
    const { paths, early } = rank(some, task);
    expect(paths[0]).toBe(path);
    expect(early).toBe(1);
  });

  it('counts a word whatever case and form it has, and not inside of another', () => {
    const some = ['ageing', 'Proxies', 'an HTTPProxy', 'İ proxying'].map((text, at) => file(`${at}.md`, `- ${text}\n`));
    expect(rank(some, 'the proxy').paths.toSorted()).toEqual(['0.md', '1.md', '2.md', '3.md']);
    expect(rank(some, 'the proxy').paths[3]).toBe('0.md');
    expect(rank([file('page.md', '- homepage\n'), file('x.md'), file('y.md'), file('z.md')], 'age').early).toBe(0);
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
  const rule = (path: string, ...frontmatter: string[]) => {
    const text = frontmatter.length === 0 ? 'Rules.\n' : ['---', ...frontmatter, '---', 'Rules.\n'].join('\n');
    return file(path, text, { scope: ruleScope(path, text) });
  };
  const mdc = (name: string, ...frontmatter: string[]) => rule(`.cursor/rules/${name}.mdc`, ...frontmatter);
  const rules = [
    rule('GEMINI.md'),
    mdc('all', 'globs: **/*'),
    rule('packages/CLAUDE.md'),
    rule('packages/app/CLAUDE.md'),
    rule('packages/other/CLAUDE.md'),
    mdc('ts', 'globs: *.ts'),
    mdc('py', 'globs: **/*.py'),
  ];
  const first = (focus: readonly string[], among = rules): readonly string[] => {
    const { paths, early } = rank(among, '', focus);
    return paths.slice(0, early);
  };

  it('puts rules whose scope holds a focus file first, the closest first', () => {
    const expected = ['packages/app/CLAUDE.md', 'packages/CLAUDE.md', '.cursor/rules/ts.mdc'];
    expect(first(['packages/app/src/a.ts'])).toEqual(expected);
  });

  it('says nothing of rules that hold everywhere, and holds no rule of a folder that only begins alike', () => {
    expect(first(['README.rst'])).toEqual([]);
    expect(first(['packages/app2/x.rs'], [rule('packages/app/CLAUDE.md')])).toEqual([]);
  });

  it('prefers the focus to the task', () => {
    const task = 'Rules for the other package';
    expect(rank(rules, task, ['packages/app/x.rs']).paths[0]).toBe('packages/app/CLAUDE.md');
  });

  it('reads frontmatter as agents do: it narrows rules, not the instruction file of a folder', () => {
    const narrow = ['globs: "*.ts,*.md"', 'alwaysApply: true'];
    expect(first(['sdk/x.py'], [rule('sdk/AGENTS.md', ...narrow)])).toEqual(['sdk/AGENTS.md']);
    expect(first(['sdk/x.py'], [rule('sdk/.cursor/rules/a.mdc', ...narrow)])).toHaveLength(1);
    expect(first(['sdk/x.py'], [rule('sdk/.cursor/rules/a.mdc', 'globs: "*.ts"')])).toEqual([]);
    expect(first(['sdk/x.py'], [mdc('a', ...narrow)])).toEqual([]);
    expect(first(['sdk/x.ts'], [mdc('a', ...narrow)])).toHaveLength(1);
    // Cline knows `paths` alone, Copilot `applyTo` alone.
    expect(first(['sdk/x.ts'], [rule('.clinerules/a.md', 'globs: *.ts')])).toEqual([]);
    expect(first(['sdk/x.ts'], [rule('.clinerules/a.md', 'paths: ["sdk/**"]')])).toHaveLength(1);
    expect(first(['sdk/x.ts'], [rule('.github/instructions/a.instructions.md', 'applyTo: sdk/**')])).toHaveLength(1);
  });

  it('takes the folder that a pattern names for the scope', () => {
    const named = [rule('web/AGENTS.md'), mdc('web', 'globs: web/src/**/*.ts'), mdc('all', 'globs: web/**')];
    const expected = ['.cursor/rules/web.mdc', 'web/AGENTS.md', '.cursor/rules/all.mdc'];
    expect(first(['web/src/ui/a.ts'], named)).toEqual(expected);
  });

  it('takes a pattern that is written from the top of the repository as one from there', () => {
    const fromTop = rule('web/.cursor/rules/top.mdc', 'globs: web/src/ui/**');
    expect(first(['web/src/ui/a.ts'], [rule('web/src/AGENTS.md'), fromTop])[0]).toBe('web/.cursor/rules/top.mdc');
  });

  it('has the closest rules of several files', () => {
    const both = ['packages/app/a.rs', 'packages/other/b.rs'];
    expect(first(both)).toEqual(['packages/app/CLAUDE.md', 'packages/other/CLAUDE.md', 'packages/CLAUDE.md']);
  });

  it('puts what holds a whole folder in focus before what lies inside of it, there the widest first', () => {
    const deep = ['a/AGENTS.md', 'a/b/AGENTS.md', 'a/b/c/AGENTS.md', 'a/b/c/d/AGENTS.md'].map((path) => rule(path));
    const files = ['a/b/x.ts', 'a/b/c/d/x.ts', 'a/b/c/x.ts'];
    expect(first(['a/b/', ...files], deep)).toEqual(['a/b/AGENTS.md', 'a/AGENTS.md', 'a/b/c/AGENTS.md']);
    // Of folders in each other the innermost counts.
    for (const folders of [
      ['a/', 'a/b/'],
      ['a/b/', 'a/'],
    ]) {
      expect(first([...folders, ...files], deep)).toEqual(['a/b/AGENTS.md', 'a/AGENTS.md', 'a/b/c/AGENTS.md']);
    }
    expect(first(files, deep)).toEqual(['a/b/c/d/AGENTS.md', 'a/b/c/AGENTS.md', 'a/b/AGENTS.md']);
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
