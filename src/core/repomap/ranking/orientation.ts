/**
 * Orientation: how much each definition says of a project's architecture, when no task is known. Public surface, mentions
 * across files and packages, docs, size, history; what is private, generated, of a common name or one of many members
 * counts less. It decides scores alone; `orientationOrder.ts` shares the room.
 */
import type { SymbolKind } from '../../ports/symbolKind';
import type { Definition } from '../facts/types';
import { CLASS_WEIGHTS, isInTestScope, TYPE_KINDS } from '../index/importance';
import { FUNCTION_KINDS, type IndexedFile } from '../index/indexedFile';
import type { RepoIndex } from '../index/repoIndex';
import type { Project } from '../project/packages';
import { type Areas, areasOf } from './areas';
import { entryShares, surfaceWeight, visibility } from './surface';

/** How much each signal counts; measured on six repositories (`docs/orientation.md`). */
const WEIGHTS = {
  /** Exponents: mentions by files, by areas, size of the body, definitions of the same name. */
  files: 1.2,
  areas: 0.4,
  size: 0.4,
  namesakes: 0.5,
  /** Gains: by the public surface, by docs, by a comment that says what it is, by the history of the file. */
  surface: 2,
  docs: 0.35,
  comment: 1,
  churn: 1,
  /** Shares of what is private to its file, or says so; of what stands in a type; of functions that are no entry. */
  hidden: 0.3,
  nested: 0.35,
  function: 0.35,
  entryFunction: 0.9,
  /** As many public functions of a package are all entries; of more, each is one to that share. */
  entryFunctions: 50,
  /** Share of functions in files and folders for whatever has no other place. */
  utility: 0.5,
  /** Share of a test beside other code, on top of what a test counts. */
  test: 0.2,
  /** Share of a file for each folder that it lies deeper than its package. */
  depth: 0.8,
};

/** What a definition of the kind can say of an architecture. Members come when nothing else is left. */
const KIND_WEIGHTS: ReadonlyMap<SymbolKind, number> = new Map([
  ['class', 1],
  ['interface', 1],
  ['trait', 1],
  ['struct', 1],
  ['type', 1],
  ['union', 0.6],
  ['enum', 0.5],
  ['macro', 0.2],
  ['module', 0.2],
  ['namespace', 0.1],
  ['package', 0.05],
  ['constant', 0.1],
  ['variable', 0.05],
  ['heading', 0.01],
]);
const MEMBER = 0.01;
/** Exponent: the second mention in a file says less than the first. */
const MENTIONS_IN_FILE = 0.7;
/** Of the counts that nearly all mentions have. */
const MENTIONS = Float64Array.from({ length: 256 }, (_, count) => count ** MENTIONS_IN_FILE);
/** Mentions by a test or an example are those of a user: some. */
const MENTION_WEIGHTS = { ...CLASS_WEIGHTS, test: 0.3, example: 0.5, docs: 0 };

/** A file with the scores of its definitions, by index. Higher is better; only the order means something. */
export interface OrientedFile {
  readonly file: IndexedFile;
  readonly scores: Float64Array;
  /** Number of its area in `areas.list`. */
  readonly area: number;
  /** An entry: what it defines is there to be shown. */
  readonly isEntry: boolean;
}

/** Files of the index, sorted by path, with what makes them important. */
export interface Orientation {
  readonly files: readonly OrientedFile[];
  readonly areas: Areas;
  /** Of the last commits, how many touched the file; 0 where the history is not read. */
  commitsOf(file: IndexedFile): number;
  /** Why a definition is there. */
  evidence(file: IndexedFile, index: number): Evidence;
}

/** What is known of a name. */
export interface Evidence {
  /** Files that mention it. */
  readonly files: number;
  /** Areas that do. */
  readonly areas: number;
  /** Files of the docs that name it. */
  readonly docs: number;
  readonly isPublic: boolean;
}

/** What the files of one family of languages say of names, by vocabulary number. */
class NameFacts {
  readonly files: Float32Array;
  readonly mentioned: Uint32Array;
  readonly areas: Uint16Array;
  readonly surface: Float32Array;
  readonly namesakes: Float32Array;
  readonly #lastArea: Int32Array;

