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
const UNSAID = /`[^`\n]*\s[^`\n]*`|^#{1,6} \S.*$/gmu;
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
/** √(share of the section's sentence · share of the text's) · weight in common, at most `ENOUGH`. */
const LEAST_SAID = 0.65;

type Words = ReadonlyMap<string, Term>;

/** A name of a person or a thing, where it begins no sentence. */
function isName({ text, weight, position }: Term): boolean {
  return position > 0 && weight >= 0.6 && PROPER_NAME.test(text);
}

function sentencesOf(text: string): readonly string[] {
  return withoutPaths(text.replace(UNSAID, ' ')).split(SENTENCE_END);
}

/** Words of a sentence by their stem, identifiers whole; a name may be short. */
function wordsOf(text: string): Words {
  const words = new Map<string, Term>();
  let last: Term | undefined;
  for (const term of keywordTerms(text)) {
    if (term.word !== last?.word || term.text !== last.text)
      words.set(term.key, isName(term) ? { ...term, weight: 1 } : term);
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
      const count = terms.reduce((words, term) => words + (isUnspaced(term.text) ? 0.5 : isName(term) ? 2 : 1), 0);
      const told = terms.reduce((all, { weight }) => all + weight, 0);
      if (!sentence || count < LEAST_WORDS || (told < LEAST_TOLD && count < MANY_WORDS)) continue;
      const names = sum(terms.filter(isName));
      const common = sum(terms) - Math.max(0, names - MAX_NAMES);
      const score = (Math.min(common, ENOUGH) * common) / Math.sqrt(whole * sum(sentence.words.values()));
      if (score < most) continue;
      most = score;
      best = { section: sentence.section, words: named(terms.map(({ text }) => text).join(' ')) };
    }
    return best;
  }
}
