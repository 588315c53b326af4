/**
 * The trigger factor: how well a section matches what was said (task, query, trigger). Words are matched by their stems,
 * identifiers by their parts, Chinese and Japanese by pairs of characters; a word counts more the fewer sections have it.
 */
import { queryTerms } from '../../text/searchTerms';
import { STOP_WORDS, stemOf } from '../../text/terms';
import { roundScore } from './factors';
import { hasWord, type SearchableText, type SearchWord, toSearchable, wordOf } from './wordSearch';

/** Two digits, rounded down, so that a score below the threshold never looks as if it reached it. */
export function formatScore(score: number): string {
  return (Math.floor(Math.round(score * 10_000) / 100) / 100).toFixed(2);
}

/** As the config has it: two digits, or as many as it takes. */
export function formatThreshold(threshold: number): string {
  const short = threshold.toFixed(2);
  return Number(short) === threshold ? short : String(threshold);
}

/** From this value on a section matches strongly: it is shown, whatever its score. Two words do that no other section has. */
export const STRONG_MATCH = 0.75;

/** Words that are looked for, from the start of what was said: titles come first, and pasted logs must not cost much. */
const MAX_WORDS = 32;
/** As much is read of what was said; UTF-16 code units. */
const MAX_SAID_CHARS = 8000;
/** As much is searched of a section: its head says what it is about. */
const MAX_TEXT_CHARS = 8000;
/** A word in the section's name says as much as two in its text. */
const NAME_EVIDENCE = 2;
/** A file name shorter than this is too likely an ordinary word. */
const MIN_FILE_NAME = 5;

/** What a section offers to match. */
export interface TriggerSubject {
  readonly id: string;
  readonly title: string;
  readonly path: string | undefined;
  /** From the config: one that is said makes a full match. */
  readonly keywords: readonly string[];
  readonly text: string;
}

/** How a section matches; `value` is 0…1. */
export interface TriggerMatch {
  readonly value: number;
  /** What was found, most distinctive first, as it was said; a keyword or path stands alone. */
  readonly words: readonly string[];
}

interface Hit {
  readonly word: string;
  readonly isInName: boolean;
}

/** Words of a text worth looking for: no function words, no one- and two-digit numbers; the first spelling of a stem. */
function tellingWords(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const term of queryTerms(text.slice(0, MAX_SAID_CHARS))) {
    if (STOP_WORDS.has(term) || /^(?:[a-z]|\d{1,2})$/.test(term)) continue;
    const stem = stemOf(term);
    if (!words.has(stem)) words.set(stem, term);
  }
  return words;
}

/** The keyword or path of a section that was said outright. */
function namedOutright(subject: TriggerSubject, said: string, stems: ReadonlyMap<string, string>): string | undefined {
  const keyword = subject.keywords.find((each) => {
    const parts = queryTerms(each);
    return parts.length > 0 && parts.every((part) => stems.has(stemOf(part)));
  });
  if (keyword !== undefined) return keyword;
  const fileName = subject.path?.split('/').at(-1) ?? '';
  const spellings = [`section:${subject.id}`, fileName.length < MIN_FILE_NAME ? '' : fileName];
  return spellings.find((spelling) => spelling !== '' && isSpelled(said, spelling.toLowerCase()));
}

/** Whether `spelling` stands in `said` as a whole: `soul` of `section:soulful` does not. */
function isSpelled(said: string, spelling: string): boolean {
  for (let at = said.indexOf(spelling); at >= 0; at = said.indexOf(spelling, at + 1)) {
    const isInside = /[\w-]/.test(said[at - 1] ?? ' ') || /[\w-]/.test(said[at + spelling.length] ?? ' ');
    if (!isInside) return true;
  }
  return false;
}

function hitsOf(name: SearchableText, text: SearchableText, words: readonly SearchWord[]): readonly Hit[] {
  const hits: Hit[] = [];
  for (const each of words) {
    const isInName = hasWord(name, each);
    if (isInName || hasWord(text, each)) hits.push({ word: each.word, isInName });
  }
  return hits;
}

/** BM25's idf, as a share of what a word of a single section has: 1 for one, 0.8 for two of 16, near 0 for all of them. */
function distinctiveness(sections: number, having: number): number {
  const idf = (count: number): number => Math.log(1 + (sections - count + 0.5) / (count + 0.5));
  return idf(having) / idf(1);
}

/**
 * Matches every section against what was said; `undefined` when that says nothing of any of them (blank, only function
 * words, or words that no section has). A keyword of the config, the handle or the file name is a full match. Else the
 * evidence of a section is the sum of its found words' distinctiveness (`idf ÷ idf of a word of one section`; twice in its
 * name), and its value `evidence ÷ best · (1 − 2^(−best))`: relative to the best section, and low for all while even the
 * best has little. Cost: the words times the texts, each bounded.
 */
export function matchTrigger(said: string, subjects: readonly TriggerSubject[]): readonly TriggerMatch[] | undefined {
  const stems = tellingWords(said);
  const words = [...stems.values()].slice(0, MAX_WORDS).map(wordOf);
  const lowerSaid = said.slice(0, MAX_SAID_CHARS).toLowerCase();
  if (lowerSaid.trim() === '') return undefined;
  const named = subjects.map((subject) => namedOutright(subject, lowerSaid, stems));
  const hits = subjects.map(({ id, title, path, text }) =>
    hitsOf(toSearchable(`${id} ${title} ${path ?? ''}`), toSearchable(text.slice(0, MAX_TEXT_CHARS)), words),
  );
  const having = new Map<string, number>();
  for (const { word } of hits.flat()) having.set(word, (having.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => distinctiveness(subjects.length, having.get(word) ?? 0);
  const evidence = hits.map((each) =>
    each.reduce((sum, { word, isInName }) => sum + weightOf(word) * (isInName ? NAME_EVIDENCE : 1), 0),
  );
  const best = Math.max(0, ...evidence);
  if (best === 0 && named.every((each) => each === undefined)) return undefined;
  const scale = best === 0 ? 0 : (1 - 2 ** -best) / best;
  return subjects.map((_, at) => {
    const outright = named[at];
    if (outright !== undefined) return { value: 1, words: [outright] };
    const found = (hits[at] ?? []).map(({ word }) => word).sort((left, right) => weightOf(right) - weightOf(left));
    return { value: roundScore((evidence[at] ?? 0) * scale), words: found };
  });
}
