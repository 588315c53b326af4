import { describe, expect, it } from 'vitest';
import { readHeadings, readNotebook, readScripts } from '../../../../../src/core/repomap/facts/embedded';

describe('readScripts', () => {
  it.each([
    ['', 'javascript'],
    [' lang="js"', 'javascript'],
    [' lang="ts"', 'typescript'],
    [" lang='typescript' setup", 'typescript'],
    [' setup generic="T extends Array<string>" lang="ts"', 'typescript'],
    [' lang="tsx"', 'tsx'],
    [' lang=jsx', 'jsx'],
  ])('reads <script%s> as %s', (attributes, language) => {
    expect(readScripts(`<script${attributes}>\na()\n</script>\n`)?.language).toBe(language);
  });

  it.each([
    ['another language', '<script lang="coffee">\na()\n</script>\n'],
    ['a block in a comment', '<!-- <script>\na()\n</script> -->\n'],
    ['a block that never ends', '<script>\na()\n'],
    ['no block', '<template>a</template>\n'],
  ])('reads nothing from %s', (_, text) => {
    expect(readScripts(text)).toBeUndefined();
  });

  it('keeps the code at its lines and blanks out everything else', () => {
    const text = '<p>x</p>\n<script lang="coffee">\nodd\n</script>\n<script>\na()\n</script>\n<p>y</p>\n';
    const lines = readScripts(text)
      ?.text.split('\n')
      .map((line) => line.trimEnd());
    expect(lines).toEqual(['', '', '', '', '', 'a()', '', '', '']);
  });

  it('is TypeScript when any of several blocks is', () => {
    const text = '<script>\na()\n</script>\n<script lang="ts">\nb()\n</script>\n';
    expect(readScripts(text)).toMatchObject({
      language: 'typescript',
      text: expect.stringMatching(/a\(\)[\s\S]*b\(\)/),
    });
  });
});

describe('readNotebook', () => {
  it('places 20,000 texts of one line, and those of many', () => {
    const source = Array.from({ length: 20_000 }, (_, at) => `def f${at}(): pass\n`);
    const notebook = { metadata: { kernelspec: { language: 'python' } }, cells: [{ cell_type: 'code', source }] };
    const oneLine = readNotebook(JSON.stringify(notebook));
    expect([oneLine?.rows?.length, oneLine?.rows?.at(-1)]).toEqual([20_001, 0]);
    const many = JSON.stringify(notebook, undefined, 1);
    const first = many.split('\n').findIndex((line) => line.includes('def f0()'));
    expect(readNotebook(many)?.rows?.slice(0, 3)).toEqual([first, first + 1, first + 2]);
  });
});

describe('readHeadings', () => {
  const namesOf = (text: string): readonly string[] => readHeadings(text).map(({ name }) => name);

  it.each([
    ['the shortest comments', '<!-->\n# A\n<!--->\n# B\n'],
    ['a comment of one line', '<!-- # C -->\n# A\n\n# B\n'],
    ['a comment of many lines', '# A\n<!--\n# C\n-->\n# B\n'],
    ['a fence that a longer one closes', '# A\n```\n# C\n`````\n# B\n'],
    ['a fence that one behind a tab does not close', '# A\n```\n\t```\n# C\n```\n# B\n'],
    ['a fence of 40,000 signs', `# A\n${'`'.repeat(40_000)}\n# C\n${'`'.repeat(40_000)}\n# B\n`],
  ])('finds what stands before and behind %s', (_, text) => {
    expect(namesOf(text)).toEqual(['A', 'B']);
  });
});
