import type { JsonRecord } from '../text/jsonRecord';
import { inEnglish, type Phrase, phrase } from '../text/phrase';

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
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'object':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : 'notJson';
    default:
      return 'notJson';
  }
}

/** Checks values one by one; `path` holds the lists and objects around the one at hand. */
class FaultFinder {
  readonly #path: object[] = [];
  #left = MAX_VALUES;

  find(value: unknown): JsonFault | undefined {
    if (--this.#left < 0) return 'tooLarge';
    if (typeof value !== 'object' || value === null) return leafFault(value);
    if (this.#path.includes(value)) return 'cycle';
    if (this.#path.length >= MAX_DEPTH) return 'tooDeep';
    this.#path.push(value);
    const fault = Array.isArray(value) ? this.#inList(value) : this.#inRecord(value as JsonRecord);
    this.#path.pop();
    return fault;
  }

  #inList(list: readonly unknown[]): JsonFault | undefined {
    for (const item of list) {
      const fault = this.find(item);
      if (fault) return fault;
    }
    return undefined;
  }

  #inRecord(record: JsonRecord): JsonFault | undefined {
    for (const key of Object.keys(record)) {
      const fault = this.find(record[key]);
      if (fault) return fault;
    }
    return undefined;
  }
}

/**
 * Says whether `value` is JSON that can be written: no cycle, nested at most {@link MAX_DEPTH} deep, nothing but texts,
 * finite numbers, booleans, `null`, lists and objects. Linear; never runs out of stack, since it stops at that depth.
 */
export function faultOf(value: unknown): JsonFault | undefined {
  return isLeaf(value) ? leafFault(value) : new FaultFinder().find(value);
}

function quoted(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/**
 * The same text for the same JSON value, whatever the order of its keys. For values without a fault ({@link faultOf}).
 * Keys are sorted by UTF-16 code units: O(n log n) in the keys of one object.
 *
 * @example canonicalJson({ b: [1, ' x'], a: null }) // '{"a":null,"b":[1," x"]}'
 */
export function canonicalJson(value: unknown): string {
  if (isLeaf(value)) return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const record = value as JsonRecord;
  const pairs = Object.keys(record)
    .sort()
    .map((key) => `${quoted(key)}:${canonicalJson(record[key])}`);
  return `{${pairs.join(',')}}`;
}

/** Characters of a text that a print looks at, evenly over it. */
const PRINT_CHARS = 32;

function textPrint(text: string): number {
  const step = Math.max(1, Math.floor(text.length / PRINT_CHARS));
  let print = text.length;
  for (let at = 0; at < text.length; at += step) print = (Math.imul(print, 31) + text.charCodeAt(at)) | 0;
  return print;
}

/**
 * A number that is the same for the same JSON value, whatever the order of its keys, and mostly another for another:
 * tells at a tenth of the cost of {@link canonicalJson} that two values differ. For values without a fault.
 */
export function jsonPrint(value: unknown): number {
  if (typeof value === 'string') return textPrint(value);
  if (typeof value === 'number') return Math.imul((value * 1000) | 0, 0x9e3779b1);
  if (typeof value !== 'object' || value === null) return value === true ? 3 : value === false ? 5 : 7;
  if (Array.isArray(value)) {
    return value.reduce<number>((print, item) => (Math.imul(print, 31) + jsonPrint(item)) | 0, value.length + 11);
  }
  const record = value as JsonRecord;
  let print = 13;
  // A sum does not depend on the order.
  for (const key of Object.keys(record)) print = (print + Math.imul(textPrint(key), jsonPrint(record[key]) | 1)) | 0;
  // Small integers are what maps are fast with.
  return print & 0x3fffffff;
}

/** Every text inside of `value`, keys left out, in order. For values without a fault. */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === 'string') texts.push(part);
    else if (!isLeaf(part)) for (const child of Object.values(part as object)) visit(child);
  };
  visit(value);
  return texts;
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

/** The same in English, for what agents read. */
export function kindOf(value: unknown): string {
  return inEnglish(kindWords(value));
}

/** The kind of a value, for messages: `a text`, `a list`. */
export function kindWords(value: unknown): Phrase {
  if (value === null || value === undefined) return phrase('nothing');
  if (Array.isArray(value)) return phrase('a list');
  switch (typeof value) {
    case 'string':
      return phrase('a text');
    case 'number':
      return phrase('a number');
    case 'boolean':
      return phrase('true or false');
    default:
      return phrase('an object');
  }
}
