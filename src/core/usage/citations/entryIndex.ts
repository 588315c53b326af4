/**
 * Which dated entry of a section a reply used: the one that has most of what the reply says, by its words, its ids and
 * its date. Where two have as much, or one has next to nothing, none is named.
 */
import { type Citation, entryHash } from '../usageRecord';
import type { CitableSection } from './citablePayload';
import { keywordTerms } from './keywordTerms';

/** `TASK-12`, `#42`, `2026-02-03`: worth more than a word. */
const NAME = /\b[A-Z][A-Z0-9]{1,9}-\d{1,9}\b|(?<![\p{L}\p{N}])#\d{1,9}\b|\b\d{4}-\d\d-\d\d\b/gu;
const NAME_WEIGHT = 1.5;
/** Less is chance: two uncommon words, or a name. */
const LEAST = 1.4;

type Weights = ReadonlyMap<string, number>;

/** What a text can be told by, with its weight. */
function weightsOf(text: string): Weights {
  const weights = new Map<string, number>();
  for (const { key, weight } of keywordTerms(text)) weights.set(key, weight);
  for (const [name] of text.matchAll(NAME)) weights.set(name, NAME_WEIGHT);
  return weights;
}

/** Entries of a payload's sections; those of a section are read when it is cited. */
export class EntryIndex {
  readonly #read = new Map<
    number,
    readonly { readonly hash: string; readonly text: string; readonly weights: Weights }[]
  >();

  constructor(private readonly sections: readonly CitableSection[]) {}

  /** The hash of the entry of the section with that number that was cited; `sentences`: what the reply says itself. */
  find(section: number, { what }: Pick<Citation, 'what'>, sentences: readonly string[]): string | undefined {
    const entries = this.#entriesOf(section);
    if (entries.length === 0) return undefined;
    const said = weightsOf(`${what}\n${sentences.join('\n')}`);
    // A word that most entries have tells none of them.
    const counts = new Map<string, number>();
    for (const { weights } of entries) for (const key of weights.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
    const scores = entries.map(({ hash, text, weights }) => {
      let score = text.includes(what) ? NAME_WEIGHT : 0;
      for (const [key, weight] of weights) if (said.has(key)) score += weight / (counts.get(key) ?? 1);
      return { hash, score };
    });
    scores.sort((a, b) => b.score - a.score);
    const [best, next] = scores;
    return best && best.score >= LEAST && best.score > (next?.score ?? 0) ? best.hash : undefined;
  }

  #entriesOf(section: number) {
    const known = this.#read.get(section);
    if (known) return known;
    const texts = this.sections[section]?.entries ?? [];
    const entries = texts.map((text) => ({ hash: entryHash(text), text, weights: weightsOf(text) }));
    this.#read.set(section, entries);
    return entries;
  }
}
