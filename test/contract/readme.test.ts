import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { renderReadme, valuesOf } from '../tools/docs.mjs';
// @ts-expect-error: a script without types
import { renderNotices } from '../tools/notices.mjs';

const readme = readFileSync('README.md', 'utf8');

describe('README.md', () => {
  it('has the tables of the manifest', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const words = JSON.parse(readFileSync('package.nls.json', 'utf8'));
    expect(readme).toBe(renderReadme(readme, manifest, words));
    expect(readme).toContain(manifest.contributes.commands[0].command);
  });

  it('says what each setting may hold: words, bounds or kind', () => {
    expect(valuesOf({ type: 'number', minimum: 1, maximum: 100 })).toBe('number, 1 to 100');
    expect(valuesOf({ type: 'string', enum: ['off', 'on'] })).toBe('`off`, `on`');
    expect(valuesOf({ type: 'array', items: { type: 'string', enum: ['a', 'b'] } })).toBe('any of `a`, `b`');
    expect(valuesOf({ type: 'boolean' })).toBe('`true`, `false`');
    expect(valuesOf({ type: 'string' })).toBe('string');
    expect(readme).toContain('| `contextBudget.statusBar.warnAt` | `80` | number, 1 to 100 |');
  });

  it('shows only pictures that exist', () => {
    const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map((match) => match[1] as string);
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) expect(existsSync(picture), picture).toBe(true);
  });
});

/** Headings as GitHub makes anchors of them. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('links of README.md and GUIDE.md', () => {
  it.each(['README.md', 'GUIDE.md'])('%s leads to files and headings that exist', (from) => {
    const links = [...readFileSync(from, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [, file = '', anchor] of links) {
      const target = file === '' ? from : file;
      expect(existsSync(target), target).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(readFileSync(target, 'utf8')), target).toContain(anchor);
    }
  });
});

describe('NOTICE.md', () => {
  it('has the licence of everything that is shipped', () => {
    expect(readFileSync('NOTICE.md', 'utf8')).toBe(renderNotices());
  });
});
