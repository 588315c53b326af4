/** What an agent got, as far as it can be cited: made from a fitted payload, read by `findCitations.ts`. */

import type { MapSymbol, RepoMapView } from '../../model/repoMap';
import type { PayloadReport, ReportSection } from '../../model/report';
import { sectionHandle } from '../../text/elements';
import { hashText } from '../../text/hash';
import { folderOf, nameOf } from '../../text/safePath';
import { splitIdentifier } from '../../text/terms';
import { MAX_MAP_NAMES, type ShownMap, type UsageRecord, type UsedSection } from '../usageRecord';
import { pathsIn } from './pathNames';

/** One section as an agent got it. */
export interface CitableSection {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  /** Its text as shown, in an index its row; empty when it was left out. */
  readonly text: string;
  /** The file it was read from, workspace-relative; undefined when there is none or the section was left out. */
  readonly path: string | undefined;
  /** It only lists paths and says nothing about them: map, git, open editors. */
  readonly isInventory: boolean;
  /** It is the repo map: its prose is signatures. */
  readonly isMap: boolean;
  /** The files of a folder that it shows. */
  readonly files: readonly string[];
  /** Workspace paths that it names, its own aside; folders end without `/`. */
  readonly paths: readonly string[];
  /** Symbols that it names and that would hardly be named by chance. */
  readonly symbols: readonly string[];
  /** Types of the map, also ordinary ones, each behind its file or folder: `repository.Repository` of `src/repository.rs`. */
  readonly placedSymbols: readonly string[];
  /** `sym:…` of the symbols shown. */
  readonly symbolHandles: readonly string[];
  /** Ids of the observations whose rows are shown. */
  readonly observationIds: readonly number[];
  /** Its dated entries, whole ones alone. */
  readonly entries: readonly string[];
  /**
   * The agent had a text of so many characters that is not known now (a plug-in without trust, a section that is gone);
   * 0 otherwise. Only its handle and tag can show that it was used.
   */
  readonly unknownChars: number;
}

/** What is recorded of the payload that an agent had. */
export type GivenPayload = Pick<UsageRecord, 'sections' | 'map'>;

/** Reads the dated entries of a text. */
export type EntryReader = (text: string) => readonly string[];

/** The symbols that a file has now, by its path. */
export type SymbolReader = (path: string) => readonly MapSymbol[];

/** A payload that replies are compared with. */
export interface CitablePayload {
  /** The whole text form, for telling quotations. */
  readonly text: string;
  readonly sections: readonly CitableSection[];
}

const INVENTORIES: ReadonlySet<string> = new Set(['repo-map', 'git', 'open-editors']);

