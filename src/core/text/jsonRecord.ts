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
