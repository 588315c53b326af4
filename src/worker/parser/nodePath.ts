import type { Node, TreeCursor } from 'web-tree-sitter';

/** One step of a path of a language table; see `languageTable.ts`. */
interface Step {
  readonly kind: 'field' | 'type' | 'first' | 'chain' | 'next';
  readonly name: string;
  /** Where a chain stops early. */
  readonly until: string;
}

/** A compiled node path. */
export type NodePath = readonly Step[];

/** A hostile declarator nests at will; a real one does not. */
const MAX_CHAIN = 100;

/** The path that leads nowhere: a node whose members stand in itself, not in a body. */
const SELF = 'self';

/** Compiles a path of a language table. */
export function compilePath(path: string): NodePath {
  if (path === SELF) return [];
  return path.split('.').map((step): Step => {
    if (step === '>') return { kind: 'next', name: '', until: '' };
    if (step.startsWith('@')) return { kind: 'type', name: step.slice(1), until: '' };
    if (step.startsWith('<')) return { kind: 'first', name: step.slice(1), until: '' };
    const star = step.indexOf('*');
    if (star < 0) return { kind: 'field', name: step, until: '' };
    return { kind: 'chain', name: step.slice(0, star), until: step.slice(star + 1) };
  });
}

/** Walks from `node` on; frees the cursor, whose memory is WebAssembly's. */
export function withCursor<T>(node: Node, walk: (cursor: TreeCursor) => T): T {
  const cursor = node.walk();
  try {
    return walk(cursor);
  } finally {
    cursor.delete();
  }
}

function childOfType(node: Node, type: string): Node | undefined {
  return withCursor(node, (cursor) => {
    for (let isThere = cursor.gotoFirstChild(); isThere; isThere = cursor.gotoNextSibling()) {
      if (cursor.nodeType === type) return cursor.currentNode;
    }
    return undefined;
  });
}

/** The first named child, where it is of that type; `''` is any. */
function firstOfType(node: Node, type: string): Node | undefined {
  const first = node.firstNamedChild;
  return first && (type === '' || first.type === type) ? first : undefined;
}

/** The next declarator: the field, or the child that is one where the grammar gives it no field. */
function nextDeclarator(node: Node, field: string): Node | undefined {
  const next = node.childForFieldName(field);
  if (next) return next;
  for (let at = 0; at < Math.min(node.namedChildCount, 8); at++) {
    const child = node.namedChild(at);
    if (child?.type.endsWith('declarator')) return child;
  }
  if (node.type === 'parenthesized_declarator' || node.type === 'reference_declarator') {
    return node.namedChild(node.namedChildCount - 1) ?? undefined;
  }
  return undefined;
}

function followChain(start: Node, step: Step): Node | undefined {
  let node: Node | undefined = start;
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const next: Node | undefined = nextDeclarator(node, step.name);
    if (!next) return undefined;
    if (step.until !== '' && next.type === step.until) return next;
    if (!next.type.endsWith('_declarator')) return step.until === '' ? next : undefined;
    node = next;
  }
  return undefined;
}

/** The node a path leads to, or `undefined`. */
export function resolvePath(start: Node, path: NodePath): Node | undefined {
  let node: Node | undefined = start;
  for (const step of path) {
    if (!node) return undefined;
    if (step.kind === 'field') node = node.childForFieldName(step.name) ?? undefined;
    else if (step.kind === 'next') node = node.nextNamedSibling ?? undefined;
    else if (step.kind === 'type') node = childOfType(node, step.name);
    else if (step.kind === 'first') node = firstOfType(node, step.name);
    else node = followChain(node, step);
  }
  return node;
}

/** The node that the first successful path leads to. */
export function resolveFirst(start: Node, paths: readonly NodePath[]): Node | undefined {
  for (const path of paths) {
    const node = resolvePath(start, path);
    if (node) return node;
  }
  return undefined;
}