/** Inline code; longer spans are no names. */
const CODE_SPAN = /`([^`\n]{1,200})`/gu;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const MIN_SYMBOL_CHARS = 6;

export const IS_PAGE = /\.(?:mdx?|rst|txt)$/iu;
/** A file of a tree of which nothing is said: `│   ├── [4.2K]  clock.ts`. */
const TREE_LINE = /^[\s│|]{0,80}[├└][─-]{1,3} ?(?:\[[^\]\n]{1,12}\])?[^\S\n]*[^\s#]+[^\S\n]*$/gmu;

/** Names of products that are written like symbols. */
const BRANDS =
  /^(?:ChatGPT|DataFrame|DeepSeek|DevOps|FastAPI|GitHub|GitLab|GraphQL|JavaScript|LangChain|LangGraph|MongoDB|MySQL|NextJS|NodeJS|NumPy|OpenAI|OpenAPI|PostgreSQL|PowerShell|PyTorch|SQLAlchemy|SQLite|TypeScript|WebAssembly|WebSocket|WeChat|WhatsApp|YouTube)s?$/iu;

/** A name of two or more words, as prose does not have it. */
function isDistinctive(name: string): boolean {
  const isName =
    name.length >= MIN_SYMBOL_CHARS && /[_$]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u.test(name) && !BRANDS.test(name);
  return isName && splitIdentifier(name).length > 1;
}

/** `Repository`: a name in small letters is what everybody writes, as `path.join` and `logger.info`. */
const IS_TYPE = /^\p{Lu}.{3,}/u;

/** A file of a map with the symbols shown. */
type ShownFile = Pick<RepoMapView['items'][number], 'path' | 'symbols'>;

function placedSymbols({ path, symbols }: ShownFile): readonly string[] {
  const [stem = '', folder = ''] = [nameOf(path).replace(/(?<=.)\..*$/u, ''), nameOf(folderOf(path))];
  const names = symbols.map(({ name }) => name.split(/[.:#]/u).at(-1) ?? '');
  return names
    .filter((name) => IS_TYPE.test(name))
    .flatMap((name) => [stem, folder].filter((place) => place !== '').map((place) => `${place}.${name}`));
}

/** Names of several words that a text has, wherever. */
export function distinctiveNames(texts: Iterable<string>): readonly string[] {
  const names = new Set<string>();
  for (const text of texts) for (const [name] of text.matchAll(NAME)) if (isDistinctive(name)) names.add(name);
  return [...names];
}

/** How much of a section an agent had: its text, as it is known now; a text that is not known; a line or nothing. */
type Had = 'text' | 'unknown' | 'line';

function isText({ disclosure }: Pick<UsedSection, 'disclosure'>): boolean {
  return disclosure === 'full' || disclosure === 'summary';
}

function hadOf(section: ReportSection, used: UsedSection | undefined, isIndex: boolean): Had {
  const hadText = used !== undefined && used.disclosure !== 'omitted' && (isIndex || isText(used));
  if (!used || !hadText) return used?.disclosure === section.disclosure ? 'text' : 'line';
  const isKnown = (isIndex || isText(section)) && !section.isNotRun && !section.isPending;
  return isKnown || used.hash === usedHash(section) ? 'text' : 'unknown';
}

function usedHash({ disclosure, text }: ReportSection): string | undefined {
  return disclosure === 'omitted' ? undefined : hashText(text);
}

interface Shown {
  readonly had: Had;
  /** As shown then. UTF-16 code units. */
  readonly chars: number;
  /** What its map showed then, where that is recorded. */
  readonly given: ShownMap | undefined;
}

/** What a map showed then, as far as its files still have it; where not all names were kept, any symbol of its files. */
function shownThen({ paths, names }: ShownMap, symbolsOf: SymbolReader): readonly ShownFile[] {
  const known = new Set(names);
  const isKnown = ({ name }: MapSymbol): boolean => known.has(name) || names.length >= MAX_MAP_NAMES;
  return paths.map((path) => ({ path, symbols: symbolsOf(path).filter(isKnown) }));
}

/** What sections are read with. */
interface Readers {
  readonly entriesOf: EntryReader;
  readonly symbolsOf: SymbolReader;
}

function toCitable(
  section: ReportSection,
  payload: PayloadReport,
  { had, chars, given }: Shown,
  { entriesOf, symbolsOf }: Readers,
): CitableSection {
  const { id, handle, title, source } = section;
  const builtin = source.kind === 'builtin' ? source.builtin : undefined;
  const isShown = had !== 'unknown' && section.disclosure !== 'omitted';
  const text = had === 'text' ? section.text : '';
  const isMap = builtin === 'repo-map';
  const now = isMap && had === 'text' && isShown ? payload.repoMap?.items : undefined;
  const map = isMap && given ? shownThen(given, symbolsOf) : now;
  const own = isShown ? section.path : undefined;
  const mapped = map?.map(({ path }) => path);
  // Of a map that was another then, the text says nothing.
  const files = had === 'text' ? (section.files ?? []).map(({ path }) => path) : [];
  // What else looks like a path in a map is a piece of a signature.
  const paths = new Set([...(mapped ? [] : pathsIn(text.replace(TREE_LINE, ''))), ...files, ...(mapped ?? [])]);
  if (own !== undefined) paths.delete(own);
  const shown = map?.flatMap((item) => item.symbols);
  // Of a page the map shows headings, which are prose.
  const named = map?.filter(({ path }) => !IS_PAGE.test(path)).flatMap((item) => item.symbols);
  const mapNames = (isMap ? given?.names : undefined) ?? named?.map(({ name }) => name);
  const spans = [...text.matchAll(CODE_SPAN)].map(([, span]) => span ?? '');
  return {
    id,
    handle,
    title,
    text,
    path: own,
    isInventory: builtin !== undefined && INVENTORIES.has(builtin),
    isMap,
    files,
    paths: [...paths],
    symbols: distinctiveNames(mapNames?.filter((name) => !/\s/u.test(name)) ?? spans),
    placedSymbols: map?.flatMap(placedSymbols) ?? [],
    symbolHandles: shown?.map((symbol) => symbol.handle) ?? [],
    observationIds: builtin === 'observations' && isShown ? (payload.observations ?? []).map((row) => row.id) : [],
    entries: builtin === undefined && text !== '' ? entriesOf(text) : [],
    unknownChars: had === 'unknown' ? chars : 0,
  };
}

/** A section that the agent had and that is gone now. */
function goneSection({ id, chars, disclosure }: UsedSection): CitableSection {
  const nothing = {
    title: id,
    text: '',
    path: undefined,
    isInventory: false,
    isMap: false,
    files: [],
    paths: [],
    symbols: [],
    placedSymbols: [],
  };
  const unknownChars = isText({ disclosure }) ? chars : 0;
  return {
    ...nothing,
    id,
    handle: sectionHandle(id),
    symbolHandles: [],
    observationIds: [],
    entries: [],
    unknownChars,
  };
}

/**
 * What of a payload can be cited; with `given`, of the payload that was recorded then: its own map, and of the others
 * what was shown then, as it is known now. Linear in its text.
 */
export function citablePayload(
  payload: PayloadReport,
  given: GivenPayload | undefined,
  entriesOf: EntryReader,
  symbolsOf: SymbolReader = () => [],
): CitablePayload {
  const isIndex = payload.mode === 'index';
  const used = new Map(given?.sections.map((section) => [section.id, section]));
  const known = new Set(payload.sections.map(({ id }) => id));
  const readers = { entriesOf, symbolsOf };
  const sections = payload.sections.map((section) => {
    const had = given ? hadOf(section, used.get(section.id), isIndex) : section.isNotRun ? 'line' : 'text';
    return toCitable(section, payload, { had, chars: used.get(section.id)?.chars ?? 0, given: given?.map }, readers);
  });
  const gone = [...used.values()].filter(({ id, disclosure }) => !known.has(id) && disclosure !== 'omitted');
  return { text: payload.text, sections: [...sections, ...gone.map(goneSection)] };
}

/** Ids of sections whose text the agent had and that cannot be told now, so that nothing is said of their use. */
export function unknownSections(payload: PayloadReport, given: GivenPayload | undefined): readonly string[] {
  if (!given) return [];
  const { sections } = citablePayload(payload, given, () => []);
  return sections.filter(({ unknownChars }) => unknownChars > 0).map(({ id }) => id);
}
