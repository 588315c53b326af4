/**
 * The walk over one syntax tree: decides which nodes are looked at. It visits the children of containers and of
 * definitions with members, and never enters a function's body, so that it costs next to nothing beside the parse
 * (PERFORMANCE §2). What a node means is data: `grammars/<language>.json`.
 */
import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import type { SymbolKind } from '../../core/ports/symbolKind';
import type { Definition } from '../../core/repomap/facts/types';
import { qualifiedNames } from '../../core/repomap/index/indexedFile';
import type { CompiledContainer, CompiledLanguage, NodeAction } from './compiledLanguage';
import { DefinitionReader, type Place, type Wrapper } from './definitionReader';
import { resolvePath, withCursor } from './nodePath';
import { PendingDoc } from './pendingDoc';

/** Real code nests containers a dozen deep; input that nests deeper is hostile or data. */
const MAX_DEPTH = 150;

/** What the walk gave. */
export interface WalkResult {
  readonly definitions: readonly Definition[];
  /** False when something was nested too deep to be looked at. */
  readonly isComplete: boolean;
}

/** Definitions of a tree in document order, each with its parent. */
export function walkDefinitions(tree: Tree, language: CompiledLanguage, text: string, path: string): WalkResult {
  const walker = new Walker(language, text, path);
  walker.members(tree.rootNode, -1, undefined, 0);
  return { definitions: resolveScopes(walker.definitions), isComplete: walker.isComplete };
}

class Walker {
  readonly definitions: Definition[] = [];
  isComplete = true;
  readonly #reader: DefinitionReader;

  constructor(
    private readonly language: CompiledLanguage,
    private readonly text: string,
    path: string,
  ) {
    this.#reader = new DefinitionReader(language, text, path);
  }

  /** Looks at the children of a definition's body, or of the whole tree. */
  members(body: Node, parent: number, enclosing: Definition | undefined, depth: number): void {
    const place: Place = { parent, enclosing, scope: undefined, parentType: body.type, wrapper: undefined };
    withCursor(body, (cursor) => this.#children(cursor, place, new PendingDoc(), depth));
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
        if (!doc.isEmpty && cursor.nodeIsNamed) doc.clear();
      } else if (action.role === 'comment') {
        const isDoc = doc.addComment(cursor, this.text, this.language.docPattern, action.isAlsoAttribute);
        if (!isDoc && action.rules.length > 0 && this.#define(cursor, action, place, doc, depth)) doc.clear();
      } else if (action.role === 'attribute') doc.addAttribute(cursor);
      else {
        if (!this.#define(cursor, action, place, doc, depth)) this.#descend(cursor, action, place, doc, depth);
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
      const parent = this.definitions.push(found.definition) - 1;
      for (const node of found.members) this.members(node, parent, found.definition, depth + 1);
      return true;
    }
    return false;
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
    const { row } = cursor.startPosition;
    const { wraps } = container.table;
    const inside: Place = {
      ...place,
      parentType: cursor.nodeType,
      wrapper: wraps && wrap(cursor, row, wraps === 'signature', place.wrapper),
      scope: container.scope ? this.#reader.scopeOf(container, cursor.currentNode) : place.scope,
    };
    const handed = doc.handDown(row, wraps ? -1 : row);
    if (container.paths.length === 0) this.#children(cursor, inside, handed, depth + 1);
    else this.#descendPaths(cursor, container, inside, handed, depth);
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
