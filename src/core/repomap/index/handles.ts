import { hashText } from '../../text/hash';
import type { Definition } from '../facts/types';

/** Prefix of symbol handles. */
export const SYMBOL_PREFIX = 'sym:';

/**
 * Qualified name of each definition: scope or parents, and name, joined by `.`. Linear in the total depth; parents must
 * not form a loop.
 */
export function qualifiedNames(definitions: readonly Definition[]): readonly string[] {
  const names: (string | undefined)[] = new Array(definitions.length);
  const nameOf = (index: number): string => {
    const known = names[index];
    if (known !== undefined) return known;
    const definition = definitions[index];
    if (!definition) return '';
    const last = definition.name.replaceAll('::', '.');
    const own = definition.scope === undefined ? last : `${definition.scope}.${last}`;
    const name = definition.parent < 0 ? own : `${nameOf(definition.parent)}.${own}`;
    names[index] = name;
    return name;
  };
  return definitions.map((_, index) => nameOf(index));
}

/**
 * Handles of a file's definitions: `sym:` and 8 hex digits of a hash over path, qualified name and kind, and an ordinal
 * for the second and later ones with the same key, so that an edit elsewhere changes none of them. Two symbols of a
 * workspace may share a handle (about one pair in 90,000 symbols); who looks one up gets both.
 */
export function symbolHandles(
  path: string,
  definitions: readonly Definition[],
  names: readonly string[] = qualifiedNames(definitions),
): readonly string[] {
  const seen = new Map<string, number>();
  return definitions.map((definition, index) => {
    const key = `${path}\0${names[index] ?? definition.name}\0${definition.kind}`;
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    const hash = hashText(ordinal === 1 ? key : `${key}\0${ordinal}`);
    return `${SYMBOL_PREFIX}${hash.slice(0, 8)}`;
  });
}
