import { inEnglish, type Phrase } from '../text/phrase';
import type { Problem } from './contextReport';

/** Where a problem is; neither is known of what concerns the whole folder. */
export interface ProblemPlace {
  readonly path?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
}

/** A problem whose message is the English of `words`: what was wrong, where, and what to do; no absolute path. */
export function makeProblem(
  kind: Problem['kind'],
  severity: Problem['severity'],
  words: Phrase,
  { path, line }: ProblemPlace = {},
): Problem {
  return { kind, severity, message: inEnglish(words), words, path, line };
}
