/** Which files are the public surface of a package, by their names: what they define or mention is meant for others. */
import type { IndexedFile } from '../index/indexedFile';

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
