/**
 * Which sections a text says in other words: a sentence of the text, or two neighbours, that has most of the words of one
 * sentence of a section and little else. Nearly all words in common tell more than a few rare ones: ordinary words count
 * here, and a long sentence that merely touches a rule does not.
 */
import { isUnspaced } from '../../text/terms';
import type { CitableSection } from './citablePayload';
import { PROPER_NAME, withoutPaths } from './keywordIndex';
import { keywordTerms, type Term } from './keywordTerms';
import { named, type VerbatimMatch } from './verbatim';

const SENTENCE_END = /\n+|(?<=[.!?])\s+|(?<=[。！？])/u;
/** A command is said as it is or not at all; a heading is a name. */
const UNSAID = /`[^`\n]*\s[^`\n]*`|^[ \t]*#.*$/gmu;
/** A word of more sentences is what all of them are about. Bounds the cost. */
const MAX_SENTENCES = 60;
/** Words that both have, at least; a pair of characters is half a word. */
const LEAST_WORDS = 4;
/** Of a word's weight, what every word has, however ordinary. */
const ANY_WORD = 0.15;
/** More weight in common says no more. */
const ENOUGH = 1.5;
/** Names of one trade stand together anyway: all of them weigh no more than this. */
const MAX_NAMES = 0.6;
/** Σ weight of the words as they are: `caching needs metadata` is everybody's. */
const LEAST_TOLD = 1.2;
/** √(share of the section's sentence · share of the text's) · weight in common, at most `ENOUGH`. */
const LEAST_SAID = 0.7;

type Words = ReadonlyMap<string, Term>;

/** Words of a sentence by their stem, identifiers whole. */
function wordsOf(text: string): Words {
  const words = new Map<string, Term>();
  let last: Term | undefined;
  for (const term of keywordTerms(withoutPaths(text.replace(UNSAID, ' ')))) {
    if (term.word !== last?.word || term.text !== last.text) words.set(term.key, term);
    last = term;
  }
  return words;
}

/** Sentences of a payload. Building is linear; asking is in the text, times the sentences that share a word. */
export class Paraphrases {
  readonly #sentences: { readonly section: number; readonly words: Words }[] = [];
  /** Sentences by their words. */
  readonly #places = new Map<string, number[]>();

  constructor(sections: readonly CitableSection[]) {
    sections.forEach(({ text, isInventory }, section) => {
      for (const sentence of isInventory ? [] : text.normalize('NFKC').split(SENTENCE_END)) {
        const words = wordsOf(sentence);
        for (const key of words.keys()) {
          const places = this.#places.get(key);
          if (places) places.push(this.#sentences.length);
          else this.#places.set(key, [this.#sentences.length]);
        }
        if (words.size > 0) this.#sentences.push({ section, words });
      }
    });
  }

  /** @param sentences what the text says itself. @param asked words of the task, which say nothing */
  find(sentences: readonly string[], asked: ReadonlySet<string>): readonly VerbatimMatch[] {
    const said = sentences.map((sentence) => [...wordsOf(sentence)].filter(([key]) => !asked.has(key)));
    return said.flatMap((words, at) => {
      const found =
        this.#best(new Map(words), asked) ?? this.#best(new Map([...words, ...(said[at + 1] ?? [])]), asked);
      return found ?? [];
    });
  }

  #weightOf({ key, weight }: Term): number {
    const total = Math.log1p(this.#sentences.length);
    const places = this.#places.get(key)?.length ?? 1;
    return (ANY_WORD + (1 - ANY_WORD) * weight) * (Math.log1p(this.#sentences.length / places) / total);
  }

  #best(said: Words, asked: ReadonlySet<string>): VerbatimMatch | undefined {
    const shared = new Map<number, Term[]>();
    for (const term of said.values()) {
      const places = this.#places.get(term.key) ?? [];
      for (const place of places.length > MAX_SENTENCES ? [] : places) {
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
      const count = terms.reduce((words, { text }) => words + (isUnspaced(text) ? 0.5 : 1), 0);
      const told = terms.reduce((all, { weight }) => all + weight, 0);
      if (!sentence || count < LEAST_WORDS || told < LEAST_TOLD) continue;
      const names = sum(terms.filter(({ text }) => PROPER_NAME.test(text)));
      const common = sum(terms) - Math.max(0, names - MAX_NAMES);
      const score = (Math.min(common, ENOUGH) * common) / Math.sqrt(whole * sum(sentence.words.values()));
      if (score < most) continue;
      most = score;
      best = { section: sentence.section, words: named(terms.map(({ text }) => text).join(' ')) };
    }
    return best;
  }
}
