/** A task's text as a query: which lines count, which words, identifiers, paths and frames it holds (RANKING §1.2). */
import { FENCE } from '../../text/markdown';
import { STOP_WORDS, splitIdentifier, stemOf } from '../../text/terms';
import { type Frame, framesOf, placesOf, type TraceLine, traceLineOf } from './taskFrames';
import { CONVENTIONAL, MAX_TITLE_CHARS, pathsOf, proseOf, qualifiedNames, stemsOf, URL_PATTERN } from './taskNames';

/** RANKING §1.2, segment weights. */
const SEGMENT_WEIGHTS = { title: 1.5, body: 1, code: 0.7, trace: 0.5 } as const;
/** RANKING §1.2, kinds of terms. */
const WHOLE_WEIGHT = 1.5;
const STEM_WEIGHT = 0.5;
/** A query is read up to here (UTF-16 code units): a pasted log must not make the map slow. */
const MAX_QUERY_CHARS = 200_000;
/** Identifiers are compared from this length on (RANKING §1.3). */
const MIN_IDENTIFIER = 3;

type Segment = keyof typeof SEGMENT_WEIGHTS;
/** Code and traces name many files that they only pass through. */
const PROSE: ReadonlySet<Segment> = new Set(['title', 'body']);

/** A term with its weight in the query. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** Weight as a stem of what the task says; a file's words are matched without stems. */
  readonly isStem: boolean;
}

/** A task, read. */
export interface TaskQuery {
  readonly terms: readonly QueryTerm[];
  /** Those of the title, whole ones of names too. */
  readonly titleTerms: readonly string[];
  /** Words that the terms are made of, as they are written, each once in any case. */
  readonly words: readonly string[];
  /** Words of the task by how much they look like an identifier, 0…1.5. */
  readonly identifiers: ReadonlyMap<string, number>;
  /** `A.b` and `A::b`. */
  readonly dotted: readonly { readonly owner: string; readonly name: string }[];
  /** Parts of each qualified name, two or more, outermost first. */
  readonly qualified: readonly (readonly string[])[];
  /** With a folder, relative or absolute, `/` between segments. */
  readonly paths: readonly string[];
  /** File names without a folder. */
  readonly fileNames: readonly string[];
  /** Paths and names of files that may be meant without their extension: `lib/vtls/openssl`, a module before `:`. */
  readonly stems: readonly string[];
  readonly frames: readonly Frame[];
  /** Lines in which a path names its file, the title first (`proseOf`). */
  readonly prose: readonly string[];
  /** Packages and folders that the title calls by name, as `scopeName` writes them. */
  readonly scopes: ReadonlySet<string>;
  /** Folders around those: `net` of `net/http: …`. */
  readonly outerScopes: ReadonlySet<string>;
  /** The task itself is about tests; about docs, examples or tools. */
  readonly isAboutTests: boolean;
  readonly isAboutExtras: boolean;
}

interface Line {
  readonly text: string;
  readonly segment: Segment;
}

const VERSION_LINE = /^[\s>*+-]*[\w .()/-]{1,40}(?::|==|=)\s*v?\d+(?:\.\w+)+[\w.+-]*\s*,?$/u;
const CHECK_BOX = /^\s*[-*+]\s*\[[ xX]\]/u;
const ENVIRONMENT =
  /^[\s>*`#-]*(?:OS|Operating system|Platform|Python|Environment|Versions?|Browser|Node(?:\.js)?|npm|Architecture|Kernel|Machine|Processor|LC_ALL|LANG|LOCALE|byteorder|python-bits|OS-release)\b\s*(?:version)?\s*[:=]/iu;
const INVENTORY =
  /^(?:<[^>]{1,40}>|[^\w<])*(?:installed (?:versions|packages)|(?:output of )?`?(?:pip|conda|npm) (?:list|freeze|ls)`?)\b/iu;
/** `Signed-off-by: …`, `Change-Id: …` and the like: people and machines, not code. */
const TRAILER =
  /^\s*(?:[a-z]{2,20}(?:-[a-z]{2,20})?-by|cc|change-id|reviewed-on|commit-queue|git-svn-id|piperorigin-revid|(?:closes|partial|related)-bug|pr-url|backport-of|depends-on)\s*:\s/iu;
/** What version control writes into messages. */
const HISTORY =
  /^\s*merge (?:pull request|branch|remote-tracking branch|tag)\b.*$|\(?\b(?:cherry[- ]picked from|this reverts|reverts)\s+commit\s+[0-9a-f]{7,40}\b\)?\.?|\(?\bcherry[- ]picked from commit\b/iu;
/** Ids of commits; a word of the same letters has no digit. */
const HASH = /\b(?:commit\s+)?(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b/giu;
/** What nearly every message says it does; `--fix`, `fix()` and `autofix` are names. */
const FIX = /(?<![-\w.`'"/])(?:hot|bug)?fix(?:e[sd]|ing)?(?![-\w(`'"/.])/giu;
/** `fixes #123`, `Closes owner/name#4`, `(#56)`, `[name#7]`, `GitHub issue 89`: what a message does to the tracker. */
const TRACKER =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see|part of)[:\s]+(?:[\w.-]+\/[\w.-]+)?#\d+|\(#\d+\)|\[[\w./-]+#\d+\]|\b(?:github\s+)?(?:issues?|pull requests?|prs?|tickets?)\s+#?\d+\b/giu;
const MAX_ENVIRONMENT_CHARS = 80;
/** `UTF-8`, `SHA-256`, `HTTP/2`: names have them in one, as `utf8`. */
const NUMBERED = /\b([A-Za-z]{2,8})[-/](\d{1,4})(?![\w.])/gu;
/** Words and names of a text. */
export const WORD = /[\p{L}_$][\p{L}\p{N}\p{M}_$]*/gu;

