import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { renderReadme } from '../tools/docs.mjs';
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

  it('shows only pictures that exist', () => {
    const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map((match) => match[1] as string);
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) expect(existsSync(picture), picture).toBe(true);
  });
});

describe('NOTICE.md', () => {
  it('has the licence of everything that is shipped', () => {
    expect(readFileSync('NOTICE.md', 'utf8')).toBe(renderNotices());
  });
});
