/**
 * Which sections a text has distinctive keywords of. A section is found when, within some forty words of the text, terms
 * that are rare elsewhere in the payload add up: at least two findings, weighted. Nearness matters: a long reply has two
 * words of anything somewhere. A term speaks for one section only, the one that the text speaks for most.
 */

import type { CitableSection } from './citablePayload';
import { keywordTerms, type Term } from './keywordTerms';
import { isFilePath, normalizeMention, pathWords } from './pathNames';

/** Words that terms may be apart. */
const WINDOW_WORDS = 40;
/** Characters of a passage, from which on it ends at the next line: some fifteen to thirty words. */
const PASSAGE_CHARS = 100;
/** A word of more passages is what the section is about, not what a passage says. Bounds the cost. */
const MAX_PASSAGES = 16;
/**
 * Σ weight · idf that is evidence for a short reply over a small payload: two uncommon words; see `CHINESE_FACTOR` for
 * Chinese characters. Tuned on the dev part of the labelled replies: from 1.2 to 1.45 nothing is wrong and nothing is
 * missed there, from 1.5 on paraphrases are. Of 600 excerpts of foreign READMEs over this project's documents 7 are
 * cited by keyword at 1.4, and none of the shorter ones.
 */
const BASE_THRESHOLD = 1.4;
/** Added for each doubling of passages × windows compared, from here on. */
const THRESHOLD_STEP = 0.25;
const FREE_COMPARISONS = 100;
/** Terms of one word, and pairs of characters that overlap, are one finding. */
const MIN_FINDINGS = 2;
/** Pairs of Chinese characters alone, most of them in ordinary words, must say so much more (measured on labelled turns). */
const CHINESE_FACTOR = 1.5;
/** Findings below this are ordinary words: they add to the sum and do not count. */
const MIN_FINDING_WEIGHT = 0.25;

/** Keywords found of a section. */
export interface KeywordMatch {
  readonly section: number;
  readonly score: number;
  /** The words found, as the text has them and in its order. */
  readonly words: readonly string[];
}

