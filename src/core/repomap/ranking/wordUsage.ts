import { extensionOf } from '../facts/languages';
import type { RepoIndex } from '../index/repoIndex';

/**
 * What the code of a workspace has to do with a word. `defined`: a definition's name. `used`: it stands in some file
 * that is not prose, be it in a comment or string, in another case or with other underscores. `unknown`: nowhere.
 */
export type WordStanding = 'defined' | 'used' | 'unknown';

/** What speaks about code and is none: a word that only stands there may be gone. */
const PROSE: ReadonlySet<string> = new Set([
  '.md',
  '.mdx',
  '.mdc',
  '.markdown',
  '.txt',
  '.rst',
  '.adoc',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
]);

/** `fooBar`, `foo_bar` and `FOO_BAR` are one name in files that take it over from each other. */
function folded(word: string): string {
  return word.replace(/[_$]/g, '').toLowerCase();
}

/** Separators that another way of writing a word may have more than this one. */
const MORE_SEPARATORS = 8;

/** The standing of each word. One pass over the words of all files; then over the vocabulary, for words not found. */
export function wordStandings(index: RepoIndex, words: readonly string[]): readonly WordStanding[] {
  const { vocabulary } = index;
  const held = new Uint8Array(vocabulary.size);
  for (const file of index.files) {
    if (PROSE.has(extensionOf(file.path))) continue;
    for (const word of file.words) held[word] ||= 1;
    for (const name of file.nameWords) held[name] = 2;
  }
  const standings = words.map((word): WordStanding => {
    const id = vocabulary.find(word);
    const mark = id === undefined ? 0 : held[id];
    return mark === 2 ? 'defined' : mark === 1 ? 'used' : 'unknown';
  });
  const missing = new Set(words.filter((_, at) => standings[at] === 'unknown').map(folded));
  if (missing.size === 0) return standings;
  const alike = heldAlike(index, held, missing);
  return standings.map((standing, at) =>
    standing === 'unknown' && alike.has(folded(words[at] as string)) ? 'used' : standing,
  );
}

/** Those of the folded words that the code has in another way of writing. */
function heldAlike({ vocabulary }: RepoIndex, held: Uint8Array, missing: ReadonlySet<string>): ReadonlySet<string> {
  const lengths = [...missing].map(({ length }) => length);
  const shortest = Math.min(...lengths);
  const longest = Math.max(...lengths) + MORE_SEPARATORS;
  const found = new Set<string>();
  for (let id = 0; id < held.length; id++) {
    if (held[id] === 0) continue;
    const word = vocabulary.wordOf(id);
    if (word.length < shortest || word.length > longest) continue;
    const plain = folded(word);
    if (missing.has(plain)) found.add(plain);
  }
  return found;
}
