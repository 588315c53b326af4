/** Handles that name lines: `file:src/a.ts#L10-L40`, and `section:soul#L41` for all from that line on. Lines count from 1. */

import { splitFromLine } from '../text/elements';

const FILE_HANDLE = /^(file:.+?)(?:#L(\d+)(?:-L?\d+)?)?$/;
/** The handle of what follows `shown` of `total` lines. */
export function restHandle(handle: string, shown: number, total: number): string {
  const match = FILE_HANDLE.exec(handle);
  if (!match) {
    const { base, line } = splitFromLine(handle);
    return `${base}#L${line + shown}`;
  }
  const start = Number(match[2] ?? 1);
  return `${match[1]}#L${start + shown}-L${start + total - 1}`;
}

/** A line that is blank is one; what follows the last line's end is none. */
export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** The text from that line on; undefined where it has no such line. */
export function textFromLine(text: string, line: number): string | undefined {
  if (line === 1) return text;
  const rest = text.split('\n').slice(line - 1);
  return line > countLines(text) ? undefined : rest.join('\n');
}
