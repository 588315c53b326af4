/** The order of a map that knows no task: by orientation, with the room shared among files, areas and names. */
import { phrase } from '../../text/phrase';
import type { IndexedFile } from '../index/indexedFile';
import { bestOfLists } from './heap';
import type { MapItem, MapOrder } from './mapOrder';
import type { Orientation, OrientedFile } from './orientation';

/** How the room is shared; measured on six repositories (`docs/orientation.md`). */
const SHARING = {
  /** The n-th definition of a file (from 0) counts `1 / (1 + n / file)` of its score. */
  file: 3,
  /** The same for an entry, such as a header. */
  entry: 40,
  /** The same for an area. */
  area: 24,
  /** Share of a definition whose name is shown already. */
  namesake: 0.3,
  /** An orientation names many things: signatures are cut here. */
  maxSignatureChars: 52,
  /** Share of the budget for signatures; what comes behind it is named. */
  signatureShare: 0.25,
};

interface ScoredItem extends MapItem {
  readonly score: number;
  readonly area: number;
  readonly isEntry: boolean;
}

function bestFirst({ file, scores, area, isEntry }: OrientedFile): readonly ScoredItem[] {
  const items = Array.from(scores, (score, index) => ({ file, index, score, area, isEntry }));
  return items.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.index - b.index);
}

/** Definitions in the order of their scores: the more of a file or an area are shown, the later its next. */
export function orientationOrder(orientation: Orientation): MapOrder {
  const { files, areas } = orientation;
  const bests = new Map(files.map(({ file, scores }) => [file, scores.reduce((a, b) => Math.max(a, b), 0)]));
  const bestOf = (file: IndexedFile): number => bests.get(file) ?? 0;
  return {
    maxSignatureChars: SHARING.maxSignatureChars,
    signatureShare: SHARING.signatureShare,
    packageOf: ({ path }) => areas.describedOf(path),
    *items() {
      const inArea = new Uint32Array(areas.list.length);
      const inFile = new Map<IndexedFile, number>();
      const names = new Set<string>();
      const nameOf = ({ file, index }: MapItem): string => `${file.family}\0${file.nameWords[index]}`;
      const worth = (item: ScoredItem): number =>
        (item.score * (names.has(nameOf(item)) ? SHARING.namesake : 1)) /
        (1 + (inFile.get(item.file) ?? 0) / (item.isEntry ? SHARING.entry : SHARING.file)) /
        (1 + (inArea[item.area] as number) / SHARING.area);
      const starts = files.flatMap(({ file }, at) => (bestOf(file) > 0 ? [{ at, score: bestOf(file) }] : []));
      for (const item of bestOfLists(starts, (at) => bestFirst(files[at] as OrientedFile), worth)) {
        yield item;
        names.add(nameOf(item));
        inArea[item.area] = (inArea[item.area] as number) + 1;
        inFile.set(item.file, (inFile.get(item.file) ?? 0) + 1);
      }
    },
    explainFile(file) {
      const own = bestOf(file);
      // `3rd` would need a language: `#3`.
      const place = `#${1 + files.filter((other) => bestOf(other.file) > own).length}`;
      const commits = orientation.commitsOf(file);
      return [
        phrase('importance: {0} of {1}', place, String(files.length)),
        ...(commits > 0 ? [phrase('changed by {0} of the last commits', String(commits))] : []),
      ];
    },
    explain({ file, index }) {
      const { files: mentioning, areas: parts, docs, isPublic } = orientation.evidence(file, index);
      return [
        phrase('mentioned by {0} files in {1} parts', String(mentioning), String(parts)),
        ...(isPublic ? [phrase('named by an entry of its package')] : []),
        ...(docs > 0 ? [phrase('named by {0} files of the docs', String(docs))] : []),
      ];
    },
  };
}
