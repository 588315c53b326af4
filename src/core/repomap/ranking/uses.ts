/** Who uses one definition: callers and tests by name and import (`mentions.ts`), for those who change it. */
import type { FoundSymbol, SymbolUses, UsePlace } from '../../model/repoMap';
import type { SymbolKind } from '../../ports/symbolKind';
import { formatCount, plural } from '../../text/numbers';
import { toSentence } from '../../text/sentence';
import { FUNCTION_KINDS } from '../index/indexedFile';
import { MAX_NAMESAKES, type Place } from '../index/nameLookup';
import { foundSymbol, type RepoIndex } from '../index/repoIndex';
import { PostingReader } from '../index/wordPostings';
import {
  addMentions,
  type FoundItem,
  FoundItems,
  MAX_CARRIERS,
  SURE,
  stemOf,
  testedStem,
  wantedNames,
} from './mentions';

/** Tests that are named; the others are counted. */
const MAX_TESTS = 2;
/** Callers that are looked at, of which some are named. */
const MAX_PLACES = 12;
/** Tests named of those that stand in the definition's own file. */
const MAX_OWN_TESTS = 2;
/** Others of its name in its file that are named; of more of them the name says nothing. */
const MAX_TWINS = 3;
/** A name that more definitions carry is one that every type has, such as a constructor's. */
const MAX_TWIN_CARRIERS = 24;
/** Parts of a caller's qualified name that are shown. */
const SHOWN_PARTS = 2;

/** Test files, those named after the definition's file first, then by how often they mention it. */
function testPaths(path: string, tests: readonly FoundItem[]): readonly string[] {
  const mentions = new Map<string, number>();
  for (const { file } of tests) mentions.set(file.path, (mentions.get(file.path) ?? 0) + 1);
  const isNamedAfter = (test: string): number => (testedStem(test) === stemOf(path) ? 1 : 0);
  const sorted = [...mentions].sort(
    ([a, ofA], [b, ofB]) => isNamedAfter(b) - isNamedAfter(a) || ofB - ofA || (a < b ? -1 : 1),
  );
  return sorted.map(([test]) => test);
}

/** Where a mention is looked for: the definition that holds it, or its file. */
function placeOf({ file, index }: FoundItem): UsePlace {
  const definition = file.definitions[index];
  if (!definition) return { path: file.path, name: '', lineStart: 1, lineEnd: file.facts.lineCount };
  const name = (file.qualifiedNames[index] ?? '').split('.').slice(-SHOWN_PARTS).join('.');
  return { path: file.path, name, lineStart: definition.lineStart, lineEnd: definition.lineEnd };
}

/** Callers of other files first: those in its own are found by reading on. */
function callerPlaces(path: string, callers: readonly FoundItem[]): readonly UsePlace[] {
  const isOwn = ({ file }: FoundItem): number => (file.path === path ? 1 : 0);
  const sorted = [...callers].sort(
    (a, b) =>
      b.score - a.score || isOwn(a) - isOwn(b) || (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : 0),
  );
  return sorted.slice(0, MAX_PLACES).map(placeOf);
}

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  ...(['class', 'struct', 'interface', 'trait', 'enum', 'union', 'type'] as const),
]);
/** Types that are named, those that the fewest others mention first. */
const MAX_TYPES = 3;

/** The types of its file that a function belongs to or mentions, without those around it. */
function typesOf({ file, index: at }: Place): SymbolUses['types'] {
  const { definitions } = file;
  const owner = file.qualifiedNames[at]?.split('.').at(-2);
  const line = definitions[at]?.lineStart ?? 0;
  const typeAt = new Map<number, number>();
  definitions.forEach(({ kind, lineStart, lineEnd }, index) => {
    const word = file.nameWords[index] as number;
    const isAround = lineStart <= line && line <= lineEnd;
    if (TYPE_KINDS.has(kind) && !isAround && !typeAt.has(word)) typeAt.set(word, index);
  });
  if (typeAt.size === 0 || !file.hasPostings || !FUNCTION_KINDS.has(definitions[at]?.kind ?? 'class')) return [];
  const found: { readonly index: number; readonly count: number }[] = [];
  const reader = new PostingReader();
  reader.open(file.postings);
  for (const word of file.words) {
    reader.nextWord();
    const index = typeAt.get(word);
    const holders = new Set<number>();
    while (index !== undefined && reader.next()) if (reader.code > 0) holders.add(reader.owner);
    // What a method belongs to may stand apart from it, as in Go and Rust.
    const isOwner = index !== undefined && definitions[index]?.name === owner;
    if (index !== undefined && (isOwner || holders.has(at))) found.push({ index, count: isOwner ? 0 : holders.size });
  }
  const few = found.sort((a, b) => a.count - b.count || a.index - b.index).slice(0, MAX_TYPES);
  return few
    .sort((a, b) => a.index - b.index)
    .flatMap(({ index }) => {
      const { name, lineStart } = definitions[index] ?? {};
      return name === undefined || lineStart === undefined ? [] : [{ name, line: lineStart }];
    });
}