  constructor(size: number) {
    this.files = new Float32Array(size);
    this.mentioned = new Uint32Array(size);
    this.areas = new Uint16Array(size);
    this.surface = new Float32Array(size);
    this.namesakes = new Float32Array(size);
    this.#lastArea = new Int32Array(size).fill(-1);
  }

  /** Adds what a file mentions; files come area by area. */
  add(file: IndexedFile, area: number, surface: number): void {
    const weight = MENTION_WEIGHTS[file.pathClass];
    const isCode = file.pathClass === 'source' || file.pathClass === 'tooling';
    // A test or an example that defines a name means its own: `Foo`, `Source`.
    const own = new Set(file.pathClass === 'source' ? [] : file.nameWords);
    for (let at = 0; at < file.referenceCounts.length; at++) {
      const word = file.words[at] as number;
      if (own.has(word)) continue;
      this.mentioned[word] = (this.mentioned[word] as number) + 1;
      const count = file.referenceCounts[at] as number;
      this.files[word] = (this.files[word] as number) + weight * (MENTIONS[count] ?? count ** MENTIONS_IN_FILE);
      if (isCode && this.#lastArea[word] !== area) {
        this.#lastArea[word] = area;
        this.areas[word] = (this.areas[word] as number) + 1;
      }
      if (surface > (this.surface[word] as number)) this.surface[word] = surface;
    }
    file.definitions.forEach((definition, at) => {
      const word = file.nameWords[at] as number;
      if (file.isInner[at] === 0)
        this.namesakes[word] =
          (this.namesakes[word] as number) + kindWeight(definition) * CLASS_WEIGHTS[file.pathClass];
      if (definition.parent < 0 && surface > (this.surface[word] as number)) this.surface[word] = surface;
    });
  }
}

function kindWeight({ kind }: Definition): number {
  return KIND_WEIGHTS.get(kind) ?? (FUNCTION_KINDS.has(kind) ? 0.4 : MEMBER);
}

const UTILITY_PATH = /(?:^|\/)(?:utils?|utilities|helpers?|misc)(?:\/|\.\w+$)/iu;
const INTERNAL_PATH = /(?:^|\/)(?:internals?|_[^/]*|impl|detail|private|compat|deprecated|legacy)(?:\/|\.\w+$)/u;

/** The struct that a C typedef names, where its body may be elsewhere. */
const ALIAS = /^typedef (?:struct|union|enum) (\w+) \w+$/u;

/** Lines of what belongs to a type outside of it, by family and name: methods elsewhere, the struct behind a typedef. */
function sizesOfTypes(index: RepoIndex): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { family, definitions } of index.files)
    for (const definition of definitions) {
      // Texts of stored definitions are made when they are asked for.
      const { kind, scope } = definition;
      const isStruct = family === 'c' && kind === 'struct';
      if (!isStruct && scope === undefined) continue;
      const { lineStart, lineEnd } = definition;
      if (isStruct) {
        const key = `${family}\0struct ${definition.name}`;
        sizes.set(key, Math.max(sizes.get(key) ?? 0, lineEnd - lineStart));
      }
      if (scope === undefined) continue;
      const key = `${family}\0${scope.slice(scope.lastIndexOf('.') + 1)}`;
      sizes.set(key, (sizes.get(key) ?? 0) + Math.max(1, lineEnd - lineStart + 1));
    }
  return sizes;
}

/** Names that docs mention, by vocabulary number: how many of their files. */
function docsMentions(index: RepoIndex): Uint16Array {
  const docs = new Uint16Array(index.vocabulary.size);
  for (const file of index.files) {
    if (file.family !== 'markdown') continue;
    for (let at = 0; at < file.referenceCounts.length; at++) {
      const word = file.words[at] as number;
      docs[word] = (docs[word] as number) + 1;
    }
  }
  return docs;
}

/** A common word says nothing where docs use it: only names that look like ones, or are rare in the docs. */
function isTelling(name: string): boolean {
  return /[a-z0-9][A-Z]|_[a-z]|^[A-Z][a-z]+[A-Z]/u.test(name) || /^[A-Z]/u.test(name);
}

