/**
 * The walk over one syntax tree: decides which nodes are looked at. It visits the children of containers and of
 * definitions with members. Of functions it enters long ones alone, and there only nodes in which a definition may
 * begin, so that it costs little beside the parse (PERFORMANCE §2). What a node means is data: `grammars/<language>.json`.
 */
import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import type { SymbolKind } from '../../core/ports/symbolKind';
import { type InnerPlaces, LONG_BODY_LINES } from '../../core/repomap/facts/bodyRanges';
import type { RowRange } from '../../core/repomap/facts/lineScan';
import type { Definition } from '../../core/repomap/facts/types';
import { qualifiedNames } from '../../core/repomap/index/indexedFile';
import type { CompiledContainer, CompiledLanguage, NodeAction } from './compiledLanguage';
import { DefinitionReader, type FoundDefinition, type Place, type Wrapper } from './definitionReader';
import { resolvePath, withCursor } from './nodePath';
import { PendingDoc } from './pendingDoc';

/** Real code nests containers a dozen deep; input that nests deeper is hostile or data. */
const MAX_DEPTH = 150;

/** What the walk gave. */
export interface WalkResult {
  readonly definitions: readonly Definition[];
  /** False when something was nested too deep to be looked at. */
  readonly isComplete: boolean;
  /** Rows that the grammar could not read. */
  readonly errors: readonly RowRange[];
}

/** What a tree was parsed from. */
export interface WalkSource {
  readonly text: string;
  /** The text as it is parsed, with blanks for what the grammar cannot read. */
  readonly code: string;
  readonly path: string;
  readonly inner: InnerPlaces;
  /** 0-based lines that begin inside of a comment or string. */
  readonly proseLines: ReadonlySet<number>;
}

/** Definitions of a tree in document order, each with its parent. */
export function walkDefinitions(tree: Tree, language: CompiledLanguage, source: WalkSource): WalkResult {
  const walker = new Walker(language, source);
  walker.members(tree.rootNode, -1, undefined, 0);
  const definitions = resolveScopes(walker.definitions);
  return { definitions, isComplete: walker.isComplete, errors: errorRows(tree.rootNode, 0) };
}

function errorRows(node: Node, depth: number): readonly RowRange[] {
  if (node.isError) return [{ first: node.startPosition.row, last: node.endPosition.row }];
  if (!node.hasError || depth > MAX_DEPTH) return [];
  return node.children.flatMap((child) => errorRows(child, depth + 1));
}

class Walker {
  readonly definitions: Definition[] = [];
  isComplete = true;
  readonly #reader: DefinitionReader;

  constructor(
    private readonly language: CompiledLanguage,
    private readonly source: WalkSource,
  ) {
    this.#reader = new DefinitionReader(language, source.text, source.path);
  }

  /** Looks at the children of a definition's body, or of the whole tree. */
  members(body: Node, parent: number, enclosing: Definition | undefined, depth: number, isSearched = false): void {
    this.#visit(body, { parent, enclosing, isInner: false, isSearched }, depth);
  }

  #visit(node: Node, owner: Pick<Place, 'parent' | 'enclosing' | 'isInner' | 'isSearched'>, depth: number): void {
    const place: Place = { ...owner, scope: undefined, parentType: node.type, wrapper: undefined };
    withCursor(node, (cursor) => this.#children(cursor, place, new PendingDoc(), depth));
  }