const URL = /\bhttps?:\/\/[^\s"'`<>()\u3000-\u303f]+/giu;

/** A parameter that the map's signatures have, `user_id`, is a name of the whole project. */
export const PARAMETER = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/gu;

/** `Sonnet/Opus`, `RPC/HTTP`: either word, no path. */
const ALTERNATIVES = /^\p{Lu}[\p{L}\p{N}]*(?:\/\p{Lu}[\p{L}\p{N}]*){1,3}[.]?$/u;

interface Hit extends Term {
  /** Weight with idf. */
  readonly value: number;
}

/** Parts of addresses and of file names are names of other things: products, people, hosts. */
export function withoutPaths(given: string): string {
  const text = given.replace(URL, ' ');
  const kept: string[] = [];
  let from = 0;
  for (const { word, at } of pathWords(text)) {
    if (at < from || !(isFilePath(normalizeMention(word)) || (word.includes('/') && !ALTERNATIVES.test(word))))
      continue;
    kept.push(text.slice(from, at));
    from = at + word.length;
  }
  kept.push(text.slice(from));
  return kept.join(' ');
}

/** A passage of a section: what stands together and is used together. */
interface Passage {
  readonly section: number;
  readonly keys: ReadonlySet<string>;
}

/** Lines put together until they hold some words: a rule, a lesson, a few rows. */
function passagesOf(text: string): readonly string[] {
  const passages: string[] = [];
  let open: string[] = [];
  let chars = 0;
  for (const line of text.split('\n')) {
    open.push(line);
    chars += line.length;
    if (chars < PASSAGE_CHARS) continue;
    passages.push(open.join('\n'));
    open = [];
    chars = 0;
  }
  return open.length > 0 ? [...passages, open.join('\n')] : passages;
}

/**
 * Passages of a section by their words: without paths, which are evidence of their own, and without the section's name.
 * Of a map only whole identifiers count, since their parts are words of the whole project.
 */
function readSection(section: CitableSection, number: number): readonly Passage[] {
  const [, heading = ''] = /^\s*# ([^\n]+)/u.exec(section.text) ?? [];
  const called = `${section.id} ${section.title.replace(/[/.-]/gu, ' ')} ${section.isMap ? '' : heading}`;
  const own = new Set(keywordTerms(called).map(({ key }) => key));
  const text = section.isMap ? section.symbols.join('\n') : withoutPaths(section.text.normalize('NFKC'));
  return passagesOf(text).flatMap((passage) => {
    const terms = keywordTerms(passage).filter(({ weight, key }) => (!section.isMap || weight > 1) && !own.has(key));
    return terms.length === 0 ? [] : [{ section: number, keys: new Set(terms.map(({ key }) => key)) }];
  });
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

/** A name of a person, a product, a place, as `Discord` and `macOS`. */
export const PROPER_NAME = /^(?:\p{Lu}\p{Ll}+|\p{L}*\p{Ll}\p{Lu}\p{L}*)$/u;

/** Names stand together in any text of the same trade: all of them say no more than this. */
const MAX_NAMES = 0.6;

/** What of a score the names say beyond that. */
function surplusOf(hits: readonly Hit[]): number {
  const names = hits.filter(({ text }) => PROPER_NAME.test(text));
  return Math.max(0, scoreOf(names) - MAX_NAMES);
}

function scoreOf(hits: readonly Hit[]): number {
  return hits.reduce((sum, { value }) => sum + value, 0);
}

/** Distinctive keywords of a payload's sections. Building is linear in the payload, asking in the text. */
export class KeywordIndex {
  readonly #passages: readonly Passage[];
  /** What is not known may have said it: more passages to compare with. */
  readonly #unknownPassages: number;
  /** Names that the map shows, in small letters. */
  readonly #mapped = new Set<string>();
  readonly #postings = new Map<string, { readonly idf: number; readonly passages: readonly number[] }>();

  constructor(sections: readonly CitableSection[]) {
    this.#passages = sections.flatMap(readSection);
    const places = new Map<string, number[]>();
    this.#passages.forEach(({ keys }, at) => {
      for (const key of keys) {
        const known = places.get(key) ?? [];
        known.push(at);
        places.set(key, known);
      }
    });
    this.#unknownPassages = sections.reduce((sum, { unknownChars }) => sum + unknownChars / PASSAGE_CHARS, 0);
    const shown = new Set(sections.flatMap(({ isMap, text }) => (isMap ? (text.match(PARAMETER) ?? []) : [])));
    for (const { isMap, symbols } of sections) {
      for (const symbol of isMap ? symbols : []) {
        shown.delete(symbol);
        this.#mapped.add(symbol.toLowerCase());
      }
    }
    const sectionOf = (at: number): number => this.#passages[at]?.section ?? -1;
    const total = new Set(this.#passages.map(({ section }) => section)).size;
    for (const [key, passages] of places) {
      const idf = shown.has(key) ? 0 : idfOf(new Set(passages.map(sectionOf)).size, total);
      if (idf > 0 && passages.length <= MAX_PASSAGES) this.#postings.set(key, { idf, passages });
    }
  }

  /** Sections that the text has enough keywords of, the best first. `asked`: terms of the task, which say nothing. */
  find(text: string, asked: ReadonlySet<string>): readonly KeywordMatch[] {
    const terms = keywordTerms(withoutPaths(text)).filter((term) => !asked.has(term.key) && !this.#isPart(term));
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
    return this.#settle(hits, threshold);
  }

  /** True for a part of a name that the map has whole: a part is no evidence for other sections. */
  #isPart({ key, text }: Term): boolean {
    const whole = text.toLowerCase();
    return key !== whole && this.#mapped.has(whole);
  }

  /** Strongest first; what spoke for one section does not speak for the next. */
  #settle(hits: ReadonlyMap<number, readonly Hit[]>, threshold: number): readonly KeywordMatch[] {
    const candidates = [...hits].map(([passage, all]) => {
      // The best stretch of the text for each passage.
      const best = distinct(bestWindow(all));
      return { section: this.#passages[passage]?.section ?? 0, hits: best, score: scoreOf(best) };
    });
    const usedBy = new Map<string, number>();
    const found = new Map<number, KeywordMatch>();
    const enough = candidates.filter(({ score }) => score >= threshold);
    for (const { section, hits: all } of enough.toSorted((a, b) => b.score - a.score || a.section - b.section)) {
      const own = all.filter(({ key }) => (usedBy.get(key) ?? section) === section);
      const score = scoreOf(own) - surplusOf(own);
      const findings = own.filter(({ value }) => value >= MIN_FINDING_WEIGHT);
      const least = findings.every(isChinese) ? threshold * CHINESE_FACTOR : threshold;
      if (found.has(section) || score < least || findingsOf(findings) < MIN_FINDINGS) continue;
      for (const { key } of own) usedBy.set(key, section);
      found.set(section, { section, score, words: wordsSaid(findings) });
    }
    return [...found.values()];
  }
}

function isChinese({ text }: Hit): boolean {
  return /^\p{Script=Han}/u.test(text);
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
  return BASE_THRESHOLD + THRESHOLD_STEP * Math.log2(Math.max(1, comparisons / FREE_COMPARISONS));
}

/**
 * Inverse document frequency over sections, scaled to 1 for a term of one section; 0 for one that more than a third of
 * them have, and at least in two of three.
 */
function idfOf(count: number, total: number): number {
  if (count <= 1 || total <= 1) return 1;
  return count > Math.max(1, total / 3) ? 0 : Math.log(total / count) / Math.log(total);
}
