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

/** There is a folder, a pipe or something else in the place of a log or of a file beside it. */
export function isNoFile(path: string, configKey: string): Phrase {
  return phrase('{0} is not a file. Move it away, or set {1} to another file.', path, configKey);
}

/** A file, or something else, is where the log's folder should be. */
export function isNoFolder(path: string, configKey: string): Phrase {
  return phrase('{0} is not a folder. Move it away, or set {1} to another file.', path, configKey);
}

/** @param path the log, a file beside it, or a folder above */
export function isLink(path: string, configKey: string): Phrase {
  return phrase('{0} is a link, which is not followed here. Remove it, or set {1} to another file.', path, configKey);
}

/** The file has a second name, anywhere on the disk. */
export function hasOtherName(path: string, configKey: string): Phrase {
  return phrase(
    '{0} is a hard link: another file would change with it. Replace it with a copy, or set {1} to another file.',
    path,
    configKey,
  );
}

/** The config names a file of git's own. */
export function isInGitFolder(path: string, configKey: string): Phrase {
  return phrase('{0} is in a Git folder, where nothing is recorded. Set {1} to another file.', path, configKey);
}

/** The path has `..` or is absolute. */
export function leadsOut(path: string): Phrase {
  return phrase('{0} leads out of the folder. Name a file inside it.', path);
}

/** Another program put something else in its place while it was opened. */
export function changedMeanwhile(path: string): Phrase {
  return phrase('{0} was replaced by another program while it was opened. Try again.', path);
}
