/**
 * Which section a path or symbol speaks for. A name is in several sections at once (the map lists nearly all), so it is
 * given to the most specific: the section that is that file; else sections that say something about it; else those that
 * merely list it (map, git, open editors). Among these the ones that name the fewest, since a list of everything says
 * least; equals all. Where several say something and the reply has the words of one, that one speaks (`speakerOf`).
 */
import { nameOf } from '../../text/safePath';
import { splitIdentifier } from '../../text/terms';
import type { CitableSection } from './citablePayload';
import { keywordTerms } from './keywordTerms';
import { isAbsolute, isFilePath, isProduct, normalizeMention } from './pathNames';

/** File names that every project has many of: alone they name nothing. */
const GENERIC =
  /^(?:index|main|mod|lib|init|__init__|__main__|cli|server|client|readme|setup|utils?|types?|config|test|tests|app|package|skill|tsconfig|makefile|dockerfile)(?:\..*)?$/iu;

/** A folder above that has files of all kinds, whatever section names it. */
const MIN_FOLDER_SEGMENTS = 3;

/** Some way below a home folder, and no hidden one, where tools keep files of the same names. */
const PROJECT_FOLDER = /^(?:\/[^/.][^/]*){3,}$/u;

/** Sections by number. */
type Owners = readonly number[];

/** A name found, as the payload spells it, with the sections it speaks for. */
export interface NameMatch {
  readonly name: string;
  readonly owners: Owners;
  /** It is the file of those sections itself. */
  readonly isOwn: boolean;
  /** It is one of the files that they show. */
  readonly isFile: boolean;
  /** They merely list it, and a section whose text is not known may say more of it. */
  readonly isInDoubt: boolean;
  /** All sections that say something of it, however specific; none where it is their own file. */
  readonly tellers: Owners;
  /** The map, where that lists it beside others. */
  readonly maps: Owners;
}

interface Naming {
  readonly own: number[];
  readonly telling: number[];
  readonly listing: number[];
}

/** The sections with the smallest count; ties all. */
function fewest(sections: readonly number[], countOf: (section: number) => number): Owners {
  const least = Math.min(...sections.map(countOf));
  return sections.filter((section) => countOf(section) === least);
}

/** Of several sections that say something of a name, the one whose words were `found` too. */
export function speakerOf({ tellers }: NameMatch, found: readonly { readonly section: number }[]): number | undefined {
  return tellers.length < 2 ? undefined : found.find(({ section }) => tellers.includes(section))?.section;
}

/** Paths and symbols of a payload, each with the sections that it is evidence for. Building is linear in the names. */
export class NameIndex {
  readonly #paths = new Map<string, NameMatch>();
  /** Ends of paths (`auth/login.ts`, `login.ts`) with the one path that has them; undefined when several do. */
  readonly #ends = new Map<string, string | undefined>();
  /** What files are called by: `dont-guess` of `rules/dont-guess.mdc`, `005` of `005-push.md`; undefined when several are. */
  readonly #titles = new Map<string, string | undefined>();
  /** Names without a folder in prose: the file may lie anywhere. */
  readonly #bare = new Set<string>();
  /** Folders of what is merely listed: where the project has its files, whatever section names them. */
  readonly #listedFolders = new Set<string>();
  /** Parts of the paths: `pydantic_ai_slim` is a folder, whatever section names it. */
  readonly #segments = new Set<string>();
  /** Segments without what parts their words and without an ending: `gamebot` of `game_bot`. */
  readonly #places = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #stems = new Set<string>();
  /** What segments are made of, in small letters: `docgen` of `docgen-cli`. */
  readonly #parts = new Set<string>();
  /** By their exact names. */
  readonly symbols = new Map<string, NameMatch>();

