/**
 * One definition of a syntax node: decides by the rule of the language table whether a node is a definition, and reads
 * its kind, name, qualifier, signature, doc line and range. Where to look for nodes is `definitionWalker.ts`.
 */
import type { Node } from 'web-tree-sitter';
import type { SymbolKind } from '../../core/ports/symbolKind';
import { buildSignature, firstDocLine, foldLines } from '../../core/repomap/facts/signature';
import type { Definition } from '../../core/repomap/facts/types';
import { ellipsize } from '../../core/text/sentence';
import type {
  CompiledCondition,
  CompiledContainer,
  CompiledLanguage,
  CompiledRule,
  CompiledShape,
  CompiledVariant,
  KindRule,
} from './compiledLanguage';
import { resolveFirst, resolvePath } from './nodePath';
import type { PendingDoc, SourceSpan } from './pendingDoc';

/** A condition looks at this much text of a node. */
const MAX_CONDITION_CHARS = 2000;
/** Longer "names" are broken input. */
const MAX_NAME_CHARS = 200;
/** Names in one declaration; more are data. */
const MAX_EQUALS = 100;
/** Annotations of one definition. */
const MAX_OMITTED = 50;

/** A node around a definition that belongs to it: `export`, decorators, `template <…>`. Serves one definition. */
export interface Wrapper {
  readonly node: Node;
  readonly row: number;
  /** Where the signature begins, when the wrapper belongs to it. */
  readonly signatureStart: number | undefined;
  isUsed: boolean;
}

/** Where a node stands. */
export interface Place {
  /** Index of the enclosing definition, or -1. */
  readonly parent: number;
  readonly enclosing: Definition | undefined;
  /** Type that a container names as the owner of what it contains. */
  readonly scope: string | undefined;
  readonly parentType: string;
  readonly wrapper: Wrapper | undefined;
  /** Inside of a function or value, where only functions and types are definitions (`INNER_KINDS`). */
  readonly isInner: boolean;
  /** What is no definition here is searched for some, as everything inside of a function is. */
  readonly isSearched: boolean;
}

/** What counts inside of a function: the rest are locals. */
const INNER_KINDS: ReadonlySet<SymbolKind> = new Set([
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
]);

/** A definition and the nodes whose children are its members. */
export interface FoundDefinition {
  readonly definition: Definition;
  /** The same under its other names. */
  readonly also: readonly Definition[];
  readonly members: readonly Node[];
  /** 0-based row of the body's first line, or of the node's where it has none. */
  readonly bodyRow: number;
  /** A local that counts only where it has members: an object with methods. */
  readonly needsMembers: boolean;
}

interface FoundName {
  readonly name: string;
  readonly scope: string | undefined;
}

/** Reads definitions of one file. */
export class DefinitionReader {
  readonly #path: string;

  constructor(
    private readonly language: CompiledLanguage,
    private readonly text: string,
    path: string,
  ) {
    this.#path = path.toLowerCase();
  }

