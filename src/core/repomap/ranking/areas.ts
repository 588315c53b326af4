/** The parts of a project that share the room of a map: its packages, and the folders of what would else be one large part. */
import type { MapPackage } from '../../model/repoMap';
import type { IndexedFile } from '../index/indexedFile';
import { addTo } from './taskCorpus';

/** A part with more than this share of all definitions is divided into its folders. */
const LARGE_SHARE = 0.5;
/** Further down than this nothing is divided. */
const MAX_DEPTH = 8;

/** Packages and folders, and which of them each file belongs to. */
export interface Areas {
  /** Folders, `''` for the opened one. */
  readonly list: readonly string[];
  /** By position of a file: number of its area. */
  readonly of: Uint32Array;
  /** The folder of a file's package. */
  packageOf(path: string): string;
  /** The nearest package around a file that says what it is for. */
  describedOf(path: string): MapPackage | undefined;
  /** Folders between a file and the folder in which the files of its area, or of its package, begin. */
  depthOf(path: string): number;
}

function isIn(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** What a file counts when areas are compared: its definitions, if they are the product's. */
function sizeOf(file: IndexedFile): number {
  return file.pathClass === 'source' ? file.facts.definitionCount : 0;
}

/** Divides files among packages and folders. Files are sorted by path. */
export function areasOf(files: readonly IndexedFile[], packages: readonly MapPackage[]): Areas {
  const folders = new Set(['', ...packages.map(({ path }) => path)]);
  const described = new Map(packages.flatMap((each) => (each.job === '' ? [] : [[each.path, each] as const])));
  const packageOf = (path: string): string => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (folders.has(path.slice(0, end))) return path.slice(0, end);
    }
    return '';
  };
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  const areaOf = new Map<IndexedFile, string>();
  const roots = new Map<string, string>();
  const divide = (folder: string, own: readonly IndexedFile[], depth: number, root: string): void => {
    const size = own.reduce((sum, file) => sum + sizeOf(file), 0);
    if (depth >= MAX_DEPTH || size <= total * LARGE_SHARE) {
      for (const file of own) areaOf.set(file, folder);
      roots.set(folder, root);
      return;
    }
    const below = new Map<string, IndexedFile[]>();
    for (const file of own) {
      const start = folder === '' ? 0 : folder.length + 1;
      const end = file.path.indexOf('/', start);
      const sub = end < 0 ? folder : file.path.slice(0, end);
      addTo(below, sub, file);
    }
    for (const [sub, inside] of below) {
      const isOnly = inside.reduce((sum, file) => sum + sizeOf(file), 0) >= size * 0.8;
      if (sub === folder) {
        for (const file of inside) areaOf.set(file, folder);
        roots.set(folder, root);
      } else divide(sub, inside, depth + 1, isOnly ? sub : root);
    }
  };
  const byPackage = new Map<string, IndexedFile[]>();
  for (const file of files) {
    addTo(byPackage, packageOf(file.path), file);
  }
  for (const [folder, own] of byPackage) divide(folder, own, 0, folder);
  const list = [...new Set(files.map((file) => areaOf.get(file) ?? ''))];
  const numbers = new Map(list.map((folder, at) => [folder, at]));
  const of = Uint32Array.from(files, (file) => numbers.get(areaOf.get(file) ?? '') ?? 0);
  const rootOf = new Map(files.map((file) => [file.path, roots.get(areaOf.get(file) ?? '') ?? '']));
  return {
    list,
    of,
    packageOf,
    describedOf(path) {
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        const found = described.get(path.slice(0, end));
        if (found) return found;
      }
      return described.get('');
    },
    depthOf(path) {
      const root = rootOf.get(path) ?? '';
      if (!isIn(root, path)) return 0;
      const rest = path.slice(root === '' ? 0 : root.length + 1);
      return rest.split('/').filter((part) => !/^(?:src|lib|main|java|kotlin|scala|include)$/u.test(part)).length - 1;
    },
  };
}