  constructor(sections: readonly CitableSection[]) {
    const countOf = (at: number): number => (sections[at]?.paths.length ?? 0) + (sections[at]?.symbols.length ?? 0);
    const mapsOf = ({ listing }: Naming): Owners => listing.filter((at) => sections[at]?.isMap);
    const filesOf = (at: number): readonly string[] => sections[at]?.files ?? [];
    const hasUnknown = sections.some(({ unknownChars }) => unknownChars > 0);
    const paths = new Map<string, Naming>();
    /** Files of the map by their bare names; undefined when several have one. */
    const listed = new Map<string, Naming | undefined>();
    const symbols = new Map<string, Naming>();
    sections.forEach(({ path, paths: named, symbols: names, isInventory }, at) => {
      if (path !== undefined) namingOf(paths, path).own.push(at);
      const how = isInventory ? 'listing' : 'telling';
      for (const each of named) {
        namingOf(paths, each)[how].push(at);
        if (isInventory) this.#addFolders(each);
        if (!isInventory && !each.includes('/')) this.#bare.add(each);
      }
      for (const each of names) namingOf(symbols, each)[how].push(at);
    });
    for (const [path, naming] of paths) {
      if (mapsOf(naming).length === 0 || !path.includes('/')) continue;
      listed.set(nameOf(path), listed.has(nameOf(path)) ? undefined : naming);
    }
    for (const [name, naming] of paths) {
      // `common.go` in prose is the one that the map has, too.
      const isBare = !name.includes('/') && naming.own.length === 0 && !GENERIC.test(name);
      const maps = mapsOf((isBare && naming.listing.length === 0 ? listed.get(name) : undefined) ?? naming);
      this.#paths.set(name, { ...toMatch(name, naming, countOf, hasUnknown, filesOf), maps });
      this.#addEnds(name);
    }
    for (const [name, naming] of symbols)
      this.symbols.set(name, { ...toMatch(name, naming, countOf, hasUnknown, filesOf), maps: mapsOf(naming) });
  }

