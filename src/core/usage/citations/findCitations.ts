/**
 * Citations: decides which sections of a payload a turn of an agent gives evidence of having used, and by what. At most
 * one a section, the strongest: a handle or id that was asked for; a path or symbol that the agent then read or edited;
 * an exact id or path in the reply; distinctive keywords; a tag `[ctx:soul]`. A section's name is no evidence, nor is
 * what the reply only quotes or says it did not use (`quotes.ts`). Nothing of the turn is kept but
 * what a citation names.
 */

import { sectionHandle, sectionOfHandle } from '../../text/elements';
import { nameOf } from '../../text/safePath';
import { isEnglishOrChinese, splitIdentifier } from '../../text/terms';
import type { AgentTurn, ToolCall } from '../../transcripts/transcriptAdapter';
import type { Citation } from '../usageRecord';
import { type CitablePayload, type CitableSection, IS_PAGE } from './citablePayload';
import { firstsOf, withoutCopy } from './copies';
import { EntryIndex } from './entryIndex';
import { Evidence, type Strength } from './evidence';
import { commandHandles, handlesIn, namedIds, taggedIds } from './handlesInText';
import { KeywordIndex, type KeywordMatch } from './keywordIndex';
import { keywordTerms } from './keywordTerms';
import { NameIndex, type NameMatch, speakerOf } from './nameIndex';
import { addedIn, type FoundName, madeOf, OF_LIBRARIES, OwnNames } from './ownNames';
import { Paraphrases } from './paraphrases';
import { isFilePath, normalizeMention, pathWords } from './pathNames';
import { Quotes, usedSentences } from './quotes';
import { Sayings } from './sayings';
import { Verbatim, withoutCode } from './verbatim';

/** What of a turn evidence is looked for in. */
export interface CitingTurn extends Pick<AgentTurn, 'replyText' | 'toolCalls'> {
  /** What the agent was asked, where that is known: what it says itself comes from no section. */
  readonly task?: string | undefined;
}

/** More text of one reply or tool call is not looked at. UTF-16 code units. */
const MAX_TEXT_CHARS = 4_000_000;

/** A command that looks at no text of the files that it names. */
const NAMES_ALONE = /^\s*(?:git (?!show|grep|blame|log)|(?:chmod|du|ls|mv|rm|stat|touch)(?![\w-]))/u;
/** Git commands in a reply's code that only name files, with the lines that go on behind a backslash. */
const GIT_MOVES = /^[ \t]*git (?:add|checkout|mv|reset|restore|rm|stash)\b(?:[^\n&|;]*\\\r?\n)*[^\n&|;]*/gmu;
const FENCED = /```[\s\S]*?```/gu;
/** Files that a patch changes, as git and agents write them. */
const PATCH_HEADER =
  /^(?:\*\*\* (?:Update|Add|Delete|Move to)(?: File)?: |(?:\+\+\+|---) (?:[ab]\/)?|diff --git a\/)(\S+)/gmu;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Names behind one another: `worktree.Manager`, `git::repository::Repository`. */
