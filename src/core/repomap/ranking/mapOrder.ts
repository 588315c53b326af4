/** What a ranking gives a map: definitions in an order, and why each of them is there. */
import type { ChangeNote, MapPackage } from '../../model/repoMap';
import type { Phrase } from '../../text/phrase';
import type { IndexedFile } from '../index/indexedFile';

/** One definition: index into its file's. -1 is the file itself, which is then shown without one. */
export interface MapItem {
  readonly file: IndexedFile;
  readonly index: number;
  /** Its score as a share of the best one's, 0…1, where an order has scores. */
  readonly share?: number;
}

/** In which order definitions are tried, and why. */
export interface MapOrder {
  /** Files whose definitions it chooses among, sorted by path; those of the whole index unless given. */
  readonly files?: readonly IndexedFile[];
  /** Where the text form cuts signatures, if earlier than it would. */
  readonly maxSignatureChars?: number;
  /** Share of the budget, 0…1, after which lines are names alone; 1 unless given. */
  readonly signatureShare?: number;
  /** Shown before all others whatever their share; of a file whose item does not fit, the path alone. */
  readonly named?: readonly MapItem[];
  /** Best first, each at most once. `shownIn` tells how many definitions of a file were taken so far. */
  items(shownIn: (file: IndexedFile) => number): Iterable<MapItem>;
  /** How far up a file stands in the map, the largest first; without it files stand in the order in which they came. */
  placeOf?(file: IndexedFile): number;
  /** The package that a file is shown below; without it there are no lines of packages. */
  packageOf?(file: IndexedFile): MapPackage | undefined;
  /** What an item has to do with a change; only in a map of changes. */
  aboutOf?(item: MapItem): ChangeNote | undefined;
  /** Why a file is where it is: short phrases, the strongest first. */
  explainFile(file: IndexedFile): readonly Phrase[];
  /** The same for a definition. */
  explain(item: MapItem): readonly Phrase[];
}
