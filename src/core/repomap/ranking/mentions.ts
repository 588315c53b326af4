/**
 * Who mentions definitions: callers and tests found by name, and by the import of the definition's file where the name
 * alone is ambiguous. Nothing is parsed for it; all is read from the words of the index.
 */
import type { ChangeRole } from '../../model/repoMap';
import type { SymbolKind } from '../../ports/symbolKind';
import { type Phrase, phrase } from '../../text/phrase';
import { nameOf } from '../../text/safePath';
import { FUNCTION_KINDS, type IndexedFile } from '../index/indexedFile';
import type { PathClass } from '../index/pathClass';
import type { RepoIndex } from '../index/repoIndex';
import { NO_OWNER, PostingReader } from '../index/wordPostings';
import type { MapItem } from './mapOrder';

/** A changed or removed name that others may mention. */
interface WantedName {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly family: string | undefined;
  readonly path: string;
  /** Definitions that changed; none for a removed name. */
  readonly items: MapItem[];
  /** Only its own file can mean it. */
  isOwnFileOnly: boolean;
  /** Definitions of that name that did not change. */
  others: number;
  /** Word of the type that a member of many namesakes belongs to: what mentions it too means this one. */
  owner?: number | undefined;
}

/** What a file defined before and does not define now. */
interface RemovedNames {
  readonly path: string;
  readonly removed: readonly { readonly name: string; readonly kind: SymbolKind }[];
}

/** A definition with its role; index -1 is a file's code outside of definitions. */
export interface FoundItem extends MapItem {
  readonly role: ChangeRole;
  readonly why: Phrase[];
  score: number;
  /** What it was first found for. */
  readonly first: string;
}

/** With more definitions of a name, the name alone says nothing (as in RANKING §1.3). */
export const MAX_CARRIERS = 8;
/** Reasons kept of one definition; further ones say less. */
const MAX_REASONS = 3;
/** For more names than these, looking each up in every file costs more than reading the words of all. */
const FEW_NAMES = 8;

/** Kinds that other code mentions by name alone. */
const MENTIONED: ReadonlySet<SymbolKind> = new Set([
  ...FUNCTION_KINDS,
  ...(['class', 'struct', 'interface', 'trait', 'enum', 'union', 'type', 'constant', 'variable'] as const),
]);

/** Stands for a file's code outside of definitions. */
export const FILE = -1;

/** Files whose mentions are no calls that a change must look after. */
const NOT_WRITTEN: ReadonlySet<PathClass> = new Set(['docs', 'generated', 'vendored']);

/** Files named so are meant by the name of their folder. */
const FOLDER_STEMS = new Set(['index', 'mod', '__init__', 'init', 'main', 'lib']);
const TEST_AFFIX = /^tests?[._-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])(?:Tests?|Spec)$/u;

export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.indexOf('.', 1);
  const stem = dot < 0 ? name : name.slice(0, dot);
  return FOLDER_STEMS.has(stem) ? (path.split('/').at(-2) ?? stem) : stem;
}

/** The name of the file that a test's name points at; undefined where it points at none. */
export function testedStem(path: string): string | undefined {
  const name = nameOf(path).replace(/\.[^.]+$/u, '');
  const tested = name.replace(TEST_AFFIX, '');
  return tested === name ? undefined : tested;
}

export class FoundItems {
  readonly #items = new Map<IndexedFile, Map<number, FoundItem>>();

  get(file: IndexedFile, index: number): FoundItem | undefined {
    return this.#items.get(file)?.get(index);
  }

  add(item: FoundItem): void {
    const known = this.#items.get(item.file) ?? new Map<number, FoundItem>();
    known.set(item.index, item);
    this.#items.set(item.file, known);
  }

