/**
 * The order of a map of what changed (DESIGN §5.6): changed definitions, then what calls or tests them, each with its
 * role and why. Callers are found by name, and by the import of the changed file where names alone are ambiguous.
 */
import type { ChangeRole } from '../../model/repoMap';
import type { SymbolKind } from '../../ports/symbolKind';
import { hashText } from '../../text/hash';
import { type Phrase, phrase } from '../../text/phrase';
import { nameOf } from '../../text/safePath';
import { FUNCTION_KINDS, type IndexedFile } from '../index/indexedFile';
import type { PathClass } from '../index/pathClass';
import type { RepoIndex } from '../index/repoIndex';
import { NO_OWNER, PostingReader } from '../index/wordPostings';
import type { MapItem, MapOrder } from './mapOrder';

/** Lines that a diff replaces, as the new file counts them (1-based). With no `lines`, text was removed below `start`. */
export interface ChangedLines {
  readonly start: number;
  readonly lines: number;
  /** Lines of the old file that are gone. */
  readonly removed: number;
}

/** A definition that is gone. */
export interface RemovedDefinition {
  readonly name: string;
  readonly kind: SymbolKind;
}

/** One file of a change. */
export interface ChangedFile {
  readonly path: string;
  /** It did not exist before: every definition of it is new. */
  readonly isNew: boolean;
  /** Its path before, where it was renamed. */
  readonly from?: string;
  /** Undefined where the diff does not say, such as for a binary file: all of it may have changed. */
  readonly hunks: readonly ChangedLines[] | undefined;
  /** What the file defined before and does not define now; paths of deleted files are not in the index. */
  readonly removed: readonly RemovedDefinition[];
}

/** What changed since a commit. */
export interface ChangeSet {
  readonly files: readonly ChangedFile[];
}

/** A key that is the same for equal changes. */
export function changeKey(changes: ChangeSet | undefined): string {
  return changes ? hashText(JSON.stringify(changes)) : '';
}

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
}

/** A definition with its role; index -1 is a file's code outside of definitions. */
interface FoundItem extends MapItem {
  readonly role: ChangeRole;
  readonly why: Phrase[];
  score: number;
  /** What it was first found for. */
  readonly first: string;
}

/** With more definitions of a name, the name alone says nothing (as in RANKING §1.3). */
const MAX_CARRIERS = 8;
/** Reasons kept of one definition; further ones say less. */
const MAX_REASONS = 3;
/** Definitions of one changed file that come before those of the next file; the rest follows. */
const FILE_TURN = 8;
/** Signatures are cut earlier than in other maps: a reason follows them. */
const MAX_SIGNATURE_CHARS = 80;

/** Kinds that other code mentions by name alone. */
const MENTIONED: ReadonlySet<SymbolKind> = new Set([
  ...FUNCTION_KINDS,
  ...(['class', 'struct', 'interface', 'trait', 'enum', 'union', 'type', 'constant', 'variable'] as const),
]);

const FILE = -1;

/** Files whose mentions are no calls that a change must look after. */
const NOT_WRITTEN: ReadonlySet<PathClass> = new Set(['docs', 'generated', 'vendored']);

/** Files named so are meant by the name of their folder. */
const FOLDER_STEMS = new Set(['index', 'mod', '__init__', 'init', 'main', 'lib']);
const TEST_AFFIX = /^tests?[._-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])(?:Tests?|Spec)$/u;

function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.indexOf('.', 1);
  const stem = dot < 0 ? name : name.slice(0, dot);
  return FOLDER_STEMS.has(stem) ? (path.split('/').at(-2) ?? stem) : stem;
}

/** The name of the file that a test's name points at; undefined where it points at none. */
function testedStem(path: string): string | undefined {
  const name = nameOf(path).replace(/\.[^.]+$/u, '');
  const tested = name.replace(TEST_AFFIX, '');
  return tested === name ? undefined : tested;
}

/** Lines added and removed within one definition, or outside of all. */
interface Touched {
  added: number;
  removed: number;
}

/** The innermost definition of each line (from 1); `FILE` outside. */
function innermost(file: IndexedFile, lastLine: number): Int32Array {
  const owners = new Int32Array(lastLine + 2).fill(FILE);
  const order = file.definitions.map((_, at) => at);
  const sizeOf = (at: number): number => (file.definitions[at]?.lineEnd ?? 0) - (file.definitions[at]?.lineStart ?? 0);
  // Larger ones first, so that what is inside of them overwrites them.
  for (const at of order.sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)) {
    const { lineStart = 1, lineEnd = 0 } = file.definitions[at] ?? {};
    owners.fill(at, lineStart, Math.min(lineEnd, lastLine) + 1);
  }
  return owners;
}

