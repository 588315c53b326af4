import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFacts, openFacts, packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import type { Definition, FileFacts } from '../../../../../src/core/repomap/facts/types';
import type { IndexedFile } from '../../../../../src/core/repomap/index/indexedFile';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { openSegment } from '../../../../../src/core/repomap/index/segment';
import type { Packing } from '../../../../../src/core/repomap/index/storedDefinitions';
import { StoredIndex } from '../../../../../src/core/repomap/index/storedIndex';
import { PostingReader } from '../../../../../src/core/repomap/index/wordPostings';
import { definition, facts } from '../../../../support/repoMapBuilders';
import { runs } from '../../../../support/runs';

const ZLIB: Packing = {
  pack: (bytes) => deflateRawSync(bytes),
  unpack: (bytes, size) => inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) }),
};

const hashOf = (seed: number): string => seed.toString(16).padStart(16, '0');
const word = fc.oneof(
  fc.constantFrom('load', 'Store', 'größe', '名前', '\uFEFFx'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);

/** A namespace around one class, a method from elsewhere, and what a scan of lines found. */
const SHAPES: readonly Partial<Definition>[] = [
  { kind: 'namespace' },
  { kind: 'class', parent: 0 },
  { kind: 'method', scope: 'A.B', isLocal: true },
  { isLocal: true, isGuessed: true },
];

/** Postings of so many words, one occurrence in the file's own lines each. */
function postingsOf(count: number): Uint8Array {
  return Uint8Array.from({ length: count * 2 }, (_, at) => (at % 2 === 0 ? 1 : (1 << 3) | (at % 3)));
}

const file = fc
  .record({
    hash: fc.nat({ max: 30 }),
    names: fc.array(word, { maxLength: 4 }),
    words: fc.uniqueArray(word, { maxLength: 8 }),
    mentioned: fc.nat({ max: 8 }),
    outcome: fc.constantFrom('parsed', 'partial', 'scanned', 'lineScan', 'binary', 'failed'),
    isGenerated: fc.boolean(),
    language: fc.constantFrom('typescript', 'go', undefined),
  })
  .map(({ hash, names, words, mentioned, outcome, isGenerated, language }): FileFacts => {
    const isRead = outcome !== 'binary' && outcome !== 'failed';
    const references = isRead ? words.slice(0, mentioned).map((name, at) => [name, at + 1] as const) : [];
    return {
      ...facts(`src/f${hash}.ts`, []),
      ...{ contentHash: hashOf(hash), outcome, language, references, lineCount: hash * 3 },
      definitions:
        isRead && outcome !== 'scanned'
          ? names.map((name, at) => definition(name, { lineStart: at + 1, lineEnd: at + 9, ...SHAPES[at] }))
          : [],
      ...(isGenerated ? { isGenerated } : {}),
      ...(isRead ? { words: { others: words.slice(references.length), postings: postingsOf(words.length) } } : {}),
    };
  });
const folder = fc.uniqueArray(file, { maxLength: 12, selector: ({ path }) => path });

/** All that an index says of a file, words as strings. */
function said(index: RepoIndex, each: IndexedFile) {
  const { path, outcome, family, pathClass, hasPostings, isGuessed } = each;
  const definitions = each.definitions.map(
    ({ kind, name, signature, doc, lineStart, lineEnd, parent, scope, isLocal, isGuessed }) => ({
      ...{ kind, name, signature, doc, lineStart, lineEnd, parent, scope, isLocal, isGuessed },
    }),
  );
  const { contentHash, language, lineCount, isGenerated = false, definitionCount } = each.facts;
  const strings = (ids: Iterable<number>): string[] => Array.from(ids, (id) => index.vocabulary.wordOf(id));
  const postings: number[] = [];
  const reader = new PostingReader();
  reader.open(each.postings);
  for (const _ of hasPostings ? each.words : []) {
    reader.nextWord();
    while (reader.next()) postings.push(reader.owner, reader.code, reader.comment, reader.string);
  }
  return {
    ...{ path, outcome, family, pathClass, hasPostings, definitions, isGuessed, contentHash, language, lineCount },
    ...{ isGenerated, definitionCount, postings, words: strings(each.words), names: strings(each.nameWords) },
    ...{ counts: [...each.referenceCounts], lengths: [...each.lengths], scanned: [...each.scanned.lengths] },
    symbols: definitions.map((_, at) => each.symbol(at)),
    rows: definitions.map((_, at) => [each.rowOf(at), each.rowParent(at), each.isInner[at], each.equalLines(at)]),
  };
}

let vocabularies = 0;

/** A process that looked at files; those of one `vocabulary` take words in the same order. */
function filled(files: readonly FileFacts[], vocabulary = ++vocabularies) {
  const index = new RepoIndex(7, [vocabulary]);
  const stored = new StoredIndex(index, ZLIB);
  for (const each of files) index.upsert(openFacts(encodeFacts(each)));
  return { index, stored };
}

/** A process that finds segments. */
function opened(segments: readonly Uint8Array[], packing = ZLIB) {
  const index = new RepoIndex(9, [++vocabularies]);
  const stored = new StoredIndex(index, packing);
  stored.load(segments.map((bytes) => bytes.slice()));
  return { index, stored };
}

const isKept = ({ outcome }: FileFacts): boolean => outcome !== 'failed';
const all = (files: readonly FileFacts[], { index }: { readonly index: RepoIndex }) =>
  files.filter(isKept).map(({ path }) => said(index, index.fileAt(path) as IndexedFile));

describe('StoredIndex', () => {
  it('gives back every file as it was, from one segment or several', () => {
    fc.assert(
      fc.property(folder, fc.nat({ max: 12 }), fc.boolean(), (files, split, isTwice) => {
        const first = filled(files);
        const paths = files.map(({ path }) => path);
        const parts = [paths.slice(0, split), paths.slice(split)].map((some) => first.stored.save(some));
        let segments = parts.flatMap((saved) => saved?.bytes ?? []);
        if (isTwice) {
          // What was read is written again, without decoding it.
          const second = opened(segments);
          second.stored.adopt(files);
          segments = [second.stored.save('all')?.bytes ?? []].flat();
        }
        const last = opened(segments);
        const refused = last.stored.adopt(files);
        expect(refused).toEqual(files.filter((each) => !isKept(each)).map(({ path }) => path));
        expect(all(files, last)).toEqual(all(files, first));
      }),
      runs(30, 600),
    );
  });

  it('reads segments of several processes together, whichever wrote most words', () => {
    fc.assert(
      fc.property(folder, folder, fc.nat({ max: 12 }), (some, others, split) => {
        const taken = new Set(some.map(({ contentHash }) => contentHash));
        const rest = others.filter(({ contentHash }) => !taken.has(contentHash));
        const [first, second] = [filled(some), filled(rest)];
        const paths = some.map(({ path }) => path);
        const saved = [
          first.stored.save(paths.slice(0, split)),
          second.stored.save('all'),
          first.stored.save(paths.slice(split)),
        ].flatMap((each) => each?.bytes ?? []);
        for (const segments of [saved, saved.toReversed()]) {
          const last = opened(segments);
          last.stored.adopt([...some, ...rest]);
          expect([...all(some, last), ...all(rest, last)]).toEqual([...all(some, first), ...all(rest, second)]);
        }
      }),
      runs(30, 600),
    );
  });

  it('knows a content at another path, and not under another language', () => {
    const { stored } = filled([{ ...facts('a/b.ts', ['load']), contentHash: hashOf(1) }]);
    const saved = stored.save(['a/b.ts']);
    const { index, stored: other } = opened([saved?.bytes as Uint8Array]);
    const asked = ['x/y/c.ts', 'x/y/c.py', 'x/y/d.ts'].map((path, at) => ({
      path,
      contentHash: hashOf(at === 2 ? 2 : 1),
    }));
    expect(other.adopt(asked)).toEqual(['x/y/c.py', 'x/y/d.ts']);
    expect(index.fileAt('x/y/c.ts')?.symbol(0)?.path).toBe('x/y/c.ts');
  });

  it('says the same of files once they share columns, and writes the same', () => {
    const names = Array.from({ length: 1400 }, (_, at) => `last${at}`);
    const many = { ...facts('z.ts', names), contentHash: hashOf(99) };
    fc.assert(
      fc.property(folder, (files) => {
        const paths = files.map(({ path }) => path);
        const apart = filled(files, 0);
        const together = filled([...files, many], 0);
        expect(together.index.files.every((each) => each.facts.stored)).toBe(true);
        expect(all(files, together)).toEqual(all(files, apart));
        expect(together.stored.save(paths)).toEqual(apart.stored.save(paths));
      }),
      runs(15, 300),
    );
  });

  it('takes a content from another path of the folder, where that was looked at as deep', () => {
    const parsed = { ...facts('a.ts', ['load']), contentHash: hashOf(1) };
    const scanned: FileFacts = { ...facts('b.ts', []), contentHash: hashOf(2), outcome: 'scanned' };
    const { index, stored } = filled([parsed, scanned]);
    const asked = [1, 2, 3].map((at) => ({ path: `c${at}.ts`, contentHash: hashOf(at) }));
    expect(stored.adopt(asked)).toEqual(['c2.ts', 'c3.ts']);
    expect(index.fileAt('c1.ts')?.symbol(0)).toMatchObject({ path: 'c1.ts', name: 'load' });
    expect(stored.adopt([{ path: 'c2.ts', contentHash: hashOf(2), wordsDo: true }])).toEqual([]);
    expect(index.fileAt('c2.ts')?.outcome).toBe('scanned');
  });

  it('prefers what was parsed to words alone, and says which rows are words', () => {
    const parsed = {
      ...facts('a.ts', ['load']),
      contentHash: hashOf(1),
      words: { others: ['load'], postings: postingsOf(1) },
    };
    const scanned: FileFacts = { ...parsed, outcome: 'scanned', definitions: [] };
    const rows = [scanned, parsed].map((each) => filled([each]).stored.save(['a.ts']));
    expect(rows.map((saved) => saved?.scanned)).toEqual([[0], []]);
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { index, stored } = opened(order.map((at) => rows[at]?.bytes as Uint8Array));
      stored.adopt([parsed]);
      expect(index.fileAt('a.ts')?.outcome).toBe('parsed');
      expect(stored.save('all')?.keys).toHaveLength(1);
    }
  });

  it('unpacks the texts of what is asked for, and no more than once', () => {
    const files = Array.from({ length: 40 }, (_, at) => ({
      ...facts(`f${at}.ts`, []),
      ...{ contentHash: hashOf(at), definitions: [definition(`größe${at}`, { doc: `${at} `.repeat(1000) })] },
    }));
    const bytes = filled(files).stored.save('all')?.bytes as Uint8Array;
    const unpacked: number[] = [];
    const { index, stored } = opened([bytes], {
      ...ZLIB,
      unpack: (part, size) => {
        unpacked.push(size);
        return ZLIB.unpack(part, size);
      },
    });
    stored.adopt(files);
    expect(unpacked).toEqual([]);
    for (const at of [39, 0, 20, 39, 0]) {
      const each = index.fileAt(`f${at}.ts`) as IndexedFile;
      expect([...each.nameWords].map((id) => index.vocabulary.wordOf(id))).toEqual([`größe${at}`]);
      expect(each.symbol(0)).toMatchObject({ name: `größe${at}`, doc: `${at} `.repeat(1000) });
    }
    expect(unpacked).toHaveLength(3);
    expect(Math.max(...unpacked)).toBeLessThan(24 * 1024);
  });

  it('keeps what other branches have, as far as there is room', () => {
    const files = [1, 2, 3].map((at) => ({ ...facts(`f${at}.ts`, [`name${at}`]), contentHash: hashOf(at) }));
    const { index, stored } = opened([filled(files).stored.save('all')?.bytes as Uint8Array]);
    stored.adopt(files.slice(0, 1));
    index.upsert(packFacts({ ...facts('new.ts', ['fresh']), contentHash: hashOf(9) }));
    expect(new Set(stored.save('all')?.keys.map((key) => key.slice(0, 16)))).toEqual(new Set([1, 2, 3, 9].map(hashOf)));
  });
});

