/**
 * The order of a folder's files: for a task by the machinery of the map (`repomap/ranking`), else by date. A file whose
 * scope holds a focus file comes first. It says which files come first, not how much of them is shown.
 */

import { MAX_GLOBS, matchesRuleGlob } from '../../agents/agentRules';
import { pathTime } from '../../files/fileGroups';
import type { FolderFile } from '../../model/section';
import { parseTask, type QueryTerm, scopeName, type TaskQuery, WORD } from '../../repomap/ranking/query';
import { inverseFrequency } from '../../repomap/ranking/taskHits';
import { TASK_WEIGHTS } from '../../repomap/ranking/taskWeights';
import { nameOf } from '../../text/safePath';
import { splitIdentifier, stemOf } from '../../text/terms';

/** What files are ranked for; `task` is empty and there are no paths where nothing is known. */
export interface FileQuery {
  readonly task: string;
  readonly focusPaths: readonly string[];
}

/** Files in order; the first `early` of them are granted with `P2` (DESIGN §3.4). */
interface RankedFiles {
  readonly files: readonly FolderFile[];
  readonly early: number;
}

/** DESIGN §3.4: at most so many files of all folders are granted with `P2`. */
const MAX_EARLY = 3;

/** A file that matches less than this share of what the best one does is not granted early. */
const EARLY_SHARE = 0.5;

/** As much is searched of one file, half of it from the end: a log's newest entries are at either end. */
const MAX_BODY_CHARS = 40_000;

/** Sortable: the day, then the time in the path; empty without a date. */
function ageKey({ date, path }: FolderFile): string {
  return date === undefined ? '' : `${date} ${pathTime(path)}`;
}

/** How often each term of a query stands in each file, and where it says most. */
class FileHits {
  /** By file, by term. */
  readonly counts: readonly Float64Array[];
  readonly #terms = new Map<string, number>();
  readonly #needles: readonly string[];
  readonly #known = new Map<string, readonly number[]>();

