/** How much files of a class count, and which definitions are types; whatever a map is ranked by. */
import type { SymbolKind } from '../../ports/symbolKind';
import type { IndexedFile } from './indexedFile';
import type { PathClass } from './pathClass';

/** What a file of the class gives and attracts, relative to the product's own code. */
export const CLASS_WEIGHTS: Readonly<Record<PathClass, number>> = {
  source: 1,
  tooling: 0.3,
  example: 0.1,
  docs: 0.1,
  generated: 0.1,
  test: 0.05,
  vendored: 0.05,
};

/** Kinds whose names, capitalised, are hardly ever anything else. */
export const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
  'type',
]);

/** Whether a definition stands in a module of unit tests inside of a source file. */
export function isInTestScope(file: IndexedFile, index: number): boolean {
  for (let at = index; at >= 0; at = file.definitions[at]?.parent ?? -1) {
    const definition = file.definitions[at];
    if (definition?.kind === 'module' && /^tests?$/.test(definition.name)) return true;
  }
  return false;
}
