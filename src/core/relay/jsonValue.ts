import { type JsonRecord, ownValue } from '../text/jsonRecord';
import { inEnglish, type Phrase, phrase } from '../text/phrase';
import { toOneLine } from '../text/sentence';
import { isExactNumber, leafText } from './exactNumbers';

/** Values are written out by calling themselves for each level; no log is nested deeper than this. */
export const MAX_DEPTH = 200;

/** Values inside of one value; lists that hold the same list again and again would grow without end when written. */
const MAX_VALUES = 20_000_000;

/** Why a value cannot be written as JSON. */
export type JsonFault = 'cycle' | 'tooDeep' | 'tooLarge' | 'notJson';

function isLeaf(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function leafFault(value: unknown): JsonFault | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'notJson';
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? undefined : 'notJson';
}

/**
 * Says whether `value` is JSON that can be written: no cycle, nested at most {@link MAX_DEPTH} deep, nothing but texts,
 * finite numbers, booleans, `null`, lists and objects. Linear; never runs out of stack, since it stops at that depth.
 */
export function faultOf(value: unknown): JsonFault | undefined {
  /** The lists and objects around the value at hand. */
  const path: object[] = [];
  let left = MAX_VALUES;
  const find = (part: unknown): JsonFault | undefined => {
    if (--left < 0) return 'tooLarge';
    if (typeof part !== 'object' || part === null) return leafFault(part);
    if (path.includes(part)) return 'cycle';
    if (path.length >= MAX_DEPTH) return 'tooDeep';
    path.push(part);
    for (const inner of Array.isArray(part) ? part : Object.values(part)) {
      const fault = find(inner);
      if (fault) return fault;
    }
    path.pop();
    return undefined;
  };
  return find(value);
}

/**
 * The same text for the same JSON value, whatever the order of its keys. For values without a fault ({@link faultOf}).
 * Keys are sorted by UTF-16 code units: O(n log n) in the keys of one object. `isLeftOut` is asked for the keys of the
 * value itself, not for those inside of it.
 *
 * @example canonicalJson({ b: [1, ' x'], a: null }) // '{"a":null,"b":[1," x"]}'
 */
export function canonicalJson(value: unknown, isLeftOut?: (key: string) => boolean): string {
  if (isLeaf(value)) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  const record = value as JsonRecord;
  const keys = Object.keys(record);
  const pairs = (isLeftOut ? keys.filter((key) => !isLeftOut(key)) : keys)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${pairs.join(',')}}`;
}

/** Every text inside of `value`, keys left out, in order. For values without a fault. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return isExactNumber(value) ? [] : [value];
  return isLeaf(value) ? [] : Object.values(value as object).flatMap(textsIn);
}

/** The texts and numbers of these keys as texts, trimmed; blank ones and other values are left out. */
export function wordsAt(record: JsonRecord, keys: readonly string[]): readonly string[] {
  const values = keys.map((key) => ownValue(record, key));
  const words = values.map((value) =>
    typeof value === 'string' || typeof value === 'number' ? leafText(value).trim() : '',
  );
  return words.filter((word) => word !== '');
}

/** The first text of these keys that is not blank, trimmed; empty where there is none. */
export function firstText(record: JsonRecord, keys: readonly string[]): string {
  const values = keys.map((key) => ownValue(record, key));
  const texts = values.filter((value): value is string => typeof value === 'string' && !isExactNumber(value));
  return texts.map((text) => text.trim()).find((text) => text !== '') ?? '';
}

/** True for a text in which nothing can be seen: empty, blanks, control and format characters. */
export function isBlankText(text: string): boolean {
  return !/[^\s\p{C}\p{Z}]/u.test(text);
}

/** True for a value that says nothing: `null`, a blank text, a list or an object of nothing else. */
export function isBlankValue(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return isBlankText(value);
  return !isLeaf(value) && Object.values(value as object).every(isBlankValue);
}

/** Part of a value that is said in one line: what has parts itself is bracketed. */
function saidPart(value: unknown): string {
  const said = saidInLine(value);
  return isLeaf(value) || said === '' ? said : `(${said})`;
}

/**
 * A value in one line; keys and items that say nothing are left out. For values without a fault.
 *
 * @example saidInLine({ blocker: 'prod DB locked', impact: 'S1' }) // 'blocker: prod DB locked; impact: S1'
 */
export function saidInLine(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isLeaf(value)) return toOneLine(leafText(value));
  if (Array.isArray(value)) {
    const items = value.map((item) => (Array.isArray(item) ? saidPart(item) : saidInLine(item)));
    return items.filter((item) => item !== '').join(', ');
  }
  const record = value as JsonRecord;
  const pairs = Object.keys(record).map((key) => [toOneLine(key), saidPart(ownValue(record, key))] as const);
  return pairs.flatMap(([key, said]) => (said === '' ? [] : [`${key}: ${said}`])).join('; ');
}

/** What an essential says, an item a line: a list's items, anything else as one. */
export function saidItems(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => (typeof item === 'string' ? leafText(item) : saidInLine(item)));
}

/** The same in English, for what agents read. */
export function kindOf(value: unknown): string {
  return inEnglish(kindWords(value));
}

/** The kind of a value, for messages: `a string`, `a list`. */
export function kindWords(value: unknown): Phrase {
  if (value === null || value === undefined) return phrase('nothing');
  if (typeof value === 'string' && !isExactNumber(value)) return phrase('a string');
  if (typeof value === 'number' || isExactNumber(value)) return phrase('a number');
  if (typeof value === 'boolean') return phrase('true or false');
  return Array.isArray(value) ? phrase('a list') : phrase('an object');
}
