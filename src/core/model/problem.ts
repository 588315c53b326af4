import { inEnglish, type Phrase } from '../text/phrase';

/** Where a problem is; neither is known of what concerns the whole folder. */
interface ProblemPlace {
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

/** Something the user should know about the workspace: a broken config, an unreadable file. */
export interface Problem {
  readonly kind: 'config' | 'file' | 'plugin' | 'index';
  /** A hint is about a part of the config that has no effect: only the panel and `check` show it. */
  readonly severity: 'error' | 'warning' | 'hint';
  /** What was wrong, where, and what to do, in English; no absolute path. */
  readonly message: string;
  /** What `message` is said from, for interfaces in other languages; `makeProblem` fills both. */
  readonly words: Phrase;
  readonly path: string | undefined;
  /** 1-based. */
  readonly line: number | undefined;
}
