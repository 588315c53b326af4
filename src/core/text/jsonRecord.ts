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

/** The value of a JSON text; undefined, which no JSON text means, where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message names columns, which do not help with generated lines.
    return undefined;
  }
}

/** What programs write has a few levels. With ten thousand, `JSON.stringify` runs out of stack. */
const MAX_LEVELS = 1_000;

/** True if functions that call themselves for each level can go through the value. */
export function isShallow(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
