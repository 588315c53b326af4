/** Finds symbols by what people and agents call them: a name, a qualified name, a place, a line of a map. */
import type { NamedSymbols } from '../../model/repoMap';
import { foldLines } from '../facts/signature';
import type { IndexedFile } from './indexedFile';

/** The files that are searched, such as those of `RepoIndex`. */
interface NamedFiles {
  readonly files: readonly IndexedFile[];
  fileAt(path: string): IndexedFile | undefined;
}

/** A shorter beginning is one of too many names. */
const MIN_PREFIX = 3;
/** Symbols that one name gives; more of them say that the name is no help. */
export const MAX_FOUND = 100;
/** Symbols of one name that are worth reading one after the other; of more, one has to be chosen. */
export const MAX_NAMESAKES = 8;

/** `A::b`, `A#b`, `a->b`, `(*A).b` and `b()` in one spelling: `A.b`. */
export function dottedName(given: string): string {
  return given
    .trim()
    .replace(/\(\)$/u, '')
    .replace(/\(\s*[*&]?\s*([\p{L}\p{N}_$.]+)\s*\)/gu, '$1')
    .replace(/::|#|->|\//gu, '.')
    .replace(/\.{2,}/gu, '.')
    .replace(/^\.|\.$/gu, '');
}

/** A definition in its file. */
export interface Place {
  readonly file: IndexedFile;
  readonly index: number;
}

/** Sources before tests, docs and what is generated; the shorter qualified name first. */
function byUse(a: Place, b: Place): number {
  const rank = ({ file }: Place): number => (file.pathClass === 'source' ? 0 : 1);
  const length = ({ file, index }: Place): number => file.qualifiedNames[index]?.length ?? 0;
  return rank(a) - rank(b) || length(a) - length(b);
}

function mostUsed(places: readonly Place[]): readonly Place[] {
  return [...places].sort(byUse).slice(0, MAX_FOUND);
}

/** Whether a qualified name is the wanted one or ends with it; both in the same case. */
function endsWithName(known: string, wanted: string): boolean {
  return known === wanted || known.endsWith(`.${wanted}`);
}

/**
 * The symbols of a name: those that have it, else those whose name begins with it, else those that hold it, in any case
 * where none has it in its own. Sources first, then by length and path. Linear in the number of symbols.
 */
export function findByName(index: NamedFiles, given: string): NamedSymbols {
  const { how, places } = placesByName(index, given);
  return { how, symbols: places.flatMap(({ file, index: at }) => file.symbol(at) ?? []) };
}

function placesByName(
  index: NamedFiles,
  given: string,
): { readonly how: NamedSymbols['how']; readonly places: readonly Place[] } {
  const name = dottedName(given);
  const lower = name.toLowerCase();
  const found = { exact: [] as Place[], folded: [] as Place[], prefix: [] as Place[], inside: [] as Place[] };
  if (lower === '') return { how: 'exact', places: [] };
  const last = lower.slice(lower.lastIndexOf('.') + 1);
  for (const file of index.files) {
    file.definitions.forEach((definition, at) => {
      const own = definition.name.toLowerCase();
      // Qualified names are made only where the last part fits.
      if (!own.includes(last)) return;
      const place = { file, index: at };
      const known = file.qualifiedNames[at] ?? definition.name;
      if (endsWithName(known, name)) found.exact.push(place);
      else if (endsWithName(known.toLowerCase(), lower)) found.folded.push(place);
      else if (last !== lower) return;
      else if (own.startsWith(lower)) found.prefix.push(place);
      else found.inside.push(place);
    });
  }
  if (found.exact.length > 0) return { how: 'exact', places: mostUsed(found.exact) };
  if (found.folded.length > 0) return { how: 'exact', places: mostUsed(found.folded) };
  if (found.prefix.length > 0 && lower.length >= MIN_PREFIX) return { how: 'prefix', places: mostUsed(found.prefix) };
  return { how: 'inside', places: mostUsed([...found.prefix, ...found.inside]) };
}

/** The definition that begins at a line, else the innermost one around it. */
function atLine(file: IndexedFile, line: number): readonly Place[] {
  const starts = file.definitions.flatMap(({ lineStart }, at) => (lineStart === line ? [at] : []));
  if (starts.length > 0) return starts.map((index) => ({ file, index }));
  let best: number | undefined;
  file.definitions.forEach(({ lineStart, lineEnd }, at) => {
    const size = best === undefined ? undefined : lineCount(file, best);
    if (lineStart <= line && line <= lineEnd && (size === undefined || lineEnd - lineStart <= size)) best = at;
  });
  return best === undefined ? [] : [{ file, index: best }];
}

function lineCount(file: IndexedFile, at: number): number {
  const definition = file.definitions[at];
  return definition ? definition.lineEnd - definition.lineStart : 0;
}

/** Whether a row that may be cut short shows this signature. */
function isShownAs(signature: string, row: string): boolean {
  const line = foldLines(signature);
  return row.endsWith('…') ? line.startsWith(row.slice(0, -1).trimEnd()) : line === row;
}

/** The definitions of a map's line: `12 function main(argv)`, with or without the number. */
function byMapLine(index: NamedFiles, row: string): readonly Place[] {
  const [, number, text = ''] = /^(?:(\d+)\s+)?(.+)$/u.exec(row.trim()) ?? [];
  const places: Place[] = [];
  for (const file of index.files) {
    file.definitions.forEach((definition, at) => {
      if (number !== undefined && definition.lineStart !== Number(number)) return;
      if (
        (definition.signature !== '' && isShownAs(file.qualifiedIn(at, definition.signature), text)) ||
        (number !== undefined && file.qualifiedIn(at, definition.name) === text)
      ) {
        places.push({ file, index: at });
      }
    });
  }
  return mostUsed(places);
}

/** A name, `PATH:12`, `PATH:12:5` or a line of a map; several where it is said of several. */
export function findLoosely(index: NamedFiles, handle: string): readonly Place[] {
  const groups = /^(?<path>.+?):(?<line>[1-9]\d{0,8})(?::\d{1,9})?$/u.exec(handle)?.groups;
  const file = groups && index.fileAt(groups.path ?? '');
  if (file) return atLine(file, Number(groups.line));
  const { how, places } = placesByName(index, handle);
  return how === 'exact' && places.length > 0 ? places : byMapLine(index, handle);
}
