/** A section as it is compared with replies: passages that stand together and are used together, by their words. */
import type { CitableSection } from './citablePayload';
import { keywordTerms } from './keywordTerms';
import { isFilePath, normalizeMention, pathWords } from './pathNames';

/** Characters of a passage, from which on it ends at the next line or sentence: some fifteen to thirty words. */
export const PASSAGE_CHARS = 100;

const URL = /\b(?:https?|file):\/\/[^\s"'`<>()\u3000-\u303f]+/giu;

/** `Sonnet/Opus`, `RPC/HTTP`: either word, no path. */
const ALTERNATIVES = /^\p{Lu}[\p{L}\p{N}]*(?:\/\p{Lu}[\p{L}\p{N}]*){1,3}[.]?$/u;

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
export interface Passage {
  readonly section: number;
  /** Weights by key. */
  readonly keys: ReadonlyMap<string, number>;
}

/** Where a passage may end: lines, and sentences of prose. */
const BREAK = /\n|(?<=[\p{L}\p{N})`"*][.!?;]) +(?=\S)|(?<=[。！？；])/u;

/** Lines put together until they hold some words: a rule, a lesson, a few rows. */
function passagesOf(text: string): readonly string[] {
  const passages: string[] = [];
  let open: string[] = [];
  let chars = 0;
  for (const line of text.split(BREAK)) {
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
export function readPassages(section: CitableSection, number: number): readonly Passage[] {
  const own = new Set(keywordTerms(`${section.id} ${section.title.replace(/[/.-]/gu, ' ')}`).map(({ key }) => key));
  const text = section.isMap ? section.symbols.join('\n') : withoutPaths(section.text.normalize('NFKC'));
  return passagesOf(text).flatMap((passage) => {
    const terms = keywordTerms(passage).filter(({ weight, key }) => (!section.isMap || weight > 1) && !own.has(key));
    if (terms.length === 0) return [];
    const keys = new Map<string, number>();
    for (const { key, weight } of terms) keys.set(key, Math.max(weight, keys.get(key) ?? 0));
    return [{ section: number, keys }];
  });
}