/** The files in focus, and the names they mention. */
function focusOf(
  index: RepoIndex,
  focusPaths: readonly string[],
): { files: ReadonlySet<IndexedFile>; words: ReadonlySet<number> } {
  const files = new Set(focusPaths.flatMap((path) => index.fileAt(path) ?? []));
  const words = new Set<number>();
  for (const file of files)
    for (let at = 0; at < file.referenceCounts.length; at++) words.add(file.words[at] as number);
  return { files, words };
}
const IN_FOCUS = 20;
const NEAR_FOCUS = 3;

/** Facts on the names of each family of languages that the index has. */
function nameFacts(index: RepoIndex, areas: Areas): (family: string) => NameFacts {
  // Names are numbered when they are first asked for: all of them before rows are made for each number.
  for (const file of index.files) void file.nameWords;
  const size = index.vocabulary.size;
  const facts = new Map<string, NameFacts>();
  const factsOf = (family: string): NameFacts => {
    const known = facts.get(family) ?? new NameFacts(size);
    facts.set(family, known);
    return known;
  };
  const byArea = index.files
    .map((_, at) => at)
    .sort((a, b) => (areas.of[a] as number) - (areas.of[b] as number) || a - b);
  for (const at of byArea) {
    const file = index.files[at] as IndexedFile;
    factsOf(file.family).add(file, areas.of[at] as number, surfaceWeight(file, areas.packageOf(file.path)));
  }
  return factsOf;
}

/** Facts on the whole index that a definition's score rests on. */
interface Signals {
  /** Headings say what a folder is about only where nothing else does. */
  readonly hasCode: boolean;
  readonly docs: Uint16Array;
  readonly sizes: ReadonlyMap<string, number>;
  readonly focusWords: ReadonlySet<number>;
  readonly entryShareOf: (file: IndexedFile) => number;
}

/** A file whose definitions are scored. */
interface ScoredFile {
  readonly file: IndexedFile;
  readonly weight: number;
  readonly names: NameFacts;
}

/** Lines of a definition with those that belong to it elsewhere. */
function linesOf(definition: Definition, family: string, { sizes }: Signals): number {
  const { kind, lineStart, lineEnd } = definition;
  const lines = Math.max(1, lineEnd - lineStart + 1);
  if (!TYPE_KINDS.has(kind)) return lines;
  const behind = ALIAS.exec(definition.signature)?.[1];
  return (
    lines +
    (sizes.get(`${family}\0${definition.name}`) ?? 0) +
    (behind === undefined ? 0 : (sizes.get(`${family}\0struct ${behind}`) ?? 0))
  );
}

/** Size of a definition, and how public it is: by who mentions its name, and by how it is written. */
interface Weighed {
  readonly lines: number;
  readonly surface: number;
  readonly seen: number;
}

/** Weight of a definition by what it is and where it stands. */
function weightOf(file: IndexedFile, at: number, { lines, surface, seen }: Weighed, { entryShareOf }: Signals): number {
  const definition = file.definitions[at] as Definition;
  const { kind, parent } = definition;
  const isType = TYPE_KINDS.has(kind);
  const isInside = parent >= 0 && !isScope(file, parent);
  if ((isInside && !isType) || definition.scope !== undefined || file.isInner[at] === 1) return MEMBER;
  if (!isType && (FUNCTION_KINDS.has(kind) || (kind === 'constant' && lines > 2 && surface > 0))) {
    const share = kind === 'macro' ? 0.5 : 1;
    const entry = surface * seen * entryShareOf(file);
    let weight = share * (WEIGHTS.function + (WEIGHTS.entryFunction - WEIGHTS.function) * entry);
    if (UTILITY_PATH.test(file.path)) weight *= WEIGHTS.utility;
    return lines <= 3 ? weight * 0.5 : weight;
  }
  // Such as a typespec of a module: it names what others define.
  const isAlias = kind === 'type' && parent >= 0 && lines <= 1;
  return kindWeight(definition) * (isType && (isInside || isAlias) ? WEIGHTS.nested : 1);
}