const CHAIN = /(?<![\p{L}\p{N}_$./-])[\p{L}_]\w*(?:(?:\.|::)[\p{L}_]\w*)+/gu;
/** Where a project lies on a machine has its name, which no section gave. */
const ABSOLUTE = /(?<![\p{L}\p{N}\p{P}])[/~][\w.@~+-]*\/[^\s"'`<>()]*/gu;

/** Says that a file's content is what is followed: `according to AGENTS.md`, `as MEMORY.md says`, `按照 AGENTS.md`. */
const FOLLOWED_BEFORE =
  /(?:\b(?:per|according to|following|(?:as|is|are|was|were)(?: \w+)? (?:stated|noted|described|defined|documented|required|listed|written) (?:in|by)|based on|follows?)(?: the)?|按照?|依照|遵循|根据)[\s`"'*_(]*$/iu;
const FOLLOWED_AFTER =
  /^[\s`"'*_)]*(?:says|asks|states|requires|recommends|demands|notes|wants|forbids|tells|warns|mentions|describes|documents|specifies|规定|要求|里说|里写|中说|写明|提到)/iu;

/** `the "dont-guess" rule`, `ADR 0012`: a file by its name or number; a task has its number from anywhere. */
const TITLE =
  /(?<![\p{L}\p{N}./-])(?:[\p{L}\p{N}_-]{1,40}\/)?([\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)+)(?:\.mdc?)?["'`*”]{0,3} ?(?:rule|skill|guide|policy|playbook|spec|规则|技能)|\b(?:adr|migration|rfc|spec) #?(0\d{2,3})\b/giu;

/**
 * Files that nearly every project has, or every one of its language: their name without a folder says nothing of a
 * section that lists or mentions them.
 */
const EVERYWHERE =
  /^(?:(?:AGENTS|CHANGELOG|CLAUDE|CODE_OF_CONDUCT|CONTRIBUTING|GEMINI|LICENSE|README|SECURITY|TODO)\.md|LICENSE|(?:index|main|mod|lib|__init__|__main__|setup|conftest)\.\w+|(?:layout|page|route)\.[jt]sx?|(?:build|deploy|dev|install|lint|release|run|setup|start|stop|test|update)\.(?:bat|ps1|sh)|package(?:-lock)?\.json|[jt]sconfig\.json|pnpm-\w+\.yaml|\w+\.lock|Cargo\.toml|go\.(?:mod|sum|work)|pyproject\.toml|requirements\.txt|composer\.json|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|Package\.swift|pubspec\.yaml|mix\.exs|deno\.json|CMakeLists\.txt|[A-Z]\w+file|flake\.nix|(?:docker-)?compose\.ya?ml|\.env(?:\.\w+)?|\.(?:git|docker)ignore|\.gitattributes|\.editorconfig)$/u;

/** `CartService`, `cart_id`, `HTTP`. */
const IS_NAME = /\p{Ll}\p{Lu}|[_$]|\p{L}\d|\d{3}|^\p{Lu}{2,}/u;

/** A tool of an MCP server, as agents name it. */
const SERVER_TOOL = /^mcp_|^[a-z]+(?:-[a-z]+){2,}$/u;
/** A file that is edited because instructions ask for it. */
const CHANGELOG = /^changelog\.md$/iu;
const ASKED_CHANGELOG = /change[- ]?log/iu;
/** A search through more files looks for where something is. */
const MAX_SEARCHED = 2;
/** A name that more sections mention is evidence for none of them. */
const MAX_TELLING = 3;

/** Looked up once a turn: what the task names, which says nothing in the reply, and the sections of its keywords. */
interface Said {
  readonly found: readonly KeywordMatch[];
  readonly task: string;
  readonly terms: ReadonlySet<string>;
  readonly names: ReadonlySet<NameMatch>;
  /** Files that calls name, by their bare names. */
  readonly touched: ReadonlyMap<string, readonly string[]>;
  /** Names of one section that were found so far. */
  readonly made: FoundName[];
  /** Ordinary names that were found behind their file or folder. */
  readonly placed: Set<string>;
}

/** With one spelling for full-width letters, digits and punctuation; some characters become many thereby. */
function bounded(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS).normalize('NFKC').slice(0, MAX_TEXT_CHARS);
}

/** Lines and quotes of a text that stands in JSON. */
function unescaped(text: string): string {
  return text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
}

/** Which words of other languages are ordinary is not known: of such a text names alone tell, and what has other letters. */
function foreignWords(text: string): readonly string[] {
  if (isEnglishOrChinese(text)) return [];
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const isLatin = (text.match(/\p{Script=Latin}/gu)?.length ?? 0) * 2 > letters;
  const tells = (word: string): boolean =>
    IS_NAME.test(word) || /^\p{Script=Han}/u.test(word) || (!isLatin && /^\p{Script=Latin}/u.test(word));
  return keywordTerms(text).flatMap(({ key, text: word }) => (tells(word) ? [] : [key]));
}

/** Finds citations of one payload; made once for many turns. Building is linear in the payload. */
export class CitationFinder {
  readonly #names: NameIndex;
  readonly #keywords: KeywordIndex;
  readonly #quotes: Quotes;
  readonly #verbatim: Verbatim;
  readonly #sayings: Sayings;
  readonly #paraphrases: Paraphrases;
  readonly #entries: EntryIndex;
  readonly #handles = new Map<string, number>();
  readonly #placed = new Map<string, number>();
  readonly #own: OwnNames;
  /** Position of the first section with the text of each section, as `AGENTS.md` has what `CLAUDE.md` has. */
  readonly #firsts: readonly number[];
  readonly #sections: readonly CitableSection[];

  constructor(private readonly payload: CitablePayload) {
    this.#firsts = firstsOf(payload.sections);
    // What two sections have is one text, and tells as much as one.
    this.#sections = payload.sections.map((section, at) => {
      const first = payload.sections[this.#firsts[at] ?? at];
      return first && first !== section ? withoutCopy(section, first) : section;
    });
    this.#names = new NameIndex(this.#sections);
    this.#keywords = new KeywordIndex(this.#sections);
    this.#quotes = new Quotes(payload);
    this.#verbatim = new Verbatim(this.#sections);
    this.#sayings = new Sayings(this.#sections);
    this.#paraphrases = new Paraphrases(this.#sections);
    this.#entries = new EntryIndex(payload.sections);
    this.#own = new OwnNames(this.#sections, (name) => this.#names.isPlace(name));
    payload.sections.forEach(({ handle, symbolHandles, placedSymbols, observationIds }, at) => {
      this.#handles.set(handle, at);
      for (const symbol of placedSymbols) this.#placed.set(symbol, at);
      for (const symbol of symbolHandles) this.#handles.set(symbol, at);
      for (const id of observationIds) this.#handles.set(String(id), at);
    });
  }

  /** Citations in payload order. Linear in the turn's texts, of each of which the first 4,000,000 characters count. */
  find({ replyText, toolCalls, task = '' }: CitingTurn): readonly Citation[] {
    const evidence = new Evidence();
    const reply = bounded(replyText).replace(FENCED, (code) => code.replace(GIT_MOVES, ' '));
    const asked = new Set(keywordTerms(bounded(task)).map(({ key }) => key));
    const known = new Set([...asked, ...this.#names.placeNames(reply)]);
    const mute = new Set([...known, ...foreignWords(reply)]);
    const sentences = usedSentences(this.#quotes.strip(reply));
    const said = this.#said(task, asked, sentences.join('\n'), mute, toolCalls);
    for (const call of toolCalls) this.#call(call, evidence, said);
    for (const sentence of sentences) this.#sentence(sentence, evidence, said);
    for (const [section, names] of madeOf(said.made)) evidence.add(section, 'keyword', names);
    for (const { section, words } of said.found) evidence.add(section, 'keyword', words.join(', '));
    const ownWords = this.#quotes.ownWords(reply);
    const own = usedSentences(ownWords);
    for (const { section, words } of this.#verbatim.find(own.join('\n'), task)) evidence.add(section, 'keyword', words);
    const saidItself = usedSentences(this.#quotes.withoutSaid(withoutCode(ownWords))).join('\n');
    for (const { section, words } of [
      ...this.#sayings.find(saidItself, bounded(task), known),
      ...this.#paraphrases.find(saidItself, mute),
    ])
      evidence.add(section, 'keyword', words);
    return evidence.citations(this.payload.sections, this.#firsts).map(({ section, ...citation }) => {
      const entry = this.#entries.find(section, citation, own);
      return { ...citation, ...(entry === undefined ? {} : { entry }) };
    });
  }

  #said(
    task: string,
    terms: ReadonlySet<string>,
    reply: string,
    mute: ReadonlySet<string>,
    toolCalls: readonly ToolCall[],
  ): Said {
    const touched = new Map<string, string[]>();
    for (const path of toolCalls.flatMap(({ paths }) => paths)) {
      const others = touched.get(nameOf(path));
      if (others) others.push(path);
      else touched.set(nameOf(path), [path]);
    }
    // `of@src/a.ts`: a mention in a hurry.
    const names = [...pathWords(bounded(task).replaceAll('@', ' @'))].flatMap(({ word }) => this.#names.named(word));
    return {
      task,
      terms,
      names: new Set(names),
      found: this.#keywords.find(reply, mute),
      touched,
      made: [],
      placed: new Set(),
    };
  }

  #call({ name, kind, handles, paths, input, isError }: ToolCall, evidence: Evidence, said: Said): void {
    for (const handle of handles) this.#asked(handle, evidence);
    for (const tool of kind === 'context' ? [] : new Set([name, name.split(/ - |__|:/u).at(-1) ?? name]))
      if (SERVER_TOOL.test(tool)) this.#telling(tool, said.task, evidence);
    const text = bounded(input);
    if (kind === 'run' || kind === 'other') for (const handle of commandHandles(text)) this.#asked(handle, evidence);
    if (isError || kind === 'context') return;
    const touch = (match: NameMatch | undefined, isMoved = false): void => {
      if (match && !said.names.has(match)) this.#file(match, evidence, isMoved);
    };
    // A search through many files reads none of them.
    const isWide = kind === 'search' && paths.length > MAX_SEARCHED;
    for (const path of paths) {
      const match = this.#names.file(normalizeMention(path));
      touch(match, isWide);
      const stem = nameOf(path).replace(/(?<=.)\.\w+$/u, '');
      if (match?.tellers.length) continue;
      const teller = said.task.includes(stem) ? undefined : this.#own.ownerOf(stem);
      if (teller !== undefined) evidence.add(teller, 'touched', path);
      if (!match?.isOwn) this.#inTree(normalizeMention(path), said.task, evidence);
    }
    if (kind === 'edit') {
      const changelog = paths.map(nameOf).find((file) => CHANGELOG.test(file));
      if (changelog !== undefined && !ASKED_CHANGELOG.test(said.task)) this.#telling(changelog, said.task, evidence);
      for (const [, path = ''] of text.matchAll(PATCH_HEADER)) touch(this.#names.mention(path));
      // A page is about the files that it names, code imports them; and what it says, the agent says.
      if (paths.length > 0 && paths.every((path) => IS_PAGE.test(path))) {
        for (const { word } of pathWords(text)) this.#writtenIn(word, evidence, said);
        for (const { section, words } of this.#verbatim.find(unescaped(text), said.task))
          evidence.add(section, 'keyword', words);
      }
    } else if (kind === 'other') {
      // What another agent or a tool is told, the agent says.
      for (const { word } of pathWords(unescaped(text))) this.#writtenIn(word, evidence, said);
      for (const { section, words } of this.#sayings.find(unescaped(text), bounded(said.task), said.terms))
        evidence.add(section, 'keyword', words);
    } else {
      for (const command of kind === 'run' ? text.replace(/\\\r?\n/gu, ' ').split(/&&|[;|\n]/u) : [text]) {
        const isMoved = isWide || NAMES_ALONE.test(command);
        for (const { word } of pathWords(command)) touch(this.#names.mention(word), isMoved);
      }
    }
    for (const [name] of text.matchAll(NAME)) {
      const match = this.#names.symbols.get(name);
      // Only the map's names are surely the project's own; `node_modules` is not.
      const isKnown = match && (match.maps.length > 0 || (this.#names.isTelling(name) && !OF_LIBRARIES.test(name)));
      if (!isKnown || said.terms.has(name.toLowerCase()) || this.#names.isFolder(name)) continue;
      for (const owner of match.maps.length > 0 ? match.maps : match.owners) evidence.add(owner, 'touched', name);
    }
    if (kind !== 'read') this.#placedIn(text, 'touched', evidence, said);
    // What an edit has may have stood there.
    const own = kind === 'read' ? '' : kind === 'edit' ? addedIn(text) : text;
    this.#madeIn(own, said);
    if (kind === 'run')
      for (const { section, words } of this.#verbatim.commands(text, said.task))
        evidence.add(section, 'keyword', words);
  }

  /** A file that an edit names with its folder, as a page does, or by a name of three words. */
  #writtenIn(word: string, evidence: Evidence, said: Said): void {
    const path = normalizeMention(word);
    const isWhole = path.includes('/') && isFilePath(path);
    const isNamed = !path.includes('/') && splitIdentifier(path.replace(/(?<=.)\.\w+$/u, '')).length > 2;
    const match = isWhole || isNamed ? this.#names.mention(word) : undefined;
    if (!match || (isWhole && match.name !== path) || match.isOwn || said.names.has(match) || EVERYWHERE.test(path))
      return;
    for (const map of match.maps) evidence.add(map, 'path', match.name);
  }

  /** A handle that was asked for: a section's, a symbol's, an observation's, lines of a file. */
  #asked(given: string, evidence: Evidence): void {
    const handle = given.trim();
    const owner = sectionOfHandle(handle);
    const section = this.#handles.get(owner ? sectionHandle(owner.id) : handle.replace(/^#(?=\d)/u, ''));
    if (section !== undefined) evidence.add(section, 'asked', handle);
    else if (handle.startsWith('file:')) {
      for (const owner of this.#names.file(normalizeMention(handle.slice('file:'.length)))?.owners ?? []) {
        evidence.add(owner, 'asked', handle);
      }
    }
  }

  /** The few sections that tell of a name. */
  #telling(name: string, task: string, evidence: Evidence): void {
    const owners = this.#sections.flatMap(({ text, isInventory }, at) =>
      !isInventory && text.includes(name) ? [at] : [],
    );
    if (owners.length > MAX_TELLING || task.includes(name)) return;
    for (const owner of owners) evidence.add(owner, 'touched', name);
  }

  #touched(match: NameMatch | undefined, evidence: Evidence): void {
    if (match) evidence.addShared(match, 'touched');
  }

  /** A folder is where the agent works, whatever section names it; a command of Git moves a file and does not read it. */
  #file(match: NameMatch, evidence: Evidence, isMoved: boolean): void {
    const isTelling = match.isOwn || !EVERYWHERE.test(match.name);
    if (!isTelling || !isFilePath(match.name) || (isMoved && match.isOwn)) return;
    this.#touched(match, evidence);
    if (!match.isOwn) for (const map of match.maps) evidence.add(map, 'touched', match.name);
  }

  /** The one section whose tree of files says what a file is: `├── schema.prisma  # tables`. */
  #inTree(path: string, task: string, evidence: Evidence): void {
    const base = nameOf(path);
    if (base === path || EVERYWHERE.test(base) || task.includes(base)) return;
    const owner = this.#own.describerOf(base);
    if (owner !== undefined) evidence.add(owner, 'touched', path);
  }

  #sentence(sentence: string, evidence: Evidence, said: Said): void {
    for (const handle of commandHandles(sentence)) this.#asked(handle, evidence);
    const { handles, isAsking } = handlesIn(sentence);
    for (const handle of handles) this.#named(handle, isAsking ? 'asked' : 'id', evidence);
    for (const id of namedIds(sentence)) this.#named(String(id), 'id', evidence, `#${id}`);
    for (const { word, at } of pathWords(sentence)) this.#mention(sentence, word, at, evidence, said);
    for (const [, name, title = name ?? ''] of sentence.matchAll(TITLE)) {
      const match = said.task.includes(title) ? undefined : this.#names.titled(title);
      for (const owner of match?.owners ?? []) evidence.add(owner, 'path', title);
    }
    this.#symbolsOf(sentence, evidence, said);
    this.#placedIn(sentence, 'keyword', evidence, said);
    this.#madeIn(sentence, said);
    for (const id of taggedIds(sentence)) this.#named(`section:${id}`, 'tag', evidence, `[ctx:${id}]`);
  }

  #named(handle: string, strength: Strength, evidence: Evidence, what = handle): void {
    const section = this.#handles.get(handle);
    if (section !== undefined) evidence.add(section, strength, what);
  }

  /**
   * A path in the reply that the task has not. The bare name of a section's own file counts where the reply says that it
   * follows it. Of several sections that say something of a path, the one counts whose words the reply has besides.
   */
  #mention(sentence: string, word: string, at: number, evidence: Evidence, said: Said): void {
    // `src` and `src/` in a sentence are words.
    const path = normalizeMention(word);
    const match =
      /[/.]/u.test(path) || isFilePath(path) ? (this.#names.mention(word) ?? this.#names.folderOf(word)) : undefined;
    if (!match) return;
    // The file of that name that was opened is meant, and no other.
    const opened = path.includes('/') ? undefined : said.touched.get(path);
    const isOpened = opened?.some((each) => each.endsWith(match.name) || match.name.endsWith(each)) ?? true;
    if (match.name.includes('/') && !isOpened) return;
    const isFollowed =
      FOLLOWED_BEFORE.test(sentence.slice(Math.max(0, at - 40), at)) ||
      FOLLOWED_AFTER.test(sentence.slice(at + word.length, at + word.length + 40));
    if (said.names.has(match) && !(match.isOwn && isFollowed)) return;
    // A name in capitals is there whether or not a section mentions it, where the map has it.
    const isPage = /^[A-Z_]+\.md$/u.test(path);
    const isTelling = !EVERYWHERE.test(path) && (match.maps.length === 0 || !isPage);
    // Of the pages in a project's root the map shows the few that fit the task.
    const isShown = isTelling || (isPage && path === match.name && sentence[at - 1] === '`');
    if (isShown && !match.isOwn) for (const map of match.maps) evidence.add(map, 'path', match.name);
    if (match.isInDoubt || (match.isOwn && !isFollowed && !word.includes('/'))) return;
    if (!isTelling && !match.isOwn && !(isFollowed && match.isFile)) return;
    // Its name alone is what the map calls it.
    const isNameOnly = !match.isOwn && !path.includes('/') && match.name.includes('/') && match.maps.length > 0;
    if (isNameOnly && !said.found.some(({ section }) => match.tellers.includes(section))) return;
    const speaker = speakerOf(match, said.found);
    if (speaker === undefined) evidence.addShared(match, 'path');
    else evidence.add(speaker, 'path', match.name);
  }

  /** Keeps the names in a text that one section made up, and that the task has not. */
  #madeIn(text: string, { terms, task, made }: Said): void {
    for (const found of this.#own.in(text))
      if (!terms.has(found[0].toLowerCase()) && !task.includes(found[0])) made.push(found);
  }

  /** Ordinary names behind those of their files or folders: `git::repository::Repository`. */
  #placedIn(text: string, strength: Strength, evidence: Evidence, { task, placed: seen }: Said): void {
    for (const [chain] of text.matchAll(CHAIN)) {
      const names = chain.split(/\.|::/u);
      for (let at = 1; at < names.length; at++) {
        const placed = `${names[at - 1]}.${names[at]}`;
        const section = this.#placed.get(placed);
        if (section === undefined || seen.has(placed)) continue;
        seen.add(placed);
        if (!task.includes(names[at] as string)) evidence.add(section, strength, placed);
      }
    }
  }

  /** Adds evidence for names of symbols that are no ordinary words. */
  #symbolsOf(sentence: string, evidence: Evidence, said: Said): void {
    for (const [name] of sentence.replace(ABSOLUTE, ' ').matchAll(NAME)) {
      const match = this.#names.symbols.get(name);
      if (!match || match.isInDoubt || said.terms.has(name.toLowerCase()) || this.#names.isFolder(name)) continue;
      // That the map has it makes it the project's.
      const isOwn = match.maps.length > 0 ? splitIdentifier(name).length > 1 : this.#names.isTelling(name);
      const isOneSections = match.tellers.length === 1 && isOwn;
      for (const owner of [...(isOneSections ? match.tellers : []), ...match.maps])
        evidence.add(owner, 'keyword', match.name);
    }
  }
}
