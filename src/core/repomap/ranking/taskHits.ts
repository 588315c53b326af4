/** Which words of the workspace a term of a task stands for, and how often it occurs by definition and by file. */

import { type IndexedFile, type NumberedFile, STRING_WEIGHT } from '../index/indexedFile';
import type { TermWords } from '../index/vocabulary';
import { PostingReader } from '../index/wordPostings';
import type { QueryTerm } from './query';
import { addTo, ownerOf, type TaskCorpus } from './taskCorpus';
import type { TaskWeights } from './taskWeights';

/** Occurrences of one term; parallel lists. */
export interface TermHits {
  readonly query: QueryTerm;
  /** Corpus-wide numbers, ascending within each file. */
  readonly definitions: number[];
  /** Weighted occurrences, boosts for names included. */
  readonly counts: number[];
  /** Definitions whose own lines hold the term, those likely to in scanned files included. */
  holders: number;
  /** Positions in `corpus.files`, ascending. */
  readonly files: number[];
  readonly fileCounts: number[];
  /** Words that are the term but for their endings, by file as well. */
  readonly stemFiles: number[];
  readonly stemCounts: number[];
  /** Occurrences of the term itself in all files, and those of them in comments. */
  total: number;
  inComments: number;
  /** Files of words alone that hold the term, stems included, and how often. */
  readonly scannedFiles: number[];
  readonly scannedCounts: number[];
}

/** What was found among the words of the same files before some of them were opened. */
export interface HitsBefore {
  readonly corpus: TaskCorpus;
  readonly hits: readonly TermHits[];
}

/** BM25's `idf`, never negative. */
export function inverseFrequency(total: number, holders: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
}

/** What a term says about code: less where the repository has it in comments alone, as words of prose are. */
export function codeShare({ total, inComments }: TermHits, weights: TaskWeights): number {
  return 1 - (weights.prose * inComments) / (total + 1);
}

/** Counts of one term in the file at hand. */
class Tally {
  counts = new Float32Array(64);
  boosts = new Float32Array(64);
  readonly touched: number[] = [];
  term = 0;
  fileCount = 0;
  commentCount = 0;
  stemCount = 0;
  /** Occurrences that belong to no definition. */
  ownCount = 0;

  open(term: number, size: number): void {
    if (this.counts.length < size) {
      this.counts = new Float32Array(size * 2);
      this.boosts = new Float32Array(size * 2);
    }
    this.term = term;
  }

  add(definition: number, count: number): void {
    this.#touch(definition);
    this.counts[definition] = (this.counts[definition] as number) + count;
  }

  boost(definition: number, by: number): void {
    this.#touch(definition);
    this.boosts[definition] = Math.max(this.boosts[definition] as number, by);
  }

  close(): void {
    for (const definition of this.touched) {
      this.counts[definition] = 0;
      this.boosts[definition] = 0;
    }
    this.touched.length = 0;
    this.fileCount = this.commentCount = this.stemCount = this.ownCount = 0;
  }

  #touch(definition: number): void {
    if (this.counts[definition] === 0 && this.boosts[definition] === 0) this.touched.push(definition);
  }
}

/** A word stands for a term: as a part or whole, or by its stem. */
interface Sense {
  readonly term: number;
  readonly isStem: boolean;
}

function sensesOf(corpus: TaskCorpus, terms: readonly QueryTerm[]): ReadonlyMap<number, readonly Sense[]> {
  const senses = new Map<number, Sense[]>();
  const words = corpus.index.vocabulary.wordsOf(terms.map(({ term }) => term));
  terms.forEach(({ isStem }, at) => {
    const { exact, stems } = words[at] as TermWords;
    for (const word of exact) addTo(senses, word, { term: at, isStem });
    for (const word of stems) addTo(senses, word, { term: at, isStem: true });
  });
  return senses;
}

/** How many of `definitions` hold a term that occurs `count` times, if it falls anywhere with the same chance. */
function likelyHolders(definitions: number, count: number): number {
  return definitions === 0 || count === 0 ? 0 : definitions * (1 - (1 - 1 / Math.max(1.01, definitions)) ** count);
}

class HitCollector {
  readonly hits: readonly TermHits[];
  readonly #senses: ReadonlyMap<number, readonly Sense[]>;
  readonly #flags: Uint8Array;
  readonly #reader = new PostingReader();
  readonly #tallies: Tally[] = [];
  readonly #tallyOf: Int32Array;
  /** The files that hold each term are known: what is looked for is the definitions. */
  readonly #hasFiles: boolean;
  #open = 0;