/** What a file's hunks touch, by definition. */
function touchedBy(file: IndexedFile, hunks: readonly ChangedLines[]): Map<number, Touched> {
  const found = new Map<number, Touched>();
  const last = file.definitions.reduce((max, { lineEnd }) => Math.max(max, lineEnd), 0);
  const owners = innermost(file, last);
  const ownerOf = (line: number): number => owners[line] ?? FILE;
  const touch = (at: number): Touched => {
    const known = found.get(at) ?? { added: 0, removed: 0 };
    found.set(at, known);
    return known;
  };
  for (const { start, lines, removed } of hunks) {
    if (lines === 0) {
      // Removed between two lines: what holds both of them lost it.
      const [above, below] = [ownerOf(start), ownerOf(start + 1)];
      touch(commonOwner(file, above, below)).removed += removed;
      continue;
    }
    let left = removed;
    for (let line = start; line < start + lines && line <= last; line++) {
      const here = touch(ownerOf(line));
      here.added++;
      if (left > 0) {
        here.removed++;
        left--;
      }
    }
    if (start + lines - 1 > last) touch(FILE).added += start + lines - 1 - Math.max(last, start - 1);
    if (left > 0) touch(ownerOf(start + lines - 1)).removed += left;
  }
  return found;
}

function commonOwner(file: IndexedFile, above: number, below: number): number {
  const around = new Set<number>();
  for (let at = above; at >= 0; at = file.definitions[at]?.parent ?? FILE) around.add(at);
  for (let at = below; at >= 0; at = file.definitions[at]?.parent ?? FILE) if (around.has(at)) return at;
  return FILE;
}

