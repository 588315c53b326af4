import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIG, parseConfig } from '../../../../../src/core/config/config';
import { editConfig } from '../../../../../src/core/config/configEdit';
import { starterConfig } from '../../../../../src/core/config/starterConfig';
import type { AgentId } from '../../../../../src/core/model/agent';
import type { SectionDefinition } from '../../../../../src/core/model/section';
import { discoverSections } from '../../../../../src/core/pipeline/collect/discover';
import { resolveSections } from '../../../../../src/core/pipeline/collect/resolveSections';
import { CHINESE, englishIn, inChinese } from '../../../../support/chinese';

const rows = (definitions: readonly SectionDefinition[]) =>
  definitions.map(({ id, priority, source, keepRecent }) => {
    const from =
      source.kind === 'file'
        ? source.path
        : source.kind === 'files'
          ? (source.paths?.join(', ') ?? source.pattern)
          : source.kind;
    return [priority, id, from, ...(keepRecent === undefined ? [] : [keepRecent])].join(' ');
  });
const discover = (...files: string[]) => rows(discoverSections(files).definitions);

const CLI = { hasEditor: false, hasProcesses: true };
const EDITOR = { hasEditor: true, hasProcesses: true };

function config(sections: string) {
  const { config: parsed, problems } = parseConfig(`{ "sections": [${sections}] }`);
  expect(problems).toEqual([]);
  return parsed!;
}