  constructor(
    private readonly corpus: TaskCorpus,
    terms: readonly QueryTerm[],
    private readonly weights: TaskWeights,
    before?: readonly TermHits[],
  ) {
    this.#senses = sensesOf(corpus, terms);
    this.#flags = new Uint8Array(corpus.index.vocabulary.size);
    for (const word of this.#senses.keys()) this.#flags[word] = 1;
    this.#tallyOf = new Int32Array(terms.length).fill(-1);
    this.#hasFiles = before !== undefined;
    this.hits = terms.map((query, at) => {
      const known = before?.[at];
      return {
        query,
        definitions: [],
        counts: [],
        holders: 0,
        files: known?.files ?? [],
        fileCounts: known?.fileCounts ?? [],
        stemFiles: known?.stemFiles ?? [],
        stemCounts: known?.stemCounts ?? [],
        total: known?.total ?? 0,
        inComments: known?.inComments ?? 0,
        scannedFiles: known?.scannedFiles ?? [],
        scannedCounts: known?.scannedCounts ?? [],
      };
    });
  }

  file(each: NumberedFile, fileAt: number): void {
    const { file, base } = each;
    const { words } = file;
    const flags = this.#flags;
    // Most files hold no word that stands for a term, and their postings are not read.
    let next = 0;
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as number;
      if (flags[word] !== 1) continue;
      if (next === 0) this.#reader.open(file.postings);
      this.#reader.nextWord(at - next);
      next = at + 1;
      this.#word(each, this.#senses.get(word) ?? []);
    }
    if (this.#open > 0) this.#boostNames(file);
    for (let at = 0; at < this.#open; at++) this.#flush(this.#tallies[at] as Tally, base, fileAt);
    this.#open = 0;
  }

  #word({ file, base }: NumberedFile, senses: readonly Sense[]): void {
    const count = file.facts.definitionCount;
    const reader = this.#reader;
    const tallies = senses.map(({ term }) => this.#tally(term, count));
    while (reader.next()) {
      const amount = reader.code + reader.comment + STRING_WEIGHT * reader.string;
      const { owner } = reader;
      const sharer = owner >= 0 && owner < count ? (this.corpus.sharers[base + owner] as number) - base : -1;
      for (let at = 0; at < senses.length; at++) {
        const { isStem } = senses[at] as Sense;
        const tally = tallies[at] as Tally;
        if (isStem) tally.stemCount += amount;
        else {
          tally.fileCount += amount;
          tally.commentCount += reader.comment;
        }
        const share = isStem ? amount * this.weights.stems : amount;
        if (share === 0) continue;
        if (owner < 0 || owner >= count) {
          tally.ownCount += share;
          continue;
        }
        tally.add(owner, share);
        if (sharer >= 0) tally.add(sharer, share);
      }
    }
  }

  #tally(term: number, definitionCount: number): Tally {
    const known = this.#tallyOf[term] as number;
    if (known >= 0 && known < this.#open) {
      const tally = this.#tallies[known] as Tally;
      if (tally.term === term) return tally;
    }
    const at = this.#open++;
    this.#tallyOf[term] = at;
    this.#tallies[at] ??= new Tally();
    const tally = this.#tallies[at];
    tally.open(term, definitionCount);
    return tally;
  }

  /** A name says what a definition is for; the class's name counts only where the definition itself says something. */
  #boostNames(file: IndexedFile): void {
    const count = file.facts.definitionCount;
    const isHit = new Uint8Array(count);
    for (let at = 0; at < this.#open; at++) for (const hit of (this.#tallies[at] as Tally).touched) isHit[hit] = 1;
    for (let index = 0; index < count; index++) {
      if (isHit[index] === 0) continue;
      this.#boost(index, file.nameWords[index] as number, this.weights.nameBoost, count);
      const owner = ownerOf(file.definitions, index);
      if (owner >= 0) this.#boost(index, file.nameWords[owner] as number, this.weights.ownerBoost, count);
    }
  }

  #boost(index: number, word: number, by: number, definitionCount: number): void {
    if (by === 0 || this.#flags[word] !== 1) return;
    for (const { term, isStem } of this.#senses.get(word) ?? []) {
      const share = isStem ? by * this.weights.stems : by;
      if (share > 0) this.#tally(term, definitionCount).boost(index, share);
    }
  }

  #flush(tally: Tally, base: number, fileAt: number): void {
    const hits = this.hits[tally.term] as TermHits;
    for (const index of tally.touched) {
      const count = tally.counts[index] as number;
      if (count > 0) hits.holders++;
      hits.definitions.push(base + index);
      hits.counts.push(count + (tally.boosts[index] as number));
    }
    if (!this.#hasFiles) {
      if (tally.ownCount > 0 && (this.corpus.guessed[fileAt] as number) > 0) {
        hits.scannedFiles.push(fileAt);
        hits.scannedCounts.push(tally.ownCount);
      }
      if (tally.fileCount > 0) {
        hits.files.push(fileAt);
        hits.fileCounts.push(tally.fileCount);
        hits.total += tally.fileCount;
        hits.inComments += tally.commentCount;
      }
      if (tally.stemCount > 0) {
        hits.stemFiles.push(fileAt);
        hits.stemCounts.push(tally.stemCount);
      }
    }
    tally.close();
  }
}

/**
 * Occurrences of each term over the corpus. Linear in the files' words and in what matches.
 * @param before of the same files as words alone: then only those that were opened are looked at
 */
export function collectHits(
  corpus: TaskCorpus,
  terms: readonly QueryTerm[],
  weights: TaskWeights,
  before?: HitsBefore,
): readonly TermHits[] {
  const collector = new HitCollector(corpus, terms, weights, before?.hits);
  for (const [at, each] of corpus.files.entries()) {
    if (before && each.file.facts.definitionCount === 0) continue;
    collector.file(each, at);
  }
  for (const hits of collector.hits) {
    hits.scannedFiles.forEach((file, at) => {
      hits.holders += likelyHolders(corpus.guessed[file] as number, hits.scannedCounts[at] as number);
    });
  }
  return collector.hits;
}
