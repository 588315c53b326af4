/** Who uses one definition, in one line: callers and tests by name and import (`mentions.ts`), for those who change it. */
import type { FoundSymbol } from '../../model/repoMap';
import { formatCount, plural } from '../../text/numbers';
import { toSentence } from '../../text/sentence';
import { FUNCTION_KINDS } from '../index/indexedFile';
import type { Place } from '../index/nameLookup';
import { foundSymbol, type RepoIndex } from '../index/repoIndex';
import { addMentions, type FoundItem, FoundItems, SURE, stemOf, testedStem, wantedNames } from './mentions';

/** Tests that are named; the others are counted. */
const MAX_TESTS = 3;

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

/**
 * Who uses the definition at a place: `12 callers in 4 files; tests: test/a.test.ts, test/b.test.ts`. `by name` stands
 * behind it where others have that name, or where a member is only known by it: then some may mean another one.
 * Undefined where nothing is known to use it, or where so many have its name that the name says nothing. Linear in the
 * files of the index.
 */
export function usesOf(index: RepoIndex, { file, index: at }: Place): string | undefined {
  const found = new FoundItems();
  const name = file.qualifiedNames[at];
  // Overloads are one definition.
  file.qualifiedNames.forEach((known, same) => {
    if (known === name) found.add({ file, index: same, role: 'changed', why: [], score: 0, first: known });
  });
  const names = wantedNames(index, [], found);
  const [wanted] = [...names.values()].flat();
  if (!wanted) return undefined;
  addMentions(index, names, found);
  // A definition that has the same name is no caller for that.
  const all = found.all.filter(
    (item) => item.role !== 'changed' && item.file.definitions[item.index]?.name !== wanted.name,
  );
  const isShared = wanted.others > 0 && !wanted.isOwnFileOnly;
  // Of a name that several have, those that import the file are meant, if any do.
  const sure = all.filter(({ score }) => score >= SURE);
  const meant = isShared && sure.length > 0 ? sure : all;
  const isMember = (file.definitions[at]?.parent ?? -1) >= 0;
  const isByName = isShared || (isMember && meant.some(({ score }) => score < SURE));
  const callers = meant.filter(({ role }) => role === 'caller');
  const tests = testPaths(
    file.path,
    meant.filter(({ role }) => role === 'test'),
  );
  const files = new Set(callers.map((caller) => caller.file)).size;
  const what = FUNCTION_KINDS.has(wanted.kind) ? 'caller' : 'use';
  const more = tests.length > MAX_TESTS ? ` +${formatCount(tests.length - MAX_TESTS)}` : '';
  const total = wanted.others + wanted.items.length;
  const byName = isByName ? (isShared ? ` by name (one of ${formatCount(total)})` : ' by name') : '';
  const called = callers.length > 0 ? [`${plural(callers.length, what)} in ${plural(files, 'file')}${byName}`] : [];
  const shown = tests.slice(0, MAX_TESTS).map((path) => toSentence(path));
  const tested = tests.length > 0 ? [`tests${called.length > 0 ? '' : byName}: ${shown.join(', ')}${more}`] : [];
  const said = [...called, ...tested];
  return said.length > 0 ? said.join('; ') : undefined;
}

/** The symbols of a handle as `RepoIndex.findSymbols`, with who uses each; of overloads the last one says it. */
export function findWithUses(index: RepoIndex, handle: string): readonly FoundSymbol[] {
  const places = index.findPlaces(handle);
  const keyOf = ({ file, index: at }: Place): string => `${file.path}\0${file.qualifiedNames[at]}`;
  const last = new Map(places.map((place, at) => [keyOf(place), at]));
  return places.flatMap((place, at) => {
    const symbol = foundSymbol(place);
    if (!symbol) return [];
    const uses = last.get(keyOf(place)) === at ? usesOf(index, place) : undefined;
    return [uses === undefined ? symbol : { ...symbol, uses }];
  });
}
