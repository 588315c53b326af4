/** What a task names: files by path, by name or without their extension, and definitions by qualified name. */
import type { IndexedFile } from '../index/indexedFile';
import { addTo } from './taskCorpus';

export const URL_PATTERN = /\b(?:https?|ftp|git|ssh):\/\/[^\s)>\]}"'`]+/gu;
const BLOB = /\bhttps?:\/\/[^\s/]+\/[^\s/]+\/[^\s/]+\/(?:blob|tree|raw)\/[^\s/]+\/([^\s#?)>\]]+)/gu;
const EXTENSIONS =
  'py|pyi|pyx|ipynb|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|go|rs|java|kt|kts|scala|groovy|c|h|cc|cpp|cxx|hh|hpp|hxx|cs|rb|php|swift|m|mm|sh|bash|lua|ex|exs|zig|dart|erl|hs|ml|clj|r|jl|pl|sql|proto|css|scss|html|md|rst|toml|yaml|yml|json|cfg|ini';
const PATH_PATTERN = new RegExp(
  String.raw`(?<![\w.@/\\-])(?:[A-Za-z]:)?[\w@.+~/\\-]*[\w+-]\.(?:${EXTENSIONS})(?![\w/\\])`,
  'gu',
);

/** The type of a conventional commit, or of a pull request's title; its scope says where. */
export const CONVENTIONAL =
  /^\W*(feat|fix|bug(?:fix)?|docs?|chore|refactor|perf|build|ci|tests?|style|revert)(?:[([]([^)\]]*)[)\]])?!?:\s/iu;

/** Names of packages stand near the beginning of a title, if it is one. */
export const MAX_TITLE_CHARS = 300;

/** More parts than this are a path or a generated name. */
const MAX_PARTS = 8;

