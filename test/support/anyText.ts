import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any code point but half a surrogate pair: what fast-check calls `binary`, without its table of a million units. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count),
  (unit) => {
    const at = typeof unit === 'string' ? unit.codePointAt(0) : undefined;
    if (at === undefined || String.fromCodePoint(at) !== unit) throw new Error('Not one code point');
    return at < SURROGATES.from ? at : at - SURROGATES.count;
  },
);

/** Texts of any characters. */
export function anyText(length: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ unit: codePoint, ...length });
}
