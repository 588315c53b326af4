/** What a task names outright: definitions by identifier, `A.b` or stack frame (RANKING §1.3), and files by path. */
import { nameOf } from '../../text/safePath';
import { TYPE_KINDS } from '../index/importance';
import type { TaskQuery } from './query';
import { ownerOf, type TaskCorpus, withoutExtension } from './taskCorpus';
import type { Frame } from './taskFrames';
import type { TermHits } from './taskHits';
import type { TaskWeights } from './taskWeights';

/** By corpus-wide number of the definition, and by position of the file for `fileFrames`. */
export interface ExactMatch {
  readonly identifiers: Float32Array;
  readonly frames: Float32Array;
  readonly fileFrames: ReadonlyMap<number, number>;
  /** Files that hold what a qualified name says: the task names them too. */
  readonly qualifiedFiles: ReadonlySet<number>;
}

/** A path that ends so may be one of these many files. */
const MAX_PATH_MATCHES = 3;

function sharedSegments(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a.at(-1 - shared) === b.at(-1 - shared)) shared++;
  return shared;
}

/**
 * Finds files by what a text calls them, which may begin above the workspace's root (`/usr/lib/python3/site-packages/…`).
 * @returns for a path the positions of the files that share the longest end with it; at least two segments when it has a
 *   folder
 */
function pathResolver(corpus: TaskCorpus): (path: string) => readonly number[] {
  const segmentsAt = (at: number): readonly string[] => corpus.files[at]?.file.path.split('/') ?? [];
  return (path) => {
    const wanted = path.split('/').filter((segment) => segment !== '');
    const sameName = corpus.filesNamed(wanted.at(-1) ?? '');
    const shared = sameName.map((at) => sharedSegments(wanted, segmentsAt(at)));
    const longest = Math.max(0, ...shared);
    return sameName.filter(
      (at, index) =>
        shared[index] === longest && (wanted.length === 1 || longest > 1 || segmentsAt(at).length === longest),
    );
  };
}

/** How sure a path of the task means each file: RANKING §1.4, `G`. `spelled` are paths that it spells out. */
export function namedFiles(
  corpus: TaskCorpus,
  query: TaskQuery,
  spelled: readonly string[],
  weights: TaskWeights,
): ReadonlyMap<number, number> {
  const resolve = pathResolver(corpus);
  const named = new Map<number, number>();
  const put = (path: string, worth: number): void => {
    const found = resolve(path);
    if (found.length > MAX_PATH_MATCHES) return;
    for (const at of found) named.set(at, Math.max(named.get(at) ?? 0, worth / Math.sqrt(found.length)));
  };
  for (const path of query.paths) put(path, weights.path);
  for (const name of query.fileNames) put(name, weights.fileName);
  for (const stem of query.stems) {
    // What has no extension is a part of the program: a page about it is not meant.
    const found = filesOfStem(corpus, stem).filter(
      (at) => query.isAboutExtras || corpus.files[at]?.file.pathClass !== 'docs',
    );
    const worth = stem.includes('/') ? weights.stemPath : weights.stem;
    if (found.length > MAX_PATH_MATCHES) continue;
    for (const at of found) named.set(at, Math.max(named.get(at) ?? 0, worth / Math.sqrt(found.length)));
  }
  for (const path of spelled) {
    const file = corpus.fileAt(path);
    const at = file && corpus.positionOf(file);
    if (at !== undefined) named.set(at, Math.max(named.get(at) ?? 0, weights.fileName));
  }
  return named;
}

/** Files whose path ends so, their extension left out; sources alone where there are some. */
function filesOfStem(corpus: TaskCorpus, stem: string): readonly number[] {
  const found = corpus.filesOfStem(nameOf(stem)).filter((at) => {
    const path = withoutExtension(corpus.files[at]?.file.path ?? '');
    return path === stem || path.endsWith(`/${stem}`);
  });
  const sources = found.filter((at) => corpus.files[at]?.file.pathClass === 'source');
  return sources.length > 0 ? sources : found;
}

/** Ruby and others end a name so. */
const NAME_ENDS = ['', '?', '!', '='];

/** Definitions by name, for the names a task mentions. */
function carriersOf(corpus: TaskCorpus, names: Iterable<string>): ReadonlyMap<string, readonly number[]> {
  const wanted = new Map<number, number[]>();
  const carriers = new Map<string, number[]>();
  for (const name of names) {
    const found: number[] = [];
    for (const end of NAME_ENDS) {
      const word = corpus.index.vocabulary.find(name + end);
      if (word === undefined || wanted.has(word)) continue;
      wanted.set(word, found);
      carriers.set(name, found);
    }
  }
  for (const { file, base } of corpus.files) {
    if (wanted.size === 0 || file.facts.definitionCount === 0) continue;
    file.nameWords.forEach((word, index) => {
      wanted.get(word)?.push(base + index);
    });
  }
  return carriers;
}

function belongsTo(corpus: TaskCorpus, definition: number, owner: string): boolean {
  const { fileAt, index } = corpus.locate(definition);
  const file = corpus.files[fileAt]?.file;
  if (!file) return false;
  const around = file.definitions[ownerOf(file.definitions, index)]?.name ?? file.definitions[index]?.scope;
  return around === owner || nameOf(file.path).replace(/\.\w+$/u, '') === owner;
}

/** One spelling of a name in code and of a file or folder that is called after it: `MyServer`, `my_server`, `my-server`. */
function plainName(name: string): string {
  return name.replace(/[-_\s]/gu, '').toLowerCase();
}

