/**
 * Which sections a text says in other words: a sentence of the text, or two neighbours, that has most of the words of one
 * sentence of a section and little else. Nearly all words in common tell more than a few rare ones: ordinary words count
 * here, and a long sentence that merely touches a rule does not. The same order of words tells more.
 */
import { isUnspaced } from '../../text/terms';
import type { CitableSection } from './citablePayload';
import { PROPER_NAME, withoutPaths } from './keywordIndex';
import { keywordTerms, type Term } from './keywordTerms';
import { named, type VerbatimMatch } from './verbatim';

const SENTENCE_END = /\n+|(?<=[.!?])\s+|(?<=[。！？])/u;
/** A command is said as it is or not at all; a heading is a name. */
const UNSAID = /`[^`\n]*`|^#{1,6} \S.*$/gmu;
/** A word of more sentences is what all of them are about; a sentence of more words is none. Bounds the cost. */
const MAX_EACH = 60;
/** Words that both have, at least; a pair of characters is half a word. */
const LEAST_WORDS = 4;
/** Of a word's weight, what every word has, however ordinary. */
const ANY_WORD = 0.15;
/** More weight in common says no more. */
const ENOUGH = 1.5;
/** Names of one trade stand together anyway: all of them weigh no more than one. */
const MAX_NAMES = 1;
/** Σ weight of the words as they are: `caching needs metadata` is everybody's. */
const LEAST_TOLD = 1.2;
/** So many may be ordinary all. */
const MANY_WORDS = 5;
/** Two words that follow each other in both sentences are more than two: so much more weight and share. */
const NEIGHBOUR_TELLS = 0.15;
/** Weight of a word that is neither ordinary nor technical. */
const LEAST_UNCOMMON = 0.5;
/** √(share of the section's sentence · share of the text's) · weight in common, at most `ENOUGH`. */
const LEAST_SAID = 0.65;

/** A folder of one segment, as `specs/`: a name, unless every project has it. */
const FOLDER = /(?<![\p{L}\p{N}./_-])[a-z][\w-]{1,30}\/(?!\.?[\p{L}\p{N}*<{])/gu;
const COMMON_FOLDER =
  /^(?:app|assets|bin|build|client|cmd|components|config|core|dist|doc|docs|e2e|examples|lib|logs|node_modules|pages|public|scripts|server|src|static|target|test|tests|tmp|tools|utils|vendor)\/$/u;

type Words = ReadonlyMap<string, Term>;

/** A name of a person or a thing, where it begins no sentence. */
function isName({ text, weight, position }: Term): boolean {
  return text.endsWith('/') || (position > 0 && weight >= 0.6 && PROPER_NAME.test(text));
}

function sentencesOf(text: string): readonly string[] {
  // A span without blanks is a word; spans are read in pairs of marks, so that what stands between two is kept.
  return text.replace(UNSAID, (span) => (/\s/u.test(span) ? ' ' : span)).split(SENTENCE_END);
}

/** Words of a sentence by their stem, identifiers whole; a name may be short. */
function wordsOf(text: string): Words {
  const words = new Map<string, Term>();
  let last: Term | undefined;
  for (const term of keywordTerms(withoutPaths(text))) {
    if (term.word !== last?.word || term.text !== last.text)
      words.set(term.key, isName(term) ? { ...term, weight: 1 } : term);
    last = term;
  }
  for (const [folder] of text.matchAll(FOLDER)) {
    const place = { position: Number.POSITIVE_INFINITY, word: -1 };
    if (!COMMON_FOLDER.test(folder)) words.set(folder, { key: folder, text: folder, weight: 1, ...place });
  }
  return words;
}

/** How many of the terms follow each other in both sentences, whatever stop words stand between; of ordinary words none. */
function neighboursOf(terms: readonly Term[], said: Words, sentence: Words): number {
  const placesOf = (words: Words): ReadonlyMap<string, number> =>
    new Map([...words.keys()].map((key, at) => [key, at]));
  const [here, there] = [placesOf(said), placesOf(sentence)];
  const follows = (places: ReadonlyMap<string, number>, a: string, b: string): boolean =>
    (places.get(b) ?? 0) - (places.get(a) ?? 0) === 1;
  if (!terms.some(({ weight }) => weight >= LEAST_UNCOMMON)) return 0;
  return terms.filter(({ key, text }, at) => {
    const before = terms[at - 1];
    if (!before || isUnspaced(text)) return false;
    return follows(here, before.key, key) && follows(there, before.key, key);
  }).length;
}

/** Sentences of a payload. Building is linear; asking is in the text, times the sentences that share a word. */
export class Paraphrases {
  readonly #sentences: { readonly section: number; readonly words: Words }[] = [];
  /** Sentences by their words. */
  readonly #places = new Map<string, number[]>();

  constructor(sections: readonly CitableSection[]) {
    sections.forEach(({ text, isInventory }, section) => {
      for (const sentence of isInventory ? [] : sentencesOf(text.normalize('NFKC'))) {
        const words = wordsOf(sentence);
        if (words.size > MAX_EACH) continue;
        for (const key of words.keys()) {
          const places = this.#places.get(key);
          if (places) places.push(this.#sentences.length);
          else this.#places.set(key, [this.#sentences.length]);
        }
        this.#sentences.push({ section, words });
      }
    });
  }

  /** @param text what a reply says itself. @param asked words of the task, which say nothing */
  find(text: string, asked: ReadonlySet<string>): readonly VerbatimMatch[] {
    const said = sentencesOf(text).map((sentence) => [...wordsOf(sentence)].filter(([key]) => !asked.has(key)));
    return said.flatMap((words, at) =>
      [words, [...words, ...(said[at + 1] ?? [])]].flatMap((each) => this.#best(new Map(each), asked) ?? []),
    );
  }

  #weightOf({ key, weight }: Term): number {
    const all = this.#sentences.length;
    const rarity = Math.log1p(all / (this.#places.get(key)?.length ?? 1)) / Math.log1p(all);
    return (ANY_WORD + (1 - ANY_WORD) * weight) * rarity;
  }

  #best(said: Words, asked: ReadonlySet<string>): VerbatimMatch | undefined {
    const shared = new Map<number, Term[]>();
    for (const term of said.values()) {
      const places = this.#places.get(term.key) ?? [];
      for (const place of places.length > MAX_EACH ? [] : places) {
        const terms = shared.get(place);
        if (terms) terms.push(term);
        else shared.set(place, [term]);
      }
    }
    let best: VerbatimMatch | undefined;
    let most = LEAST_SAID;
    const sum = (terms: Iterable<Term>): number => {
      let all = 0;
      for (const term of terms) if (!asked.has(term.key)) all += this.#weightOf(term);
      return all;
    };
    const whole = sum(said.values());
    for (const [place, terms] of shared) {
      const sentence = this.#sentences[place];
      if (!sentence) continue;
      const neighbours = neighboursOf(terms, said, sentence.words);
      const count = terms.reduce((words, term) => words + (isUnspaced(term.text) ? 0.5 : isName(term) ? 2 : 1), 0);
      const told = terms.reduce((all, { weight }) => all + weight, NEIGHBOUR_TELLS * neighbours);
      if (count < LEAST_WORDS || (told < LEAST_TOLD && count < MANY_WORDS)) continue;
      const names = sum(terms.filter(isName));
      const common = sum(terms) - Math.max(0, names - MAX_NAMES);
      const share = common / Math.sqrt(whole * sum(sentence.words.values()));
      const score = share * Math.min(common, ENOUGH) * (1 + NEIGHBOUR_TELLS * neighbours);
      if (score < most) continue;
      most = score;
      best = { section: sentence.section, words: named(terms.map(({ text }) => text).join(' ')) };
    }
    return best;
  }
}