  /** The definition that `rule` sees in `node`; `undefined` when it is none, `skip` when nothing in it counts. */
  read(rule: CompiledRule, node: Node, place: Place, doc: PendingDoc): FoundDefinition | 'skip' | undefined {
    if (!rule.requires.every((condition) => this.#holds(condition, node))) return undefined;
    if (rule.rejects.some((condition) => this.#holds(condition, node))) return undefined;
    const variant = rule.variants.find((candidate) => this.#holds(candidate.condition, node));
    if (variant?.skips) return 'skip';
    if (!variant && rule.table.onlyVariants) return undefined;
    const first = this.#name(rule, node, place);
    if (!first) return undefined;
    const [name, ...equals] = [first.name, ...this.#equals(rule, node)].filter((each) => !rule.unlessName?.test(each));
    if (name === undefined) return undefined;
    const found = { ...first, name };

    const shape: CompiledShape = variant ?? rule.shape;
    const wrapper = place.wrapper?.isUsed === false ? place.wrapper : undefined;
    const end = resolveFirst(node, shape.end);
    const signature = this.#signature(shape, node, end, wrapper);
    const kind = this.#kind(rule, variant, found, signature, place);
    const members = shape.members.flatMap((path) => resolvePath(node, path) ?? []);
    const needsMembers = place.isInner && !INNER_KINDS.has(kind);
    if (needsMembers && members.length === 0) return undefined;
    const startRow = node.startPosition.row;
    const definition: Definition = {
      kind,
      name: found.name,
      signature,
      doc: this.#doc(rule, node, doc.docFor(wrapper?.row ?? startRow)),
      lineStart: Math.min(doc.firstRow(startRow), wrapper?.row ?? startRow) + 1,
      lineEnd: lastRow(this.#tail(rule, node)) + 1,
      parent: place.parent,
      ...(found.scope === undefined ? {} : { scope: found.scope }),
      ...(this.#isLocal(signature, found, place) ? { isLocal: true } : {}),
    };
    if (wrapper) wrapper.isUsed = true;
    return {
      definition,
      also: [...equals.map((each) => ({ ...definition, name: each })), ...this.#also(rule, node, definition)],
      members,
      bodyRow: end?.startPosition.row ?? startRow,
      needsMembers,
    };
  }

  /** The names after the first of one declaration. */
  #equals({ table }: CompiledRule, node: Node): readonly string[] {
    const leaves = table.equals === undefined ? [] : node.childrenForFieldName(table.equals);
    return leaves.flatMap((leaf) => (leaf?.isNamed ? [this.#nameOf(leaf)] : [])).slice(1, MAX_EQUALS);
  }

  #also({ also }: CompiledRule, node: Node, definition: Definition): readonly Definition[] {
    const leaf = also && resolvePath(node, also.path);
    const name = leaf && this.#nameOf(leaf);
    if (!also || !name || name === definition.name) return [];
    return [{ ...definition, kind: also.kind, name, signature: `${also.prefix} ${name}` }];
  }

  #nameOf(leaf: Node): string {
    return ellipsize(foldLines(this.#slice(leaf)), MAX_NAME_CHARS);
  }

  /** Quick checks that need no node. */
  mayApply(rule: CompiledRule, place: Place): boolean {
    if (rule.within && !rule.within.has(place.parentType)) return false;
    const { enclosing, files } = rule.table;
    if (enclosing) {
      const kind = place.scope !== undefined ? undefined : (place.enclosing?.kind ?? 'file');
      if (kind === undefined || !enclosing.includes(kind)) return false;
    }
    return !files || files.some((ending) => this.#path.endsWith(ending));
  }

  /** The type that owns a definition, or what a container contains. */
  scopeOf({ scope, scopeStrip }: CompiledContainer | CompiledRule, node: Node): string | undefined {
    const owner = scope && resolvePath(node, scope);
    return owner && this.#scope(this.#slice(owner), scopeStrip);
  }

  #slice(span: { readonly startIndex: number; readonly endIndex: number }): string {
    return this.text.slice(span.startIndex, Math.min(span.endIndex, span.startIndex + MAX_CONDITION_CHARS));
  }

  #holds(condition: CompiledCondition, node: Node): boolean {
    const target = resolvePath(node, condition.path);
    if (!target) return false;
    if (condition.types && !condition.types.has(target.type)) return false;
    return condition.pattern?.test(this.#slice(target)) ?? true;
  }

  #name(rule: CompiledRule, node: Node, place: Place): FoundName | undefined {
    let leaf = resolveFirst(node, rule.name);
    let scope = this.scopeOf(rule, node);
    if (!leaf) {
      const name = rule.table.defaultName;
      return name === undefined ? undefined : { name, scope: scope ?? place.scope };
    }
    const { qualified } = rule.table;
    const start = leaf.startIndex;
    while (qualified && leaf.type === qualified.node) {
      const inner: Node | null = leaf.childForFieldName(qualified.name);
      if (!inner) break;
      leaf = inner;
    }
    if (rule.nameTypes && !rule.nameTypes.has(leaf.type)) return undefined;
    if (qualified && leaf.startIndex > start) {
      const before = this.#slice({ startIndex: start, endIndex: leaf.startIndex });
      const end = before.lastIndexOf(qualified.separator);
      scope = this.#scope(before.slice(0, Math.max(0, end)), rule.scopeStrip, qualified.separator);
    }
    let name = foldLines(this.#slice(leaf)).replace(/^(["'`])(.*)\1$/u, '$2');
    if (rule.nameStrip) name = name.replace(rule.nameStrip, '').trim();
    return name === '' ? undefined : { name: ellipsize(name, MAX_NAME_CHARS), scope: scope ?? place.scope };
  }

  #scope(raw: string, strip: readonly RegExp[], separator = '.'): string | undefined {
    let scope = foldLines(raw);
    for (const pattern of strip) {
      for (let before = ''; before !== scope; ) {
        before = scope;
        scope = scope.replace(pattern, '');
      }
    }
    if (separator !== '.') scope = scope.split(separator).filter(Boolean).join('.');
    scope = scope.trim();
    return scope === '' ? undefined : ellipsize(scope, MAX_NAME_CHARS);
  }

  #kind(
    rule: CompiledRule,
    variant: CompiledVariant | undefined,
    found: FoundName,
    signature: string,
    place: Place,
  ): SymbolKind {
    if (variant?.kind) return variant.kind;
    const byText = (rules: readonly KindRule[], text: string) => rules.find((entry) => entry.pattern.test(text))?.kind;
    const owner =
      found.scope === undefined ? place.enclosing?.name : found.scope.slice(found.scope.lastIndexOf('.') + 1);
    if (rule.table.namesake && owner === found.name) return rule.table.namesake;
    const inside = found.scope === undefined ? place.enclosing?.kind : 'scope';
    return (
      byText(rule.named, found.name) ??
      byText(rule.signed, signature) ??
      // `constructor` is a kind, and a property of every object.
      (inside && rule.table.inside && Object.hasOwn(rule.table.inside, inside)
        ? rule.table.inside[inside]
        : undefined) ??
      rule.table.kind
    );
  }

  #isLocal(signature: string, found: FoundName, place: Place): boolean {
    if (place.parent >= 0 || found.scope !== undefined) return false;
    return this.language.local.some(
      ({ pattern, files }) =>
        (!files || files.some((ending) => this.#path.endsWith(ending))) && pattern.test(signature),
    );
  }

  /** The last node of the definition: the node itself, or the sibling that the grammar puts its body into. */
  #tail(rule: CompiledRule, node: Node): Node {
    const next = rule.tail && node.nextNamedSibling;
    return next && rule.tail?.has(next.type) ? next : node;
  }

  #signature(shape: CompiledShape, node: Node, end: Node | undefined, wrapper: Wrapper | undefined): string {
    const value = end ? undefined : resolveFirst(node, shape.value);
    const start = wrapper?.signatureStart ?? node.startIndex;
    const until = end?.startIndex ?? node.endIndex;
    const omitted = [...(wrapper ? this.#omitted(wrapper.node, until) : []), ...this.#omitted(node, until)];
    for (const path of shape.drop) {
      const dropped = resolvePath(node, path);
      if (dropped) omitted.push({ start: dropped.startIndex, end: dropped.endIndex });
    }
    return buildSignature(
      this.text,
      {
        start,
        end: until,
        value: value && { start: value.startIndex, end: value.endIndex },
        omitted,
        prefix: shape.prefix,
        trailing: this.language.trailing,
      },
      this.language.lexis,
    );
  }

  #omitted(node: Node, until: number): SourceSpan[] {
    const { omit, modifiers } = this.language;
    const spans: SourceSpan[] = [];
    if (omit.size === 0) return spans;
    for (const child of node.namedChildren) {
      if (child.startIndex >= until || spans.length >= MAX_OMITTED) break;
      if (omit.has(child.type)) spans.push({ start: child.startIndex, end: child.endIndex });
      else if (modifiers.has(child.type)) spans.push(...this.#omitted(child, until));
    }
    return spans;
  }

  #doc(rule: CompiledRule, node: Node, comment: SourceSpan | undefined): string {
    const docstring = rule.table.docstring;
    const body = rule.docstringBody && resolvePath(node, rule.docstringBody);
    if (docstring && body) {
      let inner: Node | null = body.firstNamedChild;
      const { comments } = this.language.table;
      while (inner && inner.type !== docstring.types[0] && comments.includes(inner.type))
        inner = inner.nextNamedSibling;
      for (const [depth, type] of docstring.types.entries()) {
        if (depth > 0) inner = inner?.firstNamedChild ?? null;
        if (inner?.type !== type) inner = null;
      }
      if (inner && (rule.docstringPattern?.test(this.#slice(inner)) ?? true)) return firstDocLine(this.#slice(inner));
    }
    return comment ? firstDocLine(this.text.slice(comment.start, comment.end)) : '';
  }
}

/** The node's last row; a line end that the grammar counts to the node does not add one. */
function lastRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}
