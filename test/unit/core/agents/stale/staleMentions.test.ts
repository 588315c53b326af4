import { describe, expect, it } from 'vitest';
import { findStalePaths, mentionsOf } from '../../../../../src/core/agents/stale/staleMentions';
import type { FileNotice } from '../../../../../src/core/agents/stale/stalePaths';
import { inEnglish } from '../../../../../src/core/text/phrase';

const FILES = [
  'AGENTS.md',
  'packages/core/AGENTS.md',
  'packages/core/src/index.ts',
  'packages/core/src/tools/run.test.ts',
  'packages/core/Store.ts',
  'docs/Guide.md',
  'src/app/page.tsx',
  'conf/settings.json',
];

interface World {
  readonly file?: string;
  readonly ignored?: readonly string[];
  readonly present?: readonly string[];
}

async function stale(text: string, world: World = {}): Promise<readonly FileNotice[]> {
  const { file = 'AGENTS.md', ignored = [], present = [] } = world;
  return findStalePaths(mentionsOf({ path: file, text }), {
    listing: async function* () {
      yield FILES.slice(0, 3);
      yield FILES.slice(3);
    },
    isIgnored: (path, isFolder) => ignored.includes(isFolder ? `${path}/` : path),
    exists: async (path) => present.includes(path),
  });
}

async function staleNames(text: string, world: World = {}): Promise<readonly string[]> {
  return (await stale(text, world)).map(({ line, columns }) =>
    (text.split('\n')[line - 1] ?? '').slice(columns?.start, columns?.end),
  );
}

describe('stale paths', () => {
  it('names a path that is nowhere, with line, columns and words', async () => {
    const [notice, ...others] = await stale('Rules.\n\n- Entry: `src/app/main.tsx:12`');
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ kind: 'stalePath', path: 'AGENTS.md', line: 3, columns: { start: 10, end: 26 } });
    expect(inEnglish(notice!.message)).toBe('“src/app/main.tsx” does not exist in this workspace.');
  });

  it.each([
    ['from the root', '`src/app/page.tsx`'],
    ['with a place in the file', '`src/app/page.tsx:3:4` `docs/guide.md#l3` `src/app/page.tsx::Page`'],
    ['in another case', '`DOCS/guide.md`'],
    ['as the end of a longer path', '`tools/run.test.ts`'],
    ['as a folder', '`src/tools/` and `packages/core/`'],
    ['by the name of the JavaScript it becomes', '`src/index.js`'],
    ['with a dot and a slash before it', '[guide](./docs/Guide.md) `./src/app/`'],
    ['rooted', '`/src/app/page.tsx`'],
  ])('finds a path that is there: %s', async (_, text) => {
    expect(await staleNames(text)).toEqual([]);
  });

  it('reads a path from the file that names it, and from above', async () => {
    expect(await staleNames('[x](src/index.ts) [y](../../docs/Guide.md)', { file: 'packages/core/AGENTS.md' })).toEqual(
      [],
    );
    expect(await staleNames('[y](../../docs/Gone.md)', { file: 'packages/core/AGENTS.md' })).toEqual([
      '../../docs/Gone.md',
    ]);
  });

  it.each([
    [
      'a placeholder',
      '`src/path/to/file.ts` `src/foo.ts` `src/MyThing.tsx` `docs/your-page.md` `src/<name>.ts` `src/{a}.ts` `docs/sprint-N/report.md` `days/day-NN-slug/a.md`',
    ],
    ['a glob', '`src/**/*.gone.ts`'],
    ['an address', '`https://x.dev/src/a.ts` `github.com/a/b.go` [x](https://a.b/c.md) `pkg.go.dev/x/y.go`'],
    ['a home or a package', '`~/src/a.ts` `@scope/pkg/a.js`'],
    ['what is built or local', '`dist/src/a.js` `packages/core/dist/x.js` `src/.env.local` `src/node_modules/a.js`'],
    ['what begins nowhere', '`fs/promises.js` `lodash/fp.js`'],
    ['a path of something else that begins with a folder of a common name', '`tools/other/run.ts` `app/run.ts`'],
    ['a folder of tools', '`.claude/settings.json` `.taskmaster/docs/prd.md`'],
    ['what programs write', '`src/state/x.json` `src/app/login_state.json`'],
    ['prose', '`and/or` `application/json` `feat/thing` `1/2` `v1.2/v1.3`'],
    ['an extension', '`.test.ts` `*.md`'],
    ['a convention of tools', '`README.md` `SKILL.md` `package.json`'],
    ['a command', '`npx vitest src/gone.ts`'],
    ['an anchor', '[x](#src/gone.md)'],
    ['a page of a site', '[x](/docs/gone) [y](gone.html)'],
  ])('is silent about %s', async (_, text) => {
    expect(await staleNames(text)).toEqual([]);
  });

  it.each([
    'Create a file `src/gone.ts` for it.',
    'It is generated into `src/gone.ts`.',
    'We removed `src/gone.ts` last year.',
    '`src/gone.ts` no longer exists.',
    'There is no `src/gone.ts`.',
    'For example, `src/gone.ts`.',
    'Tests go next to it (e.g. `src/gone.ts`).',
    'See `src/gone.ts` in that repo.',
    'Do not put code into `src/gone.ts`.',
    '| `src/gone.ts` | deprecated |',
    '新增 `src/gone.ts`',
    '- ❌ `src/gone.ts`',
    '## Adding a new page\n\n- `src/gone.ts`',
    'Add these files, for example:\n\n- `src/gone.ts`',
  ])('is silent where the text does not claim that it is there: %s', async (text) => {
    expect(await staleNames(text)).toEqual([]);
  });

  it.each([
    'Removed features are listed elsewhere. The router is `src/gone.ts`.',
    'The router is `src/gone.ts`. Never edit generated code.',
    '| Old | gone |\n| Router | `src/gone.ts` |',
  ])('does not take the words of another sentence or row for it: %s', async (text) => {
    expect(await staleNames(text)).toEqual(['src/gone.ts']);
  });

  it('knows a document by its name alone, and no file of code', async () => {
    expect(await staleNames('`ToolExecutor.ts`, `ARCHITECTURE.md`, `helper.ts`')).toEqual(['ARCHITECTURE.md']);
  });

  it('leaves out what git ignores, seen from any folder that may be meant, and what is there unlisted', async () => {
    expect(await staleNames('`src/generated-api/x.ts`', { ignored: ['packages/core/src/generated-api/x.ts'] })).toEqual(
      [],
    );
    expect(await staleNames('`src/data/`', { ignored: ['src/data/'] })).toEqual([]);
    expect(await staleNames('`src/linked/`', { present: ['src/linked'] })).toEqual([]);
    expect(await staleNames('`src/linked/`')).toEqual(['src/linked/']);
  });

  it('proposes the path that is like it, as the file would write it', async () => {
    const [moved] = await stale('`src/tools/Store.ts`');
    expect(moved?.replacement).toBeUndefined();
    const [near] = await stale('`packages/core/lib/Store.ts`');
    expect(near?.replacement).toBe('packages/core/Store.ts');
    expect(inEnglish(near!.message)).toContain('There is “packages/core/Store.ts”.');
    const [link] = await stale('[g](docs/Guide.md/../../lost/core/Store.ts)', { file: 'docs/AGENTS.md' });
    expect(link?.replacement).toBe('../packages/core/Store.ts');
  });
});
