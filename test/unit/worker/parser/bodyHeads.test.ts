import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AssetSource } from '../../../../src/core/ports/ports';
import { TreeSitterParser } from '../../../../src/worker/parser/fileParser';
import { nodeModulesAssets } from '../../../support/nodeModulesAssets';
import { some } from '../../../support/runs';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** The same tables, none of which knows how a body begins. */
const wholeTexts: AssetSource = {
  read: async (name) => {
    const bytes = await nodeModulesAssets.read(name);
    if (!name.endsWith('.json')) return bytes;
    const { bodyHead: _, ...table } = JSON.parse(new TextDecoder().decode(bytes));
    return new TextEncoder().encode(JSON.stringify(table));
  },
};
const outlines = new TreeSitterParser(nodeModulesAssets);
const wholes = new TreeSitterParser(wholeTexts);

async function compare(path: string, text: string) {
  const file = { path, contentHash: '0', bytes: new TextEncoder().encode(text) };
  const [outline, whole] = [await outlines.parseFile(file), await wholes.parseFile(file)];
  expect(outline).toEqual(whole);
  return outline;
}

/** Longer than what is worth leaving out, with braces where they mean nothing. */
const lines = (indent: string) => `${indent}log("a { b", 'c');\n${indent}// } not yet\n`.repeat(6);

const SOURCES: Readonly<Record<string, string>> = {
  'a.go': `package a\n\n// F does.\nfunc F(x struct{ a int }) interface{ M() } {\n${lines('\t')}}\n\nconst s = \`\nfunc fake() {\n${lines('  ')}}\n\`\n\ntype T struct {\n\tN int\n}\n\nfunc (t *T) Get() {\n${lines('\t')}\tfunc() {\n${lines('\t\t')}\t}()\n}\n`,
  'a.rs': `impl T {\n    pub fn f(&self) -> u8 {\n${lines('        ').replaceAll("'c'", 'b')}        1\n    }\n}\n\npub trait R {\n    fn g(&self) {\n${lines('        ').replaceAll("'c'", 'b')}    }\n}\n`,
  'a.java': `class A {\n    enum E { X }\n    public void f(int a) throws IOException {\n${lines('        ').replaceAll("'c'", 'b')}    }\n    record P(int x) {\n        int twice() {\n${lines('            ').replaceAll("'c'", 'b')}        }\n    }\n    Runnable r = new Runnable() {\n        public void run() {\n${lines('            ').replaceAll("'c'", 'b')}        }\n    };\n}\n`,
  'a.cs': `class A\n{\n    public void F(int a)\n    {\n${lines('        ')}    }\n    class B(int x)\n    {\n        int G()\n        {\n${lines('            ')}        }\n    }\n}\n`,
  'a.ts': `export function f(a: { b: number }): void {\n${lines('  ')}}\n\nclass A {\n  static async g<T>(x: T): Promise<void> {\n${lines('    ')}  }\n}\n\ndescribe('x', () => {\n  function inner() {\n${lines('    ')}  }\n});\n`,
  // A line that closes nothing makes the outline a broken one: the whole text decides.
  'misled.go': `package a\nfunc F() {\n${lines('\t')}\tx := map[string]int{\n}\n${lines('\t')}}\nfunc G() {}\n`,
};

describe('files of which the insides of functions are not parsed', () => {
  it.each(Object.entries(SOURCES))('have the same definitions: %s', async (path, text) => {
    expect((await compare(path, text)).definitions.length).toBeGreaterThan(1);
  });

  it('have the same definitions: the product’s own sources', async () => {
    const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.tsx?$/.test(path),
    );
    expect(paths.length).toBeGreaterThan(100);
    for (const path of some(paths, 25)) await compare(path, readFileSync(join(ROOT, 'src', path), 'utf8'));
  });
});
