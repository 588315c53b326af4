/** Append-only logs of numbered records as JSON Lines: what tells one kind of log from another, whatever keeps it. */

import type { Phrase } from '../text/phrase';
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
export type RecordLogFailure = 'invalid' | 'locked' | 'unwritable' | 'unreadable' | 'notALog';

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

/** How each record begins. */
export function recordHead(version: string): string {
  return `{"schema_version":"${version}",`;
}
