import { describe, expect, it } from 'vitest';
import { readScripts } from '../../../../../src/core/repomap/facts/embedded';

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
