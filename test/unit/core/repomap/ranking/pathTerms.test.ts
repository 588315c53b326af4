import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PathTerms } from '../../../../../src/core/repomap/ranking/pathTerms';
import { splitIdentifier } from '../../../../../src/core/text/terms';

const segment = fc
  .array(
    fc.constantFrom('read', 'File', 'HTTP', 'mod', 'größe', 'Größe', '名前', 'İd', 'ΟΔΟΣ', '-', '_', '.', ' ', 'v2'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));
const path = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '.ts', '.test.ts'))
  .map(([segments, extension]) => segments.join('/') + extension);

/** Every path taken apart. */
function termsOf(each: string): ReadonlySet<string> {
  const segments = each.replace(/\.\w+$/u, '').split(/[/.\-\s]+/u);
  return new Set(segments.flatMap((one) => (one === '' ? [] : [...splitIdentifier(one), one.toLowerCase()])));
}

describe('PathTerms', () => {
  it('finds the paths that hold a term as if each was taken apart', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 20 }), (paths) => {
        const terms = new PathTerms(paths);
        const all = paths.map(termsOf);
        for (const term of new Set([...all.flatMap((one) => [...one]), 'ead', 'ts', '', 'elsewhere'])) {
          const holders = all.flatMap((one, at) => (one.has(term) ? [at] : []));
          for (const time of ['first', 'again']) expect(terms.get(term), `${term}, ${time}`).toEqual(holders);
        }
      }),
    );
  });

  it('calls a file by its own name, or by that of its folder, and has each part as a term of the path', () => {
    const paths = ['src/readFile.test.ts', 'src/http-server/index.ts', 'pkg/my_mod/__init__.py', 'main.go'];
    const terms = new PathTerms(paths);
    expect(paths.map((_, at) => terms.nameParts(at))).toEqual([
      ['read', 'file'],
      ['http', 'server'],
      ['my', 'mod'],
      ['main'],
    ]);
    paths.forEach((_, at) => {
      for (const part of terms.nameParts(at)) expect(terms.get(part)).toContain(at);
    });
  });
});
