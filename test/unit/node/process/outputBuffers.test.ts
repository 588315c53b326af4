import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadBuffer, TailBuffer } from '../../../../src/node/process/outputBuffers';

const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 20 });

describe('HeadBuffer', () => {
  it('leaves out the character that the cap cuts', () => {
    const head = new HeadBuffer(4);
    expect(head.push(new TextEncoder().encode('a中'))).toBe(true);
    expect(head.push(new TextEncoder().encode('文'))).toBe(false);
    expect(head.text()).toBe('a中');
    const cut = new HeadBuffer(3);
    expect(cut.push(new TextEncoder().encode('a中'))).toBe(false);
    expect(cut.text()).toBe('a');
  });

  it('shows bytes that are no UTF-8 as U+FFFD', () => {
    const head = new HeadBuffer(10);
    head.push(new Uint8Array([0x61, 0xff]));
    expect(head.text()).toBe('a\uFFFD');
  });

  it('decodes however the bytes were split', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, at) => {
        const bytes = new TextEncoder().encode(text);
        const head = new HeadBuffer(bytes.length + 1);
        head.push(bytes.subarray(0, at));
        head.push(bytes.subarray(at));
        expect(head.text()).toBe(text);
      }),
    );
  });
});

describe('TailBuffer', () => {
  it('keeps exactly the last bytes, however they arrive', () => {
    fc.assert(
      fc.property(chunks, fc.integer({ min: 4, max: 50 }), (parts, cap) => {
        const ascii = parts.map((part) => part.map((byte) => 0x20 + (byte % 0x50)));
        const tail = new TailBuffer(cap);
        for (const part of ascii) tail.push(part);
        expect(tail.text()).toBe(Buffer.concat(ascii).toString('latin1').slice(-cap));
      }),
    );
  });

  it('leaves out the character that the cap cuts', () => {
    const tail = new TailBuffer(4);
    tail.push(new TextEncoder().encode('中文a'));
    expect(tail.text()).toBe('文a');
  });
});
