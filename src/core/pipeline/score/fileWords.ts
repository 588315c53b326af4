/**
 * How well the words of a task match those of files: BM25 with the weights of the map (`repomap/ranking`), over whole files
 * and over their passages. Chinese is matched by pairs of characters. Which files come first is decided by `rankFiles.ts`.
 */

import type { FolderFile } from '../../model/section';
import { type QueryTerm, WORD } from '../../repomap/ranking/query';
import { inverseFrequency } from '../../repomap/ranking/taskHits';
import { TASK_WEIGHTS } from '../../repomap/ranking/taskWeights';
import { isUnspaced, splitIdentifier, stemOf } from '../../text/terms';

/** BM25, of files and passages alike; their usual values. */
const K1 = 1.2;
const B = 0.75;

/** As much is searched of one file, half of it from the end: a log's newest entries are at either end. */
const MAX_BODY_CHARS = 40_000;

/** A heading with the lines below it, or as much of them: what one entry of a log is. */
interface Passage {
  readonly start: number;
  /** Where its heading ends; `start` without one. */
  readonly headEnd: number;
  readonly end: number;
  /** By term; undefined where it has none. */
  counts?: Float64Array;
}

/** A passage ends behind the line that makes it longer. */
const PASSAGE_CHARS = 600;

function passagesOf(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let [start, headEnd] = [0, 0];
  const close = (end: number): void => {
    if (end > start) passages.push({ start, headEnd, end });
    start = headEnd = end;
  };
  for (let line = 0; line < text.length; ) {
    const found = text.indexOf('\n', line);
    const end = found < 0 ? text.length : found + 1;
    const isHeading = text[line] === '#' && /^#{1,6}\s/.test(text.slice(line, line + 7));
    if (isHeading || line - start >= PASSAGE_CHARS) close(line);
    if (isHeading) headEnd = end;
    line = end;
  }
  close(text.length);
  return passages;
}

/** A word from the first to the last character that belongs to it; scripts without spaces have none. */
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_$]/u;

function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128)
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  const character = text[index] ?? '';
  return WORD_CHARACTER.test(character) && !isUnspaced(character);
}

/** A file's text with what of the query stands where. */
interface FileHits {
  /** By term, with what its names say. */
  readonly counts: Float64Array;
  readonly passages: readonly Passage[];
  readonly chars: number;
}

/** Looks for terms in texts. To look for a word costs a tenth of taking a text apart, and most texts have none. */
class TermFinder {
  readonly #terms = new Map<string, number>();
  readonly #needles: readonly string[];
  readonly #known = new Map<string, readonly number[]>();

  constructor(private readonly query: readonly QueryTerm[]) {
    query.forEach(({ term }, at) => {
      this.#terms.set(term, at);
    });
    // `queries` has the stem `query`.
    this.#needles = query.map(({ term }) => (term.length > 2 && term.endsWith('y') ? term.slice(0, -1) : term));
  }

  find({ text, title, path, keywords }: FolderFile): FileHits {
    const half = MAX_BODY_CHARS / 2;
    const body = text.length <= MAX_BODY_CHARS ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
    const passages = passagesOf(body);
    const counts = new Float64Array(this.query.length);
    const lower = body.toLowerCase();
    // A few letters are longer in lower case; without capitals names are not split, and nothing else is lost.
    const words = lower.length === body.length ? body : lower;
    for (const [term, needle] of this.#needles.entries()) this.#count(term, needle, lower, words, passages);
    for (const passage of passages)
      for (let term = 0; passage.counts && term < counts.length; term++)
        counts[term] = at(counts, term) + at(passage.counts, term);
    this.#boost(counts, title, TASK_WEIGHTS.nameBoost);
    this.#boost(counts, `${path.replace(/\.\w+$/u, '')} ${keywords.join(' ')}`, TASK_WEIGHTS.pathTerm);
    return { counts, passages, chars: text.length };
  }

  /** Each word that stands for the term, twice in a heading. */
  #count(term: number, needle: string, lower: string, words: string, passages: readonly Passage[]): void {
    const isPart = isUnspaced(needle);
    let place = 0;
    for (let hit = lower.indexOf(needle); hit >= 0; ) {
      let [start, end] = [hit, hit + needle.length];
      while (!isPart && start > 0 && isWordAt(words, start - 1)) start--;
      while (!isPart && end < words.length && isWordAt(words, end)) end++;
      if (isPart || this.#termsOf(words.slice(start, end)).includes(term)) {
        while ((passages[place]?.end ?? Number.POSITIVE_INFINITY) <= start) place++;
        const passage = passages[place];
        if (passage) {
          passage.counts ??= new Float64Array(this.query.length);
          passage.counts[term] = at(passage.counts, term) + (start < passage.headEnd ? 2 : 1);
        }
      }
      hit = lower.indexOf(needle, end);
    }
  }

  /** A name says what a file is about: each term in it once. */
  #boost(counts: Float64Array, name: string, by: number): void {
    const found = new Set((name.match(WORD) ?? []).flatMap((word) => this.#termsOf(word)));
    for (const term of found) counts[term] = at(counts, term) + by;
  }

  /** Terms that a word stands for: whole, by its parts, by their stems. */
  #termsOf(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known) return known;
    const parts = splitIdentifier(word);
    const spellings = new Set([...parts, ...parts.map(stemOf), word.toLowerCase()]);
    const terms = [...spellings].flatMap((spelling) => this.#terms.get(spelling) ?? []);
    this.#known.set(word, terms);
    return terms;
  }
}

function at(list: Float64Array, index: number): number {
  return list[index] ?? 0;
}

/** BM25 of terms by how often they occur; `length` in mean lengths. */
function bm25(counts: Float64Array, length: number, worths: readonly number[]): number {
  let score = 0;
  for (const [term, worth] of worths.entries()) {
    const count = at(counts, term);
    if (count > 0) score += (worth * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
  }
  return score;
}

/** In shares of the best. */
function relative(scores: readonly number[]): readonly number[] {
  const best = scores.reduce((most, score) => Math.max(most, score), 0) || 1;
  return scores.map((score) => score / best);
}

/**
 * How well each file's words match, 0…1: half the whole file, half its best passage, since a day's log is about many
 * things. `telling` says whether a file has any word that half of the files do not have.
 */
export function wordScores(files: readonly FolderFile[], query: readonly QueryTerm[]) {
  const finder = new TermFinder(query);
  const hits = files.map((file) => finder.find(file));
  const chars = hits.reduce((sum, each) => sum + each.chars, 0);
  const meanFile = chars / files.length || 1;
  const meanPassage = chars / hits.reduce((sum, { passages }) => sum + passages.length, 0) || 1;
  const holders = query.map((_, term) => hits.filter(({ counts }) => at(counts, term) > 0).length);
  const worths = query.map(({ weight }, term) => weight * inverseFrequency(files.length, holders[term] ?? 0));
  const wholes = hits.map((each) => bm25(each.counts, each.chars / meanFile, worths));
  const bests = hits.map(({ passages }) =>
    passages.reduce((best, { counts, start, end }) => {
      return counts ? Math.max(best, bm25(counts, (end - start) / meanPassage, worths)) : best;
    }, 0),
  );
  const [byFile, byPassage] = [relative(wholes), relative(bests)];
  const telling = hits.map(({ counts }) =>
    holders.some((count, term) => at(counts, term) > 0 && (count * 2 <= files.length || files.length < 4)),
  );
  return { scores: byFile.map((score, file) => (score + (byPassage[file] ?? 0)) / 2), telling };
}