describe('discoverSections', () => {
  test('finds every kind of context file, with readable ids and default priorities', () => {
    expect(
      discover(
        'AGENTS.md',
        'CLAUDE.md',
        'GEMINI.md',
        'packages/auth/AGENTS.md',
        'packages/auth/.cursor/rules/db.mdc',
        '.github/copilot-instructions.md',
        '.github/instructions/tests.instructions.md',
        '.github/instructions/web/css.md',
        '.cursor/rules/style.mdc',
        '.cursorrules',
        '.windsurfrules',
        'docs/.clinerules',
        '.clinerules/01-coding.md',
        'MEMORY.md',
        'memory/SOUL.md',
        'memory/HEARTBEAT.md',
        'memory/people.md',
        'memory/2026-02-03.md',
        'memory/2026-02-04.md',
        'memory/topics/auth.md',
        'memory/topics/deep/db.txt',
        'PROGRESS.md',
        'SUMMARY.md',
        'runs/1/out.json',
        'runs/2.json',
      ),
    ).toEqual([
      'P0 agents-md AGENTS.md',
      'P0 heartbeat memory/HEARTBEAT.md',
      'P1 claude-md CLAUDE.md',
      'P1 clinerules-01-coding .clinerules/01-coding.md',
      'P1 copilot-instructions .github/copilot-instructions.md',
      'P1 cursor-rules-style .cursor/rules/style.mdc',
      'P1 cursorrules .cursorrules',
      'P1 gemini-md GEMINI.md',
      'P1 instructions-tests .github/instructions/tests.instructions.md',
      'P1 memory MEMORY.md',
      'P1 soul memory/SOUL.md',
      'P1 windsurfrules .windsurfrules',
      'P3 progress PROGRESS.md',
      'P3 rules .cursorrules, .windsurfrules, AGENTS.md, CLAUDE.md, GEMINI.md, .clinerules/01-coding.md, .github/copilot-instructions.md, .cursor/rules/style.mdc, .github/instructions/tests.instructions.md, .github/instructions/web/css.md, docs/.clinerules, packages/auth/AGENTS.md, packages/auth/.cursor/rules/db.mdc',
      'P3 runs runs/**/*.{json,jsonl} 20',
      'P3 summary SUMMARY.md',
      'P4 memory-files memory/*.{md,txt}',
      'P4 memory-topics memory/topics/**/*.{md,txt}',
    ]);
  });

  // Seen in Cline's own repository: eight workflows and notes on hooks were 15,000 tokens that are never removed.
  test('what Cline reads on demand is no rule: workflows, hooks, skills', () => {
    expect(
      discover(
        '.clinerules/workflows/release.md',
        '.clinerules/hooks/README.md',
        '.clinerules/skills/x/SKILL.md',
        '.clinerules/workflows.md',
        'sdk/.clinerules/workflows/release.md',
        'sdk/.clinerules/style/workflows/css.md',
      ),
    ).toEqual([
      'P1 clinerules-workflows .clinerules/workflows.md',
      'P3 rules .clinerules/workflows.md, sdk/.clinerules/style/workflows/css.md',
    ]);
  });

  test('names a section by its file and marks it as discovered', () => {
    expect(discoverSections(['AGENTS.md']).definitions).toEqual([
      {
        id: 'agents-md',
        title: 'AGENTS.md',
        priority: 'P0',
        source: { kind: 'file', path: 'AGENTS.md' },
        keepRecent: undefined,
        onDemand: false,
        keywords: [],
        isDiscovered: true,
        role: { kind: 'instruction', idStem: 'agents-md', scope: '', rootRank: 0 },
      },
    ]);
  });

  test('files of agents that are not in use are rules alone; the config says which are, else their own files do', () => {
    const files = [
      'AGENTS.md',
      'CLAUDE.md',
      '.cursorrules',
      '.windsurfrules',
      '.github/instructions/a.instructions.md',
    ];
    const singles = (agents: readonly AgentId[]) =>
      discoverSections(files, { agents: { configured: agents } }).definitions.flatMap(({ id, title }) =>
        id === 'rules' ? [] : [title],
      );
    expect(singles([]).sort()).toEqual([...files].sort());
    expect(singles(['claude-code'])).toEqual(['AGENTS.md', 'CLAUDE.md']);
    expect(singles(['cursor'])).toEqual(['AGENTS.md', 'CLAUDE.md', '.cursorrules']);
    expect(discoverSections(files).agents).toEqual(['claude-code', 'copilot-vscode', 'cursor', 'windsurf']);
    expect(discoverSections(['AGENTS.md', 'opencode.json']).agents).toEqual(['opencode']);
  });

  test.each([
    [['CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'], 'CLAUDE.md'],
    [['GEMINI.md', '.github/copilot-instructions.md'], 'GEMINI.md'],
    [['.github/copilot-instructions.md', '.cursorrules'], '.github/copilot-instructions.md'],
  ])('of %j the first is P0', (files, first) => {
    const p0 = discoverSections([...files].reverse()).definitions.filter(({ priority }) => priority === 'P0');
    expect(p0.map(({ title }) => title)).toEqual([first]);
  });

  test('without a root instruction file nothing is P0', () => {
    expect(discover('a/AGENTS.md', '.cursorrules').some((row) => row.startsWith('P0'))).toBe(false);
  });

  test('other files are no sections: other cases, other extensions, a book’s SUMMARY.md', () => {
    expect(discover('agents.md', 'docs/src/SUMMARY.md', 'a/MEMORY.md', 'memory/db.sqlite', 'memory/x.png')).toEqual([]);
    expect(discover('.cursor/rules/a.json', 'src/runs/a.json', 'README.md', 'AGENTS.md.bak')).toEqual([]);
  });

  test('other people’s code and inputs of tests are left out, and named', () => {
    const result = discoverSections([
      'vendor/lib/AGENTS.md',
      'test/fixtures/x/CLAUDE.md',
      'third_party/y/.cursorrules',
    ]);
    expect(result.definitions).toEqual([]);
    expect(result.leftOut).toEqual(['vendor/lib/AGENTS.md', 'test/fixtures/x/CLAUDE.md', 'third_party/y/.cursorrules']);
    expect(result.problems).toEqual([]);
  });

  test('ids stay unique when slugs meet, and do not depend on the order of files', () => {
    const files = ['a.b', 'a-b', '包', '库']
      .map((name) => `memory/(c)/${name}.md`)
      .concat('MEMORY.md', 'memory/MEMORY.md');
    const byPath = (list: readonly string[]) =>
      Object.fromEntries(discoverSections(list).definitions.map(({ title, id }) => [title, id]));
    const ids = byPath(files);
    expect(new Set(Object.values(ids)).size).toBe(files.length);
    for (const id of Object.values(ids)) expect(id).toMatch(/^[a-z][a-z0-9-]{0,79}$/);
    expect(ids['MEMORY.md']).toBe('memory');
    expect(ids['memory/MEMORY.md']).toBe('memory-memory-md');
    expect(byPath([...files].reverse())).toEqual(ids);
  });

  test('a very long path gives an id within the limit', () => {
    const [definition] = discoverSections([`memory/(c)/${'deeply-nested-'.repeat(20)}.md`]).definitions;
    expect(definition?.id).toMatch(/^memory-c-deeply-[a-z0-9-]{1,64}$/);
  });

  test('no discovered section takes the id of a built-in', () => {
    expect(discover('.cursor/rules/x.md', 'memory/(c)/git.md', 'git/AGENTS.md').join()).not.toMatch(
      / (git|relay|observations) /,
    );
  });

  test('a link to another context file is not counted twice', () => {
    const files = ['AGENTS.md', 'CLAUDE.md', 'docs/rules.md', 'sub/CLAUDE.md'];
    const links = new Map([
      ['CLAUDE.md', 'AGENTS.md'],
      ['sub/CLAUDE.md', 'docs/rules.md'],
    ]);
    expect(rows(discoverSections(files, { links }).definitions)).toEqual([
      'P0 agents-md AGENTS.md',
      'P3 rules AGENTS.md, sub/CLAUDE.md',
    ]);
  });

  test('a link at the root stands for the nested file that it leads to', () => {
    const files = ['.agents/AGENTS.md', 'AGENTS.md', 'CLAUDE.md'];
    const links = new Map([
      ['AGENTS.md', '.agents/AGENTS.md'],
      ['CLAUDE.md', '.agents/AGENTS.md'],
    ]);
    expect(rows(discoverSections(files, { links }).definitions)).toEqual(['P0 agents-md AGENTS.md']);
  });

  const many = (count: number, pathOf: (name: string) => string) =>
    Array.from({ length: count }, (_, at) => pathOf(String(at).padStart(3, '0')));
  const loose = many(130, (name) => `memory/(c)/${name}.md`);
  const rule = (name: string) => `.cursor/rules/${name}.mdc`;

  // Of each limit: what there is, what else stays, how many of the rules, and the warning.
  test.each([
    ['many rules for the whole folder', many(150, rule), ['memory-files', 'memory-t', 'runs', rule('149')], 150, ''],
    [
      'more rules than are read',
      many(203, rule),
      ['memory-files', 'memory-t', 'runs', rule('199')],
      200,
      '203 instruction files found; 200 are used. Left out: .cursor/rules/200.mdc, .cursor/rules/201.mdc, .cursor/rules/202.mdc. Name those you need in .context-budget/config.json.',
    ],
    [
      'rules of sub-folders',
      [...many(230, (name) => `p/${name}/AGENTS.md`), 'AGENTS.md', 'sub/CLAUDE.md'],
      ['AGENTS.md', 'memory-files', 'memory-t', 'runs'],
      200,
      '232 instruction files found; 200 are used. Left out: p/198/AGENTS.md, p/199/AGENTS.md, p/200/AGENTS.md, p/201/AGENTS.md, p/202/AGENTS.md and 27 more. Name those you need in .context-budget/config.json.',
    ],
    [
      'memories without a folder that a glob can name',
      [...loose, 'AGENTS.md', 'MEMORY.md'],
      ['AGENTS.md', 'MEMORY.md', 'memory-files', 'memory-t', 'runs', 'memory/(c)/095.md'],
      0,
      '134 memory files, folders and logs found; 100 are used. Left out: memory/(c)/096.md, memory/(c)/097.md, memory/(c)/098.md, memory/(c)/099.md, memory/(c)/100.md and 29 more. Name those you need in .context-budget/config.json.',
    ],
  ])('of %s those nearest to the root stay, and a problem names the rest', (_what, files, stays, count, said) => {
    const others = ['memory/a.md', 'memory/t/a.md', 'runs/1.json'];
    const { definitions, problems } = discoverSections([...files, ...others]);
    expect(definitions.map(({ title }) => title)).toEqual(expect.arrayContaining(stays));
    const paths = definitions.flatMap(({ source }) => (source.kind === 'files' && source.paths) || []);
    expect(paths).toHaveLength(count);
    expect(problems.map(({ message }) => message).join()).toBe(said);
  });
});

