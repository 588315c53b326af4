/** Words for logs that cannot be written or read: what was wrong and what to do. Paths are workspace-relative. */
import { type Phrase, phrase } from '../text/phrase';
import type { RecordKind } from './recordKind';

/** @param code the platform's, or its message */
export function cannotRead(path: string, code: string): Phrase {
  return phrase('{0} could not be read ({1}).', path, code);
}

/** @param code the platform's, or its message, or our own words */
export function cannotWrite(path: string, code: string | Phrase): Phrase {
  return phrase('{0} could not be written ({1}).', path, code);
}

/** The lock at `<path>.lock` was not given in time. */
export function isHeld(path: string): Phrase {
  return phrase(
    '{0} is held by another program, so nothing was recorded. Try again; if no program of ours runs, remove {1}.',
    path,
    `${path}.lock`,
  );
}

/** A line was to add to a record that there is not. */
export function lacksRecord(path: string, number: number): Phrase {
  return phrase('{0} has no record {1} to add to, so nothing was recorded.', path, String(number));
}

/** The file holds other lines than the log's. */
export function holdsOther(path: string, { what, configKey }: RecordKind): Phrase {
  return phrase(
    '{0} holds something else than {1}, so nothing is written to it. Name another file in {2} of .context-budget/config.json.',
    path,
    what,
    configKey,
  );
}

/** There is a folder, or something else, in the log's place. */
export function isNoFile(path: string, configKey: string): Phrase {
  return phrase('{0} is not a file. Name one in {1}.', path, configKey);
}
