/** Arrays of numbers, put together. */

/** One array of several; not copied when there is only one with bytes. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter(({ length }) => length > 0);
  const [first] = filled;
  if (first !== undefined && filled.length === 1) return first;
  const whole = new Uint8Array(filled.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of filled) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Copies of arrays as parts of one: thousands of small buffers leave holes in the memory of a process. */
export function partsOfOne<T extends Uint8Array | Uint32Array>(
  arrays: readonly T[],
  make: new (length: number) => T,
): T[] {
  const whole = new make(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  return arrays.map((array) => {
    whole.set(array, at);
    at += array.length;
    return whole.subarray(at - array.length, at) as T;
  });
}
