import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type * as z from 'zod/mini';
import { asGiven, type Phrase, phrase } from '../text/phrase';
import { ellipsize, lineAt } from '../text/sentence';

/** A key path: names and list positions, from the root. */
export type KeyPath = readonly (string | number)[];

/** Something found in the text, without the file's name; `offset` is in UTF-16 code units. */
export interface TreeFinding {
  readonly severity: 'error' | 'warning';
  readonly words: Phrase;
  readonly offset: number;
}

/** Keys longer than this are shown cut. */
const MAX_KEY_CHARS = 80;

/** A key path in words: {@link formatPath}, or `the file` for the root. */
export function pathWords(path: KeyPath): string | Phrase {
  return path.length === 0 ? phrase('the file') : formatPath(path);
}

/** `profiles.default.budget_tokens`, `sections[2].file`; empty for the root. */
export function formatPath(path: KeyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const short = ellipsize(key, MAX_KEY_CHARS);
    const name = /^[A-Za-z_$][\w$-]*$/.test(short) ? short : JSON.stringify(short);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

const SYNTAX_WORDS: Readonly<Record<string, Phrase>> = {
  InvalidSymbol: phrase('this is not a value; strings need double quotes'),
  InvalidNumberFormat: phrase('this is not a number'),
  PropertyNameExpected: phrase('a key in double quotes is expected here'),
  ValueExpected: phrase('a value is expected here'),
  ColonExpected: phrase('a ":" is expected here'),
  CommaExpected: phrase('a "," is missing before this'),
  CloseBraceExpected: phrase('a "}" is missing'),
  CloseBracketExpected: phrase('a "]" is missing'),
  EndOfFileExpected: phrase('the file should end before this'),
  UnexpectedEndOfComment: phrase('a comment has no end'),
  UnexpectedEndOfString: phrase('a string has no closing double quote'),
  UnexpectedEndOfNumber: phrase('a number is incomplete'),
  InvalidUnicode: phrase('a \\u escape is not valid'),
  InvalidEscapeCharacter: phrase('a \\ escape is not valid'),
  InvalidCharacter: phrase('a string contains a control character'),
};

/** No config is nested deeper; the parser calls itself for each level and would run out of stack. */
const MAX_DEPTH = 100;

/** Where `text` is nested deeper than `MAX_DEPTH`. */
function findTooDeep(text: string): TreeFinding | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  // Token kinds are a const enum, which isolated modules cannot read; a token's first character tells as much.
  // By the place, not the length, of the token: that of the end is one too long behind a comment without end.
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const first = text.charAt(offset);
    if (first === '{' || first === '[') depth++;
    else if (first === '}' || first === ']') depth--;
    if (depth > MAX_DEPTH) {
      return {
        severity: 'error',
        words: phrase('not valid JSON: values are nested more than {0} deep', MAX_DEPTH),
        offset,
      };
    }
  }
  return undefined;
}

/** Parses JSON with comments and trailing commas; syntax errors come as findings, the first one only. */
export function parseConfigTree(text: string): { readonly root: Node | undefined; readonly findings: TreeFinding[] } {
  const tooDeep = findTooDeep(text);
  if (tooDeep) return { root: undefined, findings: [tooDeep] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true, disallowComments: false });
  // One slip makes the parser stumble several times; only the first error is where the slip is.
  const findings = errors.slice(0, 1).map((error) => ({
    severity: 'error' as const,
    words: phrase('not valid JSON: {0}', SYNTAX_WORDS[printParseErrorCode(error.error)] ?? phrase('it cannot be read')),
    offset: error.offset,
  }));
  return { root, findings };
}

function propertiesOf(node: Node): readonly { readonly key: Node; readonly value: Node | undefined }[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key ? [{ key, value }] : [];
  });
}

/** The node at `path`, or the nearest one above it that exists. Of doubled keys the last one counts, as in JSON. */
export function locate(root: Node, path: KeyPath): Node {
  let node = root;
  for (const key of path) {
    const next =
      typeof key === 'number'
        ? node.children?.[key]
        : propertiesOf(node).findLast((property) => property.key.value === key)?.value;
    if (!next) return node;
    node = next;
  }
  return node;
}

/** The value at `path` itself. */
export function valueAt(root: Node, path: KeyPath): Node | undefined {
  const node = locate(root, path);
  return path.length > 0 && node === locate(root, path.slice(0, -1)) ? undefined : node;
}

/** The value as a message shows it: at most about 40 characters. */
export function valueWords(value: unknown): Phrase {
  if (Array.isArray(value)) return value.length === 0 ? phrase('an empty list') : phrase('a list');
  if (typeof value === 'object' && value !== null) return phrase('an object');
  const text = JSON.stringify(value);
  return asGiven(text.length <= 40 ? text : `${text.slice(0, 37)}…"`);
}

/** The words with the value that was probably meant, if there is one. */
export function didYouMean(words: Phrase, meant: string | undefined): Phrase {
  return meant ? phrase('{0}; did you mean {1}?', words, meant) : words;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const folded = (key: string) => key.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The one of `known` that `key` probably means: equal but for case and punctuation, or a third of it mistyped. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const wanted = folded(key).slice(0, 64);
  const ranked = known
    .map((name) => ({ name, edits: distance(wanted, folded(name)) }))
    .filter(({ name, edits }) => edits <= Math.floor(Math.min(wanted.length, name.length) / 3))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
}

type SchemaDef = z.core.$ZodTypes['_zod']['def'];

/** Unknown and doubled keys, as warnings, by walking text and schema together. */
export function findKeyProblems(node: Node, schema: z.core.$ZodType, path: KeyPath = []): TreeFinding[] {
  const def = schema._zod.def as SchemaDef;
  switch (def.type) {
    case 'default':
    case 'optional':
      return findKeyProblems(node, def.innerType, path);
    case 'array':
      return node.type === 'array'
        ? (node.children ?? []).flatMap((child, index) => findKeyProblems(child, def.element, [...path, index]))
        : [];
    case 'record':
      return keyProblems(node, path, () => def.valueType);
    case 'object': {
      const known = Object.keys(def.shape);
      return keyProblems(node, path, (key) => (Object.hasOwn(def.shape, key) ? def.shape[key] : undefined), known);
    }
    default:
      return [];
  }
}

function keyProblems(
  node: Node,
  path: KeyPath,
  schemaOf: (key: string) => z.core.$ZodType | undefined,
  known: readonly string[] = [],
): TreeFinding[] {
  if (node.type !== 'object') return [];
  const findings: TreeFinding[] = [];
  const seen = new Set<string>();
  for (const { key, value } of propertiesOf(node)) {
    const name = String(key.value);
    const at = formatPath([...path, name]);
    const schema = schemaOf(name);
    const warn = (words: Phrase) => findings.push({ severity: 'warning', words, offset: key.offset });
    if (seen.has(name)) warn(phrase('{0} appears twice; the last one counts', at));
    seen.add(name);
    if (!schema) {
      const meant = nearestKey(name, known);
      warn(didYouMean(phrase('{0} is not a known key and is ignored', at), meant && `"${meant}"`));
    } else if (value) {
      findings.push(...findKeyProblems(value, schema, [...path, name]));
    }
  }
  return findings;
}

/** 1-based line of the value at `path` in the text of a config; `undefined` where the text has none. */
export function lineOfValue(text: string, path: KeyPath): number | undefined {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { root } = parseConfigTree(source);
  const node = root && valueAt(root, path);
  return node && lineAt(source, node.offset);
}
