import { describe, expect, it } from 'vitest';
import { readFrontmatter } from '../../../../src/core/agents/frontmatter';

const read = (text: string) => Object.fromEntries(readFrontmatter(text).values);

describe('readFrontmatter', () => {
  it('reads texts, flow lists and block lists', () => {
    const text = '---\na: one # said\nb: "x # y"\nc: [p, "q, r", \'s\']\nd:\n  - "t"\n  - u\ne:\n---\nbody: no\n';
    expect(read(text)).toEqual({ a: ['one'], b: ['x # y'], c: ['p', 'q, r', 's'], d: ['t', 'u'], e: [] });
  });

  it('reads globs that no YAML parser takes', () => {
    expect(read('---\nglobs: *.ts,**/*.{js,jsx}\n---\n')).toEqual({ globs: ['*.ts,**/*.{js,jsx}'] });
  });

  it('does not split a flow list inside braces, but after them', () => {
    expect(read('---\nglobs: [src/{a,{b,c},d}.ts, docs, {a}}, b]\n---\n')).toEqual({
      globs: ['src/{a,{b,c},d}.ts', 'docs', '{a}}', 'b'],
    });
  });

  it.each([
    ['a: [\n  "p",\n  q, # said]\n\n  {r,s}\n]\nb: c', { a: ['p', 'q', '{r,s}'], b: ['c'] }],
    ['a:\n  [\n    "p",\n  ]\nb: c', { a: ['p'], b: ['c'] }],
    ['a: [p,\r\n  q] # said\r\nb: [\r\n]', { a: ['p', 'q'], b: [] }],
    ['a: [p,\n  q\nb: c]', { a: ['[p,'], b: ['c]'] }],
    ['a:\n  - "[p"\n  - q]', { a: ['[p', 'q]'] }],
    ['a: p\n  [q]', { a: ['p'] }],
  ])('reads lists in brackets over several lines: %j', (text, values) => {
    expect(read(`---\n${text}\n---\n`)).toEqual(values);
  });

  it('reads keys in quotes, and truth values in any case', () => {
    const text = '"a b": True\n\'c\' : FALSE # said\nd: "True"\ne: [TRUE, Truest]\n"f: g\n';
    expect(read(`---\n${text}---\n`)).toEqual({
      'a b': ['true'],
      c: ['false'],
      d: ['True'],
      e: ['true', 'Truest'],
    });
  });

  it('takes CRLF, and says where the text goes on', () => {
    const text = '---\r\na: b\r\n---\r\nbody';
    expect(readFrontmatter(text).end).toBe(text.indexOf('body'));
    expect(read(text)).toEqual({ a: ['b'] });
  });

  it.each(['', 'a: b', '---\na: b\n', ' ---\na: b\n---\n', '----\na: b\n---\n'])('finds none in %j', (text) => {
    expect(readFrontmatter(text)).toEqual({ values: new Map(), end: 0 });
  });
});
