import { describe, expect, it } from 'vitest';
import { InnerPlaces, rangesWithoutBodies } from '../../../../../src/core/repomap/facts/bodyRanges';

const HEAD = /^[ \t]*func [^\n]*\{$/u;
const BODY = `${'  work(and, more, work)\n'.repeat(8)}`;
const DEEP = BODY.replaceAll(/^/gmu, '  ').trimEnd().concat('\n');

function kept(text: string, proseLines: readonly number[] = []): string | undefined {
  return rangesWithoutBodies(text, HEAD, new Set(proseLines))
    ?.map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex))
    .join('');
}

function leftOf(text: string, places: InnerPlaces, proseLines: readonly number[] = []): string | undefined {
  return rangesWithoutBodies(text, HEAD, new Set(proseLines), places)
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

  it('keeps the statements of a long body that have a place for a definition, with what is said of them', () => {
    const inner = `  // says\n  @mark\n  func g() {\n${DEEP}    var x\n  }\n  func h() {\n${DEEP}  }\n`;
    const text = `func f() {\n${BODY.repeat(4)}${inner}}\nfunc k() {\n${BODY}var x\n}\n`;
    const places = new InnerPlaces(text, /\bvar x$/gmu);
    const left = leftOf(text, places);
    expect(left).toBe(`func f() {\n${inner.slice(0, inner.indexOf('  func h'))}}\nfunc k() {\n}\n`);
    expect(places.isBetween(0, text.indexOf('var x'))).toBe(false);
  });

  it('keeps statements whole, over blank lines, cases, chains and texts', () => {
    const whole = '  switch(a) {\n  case 1:\n\n    var x\n  }\n  .then(b)\n  `\n  not code\n  `\n';
    const text = `func f() {\n${BODY.repeat(4)}${whole}${BODY}}\n`;
    const prose = [...text.split('\n').entries()].filter(([, line]) => line === '  not code').map(([row]) => row);
    const left = leftOf(text, new InnerPlaces(text, /\bvar x$/gmu), [...prose, (prose[0] as number) + 1]);
    expect(left).toBe(`func f() {\n${whole.slice(0, whole.indexOf('  `'))}}\n`);
  });

  it('keeps a long body whole where a line stands before the others', () => {
    const text = `func f() {\n${BODY.repeat(4)}label:\n  var x\n}\n`;
    expect(rangesWithoutBodies(text, HEAD, new Set(), new InnerPlaces(text, /\bvar x$/gmu))).toBeUndefined();
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
