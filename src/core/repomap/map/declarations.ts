/** Headers of C and C++: which definition a declaration belongs to, so that a map lists both as one row. */
import { FUNCTION_KINDS, type IndexedFile } from '../index/indexedFile';
import type { MapItem } from '../ranking/mapOrder';

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+)$/iu;

const isHeader = ({ family, path }: IndexedFile): boolean => family === 'c' && HEADER.test(path);

function isShared({ file, index }: MapItem): boolean {
  const definition = file.definitions[index];
  return definition !== undefined && FUNCTION_KINDS.has(definition.kind) && definition.isLocal !== true;
}

/** Overloads have other numbers of parameters; those of one number stay two rows or become one, either is true. */
function parameterCount({ file, index }: MapItem): number {
  const { signature = '' } = file.definitions[index] ?? {};
  const parameters = signature.slice(signature.indexOf('(')).replace(/^\(\s*(?:void\s*)?\)/u, '');
  return parameters === '' ? 0 : parameters.split(',').length;
}

/** Whether one is the other's qualified name, or its end: a source may be `using` the namespace. */
function isSameName(a: string, b: string): boolean {
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

/** Functions that sources of C and C++ define for others, by the vocabulary number of their name. */
function definedFunctions(files: readonly IndexedFile[]): ReadonlyMap<number, readonly MapItem[]> {
  const found = new Map<number, MapItem[]>();
  for (const file of files) {
    if (file.family !== 'c' || isHeader(file)) continue;
    file.definitions.forEach((_, at) => {
      const item = { file, index: at };
      if (!isShared(item)) return;
      const name = file.nameWords[at] as number;
      const known = found.get(name);
      if (known) known.push(item);
      else found.set(name, [item]);
    });
  }
  return found;
}

/**
 * Gives for a function that a header declares those that sources among `files` define, in the files' order; none for anything else. Linear
 * in the symbols of C and C++ at the first declaration.
 */
export function declarations(files: readonly IndexedFile[]): (item: MapItem) => readonly MapItem[] {
  let defined: ReadonlyMap<number, readonly MapItem[]> | undefined;
  return (item) => {
    const { file, index: at } = item;
    if (!isHeader(file) || !isShared(item)) return [];
    defined ??= definedFunctions(files);
    const name = file.qualifiedNames[at] ?? '';
    return (defined.get(file.nameWords[at] as number) ?? []).filter(
      (other) =>
        other.file.pathClass === file.pathClass &&
        isSameName(name, other.file.qualifiedNames[other.index] ?? '') &&
        parameterCount(other) === parameterCount(item),
    );
  };
}
