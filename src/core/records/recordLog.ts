import { type Phrase, phrase } from '../text/phrase';

// Words for logs that cannot be written or read: what was wrong and what to do. Paths are workspace-relative.

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
    '{0} is locked by another program, so nothing was recorded. Try again. If Context Budget runs nowhere else, delete {1}.',
    path,
    `${path}.lock`,
  );
}

/** A line was to add to a record that there is not. */
export function lacksRecord(path: string, number: number): Phrase {
  return phrase('{0} has no record {1}, so nothing was added to it.', path, String(number));
}

/** The file holds other lines than the log's. */
export function holdsOther(path: string, { what, configKey }: RecordKind): Phrase {
  return phrase(
    '{0} contains something other than {1}, so nothing is written to it. Set {2} in .context-budget/config.json to another file.',
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
  return phrase('{0} is outside the folder. Choose a file inside it.', path);
}

/** Another program put something else in its place while it was opened. */
export function changedMeanwhile(path: string): Phrase {
  return phrase('{0} was replaced by another program while it was opened. Try again.', path);
}

/** How records of a log are told from other lines. */
export interface RecordFormat {
  /** `schema_version` of each record, its first key. */
  readonly version: string;
  /** Key of the record's number, its second key. */
  readonly numberKey: string;
  /** The number of a line, whatever the order of its keys; undefined when it is no record. */
  numberOf(line: string): number | undefined;
}

/** Why a log could not be written or read. */
export type RecordLogFailure =
  /** What was to be recorded does not fit the log. */
  | 'invalid'
  /** Another process held the lock for too long. */
  | 'locked'
  | 'unwritable'
  | 'unreadable'
  /** The configured file holds something else and is left alone. */
  | 'notALog';

/** What a log holds and how it speaks of it. */
export interface RecordKind {
  readonly format: RecordFormat;
  /** Such as `observations`. */
  readonly what: Phrase;
  /** Key of the config that names the file. */
  readonly configKey: string;
  fail(reason: RecordLogFailure, words: Phrase, options?: ErrorOptions): Error;
  isFailure(error: unknown): boolean;
}

/** One line to write. */
export interface LineMaker {
  /** Number of a record that is there already, for a line that adds to it; undefined for a record with a number of its own. */
  readonly addsTo: number | undefined;
  /** The line with its `\n`. */
  make(number: number): string;
}

/** Reads numbers off lines: quickly from records as they are written here, else by the format. */
export function numberReader({ version, numberKey, numberOf }: RecordFormat): (line: string) => number | undefined {
  const head = `${recordHead(version)}"${numberKey}":`;
  return (line) => {
    if (!line.startsWith(head)) return numberOf(line);
    const digits = /^\d{1,15}(?=,)/.exec(line.slice(head.length, head.length + 16));
    return digits ? Number(digits[0]) : numberOf(line);
  };
}

/**
 * A number above this was written by hand: no log has 2⁵² records. It names its record, but numbers do not go on from it,
 * since those that follow could not be told apart. The mark may say more, so that numbers go on from this one itself.
 */
const MAX_COUNTED = 2 ** 52;
export const MAX_MARKED = MAX_COUNTED + 2 ** 51;

/** The number that the next record's may follow; 0 for one that does not count. */
export function countedNumber(number: number): number {
  return number > MAX_COUNTED ? 0 : number;
}

/** How each record begins. */
export function recordHead(version: string): string {
  return `{"schema_version":"${version}",`;
}

/** Where a reader stands. Opaque to everybody but the log that gave it. */
export interface LogCursor {
  /** Bytes read so far. */
  readonly offset: number;
  /** Tells this file from one that took its place. */
  readonly identity: string;
}

/** What following the log gave. */
export interface LogRead {
  /** True when the log was cut, replaced or read for the first time: what was read before counts no more. */
  readonly isReset: boolean;
  /** Whole lines, each with its `\n`. */
  readonly bytes: Uint8Array;
  readonly cursor: LogCursor;
  /** True when there are more lines than this call gave. */
  readonly hasMore: boolean;
  /** Bytes after the last `\n`: a line being written, or one whose writer was killed. */
  readonly tornBytes: number;
  /** Bytes that were passed over before `bytes`: the beginning of a log that is too large, or a line that is no record. */
  readonly unreadBytes?: number;
}

/** A last line without its end that a writer was killed at, set aside when the next writer came. */
export interface LogRepair {
  /** Where the line began, in bytes. */
  readonly offset: number;
  readonly sizeBytes: number;
  /** `completed`: only the line end was missing. `setAside`: kept in `keptIn`, workspace-relative. */
  readonly kind: 'completed' | 'setAside';
  readonly keptIn: string | undefined;
}