/** First lines of others in the file that have the name; none where they are many. */
function twinsOf({ file, index: at }: Place): readonly number[] {
  const { name } = file.definitions[at] ?? {};
  const others = file.definitions.filter((definition, index) => index !== at && definition.name === name);
  return others.length > MAX_TWINS ? [] : others.map(({ lineStart }) => lineStart);
}

/**
 * Who uses the definition at a place: `12 callers in 4 files` and where, then tests. `by name` stands behind it where
 * others have that name, or where a member is only known by it: then some may mean another one. No callers where so many
 * have its name that it says nothing, unless the name of its type stands beside it. Linear in the files of the index.
 */
export function usesOf(index: RepoIndex, place: Place): SymbolUses | undefined {
  const { file, index: at } = place;
  const found = new FoundItems();
  const name = file.qualifiedNames[at];
  // Overloads are one definition.
  file.qualifiedNames.forEach((known, same) => {
    if (known === name) found.add({ file, index: same, role: 'changed', why: [], score: 0, first: known });
  });
  const names = wantedNames(index, [], found);
  const [wanted] = [...names.values()].flat();
  const owner = name?.split('.').at(-2);
  if (wanted && owner !== undefined && wanted.others > MAX_CARRIERS) wanted.owner = index.vocabulary.find(owner);
  if (wanted) addMentions(index, names, found);
  // A definition that has the same name is no caller for that.
  const all = found.all.filter(
    (item) => item.role !== 'changed' && item.file.definitions[item.index]?.name !== wanted?.name,
  );
  const isShared = wanted !== undefined && wanted.others > 0 && !wanted.isOwnFileOnly;
  // Of a name that several have, those that import the file are meant, if any do.
  const sure = all.filter(({ score }) => score >= SURE);
  const meant = isShared && wanted.owner === undefined && sure.length > 0 ? sure : all;
  const isMember = (file.definitions[at]?.parent ?? -1) >= 0;
  const isByName = isShared || (isMember && meant.some(({ score }) => score < SURE));
  const callers = meant.filter(({ role }) => role === 'caller');
  const tests = meant.filter(({ role }) => role === 'test');
  const paths = testPaths(
    file.path,
    tests.filter((test) => test.file !== file),
  );
  const own = tests.filter((test) => test.file === file).slice(0, MAX_OWN_TESTS);
  const total = wanted ? wanted.others + wanted.items.length : 1;
  const twins = total > MAX_TWIN_CARRIERS ? [] : twinsOf(place);
  const types = typesOf(place);
  if (callers.length + tests.length + twins.length + types.length === 0) return undefined;
  const files = new Set(callers.map((caller) => caller.file)).size;
  const what = wanted && FUNCTION_KINDS.has(wanted.kind) ? 'caller' : 'use';
  const more = paths.length > MAX_TESTS ? ` +${formatCount(paths.length - MAX_TESTS)}` : '';
  const byName = isByName ? (isShared ? ` by name (one of ${formatCount(total)})` : ' by name') : '';
  const shown = paths.slice(0, MAX_TESTS).map((path) => toSentence(path));
  return {
    callers: callers.length > 0 ? `${plural(callers.length, what)} in ${plural(files, 'file')}${byName}` : '',
    places: callerPlaces(file.path, callers),
    tests: paths.length > 0 ? `tests${callers.length > 0 ? '' : byName}: ${shown.join(', ')}${more}` : '',
    testPlaces: own.map(placeOf),
    twins,
    types,
  };
}

/**
 * The symbols that `RepoIndex.findPlaces` finds, where they are few with who uses each; of overloads the last one
 * says it.
 */
export function findWithUses(index: RepoIndex, handle: string): readonly FoundSymbol[] {
  const places = index.findPlaces(handle);
  if (places.length > MAX_NAMESAKES) return places.flatMap((place) => foundSymbol(place) ?? []);
  const keyOf = ({ file, index: at }: Place): string => `${file.path}\0${file.qualifiedNames[at]}`;
  const last = new Map(places.map((place, at) => [keyOf(place), at]));
  return places.flatMap((place, at) => {
    const symbol = foundSymbol(place);
    if (!symbol) return [];
    const uses = last.get(keyOf(place)) === at ? usesOf(index, place) : undefined;
    return [uses === undefined ? symbol : { ...symbol, uses }];
  });
}
