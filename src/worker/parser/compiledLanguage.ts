import type { Language } from 'web-tree-sitter';
import type { SymbolKind } from '../../core/ports/symbolKind';
import type {
  ContainerRule,
  DefinitionRule,
  LanguageTable,
  RuleCondition,
  RuleVariant,
} from '../../core/repomap/facts/languageTable';
import { Lexer } from '../../core/repomap/facts/lexer';
import { compilePath, type NodePath } from './nodePath';

export interface CompiledCondition {
  readonly path: NodePath;
  readonly types: ReadonlySet<string> | undefined;
  readonly pattern: RegExp | undefined;
}

/** What a rule, or its variant, makes of a node. */
export interface CompiledShape {
  readonly kind: SymbolKind | undefined;
  readonly end: readonly NodePath[];
  readonly value: readonly NodePath[];
  readonly drop: readonly NodePath[];
  readonly members: readonly NodePath[];
  readonly prefix: string | undefined;
}

export interface CompiledVariant extends CompiledShape {
  readonly condition: CompiledCondition;
  readonly skips: boolean;
}

/** Another kind when a text matches. */
export interface KindRule {
  readonly pattern: RegExp;
  readonly kind: SymbolKind;
}

export interface CompiledRule {
  readonly table: DefinitionRule;
  readonly shape: CompiledShape;
  readonly name: readonly NodePath[];
  readonly nameTypes: ReadonlySet<string> | undefined;
  readonly nameStrip: RegExp | undefined;
  readonly unlessName: RegExp | undefined;
  readonly scope: NodePath | undefined;
  readonly scopeStrip: readonly RegExp[];
  readonly within: ReadonlySet<string> | undefined;
  readonly requires: readonly CompiledCondition[];
  readonly rejects: readonly CompiledCondition[];
  readonly variants: readonly CompiledVariant[];
  readonly named: readonly KindRule[];
  readonly signed: readonly KindRule[];
  readonly docstringBody: NodePath | undefined;
  readonly docstringPattern: RegExp | undefined;
  readonly tail: ReadonlySet<string> | undefined;
}

export interface CompiledContainer {
  readonly table: ContainerRule;
  readonly within: ReadonlySet<string> | undefined;
  /** Empty: all children. */
  readonly paths: readonly NodePath[];
  readonly scope: NodePath | undefined;
  readonly scopeStrip: readonly RegExp[];
}

/** What to do at a node type. */
export interface NodeAction {
  readonly role: 'comment' | 'attribute' | 'node';
  readonly rules: readonly CompiledRule[];
  readonly containers: readonly CompiledContainer[];
  /** A comment that is none by the table's pattern, yet may stand between a doc comment and its definition. */
  readonly isAlsoAttribute: boolean;
}

/** A language table bound to its grammar. */
export interface CompiledLanguage {
  readonly table: LanguageTable;
  readonly grammar: Language;
  readonly lexis: Lexer;
  /** For a single line; see the table. */
  readonly bodyHead: RegExp | undefined;
  readonly docPattern: RegExp | undefined;
  readonly local: readonly { readonly pattern: RegExp; readonly files: readonly string[] | undefined }[];
  readonly omit: ReadonlySet<string>;
  readonly modifiers: ReadonlySet<string>;
  readonly trailing: RegExp | undefined;
  /** By node type id; types without a role are absent. */
  readonly actions: ReadonlyMap<number, NodeAction>;
}

/** tree-sitter's `ts_builtin_sym_error`, outside of every grammar's own ids. */
const ERROR_TYPE_ID = 0xffff;

const regex = (source: string): RegExp => new RegExp(source, 'u');

function setOf(list: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return list && new Set(list);
}

function compileCondition(condition: RuleCondition): CompiledCondition {
  return {
    path: compilePath(condition.path),
    types: setOf(condition.types),
    pattern: condition.pattern === undefined ? undefined : regex(condition.pattern),
  };
}

