/**
 * Which sections a text says in their own words: the whole sentence of a section that has one alone; runs of Chinese and
 * addresses (of pages, machines, people) that stand so in one section only. Pasted and quoted text is taken out before (`quotes.ts`).
 */
import type { CitableSection } from './citablePayload';
import { isOrdinaryPair, keywordTerms } from './keywordTerms';
import { isFilePath } from './pathNames';

/** A longer text is no sentence. UTF-16 code units. */
const MAX_SENTENCE_CHARS = 200;
/** Characters of a finding that are told. UTF-16 code units. */
const MAX_SAID_CHARS = 24;
/** A sentence of fewer words may be a coincidence. */
const MIN_WORDS = 3;
/** Characters of a run of Chinese that is no coincidence. */
const RUN_CHARS = 8;
/** Characters of a run in which no two neighbours are a common word: a term, a proverb. */
const TERM_CHARS = 6;

const RUN = /\p{Script=Han}{4,}/gu;
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

const ADDRESS =
  /(?<![\w/.:-])\/[a-z][\w-]*:[a-z][\w-]*|\bhttps?:\/\/[\w.-]+\/[\w~%./?=&#+-]*[\w/]|(?<![\w./-])(?:[a-z][a-z0-9-]*\.){2,4}(?:ai|app|cn|co|com|de|dev|edu|io|net|org|top|xyz)\b(?![\w./(-])|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{0,200}\w/gu;
/** A name with its number, `Java 11`, no day of a month. */
const NUMBERED =
  /(?<![\p{L}\p{N}.-])(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* )(\p{Lu}\p{L}{2,15}) (?:\d{2,3}|\d{1,2}\.\d{1,2}|(?:API )?v\d{1,2}(?:\.\d{1,2})?)(?![\p{L}\p{N}]|[.,:/-]\d)/gu;
/** `zod 3.22.4`, `tailwindcss: ^4.1.8`: a thing with its version. */
const VERSION =
  /(?<![\w.@/-])(@?[a-z][\w/-]{2,40})["'`*]{0,3}[:=@ ]{1,2}["'`*^~≥>=]{0,3}v?(\d{1,3}\.\d{1,3}\.\d{1,3})(?![\w/-]|\.\d)/giu;
const NO_THING = /^(?:from|section|since|than|until|version|was)$/iu;
/** A measured amount, a limit of a text's length: `58 GB`, `about 500 lines`. */
const AMOUNT =
  /(?=\d)(?<![a-zA-Z\p{N}.-])(?:(?!10+\D)\d{2,4}(?:\.\d+)? ?(?:[KMGT]B|[kM]Hz|BPM|km|kg|px|USD|万|元)|(?!100)\d{2,3} ?% (?:\p{L}+ )?coverage|(?<=(?:[<≤]|\b(?:about|above|at (?:least|most)|below|limit|max|over|than|under|within)\b|约|超过|最多)\D{0,4})\d{2,4} ?(?:characters|chars|lines|words|行|字))(?![a-zA-Z])/gu;
/** A port, `port 1688`, `1688 端口`; defaults are left out below. */
const PORT = /(?:\bport|端口)[ \t:=是为`]{1,4}(\d{4,5})(?!\d)|(?<![\d.])(\d{4,5})`?[ \t]?(?:端口|port\b)/giu;
const COMMON_PORT = /^(?:[1-9]000|[1-9]00[01]|80[0-9]{2}|8443|8888|3306|5173|5432|6379|9090|9092|9200|11434|27017)$/u;
/** Steps of a scale that no count gives: `15/30/45`, `5 → 15 → 60`; no date. */
const SCALE = /(?<![\p{L}\p{N}.,/:-])\d{1,4}(?:(?: ?[/→] ?)\d{1,4}){2,7}(?![\p{L}\p{N}/:-]|[.,]\d)/gu;
/** `2026/11/28`, `28/11/2026`, `1/2/3`. */
const COMMON_SCALE =
  /^(?:(?:19|20)\d\d\/\d{1,2}\/\d{1,2}|(?:(?:0?\d|1[0-2])\/\d{1,2}|\d{1,2}\/(?:0?\d|1[0-2]))\/(?:(?:19|20)\d\d|\d\d)|\d(?:[/→]\d)+)$/u;
/** An option of several words, `--server-only`, which is its program's own. */
const OPTION = /(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?![\w-])/gu;
/** Options of common programs, and names of values in style sheets. */
const COMMON_OPTION =
  /^--(?:all-(?:features|files|targets)|allow-[a-z-]+|data-\w+|diff-filter|dry-run|exclude-\w+|experimental-[a-z-]+|first-parent|force-with-lease|frozen-lockfile|ignore-[a-z-]+|legacy-peer-deps|log-level|max-[a-z-]+|name-\w+|no-[a-z-]+|only-matching|save-\w+|set-\w+|show-[a-z-]+|skip-[a-z-]+|user-\w+|with-[a-z-]+|word-diff|(?:accent|background|bg|border|card|color|font|muted|primary|radius|secondary|shadow|space|spacing|text)-[a-z0-9-]+)$/u;
/** A function with its package, `cclog.Warnf()`, as code. */
const QUALIFIED = /(?<![\w./@$-])[a-z]\w{2,30}\.[A-Za-z]\w{3,40}(?=\(|`)/gu;
const COMMON_PACKAGE =
  /^(?:app|array|axios|bytes|chrome|client|conn|console|context|ctx|cursor|datetime|dict|document|errors|event|express|file|fmt|form|fs|http|https|import|ioutil|item|jest|json|list|localstorage|logger|logging|logrus|math|module|mongoose|node|np|numpy|obj|object|os|page|pandas|params|path|performance|prisma|process|promise|props|pytest|random|re|react|reflect|req|request|requests|res|response|result|router|self|server|session|socket|sort|sql|state|str|string|strings|super|sync|sys|test|text|this|time|torch|unittest|user|uuid|value|vi|vscode|window)\./iu;
/** Addresses that no project owns. */
const COMMON_ADDRESS = /^(?:127\.|0\.0\.0\.0|255\.)|\/\/(?:localhost|127\.)|example\.|noreply@/u;

/** Inline code that may be a command. Short ones too, so that what stands between two is none. */
const SPAN = /`([^`\n]{1,200})`/gu;
const MIN_SPAN_CHARS = 6;
/** More spans of one text are a listing. Bounds the cost. */
const MAX_SPANS = 100;
/** Lines between such marks are code, as commands of a workflow file or a shell are. */
const FENCE = /^[ \t]*```.*$/mu;
/** What stands before a command: a list's mark, a key, a prompt, variables, a program that runs it. */
const BEFORE_COMMAND =
  /^\s*(?:- )?(?:run: |\$ )?(?:[A-Z][A-Z0-9_]{1,30}=[^\s'"]{1,60} |(?:nice|nohup|rtk|sudo|time|timeout \S{1,8}) )*/u;
/** Commands of one line of a shell; chains of them. */
const COMMAND_END = /&&|[ \t]{0,9}\d?>&\d|[ \t]{0,9}\d?>{1,2}[ \t]{0,9}\S+|[;|\n]/u;
const CHAIN_END = /[ \t]{0,9}\d?>&\d|[ \t]{0,9}\d?>{1,2}[ \t]{0,9}\S+|[;|\n]/u;
/** What everybody runs everywhere; the script `check` is a project's own. */
const COMMON_COMMAND =
  /^(?!(?:npm|pnpm|yarn|bun) run check$)(?:git \S+(?: -\S+)*|(?:cat|cd|chmod|cp|echo|find|grep|head|ls|mkdir|mv|rm|sed|tail|which) .*|(?:npm|pnpm|yarn|bun|cargo|go|pip3?|uv)(?: run)?(?: (?:-\w|--\w+))* (?:add|build|check|ci|clean|clippy|dev|fmt|format|get|i|init|install|lint|run|start|sync|test|update|vet|watch)(?: \.\/\.\.\.)?|swift (?:build|package|run|test)|git (?:checkout|push|pull|rebase)(?: -\S+)*(?: origin)?(?: main| master)?|sleep \d+|import \w+|(?:npm|pip3?|pnpm|yarn) (?:add|install) \S+|node \S+|python3? (?:[^-\s]\S*|--version|-V)|docker compose (?:up|down)(?: -d)?)$/u;

/** Tools that a project chooses to run others with: `bun run`, `uv run`. */
const CHOSEN = /^(?:bun|deno|pdm|pipenv|pixi|poetry|rye|uv) (?:exec|run|task|x)$/u;

/** Programs that run what a project wrote under a name of its own, and the names that all give. */
const RUNNER = /^(?:just|make|task|invoke|nox|rake)$/u;
const COMMON_TARGET =
  /^(?:all|build|check|ci|clean|default|deploy|dev|docs?|fmt|format|help|init|install|lint|release|run|serve|setup|start|stop|test|up|down|update|watch)$/u;

/** What stands for something else in a command. */
const PLACEHOLDER = /[<>[\]{}$*…#]|\.\.\./u;
/** Programs of everybody, beside those that are short: of such a command a beginning says nothing. */
const COMMON_PROGRAM =
  /^(?:black|cargo|cmake|conda|dotnet|eslint|flutter|gradle|javac|kubectl|mkdir|mysql|nohup|pip3|playwright|pm2|podman|poetry|prettier|pytest|python3|rails|redis-cli|rsync|rustc|sqlite3|swift|terraform|vitest|xcodebuild|.*\.[a-z]+)$/u;
/** A command that more sections have is everybody's. */
const MAX_OWNERS = 3;

const OWN_NAME = /^\d{0,2}[a-z][a-z0-9]*(?:[/:-][a-z0-9]+){1,4}$/iu;
/** MIME types, headers of HTTP, branches and tools of everybody. */
const COMMON_NAME =
  /^(?:(?:application|image|text|video)\/.*|(?:accept|access|authorization|cache|content|cookie|set|user|x)-.*|(?:origin|refs|heads|upstream|node|feat|feature|fix|docs|chore|test|tests|src|lib|libs|apps|packages|crates|services|modules|internal|pkg|cmd)[/:].*|.{1,7})$/iu;

/** A section, and the words that it is known by. */
export interface VerbatimMatch {
  readonly section: number;
  readonly words: string;
}

/** Words alone, with one blank between them and at both ends; characters of Chinese are words. */
function plain(text: string): string {
  return ` ${(text.normalize('NFKC').toLowerCase().match(WORD) ?? []).join(' ')} `;
}

/** A text without its blocks of code, which is said as it is or not at all. */
export function withoutCode(text: string): string {
  return text
    .split(FENCE)
    .filter((_, at) => at % 2 === 0)
    .join('\n\n');
}

/** Enough to know it by: the log keeps no text. */
export function named(words: string): string {
  return words.length <= MAX_SAID_CHARS ? words : `${words.slice(0, MAX_SAID_CHARS)}…`;
}

/** The words of a command before what stands for something else. */
function wordsOf(command: string): readonly string[] {
  const words = command.replace(BEFORE_COMMAND, '').trim().split(/\s+/u);
  const end = words.findIndex((word) => PLACEHOLDER.test(word));
  return end < 0 ? words : words.slice(0, end);
}

/** How many words of the command that was run say that it is the other: all of it; of a program of the project, two. */
function sharedWords(ran: readonly string[], known: readonly string[]): number {
  const [program = '', second = ''] = known;
  const differ = known.findIndex((word, at) => word !== ran[at]);
  const count = differ < 0 ? known.length : differ;
  const isWhole = differ < 0 && (known.length > 2 || second.startsWith('-'));
  const isTarget = RUNNER.test(program) && !COMMON_TARGET.test(second);
  const isOwn =
    isTarget || CHOSEN.test(`${program} ${second}`) || (isUncommon(program, 0.85) && !COMMON_PROGRAM.test(program));
  return isWhole || (count > 1 && !second.startsWith('-') && isOwn) ? count : 0;
}

/** Sentences and runs of a payload. Building and asking are linear, but for the few sections of one sentence. */
export class Verbatim {
  readonly #sentences: readonly (VerbatimMatch & { readonly plain: string })[];
  /** The section of each run of eight characters, and of each address; undefined where several have it. */
  readonly #runs = new Map<string, number | undefined>();
  /** Commands that sections have as code, by their first two words. */
  readonly #commands = new Map<string, { readonly section: number; readonly words: readonly string[] }[]>();

  constructor(private readonly sections: readonly CitableSection[]) {
    this.#sentences = sections.flatMap(({ text }, section) => {
      const words = text.trim();
      const isSentence = words.length <= MAX_SENTENCE_CHARS && !/\n|section:/u.test(words);
      const said = isSentence ? plain(words) : '';
      return said.trim().split(' ').length >= MIN_WORDS ? [{ section, words, plain: said }] : [];
    });
    sections.forEach(({ text, isMap }, section) => {
      const known = text.normalize('NFKC');
      // Of the headings that a map shows, a term is of the trade.
      for (const [run] of known.matchAll(RUN))
        for (const part of [...partsOf(run, RUN_CHARS), ...(isMap ? [] : termsOf(run))]) this.#own(part, section);
      for (const [address] of addressesOf(known)) this.#own(address, section);
      for (const line of codeOf(text))
        for (const command of line.split(COMMAND_END)) this.#addCommand(command, section);
    });
  }

  #addCommand(command: string, section: number): void {
    const words = wordsOf(command);
    if (words.length < 2 || command.length > MAX_SENTENCE_CHARS) return;
    const key = words.slice(0, 2).join(' ');
    const known = this.#commands.get(key);
    if (known) known.push({ section, words });
    else this.#commands.set(key, [{ section, words }]);
  }

  #own(part: string, section: number): void {
    const isShared = this.#runs.has(part) && this.#runs.get(part) !== section;
    this.#runs.set(part, isShared ? undefined : section);
  }

  /** Commands of a shell, and chains of them, that stand so in one section only, or begin so in few. */
  *commands(line: string, task: string): Generator<VerbatimMatch> {
    const chains = line.split(CHAIN_END).filter((chain) => chain.includes('&&'));
    const commands = line.split(COMMAND_END).slice(0, MAX_SPANS);
    const whole = [...this.#code([...chains, ...commands], task)];
    yield* whole;
    for (const command of commands) {
      const words = wordsOf(command);
      if (whole.length === 0 || CHOSEN.test(words.slice(0, 2).join(' '))) yield* this.#begun(words, task);
    }
  }

  /** Sections with a command that the one that was run begins with. */
  *#begun(ran: readonly string[], task: string): Generator<VerbatimMatch> {
    const owners = new Map<number, string>();
    for (const { section, words } of this.#commands.get(ran.slice(0, 2).join(' ')) ?? []) {
      const begin = words.slice(0, sharedWords(ran, words)).join(' ');
      const isTelling = begin !== '' && !task.includes(begin) && (CHOSEN.test(begin) || !COMMON_COMMAND.test(begin));
      if (isTelling && begin.length > (owners.get(section)?.length ?? 0)) owners.set(section, begin);
    }
    // A tool that runs others is evidence only where one section alone names it, and not beside a whole command.
    const chosen = [...owners].filter(([, words]) => CHOSEN.test(words));
    for (const [section] of owners.size > 1 ? chosen : []) owners.delete(section);
    if (owners.size <= MAX_OWNERS) for (const [section, words] of owners) yield { section, words: named(words) };
  }

  /** Commands and other code of several words that stand so in one section only. */
  *#code(lines: Iterable<string>, task: string): Generator<VerbatimMatch> {
    let count = 0;
    for (const line of lines) {
      const words = line.replace(BEFORE_COMMAND, '').trim();
      const isCode =
        words.length <= MAX_SENTENCE_CHARS && /^[\w./@][^\n]{4,}$/u.test(words) && /\p{L}.*\s.*\p{L}/u.test(words);
      const isName = isOwnName(words);
      if (!(isCode || isName || isTerm(words)) || COMMON_COMMAND.test(words) || task.includes(words)) continue;
      if (++count > MAX_SPANS) return;
      const owners = this.sections.flatMap(({ text }, at) =>
        (isName ? text.includes(words) : hasCode(text, words)) ? [at] : [],
      );
      const [section] = owners;
      if (section === undefined || owners.length > 1) continue;
      if (isCode || this.sections[section]?.text.includes(`\`${words}\``)) yield { section, words };
    }
  }

  /** Sections that the text says verbatim; what the task said before does not count. */
  find(text: string, task: string): readonly VerbatimMatch[] {
    const said = this.#sentences.length > 0 ? plain(text) : '';
    const found: VerbatimMatch[] = this.#sentences.filter((sentence) => said.includes(sentence.plain));
    const code = codeOf(text);
    found.push(...this.#code(code, task));
    for (const line of code.slice(0, MAX_SPANS)) found.push(...this.#begun(wordsOf(line), task));
    const asked = new Set(addressesOf(task).map(([address]) => address));
    for (const [address, words] of addressesOf(text)) {
      const section = this.#runs.get(address);
      if (section !== undefined && !asked.has(address)) found.push({ section, words });
    }
    for (const [run] of this.#runs.size > 0 ? text.matchAll(RUN) : []) {
      let start = 0;
      let owner: number | undefined;
      for (const words of termsOf(run)) {
        const section = this.#runs.get(words);
        if (section !== undefined && !task.includes(words)) found.push({ section, words });
      }
      const parts = partsOf(run, RUN_CHARS);
      for (let at = 0; at <= parts.length; at++) {
        const next = this.#runs.get(parts[at] ?? '');
        if (next === owner) continue;
        const words = run.slice(start, at + RUN_CHARS - 1);
        if (owner !== undefined && !task.includes(words)) found.push({ section: owner, words });
        [owner, start] = [next, at];
      }
    }
    return found.map(({ section, words }) => ({ section, words: named(words) }));
  }
}

/** Spans of inline code, and lines of blocks of code. */
function codeOf(text: string): readonly string[] {
  const spans = [...text.matchAll(SPAN)].flatMap(([, span = '']) => (span.length < MIN_SPAN_CHARS ? [] : [span]));
  const blocks = text.split(FENCE).filter((_, at) => at % 2 === 1);
  return [...spans, ...blocks.flatMap((block) => block.split('\n'))];
}

/** As code: prose has `to use` as well. */
function hasCode(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (/(?:`|^|\n)[ \t]*(?:[-*$] |run: |\d+[.)] )*$|[|&]\s*$|\S: $/u.test(text.slice(Math.max(0, at - 20), at)))
      return true;
  }
  return false;
}

/** A name of several words that the project made up, as `Entire-Agent` and `entire/sessions`: no file, no library's. */
function isOwnName(name: string): boolean {
  return OWN_NAME.test(name) && !isFilePath(name) && !COMMON_NAME.test(name);
}

/** One word that is code on both sides, as `thiserror`. */
function isTerm(word: string): boolean {
  return /^[a-z][a-z-]{5,30}$/u.test(word) && isUncommon(word, 0.85);
}

/** Addresses and facts of a text: how they are compared, and as they stand there. */
function addressesOf(text: string): readonly (readonly [key: string, words: string])[] {
  const addresses = [...text.matchAll(ADDRESS)].filter(([address]) => !COMMON_ADDRESS.test(address));
  // `Error 500`, `Version 12` are everybody's.
  const named = [...text.matchAll(NUMBERED)].filter(([, name = '']) => isUncommon(name, 0.3));
  const ports = [...text.matchAll(PORT)].flatMap(([said, after, before = after]) =>
    before === undefined || COMMON_PORT.test(before) ? [] : [[`port ${before}`, said] as const],
  );
  const scales = [...text.matchAll(SCALE)].flatMap(([said]) => {
    const key = said.replaceAll(' ', '').replaceAll('→', '/');
    return COMMON_SCALE.test(key) ? [] : [[key, said] as const];
  });
  const options = [...text.matchAll(OPTION)].filter(([option]) => !COMMON_OPTION.test(option));
  const qualified = [...text.matchAll(QUALIFIED)].filter(
    ([name]) => !COMMON_PACKAGE.test(name) && !isFilePath(name) && !/\.(?:com|net|org|dev|io)$/u.test(name),
  );
  const versions = [...text.matchAll(VERSION)].flatMap(([said, thing = '', number = '']) =>
    NO_THING.test(thing) ? [] : [[`${thing.toLowerCase()} ${number}`, said] as const],
  );
  return [
    ...versions,
    ...ports,
    ...scales,
    ...[...addresses, ...options, ...qualified].map(([address]) => [address, address] as const),
    ...[...named, ...text.matchAll(AMOUNT)].map(([fact]) => [fact.replaceAll(' ', '').toLowerCase(), fact] as const),
  ];
}

function isUncommon(word: string, least: number): boolean {
  return keywordTerms(word).some(({ weight }) => weight >= least);
}

/** So many neighbouring characters, from each; all are of the basic plane in practice, others only make a run longer. */
function partsOf(run: string, chars: number): readonly string[] {
  return Array.from({ length: Math.max(0, run.length - chars + 1) }, (_, at) => run.slice(at, at + chars));
}

function termsOf(run: string): readonly string[] {
  return partsOf(run, TERM_CHARS).filter((term) => !partsOf(term, 2).some(isOrdinaryPair));
}
