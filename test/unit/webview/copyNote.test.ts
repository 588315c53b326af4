import { describe, expect, it } from 'vitest';
import { copyNote } from '../../../webview/copyNote';
import { payloadOf, sectionOf } from '../../support/panelSnapshots';

describe('the note beside the copy button', () => {
  const payload = payloadOf([
    sectionOf({ id: 'git' }),
    sectionOf({ id: 'memory', title: 'memory/MEMORY.md', path: 'memory/MEMORY.md' }),
    sectionOf({ id: 'old', disclosure: 'omitted' }),
  ]);

  it('has the tokens, and how many sections are left out', () => {
    expect(copyNote(payload, undefined)).toMatch(/^[\d,]+ tokens · 1 section left out$/);
  });

  it('says what the last copy of this payload masked, and in which sections, by the names of their rows', () => {
    const one = copyNote(payload, { keys: 1, sectionIds: ['git'] });
    expect(one).toMatch(/ tokens · 1 key masked in git · 1 section left out$/);
    const two = copyNote(payload, { keys: 3, sectionIds: ['memory', 'git'] });
    expect(two).toMatch(/ · 3 keys masked in MEMORY\.md, git · /);
  });

  it('names no section where the key stands in none', () => {
    expect(copyNote(payload, { keys: 1, sectionIds: ['expanded'] })).toMatch(/ · 1 key masked · 1 section/);
    expect(copyNote(payload, { keys: 2, sectionIds: ['git', 'expanded'] })).toMatch(/ · 2 keys masked · 1 section/);
  });
});
