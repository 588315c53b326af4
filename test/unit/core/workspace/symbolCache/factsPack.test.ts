import { describe, expect, it } from 'vitest';
import { encodePack, factsKey, isOwnPack, readPackHead } from '../../../../../src/core/workspace/symbolCache/factsPack';

const FACTS = [
  { key: '01ts.ts', encoded: new Uint8Array([1, 2, 3]) },
  { key: '02go.go', encoded: new Uint8Array(0) },
  { key: '03go.go', encoded: new Uint8Array([4]) },
];

describe('factsKey', () => {
  it.each([
    ['a.ts', 'src/b.ts', true],
    ['a/index.ts', 'b/index.ts', true],
    ['a.ts', 'a.tsx', false],
    ['a.d.ts', 'a.ts', false],
    ['a.h', 'a.c', false],
    ['Dockerfile', 'x/Dockerfile', true],
  ])('of %s and %s at one content: the same is %s', (a, b, isSame) => {
    expect(factsKey(a, '0123456789abcdef') === factsKey(b, '0123456789abcdef')).toBe(isSame);
    expect(factsKey(a, '0123456789abcdef')).not.toBe(factsKey(b, '0123456789abcde0'));
  });
});

describe('a pack', () => {
  it('says what is where in its body', () => {
    const { name, head, body, places } = encodePack(FACTS, '1');
    expect(isOwnPack(name)).toBe(true);
    expect(readPackHead(name, head)).toEqual(places);
    expect(places.map(({ key, start, end }) => ({ key, encoded: body.slice(start, end) }))).toEqual(FACTS);
  });

  it('has a name of its own, even when its contents are the same', () => {
    expect(encodePack(FACTS, '2').name).not.toBe(encodePack(FACTS, '1').name);
    expect(encodePack(FACTS.slice(1), '1').name).not.toBe(encodePack(FACTS, '1').name);
    expect(encodePack(FACTS, '2').body).toEqual(encodePack(FACTS, '1').body);
  });

  it('is not read when cut, of another name or of another version', () => {
    const { name, head } = encodePack(FACTS, '1');
    for (let size = 0; size < head.length; size++) expect(readPackHead(name, head.subarray(0, size))).toBeUndefined();
    expect(readPackHead(encodePack([], '1').name, head)).toBeUndefined();
    expect(isOwnPack(`0000000000000000-${name.slice(17)}`)).toBe(false);
  });
});
