import type { Language } from 'web-tree-sitter';
import type {
  ContainerRule,
  DefinitionRule,
  LanguageTable,
  RuleCondition,
  RuleVariant,
} from '../../core/repomap/facts/languageTable';
import { Lexer } from '../../core/repomap/facts/lexer';
import { compilePath, type NodePath } from './nodePath';

export type CompiledCondition = ReturnType<typeof compileCondition>;
export type CompiledShape = ReturnType<typeof compileShape>;
export type KindRule = ReturnType<typeof compileKind>;
export type CompiledRule = ReturnType<typeof compileRule>;
export type CompiledVariant = CompiledRule['variants'][number];
export type CompiledContainer = ReturnType<typeof compileContainer>;
export type CompiledLanguage = ReturnType<typeof compileLanguage>;

/** What to do at a node type. */
export interface NodeAction {
  readonly role: 'comment' | 'attribute' | 'node';
  readonly rules: readonly CompiledRule[];
  readonly containers: readonly CompiledContainer[];
  /** A comment that is none by the table's pattern, yet may stand between a doc comment and its definition. */
  readonly isAlsoAttribute: boolean;
}

/** tree-sitter's `ts_builtin_sym_error`, outside of every grammar's own ids. */
const ERROR_TYPE_ID = 0xffff;

const regex = (source: string): RegExp => new RegExp(source, 'u');
const regexOf = (source: string | undefined): RegExp | undefined => (source === undefined ? undefined : regex(source));
const pathOf = (path: string | undefined): NodePath | undefined => (path === undefined ? undefined : compilePath(path));
const pathsOf = (paths: readonly string[] = []): readonly NodePath[] => paths.map(compilePath);
const setOf = (list: readonly string[] | undefined): ReadonlySet<string> | undefined => list && new Set(list);

function compileCondition(condition: RuleCondition) {
  return {
    path: compilePath(condition.path),
    types: setOf(condition.types),
    pattern: regexOf(condition.pattern),
  };
}

/** What a rule, or its variant, makes of a node. */
function compileShape(shape: Omit<RuleVariant, 'path'>) {
  return {
    kind: shape.kind,
    end: pathsOf(shape.end),
    value: pathsOf(shape.value),
    drop: pathsOf(shape.drop),
    members: pathsOf(shape.members),
    prefix: shape.prefix,
  };
}

/** Another kind when a text matches. */
function compileKind({ pattern, kind }: NonNullable<DefinitionRule['named']>[number]) {
  return { pattern: regex(pattern), kind };
}

/** How lines that define something look, for `lineScan.ts`. */
export function lineRules({ lines = [] }: LanguageTable) {
  return lines.map(compileKind);
}

function compileRule(rule: DefinitionRule) {
  return {
    table: rule,
    shape: compileShape(rule),
    name: pathsOf(rule.name),
    nameTypes: setOf(rule.nameTypes),
    nameStrip: rule.nameStrip === undefined ? undefined : new RegExp(rule.nameStrip, 'gu'),
    unlessName: regexOf(rule.unlessName),
    also: rule.also && { ...rule.also, path: compilePath(rule.also.path) },
    scope: pathOf(rule.scope),
    scopeStrip: (rule.scopeStrip ?? []).map(regex),
    within: setOf(rule.within),
    requires: (rule.requires ?? []).map(compileCondition),
    rejects: (rule.rejects ?? []).map(compileCondition),
    variants: (rule.variants ?? []).map((variant) => ({
      ...compileShape({ prefix: rule.prefix, ...variant }),
      condition: compileCondition(variant),
      skips: variant.skip === true,
    })),
    named: (rule.named ?? []).map(compileKind),
    signed: (rule.signed ?? []).map(compileKind),
    docstringBody: pathOf(rule.docstring?.body),
    docstringPattern: regexOf(rule.docstring?.pattern),
    tail: setOf(rule.tail),
  };
}

function compileContainer(container: ContainerRule) {
  return {
    table: container,
    within: setOf(container.within),
    /** Empty: all children. */
    paths: pathsOf(container.paths),
    scope: pathOf(container.scope),
    scopeStrip: (container.scopeStrip ?? []).map(regex),
  };
}

/** Binds a table to its grammar: node type names become ids, paths and patterns are compiled. */
export function compileLanguage(table: LanguageTable, grammar: Language) {
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
    /** For a single line; see the table. */
    bodyHead: regexOf(table.bodyHead),
    lines: lineRules(table),
    blanks: table.blanks && new RegExp(table.blanks.map(({ pattern }) => `(?:${pattern})`).join('|'), 'gmu'),
    /** For a whole text; see the table. */
    inner: table.inner === undefined ? undefined : new RegExp(table.inner, 'gmu'),
    docPattern: regexOf(table.docPattern),
    local: (table.local ?? []).map((entry) => ({ pattern: regex(entry.pattern), files: entry.files })),
    omit: new Set(table.omit),
    modifiers: new Set(table.modifiers),
    trailing: regexOf(table.trailing),
    /** By node type id; types without a role are absent. */
    actions,
  };
}