  constructor(
    files: readonly FolderFile[],
    private readonly query: readonly QueryTerm[],
  ) {
    query.forEach(({ term }, at) => {
      this.#terms.set(term, at);
    });
    // `queries` has the stem `query`.
    this.#needles = query.map(({ term }) => (term.length > 2 && term.endsWith('y') ? term.slice(0, -1) : term));
    this.counts = files.map((file) => this.#countsOf(file));
  }

  #countsOf({ text, title, path, keywords }: FolderFile): Float64Array {
    const counts = new Float64Array(this.query.length);
    const half = MAX_BODY_CHARS / 2;
    const body = text.length <= MAX_BODY_CHARS ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
    const lower = body.toLowerCase();
    // To look for a word costs a tenth of taking a text apart, and most texts have none.
    const hasAny = this.#needles.some((needle) => lower.includes(needle));
    for (const word of (hasAny && body.match(WORD)) || [])
      for (const term of this.#termsOf(word)) counts[term] = at(counts, term) + 1;
    this.#boost(counts, title, TASK_WEIGHTS.nameBoost);
    this.#boost(counts, `${path.replace(/\.\w+$/u, '')} ${keywords.join(' ')}`, TASK_WEIGHTS.pathTerm);
    return counts;
  }

  /** A name says what a file is about: each term in it once. */
  #boost(counts: Float64Array, name: string, by: number): void {
    const found = new Set((name.match(WORD) ?? []).flatMap((word) => this.#termsOf(word)));
    for (const term of found) counts[term] = at(counts, term) + by;
  }

  /** Terms that a word stands for: whole, by its parts, by their stems. */
  #termsOf(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known) return known;
    const parts = splitIdentifier(word);
    const spellings = new Set([...parts, ...parts.map(stemOf), ...(parts.length > 1 ? [word.toLowerCase()] : [])]);
    const terms = [...spellings].flatMap((spelling) => this.#terms.get(spelling) ?? []);
    this.#known.set(word, terms);
    return terms;
  }
}

function at(list: Float64Array, index: number): number {
  return list[index] ?? 0;
}

/** BM25 of each file's words; `telling` says whether a file has any that half of the files do not have. */
function wordScores(files: readonly FolderFile[], query: readonly QueryTerm[]) {
  const { counts } = new FileHits(files, query);
  const { fileK1: k1, fileB: b } = TASK_WEIGHTS;
  const mean = files.reduce((sum, { text }) => sum + text.length, 0) / files.length || 1;
  const scores = new Float64Array(files.length);
  const telling = new Uint8Array(files.length);
  query.forEach(({ weight }, term) => {
    const holders = counts.filter((each) => at(each, term) > 0).length;
    const worth = weight * inverseFrequency(files.length, holders);
    counts.forEach((each, file) => {
      const count = at(each, term);
      if (count === 0) return;
      const length = (files[file]?.text.length ?? 0) / mean;
      scores[file] = at(scores, file) + (worth * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
      if (holders * 2 <= files.length || files.length < 4) telling[file] = 1;
    });
  });
  return { scores, telling };
}

function shareOf(parts: readonly string[], said: ReadonlySet<string>): number {
  return parts.length === 0
    ? 0
    : parts.filter((part) => said.has(part) || said.has(stemOf(part))).length / parts.length;
}

/** What a task says of a file outright: its path, its name, a keyword of it, a name that the title speaks of. */
function namedScore({ path, keywords }: FolderFile, query: TaskQuery, said: ReadonlySet<string>): number {
  const name = nameOf(path);
  const base = name.replace(/\.\w+$/u, '');
  const parts = (text: string): readonly string[] => (text.match(WORD) ?? []).flatMap(splitIdentifier);
  const isKeyword = keywords.some((keyword) => shareOf(parts(keyword), said) === 1);
  const isNamed = query.paths.some((each) => path === each || path.endsWith(`/${each}`) || each.endsWith(`/${path}`));
  return (
    (isNamed ? TASK_WEIGHTS.path : 0) +
    (isKeyword || query.fileNames.includes(name) ? TASK_WEIGHTS.fileName : 0) +
    (query.scopes.has(scopeName(base)) ? TASK_WEIGHTS.scope : 0) +
    TASK_WEIGHTS.baseName * shareOf(parts(base), said)
  );
}

/** Scores in place of files, and which of them are good enough to be granted early. */
function scoreForTask(files: readonly FolderFile[], task: string) {
  const query = parseTask(task);
  const { scores: words, telling } = wordScores(files, query.terms);
  const most = words.reduce((best, score) => Math.max(best, score), 0) || 1;
  const said = new Set(query.terms.map(({ term }) => term));
  const named = files.map((file) => namedScore(file, query, said));
  const scores = words.map((score, file) => score / most + (named[file] ?? 0));
  const best = scores.reduce((highest, score) => Math.max(highest, score), 0);
  const isMatch = (file: number): boolean =>
    at(scores, file) > 0 && at(scores, file) >= EARLY_SHARE * best && (telling[file] === 1 || (named[file] ?? 0) > 0);
  return { scores, isMatch };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How closely a file's scope holds a focus file: 0 where it does not, or holds every file and so says nothing of this one. */
function closeness({ scope }: FolderFile, focusPaths: readonly string[]): number {
  if (!scope) return 0;
  const { folder } = scope;
  const globs = scope.globs.filter((glob) => !/^\/?(?:\*\*\/)?\*{1,2}$/.test(glob)).slice(0, MAX_GLOBS);
  if (folder === '' && globs.length === 0) return 0;
  const isHeld = focusPaths.some((path) => {
    if (folder !== '' && !path.startsWith(`${folder}/`)) return false;
    const below = folder === '' ? path : path.slice(folder.length + 1);
    return (
      globs.length === 0 ||
      globs.some((glob) => [below, path].some((each) => matchesRuleGlob(each, glob, { isAtAnyDepth: true })))
    );
  });
  return isHeld ? (folder === '' ? 0 : folder.split('/').length) + (globs.length > 0 ? 1 : 0) : 0;
}

/**
 * Orders the files of all folders together: first those whose scope holds a focus file, the closest first; then by how
 * well they match the task, then by date. Deterministic; linear in the files' texts, of which each is searched as far as
 * `MAX_BODY_CHARS`.
 */
export function rankFiles(files: readonly FolderFile[], { task, focusPaths }: FileQuery): RankedFiles {
  if (files.length === 0) return { files, early: 0 };
  const match = task.trim() === '' ? undefined : scoreForTask(files, task);
  const ranked = files
    .map((file, index) => {
      const [close, score] = [closeness(file, focusPaths), match ? at(match.scores, index) : 0];
      return { file, index, close, score, age: ageKey(file) };
    })
    .sort(
      (a, b) =>
        b.close - a.close ||
        b.score - a.score ||
        compare(b.age, a.age) ||
        // Without a date, and of the same time, by path.
        compare(a.file.path, b.file.path),
    );
  const isEarly = ranked.map(({ close, index }) => close > 0 || match?.isMatch(index) === true);
  const end = isEarly.indexOf(false);
  return { files: ranked.map(({ file }) => file), early: Math.min(MAX_EARLY, end < 0 ? files.length : end) };
}