  get all(): readonly FoundItem[] {
    return [...this.#items.values()].flatMap((each) => [...each.values()]);
  }

  ofFile(file: IndexedFile): readonly FoundItem[] {
    return [...(this.#items.get(file)?.values() ?? [])];
  }
}

/** Whether a definition is one of `items` or stands inside of one. */
function isWithin(items: readonly MapItem[], file: IndexedFile, index: number): boolean {
  for (let at = index; at >= 0; at = file.definitions[at]?.parent ?? FILE)
    if (items.some((item) => item.file === file && item.index === at)) return true;
  return false;
}

/** Names of what was found, and of what is gone, by their word in the vocabulary. */
export function wantedNames(
  index: RepoIndex,
  files: readonly RemovedNames[],
  found: FoundItems,
): Map<number, WantedName[]> {
  const names = new Map<number, WantedName[]>();
  const want = (wanted: WantedName): WantedName => {
    const word = index.vocabulary.idOf(wanted.name);
    const known = names.get(word) ?? [];
    names.set(word, known);
    const same = known.find(({ path, items }) => path === wanted.path && items.length > 0 === wanted.items.length > 0);
    if (same) same.items.push(...wanted.items);
    else known.push(wanted);
    return same ?? wanted;
  };
  for (const { file, index: at } of found.all) {
    const definition = file.definitions[at];
    if (!definition || !MENTIONED.has(definition.kind)) continue;
    const { name, kind } = definition;
    const isOwnFileOnly = definition.isLocal === true || file.isInner[at] === 1;
    const wanted = want({
      name,
      kind,
      family: file.family,
      path: file.path,
      items: [{ file, index: at }],
      isOwnFileOnly,
      others: 0,
    });
    wanted.isOwnFileOnly &&= isOwnFileOnly;
  }
  for (const { path, removed } of files) {
    for (const { name, kind } of removed) {
      if (!MENTIONED.has(kind)) continue;
      want({ name, kind, family: undefined, path, items: [], isOwnFileOnly: false, others: 0 });
    }
  }
  for (const file of index.files) {
    file.nameWords.forEach((word, at) => {
      for (const wanted of names.get(word) ?? []) {
        const isIt = wanted.items.some((item) => item.file === file && item.index === at);
        if (!isIt && (wanted.family ?? file.family) === file.family) wanted.others++;
      }
    });
  }
  return names;
}

/** Whether a file mentions another by the name that imports use. */
function importsBy(index: RepoIndex): (file: IndexedFile, path: string) => boolean {
  const wordsOf = new Map<IndexedFile, ReadonlySet<number>>();
  return (file, path) => {
    const parts = stemOf(path).match(/[\p{L}\p{N}_$]+/gu) ?? [];
    if (parts.length === 0) return false;
    const words = wordsOf.get(file) ?? new Set(file.words);
    wordsOf.set(file, words);
    return parts.every((part) => {
      const word = index.vocabulary.find(part);
      return word !== undefined && words.has(word);
    });
  };
}

/** As sure as it gets: in the definition's own file, or in one that imports it. */
export const SURE = 3;

/** As sure as a name alone makes it that nothing else has, or a type's name beside that of its member. */
const LIKELY = 2;

/** How sure it is that a mention means the wanted name, up to {@link SURE}; 0 for not at all. */
function evidence(wanted: WantedName, file: IndexedFile, isImported: boolean): number {
  if (wanted.owner !== undefined && !wanted.isOwnFileOnly) return LIKELY;
  if (file.path === wanted.path) return SURE;
  if (wanted.isOwnFileOnly || wanted.others > MAX_CARRIERS) return 0;
  // What is defined elsewhere too is meant by most who mention the name of something deleted.
  if (wanted.items.length === 0 && wanted.others > 0) return 0;
  if (isImported) return SURE;
  return wanted.others === 0 ? LIKELY : 1;
}

function reasonOf(wanted: WantedName, role: ChangeRole, sure: number): Phrase {
  const { name, kind, items, path, others } = wanted;
  const isCall = FUNCTION_KINDS.has(kind);
  if (items.length === 0)
    return isCall
      ? phrase('calls {0} (deleted from {1})', name, path)
      : phrase('uses {0} (deleted from {1})', name, path);
  if (sure === 1) return phrase('mentions {0}, one of {1} of that name', name, String(others + items.length));
  if (role === 'test') return phrase('test of {0}', name);
  return isCall ? phrase('calls {0} (changed)', name) : phrase('uses {0} (changed)', name);
}

/** Definitions of a file that mention a word in code. */
function holdersOf(file: IndexedFile, word: number): ReadonlySet<number> {
  const holders = new Set<number>();
  const place = file.words.indexOf(word);
  if (place < 0) return holders;
  const reader = new PostingReader();
  reader.open(file.postings);
  reader.nextWord(place);
  while (reader.next()) if (reader.code > 0) holders.add(reader.owner);
  return holders;
}

/** Whether a definition stands in a module of tests, as Rust keeps them beside the code. */
export function isInTests({ definitions }: IndexedFile, index: number): boolean {
  for (let at = definitions[index]?.parent ?? FILE; at >= 0; at = definitions[at]?.parent ?? FILE) {
    const around = definitions[at];
    if (around && (around.kind === 'module' || around.kind === 'namespace') && /^tests?$/u.test(around.name))
      return true;
  }
  return false;
}

/** Adds definitions that mention a wanted name. Linear in the words of all files. */
export function addMentions(index: RepoIndex, names: Map<number, WantedName[]>, found: FoundItems): void {
  const imports = importsBy(index);
  const reader = new PostingReader();
  const few = names.size <= FEW_NAMES ? [...names.keys()] : undefined;
  for (const file of index.files) {
    if (!file.hasPostings || NOT_WRITTEN.has(file.pathClass)) continue;
    if (few && !few.some((word) => file.words.includes(word))) continue;
    const isTest = file.pathClass === 'test';
    reader.open(file.postings);
    for (const word of file.words) {
      reader.nextWord();
      const candidates = names.get(word)?.filter(({ family }) => (family ?? file.family) === file.family) ?? [];
      if (candidates.length === 0) continue;
      const surely = candidates
        .map((wanted) => {
          const isImported = imports(file, wanted.path);
          return { wanted, isImported, sure: evidence(wanted, file, isImported) };
        })
        .filter(({ sure }) => sure > 0);
      const best = surely.reduce((max, { sure }) => Math.max(max, sure), 0);
      const meant = surely
        .filter(({ sure }) => sure === best)
        .map((each) => ({
          ...each,
          beside: each.wanted.owner === undefined ? undefined : holdersOf(file, each.wanted.owner),
        }));
      while (meant.length > 0 && reader.next()) {
        if (reader.code === 0) continue;
        const at = reader.owner === NO_OWNER ? FILE : reader.owner;
        const role = isTest || isInTests(file, at) ? 'test' : 'caller';
        for (const { beside, ...each } of meant)
          if (!beside || beside.has(reader.owner)) addMention(found, file, at, role, each);
      }
    }
  }
}

function addMention(
  found: FoundItems,
  file: IndexedFile,
  at: number,
  role: ChangeRole,
  { wanted, isImported, sure }: { readonly wanted: WantedName; readonly isImported: boolean; readonly sure: number },
): void {
  if (isWithin(wanted.items, file, at)) return;
  const known = found.get(file, at);
  if (known?.role === 'changed') return;
  // The import line of a source file calls nothing.
  if (
    at === FILE &&
    role === 'caller' &&
    (file.path === wanted.path || known === undefined) &&
    file.definitions.length > 0
  )
    return;
  const item: FoundItem = known ?? { file, index: at, role, why: [], score: 0, first: wanted.name };
  if (!known) found.add(item);
  item.score += sure;
  if (item.why.length >= MAX_REASONS) return;
  item.why.push(reasonOf(wanted, role, sure));
  if (isImported && file.path !== wanted.path && item.why.length === 1)
    item.why.push(phrase('imports {0}', wanted.path));
}
