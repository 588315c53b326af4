/**
 * Which words of a shell command are files of the workspace, and which of our handles it asks for. It decides by what
 * programs take and by how words look, never by what exists: a word that may be a pattern, a branch, a package or an
 * address is left out, so that no path is invented.
 */
import { parse } from 'shell-quote';
import { splitHandles } from './toolHandles';
import type { WorkspacePaths } from './workspacePaths';

/** What a command names. */
interface CommandNames {
  /** Workspace-relative. */
  readonly paths: readonly string[];
  readonly handles: readonly string[];
}

/** Longer commands are scripts; their start says what they are. UTF-16 code units. */
const MAX_COMMAND_CHARS = 16_000;
const MAX_PATHS = 100;
/** `bash -c "bash -c …"` beyond this says nothing more. */
const MAX_DEPTH = 3;

const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')));

/** Their words are files, however they look. */
const READERS = words(
  'cat bat head tail less more nl wc tac od xxd stat file source . touch rm cp mv vim vi nano code',
  'type get-content gc set-content remove-item sort uniq diff cmp tee chmod open',
);
/** Their first word is a pattern or a program, unless an option brought one. */
const PATTERN_FIRST = words('grep egrep fgrep rg ag ack sed awk gawk jq yq select-string sls');
/** Their words are texts, packages, hosts, processes. */
const NO_FILES = words(
  'echo printf export set unset which man pip pip3 curl wget ssh ping docker kubectl kill pkill',
  'brew apt apt-get sudo-apt gh write-host write-output sleep test [ [[ alias trap true false',
);
const SHELLS = words('bash sh zsh dash ksh fish pwsh powershell cmd');
const INTERPRETERS = words('python python3 node deno bun ruby perl php Rscript');
/** What may stand before a program without changing what it takes. */
const WRAPPERS = words('sudo env time timeout nice nohup command exec xargs npx bunx pnpx uvx stdbuf');
/** Options whose next word is a pattern. */
const TEXT_OPTIONS = words('-e --regexp --expression -t --type -g --glob');
const GIT_OPTIONS = words('-m --message --author --grep -S -G --format --pretty --since --until -b -B -n');
/** Files that have no extension. */
const BARE_NAMES =
  /^(?:Makefile|Dockerfile|Containerfile|Procfile|Jenkinsfile|Gemfile|Rakefile|Justfile|LICENSE|README|CHANGELOG|CODEOWNERS|\.[a-z][\w.-]*)$/;
