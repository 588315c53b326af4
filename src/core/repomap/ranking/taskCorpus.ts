/** What a task is ranked over: which files and definitions can be shown, the definitions numbered through. */

import type { SymbolKind } from '../../ports/symbolKind';
import { nameOf } from '../../text/safePath';
import type { Definition } from '../facts/types';
import { TYPE_KINDS } from '../index/importance';
import { FUNCTION_KINDS, type IndexedFile, type NumberedFile } from '../index/indexedFile';
import { MentionGraph } from '../index/mentionGraph';
import type { RepoIndex } from '../index/repoIndex';
import { PathTerms } from './pathTerms';

const CLASS_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPE_KINDS, 'module', 'namespace']);
/** Statements of their class rather than definitions of their own: their words count for the class too. */
const MEMBER_KINDS: ReadonlySet<SymbolKind> = new Set(['property', 'field', 'enumMember', 'constant', 'variable']);

/** So many parsed definitions say how long one is; before, it is a guess (terraform 37, redis 40, pytest 29 words). */
const ENOUGH_DEFINITIONS = 200;
const USUAL_DEFINITION_LENGTH = 35;

/** The definition that also counts its words, or -1: the function around it, the class of a field (RANKING §1.1). */
function sharerOf(definitions: readonly Definition[], index: number): number {
  const definition = definitions[index];
  const parent = definition && definitions[definition.parent];
  if (!definition || !parent) return -1;
  if (MEMBER_KINDS.has(definition.kind)) return definition.parent;
  if (!FUNCTION_KINDS.has(definition.kind)) return -1;
  // Methods of an object in a function count for the function.
  const around = MEMBER_KINDS.has(parent.kind) && parent.parent >= 0 ? parent.parent : definition.parent;
  return FUNCTION_KINDS.has((definitions[around] as Definition).kind) ? around : -1;
}

/** Adds to the list of a key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = lists.get(key);
  if (known) known.push(item);
  else lists.set(key, [item]);
}

export function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])\.\w+$/u, '');
}

/** Positions of files by their names, which most tasks never ask for. */
class FileNames {
  #whole: ReadonlyMap<string, readonly number[]> | undefined;
  #stems: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(private readonly files: readonly NumberedFile[]) {}

  get whole(): ReadonlyMap<string, readonly number[]> {
    this.#whole ??= this.#by((name) => name);
    return this.#whole;
  }

  get stems(): ReadonlyMap<string, readonly number[]> {
    this.#stems ??= this.#by(withoutExtension);
    return this.#stems;
  }

  #by(keyOf: (name: string) => string): ReadonlyMap<string, readonly number[]> {
    const lists = new Map<string, number[]>();
    this.files.forEach(({ file }, at) => {
      addTo(lists, keyOf(nameOf(file.path)), at);
    });
    return lists;
  }
}

function isSamePaths(files: readonly NumberedFile[], others: readonly NumberedFile[]): boolean {
  if (files.length !== others.length) return false;
  // Most are the same file, whose path need not be looked at.
  return files.every(({ file }, at) => file === others[at]?.file || file.path === others[at]?.file.path);
}

/** Where a path is, or would be, among files sorted by path. */
function placeInOrder<File>(files: readonly File[], pathOf: (file: File) => string, path: string): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pathOf(files[middle] as File) < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Files that can be shown, with their definitions numbered in path and document order. */
export class TaskCorpus {
  readonly files: readonly NumberedFile[];
  readonly definitionCount: number;
  /** All files of the index, those without postings and tests too, with the definitions that count. */
  readonly all: readonly IndexedFile[];
  /** By position in `files`: definitions that a scanned file is likely to hold, 0 for parsed ones. */
  readonly guessed: Float32Array;
  /** Definitions, those guessed included. */
  readonly likelyDefinitions: number;
  readonly meanDefinitionLength: number;
  readonly meanFileLength: number;
  /** Weighted words of each definition, nested functions' included. */
  readonly lengths: Float32Array;
  readonly fileLengths: Float32Array;
  /** Number of the definition that shares what this one holds, or -1. */
  readonly sharers: Int32Array;
  /** By position in `files`. */
  readonly pathTerms: PathTerms;
  readonly #names: FileNames;
  #graph: MentionGraph | undefined;
  /** Of an earlier state of the index. */
  #graphBefore: MentionGraph | undefined;