function compileShape(shape: Omit<RuleVariant, 'path'>): CompiledShape {
  return {
    kind: shape.kind,
    end: (shape.end ?? []).map(compilePath),
    value: (shape.value ?? []).map(compilePath),
    drop: (shape.drop ?? []).map(compilePath),
    members: (shape.members ?? []).map(compilePath),
    prefix: shape.prefix,
  };
}

function compileRule(rule: DefinitionRule): CompiledRule {
  return {
    table: rule,
    shape: compileShape(rule),
    name: (rule.name ?? []).map(compilePath),
    nameTypes: setOf(rule.nameTypes),
    nameStrip: rule.nameStrip === undefined ? undefined : new RegExp(rule.nameStrip, 'gu'),
    unlessName: rule.unlessName === undefined ? undefined : regex(rule.unlessName),
    scope: rule.scope === undefined ? undefined : compilePath(rule.scope),
    scopeStrip: (rule.scopeStrip ?? []).map(regex),
    within: setOf(rule.within),
    requires: (rule.requires ?? []).map(compileCondition),
    rejects: (rule.rejects ?? []).map(compileCondition),
    variants: (rule.variants ?? []).map((variant) => ({
      ...compileShape({ prefix: rule.prefix, ...variant }),
      condition: compileCondition(variant),
      skips: variant.skip === true,
    })),
    named: (rule.named ?? []).map((entry) => ({ pattern: regex(entry.pattern), kind: entry.kind })),
    signed: (rule.signed ?? []).map((entry) => ({ pattern: regex(entry.pattern), kind: entry.kind })),
    docstringBody: rule.docstring && compilePath(rule.docstring.body),
    docstringPattern: rule.docstring?.pattern === undefined ? undefined : regex(rule.docstring.pattern),
    tail: setOf(rule.tail),
  };
}

function compileContainer(container: ContainerRule): CompiledContainer {
  return {
    table: container,
    within: setOf(container.within),
    paths: (container.paths ?? []).map(compilePath),
    scope: container.scope === undefined ? undefined : compilePath(container.scope),
    scopeStrip: (container.scopeStrip ?? []).map(regex),
  };
}

/** Binds a table to its grammar: node type names become ids, paths and patterns are compiled. */
export function compileLanguage(table: LanguageTable, grammar: Language): CompiledLanguage {
  const rules = table.definitions.map(compileRule);
  // Definitions inside of a syntax error are worth having: descend into it like into any container.
  const containers = [...table.containers, { node: 'ERROR' }].map(compileContainer);
  const comments = new Set(table.comments);
  const attributes = new Set(table.attributes);
  const actionOf = (type: string): NodeAction | undefined => {
    const action: NodeAction = {
      isAlsoAttribute: comments.has(type) && attributes.has(type),
      role: comments.has(type) ? 'comment' : attributes.has(type) ? 'attribute' : 'node',
      rules: rules.filter((rule) => rule.table.nodes.includes(type)),
      containers: containers.filter((container) => container.table.node === type),
    };
    return action.role === 'node' && action.rules.length + action.containers.length === 0 ? undefined : action;
  };
  const actions = new Map<number, NodeAction>();
  for (let id = 0; id < grammar.nodeTypeCount; id++) {
    const type = grammar.nodeTypeForId(id);
    const action = type === null || !grammar.nodeTypeIsNamed(id) ? undefined : actionOf(type);
    if (action) actions.set(id, action);
  }
  const errorAction = actionOf('ERROR');
  if (errorAction) actions.set(ERROR_TYPE_ID, errorAction);
  return {
    table,
    grammar,
    lexis: new Lexer(table.lexis),
    bodyHead: table.bodyHead === undefined ? undefined : regex(table.bodyHead),
    docPattern: table.docPattern === undefined ? undefined : regex(table.docPattern),
    local: (table.local ?? []).map((entry) => ({ pattern: regex(entry.pattern), files: entry.files })),
    omit: new Set(table.omit),
    modifiers: new Set(table.modifiers),
    trailing: table.trailing === undefined ? undefined : regex(table.trailing),
    actions,
  };
}