describe('resolveSections', () => {
  test('adds the built-ins that the host can serve', () => {
    const ids = (options: Parameters<typeof resolveSections>[2]) =>
      rows(resolveSections(DEFAULT_CONFIG, [], options).definitions);
    const editorsOwn = ['P2 diagnostics builtin', 'P3 open-editors builtin'];
    expect(ids(EDITOR)).toEqual(expect.arrayContaining([...editorsOwn, ...ids(CLI)]));
    expect(ids(CLI)).toEqual(['P2 git builtin', 'P2 repo-map builtin']);
    expect(ids({ hasEditor: false, hasProcesses: false })).toEqual(['P2 repo-map builtin']);
    expect(ids({ ...CLI, hasRelay: true })).toEqual(['P0 relay builtin', 'P2 git builtin', 'P2 repo-map builtin']);
  });

  test('a configured file replaces the discovered one and keeps its default priority', () => {
    const { definitions } = resolveSections(
      config('{ "id": "rules", "file": "AGENTS.md" }, { "id": "soul", "file": "notes/soul.md" }'),
      ['AGENTS.md', 'SOUL.md', 'notes/soul.md'],
      CLI,
    );
    expect(rows(definitions)).toEqual([
      'P0 rules AGENTS.md',
      'P2 git builtin',
      'P2 repo-map builtin',
      'P4 soul notes/soul.md',
    ]);
    expect(definitions[0]).toMatchObject({ isDiscovered: false, title: 'AGENTS.md' });
  });

  test('what the config names is not said to be left out', () => {
    const files = Array.from({ length: 202 }, (_, at) => `.cursor/rules/${at + 100}.mdc`);
    const warnings = (sections: string) =>
      resolveSections(config(sections), files, CLI).problems.map(
        ({ message }) => /Left out: (.*?)\. /.exec(message)?.[1],
      );
    expect(warnings('')).toEqual(['.cursor/rules/300.mdc, .cursor/rules/301.mdc']);
    expect(warnings('{ "id": "x", "file": ".cursor/rules/300.mdc" }')).toEqual(['.cursor/rules/301.mdc']);
    expect(warnings('{ "id": "x", "files": ".cursor/rules/30*.mdc" }')).toEqual([]);
  });

  test('a configured priority wins, and a missing file stays a section', () => {
    const { definitions } = resolveSections(config('{ "id": "x", "file": "gone.md", "priority": "P0" }'), [], CLI);
    expect(rows(definitions)[0]).toBe('P0 x gone.md');
  });

  test('a configured glob replaces the files it matches and groups it touches', () => {
    const { definitions } = resolveSections(
      config('{ "id": "topic-memory", "files": "memory/topics/*.md" }, { "id": "all-rules", "files": "**/CLAUDE.md" }'),
      ['AGENTS.md', 'CLAUDE.md', 'sub/CLAUDE.md', 'memory/topics/a.md', 'memory/topics/deep/b.md'],
      CLI,
    );
    expect(rows(definitions)).toEqual([
      'P0 agents-md AGENTS.md',
      'P2 git builtin',
      'P2 repo-map builtin',
      // Until the report knows whether the root's file has a section of its own.
      'P3 rules AGENTS.md',
      'P4 all-rules **/CLAUDE.md',
      'P4 topic-memory memory/topics/*.md',
    ]);
  });

  test('loose memories are one folder without well-known names, and without what the config names', () => {
    const files = [
      'MEMORY.md',
      'memory/SOUL.md',
      'memory/2026-02-13.md',
      'memory/notes.md',
      'memory/人 a.txt',
      'memory/t/x.md',
    ];
    const folders = (sections: string) =>
      resolveSections(config(sections), files, CLI).definitions.flatMap(({ id, source }) =>
        source.kind === 'files' ? [[id, source.pattern, ...(source.except ?? [])]] : [],
      );
    const topics = ['memory-t', 'memory/t/**/*.{md,txt}'];
    const loose = ['memory-files', 'memory/*.{md,txt}', 'memory/SOUL.md'];
    expect(folders('')).toEqual([loose, topics]);
    expect(folders('{ "id": "notes", "file": "memory/notes.md" }')).toEqual([[...loose, 'memory/notes.md'], topics]);
    expect(folders('{ "id": "daily", "files": "memory/2026-*.md" }')).toEqual([
      ['daily', 'memory/2026-*.md'],
      [...loose, 'memory/2026-02-13.md'],
      topics,
    ]);
    // All of them: what is left has a section of its own.
    expect(folders('{ "id": "all", "files": "memory/**/*" }, { "id": "soul", "file": "memory/SOUL.md" }')).toEqual([
      ['all', 'memory/**/*', 'memory/SOUL.md'],
    ]);
    expect(folders('{ "id": "loose", "files": "memory/*" }')).toEqual([['loose', 'memory/*'], topics]);
  });

  test('of two well-known memories that are one file, the other is no loose memory either', () => {
    const links = new Map([['memory/SOUL.md', 'SOUL.md']]);
    const { definitions } = resolveSections(DEFAULT_CONFIG, ['SOUL.md', 'memory/SOUL.md', 'memory/a.md'], {
      ...CLI,
      links,
    });
    expect(definitions.map(({ source }) => source)).toContainEqual({
      kind: 'files',
      pattern: 'memory/*.{md,txt}',
      except: ['memory/SOUL.md'],
    });
  });

  test('a built-in of the config takes its own id, and one the host cannot serve is left out', () => {
    const own = config(
      '{ "id": "map", "builtin": "repo-map", "priority": "P1" }, { "id": "d", "builtin": "diagnostics" }',
    );
    expect(rows(resolveSections(own, [], CLI).definitions)).toEqual(['P1 map builtin', 'P2 git builtin']);
    expect(rows(resolveSections(own, [], EDITOR).definitions)).toContain('P2 d builtin');
  });

  test('a section of the config with a built-in’s id replaces it', () => {
    const { definitions } = resolveSections(config('{ "id": "git", "command": ["git", "log"] }'), [], CLI);
    expect(rows(definitions)).toEqual(['P2 git command', 'P2 repo-map builtin']);
  });

  test('ids are unique whatever the config names', () => {
    const { definitions } = resolveSections(
      config('{ "id": "claude-md", "file": "a.md" }'),
      ['CLAUDE.md', 'a.md', 'AGENTS.md'],
      EDITOR,
    );
    const ids = definitions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('starterConfig', () => {
  const files = [
    'AGENTS.md',
    '包/AGENTS.md',
    'a "quoted"/CLAUDE.md',
    'a */ b/GEMINI.md',
    'memory/topics/x.md',
    'memory/2026-02-03.md',
    'memory/SOUL.md',
    'runs/1.json',
  ];

  test.each([
    ['of plain files', files, []],
    ['of a link to a memory', [...files, 'SOUL.md'], [['memory/SOUL.md', 'SOUL.md'] as const]],
    ['of a memory that a link leads to', [...files, 'SOUL.md'], [['SOUL.md', 'memory/SOUL.md'] as const]],
  ])('parses without problems and changes nothing %s', (_what, paths, links) => {
    const world = { ...EDITOR, links: new Map(links) };
    const before = resolveSections(DEFAULT_CONFIG, paths, world).definitions;
    const { config: parsed, problems } = parseConfig(starterConfig(before));
    expect(problems).toEqual([]);
    expect({ ...parsed, sections: [] }).toEqual(DEFAULT_CONFIG);
    const after = resolveSections(parsed!, paths, world).definitions;
    expect(after.map((definition) => ({ ...definition, isDiscovered: true }))).toEqual(before);
  });

  test('each of its examples is valid as soon as its slashes are taken away', () => {
    const { config: parsed, problems } = parseConfig(starterConfig([]).replace(/^( +)\/\/ (?=["{])/gm, '$1'));
    expect(problems).toEqual([]);
    expect(parsed?.sections.map(({ id }) => id)).toEqual(['ports', 'topic-memory']);
    expect(parsed?.profiles.find(({ name }) => name === 'claude')?.agent).toBe('claude-code');
    expect(parsed?.scoring.mode).toBe('dynamic');
    expect(parsed?.repoMap.exclude).toEqual(['legacy/**']);
  });

  test('keeps commands, keywords and the rest of a definition', () => {
    const own = config(
      '{ "id": "p", "command": ["sh", "-c", "echo \\"a\\",\\"b\\" // , ,"], "timeout_ms": 900, "keywords": ["x"], "keep_recent": 2, "on_demand": true }',
    );
    const definitions = resolveSections(own, [], CLI).definitions;
    const parsed = parseConfig(starterConfig(definitions));
    expect(parsed.problems).toEqual([]);
    expect(resolveSections(parsed.config!, [], CLI).definitions.find(({ id }) => id === 'p')).toEqual(
      definitions.find(({ id }) => id === 'p'),
    );
  });

  test.each(CHINESE)('has its comments in the language of who reads them: %s', (language) => {
    const definitions = resolveSections(DEFAULT_CONFIG, files, EDITOR).definitions;
    const text = starterConfig(definitions, (words) => inChinese(words, language));
    const comments = text.split('\n').flatMap((line) => /^ *\/\/ (?![{"])(.*)$/.exec(line)?.[1] ?? []);
    expect(comments).toHaveLength(10);
    expect(comments.filter((comment) => !/\p{Script=Han}/u.test(comment))).toEqual([]);
    expect(comments.flatMap(englishIn)).toEqual([]);
    expect(parseConfig(text)).toEqual(parseConfig(starterConfig(definitions)));
    const fresh = editConfig('', { kind: 'scoring', mode: 'off' }, (words) => inChinese(words, language));
    expect(fresh.split('\n').slice(0, 2)).toEqual(text.split('\n').slice(0, 2));
  });

  test('of nothing found it is still a valid config', () => {
    expect(parseConfig(starterConfig([]))).toEqual({ config: DEFAULT_CONFIG, problems: [] });
  });

  test('leaves a path that a config cannot name to discovery', () => {
    const definitions = discoverSections(['memory/(c)/a\\b.md', 'AGENTS.md']).definitions;
    expect(definitions).toHaveLength(2);
    const { config: parsed, problems } = parseConfig(starterConfig(definitions));
    expect(problems).toEqual([]);
    expect(parsed?.sections.map(({ id }) => id)).toEqual(['agents-md']);
  });
});
