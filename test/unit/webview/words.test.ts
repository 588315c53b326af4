import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { WORDS } from '../../../webview/words';

describe('words', () => {
  it('have the singular and the plural', () => {
    expect([1, 2].map(WORDS.headline.alerts)).toEqual(['1 alert', '2 alerts']);
    expect([1, 2].map((count) => WORDS.headline.cut(count, '9k'))).toEqual([
      ...['1 section cut (9k tokens)', '2 sections cut (9k tokens)'],
    ]);
    expect(WORDS.messages.restricted(Array.from({ length: 12 }, (_, index) => `s${index}`))).toMatch(
      /^12 command sections were/,
    );
  });
});

describe('icons', () => {
  it('carry the code points of the codicon font that is bundled', () => {
    const official = readFileSync(createRequire(import.meta.url).resolve('@vscode/codicons/dist/codicon.css'), 'utf8');
    const own = readFileSync(new URL('../../../webview/styles/icons.css', import.meta.url), 'utf8');
    const rules = [...own.matchAll(/\.i-([a-z-]+)::before \{\s*content: "(\\[0-9a-f]+)"/g)];
    expect(rules.length).toBeGreaterThan(10);
    for (const [, name, code] of rules) expect(official).toContain(`.codicon-${name}:before { content: "${code}"`);
  });

  it('have a rule for every name in use', () => {
    const own = readFileSync(new URL('../../../webview/styles/icons.css', import.meta.url), 'utf8');
    const source = readFileSync(new URL('../../../webview/ui/icon.tsx', import.meta.url), 'utf8');
    const names = [...source.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map((match) => match[1]);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(own).toContain(`.i-${name}::before`);
  });
});
