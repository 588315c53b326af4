/** Why an append-only log could not be written or read, in words that every host shares. Paths are the workspace's. */
import { type Phrase, phrase } from '../text/phrase';
import type { RecordKind } from './recordKind';

/** A file that the system refuses to read or to write; `code` is the system's own word. */
export function refusedWords(reason: 'unreadable' | 'unwritable', path: string, code: string): Phrase {
  return reason === 'unreadable'
    ? phrase('{0} could not be read ({1}).', path, code)
    : phrase('{0} could not be written ({1}).', path, code);
}

export function lockedWords(path: string): Phrase {
  return phrase(
    '{0} is held by another program, so nothing was recorded. Try again; if no program of ours runs, remove {1}.',
    path,
    `${path}.lock`,
  );
}

export function unknownRecordWords(path: string, record: number): Phrase {
  return phrase('{0} has no record {1} to add to, so nothing was recorded.', path, String(record));
}

/** The file holds something else. */
export function foreignWords(path: string, { what, configKey }: RecordKind): Phrase {
  return phrase(
    '{0} holds something else than {1}, so nothing is written to it. Name another file in {2} of .context-budget/config.json.',
    path,
    what,
    configKey,
  );
}

export function noFileWords(path: string, { configKey }: RecordKind): Phrase {
  return phrase('{0} is not a file. Name one in {1}.', path, configKey);
}

/** A cycle that two logs gave, which a merge put together; `others`: more of them. */
export function doubleCycleWords(cycle: number, others: number): Phrase {
  if (others === 0)
    return phrase('cycle {0} is recorded twice: the first record counts, with the citations of both', cycle);
  return phrase(
    others === 1
      ? 'cycle {0} is recorded twice, and {1} more cycle too: the first record counts, with the citations of both'
      : 'cycle {0} is recorded twice, and {1} more cycles too: the first record counts, with the citations of both',
    cycle,
    others,
  );
}

export function moreBadLinesWords(count: number): Phrase {
  return phrase(count === 1 ? '{0} more line is no record' : '{0} more lines are no records', count);
}
