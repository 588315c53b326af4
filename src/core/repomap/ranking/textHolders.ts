/** Which definitions hold the words of a text, such as a message or a name. Their lines are the host's to read. */
import type { TextHolders } from '../../model/repoMap';
import { STOP_WORDS, splitIdentifier, stemOf } from '../../text/terms';
import type { Definition } from '../facts/types';
import type { IndexedFile } from '../index/indexedFile';
import type { PathClass } from '../index/pathClass';
import type { RepoIndex } from '../index/repoIndex';
import { NO_OWNER, PostingReader } from '../index/wordPostings';
import { isInTests } from './mentions';

/** Words of a text that are looked for. */
const MAX_WORDS = 12;
/** Definitions that are told: their files are read. */
const MAX_HOLDERS = 40;
/** Share of all words' weight that a definition must hold. */
const MIN_SHARE = 0.5;
/** What a place is worth of one in the source. */
const PLACE_WEIGHT: Readonly<Record<PathClass, number>> = {
  ...{ source: 1, example: 0.5, tooling: 0.5, test: 0.4, docs: 0.4, generated: 0.2, vendored: 0.2 },
};

/** The longest known beginning or end of a name, of two parts at least; else all its parts. */
function partsOf(written: string, isKnown: (word: string) => boolean): readonly string[] {
  const pieces = [...written.matchAll(/[\p{Lu}\d]*[\p{Ll}\d]+|\p{Lu}+/gu)];
  for (let count = pieces.length - 1; count >= 2; count--)
    for (const first of [0, pieces.length - count]) {
      const last = pieces[first + count - 1];
      const word = written.slice(pieces[first]?.index, last && last.index + last[0].length).toLowerCase();
      if (isKnown(word)) return [word];
    }
  return splitIdentifier(written);
}

/** The words of a text in lower case, without those that say nothing; the parts of a word that no file holds. */
function wordsOfText(text: string, isKnown: (word: string) => boolean): readonly string[] {
  const isTelling = (word: string): boolean => word.length >= 2 && word.length <= 60 && !STOP_WORDS.has(word);
  const words = (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).flatMap((written) => {
    const word = written.toLowerCase();
    return !isTelling(word) || isKnown(word) ? [word] : partsOf(written, isKnown);
  });
  return [...new Set(words.filter(isTelling))].slice(0, MAX_WORDS);
}

interface Holder {
  readonly file: IndexedFile;
  readonly index: number;
  score: number;
}

/** The type that a definition outside of it belongs to, in the same file. */
function typeOf(file: IndexedFile, definition: Definition | undefined): TextHolders['holders'][number]['type'] {
  if (!definition) return undefined;
  const { scope, parent, lineStart, lineEnd } = definition;
  const type =
    file.definitions[parent] ??
    file.definitions.find((each) => scope !== undefined && each.name === scope && each.scope === undefined);
  if (!type || (type.lineStart <= lineStart && type.lineEnd >= lineEnd)) return undefined;
  return { name: type.name, line: type.lineStart };
}

/** Which of the words, by their stems, a path has among its own. */
function wordsOfPath(path: string, stems: ReadonlyMap<string, number>): readonly number[] {
  const pieces = path.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const parts = new Set(
    pieces.flatMap((piece) => [stemOf(piece.toLowerCase()), ...splitIdentifier(piece).map(stemOf)]),
  );
  return [...parts].flatMap((part) => stems.get(part) ?? []);
}

/** What each definition of a file holds of the words, with those that its path holds, as a sum of their weights. */
function weighFile(
  { file, ofPath }: { readonly file: IndexedFile; readonly ofPath: readonly number[] },
  wordsAt: ReadonlyMap<number, readonly number[]>,
  weights: readonly number[],
): readonly Holder[] {
  const held = new Map<number, Set<number>>();
  const reader = new PostingReader();
  reader.open(file.postings);
  for (const word of file.words) {
    reader.nextWord();
    const wanted = wordsAt.get(word);
    while (wanted && reader.next()) {
      const known = held.get(reader.owner) ?? new Set<number>();
      held.set(reader.owner, known);
      for (const each of wanted) known.add(each);
    }
  }
  return [...held].map(([index, words]) => ({
    ...{ file, index },
    score: [...new Set([...words, ...ofPath])].reduce((sum, word) => sum + (weights[word] ?? 0), 0),
  }));
}

/**
 * The definitions that hold most of a text's words, in any form of them, in code, comments, strings or the file's path, those of sources first. A word counts
 * by how few files hold it; one that none holds does not count. Linear in the words of all files.
 */
export function findHolders(index: RepoIndex, text: string): TextHolders {
  const words = wordsOfText(text, (word) =>
    index.vocabulary.wordsOf([word, stemOf(word)]).some(({ exact, stems: alike }) => exact.length + alike.length > 0),
  );
  const stems = index.vocabulary.wordsOf(words.map(stemOf));
  const wordsAt = new Map<number, number[]>();
  index.vocabulary.wordsOf(words).forEach(({ exact }, word) => {
    const { exact: ofStem = [], stems: alike = [] } = stems[word] ?? {};
    for (const id of new Set([...exact, ...ofStem, ...alike])) wordsAt.set(id, [...(wordsAt.get(id) ?? []), word]);
  });
  const counts = words.map(() => 0);
  const files: { readonly file: IndexedFile; readonly ofPath: readonly number[] }[] = [];
  const byStem = new Map(words.map((word, at) => [stemOf(word), at]));
  for (const file of index.files) {
    const seen = new Set<number>();
    for (const id of file.words) for (const word of wordsAt.get(id) ?? []) seen.add(word);
    if (seen.size === 0) continue;
    const ofPath = wordsOfPath(file.path, byStem);
    for (const word of new Set([...seen, ...ofPath])) counts[word] = (counts[word] as number) + 1;
    if (file.hasPostings) files.push({ file, ofPath });
  }
  const weights = counts.map((count) => (count === 0 ? 0 : Math.log(1 + index.files.length / count)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const holders = files
    .flatMap((each) => weighFile(each, wordsAt, weights))
    .filter(({ score }) => score >= total * MIN_SHARE)
    .map(({ file, index: at, score }) => {
      const worth = PLACE_WEIGHT[isInTests(file, at) ? 'test' : file.pathClass];
      return { file, index: at, worth, score: score * worth };
    })
    .sort(
      (a, b) =>
        b.score - a.score || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.index - b.index),
    );
  return {
    words: words.flatMap((word, at) => ((counts[at] as number) > 0 ? [{ word, weight: weights[at] as number }] : [])),
    holders: holders.slice(0, MAX_HOLDERS).map(({ file, index: at, worth }) => {
      const definition = at === NO_OWNER ? undefined : file.definitions[at];
      return {
        ...{ path: file.path, name: definition ? (file.qualifiedNames[at] ?? definition.name) : '', worth },
        ...{ lineStart: definition?.lineStart ?? 1, lineEnd: definition?.lineEnd ?? file.facts.lineCount },
        type: typeOf(file, definition),
      };
    }),
    total: holders.length,
  };
}
