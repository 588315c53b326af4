import { describe, expect, it } from 'vitest';
import { copyNote } from '../../../webview/copyNote';
import { payloadOf, sectionOf } from '../../support/panelSnapshots';

describe('the title of the copy button', () => {
  const payload = payloadOf([
    sectionOf({ id: 'git' }),
    sectionOf({ id: 'memory', title: 'memory/MEMORY.md', path: 'memory/MEMORY.md' }),
  ]);

  it('has the tokens', () => {
    expect(copyNote(payload, undefined)).toMatch(/^[\d,]+ tokens$/);
  });

  it('says what the last copy of this payload masked, and in which sections, by the names of their rows', () => {
    expect(copyNote(payload, { keys: 1, sectionIds: ['git'] })).toMatch(/ tokens, 1 key masked in git$/);
    const two = copyNote(payload, { keys: 3, sectionIds: ['memory', 'git'] });
    expect(two).toMatch(/ tokens, 3 keys masked in MEMORY\.md, git$/);
  });

  it('names no section where the key stands in none', () => {
    expect(copyNote(payload, { keys: 1, sectionIds: ['expanded'] })).toMatch(/ tokens, 1 key masked$/);
    expect(copyNote(payload, { keys: 2, sectionIds: ['git', 'expanded'] })).toMatch(/ tokens, 2 keys masked$/);
  });

  it('says that there is nothing to copy, once that is known', () => {
    const empty = [sectionOf({ id: 'git', tokens: 0 })];
    expect(copyNote(payloadOf(empty), undefined)).toBe('Nothing to copy: no section has text.');
    expect(copyNote(payloadOf(empty, { isExact: false }), undefined)).toBe('≈0 tokens');
  });
});
