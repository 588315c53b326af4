/** The lines of a map's text form; they add up token by token (PERFORMANCE §4e): none is blank or starts with `/`. */

import type { ChangeNote, MapPackage } from '../../model/repoMap';
import { inEnglish } from '../../text/phrase';
import { ellipsize } from '../../text/sentence';
import { foldLines } from '../facts/signature';
import type { IndexedFile } from '../index/indexedFile';

/** A longer signature is cut in the text form; the JSON form keeps it whole. */
const MAX_LINE_SIGNATURE_CHARS = 120;

/** A longer job is cut in the text form. */
const MAX_LINE_JOB_CHARS = 80;

/** Line number and signature; line number and name alone for small budgets (RANKING §2b). */
export interface MapStyle {
  readonly isNamesOnly: boolean;
  /** Where a signature is cut, if earlier than by default. */
  readonly maxSignatureChars?: number | undefined;
  /** What stands for a text. */
  readonly mask: (text: string) => string;
}

type FileHead = Pick<IndexedFile, 'path' | 'outcome' | 'isGuessed'>;

/** The line that opens a file; says when its symbols are not from a grammar. A path that would break it is quoted. */
export function fileLine({ path, outcome, isGuessed }: FileHead, mask: MapStyle['mask']): string {
  const shown = mask(path);
  const isPlain = /^[^\s/#\p{Cc}\u2028\u2029\u0085](?:[^\p{Cc}\u2028\u2029\u0085]*\S)?$/u.test(shown);
  const line = isPlain ? shown : JSON.stringify(shown).replace(/[\u0085\u2028\u2029]/g, ' ');
  if (isGuessed) return `${line} (some symbols by line scan)\n`;
  return outcome === 'editorSymbols' ? `${line} (symbols from the editor)\n` : `${line}\n`;
}

/** Begins the line of a package. */
export const PACKAGE_MARK = '# ';

/** The line above the files of a package: what it is for. */
export function packageLine({ path, job }: MapPackage, mask: MapStyle['mask']): string {
  const said = ellipsize(foldLines(mask(job)), MAX_LINE_JOB_CHARS);
  return path === '' ? `${PACKAGE_MARK}${said}\n` : `${PACKAGE_MARK}${foldLines(mask(path))}: ${said}\n`;
}

/**
 * What a definition's line stands below: its ancestors that have a line, outermost first, and the scope it names if that
 * says more.
 */
interface Placement {
  readonly ancestors: readonly number[];
  readonly scopeLine: string | undefined;
}

/** Where a definition stands in the tree of its file. */
export function placementOf(file: IndexedFile, index: number, mask: MapStyle['mask']): Placement {
  const ancestors: number[] = [];
  for (let at = file.rowParent(index); at >= 0; at = file.rowParent(at)) ancestors.unshift(at);
  const { scope = '', signature = '' } = file.definitions[index] ?? {};
  // A signature that names the type says it already.
  const isSaid = signature.includes(scope.slice(scope.lastIndexOf('.') + 1));
  const line = isSaid ? '' : foldLines(scope);
  return { ancestors, scopeLine: line === '' ? undefined : `${indent(ancestors.length)}${mask(line)}\n` };
}

function indent(depth: number): string {
  return '  '.repeat(depth + 1);
}

/** Lines of equals that are named; more are counted. */
const MAX_EQUALS = 3;

/** ` (also 120, 340)`: where definitions are that would read the same. */
function equalsMark(lines: readonly number[]): string {
  if (lines.length === 0) return '';
  const left = lines.length - MAX_EQUALS;
  return ` (also ${lines.slice(0, MAX_EQUALS).join(', ')}${left > 0 ? ` and ${left} more` : ''})`;
}

/** Reasons that a line names; the JSON form has all. */
const MAX_LINE_REASONS = 2;

/** ` | calls parse (changed)`: why a row of a map of changes is there; empty in other maps. */
function reasonMark(change: ChangeNote | undefined, mask: MapStyle['mask']): string {
  if (!change || change.why.length === 0) return '';
  return ` | ${foldLines(mask(change.why.slice(0, MAX_LINE_REASONS).map(inEnglish).join('; ')))}`;
}

/** The line below a file's that says why the file itself is there. */
export function changeLine(change: ChangeNote, mask: MapStyle['mask']): string {
  return `${indent(0)}(file)${reasonMark(change, mask)}\n`;
}

/** The line of a definition that has `depth` ancestors or scopes above it. */
export function symbolLine(
  file: IndexedFile,
  index: number,
  depth: number,
  style: MapStyle,
  change?: ChangeNote | undefined,
): string {
  const definition = file.definitions[index];
  if (!definition) return '';
  const { signature, name, lineStart } = definition;
  // Facts may come from a cache: whatever they hold, a line stays one line.
  const own = file.qualifiedIn(index, style.isNamesOnly || signature === '' ? name : signature);
  const full = foldLines(style.mask(own));
  const text = ellipsize(full, style.maxSignatureChars ?? MAX_LINE_SIGNATURE_CHARS);
  return `${indent(depth)}${lineStart} ${text}${equalsMark(file.equalLines(index))}${reasonMark(change, style.mask)}\n`;
}
