/** Finds every string of the interface in the sources, by their syntax trees: what the bundles of `l10n` have to translate. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

/** Where a string stands. */
export interface Found {
  /** `src/vscode/a.ts:12`. */
  readonly at: string;
  readonly message: string;
}

export interface InterfaceStrings {
  readonly found: readonly Found[];
  /** Calls that no test can follow, or whose arguments do not fill the placeholders, each with its place. */
  readonly wrong: readonly string[];
}

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string';
}

/** The literals that an argument may be: one, or the branches of a choice; undefined where it is anything else. */
export function literalsOf(argument: unknown): readonly string[] | undefined {
  if (!isTree(argument)) return undefined;
  switch (argument.type) {
    case 'Literal':
      return typeof argument.value === 'string' ? [argument.value] : undefined;
    case 'TemplateLiteral': {
      const [only, ...others] = argument.quasis as readonly { readonly value: { readonly cooked: string } }[];
      return only && others.length === 0 ? [only.value.cooked] : undefined;
    }
    case 'ParenthesizedExpression':
      return literalsOf(argument.expression);
    case 'BinaryExpression': {
      const [left, right] = [literalsOf(argument.left), literalsOf(argument.right)];
      const isSum = argument.operator === '+' && left?.length === 1 && right?.length === 1;
      return isSum ? [`${left[0]}${right[0]}`] : undefined;
    }
    case 'ConditionalExpression': {
      const [yes, no] = [literalsOf(argument.consequent), literalsOf(argument.alternate)];
      return yes && no ? [...yes, ...no] : undefined;
    }
    default:
      return undefined;
  }
}

/** Placeholders of a template, sorted: `{0}`, `{1}`. */
export function placeholdersOf(template: string): readonly string[] {
  return [...new Set(template.match(/\{\d+\}/g))].sort();
}

/** Whether a call makes words: `vscode.l10n.t`, the core's `phrase`, a webview's `t`. */
function makesWords(callee: unknown, isWebview: boolean): boolean {
  if (!isTree(callee)) return false;
  if (callee.type === 'Identifier') return callee.name === 'phrase' || (isWebview && callee.name === 't');
  if (callee.type !== 'MemberExpression') return false;
  const { object, property } = callee;
  if (!isTree(property) || property.name !== 't' || !isTree(object)) return false;
  return object.name === 'l10n' || (isTree(object.property) && object.property.name === 'l10n');
}

function visit(tree: unknown, call: (tree: Tree) => void): void {
  if (Array.isArray(tree)) for (const each of tree) visit(each, call);
  if (!isTree(tree)) return;
  if (tree.type === 'CallExpression') call(tree);
  for (const value of Object.values(tree)) if (typeof value === 'object') visit(value, call);
}

/** The strings of one source; `name` decides its syntax and whether `t` is the webview's. */
export function stringsOf(name: string, source: string): InterfaceStrings {
  const found: Found[] = [];
  const wrong: string[] = [];
  const { program, errors } = parseSync(name, source);
  if (errors[0]) return { found, wrong: [`${name}: ${errors[0].message}`] };
  visit(program, ({ callee, arguments: given, start }) => {
    if (!makesWords(callee, name.startsWith('webview/'))) return;
    const at = `${name}:${source.slice(0, Number(start)).split('\n').length}`;
    const args = given as readonly Tree[];
    const literals = literalsOf(args[0]);
    if (!literals) wrong.push(`${at}: the first argument has to be a literal, or a choice of literals`);
    const hasSpread = args.some(({ type }) => type === 'SpreadElement');
    for (const message of literals ?? []) {
      found.push({ at, message });
      const missing = placeholdersOf(message).filter((each) => Number(each.slice(1, -1)) >= args.length - 1);
      if (missing.length > 0 && !hasSpread) wrong.push(`${at}: nothing fills ${missing.join(', ')} of "${message}"`);
    }
  });
  return { found, wrong };
}

/** The strings of all sources below `root`. */
export function interfaceStrings(root: string): InterfaceStrings {
  const names = ['src', 'webview'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`),
  );
  const all = names.sort().map((name) => stringsOf(name, readFileSync(path.join(root, name), 'utf8')));
  return { found: all.flatMap(({ found }) => found), wrong: all.flatMap(({ wrong }) => wrong) };
}
