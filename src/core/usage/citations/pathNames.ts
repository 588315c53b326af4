/** Paths in texts: decides which words of a text are workspace paths, and how a path is spelled to be compared. */

/** A longer word is not taken for a path. UTF-16 code units. */
const MAX_PATH_CHARS = 400;

/** What stands between words that may be paths. Colons part lines (`a.ts:12`) and prefixes (`file:a.ts`) off. */
const CHUNK = /[^\s\0"'`<>()[\]{}|,;:*?!=&，。；：！？（）【】「」『』《》、“”‘’…]+/gu;
const WIDE_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

/** Extensions that make a single word a file's name; behind a `/` any extension does. */
const FILE_EXTENSIONS = new Set(
  `bash bat bazel c cc cfg cjs clj cmake conf cpp cs css csv cts cxx dart dockerfile env erl ex exs fish go gql gradle
  graphql groovy h hcl hh hpp hs htm html ini ipynb java jl js json json5 jsonc jsonl jsx kt kts less lock log lua m md
  mdx mjs ml mli mm mts nix patch php pl plist properties proto ps1 py pyi r rb rego rs rst sass scala scss sh sol sql
  svelte svg swift tf tfvars toml ts tsx txt vue webp xml yaml yml zig zsh`.split(/\s+/u),
);
/** Names of products and functions that look like files. */
const PRODUCT =
  /^console\.log$|^(?:node|next|nuxt|vue|react|express|three|d3|chart|moment|socket|ember|alpine|discord|p5)\.(?:js|io)$/iu;
const BARE_FILE = /^(?:Makefile|Dockerfile|Justfile|Procfile|Gemfile|Rakefile|Brewfile|Jenkinsfile|CODEOWNERS)$/u;
const EXTENSION = /\.([A-Za-z][A-Za-z0-9]{0,9})$/u;

/**
 * One spelling of a path: `/` between segments, no `./`, no `@` of a mention, no `#L10`, no `/` or full stop at the end.
 * Absolute ones keep their start but for a drive's letter.
 */
export function normalizeMention(word: string): string {
  return word
    .replace(/#.*$/u, '')
    .replace(/^[A-Za-z]:(?=[\\/])/u, '')
    .replace(/\\+/gu, '/')
    .replace(/^@/u, '')
    .replace(/^(?:\.\/)+/u, '')
    .replace(/[./]+$/u, '');
}

/** `socket.io` in prose is the product, whatever file has that name. */
export function isProduct(name: string): boolean {
  return PRODUCT.test(name);
}

/** A file by its extension or its well-known name. */
export function isFilePath(path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (BARE_FILE.test(base) || (path.includes('/') && /^\.[a-z]/u.test(base))) return true;
  const extension = EXTENSION.exec(base)?.[1];
  if (extension === undefined || base.length === extension.length + 1) return false;
  return path.includes('/') || (FILE_EXTENSIONS.has(extension.toLowerCase()) && !PRODUCT.test(base));
}

/** A word that is written as a folder: `db/migrations/`. One segment alone is any word. */
function isFolder(word: string): boolean {
  return /^[\w@.-]+(?:\/[\w@.-]+)+\/$/u.test(word);
}

/** The words of a text that could be paths, in order, as they stand there; with where they begin. Linear. */
export function* pathWords(text: string): Generator<{ readonly word: string; readonly at: number }> {
  for (const match of text.matchAll(CHUNK)) {
    const [word] = match;
    // `-ja.html` of `*-ja.html` is no name of a file.
    const isRest = text[match.index - 1] === '*' && !/^[/.]/u.test(word);
    if (word.length > MAX_PATH_CHARS || word.startsWith('//') || isRest) continue;
    yield { word, at: match.index };
    if (!/[^\0-\u024f]/u.test(word)) continue;
    // Chinese is written without blanks around a path.
    let from = 0;
    for (const run of [...word.matchAll(WIDE_RUN), undefined]) {
      const end = run?.index ?? word.length;
      if (end > from && end - from < word.length) yield { word: word.slice(from, end), at: match.index + from };
      from = end + (run?.[0].length ?? 0);
    }
  }
}

/** A file whose name says what to fill in: a date, a number, a name in brackets. */
const PATTERN =
  /(?<![\w@./-])((?:[\w@-][\w@.-]*\/){2,}[\w@-][\w@.-]*)\/(?=[\w.-]*(?:YYYY|N{2,}|X{2,}|\{[\w-]{1,30}\}|<[\w-]{1,30}>))[^\s/`]{1,80}\.[a-z]{1,5}\b/gu;

/** `- Example: …` shows how something is written, with whatever path. */
const EXAMPLE = /^[ \t]*(?:[-*+][ \t]+)?\**(?:Example|例如|示例)\**[:：].*$/gimu;

/** Written from the folder's root or from home, as `/tasks/` and `~/.local/bin/gh`; where a project lies is no such path. */
const ROOTED = /^(?:~\/(?=[\w.@-]+\/)|\/(?!(?:Users|home)\/))/u;

/**
 * Workspace paths that a text names, each once, in order: files with an extension, folders written with a `/` at the
 * end. Those from the root or from home are given without it.
 */
export function pathsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const { word } of pathWords(text.replace(EXAMPLE, ' '))) {
    const whole = word.replace(/[.]+$/u, '');
    const bare = whole.replace(/^\\+(?=.*\\)/u, '').replace(ROOTED, '');
    const path = normalizeMention(bare);
    const isHome = whole.startsWith('~') && bare !== whole;
    const isPath = isHome || isFilePath(path) || isFolder(bare.replaceAll('\\', '/'));
    if (path !== '' && !isAbsolute(path) && isPath) found.add(path);
  }
  // The folder of files that are named by a pattern: `docs/adr/YYYY-MM-DD-{slug}.md`.
  for (const [, folder = ''] of text.matchAll(PATTERN)) found.add(folder);
  return [...found];
}

/** `/home/me/app/src/a.ts`, `~/app/src/a.ts`. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~');
}
