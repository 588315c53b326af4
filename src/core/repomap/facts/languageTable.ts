/**
 * The shape of a language table: one JSON file of `grammars/` says everything the repo map knows about a language. A unit
 * test checks every table against it; at run time only the types are used. `src/worker/parser/definitionWalker.ts`
 * applies the fields of definitions, `lexer.ts` those of the lexis.
 */
import * as z from 'zod/mini';
import { SYMBOL_KINDS } from '../../ports/symbolKind';

const kind = z.enum(SYMBOL_KINDS);

/** Nothing else of a path may decide what is found in a file: facts are known again by content and extensions. */
const extension = z.string().check(z.regex(/^\.[^/]+$/));

const pattern = z.string().check(
  z.refine((source) => {
    try {
      return new RegExp(source, 'u') instanceof RegExp;
    } catch {
      return false;
    }
  }),
);
const optionalPattern = z.optional(pattern);
const texts = z.optional(z.array(z.string()));
const mark = z.string().check(z.minLength(1));

/**
 * Where a node is, seen from another: steps joined by `.`, each of them a field name (`body`), `@type` (the first
 * child of that node type), `<type` (the first named child, if it is of that type; `<` alone: of any), `>` (the next
 * named sibling) or `field*` / `field*type` (follow the field while it leads to a declarator, to the end or until a node
 * of that type). `self` alone is the node itself: where a grammar has no body node, its children are the members.
 */