  #children(cursor: TreeCursor, place: Place, doc: PendingDoc, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.isComplete = false;
      return;
    }
    if (!cursor.gotoFirstChild()) return;
    do {
      const action = this.language.actions.get(cursor.nodeTypeId);
      if (!action) {
        if (place.isSearched) this.#search(cursor, undefined, place, doc, depth);
        if (!doc.isEmpty && cursor.nodeIsNamed) doc.clear();
      } else if (action.role === 'comment') {
        const isDoc = doc.addComment(cursor, this.source.text, this.language.docPattern, action.isAlsoAttribute);
        if (!isDoc && action.rules.length > 0 && this.#define(cursor, action, place, doc, depth)) doc.clear();
      } else if (action.role === 'attribute') doc.addAttribute(cursor);
      else {
        if (place.isSearched) this.#search(cursor, action, place, doc, depth);
        else if (!this.#define(cursor, action, place, doc, depth)) this.#descend(cursor, action, place, doc, depth);
        doc.clear();
      }
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  #define(cursor: TreeCursor, action: NodeAction, place: Place, doc: PendingDoc, depth: number): boolean {
    for (const rule of action.rules) {
      if (!this.#reader.mayApply(rule, place)) continue;
      const found = this.#reader.read(rule, cursor.currentNode, place, doc);
      if (found === 'skip') return true;
      if (!found) continue;
      if (rule.table.joins && this.#join(found.definition)) return true;
      return this.#add(found, cursor.currentNode, depth);
    }
    return false;
  }

  /** Adds a definition with its members and what is inside of it; false for a local that turns out to have none. */
  #add({ definition, also, members, bodyRow, needsMembers }: FoundDefinition, node: Node, depth: number): boolean {
    // Lines belong to the last of equals.
    this.definitions.push(...also);
    const parent = this.definitions.push(definition) - 1;
    const isSearched = HOLDERS.has(definition.kind) && definition.lineEnd - 1 - bodyRow > LONG_BODY_LINES;
    for (const body of members) this.members(body, parent, definition, depth + 1, isSearched);
    if (isSearched && members.length === 0) {
      this.#visit(node, { parent, enclosing: definition, isInner: true, isSearched }, depth + 1);
    }
    if (!needsMembers || this.definitions.length > parent + 1) return true;
    this.definitions.pop();
    return false;
  }

  /** A node inside of a function or value: a definition, or looked into where one may begin in it. */
  #search(cursor: TreeCursor, action: NodeAction | undefined, place: Place, doc: PendingDoc, depth: number): void {
    const mayHold = this.source.inner.isBetween(cursor.startIndex, cursor.endIndex);
    if (place.isInner && !mayHold) return;
    if ((action && this.#define(cursor, action, place, doc, depth)) || !mayHold) return;
    const container = action?.containers.find((candidate) => candidate.within?.has(place.parentType) ?? true);
    const [inside, handed] = this.#into(cursor, container, place, doc);
    this.#children(cursor, { ...inside, isInner: true }, handed, depth + 1);
  }

  /** Adds the lines of a further clause to the definition that it continues. */
  #join(clause: Definition): boolean {
    const last = this.definitions.at(-1);
    if (last?.name !== clause.name || last.parent !== clause.parent || last.scope !== clause.scope) return false;
    if (last.kind !== clause.kind) return false;
    this.definitions[this.definitions.length - 1] = { ...last, lineEnd: clause.lineEnd };
    return true;
  }

  #descend(cursor: TreeCursor, action: NodeAction, place: Place, doc: PendingDoc, depth: number): void {
    const container = action.containers.find((candidate) => candidate.within?.has(place.parentType) ?? true);
    if (!container) return;
    const [inside, handed] = this.#into(cursor, container, place, doc);
    if (container.paths.length === 0) this.#children(cursor, inside, handed, depth + 1);
    else this.#descendPaths(cursor, container, inside, handed, depth);
  }

  /** The place of what is inside of a node, and the doc comment handed down to it. */
  #into(
    cursor: TreeCursor,
    container: CompiledContainer | undefined,
    place: Place,
    doc: PendingDoc,
  ): readonly [Place, PendingDoc] {
    const { row } = cursor.startPosition;
    const wraps = container?.table.wraps;
    const inside: Place = {
      ...place,
      parentType: cursor.nodeType,
      wrapper: wraps && wrap(cursor, row, wraps === 'signature', place.wrapper),
      scope: container?.scope ? this.#reader.scopeOf(container, cursor.currentNode) : place.scope,
    };
    return [inside, doc.handDown(row, wraps ? -1 : row)];
  }

  #descendPaths(cursor: TreeCursor, container: CompiledContainer, inside: Place, doc: PendingDoc, depth: number): void {
    const node = cursor.currentNode;
    for (const path of container.paths) {
      const target = resolvePath(node, path);
      if (!target) continue;
      // A path may lead to a definition or container itself (`function` of a call) or to a body of them.
      const action = this.language.actions.get(target.typeId);
      withCursor(target, (inner) => {
        if (action?.role !== 'node') {
          this.#children(inner, { ...inside, parentType: target.type }, doc, depth + 1);
        } else if (!this.#define(inner, action, inside, doc, depth + 1)) {
          this.#descend(inner, action, inside, doc, depth + 1);
        }
      });
    }
  }
}

function wrap(cursor: TreeCursor, row: number, isSignature: boolean, outer: Wrapper | undefined): Wrapper {
  if (outer && !outer.isUsed) {
    if (outer.signatureStart !== undefined || !isSignature) return outer;
    return { node: outer.node, row: outer.row, signatureStart: cursor.startIndex, isUsed: false };
  }
  return { node: cursor.currentNode, row, signatureStart: isSignature ? cursor.startIndex : undefined, isUsed: false };
}

/** What may have definitions in its body that are no members: code, and values with code in them. */
const HOLDERS: ReadonlySet<SymbolKind> = new Set([
  'function',
  'method',
  'constructor',
  'property',
  'constant',
  'variable',
]);

const OWNERS: ReadonlySet<SymbolKind> = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'union', 'type']);

/** Replaces a scope by the definition it names, where the file has one: `func (s *Store) Get` belongs to `Store`. */
function resolveScopes(definitions: readonly Definition[]): readonly Definition[] {
  if (definitions.every((definition) => definition.scope === undefined)) return definitions;
  const names = qualifiedNames(definitions);
  const owners = new Map<string, number>();
  const isScoped = (definition: Definition | undefined): boolean =>
    definition !== undefined && (definition.scope !== undefined || isScoped(definitions[definition.parent]));
  definitions.forEach((definition, index) => {
    // An owner below a scoped definition could be that definition's own member: parents must not form a loop.
    if (isScoped(definition)) return;
    const name = names[index] as string;
    // `a.b.C` may be written `C` or `b.C`.
    for (let at = 0; at >= 0 && at < name.length; at = name.indexOf('.', at) + 1 || -1) {
      const known = definitions[owners.get(name.slice(at)) ?? -1];
      if (!known || (!OWNERS.has(known.kind) && OWNERS.has(definition.kind))) owners.set(name.slice(at), index);
    }
  });
  return definitions.map((definition): Definition => {
    const owner = definition.scope === undefined ? undefined : owners.get(definition.scope);
    if (owner === undefined) return definition;
    const { scope: _scope, ...rest } = definition;
    return { ...rest, parent: owner };
  });
}
