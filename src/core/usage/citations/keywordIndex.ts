/**
 * Which sections a text has distinctive keywords of. Each passage of a section is compared with the stretch of some forty
 * words of the text that has most of it; what they share counts by how rare it is, in general (`keywordTerms.ts`) and in
 * the payload. The best passage of a section counts whole, the others as far as they are beyond chance; together they
 * must reach one threshold. A term speaks for one section only, the one that the text speaks for most.
 */

import type { CitableSection } from './citablePayload';
import { keywordTerms, type Term } from './keywordTerms';
import type { Passage } from './passages';
import { PASSAGE_CHARS, readPassages, withoutPaths } from './passages';

/** Words that terms may be apart. */
const WINDOW_WORDS = 40;
/** A word of more passages is what the section is about, not what a passage says. Bounds the cost. */
const MAX_PASSAGES = 16;
/** By so much of itself a term counts less for each doubling of the passages that have it. */
const PASSAGE_STEP = 0.05;
/**
 * Σ weight · idf that is evidence for a short reply over a small payload: some two rare words, or three pairs of rare
 * Chinese characters. This, the step and the other shares below are tuned on the dev part of the labelled replies and on
 * a hundred replies over the payloads of public repositories.
 */
const BASE_THRESHOLD = 0.95;
/** Added for each doubling of passages × windows compared: of many, two words are somewhere together by chance. */
const THRESHOLD_STEP = 0.16;
const FREE_COMPARISONS = 100;
/** Of the threshold: what any passage shares by chance. */
const CHANCE = 0.3;
/** A passage that is shared whole is worth 1.2 of its terms, one of which little is shared 0.8. */
const LEAST_WORTH = 0.8;
const COVERAGE_WORTH = 0.4;
/** A passage that says less than this is not covered by a word. */
const MIN_PASSAGE_WEIGHT = 1.5;
/** Of what the strongest term has beyond all others together: one word alone is chance. */
const LONE_DISCOUNT = 0.3;
/** Terms of one word, and pairs of characters that overlap, are one finding. */
const MIN_FINDINGS = 2;
/** Findings below this are ordinary words: they add to the sum and do not count. */
const MIN_FINDING_WEIGHT = 0.1;
/** Sections that only list things come behind those that say as much of them. */
const LIST_RANK = 0.8;

/** Ordinary words are known of English and Chinese; where every word looks rare, more of them are asked for. */
const OTHER_LANGUAGE = 1.75;
/** Function words of German, French, Italian, Portuguese and Spanish that English does not have. */
const OTHER_FUNCTION_WORDS =
  /(?<!\p{L})(?:das|dem|den|der|ist|nicht|und|wird|au|aux|avec|dans|des|est|et|les|pas|pour|une|che|della|di|il|non|per|con|como|del|el|en|las|los|para|por|que|se|una|com|da|de|do|dos|em|mais|na|nas|no|não|os|ou|são|um|uma)(?!\p{L})/giu;
/** Of all words. */
const OTHER_SHARE = 0.12;

function isOtherLanguage(text: string): boolean {
  const start = text.slice(0, 20_000);
  const words = start.match(/\p{L}+/gu)?.length ?? 0;
  return (start.match(OTHER_FUNCTION_WORDS)?.length ?? 0) > words * OTHER_SHARE;
}

/** Keywords found of a section. */
export interface KeywordMatch {
  readonly section: number;
  readonly score: number;
  /** The words found, as the text has them and in its order. */
  readonly words: readonly string[];
}

interface Hit extends Term {
  /** Weight with idf. */
  readonly value: number;
}

/** The best stretch of a section's hits. */
function bestWindow(hits: readonly Hit[]): readonly Hit[] {
  let best: readonly [number, number] = [0, 0];
  let bestSum = 0;
  const counts = new Map<string, number>();
  let sum = 0;
  let from = 0;
  for (const [at, hit] of hits.entries()) {
    const known = counts.get(hit.key) ?? 0;
    counts.set(hit.key, known + 1);
    if (known === 0) sum += hit.value;
    for (let first = hits[from]; first && hit.position - first.position > WINDOW_WORDS; first = hits[++from]) {
      const left = (counts.get(first.key) ?? 1) - 1;
      counts.set(first.key, left);
      if (left === 0) sum -= first.value;
    }
    if (sum > bestSum) {
      bestSum = sum;
      best = [from, at + 1];
    }
  }
  return hits.slice(...best);
}

