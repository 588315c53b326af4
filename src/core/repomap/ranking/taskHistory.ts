/**
 * What past commits tell about a task: files that commits with such titles touched are likely to be touched again
 * (test/bench/RANKING.md). Only files are found so; which of their definitions, their words say.
 */
import { STOP_WORDS, splitIdentifier, stemOf } from '../../text/terms';
import type { History } from '../project/packages';
import { WORD } from './query';
import { addTo } from './taskCorpus';
import { inverseFrequency } from './taskHits';

/** So many commits back a title says half as much: code moves on. */
const HALF_LIFE = 400;

/** The words of a title as they are compared: parts of names and whole names, without their endings. */
function wordsOf(title: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [word] of title.matchAll(WORD)) {
    const lower = word.toLowerCase();
    if (STOP_WORDS.has(lower)) continue;
    const parts = splitIdentifier(word);
    for (const part of parts) if (!STOP_WORDS.has(part)) found.add(stemOf(part));
    if (parts.length > 1) found.add(stemOf(lower));
  }
  return found;
}

/** The titles of the last commits, ready to be asked. */
export class TaskHistory {
  /** Positions of commits by the words of their titles. */
  #byWord: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(private readonly history: History) {}

  /**
   * Linear in the commits that share a word with the task.
   * @param terms of the task's title
   * @returns by path, 1 for the file that such commits touched most
   */
  shares(terms: readonly string[]): ReadonlyMap<string, number> {
    const { churn, messages } = this.history;
    const similar = new Map<number, number>();
    let all = 0;
    for (const word of new Set(terms.map(stemOf))) {
      const commits = this.#words.get(word) ?? [];
      const worth = inverseFrequency(messages.length, commits.length);
      all += worth;
      for (const commit of commits) similar.set(commit, (similar.get(commit) ?? 0) + worth);
    }
    const sums = new Map<number, number>();
    let most = 0;
    for (const [commit, worth] of similar) {
      const files = messages[commit]?.[1] ?? [];
      // One common word is no likeness; what touches much is about none of it.
      const likeness = ((worth / all) ** 2 * 0.5 ** (commit / HALF_LIFE)) / Math.sqrt(files.length);
      for (const file of files) {
        const sum = (sums.get(file) ?? 0) + likeness;
        sums.set(file, sum);
        most = Math.max(most, sum);
      }
    }
    return new Map([...sums].map(([file, sum]) => [churn[file]?.[0] ?? '', sum / most]));
  }

  get #words(): ReadonlyMap<string, readonly number[]> {
    if (this.#byWord) return this.#byWord;
    const lists = new Map<string, number[]>();
    this.history.messages.forEach(([title], commit) => {
      for (const word of wordsOf(title)) addTo(lists, word, commit);
    });
    this.#byWord = lists;
    return lists;
  }
}