describe('openSegment', () => {
  const files = [1, 2].map((at) => ({
    ...facts(`f${at}.ts`, ['load', 'größe']),
    ...{ contentHash: hashOf(at), words: { others: ['load', 'größe'], postings: postingsOf(2) } },
  }));
  const bytes = filled(files).stored.save('all')?.bytes as Uint8Array;

  it('refuses what is cut, longer, of another version, or no segment', () => {
    for (let end = 0; end < bytes.length; end++) expect(openSegment(bytes.slice(0, end))).toBeUndefined();
    expect(openSegment(Uint8Array.of(...bytes, 0, 0, 0, 0))).toBeUndefined();
    for (const at of [0, 1, 2, 3, 4]) {
      const other = bytes.slice();
      other[at] = (other[at] as number) ^ 0x55;
      expect(openSegment(other)).toBeUndefined();
    }
    expect(openSegment(new Uint8Array(4096))).toBeUndefined();
  });

  it('never fails in use, whatever byte is changed: it is not cached, or can be read', () => {
    const nested = SHAPES.map((shape, at) =>
      definition(`größe${at}`, { lineStart: at + 1, lineEnd: at + 9, ...shape }),
    );
    const shaped = files.map((each) => ({ ...each, definitions: nested }));
    const whole = filled(shaped).stored.save('all')?.bytes as Uint8Array;
    const seen = { refused: 0, read: 0 };
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const other = whole.slice();
        other[at] = (other[at] as number) ^ change;
        const { index, stored } = opened([other]);
        const refused = new Set(stored.adopt(shaped));
        for (const { path } of shaped) {
          seen[refused.has(path) ? 'refused' : 'read']++;
          if (!refused.has(path)) said(index, index.fileAt(path) as IndexedFile);
        }
      }),
      runs(250, 5000),
    );
    expect(Math.min(seen.refused, seen.read)).toBeGreaterThan(50);
  });

  it('is not cached where parents form a loop, or a parent is of another file', () => {
    const shaped = files.map((each) => ({ ...each, definitions: ['a', 'b', 'c'].map((name) => definition(name)) }));
    const whole = filled(shaped).stored.save('all')?.bytes as Uint8Array;
    const withParents = (...parents: readonly number[]) => {
      const other = whole.slice();
      const segment = openSegment(other);
      segment?.parents.set(parents);
      return opened([other]).stored.adopt(shaped);
    };
    expect(withParents(0, 1, 2, 0, 1, 1)).toEqual([]);
    for (const parents of [[1], [2, 1], [2, 3, 1], [4], [0, 0, 0, 0, 0, 3], [0, 0, 0, 0, 4]])
      expect(withParents(...parents), String(parents)).toEqual(['f1.ts', 'f2.ts']);
  });
});