  /** A file that a tool names: relative to the workspace, or absolute, as in a work tree beside it. */
  file(path: string): NameMatch | undefined {
    const exact = this.#paths.get(path);
    if (exact) return exact;
    if (isAbsolute(path)) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      const isRoot = PROJECT_FOLDER.test(folder) && !this.#segments.has(nameOf(folder));
      return this.#absolute(path) ?? (isRoot ? this.#paths.get(nameOf(path)) : undefined);
    }
    const base = nameOf(path);
    return this.#bare.has(base) && !GENERIC.test(base) && this.#ends.get(base) === base
      ? this.#paths.get(base)
      : undefined;
  }

  /**
   * A word of a text or command line: a path as the payload has it, an absolute path that ends with one of at least two
   * segments, or an end that only one path of the payload has (`auth/login.ts`; a file's name alone unless every
   * project has such).
   */
  mention(word: string): NameMatch | undefined {
    // From a folder below the root: `../../docs/a.md`.
    const path = normalizeMention(word).replace(/^(?:\.\.\/)+(?=.*\/)/u, '');
    const exact = this.#paths.get(path);
    if (exact) return exact;
    if (isAbsolute(path)) return this.#absolute(path);
    const isName = path.includes('/') || (path.includes('.') && !GENERIC.test(path) && !isProduct(path));
    const whole = isName ? this.#ends.get(path) : undefined;
    return whole === undefined ? undefined : this.#paths.get(whole);
  }

  /** All that a word of the task names: the file, and its name alone, as some section may have it. */
  named(word: string): readonly NameMatch[] {
    return [word, nameOf(normalizeMention(word))].flatMap((each) => this.mention(each) ?? []);
  }

  /** A file by its name without extension, or by the number that its name begins with. */
  titled(title: string): NameMatch | undefined {
    return this.#paths.get(this.#titles.get(title) ?? '');
  }

  /** Of a file that the payload does not have, the folder that one section says something of: `tests/e2e/cases`. */
  folderOf(word: string): NameMatch | undefined {
    const path = normalizeMention(word);
    if (isAbsolute(path) || !isFilePath(path)) return undefined;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      const match = this.#paths.get(folder);
      if (folder.split('/').length < MIN_FOLDER_SEGMENTS) return undefined;
      if (match) {
        const isOneSections = match.tellers.length === 1 && match.maps.length === 0;
        return isOneSections && !this.#listedFolders.has(folder) ? match : undefined;
      }
    }
    return undefined;
  }

  #absolute(path: string): NameMatch | undefined {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const rest = path.slice(slash + 1);
      if (!rest.includes('/')) return undefined;
      const match = this.#paths.get(rest);
      if (match) return match;
    }
    return undefined;
  }

  /** Keywords of names in capitals, as `QuickBooks`, that paths have too: of the project or a product, from no section. */
  placeNames(text: string): readonly string[] {
    const names = new Set(text.match(/[\p{L}\p{N}]+/gu));
    return [...names]
      .filter((name) => /\p{Lu}/u.test(name) && this.#parts.has(name.toLowerCase()))
      .flatMap((name) => keywordTerms(name).map(({ key }) => key));
  }

  /** Whether a name of two words is that of a folder or file too, however it is written: `GameBot` of `game_bot/`. */
  isPlace(name: string): boolean {
    return splitIdentifier(name).length < 3 && this.#places.has(lettersOf(name));
  }

  /** Whether a folder is called so, and no file, as a module is: `GameBot` where there is `game_bot/`. */
  isFolder(name: string): boolean {
    return /^\p{Lu}/u.test(name) && this.#folders.has(lettersOf(name)) && !this.#stems.has(lettersOf(name));
  }

  /** `ELECTRON_RUN_AS_NODE`: a name of three words is no coincidence, unless a folder or file is called so. */
  isTelling(name: string): boolean {
    return splitIdentifier(name).length > 2 && !this.#segments.has(name) && !this.#titles.has(name);
  }

  #addFolders(path: string): void {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (this.#listedFolders.has(path.slice(0, end))) return;
      this.#listedFolders.add(path.slice(0, end));
    }
  }

  #addEnds(path: string): void {
    const segments = path.split('/');
    for (const folder of segments.slice(0, -1)) this.#folders.add(lettersOf(folder));
    if (isFilePath(path)) this.#stems.add(lettersOf((segments.at(-1) ?? '').replace(/(?<=.)\..*$/u, '')));
    for (const segment of path.split('/')) {
      this.#segments.add(segment);
      this.#places.add(lettersOf(segment.replace(/(?<=.)\..*$/u, '')));
      for (const part of segment.toLowerCase().split(/[-_.]/u)) this.#parts.add(part);
    }
    const [title = '', number = ''] = /^(?:(0\d{2,3})(?=[-_]))?[^.]+/u.exec(nameOf(path)) ?? [];
    for (const key of [title, number]) this.#titles.set(key, this.#titles.has(key) ? undefined : path);
    for (let slash = -1; ; ) {
      const end = path.slice(slash + 1);
      this.#ends.set(end, this.#ends.has(end) ? undefined : path);
      slash = path.indexOf('/', slash + 1);
      if (slash < 0) return;
    }
  }
}

const lettersOf = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

function namingOf(all: Map<string, Naming>, name: string): Naming {
  const naming = all.get(name) ?? { own: [], telling: [], listing: [] };
  all.set(name, naming);
  return naming;
}

function toMatch(
  name: string,
  { own, telling, listing }: Naming,
  countOf: (section: number) => number,
  hasUnknown: boolean,
  files: (section: number) => readonly string[],
): Omit<NameMatch, 'maps'> {
  if (own.length > 0) return { name, owners: own, tellers: [], isOwn: true, isFile: true, isInDoubt: false };
  const isListed = telling.length === 0;
  const owners = fewest(isListed ? listing : telling, countOf);
  const isFile = owners.some((at) => files(at).includes(name));
  return { name, owners, tellers: telling, isOwn: false, isFile, isInDoubt: isListed && hasUnknown };
}
