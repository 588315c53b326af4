/** What a task names: files by path, by name or without their extension, and definitions by qualified name. */

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

/** Paths with a folder, relative or absolute, those of links to a repository's files first, and names without one. */
export function pathsOf(text: string): { readonly paths: readonly string[]; readonly fileNames: readonly string[] } {
  const linked = [...text.matchAll(BLOB)].flatMap(([, path]) => (path === undefined ? [] : [path]));
  const plain = [...text.replace(URL_PATTERN, ' ').matchAll(PATH_PATTERN)].map(([path]) => path.replaceAll('\\', '/'));
  const all = [
    ...new Set([...linked, ...plain].map((path) => path.replace(/^(?:\.{1,2}\/)+/u, '').replace(/:\d+$/u, ''))),
  ];
  return { paths: all.filter((path) => path.includes('/')), fileNames: all.filter((path) => !path.includes('/')) };
}
