/** The order of a map for a task (`taskRanking.ts`), and what speaks for each of its definitions and files. */
import { type Phrase, phrase } from '../../text/phrase';
import type { MapOrder } from './mapOrder';
import { saturated, strongestTerms, type TaskRanking } from './taskRanking';

const TERMS_NAMED = 3;
const NEIGHBOURS_NAMED = 2;
/** The best definitions show how they are called; after this share of the budget a name shows twice as many (test/bench/RANKING.md). */
const SIGNATURE_SHARE = 0.1;

/** More than the place of a file that the task does not spell out, and less than that of one in focus. */
const NAMED_PLACE = 1e6;

/** Two digits, without those that say nothing. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** `open 0.31, store 0.12`: shares of the best definition's score. */
function termsOf({ corpus, hits, weights, bestWords }: TaskRanking, definition: number): string {
  const found = strongestTerms(hits, corpus, weights).flatMap(({ hit, worth }) => {
    const at = hit.definitions.indexOf(definition);
    if (at < 0) return [];
    const tf = saturated(hit.counts[at] as number, corpus.lengths[definition] as number, corpus, weights);
    return [{ term: hit.query.term, share: (worth * tf) / bestWords }];
  });
  found.sort((a, b) => b.share - a.share);
  return found
    .slice(0, TERMS_NAMED)
    .map(({ term, share }) => `${term} ${number(share)}`)
    .join(', ');
}

function neighboursOf({ corpus, own }: TaskRanking, definition: number): string {
  const near = corpus.graph
    .neighbours(definition)
    .map(({ definition: other, weight }) => ({ other, worth: weight * (own[other] as number) ** 2 }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.other - b.other);
  const names = near.map(({ other }) => {
    const { fileAt, index } = corpus.locate(other);
    return corpus.files[fileAt]?.file.qualifiedNames[index] ?? '';
  });
  return [...new Set(names)].slice(0, NEIGHBOURS_NAMED).join(', ');
}

/** Definitions best first, with what speaks for each. */
export function taskOrder(ranking: TaskRanking): MapOrder {
  const { corpus, files, exact, own, walked, named } = ranking;
  const isNamed = new Set(named.map(({ file }) => file));
  return {
    files: corpus.all,
    signatureShare: SIGNATURE_SHARE,
    named,
    *items() {
      let best: number | undefined;
      for (const { fileAt, index, score } of ranking.order()) {
        best ??= score;
        const file = corpus.files[fileAt]?.file;
        if (file) yield { file, index, share: best > 0 ? score / best : 1 };
      }
    },
    placeOf: (file) => (files.places[corpus.positionOf(file) ?? -1] ?? 0) + (isNamed.has(file) ? NAMED_PLACE : 0),
    explainFile(file) {
      const at = corpus.positionOf(file);
      if (at === undefined) return isNamed.has(file) ? [phrase('named by the task ({0})', number(1))] : [];
      const rank = String((files.ranks[at] as number) + 1);
      const parts = [phrase('file rank {0}, score {1}', rank, number(files.scores[at] as number))];
      const named = files.named.get(at);
      if (named) parts.push(phrase('named by the task ({0})', number(named)));
      const frame = files.frames.get(at);
      if (frame !== undefined) parts.push(phrase('in the stack trace ({0})', number(frame)));
      const baseName = files.baseNames[at] as number;
      if (baseName > 0) parts.push(phrase('its name is in the task ({0})', number(baseName)));
      const inScope = files.inScope[at] as number;
      if (inScope > 0) parts.push(phrase('in the area that the title names ({0})', number(inScope)));
      const past = files.history[at] as number;
      if (past > 0) parts.push(phrase('changed by commits with such titles ({0})', number(past)));
      parts.push(phrase('words {0}', number((files.words[at] as number) / files.mostWords)));
      return parts;
    },
    explain({ file, index }) {
      const at = corpus.positionOf(file);
      const base = at === undefined ? undefined : corpus.files[at]?.base;
      if (base === undefined) return [];
      const definition = base + index;
      const parts: Phrase[] = [];
      if (exact.frames[definition])
        parts.push(phrase('in the stack trace ({0})', number(exact.frames[definition] as number)));
      if (exact.identifiers[definition]) {
        parts.push(phrase('named by the task ({0})', number(exact.identifiers[definition] as number)));
      }
      const terms = termsOf(ranking, definition);
      if (terms !== '') parts.push(phrase('words {0}', terms));
      const flow = walked[definition] as number;
      const near = (): string | Phrase => neighboursOf(ranking, definition) || phrase('what matches');
      if (flow > 0) parts.push(phrase('near {0} ({1})', near(), number(flow)));
      return [phrase('score {0}', number(own[definition] as number)), ...parts];
    },
  };
}

/** What a definition elsewhere still counts for who knows in which file to look. */
const OUTSIDE_FOCUS = 0.5;
/** More than any file's place. */
const FIRST_PLACE = 1e9;

/** The same with the definitions of these files first, for who knows where to look and not yet what: the best of them counts whole. */
export function focusFirst(order: MapOrder, paths: readonly string[]): MapOrder {
  const wanted = new Set(paths);
  return {
    ...order,
    placeOf: (file) => (order.placeOf?.(file) ?? 0) + (wanted.has(file.path) ? FIRST_PLACE : 0),
    *items(shownIn) {
      let best = 0;
      for (const item of order.items(shownIn)) {
        if (!wanted.has(item.file.path)) continue;
        const share = item.share ?? 1;
        best ||= share;
        yield { ...item, share: best > 0 ? share / best : 1 };
      }
      for (const item of order.items(shownIn)) {
        if (wanted.has(item.file.path)) continue;
        yield best > 0 ? { ...item, share: (item.share ?? 1) * OUTSIDE_FOCUS } : item;
      }
    },
  };
}
