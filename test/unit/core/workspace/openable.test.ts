import { describe, expect, it } from 'vitest';
import { Workspace } from '../../../../src/core/workspace/workspace';
import { makePorts, PREFERENCES } from '../../../support/workspaceFakes';

const CONFIG = JSON.stringify({
  sections: [
    { id: 'notes', file: 'local/notes.md' },
    { id: 'leak', file: 'leak.md' },
    { id: 'all', files: '**/*' },
  ],
});

const FOLDER = {
  '.gitignore': '.env*\nlocal/\nmemory/\nMEMORY.md\nNEXT.md\nbuild/*\n!build/kept.md\nlink-ignored.md\n*.log\n',
  '.git/config': 'TOKEN',
  '.git/info/exclude': 'TOKEN.md',
  '.context-budget/config.json': CONFIG,
  '.env': 'TOKEN',
  'TOKEN.md': 'TOKEN',
  'a.md': 'one\ntwo\n',
  'src/.env.local': 'TOKEN',
  'src/b.ts': 'export const b = 1;\n',
  'src/.gitignore': 'secret.ts\n',
  'src/secret.ts': 'TOKEN',
  'local/notes.md': 'named',
  'local/other.md': 'TOKEN',
  'leak.md': { linkTo: '.env' },
  'build/kept.md': 'kept',
  'build/gone.md': 'TOKEN',
  'memory/2026-01-01.md': 'daily',
  'memory/data.sqlite': 'TOKEN',
  'MEMORY.md': 'memory',
  'NEXT.md': 'next',
  'node_modules/p/index.js': 'TOKEN',
  'sub/.git': 'gitdir: TOKEN',
  'memory/.git/x.md': 'TOKEN',
  'link.md': { linkTo: 'a.md' },
  'link-env.md': { linkTo: '.env' },
  'link-git.md': { linkTo: '.git/config' },
  'link-ignored.md': { linkTo: 'a.md' },
  'link-memory.md': { linkTo: 'MEMORY.md' },
  'memory/link.md': { linkTo: '.env' },
} as const;

function open(nodes: Parameters<typeof makePorts>[0] = FOLDER) {
  const ports = makePorts(nodes);
  return { files: ports.files, workspace: new Workspace(ports, PREFERENCES) };
}

/** Names of git's folder on some file system. */
const GIT_NAMES = ['.GIT', '.Git', '.git.', '.git ', '.git::$INDEX_ALLOCATION', 'GIT~1', 'git~2', '.g\u200cit'];

/** Names by which a disk that folds case opens files as well. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ['.ENV', '.env'],
  ['SRC/b.ts', 'src/b.ts'],
  ['A.md', 'a.md'],
]);

describe('a handle of a file', () => {
  it.each([
    ['listed', 'a.md'],
    ['written otherwise', './src//b.ts'],
    ['brought back by a later rule', 'build/kept.md'],
    ['named by the config, though ignored', 'local/notes.md'],
    ['a memory file, though ignored', 'MEMORY.md'],
    ['what comes next, though ignored', 'NEXT.md'],
    ['a daily note, though ignored', 'memory/2026-01-01.md'],
    ['a link to a listed file', 'link.md'],
  ])('opens what is %s', async (_what, path) => {
    const { workspace } = open();
    const { items, unknown } = await workspace.resolve([`file:${path}`, `file:${path}#L1`]);
    expect(unknown).toEqual([]);
    expect(items).toHaveLength(2);
  });

  /** By the walk, and as a section. */
  const READ_ANYWAY = ['.git/info/exclude', 'leak.md'];

  const CLOSED: readonly string[] = [
    '.env',
    'TOKEN.md',
    'src/.env.local',
    'src/secret.ts',
    'local/other.md',
    'build/gone.md',
    'memory/data.sqlite',
    'node_modules/p/index.js',
    '.git/config',
    '.git/info/exclude',
    'sub/.git',
    'memory/.git/x.md',
    'leak.md',
    'link-env.md',
    'link-git.md',
    'link-ignored.md',
    'link-memory.md',
    'memory/link.md',
    'src/../.env',
    'none.md',
    ...FOLDED.keys(),
    ...GIT_NAMES.map((name) => `${name}/config`),
  ];

  it.each(CLOSED)('is unknown for %s, as if nothing were there', async (path) => {
    const git = Object.fromEntries(GIT_NAMES.map((name) => [`${name}/config`, 'TOKEN']));
    const { workspace, files } = open({ ...git, ...FOLDER });
    const { read, resolveLink } = files;
    files.read = (at, max) => read.call(files, FOLDED.get(at) ?? at, max);
    files.resolveLink = (at) => resolveLink.call(files, FOLDED.get(at) ?? at);
    const handles = [`file:${path}`, `file:${path}#L1`, `file:${path}#L1-L9`];
    const answer = await workspace.detail(handles);
    expect(answer).toMatchObject({ items: [], unknown: handles });
    expect(JSON.stringify(answer)).not.toContain('TOKEN"');
    expect(await workspace.isOpenable(path)).toBe(false);
    expect(files.reads.filter((at) => at === path && !READ_ANYWAY.includes(at))).toEqual([]);
  });

  it('opens what was made since the folder was listed, unless it is ignored or its folder was not listed', async () => {
    const { workspace, files } = open();
    await workspace.whenListed();
    for (const path of ['src/new.ts', 'src/new.log', '.env.new', 'fresh/new.ts']) files.nodes.set(path, 'new');
    files.nodes.set('src/link.ts', { linkTo: '.env' });
    const handles = ['src/new.ts', 'src/new.log', '.env.new', 'fresh/new.ts', 'src/link.ts', 'src/none.ts'];
    const { items, unknown } = await workspace.resolve(handles.map((path) => `file:${path}`));
    expect(items.map(({ title }) => title)).toEqual(['src/new.ts']);
    expect(unknown).toHaveLength(5);
  });

  it('looks again where a link leads', async () => {
    const { workspace, files } = open();
    await workspace.whenListed();
    for (const path of ['link.md', 'a.md']) files.nodes.set(path, { linkTo: '.env' });
    expect((await workspace.resolve(['file:link.md', 'file:a.md'])).unknown).toEqual(['file:link.md', 'file:a.md']);
  });
});

it('serves no lines of a symbol whose file became a link to an ignored one', async () => {
  const { workspace, files } = open({
    '.gitignore': '.env',
    '.env': 'TOKEN\nTOKEN\nTOKEN',
    'src/a.ts': 'one\ntwo\nthree',
  });
  expect((await workspace.resolve(['sym:00000001'])).items).toHaveLength(1);
  files.nodes.set('src/a.ts', { linkTo: '.env' });
  expect(await workspace.resolve(['sym:00000001'])).toMatchObject({ items: [], unknown: ['sym:00000001'] });
});
