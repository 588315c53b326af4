import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '../../../../../src/core/repomap/facts/varint';

const numbers = fc.array(fc.oneof(fc.nat(300), fc.nat(0xffffffff), fc.constant(0xffffffff)), { maxLength: 600 });

describe('varint', () => {
  it('gives back the numbers and bytes that were written', () => {
    fc.assert(
      fc.property(numbers, fc.uint8Array({ maxLength: 3000 }), (written, bytes) => {
        const out = new ByteWriter();
        for (const number of written) out.number(number);
        out.append(bytes);
        const reader = new ByteReader(out.bytes());
        expect([...reader.numbers(written.length)]).toEqual(written);
        expect(reader.left).toBe(bytes.length);
        const twice = new ByteWriter();
        twice.number(1);
        twice.appendFrom(out);
        expect(twice.bytes().subarray(1)).toEqual(out.bytes());
        expect(out.bytes().subarray(reader.at)).toEqual(bytes);
      }),
    );
  });

  it('passes over parts behind their lengths, as reading each length does, also where the bytes end before', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { maxLength: 40 }), fc.nat(45), fc.nat(300), (lengths, count, cut) => {
        const out = new ByteWriter();
        for (const length of lengths) {
          out.number(length);
          out.append(new Uint8Array(length).fill(7));
        }
        const bytes = out.bytes().subarray(0, Math.max(0, out.length - cut));
        const [slow, quick] = [new ByteReader(bytes), new ByteReader(bytes)];
        for (let part = 0; part < count; part++) {
          const length = slow.number();
          slow.at += Math.min(slow.left, length);
        }
        quick.skipParts(count);
        expect(quick.at).toBe(slow.at);
      }),
    );
  });

  it('starts anew when it is cleared, and what was taken for keeps stays', () => {
    const out = new ByteWriter();
    out.number(300);
    const kept = out.bytes();
    out.clear();
    out.number(1);
    expect([...kept]).toEqual([172, 2]);
    expect([...out.bytes()]).toEqual([1]);
  });

  it('reads 0 past the end', () => {
    const reader = new ByteReader(Uint8Array.from([0x80]));
    expect([...reader.numbers(3)]).toEqual([0, 0, 0]);
    expect(reader.left).toBe(0);
  });
});
