/** Counts of things, as parts of sentences. */
import { t } from '../language';

export function cycles(count: number): string {
  return t(count === 1 ? '{0} cycle' : '{0} cycles', count);
}

export function citations(count: number): string {
  return t(count === 1 ? '{0} citation' : '{0} citations', count);
}

export function sections(count: number): string {
  return t(count === 1 ? '{0} section' : '{0} sections', count);
}

/** What a return rests on: `12 citations in 212 cycles`. */
export function evidence(cited: number, judged: number): string {
  return t('{0} in {1}', citations(cited), cycles(judged));
}
