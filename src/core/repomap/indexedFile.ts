import { qualifiedNames, symbolHandles } from './handles';
import { familyOf } from './languages';
import { classifyPath, type PathClass } from './pathClass';
import type { Definition, FileFacts, FileOutcome, MapSymbol } from './types';

/** One file as the index keeps it: names are ids of its pool. */
export class IndexedFile {
  readonly path: string;
  readonly outcome: FileOutcome;
  readonly definitions: readonly Definition[];
  /** Pool id of each definition's name. */
  readonly definedNames: Uint32Array;
  /** Pool ids of the names mentioned, definitions' own included, and how often each is. */
  readonly referencedNames: Uint32Array;
  readonly referenceCounts: Uint32Array;
  readonly pathClass: PathClass;
  #handles: readonly string[] | undefined;
  #qualifiedNames: readonly string[] | undefined;

  constructor(facts: FileFacts, retain: (name: string) => number) {
    const family = familyOf(facts.language);
    const idOf = (name: string) => retain(`${family}\0${name}`);
    this.path = facts.path;
    this.outcome = facts.outcome;
    this.definitions = facts.definitions;
    this.definedNames = Uint32Array.from(facts.definitions, (definition) => idOf(definition.name));
    this.referencedNames = Uint32Array.from(facts.references, ([name]) => idOf(name));
    this.referenceCounts = Uint32Array.from(facts.references, ([, count]) => count);
    const byPath = classifyPath(facts.path);
    this.pathClass = facts.isGenerated && byPath !== 'vendored' ? 'generated' : byPath;
  }

  /** The handle of each definition, computed once. */
  get handles(): readonly string[] {
    this.#handles ??= symbolHandles(this.path, this.definitions, this.qualifiedNames);
    return this.#handles;
  }

  get qualifiedNames(): readonly string[] {
    this.#qualifiedNames ??= qualifiedNames(this.definitions);
    return this.#qualifiedNames;
  }

  /** The definition at `index` with its place and handle. */
  symbol(index: number): MapSymbol | undefined {
    const definition = this.definitions[index];
    const handle = this.handles[index];
    const qualifiedName = this.qualifiedNames[index];
    if (!definition || handle === undefined || qualifiedName === undefined) return undefined;
    const { kind, name, signature, doc, lineStart, lineEnd } = definition;
    return { handle, path: this.path, kind, name, qualifiedName, signature, doc, lineStart, lineEnd };
  }
}
