import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../../../grammars/manifest.json';
import { extensionOf, languageOf, languageOfText } from '../../../../src/core/repomap/facts/languages';
import { LANGUAGE_TABLE } from '../../../../src/core/repomap/facts/languageTable';
// @ts-expect-error a build script without types
import { buildManifest } from '../../../tools/grammars.mjs';

const GRAMMARS = join(import.meta.dirname, '..', '..', '..', '..', 'grammars');
const read = (id: string): Record<string, unknown> => JSON.parse(readFileSync(join(GRAMMARS, `${id}.json`), 'utf8'));

const ids = readdirSync(GRAMMARS)
  .filter((name) => name.endsWith('.json') && name !== 'manifest.json')
  .map((name) => name.slice(0, -'.json'.length))
  .filter((id) => !('reader' in read(id)));

describe('grammars/manifest.json', () => {
  it('says what the tables and the installed packages say: version, ABI, licence, SHA-256', async () => {
    expect(manifest).toEqual(await buildManifest());
  });

  it('names only packages under licences that allow shipping them', () => {
    for (const { license } of [manifest.runtime, ...manifest.grammars])
      expect(['MIT', 'Apache-2.0']).toContain(license);
  });
});

describe('language tables', () => {
  it.each(ids)('%s has the shape of a table', (id) => {
    expect(LANGUAGE_TABLE.parse(read(id)).id).toBe(id);
  });

  it.each([
    ['an unknown kind', { definitions: [{ nodes: ['a'], kind: 'klass' }] }],
    ['an unknown field', { colour: 'red' }],
    ['a malformed path', { definitions: [{ nodes: ['a'], kind: 'class', name: ['..'] }] }],
    ['a broken pattern', { docPattern: '(' }],
  ])('refuses %s', (_what, change) => {
    expect(LANGUAGE_TABLE.safeParse({ ...read('go'), ...change }).success).toBe(false);
  });
});

it.each([
  ['src/a.d.ts', '.ts'],
  ['Main.SWIFT', '.swift'],
  ['docs/Makefile', 'Makefile'],
])('the extension of %s is %s', (path, extension) => {
  expect(extensionOf(path)).toBe(extension);
});

describe('languageOf', () => {
  it.each([
    ['src/a.py', 'python'],
    ['a.d.ts', 'typescript'],
    ['A.TSX', 'tsx'],
    ['lib/x.mjs', 'javascript'],
    ['x.jsx', 'jsx'],
    ['SConstruct', 'python'],
    ['a/b.h', 'c'],
    ['a.hpp', 'cpp'],
    ['Program.cs', 'csharp'],
    ['Rakefile', 'ruby'],
    ['index.php', 'php'],
    ['build.gradle.kts', 'kotlin'],
    ['run.sh', 'bash'],
    ['mix.exs', 'elixir'],
    ['App.vue', 'vue'],
    ['README.md', 'markdown'],
    ['.py', undefined],
    ['Makefile', undefined],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  it('decides a header by its content', () => {
    const c = LANGUAGE_TABLE.parse(read('c'));
    expect(languageOfText(c, 'a.h', 'int f(void);\n')).toBe('c');
    expect(languageOfText(c, 'a.h', '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n')).toBe('c');
    expect(languageOfText(c, 'a.h', 'class Foo : public Bar {\n public:\n};\n')).toBe('cpp');
    expect(languageOfText(c, 'a.c', 'int class = 1;\nusing x;\n')).toBe('c');
  });
});