/** The score of a file's definition with that index. */
function scoreOf({ file, weight: fileWeight, names }: ScoredFile, at: number, signals: Signals): number {
  const { docs } = signals;
  const definition = file.definitions[at] as Definition;
  if (definition.kind === 'heading' && signals.hasCode) return 0;
  const { name } = definition;
  const word = file.nameWords[at] as number;
  const surface = names.surface[word] as number;
  const seen = visibility(definition, file.family);
  const lines = linesOf(definition, file.family, signals);
  const weight = weightOf(file, at, { lines, surface, seen }, signals);
  const mentions = Math.log2(1 + (names.files[word] as number));
  const crossing = 1 + (names.areas[word] as number);
  const namesakes = Math.max(1, names.namesakes[word] as number);
  const gain =
    1 +
    WEIGHTS.surface * surface * seen +
    (definition.doc === '' ? 0 : WEIGHTS.comment) +
    (isTelling(name) ? WEIGHTS.docs * Math.log2(1 + (docs[word] as number)) : 0);
  const near = signals.focusWords.has(word) ? NEAR_FOCUS : 1;
  return (
    fileWeight *
    weight *
    near *
    gain *
    (WEIGHTS.hidden + (1 - WEIGHTS.hidden) * seen) *
    (0.2 + mentions ** WEIGHTS.files) *
    crossing ** WEIGHTS.areas *
    Math.log2(1 + Math.min(lines, 1000)) ** WEIGHTS.size *
    namesakes ** -WEIGHTS.namesakes *
    (isInTestScope(file, at) ? 0.02 : 1)
  );
}

/**
 * Scores all definitions of the index. Deterministic: of the index, the project and the focus alone. Linear in
 * references and definitions. Unknown `focusPaths` are ignored.
 */
export function orient(
  index: RepoIndex,
  project: Project,
  { focusPaths }: { readonly focusPaths: readonly string[] },
): Orientation {
  const areas = areasOf(index.files, project.packages);
  const factsOf = nameFacts(index, areas);
  const docs = docsMentions(index);
  const churn = new Map(project.churn);
  const mostChurn = project.churn.reduce((most, [, commits]) => Math.max(most, commits), 1);
  const focus = focusOf(index, focusPaths);
  const surfaceOf = (file: IndexedFile, at: number): number =>
    factsOf(file.family).surface[file.nameWords[at] as number] as number;
  const signals: Signals = {
    hasCode: index.files.some(({ family, facts }) => family !== 'markdown' && facts.definitionCount > 0),
    docs,
    sizes: sizesOfTypes(index),
    focusWords: focus.words,
    entryShareOf: entryShares(index.files, surfaceOf, areas.packageOf, WEIGHTS.entryFunctions),
  };
  const commitShareOf = ({ path }: IndexedFile): number =>
    Math.log2(1 + (churn.get(path) ?? 0)) / Math.log2(1 + mostChurn);
  const weightOfFile = (file: IndexedFile): number =>
    CLASS_WEIGHTS[file.pathClass] *
    (file.pathClass === 'test' ? WEIGHTS.test : 1) *
    (1 + WEIGHTS.churn * commitShareOf(file)) *
    WEIGHTS.depth ** areas.depthOf(file.path) *
    (INTERNAL_PATH.test(file.path) ? 0.5 : 1) *
    (focus.files.has(file) ? IN_FOCUS : 1);

  const files = index.files.map((file, at): OrientedFile => {
    const scored = { file, weight: weightOfFile(file), names: factsOf(file.family) };
    return {
      file,
      area: areas.of[at] as number,
      isEntry: surfaceWeight(file, areas.packageOf(file.path)) > 0,
      scores: Float64Array.from(file.definitions, (_, each) => scoreOf(scored, each, signals)),
    };
  });
  return {
    files,
    areas,
    commitsOf: ({ path }) => churn.get(path) ?? 0,
    evidence(file, index) {
      const word = file.nameWords[index] as number;
      const names = factsOf(file.family);
      return {
        files: names.mentioned[word] as number,
        areas: names.areas[word] as number,
        docs: docs[word] as number,
        isPublic: (names.surface[word] as number) > 0,
      };
    },
  };
}

/** Whether what stands in that definition stands beside the file's types: a namespace, a module. */
function isScope(file: IndexedFile, at: number): boolean {
  const kind = file.definitions[at]?.kind;
  return kind === 'namespace' || kind === 'module' || kind === 'package';
}
