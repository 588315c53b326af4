/**
 * The order of a folder's files: for a task by the machinery of the map (`repomap/ranking`), else by date. A file whose
 * scope holds a focus file comes first. It says which files come first, not how much of them is shown.
 */

import { MAX_GLOBS, ruleGlobMatcher } from '../../agents/agentRules';
import { pathTime } from '../../files/fileGroups';
import { type GlobMeter, MAX_GLOB_STEPS } from '../../files/glob';
import type { FolderFile } from '../../model/section';
import { parseTask, scopeName, type TaskQuery, WORD } from '../../repomap/ranking/query';
import { TASK_WEIGHTS } from '../../repomap/ranking/taskWeights';
import { findDate } from '../../text/dates';
import { nameOf } from '../../text/safePath';
import { isUnspaced, splitIdentifier, stemOf, UNSPACED_STOPS } from '../../text/terms';
import { wordScores } from './fileWords';

/** What files are ranked for; `task` is empty and there are no paths where nothing is known. */
export interface FileQuery {
  readonly task: string;
  /** Files; a folder, which ends with `/`, stands before or after the files below it. */
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
const EARLY_SHARE = 1 / 3;

/** Sortable: the day, then the time in the path; empty without a date. */
function ageKey({ date, path }: FolderFile): string {
  return date === undefined ? '' : `${date} ${pathTime(path)}`;
}

function shareOf(parts: readonly string[], said: ReadonlySet<string>): number {
  return parts.length === 0
    ? 0
    : parts.filter((part) => said.has(part) || said.has(stemOf(part))).length / parts.length;
}

/** What a task says of files. */
interface FileTask extends TaskQuery {
  /** The day that it names, as `MM-DD` where it names no year. */
  readonly day: string | undefined;
}

/** A code, a port, a version's number: `502`, `0xC0000409`. */
const NUMBER = /(?<![\p{L}\p{N}_])\d[\da-z]{2,}(?![\p{L}\p{N}_])/giu;

function parseFileTask(task: string): FileTask {
  const query = parseTask(task.replace(UNSPACED_STOPS, ' '));
  const known = new Set(query.terms.map(({ term }) => term));
  const numbers = [...new Set(task.toLowerCase().match(NUMBER) ?? [])].filter((term) => !known.has(term));
  const terms = [...query.terms, ...numbers.map((term) => ({ term, weight: 1, isStem: false }))];
  const isChance = (term: string): boolean => term.length === 1 && isUnspaced(term);
  return {
    ...query,
    terms: terms.filter(({ term }) => !isChance(term)),
    day: findDate(task)?.day.replace(/^0000-/, ''),
  };
}

/** What a task says of a file outright: its path, its name, its day, a keyword of it, a name that the title speaks of. */
function namedScore({ path, keywords, date = '' }: FolderFile, query: FileTask, said: ReadonlySet<string>): number {
  const name = nameOf(path);
  const base = name.replace(/\.\w+$/u, '');
  const parts = (text: string): readonly string[] => (text.match(WORD) ?? []).flatMap(splitIdentifier);
  const isKeyword = keywords.some((keyword) => shareOf(parts(keyword), said) === 1);
  const isNamed = query.paths.some((each) => path === each || path.endsWith(`/${each}`) || each.endsWith(`/${path}`));
  const isDay = query.day !== undefined && date.endsWith(query.day);
  return (
    (isNamed || isDay ? TASK_WEIGHTS.path : 0) +
    (isKeyword || query.fileNames.includes(name) ? TASK_WEIGHTS.fileName : 0) +
    (query.scopes.has(scopeName(base)) ? TASK_WEIGHTS.scope : 0) +
    TASK_WEIGHTS.baseName * shareOf(parts(base), said)
  );
}

/** Scores in place of files, and which of them are good enough to be granted early. */
function scoreForTask(files: readonly FolderFile[], task: string) {
  const query = parseFileTask(task);
  const { scores: words, telling } = wordScores(files, query.terms);
  const said = new Set(query.terms.map(({ term }) => term));
  const named = files.map((file) => namedScore(file, query, said));
  const scores = words.map((score, file) => score + (named[file] ?? 0));
  const best = scores.reduce((highest, score) => Math.max(highest, score), 0);
  const isMatch = (file: number): boolean => {
    const score = scores[file] ?? 0;
    return score > 0 && score >= EARLY_SHARE * best && (telling[file] === true || (named[file] ?? 0) > 0);
  };
  return { scores, isMatch };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A file in focus, and the innermost folder in focus that it lies in, with its `/`; the file itself where none does. */
interface FocusFile {
  readonly path: string;
  readonly within: string;
}

function focusFiles(focusPaths: readonly string[]): readonly FocusFile[] {
  const folders = focusPaths.filter((path) => path.endsWith('/')).sort((a, b) => b.length - a.length);
  const files = focusPaths.filter((path) => !path.endsWith('/'));
  return files.map((path) => ({ path, within: folders.find((folder) => path.startsWith(folder)) ?? path }));
}

/** What a pattern names before its first wildcard, with its `/`: `src/web/` of `src/web/**`. */
function fixedPart(glob: string): string {
  const bare = glob.replace(/^\.?\//, '');
  const wild = bare.search(/[*?[\]{}]/);
  return bare.slice(0, bare.lastIndexOf('/', wild < 0 ? bare.length : wild) + 1);
}

/**
 * How closely a rule's scope holds what is in focus: above 1 where it holds a file or a folder in focus, more with each
 * folder that it lies deeper; below 1 where it lies inside of a folder in focus, the wider scope first. 0 where it holds
 * neither, or everything, which says nothing of this one.
 */
function closeness({ scope }: FolderFile, focus: readonly FocusFile[], meter: GlobMeter): number {
  if (!scope || (scope.folder === '' && scope.globs.length === 0)) return 0;
  const folder = scope.folder === '' ? '' : `${scope.folder}/`;
  const rules = scope.globs.slice(0, MAX_GLOBS).map((glob) => {
    return { fixed: fixedPart(glob), matches: ruleGlobMatcher(glob, { isAtAnyDepth: true }, meter) };
  });
  const from = (start: string, within: string): number => {
    // Of one folder the file that speaks for all of it comes before patterns.
    const depth = start.split('/').length - (rules.length > 0 ? 0.5 : 0);
    return within.startsWith(start) ? 1 + depth : 1 / (1 + depth);
  };
  let best = 0;
  for (const { path, within } of focus) {
    if (!path.startsWith(folder)) continue;
    if (rules.length === 0) best = Math.max(best, from(folder, within));
    const below = path.slice(folder.length);
    for (const { fixed, matches } of rules) {
      if (meter.steps >= MAX_GLOB_STEPS) return best;
      if (!matches(below) && !matches(path)) continue;
      const starts = [folder + fixed, fixed].filter((each) => each.startsWith(folder) && path.startsWith(each));
      const [start = folder] = starts;
      best = Math.max(best, from(start, within));
    }
  }
  return best;
}

/**
 * Orders the files of all folders together: first those whose scope holds a focus file, the closest first; then by how
 * well they match the task, then by date. Deterministic; linear in the files' texts, of which each is searched as far as
 * `MAX_BODY_CHARS`.
 */
export function rankFiles(files: readonly FolderFile[], { task, focusPaths }: FileQuery): RankedFiles {
  if (files.length === 0) return { files, early: 0 };
  const match = task.trim() === '' ? undefined : scoreForTask(files, task);
  const [focus, meter] = [focusFiles(focusPaths), { steps: 0 }];
  const ranked = files
    .map((file, index) => {
      const [close, score] = [closeness(file, focus, meter), match?.scores[index] ?? 0];
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
