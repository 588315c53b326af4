/** An object of JSON. Read it with {@link ownValue}: a key such as `__proto__` or `constructor` is data like any other. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of `key` itself, never one that is inherited. */
export function ownValue(record: JsonRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Values are written out by calling themselves for each level; no log is nested deeper than this. */
export const MAX_DEPTH = 200;

/** Values inside of one value; lists that hold the same list again and again would grow without end when written. */
const MAX_VALUES = 20_000_000;

/** Why a value cannot be written as JSON. */
export type JsonFault = 'cycle' | 'tooDeep' | 'tooLarge' | 'notJson';

interface Level {
  readonly owner: object;
  readonly children: readonly unknown[];
  next: number;
}

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

function levelOf(value: object): Level {
  return { owner: value, children: Array.isArray(value) ? value : Object.values(value), next: 0 };
}

/**
 * Says whether `value` is JSON that can be written: no cycle, nested at most {@link MAX_DEPTH} deep, nothing but texts,
 * finite numbers, booleans, `null`, lists and objects. Linear; never runs out of stack.
 */
export function faultOf(value: unknown): JsonFault | undefined {
  if (isLeaf(value)) return leafFault(value);
  const path: Level[] = [levelOf(value as object)];
  let count = 1;
  for (let level = path.at(-1); level; level = path.at(-1)) {
    if (level.next >= level.children.length) {
      path.pop();
      continue;
    }
    const child = level.children[level.next++];
    if (++count > MAX_VALUES) return 'tooLarge';
    if (isLeaf(child)) {
      const fault = leafFault(child);
      if (fault) return fault;
      continue;
    }
    if (path.some(({ owner }) => owner === child)) return 'cycle';
    if (path.length >= MAX_DEPTH) return 'tooDeep';
    path.push(levelOf(child as object));
  }
  return undefined;
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

/** The kind of a value, for messages: `a text`, `a list`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    default:
      return 'an object';
  }
}