function distinct(hits: readonly Hit[]): readonly Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ key }) => !seen.has(key) && seen.add(key));
}

function scoreOf(hits: readonly Hit[]): number {
  return hits.reduce((sum, { value }) => sum + value, 0);
}

/** The best stretch of the text for a passage. */
interface Stretch {
  readonly passage: number;
  readonly hits: readonly Hit[];
}

interface Evidence {
  readonly score: number;
  readonly hits: readonly Hit[];
}

/** Distinctive keywords of a payload's sections. Building is linear in the payload, asking in the text. */
export class KeywordIndex {
  readonly #passages: readonly Passage[];
  /** Σ weight · idf of each passage. */
  readonly #weights: readonly number[];
  readonly #lists: ReadonlySet<number>;
  /** What is not known may have said it: more passages to compare with. */
  readonly #unknownPassages: number;
  readonly #postings = new Map<string, { readonly idf: number; readonly passages: readonly number[] }>();

  constructor(sections: readonly CitableSection[]) {
    this.#passages = sections.flatMap(readPassages);
    this.#lists = new Set(sections.flatMap(({ isInventory }, at) => (isInventory ? [at] : [])));
    const places = new Map<string, number[]>();
    this.#passages.forEach(({ keys }, at) => {
      for (const key of keys.keys()) {
        const known = places.get(key) ?? [];
        known.push(at);
        places.set(key, known);
      }
    });
    this.#unknownPassages = sections.reduce((sum, { unknownChars }) => sum + unknownChars / PASSAGE_CHARS, 0);
    const sectionOf = (at: number): number => this.#passages[at]?.section ?? -1;
    const total = new Set(this.#passages.map(({ section }) => section)).size;
    for (const [key, passages] of places) {
      const idf = idfOf(new Set(passages.map(sectionOf)).size, total) / (1 + PASSAGE_STEP * Math.log2(passages.length));
      if (idf > 0 && passages.length <= MAX_PASSAGES) this.#postings.set(key, { idf, passages });
    }
    this.#weights = this.#passages.map(({ keys }) => {
      let sum = 0;
      for (const [key, weight] of keys) sum += weight * (this.#postings.get(key)?.idf ?? 0);
      return sum;
    });
  }

  /** Sections that the text has enough keywords of, the best first. `asked`: terms of the task, which say nothing. */
  find(text: string, asked: ReadonlySet<string> = new Set()): readonly KeywordMatch[] {
    const terms = keywordTerms(withoutPaths(text)).filter(({ key }) => !asked.has(key));
    const hits = new Map<number, Hit[]>();
    for (const term of terms) {
      const posting = this.#postings.get(term.key);
      for (const passage of posting?.passages ?? []) {
        const known = hits.get(passage) ?? [];
        known.push({ ...term, value: term.weight * (posting?.idf ?? 0) });
        hits.set(passage, known);
      }
    }
    const words = terms.at(-1)?.position ?? 0;
    const threshold = thresholdOf((this.#passages.length + this.#unknownPassages) * (1 + words / WINDOW_WORDS));
    return this.#settle(hits, isOtherLanguage(text) ? threshold * OTHER_LANGUAGE : threshold);
  }

  /** What the hits of one passage are worth. */
  #worth({ passage, hits }: Stretch): number {
    if (findingsOf(hits.filter(({ value }) => value >= MIN_FINDING_WEIGHT)) < MIN_FINDINGS) return 0;
    const all = scoreOf(hits);
    const largest = Math.max(...hits.map(({ value }) => value));
    const sum = all - Math.max(0, 2 * largest - all) * LONE_DISCOUNT;
    const covered = Math.min(1, sum / Math.max(this.#weights[passage] ?? 0, MIN_PASSAGE_WEIGHT));
    return sum * (LEAST_WORTH + COVERAGE_WORTH * covered);
  }

  /** The strongest stretch of a section, and what the others have beyond chance; each term once, those of others not. */
  #evidence(stretches: readonly Stretch[], threshold: number, taken: ReadonlySet<string>): Evidence {
    const ranked = stretches
      .map(({ passage, hits }) => {
        const own = { passage, hits: hits.filter(({ key }) => !taken.has(key)) };
        return { ...own, worth: this.#worth(own) };
      })
      .filter(({ worth }) => worth > 0)
      .sort((a, b) => b.worth - a.worth || a.passage - b.passage);
    const used = new Set<string>();
    const found: Hit[] = [];
    let score = 0;
    for (const { passage, hits } of ranked) {
      const fresh = hits.filter(({ key }) => !used.has(key));
      const more = this.#worth({ passage, hits: fresh }) - (score === 0 ? 0 : CHANCE * threshold);
      if (more <= 0) continue;
      score += more;
      for (const hit of fresh) used.add(hit.key);
      found.push(...fresh);
    }
    return { score, hits: found };
  }

  /** Strongest first; what spoke for one section does not speak for the next. */
  #settle(hits: ReadonlyMap<number, readonly Hit[]>, threshold: number): readonly KeywordMatch[] {
    const bySection = new Map<number, Stretch[]>();
    for (const [passage, all] of hits) {
      const section = this.#passages[passage]?.section ?? 0;
      const stretches = bySection.get(section) ?? [];
      bySection.set(section, stretches);
      stretches.push({ passage, hits: distinct(bestWindow(all)) });
    }
    const taken = new Set<string>();
    const most = LEAST_WORTH + COVERAGE_WORTH;
    const ranked = [...bySection]
      .filter(([, stretches]) => stretches.reduce((sum, { hits: own }) => sum + scoreOf(own), 0) * most >= threshold)
      .map(([section, stretches]) => {
        const { score } = this.#evidence(stretches, threshold, taken);
        return { section, stretches, score, rank: this.#lists.has(section) ? score * LIST_RANK : score };
      })
      .filter(({ score }) => score >= threshold)
      .sort((a, b) => b.rank - a.rank || a.section - b.section);
    const matches: KeywordMatch[] = [];
    for (const { section, stretches } of ranked) {
      const { score, hits: own } = this.#evidence(stretches, threshold, taken);
      if (score < threshold) continue;
      for (const { key } of own) taken.add(key);
      const findings = own.filter(({ value }) => value >= MIN_FINDING_WEIGHT);
      matches.push({ section, score, words: wordsSaid(findings.sort((a, b) => a.position - b.position)) });
    }
    return matches;
  }
}

function isPlain({ text }: Hit): boolean {
  return /^[a-z]+$/u.test(text);
}

/** How many things were found: two neighbours are one, as in `acceptance criteria`, which is one name of one thing. */
function findingsOf(hits: readonly Hit[]): number {
  let count = 0;
  let last: Hit | undefined;
  for (const hit of hits) {
    const isNeighbour = last !== undefined && hit.position - last.position <= 1 && [hit, last].every(isPlain);
    if (last?.word !== hit.word && !isNeighbour) count++;
    last = hit;
  }
  return count;
}

/** Each word once; pairs of characters that overlap are put together. */
function wordsSaid(hits: readonly Hit[]): readonly string[] {
  const words: string[] = [];
  let last: Hit | undefined;
  for (const hit of hits) {
    const isNext = last !== undefined && hit.position - last.position === 0.5;
    if (isNext) words.push(`${words.pop() ?? ''}${hit.text.slice([...hit.text][0]?.length ?? 0)}`);
    else words.push(hit.text);
    last = hit;
  }
  return [...new Set(words)];
}

/** Grows with what is compared: of many passages and a long text, two words are somewhere together by chance. */
function thresholdOf(comparisons: number): number {
  return BASE_THRESHOLD + THRESHOLD_STEP * Math.log2(1 + comparisons / FREE_COMPARISONS);
}

/** Inverse document frequency over sections, scaled to 1 for a term of one section and 0 for one of all. */
function idfOf(count: number, total: number): number {
  return count <= 1 || total <= 1 ? 1 : Math.log(total / count) / Math.log(total);
}