class ChangedItems {
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

function changeReasons({ added, removed }: Touched, isNew: boolean, hunks: ChangedFile['hunks']): Phrase[] {
  if (isNew) return [phrase('new')];
  if (!hunks) return [phrase('in a changed file')];
  return added + removed > 0 ? [phrase('changed +{0} -{1}', String(added), String(removed))] : [];
}

function addChanged(index: RepoIndex, { files }: ChangeSet, found: ChangedItems): void {
  for (const { path, from, isNew, hunks } of files) {
    const file = index.fileAt(path);
    if (!file || file.outcome === 'binary') continue;
    const whole = (): Map<number, Touched> =>
      new Map(
        file.definitions.map(
          ({ lineStart, lineEnd }, at) => [at, { added: lineEnd - lineStart + 1, removed: 0 }] as const,
        ),
      );
    const touched = hunks && !isNew ? touchedBy(file, hunks) : whole();
    if (touched.size === 0 && (isNew || hunks === undefined)) touched.set(FILE, { added: 0, removed: 0 });
    if (from !== undefined && !touched.has(FILE)) touched.set(FILE, { added: 0, removed: 0 });
    for (const [at, lines] of touched) {
      const why = [
        ...changeReasons(lines, isNew, hunks),
        ...(at === FILE && from ? [phrase('renamed from {0}', from)] : []),
      ];
      found.add({ file, index: at, role: 'changed', why, score: lines.added + lines.removed, first: path });
    }
  }
}

/** Names that changed or are gone, by their word in the vocabulary. */
function wantedNames(index: RepoIndex, { files }: ChangeSet, found: ChangedItems): Map<number, WantedName[]> {
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

/** How sure it is that a mention means the wanted name; 0 for not at all. */
function evidence(wanted: WantedName, file: IndexedFile, isImported: boolean): number {
  if (file.path === wanted.path) return 3;
  if (wanted.isOwnFileOnly || wanted.others > MAX_CARRIERS) return 0;
  // What is defined elsewhere too is meant by most who mention the name of something deleted.
  if (wanted.items.length === 0 && wanted.others > 0) return 0;
  if (isImported) return 3;
  return wanted.others === 0 ? 2 : 1;
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

/** Adds definitions that mention a wanted name. Linear in the words of all files. */
function addMentions(index: RepoIndex, names: Map<number, WantedName[]>, found: ChangedItems): void {
  const imports = importsBy(index);
  const reader = new PostingReader();
  for (const file of index.files) {
    if (!file.hasPostings || NOT_WRITTEN.has(file.pathClass)) continue;
    const role = file.pathClass === 'test' ? 'test' : 'caller';
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
      const meant = surely.filter(({ sure }) => sure === best);
      while (meant.length > 0 && reader.next()) {
        if (reader.code === 0) continue;
        const at = reader.owner === NO_OWNER ? FILE : reader.owner;
        for (const each of meant) addMention(found, file, at, role, each);
      }
    }
  }
}

function addMention(
  found: ChangedItems,
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

/** Adds tests whose file is named after a changed one. */
function addTestsByName(index: RepoIndex, { files }: ChangeSet, found: ChangedItems): void {
  const changed = new Map(files.map(({ path }) => [stemOf(path), path]));
  for (const file of index.files) {
    if (file.pathClass !== 'test' || found.ofFile(file).length > 0) continue;
    const path = changed.get(testedStem(file.path) ?? '');
    const tested = path === undefined ? undefined : index.fileAt(path);
    if (path === undefined || (tested && tested.family !== file.family)) continue;
    const why = [phrase('test of {0}', path)];
    found.add({ file, index: FILE, role: 'test', why, score: 1, first: path });
  }
}

/** Changed first, code before tests, the files with the most changed lines first, each with a turn. */
function changedFirst(items: readonly FoundItem[]): readonly FoundItem[] {
  const byFile = new Map<IndexedFile, FoundItem[]>();
  for (const item of items) byFile.set(item.file, [...(byFile.get(item.file) ?? []), item]);
  const rank = ({ pathClass }: IndexedFile): number => (pathClass === 'source' ? 0 : pathClass === 'test' ? 1 : 2);
  const sizeOf = (all: readonly FoundItem[]): number => all.reduce((sum, { score }) => sum + score, 0);
  const files = [...byFile].sort(
    ([a, ofA], [b, ofB]) => rank(a) - rank(b) || sizeOf(ofB) - sizeOf(ofA) || (a.path < b.path ? -1 : 1),
  );
  const sorted = files.map(([, all]) => [...all].sort((a, b) => b.score - a.score || a.index - b.index));
  return [...sorted.flatMap((all) => all.slice(0, FILE_TURN)), ...sorted.flatMap((all) => all.slice(FILE_TURN))];
}

/** Callers and tests, the surest first, each changed name and each role in turn. */
function relatedNext(items: readonly FoundItem[]): readonly FoundItem[] {
  const turns = new Map<string, number>();
  const sorted = [...items].sort(
    (a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.index - b.index),
  );
  const turned = sorted.map((item) => {
    const key = `${item.role}\0${item.first}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return { item, turn };
  });
  return turned.sort((a, b) => a.turn - b.turn).map(({ item }) => item);
}

const PLACES: Readonly<Record<ChangeRole, number>> = { changed: 2, caller: 1, test: 0 };

/** The order of a map of changes. Linear in the words of the index. */
export function changedOrder(index: RepoIndex, changes: ChangeSet): MapOrder {
  const found = new ChangedItems();
  addChanged(index, changes, found);
  addMentions(index, wantedNames(index, changes, found), found);
  addTestsByName(index, changes, found);
  const all = found.all;
  // What surrounds changed definitions of a file, such as its imports, says little: it comes last.
  const isAround = ({ file, index: at, role }: FoundItem): boolean =>
    at === FILE && role === 'changed' && found.ofFile(file).some((item) => item.index >= 0 && item.role === 'changed');
  const order = [
    ...changedFirst(all.filter((item) => item.role === 'changed' && !isAround(item))),
    ...relatedNext(all.filter(({ role }) => role !== 'changed')),
    ...all.filter(isAround),
  ];
  const places = new Map<IndexedFile, number>();
  for (const { file, role } of order) places.set(file, Math.max(places.get(file) ?? 0, PLACES[role]));
  const aboutOf = ({ file, index: at }: MapItem) => {
    const item = found.get(file, at);
    return item && { role: item.role, why: item.why };
  };
  return {
    maxSignatureChars: MAX_SIGNATURE_CHARS,
    items: () => order,
    placeOf: (file) => places.get(file) ?? 0,
    aboutOf,
    explainFile: (file) => found.get(file, FILE)?.why ?? [],
    explain: (item) => aboutOf(item)?.why ?? [],
  };
}
