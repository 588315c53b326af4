/**
 * The order of a map of what changed (DESIGN §5.6): changed definitions, then what calls or tests them, each with its
 * role and why. Callers are found by name, and by the import of the changed file where names alone are ambiguous.
 */
import type { ChangeRole } from '../../model/repoMap';
import type { SymbolKind } from '../../ports/symbolKind';
import { hashText } from '../../text/hash';
import { type Phrase, phrase } from '../../text/phrase';
import { languageOf } from '../facts/languages';
import { IndexedFile } from '../index/indexedFile';
import type { RepoIndex } from '../index/repoIndex';
import type { MapItem, MapOrder } from './mapOrder';
import { addMentions, FILE, type FoundItem, FoundItems, stemOf, testedStem, wantedNames } from './mentions';

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
  /** It is gone: the index has no file of its path. */
  readonly isDeleted?: boolean;
  /** Its path before, where it was renamed. */
  readonly from?: string;
  /** Undefined where the diff does not say, such as for a binary file: all of it may have changed. */
  readonly hunks: readonly ChangedLines[] | undefined;
  /** What the file defined before and does not define now. */
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

/** Definitions of one changed file that come before those of the next file; the rest follows. */
const FILE_TURN = 8;
/** Signatures are cut earlier than in other maps: a reason follows them. */
const MAX_SIGNATURE_CHARS = 80;

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

function changeReasons({ added, removed }: Touched, { isNew, isDeleted, hunks }: ChangedFile): Phrase[] {
  if (isDeleted) return [phrase('deleted')];
  if (isNew) return [phrase('new')];
  if (!hunks) return [phrase('in a changed file')];
  return added + removed > 0 ? [phrase('changed +{0} -{1}', String(added), String(removed))] : [];
}

/** Stands for a file that is gone: it has a row in the map, and nothing that another row could come from. */
function goneFile({ vocabulary }: RepoIndex, path: string): IndexedFile {
  const nothing = { contentHash: '', lineCount: 0, isGenerated: false, definitions: [], definitionCount: 0 };
  const noWords = { words: new Uint32Array(), referenceCounts: new Uint32Array(), postings: undefined };
  return new IndexedFile(
    { path, language: languageOf(path), outcome: 'unreadable', ...nothing, ...noWords },
    vocabulary,
  );
}

function addChanged(index: RepoIndex, { files }: ChangeSet, found: FoundItems): void {
  for (const change of files) {
    const { path, from, isNew, isDeleted, hunks } = change;
    const file = isDeleted ? goneFile(index, path) : index.fileAt(path);
    if (!file || file.outcome === 'binary') continue;
    const whole = (): Map<number, Touched> =>
      new Map(
        file.definitions.map(
          ({ lineStart, lineEnd }, at) => [at, { added: lineEnd - lineStart + 1, removed: 0 }] as const,
        ),
      );
    const touched = hunks && !isNew && !isDeleted ? touchedBy(file, hunks) : whole();
    if (touched.size === 0 && (isNew || isDeleted || hunks === undefined)) touched.set(FILE, { added: 0, removed: 0 });
    if (from !== undefined && !touched.has(FILE)) touched.set(FILE, { added: 0, removed: 0 });
    for (const [at, lines] of touched) {
      const why = [...changeReasons(lines, change), ...(at === FILE && from ? [phrase('renamed from {0}', from)] : [])];
      found.add({ file, index: at, role: 'changed', why, score: lines.added + lines.removed, first: path });
    }
  }
}

/** Adds tests whose file is named after a changed one. */
function addTestsByName(index: RepoIndex, { files }: ChangeSet, found: FoundItems): void {
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
  const found = new FoundItems();
  addChanged(index, changes, found);
  addMentions(index, wantedNames(index, changes.files, found), found);
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
