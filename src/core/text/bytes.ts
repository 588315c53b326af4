/** Arrays of numbers, put together. */

const ENCODER = new TextEncoder();

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

/** Bytes of a text in UTF-8. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    length += code < 0x800 ? 1 : 2;
    // A surrogate pair takes four bytes.
    if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at++;
  }
  return length;
}

/** Texts in UTF-8, one after another, and how many bytes each takes. They are encoded at once. */
export function encodeTexts(texts: readonly string[]): { readonly bytes: Uint8Array; readonly lengths: Uint32Array } {
  const joined = texts.join('');
  const bytes = ENCODER.encode(joined);
  const lengths = new Uint32Array(texts.length);
  const isAscii = bytes.length === joined.length;
  let sum = 0;
  for (let at = 0; at < lengths.length; at++) {
    const text = texts[at] as string;
    const length = isAscii ? text.length : utf8Length(text);
    lengths[at] = length;
    sum += length;
  }
  if (sum === bytes.length) return { bytes, lengths };
  // Together, halves of a surrogate pair at the ends of two texts became one letter.
  const parts = texts.map((text) => ENCODER.encode(text));
  for (let at = 0; at < lengths.length; at++) lengths[at] = (parts[at] as Uint8Array).length;
  return { bytes: joinBytes(parts), lengths };
}