const EXTENSION = /[\w)\]-]\.(?!(?:com|org|net|io|dev|app)$)[a-z][a-z\d]{0,9}$/i;
/** No name of a file in practice, and signs of patterns, variables, addresses and code. */
const NOT_LITERAL = /[$`*?{}<>|^!"';,=%\\]|:\/\/|^[@#]|^-/;
const LINE_SUFFIX = /:\d+(?:[:-]\d+)?:?$/;

function baseName(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return name.replace(/\.exe$/i, '');
}

/** Whether a word looks like a path by itself. */
function looksLikeFile(word: string): boolean {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return EXTENSION.test(name) || BARE_NAMES.test(name) || /^\.{1,2}\/./.test(word);
}

/** Bodies of here-documents are text, whatever they look like. */
function withoutHereDocuments(command: string): string {
  const start = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/.exec(command);
  if (!start) return command;
  const lineEnd = command.indexOf('\n', start.index);
  if (lineEnd < 0) return command;
  const head = command.slice(0, start.index);
  const end = new RegExp(`^\\s*${start[2]}\\s*$`, 'm').exec(command.slice(lineEnd + 1));
  const rest = end ? command.slice(lineEnd + 1 + end.index + end[0].length) : '';
  return `${head}${command.slice(start.index + start[0].length, lineEnd)}\n${withoutHereDocuments(rest)}`;
}

/** Simple commands of a command line as words; `>` before a word that is written to. */
function simpleCommands(command: string, isWindows: boolean): readonly (readonly string[])[] {
  const found: string[][] = [];
  for (const line of withoutHereDocuments(command)
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)) {
    found.push([]);
    for (const token of tokensOf(line, isWindows)) {
      const current = found.at(-1);
      if (typeof token === 'string') current?.push(token);
      else if (!('op' in token)) break;
      else if (token.op === '>' || token.op === '>>' || token.op === '<') current?.push('>');
      else if (token.op !== 'glob') found.push([]);
    }
  }
  return found.filter((each) => each.length > 0);
}

function tokensOf(line: string, isWindows: boolean): ReturnType<typeof parse> {
  try {
    // Variables stay as they are: what they stand for is not known.
    return parse(line, (name) => `$${name}`, isWindows ? { escape: '^' } : undefined);
  } catch {
    // An open `${`: such a line says nothing that could be trusted.
    return [];
  }
}

/** Reads one command line; keeps the folder that `cd` leads to. */
class CommandReader {
  readonly #found = new Set<string>();
  readonly #handles = new Set<string>();

  constructor(
    private readonly paths: WorkspacePaths,
    private cwd: string | undefined,
  ) {}

  get names(): CommandNames {
    return { paths: [...this.#found].slice(0, MAX_PATHS), handles: [...this.#handles] };
  }

  read(command: string, depth: number): void {
    for (const simple of simpleCommands(command.slice(0, MAX_COMMAND_CHARS), this.paths.isWindows)) {
      this.#readSimple(simple, depth);
    }
  }

  #readSimple(simple: readonly string[], depth: number): void {
    const args = this.#withoutRedirects(simple);
    while (args.length > 0 && (/^\w+=/.test(args[0] ?? '') || WRAPPERS.has(baseName(args[0] ?? '')))) {
      args.shift();
      // A wrapper's own options and its number of seconds.
      while (/^-|^\d+[smh]?$/.test(args[0] ?? '')) args.shift();
    }
    const program = baseName(args.shift() ?? '');
    if (program === 'cd' || program === 'pushd') this.#enter(args);
    else if (SHELLS.has(program)) this.#readShell(args, depth);
    else if (program === 'git') this.#readGit(args);
    else if (this.#readOwn(program, args)) return;
    else if (!NO_FILES.has(program)) this.#readWords(program, args);
  }

  #withoutRedirects(simple: readonly string[]): string[] {
    const args: string[] = [];
    for (let at = 0; at < simple.length; at++) {
      if (simple[at] !== '>') args.push(simple[at] ?? '');
      else if (simple[at + 1] !== '/dev/null') this.#add(simple[++at] ?? '', true);
      else at++;
    }
    return args;
  }

  #enter(args: readonly string[]): void {
    const [folder] = args.filter((word) => !word.startsWith('-'));
    const isKnown = folder !== undefined && !NOT_LITERAL.test(folder);
    // A folder that is not known gives no paths until an absolute `cd`.
    this.cwd = (isKnown ? this.paths.folderAfter(folder, this.cwd) : undefined) ?? '\0';
  }

  #readShell(args: readonly string[], depth: number): void {
    const at = args.findIndex((word) => /^-[a-z]*c$|^\/c$|^-command$/i.test(word));
    const script = args[at + 1];
    if (at >= 0 && script !== undefined && depth < MAX_DEPTH) this.read(script, depth + 1);
    else if (at < 0) this.#readWords('bash-script', args);
  }

  /** `git diff -- a.ts`, `git show HEAD:a.ts`: branches and messages look like paths too. */
  #readGit(args: readonly string[]): void {
    let isPath = false;
    for (let at = 0; at < args.length; at++) {
      const word = args[at] ?? '';
      if (word === '--') isPath = true;
      else if (!isPath && GIT_OPTIONS.has(word)) at++;
      else if (!isPath && word === '-C') this.#enter([args[++at] ?? '']);
      else this.#add(isPath ? word : word.replace(/^[\w.^~@{}/-]+:(?=[^\d])/, ''), isPath);
    }
  }

  /** `context-budget detail --ids 12,section:soul`; true for any command of ours. */
  #readOwn(program: string, args: readonly string[]): boolean {
    const at = program === 'context-budget' ? -1 : args.findIndex((word) => baseName(word) === 'context-budget');
    if (program !== 'context-budget' && (at < 0 || !INTERPRETERS.has(program))) return false;
    const own = args.slice(at + 1);
    if (!own.includes('detail')) return true;
    let isList = false;
    for (const word of own) {
      const isOption = word.startsWith('-');
      // The option takes every word up to the next one.
      isList = isOption ? word.startsWith('--ids') : isList;
      const list = !isOption ? word : word.startsWith('--ids=') ? word.slice(6) : '';
      for (const handle of isList ? splitHandles(list) : []) this.#handles.add(handle);
    }
    return true;
  }

  #readWords(program: string, args: readonly string[]): void {
    const name = program.toLowerCase();
    const isCode = INTERPRETERS.has(program);
    const hasPattern = args.some((word) => /^(?:-e|-f|--regexp|--expression|--file)/.test(word));
    let isPatternNext = PATTERN_FIRST.has(name) && !hasPattern;
    for (let at = 0; at < args.length; at++) {
      const word = args[at] ?? '';
      const isCount = /^\d+$/.test(word) && /^-/.test(args[at - 1] ?? '');
      if (isCount) continue;
      if (/^--[\w-]+=/.test(word)) this.#add(word.slice(word.indexOf('=') + 1), false);
      else if (isCode && /^(?:-c|-e|-p|-m|--eval|--print)$/.test(word)) at++;
      else if (TEXT_OPTIONS.has(word) && !isCode) at++;
      else if (word.startsWith('-')) continue;
      else if (isPatternNext) isPatternNext = false;
      else this.#add(word, READERS.has(name));
    }
  }

  /** @param isSure the program takes nothing but files here */
  #add(given: string, isSure: boolean): void {
    const word = given.replace(LINE_SUFFIX, '');
    if (this.cwd === '\0' && !/^[/~]|^[a-z]:/i.test(word)) return;
    if (NOT_LITERAL.test(this.paths.isWindows ? word.replaceAll('\\', '/') : word) || /^[+]?\d*$|^&/.test(word)) return;
    if (/:(?!\\|\/)/.test(word) || /[()]\s|\s[()]/.test(word)) return;
    if (!isSure && !looksLikeFile(word.replaceAll('\\', '/'))) return;
    const path = this.paths.relative(word, this.cwd === '\0' ? undefined : this.cwd);
    if (path !== undefined) this.#found.add(path);
  }
}

/**
 * Files and handles that a command line names. Linear for ordinary commands; never throws.
 * @param cwd where it runs; the workspace folder unless given
 */
export function namesOfCommand(command: string, paths: WorkspacePaths, cwd?: string): CommandNames {
  const reader = new CommandReader(paths, cwd);
  reader.read(command, 0);
  return reader.names;
}

/** Files that a patch in Codex's format changes, by its headers. Also finds headers inside of a string of code. */
export function pathsOfPatch(patch: string, paths: WorkspacePaths, cwd?: string): readonly string[] {
  const found = new Set<string>();
  for (const match of patch.matchAll(/\*\*\* (?:(?:Add|Update|Delete) File|Move to): ([^\n\r"`\\]{1,1000})/g)) {
    const path = paths.relative((match[1] ?? '').trim(), cwd);
    if (path !== undefined) found.add(path);
    if (found.size >= MAX_PATHS) break;
  }
  return [...found];
}