function isNoise(line: string): boolean {
  return (
    CHECK_BOX.test(line) ||
    VERSION_LINE.test(line) ||
    TRAILER.test(line) ||
    (line.length < MAX_ENVIRONMENT_CHARS && ENVIRONMENT.test(line))
  );
}

/** Reads a task line by line: what counts, with its segment, and the traces on the way. */
class TaskReader {
  readonly lines: Line[] = [];
  readonly traces: TraceLine[][] = [];
  #fence: string | undefined;
  #isInventory = false;
  #sinceFrame = Number.POSITIVE_INFINITY;
  #hasTitle = false;
  #before = '';

  read(line: string): void {
    const before = this.#before;
    this.#before = line;
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined && (this.#fence === undefined || fence.startsWith(this.#fence))) {
      this.#fence = this.#fence === undefined ? fence : undefined;
      this.#isInventory &&= this.#fence !== undefined;
      return;
    }
    if (line.trim() === '') return;
    const frame = traceLineOf(line, before);
    if (frame) this.#frame(frame);
    else this.#sinceFrame++;
    if (INVENTORY.test(line)) this.#isInventory = true;
    else if (/^#{1,6}\s/u.test(line)) this.#isInventory = false;
    if (this.#isInventory || isNoise(line)) return;
    this.lines.push({ text: line, segment: this.#segment(line, frame !== undefined) });
    this.#hasTitle = true;
  }

  /** Source lines and carets stand between the frames of one trace. */
  #frame(frame: TraceLine): void {
    const last = this.traces.at(-1);
    if (last && this.#sinceFrame <= 3 && last[0]?.isInnermostLast === frame.isInnermostLast) last.push(frame);
    else this.traces.push([frame]);
    this.#sinceFrame = 0;
  }

  #segment(line: string, isFrame: boolean): Segment {
    if (isFrame || (this.#sinceFrame === 1 && this.traces.at(-1)?.[0]?.isInnermostLast && /^\s{4}/u.test(line)))
      return 'trace';
    if (!this.#hasTitle) return 'title';
    return this.#fence !== undefined || /^(?: {4}|\t|\s*>>>|\s*\.\.\. )/u.test(line) ? 'code' : 'body';
  }
}

/** A line without what messages say to trackers and version control. Nothing but that is left as it is. */
function withoutRoutine(text: string, segment: Segment): string {
  const plain = text.replace(URL_PATTERN, ' ').replace(HISTORY, ' ').replace(TRACKER, ' ').replace(HASH, ' ');
  const bare = segment === 'title' ? plain.replace(CONVENTIONAL, ' $2 ') : plain;
  if (segment !== 'title' && segment !== 'body') return bare;
  const rest = bare.replace(FIX, ' ');
  return /\p{L}/u.test(rest) ? rest : bare;
}

/** So few words that are all stop words are names: `get`, ``fix `use` ``. */
const MAX_NAMES = 2;
const NO_WORDS: ReadonlySet<string> = new Set();

/** Collects what the lines hold. */
class QueryBuilder {
  readonly #terms = new Map<string, { weight: number; isStem: boolean }>();
  readonly #titleTerms = new Set<string>();
  /** By lower case. */
  readonly #words = new Map<string, string>();
  readonly identifiers = new Map<string, number>();
  readonly dotted = new Map<string, { readonly owner: string; readonly name: string }>();
  readonly qualified = new Map<string, readonly string[]>();
  /** Words met, stop words among them. */
  #met = 0;

  constructor(private readonly stops: ReadonlySet<string> = STOP_WORDS) {}

  /** Reads all lines; where they are a few stop words and no more, as the names that these are then. */
  static over(lines: readonly Line[]): QueryBuilder {
    const [builder, literal] = [new QueryBuilder(), new QueryBuilder(NO_WORDS)];
    for (const line of lines) builder.line(line);
    if (builder.#terms.size > 0 || builder.#met === 0 || builder.#met > MAX_NAMES) return builder;
    for (const line of lines) literal.line(line);
    return literal;
  }

  line({ text, segment }: Line): void {
    const weight = SEGMENT_WEIGHTS[segment];
    const bare = withoutRoutine(text, segment);
    const quoted = new Set([...bare.matchAll(/`([^`\n]+)`/gu)].flatMap(([, code]) => code?.match(WORD) ?? []));
    for (const [word] of bare.matchAll(WORD)) {
      this.#word(word, segment);
      this.#identifier(word, segment, quoted.has(word));
    }
    for (const [, letters = '', digits = ''] of bare.matchAll(NUMBERED))
      this.#term(`${letters}${digits}`.toLowerCase(), weight, false);
    for (const [, owner, name] of bare.matchAll(/\b([A-Za-z_]\w*)(?=(?:\.|::|#)([A-Za-z_]\w*))/gu)) {
      if (owner && name) this.dotted.set(`${owner}.${name}`, { owner, name });
    }
    // In code a chain is mostly a variable and its member, and a trace has its own frames.
    if (segment !== 'title' && segment !== 'body') return;
    for (const chain of qualifiedNames(bare)) this.qualified.set(chain.join('.'), chain);
  }

  get terms(): readonly QueryTerm[] {
    return [...this.#terms].map(([term, { weight, isStem }]) => ({ term, weight, isStem }));
  }

  get titleTerms(): readonly string[] {
    return [...this.#titleTerms];
  }

  get words(): readonly string[] {
    return [...this.#words.values()];
  }

  #word(word: string, segment: Segment): void {
    this.#met++;
    const weight = SEGMENT_WEIGHTS[segment];
    const lower = word.toLowerCase();
    if (word.length > 60 || this.stops.has(lower)) return;
    const parts = splitIdentifier(word);
    if (parts.length > 0 && !this.#words.has(lower)) this.#words.set(lower, word);
    for (const part of parts) {
      if (this.stops.has(part)) continue;
      this.#term(part, weight, false);
      const stem = stemOf(part);
      if (stem !== part) this.#term(stem, weight * STEM_WEIGHT, true);
    }
    if (parts.length > 1) this.#term(lower, weight * WHOLE_WEIGHT, false);
    if (segment !== 'title') return;
    for (const part of parts) if (!this.stops.has(part)) this.#titleTerms.add(part);
    if (parts.length > 1) this.#titleTerms.add(lower);
  }

  #term(term: string, weight: number, isStem: boolean): void {
    const known = this.#terms.get(term);
    if (!known || known.weight < weight) this.#terms.set(term, { weight, isStem: isStem && (known?.isStem ?? true) });
    else if (!isStem) known.isStem = false;
  }

  /** RANKING §1.3, exact identifiers: how much an occurrence looks like code. */
  #identifier(word: string, segment: Segment, isQuoted: boolean): void {
    if (word.length < MIN_IDENTIFIER || this.stops.has(word.toLowerCase())) return;
    const looksLikeCode = /^_|[A-Za-z0-9]_\w|[a-z0-9][A-Z]|^[A-Z][A-Z0-9_]{2,}$/u.test(word);
    let strength = 0.25;
    if (looksLikeCode || isQuoted) strength = 1;
    else if (segment === 'code' || segment === 'trace' || /^\p{Lu}/u.test(word)) strength = 0.5;
    if (segment === 'title') strength *= SEGMENT_WEIGHTS.title;
    this.identifiers.set(word, Math.max(this.identifiers.get(word) ?? 0, strength));
  }
}

/** One spelling for a package, a crate or a folder: `clap_complete`, `@acme/clap-complete` and `Clap.Complete` are the same. */
export function scopeName(name: string): string {
  return name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/[_.\s]+/gu, '-')
    .toLowerCase();
}

/** `[parser] …`, `net/http: …`, `fix(parser): …`, `@acme/shop`, `react-query`: what a title says about where. */
function scopesOf(line: string): Pick<TaskQuery, 'scopes' | 'outerScopes'> {
  const title = line.slice(0, MAX_TITLE_CHARS);
  const type = CONVENTIONAL.exec(title);
  const prefix = /^\W*\[([^\]]+)\]|^\s*([\w@/.-]+):\s/u.exec(title);
  const prefixes = (type ? [type[2]] : [prefix?.[1], prefix?.[2]]).flatMap((scope) => scope?.split(/[,|&]\s*/u) ?? []);
  const packages = title.match(/@[\w.-]+\/[\w.-]+|\b[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+\b/gu) ?? [];
  const namesOf = (names: readonly string[]): ReadonlySet<string> =>
    new Set(names.map(scopeName).filter((name) => name.length > 1 && !STOP_WORDS.has(name)));
  return {
    scopes: namesOf([...prefixes, ...packages]),
    outerScopes: namesOf(prefixes.flatMap((scope) => (scope.startsWith('@') ? [] : scope.split('/').slice(0, -1)))),
  };
}

const TEST_WORDS =
  /\b(?:tests|unit ?tests?|test (?:suite|cases?|coverage)|(?:a|the|failing|flaky|missing|regression|integration) test|test_\w+)\b/iu;
const TEST_PATH =
  /(?:^|\/)(?:tests?|testing|__tests__|spec|specs)\/|(?:^|\/)(?:test_[^/]*|[^/]*_test\.\w+|[^/]*\.(?:test|spec)\.\w+|conftest\.py)$/u;
const EXTRAS_WORDS = /\b(?:docs|documentation|readme|changelog|examples|benchmarks?|scripts?|tutorials?)\b/iu;
const EXTRAS_PATH = /(?:^|\/)(?:docs?|examples?|bench\w*|scripts?|tools?|website)\//u;

/** Together with such a word: a title that asks for work on tests or docs, rather than one that mentions them. */
const ABOUT =
  /^\W*(?:\[?\w+\]?[:(]\s*)?(?:add|write|fix|update|improve|extend|refactor|rename|speed up|document|split)\b/iu;

/** Reads a task. The first line that is not noise is its title. Linear; reads 200,000 characters at most. */
export function parseTask(text: string): TaskQuery {
  const clean = text
    .slice(0, MAX_QUERY_CHARS)
    .replace(/\r\n?/gu, '\n')
    .replace(/<!--[\s\S]*?(?:-->|$)/gu, ' ');
  const reader = new TaskReader();
  for (const line of clean.split('\n')) reader.read(line);
  const builder = QueryBuilder.over(reader.lines);
  const { paths, fileNames } = pathsOf(clean);
  const title = reader.lines.find(({ segment }) => segment === 'title')?.text ?? '';
  const inTitle = pathsOf(title);
  const named = [...inTitle.paths, ...inTitle.fileNames];
  const type = CONVENTIONAL.exec(title)?.[1]?.toLowerCase() ?? '';
  const isAbout = (types: RegExp, words: RegExp, path: RegExp): boolean =>
    types.test(type) || named.some((each) => path.test(each)) || (ABOUT.test(title) && words.test(title));
  return {
    terms: builder.terms,
    titleTerms: builder.titleTerms,
    words: builder.words,
    identifiers: builder.identifiers,
    dotted: [...builder.dotted.values()],
    qualified: [...builder.qualified.values()],
    paths,
    fileNames,
    stems: stemsOf(clean, title),
    frames: [...framesOf(reader.traces), ...placesOf(clean)],
    prose: proseOf(reader.lines.flatMap(({ text, segment }, at) => (at === 0 || PROSE.has(segment) ? [text] : []))),
    ...scopesOf(title),
    isAboutTests: isAbout(/^tests?$/u, TEST_WORDS, TEST_PATH),
    isAboutExtras: isAbout(/^(?:docs?|build|ci)$/u, EXTRAS_WORDS, EXTRAS_PATH),
  };
}
