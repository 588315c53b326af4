/**
 * Which sections a text says whole stretches of, word by word: a run of words, or a whole short item, that stands so in
 * one section only. Pasted and quoted text is taken out before (`quotes.ts`): what is left, the agent says itself.
 */
import type { CitableSection } from './citablePayload';
import { keywordTerms } from './keywordTerms';
import { shingle, type Word, wordsOf } from './quotes';
import { named, type VerbatimMatch } from './verbatim';

/** Runs are looked up by so many words. */
const SHINGLE_WORDS = 4;
/** Words of a run that is no coincidence; a character of Chinese counts half. */
const RUN_WEIGHT = 4;
/** Words of an item that is said from end to end. */
const ITEM_WEIGHT = 4;
/** Σ weight of the words, least: `in the same way as before` is ordinary language. */
const LEAST_SAID = 1.2;
const LEAST_SAID_ITEM = 0.3;
/** Words of a run so long that its order is no coincidence. */
const LONG_RUN_WEIGHT = 6;
const LEAST_SAID_LONG = 0.6;
const TITLE = /^\s*# [^\n]*/u;
/** A longer item is a run. */
const MAX_ITEM_WORDS = 12;
const ITEM_END = /\n|(?<=[.;:!?])\s+|(?<=[。；：！？])|\s[-–—]\s/gu;

/** Runs and items of a payload. Building and asking are linear. */
export class Sayings {
  readonly #ids = new Map<string, number>();
  /** The section of each shingle and of each item; -1 where several have it. */
  readonly #runs = new Map<number, number>();
  readonly #items = new Map<number, number>();
  readonly #itemLengths = new Set<number>();

  constructor(sections: readonly CitableSection[]) {
    sections.forEach(({ text, isInventory }, section) => {
      // What the page is called is what the project is called.
      const known = joined(text.normalize('NFKC').replace(TITLE, ''));
      const own = (all: Map<number, number>, key: number): void => {
        const owner = all.get(key) ?? section;
        all.set(key, owner === section && !isInventory ? section : -1);
      };
      const words = wordsOf(known);
      const ids = this.#idsOf(words, true);
      for (let at = 0; at + SHINGLE_WORDS <= ids.length; at++) own(this.#runs, shingle(ids, at, SHINGLE_WORDS));
      const ends = [...known.matchAll(ITEM_END)].map(({ index }) => index);
      let from = 0;
      for (const end of [...ends, known.length]) {
        let to = from;
        while (to < words.length && (words[to]?.start ?? end) < end) to++;
        const length = to - from;
        if (length <= MAX_ITEM_WORDS && weightOf(words.slice(from, to)) >= ITEM_WEIGHT) {
          this.#itemLengths.add(length);
          own(this.#items, shingle(ids, from, length));
        }
        from = to;
      }
    });
  }

  #idsOf(words: readonly Word[], isNew: boolean): readonly number[] {
    return words.map(({ text }) => {
      const id = this.#ids.get(text) ?? (isNew ? this.#ids.size + 1 : 0);
      if (isNew) this.#ids.set(text, id);
      return id;
    });
  }

  /** What the text says of sections; what the task says too does not count. `mute`: keywords that say nothing. */
  find(given: string, task: string, mute: ReadonlySet<string>): readonly VerbatimMatch[] {
    const text = joined(given);
    const words = wordsOf(text);
    const ids = this.#idsOf(words, false);
    const asked = new Set<number>();
    const askedIds = this.#idsOf(wordsOf(joined(task)), false);
    for (let at = 0; at + SHINGLE_WORDS <= askedIds.length; at++) asked.add(shingle(askedIds, at, SHINGLE_WORDS));
    const found: VerbatimMatch[] = [];
    const add = (section: number, from: number, to: number, leastWeight: number, leastSaid: number): void => {
      const run = words.slice(from, to);
      if (weightOf(run) < leastWeight) return;
      const said = text.slice(run[0]?.start, run.at(-1)?.end);
      const least = weightOf(run) >= LONG_RUN_WEIGHT ? Math.min(leastSaid, LEAST_SAID_LONG) : leastSaid;
      if (/\n\n/u.test(said) || informationOf(said, mute) < least) return;
      found.push({ section, words: named(said) });
    };
    let owner = -1;
    let from = 0;
    for (let at = 0; at + SHINGLE_WORDS <= ids.length + 1; at++) {
      const key = at + SHINGLE_WORDS <= ids.length ? shingle(ids, at, SHINGLE_WORDS) : undefined;
      const next = key === undefined || asked.has(key) ? -1 : (this.#runs.get(key) ?? -1);
      if (next !== owner) {
        if (owner >= 0) add(owner, from, at - 1 + SHINGLE_WORDS, RUN_WEIGHT, LEAST_SAID);
        [owner, from] = [next, at];
      }
      // An item begins with a run of its section.
      if (key === undefined || asked.has(key) || !this.#runs.has(key)) continue;
      for (const length of this.#itemLengths) {
        const section = at + length > ids.length ? -1 : (this.#items.get(shingle(ids, at, length)) ?? -1);
        if (section >= 0) add(section, at, at + length, ITEM_WEIGHT, LEAST_SAID_ITEM);
      }
    }
    return found;
  }
}

function weightOf(words: readonly Word[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

function informationOf(text: string, mute: ReadonlySet<string>): number {
  const terms = keywordTerms(text).filter(({ key }) => !mute.has(key));
  const weights = new Map(terms.map(({ key, weight }) => [key, weight]));
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
}

/** `don't` is one word. */
function joined(text: string): string {
  return text.replace(/(?<=\p{L})['’](?=\p{L})/gu, '');
}