const path = z.string().check(z.regex(/^([<>]|[@<]?[\w{(=]+(\*\w*)?)(\.([<>]|[@<]?[\w{(=]+(\*\w*)?))*$/));

const paths = z.optional(z.array(path));

const conditionShape = {
  path,
  /** The node found must be of one of these types. */
  types: texts,
  /** The text of the node found must match. */
  pattern: optionalPattern,
};

const condition = z.strictObject(conditionShape);

/** What a variant may change of its rule. */
const outcome = {
  kind: z.optional(kind),
  /** First path that leads to a node ends the signature before that node. */
  end: paths,
  /** First path that leads to a node: its text is cut in the signature when it is long. */
  value: paths,
  /** Nodes left out of the signature, the rest behind them is kept (the body in C's `typedef struct {…} name`). */
  drop: paths,
  /** Nodes whose children are members of this definition. */
  members: paths,
  prefix: z.optional(z.string()),
};

const rule = z.strictObject({
  nodes: z.array(z.string()).check(z.minLength(1)),
  ...outcome,
  kind,
  name: paths,
  /** The name's node must be of one of these types. */
  nameTypes: texts,
  /** Name of a definition without one, such as an anonymous default export. */
  defaultName: z.optional(z.string()),
  /** Parts of the name to leave out. */
  nameStrip: optionalPattern,
  /** No definition when the name matches. */
  unlessName: optionalPattern,
  /** A further name of the same thing (`node` in C's `typedef struct node {…} node_t`): where it is, and the word before it. */
  also: z.optional(z.strictObject({ path, kind, prefix: z.string() })),
  /** Field whose named nodes after the first are names of equals: Go's `var a, b`. */
  equals: z.optional(z.string()),
  /** Path to the type that a definition outside of it belongs to (receiver). */
  scope: z.optional(path),
  /** How qualified names look: node type, the field with the last name, the separator. */
  qualified: z.optional(z.strictObject({ node: z.string(), name: z.string(), separator: z.string() })),
  /** Parts of a scope to leave out, each removed until nothing changes. */
  scopeStrip: z.optional(z.array(pattern)),
  /** The parent node's type must be one of these. */
  within: texts,
  /** The enclosing definition's kind must be one of these; `file` stands for none. */
  enclosing: z.optional(z.array(z.union([kind, z.literal('file')]))),
  /** Only in files that end so. */
  files: z.optional(z.array(extension)),
  requires: z.optional(z.array(condition)),
  rejects: z.optional(z.array(condition)),
  variants: z.optional(z.array(z.strictObject({ ...conditionShape, ...outcome, skip: z.optional(z.literal(true)) }))),
  /** No definition unless a variant applies. */
  onlyVariants: z.optional(z.literal(true)),
  /** Another kind when the name matches; the first match counts. */
  named: z.optional(z.array(z.strictObject({ pattern, kind }))),
  /** The same by signature, when no name matched. */
  signed: z.optional(z.array(z.strictObject({ pattern, kind }))),
  /** Another kind inside an enclosing definition of that kind, or with a `scope`. */
  inside: z.optional(z.partialRecord(z.union([kind, z.literal('scope')]), kind)),
  /** Kind when the enclosing definition has the same name (C++ constructors). */
  namesake: z.optional(kind),
  /** Path to the body whose first statement may be a docstring, and that statement's node types from the outside in. */
  docstring: z.optional(z.strictObject({ body: path, types: z.array(z.string()), pattern: optionalPattern })),
  /** Types of the next sibling that belongs to the definition's lines (Dart's bodies stand beside the signature). */
  tail: texts,
  /** Belongs to the definition of the same name right before it (clauses of Elixir, equations of Haskell). */
  joins: z.optional(z.literal(true)),
});

/** A node that is no definition but has some inside; its members may belong to a type named elsewhere. */
const container = z.strictObject({
  node: z.string(),
  /** Descend into these only; all children when absent. */
  paths: paths,
  /** Only below a parent node of these types. */
  within: texts,
  /** Path to the type that the members belong to (Rust `impl`). */
  scope: z.optional(path),
  scopeStrip: z.optional(z.array(pattern)),
  /** `signature`: a definition right inside begins here (`export`). `range`: only its line range does (decorators). */
  wraps: z.optional(z.enum(['signature', 'range'])),
});

const hole = z.enum(['${', '{', '#{', '{$', '$(', '\\(']);

const lexis = z.strictObject({
  lineComments: z.array(mark),
  blockComments: z.array(z.strictObject({ open: mark, close: mark, nests: z.optional(z.literal(true)) })),
  /** Longest `open` first. */
  strings: z.array(
    z.strictObject({
      open: mark,
      /** The same as `open` when absent. */
      close: z.optional(mark),
      /** Ends at the line end when it is not closed, unless true. */
      multiline: z.optional(z.literal(true)),
      /** A backslash is an ordinary character. */
      raw: z.optional(z.literal(true)),
      /** What opens code inside of the string; its bracket, closed, ends the code. */
      hole: z.optional(z.union([hole, z.array(hole)])),
      /** `$name` inside of the string is an identifier. */
      names: z.optional(z.literal(true)),
    }),
  ),
  /** Texts that end at a line with their tag: what their mark begins with, and the whole mark with the group `tag`. */
  heredocs: z.optional(z.array(z.strictObject({ open: mark, pattern }))),
  /** No line comment where this matches: the character before, a line feed, two from its start (`$\n#` of `$#`). */
  notComment: optionalPattern,
  /**
   * Words right before a quote that belong to the string. `hole`: with `{…}` code inside (Python f-strings);
   * `hashes`: raw, closed by the quote and as many `#` (Rust); `delimiter`: raw, `R"x(…)x"` (C++).
   */
  stringPrefixes: z.optional(
    z.array(z.strictObject({ words: z.array(z.string()), style: z.enum(['plain', 'hole', 'hashes', 'delimiter']) })),
  ),
  /** `'` is a character literal or begins a lifetime (Rust). */
  lifetimes: z.optional(z.literal(true)),
  /** `/…/` may be a regular expression. */
  regexLiterals: z.optional(z.literal(true)),
  /** Characters of identifiers besides letters, digits and `_`. */
  identifierChars: z.optional(z.string()),
  /** Characters that join two parts of an identifier (`-` in `Get-Item`). */
  identifierInner: z.optional(z.string()),
  /** Characters that may end an identifier, unless `=` follows (`?` in `empty?`). */
  identifierTail: z.optional(z.string()),
  keywords: z.array(z.string()),
  /** Names that come with the language: to mention one says nothing about the workspace's own of that name. */
  builtins: z.array(z.string()),
});

/** The shape of a whole table. */
export const LANGUAGE_TABLE = z.strictObject({
  id: z.string().check(z.regex(/^[a-z][a-z0-9_]*$/)),
  name: z.string(),
  /** Languages of one family see each other's definitions. */
  family: z.string(),
  /** With the dot, lower case. */
  extensions: z.array(extension),
  fileNames: z.array(z.string()),
  /** File of `grammars/` and the npm package that it is copied from. */
  grammar: z.strictObject({
    file: z.string(),
    package: z.string(),
    /** Folder of the package that has the file, when it is not the package's root. */
    folder: z.optional(z.string()),
    /** Licence of the grammar itself, where the package only builds it. */
    license: z.optional(z.string()),
    /** Bytes to change in the file, where a grammar has a defect that its newest `.wasm` still has, and why. */
    repairs: z.optional(
      z.array(z.strictObject({ at: z.number(), from: z.number(), to: z.number(), reason: z.string() })),
    ),
  }),
  /** Files with these extensions whose text matches are another language after all (`.h` of C++). */
  unless: z.optional(z.array(z.strictObject({ extensions: z.array(z.string()), pattern, language: z.string() }))),
  lexis,
  /**
   * A line that opens a function's body, from its indent to its `{`; the body, up to the same indent and `}`, is not
   * parsed (`bodyRanges.ts`), unless it is long and `inner` matches in it.
   */
  bodyHead: optionalPattern,
  /**
   * What a definition inside of a function begins with, or has in it: a long function where this matches is looked into.
   * Matches line by line (flag `m`); too much costs time, too little hides definitions. Absent: only members are found.
   */
  inner: optionalPattern,
  /**
   * Parsed as blanks: words that the grammar mistakes for others (a macro before a C function), by cases of which the first
   * that matches counts. Flag `m`; one line each.
   */
  blanks: z.optional(z.array(z.strictObject({ what: z.string(), pattern }))),
  /** How single lines that define something look, for what the grammar cannot read: the group `name`; the first match counts. */
  lines: z.optional(z.array(z.strictObject({ pattern, kind }))),
  /** Node types of comments; the block right above a definition is its doc comment. */
  comments: z.array(z.string()),
  /** A comment counts as doc comment only if it matches. */
  docPattern: optionalPattern,
  /** Nodes between a doc comment and its definition that belong to the definition's lines (Rust attributes). */
  attributes: z.array(z.string()),
  /** Nodes left out of signatures (annotations, decorators), also inside of `modifiers` nodes. */
  omit: z.array(z.string()),
  modifiers: z.array(z.string()),
  /** What may end a signature and says nothing (`=`, `do`, `end`): removed. */
  trailing: optionalPattern,
  /** Top-level definitions whose signature matches are hardly used by other files (C's `static`, no `export`). */
  local: z.optional(z.array(z.strictObject({ pattern, files: z.optional(z.array(extension)) }))),
  containers: z.array(container),
  definitions: z.array(rule),
});

/** One language, as `grammars/<id>.json` describes it. */
export type LanguageTable = z.infer<typeof LANGUAGE_TABLE>;
export type DefinitionRule = LanguageTable['definitions'][number];
export type RuleVariant = NonNullable<DefinitionRule['variants']>[number];
export type RuleCondition = NonNullable<DefinitionRule['requires']>[number];
export type ContainerRule = LanguageTable['containers'][number];
export type LexisTable = LanguageTable['lexis'];
