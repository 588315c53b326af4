/** Blocks between fences: code, or lines that a tool wrote and that are entries each. */
import { FENCE } from '../../text/markdown';

/** `2026-02-03 01:55:06 | exit:0 | make` */
const LOG_LINE = /^\[?20\d\d-\d\d-\d\d[T ]\d\d:\d\d/;
/** `[x] parser`; its details are indented below. */
const BOXED = /^\[[ xX/]\] \S/;
/** `90f97a4 feat: a parser` */
const COMMIT_LINE = /^(?=[a-f]{0,39}\d)[0-9a-f]{7,40} \p{L}/u;

/** Where a fence ends all of whose lines are entries: each with its time, as a commit or behind a box. Lines by their index. */
export function logEnd(lines: readonly string[], at: number, mark: string): number | undefined {
  const above = lines.slice(Math.max(0, at - 2), at).findLast((line) => line.trim() !== '') ?? '';
  // What is introduced is an example.
  if (/[:：][*_]*\s*$/.test(above)) return undefined;
  let end = at + 1;
  while (end < lines.length && !FENCE.exec(lines[end] ?? '')?.[1]?.startsWith(mark)) end++;
  const inside = lines.slice(at + 1, end).filter((line) => line.trim() !== '');
  const heads = inside.filter((line) => !/^\s/.test(line));
  const areAll = (form: RegExp): boolean => heads.every((line) => form.test(line));
  const areLines = heads.length === inside.length && (areAll(LOG_LINE) || areAll(COMMIT_LINE));
  return end < lines.length && heads.length > 1 && (areAll(BOXED) || areLines) ? end : undefined;
}
