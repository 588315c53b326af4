/** The order of a map that knows no task: by structural score, with diminishing returns per file. */
import { phrase } from '../../text/phrase';
import type { IndexedFile } from '../index/indexedFile';
import { Heap } from './heap';
import type { MapOrder, RankedFile, RankedFiles } from './ranking';

/** The n-th definition of a file (from 0) counts `1 / (1 + n / 4)` of its score, so that no file eats the map. */
const HALVING = 4;

/** A file's place in the queue: its best definition not looked at yet. */
interface Candidate {
  readonly source: RankedFile;
  /** Definitions, best first; sorted when the file comes up first. */
  readonly order: readonly number[] | undefined;
  readonly next: number;
  readonly priority: number;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.source.file.path < b.source.file.path;
}

function bestFirst({ scores }: RankedFile): readonly number[] {
  return Array.from(scores, (_, index) => index).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

function candidates(ranked: RankedFiles): Heap<Candidate> {
  const heap = new Heap<Candidate>(isBefore);
  for (const source of ranked.files) {
    let best = 0;
    for (const score of source.scores) best = Math.max(best, score);
    if (source.scores.length > 0) heap.push({ source, order: undefined, next: 0, priority: best });
  }
  return heap;
}

/** `3rd` would need a language: `#3`. */
function placeOf({ files }: RankedFiles, file: IndexedFile): string {
  const own = files.find((ranked) => ranked.file === file)?.rank ?? 0;
  return `#${1 + files.filter(({ rank }) => rank > own).length}`;
}

/** Definitions in the order of their scores, the more of a file are shown the later its next. */
export function structuralOrder(ranked: RankedFiles): MapOrder {
  return {
    *items(shownIn) {
      const heap = candidates(ranked);
      for (let top = heap.pop(); top; top = heap.pop()) {
        const { source } = top;
        const order = top.order ?? bestFirst(source);
        yield { file: source.file, index: order[top.next] as number };
        const following = order[top.next + 1];
        if (following === undefined) continue;
        const share = 1 + shownIn(source.file) / HALVING;
        heap.push({ source, order, next: top.next + 1, priority: (source.scores[following] as number) / share });
      }
    },
    explainFile: (file) => [
      phrase('structure: {0} of {1} by mentions', placeOf(ranked, file), String(ranked.files.length)),
    ],
    explain: () => [phrase('structure: mentioned by other files, or first in its own')],
  };
}
