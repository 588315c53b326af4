/** The order of a map that knows no task: by structural score, with diminishing returns per file. */
import { phrase } from '../../text/phrase';
import { bestOfLists } from './heap';
import type { MapItem, MapOrder, RankedFile, RankedFiles } from './ranking';

/** The n-th definition of a file (from 0) counts `1 / (1 + n / 4)` of its score, so that no file eats the map. */
const HALVING = 4;

/** A definition with the score that structure gives it. */
interface ScoredItem extends MapItem {
  readonly score: number;
}

function bestFirst({ file, scores }: RankedFile): readonly ScoredItem[] {
  const items = Array.from(scores, (score, index) => ({ file, index, score }));
  return items.sort((a, b) => b.score - a.score || a.index - b.index);
}

/** Definitions in the order of their scores, the more of a file are shown the later its next. */
export function structuralOrder({ files }: RankedFiles): MapOrder {
  return {
    items(shownIn) {
      const starts = files.flatMap(({ scores }, at) =>
        scores.length > 0 ? [{ at, score: scores.reduce((best, score) => Math.max(best, score), 0) }] : [],
      );
      return bestOfLists(
        starts,
        (at) => bestFirst(files[at] as RankedFile),
        ({ file, score }) => score / (1 + shownIn(file) / HALVING),
      );
    },
    explainFile(file) {
      const own = files.find((ranked) => ranked.file === file)?.rank ?? 0;
      // `3rd` would need a language: `#3`.
      const place = `#${1 + files.filter(({ rank }) => rank > own).length}`;
      return [phrase('structure: {0} of {1} by mentions', place, String(files.length))];
    },
    explain: () => [phrase('structure: mentioned by other files, or first in its file')],
  };
}
