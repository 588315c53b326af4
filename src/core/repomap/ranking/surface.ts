/** The public surface: files whose names say that what they define or mention is meant for others, and definitions that say it themselves. */
import type { Definition } from '../facts/types';
import { FUNCTION_KINDS, type IndexedFile } from '../index/indexedFile';

/** File names that a language or its tools take for the entry of a folder. */
const ENTRY =
  /^(?:index\.(?:[cm]?[jt]sx?|d\.ts)|__init__\.pyi?|lib\.rs|mod\.rs|main\.\w+|root\.zig|package\.scala|Package\.swift)$/u;
const HEADER = /\.(?:h|hh|hpp|hxx)$/u;
/** A folder below which sources lie as they lie in the package. */
const SOURCE_FOLDERS = /^(?:src|lib|source|Sources|app|include)$/u;

/** Weight of an entry in the package's own folder; of one further down. */
const OWN = 1;
const DEEPER = 0.35;

/**
 * 0 for a file that is no entry. 1 for that of a package: in its folder, its sources' folder or the one folder in that.
 * @param packagePath folder of the file's package, `''` for the opened one
 */
export function surfaceWeight(file: IndexedFile, packagePath: string): number {
  if (file.pathClass !== 'source') return 0;
  const segments = file.path.slice(packagePath === '' ? 0 : packagePath.length + 1).split('/');
  const base = segments.pop() ?? '';
  if (HEADER.test(base)) return segments.includes('include') ? OWN : DEEPER;
  if (!ENTRY.test(base) && !isNamesake(segments, base, packagePath)) return 0;
  const below = segments.filter((segment) => !SOURCE_FOLDERS.test(segment));
  const isPython = base.startsWith('__init__');
  return below.length <= (isPython ? 1 : 0) ? OWN : DEEPER;
}

/** `lib/sidekiq.rb` of Ruby: the file that has the package's name. */
function isNamesake(segments: readonly string[], base: string, packagePath: string): boolean {
  if (!base.endsWith('.rb') || segments.join('/') !== 'lib') return false;
  return packagePath === '' || packagePath.endsWith(base.slice(0, -3));
}

/** What the source says of who may use it: 1 for everyone, less for less. */
export function visibility(definition: Definition, family: string): number {
  const { name, isLocal, kind } = definition;
  if (isLocal || name.startsWith('_') || (family === 'c' && name.includes('__'))) return 0;
  if (family === 'go' && kind !== 'package' && !/^\p{Lu}/u.test(name)) return 0;
  // Made when it is asked for: of most definitions of a folder it is not.
  const { signature } = definition;
  // What stands before the name: behind it, `private` may be a module or a default.
  const at = signature.indexOf(name);
  const head = signature.slice(0, at < 0 ? 160 : at);
  if (/\b(?:private|fileprivate|protected)\b|\bpub\((?:crate|super|in\b|self)/u.test(head)) return 0;
  if (/\binternal\b/u.test(head)) return 0.5;
  return 1;
}

/** A name counts as public in its whole package from this weight on. */
const NAMED = 0.5;

/**
 * Share, 0…1, to which a public function of a file is an entry: where a package names hundreds, as the headers of a C
 * library do, each says little.
 * @param surfaceOf the weight of the entries that name a file's definition
 * @param most as many are all entries
 */
export function entryShares(
  files: readonly IndexedFile[],
  surfaceOf: (file: IndexedFile, at: number) => number,
  packageOf: (path: string) => string,
  most: number,
): (file: IndexedFile) => number {
  const keyOf = ({ family, path }: IndexedFile): string => `${family}\0${packageOf(path)}`;
  const entries = new Map<string, Set<number>>();
  for (const file of files) {
    if (file.pathClass !== 'source') continue;
    const words = entries.get(keyOf(file)) ?? new Set();
    entries.set(keyOf(file), words);
    file.definitions.forEach(({ kind, parent, scope }, at) => {
      const isFunction = FUNCTION_KINDS.has(kind) && parent < 0 && scope === undefined;
      if (isFunction && surfaceOf(file, at) > NAMED) words.add(file.nameWords[at] as number);
    });
  }
  return (file) => Math.min(1, most / (entries.get(keyOf(file))?.size ?? 1));
}