/** `RuboCop::Server.forward_to_server?`, `net/http.(*Server).Shutdown`, `crate::a::B`, `pkg.Class#method`, as their parts. */
export function qualifiedNames(text: string): readonly (readonly string[])[] {
  const joined = text.replace(/\(\s?[*&]?([A-Za-z_]\w*)\)(?=\.)/gu, '$1');
  const chains = joined.matchAll(
    /(?<![\w./:#>-])[A-Za-z_][\w-]*(?:(?:\.|::|#|->|\/)[A-Za-z_]\w*)*(?:\.|::|#|->)[A-Za-z_]\w*(?:[?!](?![\w=]))?/gu,
  );
  return [...chains]
    .map(([chain]) => chain.split(/\.|::|#|->|\//u))
    .filter((parts) => parts.length <= MAX_PARTS && parts.at(-1) !== undefined);
}

const STEM_PATH = /(?<![\w.@/\\:-])(?:[\w@.-]+\/){1,12}[\w-]+(?![\w/.:(-])/gu;

/** What may be a file without its extension: with a folder, or as what stands before the title's colon. */
export function stemsOf(text: string, title: string): readonly string[] {
  const paths = text.replace(URL_PATTERN, ' ').match(STEM_PATH) ?? [];
  const prefix = /^\W*([\w./-]{2,60})(?:,\s*([\w./-]{2,60}))?:\s/u.exec(title.slice(0, MAX_TITLE_CHARS));
  const scope = CONVENTIONAL.exec(title)?.[2];
  const scopes = CONVENTIONAL.test(title) ? [scope] : [prefix?.[1], prefix?.[2]];
  const named = [...paths, ...scopes.flatMap((each) => each?.split(/[,|&]\s*/u) ?? [])];
  return [
    ...new Set(named.map((name) => name.trim().replace(/^(?:\.{1,2}\/)+/u, '')).filter((name) => name.length > 1)),
  ];
}

/** Paths that links to a repository's files name. */
function linkedPaths(text: string): readonly string[] {
  return [...text.matchAll(BLOB)].flatMap(([, path]) => (path === undefined ? [] : [path]));
}

/** Paths with a folder, relative or absolute, those of links to a repository's files first, and names without one. */
export function pathsOf(text: string): { readonly paths: readonly string[]; readonly fileNames: readonly string[] } {
  const linked = linkedPaths(text);
  const plain = [...text.replace(URL_PATTERN, ' ').matchAll(PATH_PATTERN)].map(([path]) => path.replaceAll('\\', '/'));
  const all = [
    ...new Set([...linked, ...plain].map((path) => path.replace(/^(?:\.{1,2}\/)+/u, '').replace(/:\d+$/u, ''))),
  ];
  return { paths: all.filter((path) => path.includes('/')), fileNames: all.filter((path) => !path.includes('/')) };
}

/** Lines in which a path names its file, the title first: without addresses, which may be those of another repository. */
export function proseOf(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(URL_PATTERN, ' '));
}

/** Places of a text that are compared with paths; a text with more is a log. */
const MAX_PLACES = 100;
/** What a name or a path goes on with: before such a character none begins, after one none ends. No Chinese: it has no blanks. */
const LETTERS = String.raw`\w\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;
const GOES_ON_BEFORE = new RegExp(`[${LETTERS}@+~$.-]`, 'u');
const GOES_ON_AFTER = new RegExp(`^(?:[${LETTERS}/-]|\\.\\w)`, 'u');
/** Longer lines are data; a title may be a whole prompt. UTF-16 code units. */
const MAX_LINE_CHARS = 1000;
const MAX_FIRST_LINE_CHARS = 10_000;
/** What stands before a path that is mentioned: `./`, or the `@` of agents. */
const MENTION = /(?<![^\s"'`(])(?:(?:\.{1,2}\/)+|@(?=[\w.-]+[./]))/gu;

/** A place in a text where a path may end, and the paths of which the most stands before it. */
interface PathEnd {
  readonly line: string;
  readonly isTitle: boolean;
  readonly end: number;
  length: number;
  paths: string[];
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** The end of a file's name that is looked up first: its last two words in ASCII, or the only one. */
function nameEnd(path: string): string {
  let last = path.length;
  while (isWordAt(path, last - 1)) last--;
  let end = last;
  while (end > 0 && !isWordAt(path, end - 1) && path[end - 1] !== '/') end--;
  let start = end;
  while (isWordAt(path, start - 1)) start--;
  return path.slice(start < end ? start : last);
}

/** Length of what stands of a path before `end`: all of it, or whole segments from its end; 0 for nothing. */
function spelledLength(path: string, { line, end }: PathEnd): number {
  let same = 0;
  while (same < Math.min(path.length, end) && path[path.length - 1 - same] === line[end - 1 - same]) same++;
  let start = path.length - same;
  if (start > 0) start = path.indexOf('/', start - 1) + 1 || path.length;
  while (start < path.length) {
    const before = line[end - (path.length - start) - 1] ?? '';
    // What stands above the folder's root may stand before a whole path.
    if (!GOES_ON_BEFORE.test(before) && (start === 0 || before !== '/')) return path.length - start;
    start = path.indexOf('/', start) + 1 || path.length;
  }
  return 0;
}

/** Where a path may end in a line, with the ends of names that stand there. */
function* pathEnds(line: string, isTitle: boolean): Iterable<readonly [place: PathEnd, names: readonly string[]]> {
  if (line.length > (isTitle ? MAX_FIRST_LINE_CHARS : MAX_LINE_CHARS)) return;
  let before = 0;
  for (const { 0: word, index } of line.matchAll(/\w+/gu)) {
    const end = index + word.length;
    // A word of prose stands behind a blank, that of a path behind a sign.
    const isPath = /\S/u.test(line[index - 1] ?? ' ') && !GOES_ON_AFTER.test(line.slice(end, end + 2));
    if (isPath) yield [{ line, isTitle, end, length: 0, paths: [] }, [word, line.slice(before, end)]];
    before = index;
  }
}

type PathFacts = Pick<IndexedFile, 'path' | 'pathClass'>;

/** Whether so much of a file's path means it: of a title a name is enough; the body may show a folder of other code. */
function isMeant({ path, pathClass }: PathFacts, length: number, isTitle: boolean): boolean {
  const said = path.slice(path.length - length);
  if (isTitle) return /[./]/u.test(said);
  return said.includes('/') && (said === path || pathClass !== 'test');
}

/**
 * Paths of the files that a text spells out, whatever characters they have: whole, or so much of their end that no other
 * file is meant. In the order of the text.
 * @param prose as `proseOf` gives it
 */
export function spelledPaths(prose: readonly string[], files: Iterable<PathFacts>): readonly string[] {
  const lines = prose.map((line) => line.replaceAll('\\', '/').replace(MENTION, ''));
  const places = [...new Set(lines)].flatMap((line, at) => [...pathEnds(line, at === 0)]).slice(0, MAX_PLACES);
  if (places.length === 0) return [];
  const byName = new Map<string, PathEnd[]>();
  for (const [place, names] of places) for (const name of names) addTo(byName, name, place);
  for (const file of files) {
    const { path } = file;
    for (const place of byName.get(nameEnd(path)) ?? []) {
      const length = spelledLength(path, place);
      if (length === 0 || length < place.length || !isMeant(file, length, place.isTitle)) continue;
      if (length > place.length) place.paths = [];
      place.length = length;
      place.paths.push(path);
    }
  }
  const named = places.flatMap(([{ paths, length }]) => {
    const whole = paths.find((path) => path.length === length);
    return whole ?? (paths.length === 1 ? paths : []);
  });
  return [...new Set(named)];
}

/** Whether a text is nothing but paths of these files, in whole or in part. @param prose as for `spelledPaths` */
export function isPathsAlone(prose: readonly string[], spelled: readonly string[]): boolean {
  let rest = prose.join(' ').replaceAll('\\', '/');
  for (const path of spelled)
    for (let at = 0; at < path.length; at = path.indexOf('/', at) + 1 || path.length) {
      if (!rest.includes(path.slice(at))) continue;
      rest = rest.replaceAll(path.slice(at), ' ');
      break;
    }
  return !/[\p{L}\p{N}]/u.test(rest);
}
