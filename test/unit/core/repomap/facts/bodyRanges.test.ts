import { describe, expect, it } from 'vitest';
import { InnerPlaces, rangesWithoutBodies } from '../../../../../src/core/repomap/facts/bodyRanges';

const HEAD = /^[ \t]*func [^\n]*\{$/u;
const BODY = `${'  work(and, more, work)\n'.repeat(8)}`;

function kept(text: string, proseLines: readonly number[] = []): string | undefined {
  return rangesWithoutBodies(text, HEAD, new Set(proseLines))
    ?.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex))
    .join('');
}

describe('rangesWithoutBodies', () => {
  it('leaves out what is between a head and the brace of the same indent', () => {
    const text = `var a\nfunc f() {\n${BODY}}\n  func g() {\n  ${BODY}  }\nvar b\n`;
    expect(kept(text)).toBe('var a\nfunc f() {\n}\n  func g() {\n  }\nvar b\n');
  });

  it('places its ranges by row and column', () => {
    const text = `var a\nfunc f() {\n${BODY}}\nvar b`;
    expect(rangesWithoutBodies(text, HEAD, new Set())).toMatchObject([
      { startIndex: 0, startPosition: { row: 0, column: 0 }, endPosition: { row: 1, column: 10 } },
      { startPosition: { row: 9, column: 23 }, endPosition: { row: 11, column: 5 }, endIndex: text.length },
    ]);
  });

  it('keeps short bodies, heads without an end, and heads inside of comments and strings', () => {
    expect(kept('func f() {\n  a()\n}\n')).toBeUndefined();
    expect(kept(`func f() {\n${BODY}`)).toBeUndefined();
    expect(kept(`\`\nfunc f() {\n${BODY}}\n\``, [1])).toBeUndefined();
  });

  it('keeps a long body with a place for a definition, and in it what has one', () => {
    const inner = `  func g() {\n  ${BODY}  var x\n  }\n  func h() {\n  ${BODY}  }\n`;
    const text = `func f() {\n${BODY.repeat(4)}${inner}}\nfunc k() {\n${BODY}var x\n}\n`;
    const places = new InnerPlaces(text, /\bvar x$/gmu);
    const ranges = rangesWithoutBodies(text, HEAD, new Set(), places);
    const left = ranges?.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex)).join('');
    expect(left).toBe(`func f() {\n${BODY.repeat(4)}${inner.replace(`h() {\n  ${BODY}`, 'h() {\n')}}\nfunc k() {\n}\n`);
    expect(places.isBetween(0, text.indexOf('var x'))).toBe(false);
  });

  it('takes a brace on a line of its own with the line before', () => {
    const head = /^func [^\n]*\n\{$/u;
    const text = `func f()\n{\n${BODY}}\n`;
    expect(rangesWithoutBodies(text, head, new Set())?.map(({ startIndex }) => startIndex)).toEqual([
      0,
      10 + BODY.length,
    ]);
  });

  it('is linear in heads that never end', () => {
    expect(kept('func f() {\n'.repeat(20_000))).toBeUndefined();
  });
});