  /**
   * Without `withTests` test files are left out (RANKING §1.4). Takes over what did not change since `before`.
   * @param opened paths of the files whose definitions count; of all others the words alone do. Unless given, all count
   */
  constructor(
    readonly index: RepoIndex,
    withTests: boolean,
    before?: TaskCorpus,
    opened?: ReadonlySet<string>,
  ) {
    this.#graphBefore = before && (before.#graph ?? before.#graphBefore);
    let base = 0;
    this.all = index.files.map((each) => (!opened || opened.has(each.path) ? each : each.scanned));
    this.files = this.all
      .filter((file) => file.hasPostings && (withTests || file.pathClass !== 'test'))
      .map((file) => {
        const numbered = { file, base };
        base += file.facts.definitionCount;
        return numbered;
      });
    this.definitionCount = base;
    this.lengths = new Float32Array(base);
    this.sharers = new Int32Array(base).fill(-1);
    this.fileLengths = new Float32Array(this.files.length);
    const known = before && isSamePaths(this.files, before.files) ? before : undefined;
    this.files.forEach((each, at) => {
      const isKnown = known?.files[at]?.file === each.file && each.file.facts.definitionCount === 0;
      if (isKnown) this.fileLengths[at] = known.fileLengths[at] as number;
      else this.#measure(each, at);
    });
    this.pathTerms = known?.pathTerms ?? new PathTerms(this.files.map(({ file }) => file.path));
    this.#names = known ? known.#names : new FileNames(this.files);
    const sum = (values: Float32Array): number => values.reduce((total, value) => total + value, 0);
    const isGuess = base < ENOUGH_DEFINITIONS && this.files.some(({ file }) => file.outcome === 'scanned');
    this.meanDefinitionLength = isGuess ? USUAL_DEFINITION_LENGTH : sum(this.lengths) / Math.max(1, base) || 1;
    this.guessed = Float32Array.from(this.files, ({ file }, at) =>
      file.outcome === 'scanned' ? Math.max(1, (this.fileLengths[at] as number) / this.meanDefinitionLength) : 0,
    );
    this.likelyDefinitions = base + sum(this.guessed);
    this.meanFileLength = sum(this.fileLengths) / Math.max(1, this.files.length) || 1;
  }

  /** Mentions among definitions; made when first asked for. */
  get graph(): MentionGraph {
    this.#graph ??= new MentionGraph(this, this.#graphBefore);
    this.#graphBefore = undefined;
    return this.#graph;
  }

  /** Positions of the files with that name. */
  filesNamed(name: string): readonly number[] {
    return this.#names.whole.get(name) ?? [];
  }

  /** The same for a name without its extension. */
  filesOfStem(stem: string): readonly number[] {
    return this.#names.stems.get(stem) ?? [];
  }

  /** Position of a file in `files`. */
  positionOf(file: IndexedFile): number | undefined {
    const at = placeInOrder(this.files, ({ file: { path } }) => path, file.path);
    return this.files[at]?.file === file ? at : undefined;
  }

  /** The file of `all` at exactly that path. */
  fileAt(path: string): IndexedFile | undefined {
    const file = this.all[placeInOrder(this.all, (each) => each.path, path)];
    return file?.path === path ? file : undefined;
  }

  /** The file that holds a definition, and the definition's index in it. */
  locate(definition: number): { readonly fileAt: number; readonly index: number } {
    let low = 0;
    let high = this.files.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.files[middle]?.base ?? 0) <= definition) low = middle;
      else high = middle - 1;
    }
    return { fileAt: low, index: definition - (this.files[low]?.base ?? 0) };
  }

  #measure({ file, base }: NumberedFile, fileAt: number): void {
    const { definitionCount, wordTotal } = file.facts;
    if (definitionCount === 0 && wordTotal !== undefined) {
      this.fileLengths[fileAt] = wordTotal;
      return;
    }
    let total = 0;
    for (const length of file.lengths) total += length;
    this.fileLengths[fileAt] = total;
    if (definitionCount === 0) return;
    // Names get their numbers before a term is looked up among all words.
    void file.nameWords;
    file.definitions.forEach((_, index) => {
      const own = file.lengths[index] as number;
      this.lengths[base + index] = (this.lengths[base + index] as number) + own;
      const sharer = sharerOf(file.definitions, index);
      if (sharer < 0) return;
      this.sharers[base + index] = base + sharer;
      this.lengths[base + sharer] = (this.lengths[base + sharer] as number) + own;
    });
  }
}

/** Index of the class around a definition, or -1. */
export function ownerOf(definitions: readonly Definition[], index: number): number {
  for (let at = definitions[index]?.parent ?? -1; at >= 0; at = definitions[at]?.parent ?? -1) {
    const definition = definitions[at];
    if (definition && CLASS_KINDS.has(definition.kind)) return at;
  }
  return -1;
}