/** How many of the parts before the last are around a definition: as definitions, in its scope, in its path; the last of them must be. */
function partsAround(corpus: TaskCorpus, definition: number, parts: readonly string[]): number {
  const { fileAt, index } = corpus.locate(definition);
  const file = corpus.files[fileAt]?.file;
  if (!file) return 0;
  const around = [
    ...(file.definitions[index]?.scope?.split(/\.|::/u) ?? []),
    ...withoutExtension(file.path).split('/'),
  ];
  for (let at = file.definitions[index]?.parent ?? -1; at >= 0; at = file.definitions[at]?.parent ?? -1) {
    const { name = '', scope = '' } = file.definitions[at] ?? {};
    around.push(...name.split(/\.|::/u), ...scope.split(/\.|::/u));
  }
  const known = new Set(around.map(plainName));
  const owners = parts.slice(0, -1).map(plainName);
  return known.has(owners.at(-1) ?? '') ? owners.filter((owner) => known.has(owner)).length : 0;
}

/** Lifts what qualified names say: the definitions that most of a name's parts are around. @returns their files */
function scoreQualified(
  corpus: TaskCorpus,
  query: TaskQuery,
  carriers: ReadonlyMap<string, readonly number[]>,
  lift: (definitions: readonly number[]) => void,
): ReadonlySet<number> {
  const files = new Set<number>();
  for (const parts of query.qualified) {
    const found = (carriers.get(lastName(parts)) ?? []).map((definition) => ({
      definition,
      around: partsAround(corpus, definition, parts),
    }));
    const most = found.reduce((best, { around }) => Math.max(best, around), 0);
    if (most === 0) continue;
    const best = found.filter(({ around }) => around === most).map(({ definition }) => definition);
    lift(best);
    for (const definition of best) files.add(corpus.locate(definition).fileAt);
  }
  return files;
}

/** A question may end with a name: `?` is of the name only where a definition has it. */
function lastName(parts: readonly string[]): string {
  return (parts.at(-1) ?? '').replace(/[?!]$/u, '');
}

/** What the definition around a frame's line counts, where the frame has no name: the line may be of another revision. */
const LINE_SHARE = 0.7;

function scoreFrames(
  corpus: TaskCorpus,
  frames: readonly Frame[],
  weights: TaskWeights,
): Pick<ExactMatch, 'frames' | 'fileFrames'> {
  const scores = new Float32Array(corpus.definitionCount);
  const fileFrames = new Map<number, number>();
  const resolve = pathResolver(corpus);
  // Frames of libraries lie between: depth counts those that lead into the workspace.
  let depth = 0;
  for (const frame of frames) {
    if (frame.depth === 0) depth = 0;
    const [fileAt, ...others] = resolve(frame.path);
    const each = fileAt === undefined || others.length > 0 ? undefined : corpus.files[fileAt];
    if (!each || fileAt === undefined) continue;
    const worth = weights.frameDecay ** depth++;
    fileFrames.set(fileAt, Math.max(fileFrames.get(fileAt) ?? 0, worth));
    const raise = (index: number, score: number): void => {
      scores[each.base + index] = Math.max(scores[each.base + index] as number, score);
    };
    let isNamed = false;
    let around: number | undefined;
    each.file.definitions.forEach(({ name, lineStart, lineEnd }, index) => {
      if (name === frame.name) {
        isNamed = true;
        raise(index, worth);
      } else if (lineStart <= frame.line && frame.line <= lineEnd) around = index;
    });
    if (!isNamed && around !== undefined) raise(around, LINE_SHARE * worth);
  }
  return { frames: scores, fileFrames };
}

/** Types whose own lines hold a word: values of an enumeration, and some members, have no definition of their own. */
function typesHolding(corpus: TaskCorpus, hits: readonly TermHits[], word: string): readonly number[] {
  const term = word.toLowerCase();
  const found = hits.find(({ query }) => query.term === term);
  return (found?.definitions ?? []).filter((definition) => {
    const { fileAt, index } = corpus.locate(definition);
    const kind = corpus.files[fileAt]?.file.definitions[index]?.kind;
    return kind !== undefined && kind !== 'class' && TYPE_KINDS.has(kind);
  });
}

/** Finds what a task names outright. */
export function exactMatches(
  corpus: TaskCorpus,
  query: TaskQuery,
  hits: readonly TermHits[],
  weights: TaskWeights,
): ExactMatch {
  const identifiers = new Float32Array(corpus.definitionCount);
  const names = new Set([
    ...query.identifiers.keys(),
    ...query.dotted.map(({ name }) => name),
    ...query.qualified.map(lastName),
  ]);
  const carriers = carriersOf(corpus, names);
  const share = (found: readonly number[], worth: number): void => {
    for (const definition of found) {
      identifiers[definition] = (identifiers[definition] as number) + worth / Math.sqrt(found.length);
    }
  };
  for (const [name, strength] of query.identifiers) {
    const found = carriers.get(name) ?? [];
    if (found.length > 0) share(found, strength);
    else if (strength >= 1 && weights.members > 0) share(typesHolding(corpus, hits, name), strength * weights.members);
  }
  for (const { owner, name } of query.dotted) {
    const found = (carriers.get(name) ?? []).filter((definition) => belongsTo(corpus, definition, owner));
    share(found, weights.dotted);
  }
  const lift = (found: readonly number[]): void => share(found, weights.qualified);
  const qualifiedFiles = scoreQualified(corpus, query, carriers, lift);
  return { identifiers, qualifiedFiles, ...scoreFrames(corpus, query.frames, weights) };
}
