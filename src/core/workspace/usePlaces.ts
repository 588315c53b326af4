/** The line below a definition's text: who uses it and in which lines, so that a reader goes on from there. */
import type { SymbolUses, UsePlace } from '../model/repoMap';
import { toSentence } from '../text/sentence';

/** Gives the text of a file, or undefined where it cannot be read. */
type ReadText = (path: string) => Promise<string | undefined>;

/** A word as the index has it, no part of a longer one; of several in a row with `.`, `::`, `->` or `#` between them. */
function wordPattern(...words: readonly string[]): RegExp {
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped.join('(?:\\.|::|->|#)')}(?![\\p{L}\\p{N}_$])`, 'u');
}

/** Callers that are named: who has more of them looks at what they have in common. */
const MAX_NAMED = 4;

/** A place with the line of it that mentions a name. */
interface FoundPlace extends UsePlace {
  readonly line: number;
  /** The name stands behind that of its type there. */
  readonly isQualified: boolean;
}

/** The mention behind the type's name, else the first one, else the first line. */
function findMention(place: UsePlace, text: string | undefined, qualified: RegExp, plain: RegExp): FoundPlace {
  const lines = text?.split('\n').slice(place.lineStart - 1, place.lineEnd) ?? [];
  const best = lines.findIndex((line) => qualified.test(line));
  const at = best < 0 ? lines.findIndex((line) => plain.test(line)) : best;
  return { ...place, line: place.lineStart + Math.max(0, at), isQualified: best >= 0 };
}

/** `src/a.ts:12 Cart.total, :40 main, src/b.ts:7`: a path is said once. */
function placeList(places: readonly FoundPlace[], ownPath: string): string {
  let before = ownPath;
  const shown = places.map(({ path, name, line }) => {
    const place = `${path === before ? '' : toSentence(path)}:${line}`;
    before = path;
    return name === '' ? place : `${place} ${toSentence(name)}`;
  });
  return shown.join(', ');
}

/**
 * `3 callers in 2 files: :4 total, :8 first, src/report.ts:4 report; tests: test/price.test.ts; same name here:
 * :40; types here: :3 Price`: `:4` is in the file of the definition. Undefined where nothing is known.
 */
export async function usesLine(
  symbol: { readonly path: string; readonly qualifiedName: string; readonly name: string; readonly uses: SymbolUses },
  readText: ReadText,
): Promise<string | undefined> {
  const { callers, places, tests, testPlaces, twins, types } = symbol.uses;
  const paths = [...new Set([...places, ...testPlaces].map(({ path }) => path))];
  const texts = new Map(await Promise.all(paths.map(async (path) => [path, await readText(path)] as const)));
  const plain = wordPattern(symbol.name);
  const owner = symbol.qualifiedName.split('.').at(-2);
  const qualified = owner === undefined ? plain : wordPattern(owner, symbol.name);
  const found = (all: readonly UsePlace[]): readonly FoundPlace[] =>
    all.map((place) => findMention(place, texts.get(place.path), qualified, plain));
  const called = found(places);
  // Stable: places of one kind stay in their order.
  const named = [...called].sort((a, b) => Number(b.isQualified) - Number(a.isQualified)).slice(0, MAX_NAMED);
  const said = [
    ...(callers === '' ? [] : [`${callers}: ${placeList(named, symbol.path)}`]),
    ...(testPlaces.length === 0 ? [] : [`tests here: ${placeList(found(testPlaces), symbol.path)}`]),
    ...(tests === '' ? [] : [tests]),
    ...(twins.length === 0 ? [] : [`same name here: ${twins.map((line) => `:${line}`).join(', ')}`]),
    ...(types.length === 0
      ? []
      : [`types here: ${types.map(({ name, line }) => `:${line} ${toSentence(name)}`).join(', ')}`]),
  ];
  return said.length > 0 ? said.join('; ') : undefined;
}
