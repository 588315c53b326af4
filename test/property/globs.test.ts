import fc from 'fast-check';
import picomatch from 'picomatch/posix';
import { describe, expect, it } from 'vitest';
import { globMatcher, linearMatcher } from '../../src/core/files/glob';
import { runs } from '../support/runs';

const namePart = fc.constantFrom('a', 'b', 'ab', '.', '*', '?', '[ab]', '[^a]', '[!a]', '{a,b}', 'x');
const namePattern = fc
  .array(namePart, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('').replace(/\*+/g, '*'));
const globs = fc
  .array(fc.oneof({ weight: 3, arbitrary: namePattern }, { weight: 1, arbitrary: fc.constant('**') }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((names) => names.join('/'))
  // Whether `x/**` is `x` too depends on what x is with the library; files are never asked that.
  .filter((glob) => glob === '**' || !glob.endsWith('**'));
const pathName = fc
  .array(fc.constantFrom('a', 'b', '.', 'x'), { minLength: 1, maxLength: 5 })
  .map((characters) => characters.join(''))
  // `*.*` wants something behind its dot with the library.
  .filter((name) => !name.endsWith('.'));
const paths = fc.array(pathName, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

describe('globs', () => {
  it('match as the library does, when matched in linear time', () => {
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        const expected = picomatch(glob, { dot: true, nonegate: true, noextglob: true })(path);
        expect(linearMatcher(glob, false)(path), `${glob} over ${path}`).toBe(expected);
      }),
      runs(400, 5000),
    );
  });

  it('match a path by its own name, whatever is in it', () => {
    const names = fc.stringMatching(/^[a-z()+|@!, -]{1,12}$/);
    fc.assert(
      fc.property(names, names, (folder, name) => {
        expect(globMatcher(`${folder}/*`)(`${folder}/${name}`)).toBe(true);
      }),
    );
  });

  // Each of these took the library's expression minutes, or for ever.
  it.each([
    ['*a*a*a*a*a*a*a*a*b', 'a'.repeat(255)],
    ['**/a/**/a/**/a/**/a/**/b', `${'a/'.repeat(1500)}a`],
    ['(a+)+b', 'a'.repeat(255)],
    ['+(a|aa)b', 'a'.repeat(255)],
    ['{a,aa}+b', 'a'.repeat(255)],
    [`${'{a,aa}'.repeat(20)}b`, 'a'.repeat(255)],
    ['[a]+[a]+[a]+[a]+[a]+[a]+b', 'a'.repeat(255)],
    ['{*a*a*,*a*a*a}*a*b', 'a'.repeat(255)],
    [`${'*a*a/'.repeat(8)}*a*b`, `${`${'a'.repeat(200)}/`.repeat(8)}${'a'.repeat(200)}`],
    ['**/*a*a/**/*a*a/*a*a/*a*a/*a*b', `${`${'a'.repeat(200)}/`.repeat(18)}a`],
    [`${'{a,b,c,d,e,f,g,h}'.repeat(200)}*a*b`, 'a'.repeat(255)],
  ])('%s ends', (glob, path) => {
    expect(globMatcher(glob)(path)).toBe(false);
  });
});
