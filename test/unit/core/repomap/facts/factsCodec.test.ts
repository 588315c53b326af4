import { describe, expect, it } from 'vitest';
import {
  encodeFacts,
  FACTS_VERSION,
  FactsCodecError,
  openFacts,
  outcomeOf,
} from '../../../../../src/core/repomap/facts/factsCodec';
import type { FileFacts } from '../../../../../src/core/repomap/facts/types';
import { decodeFacts } from '../../../../support/repoMapBuilders';

const FACTS: FileFacts = {
  path: 'src/größe.go',
  contentHash: '0123456789abcdef',
  language: 'go',
  outcome: 'partial',
  lineCount: 12,
  isGenerated: true,
  definitions: [
    { kind: 'method', name: 'Get', signature: 'func (s *S) Get()', doc: 'Gets.', lineStart: 3, lineEnd: 5, parent: 1 },
    { kind: 'struct', name: 'S', signature: 'type S struct', doc: '', lineStart: 7, lineEnd: 7, parent: -1 },
    { kind: 'method', name: 'Put', signature: 'Put()', doc: '', lineStart: 9, lineEnd: 9, parent: -1, scope: 'Other' },
    { kind: 'function', name: 'f', signature: 'f()', doc: '', lineStart: 10, lineEnd: 10, parent: -1, isLocal: true },
    { kind: 'function', name: 'g', signature: 'g()', doc: '', lineStart: 11, lineEnd: 12, parent: -1, isGuessed: true },
  ],
  references: [
    ['Get', 2],
    ['S', 1],
  ],
  words: { others: ['func', 'Größe'], postings: Uint8Array.from([1, 8, 0, 1, 8, 0]) },
};

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const decodeJson = (bytes: Uint8Array) =>
  JSON.parse(new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)))) as unknown[];
/** Other facts before the same words. */
const withJson = (bytes: Uint8Array, value: unknown) =>
  Uint8Array.from([...encode(value), ...bytes.subarray(bytes.indexOf(0))]);

describe('factsCodec', () => {
  it('gives back what was encoded', () => {
    expect(decodeFacts(encodeFacts(FACTS))).toEqual(FACTS);
  });

  it('keeps a file without language and without facts', () => {
    const bare: FileFacts = {
      path: 'a',
      contentHash: '',
      language: undefined,
      outcome: 'binary',
      lineCount: 0,
      definitions: [],
      references: [],
    };
    expect(decodeFacts(encodeFacts(bare))).toEqual(bare);
  });

  it('keeps words without knowing who holds them', () => {
    const { words: _, ...unheld } = FACTS;
    expect(decodeFacts(encodeFacts(unheld))).toEqual(unheld);
  });

  it('refuses facts of another version', () => {
    const good = encodeFacts(FACTS);
    const [, ...rest] = decodeJson(good);
    expect(() => decodeFacts(withJson(good, ['0-old', ...rest]))).toThrow(
      expect.toSatisfy((e) => FactsCodecError.is(e, 'version')),
    );
  });

  it.each([
    ['no bytes', new Uint8Array()],
    ['invalid UTF-8', Uint8Array.from([0xff, 0xff])],
    ['another type', encode({ version: FACTS_VERSION })],
  ])('refuses %s', (_what, bytes) => {
    expect(() => decodeFacts(bytes)).toThrow(FactsCodecError);
  });

  it('refuses every field of a wrong type, and parents that are out of range or form a loop', () => {
    const bytes = encodeFacts(FACTS);
    const good = decodeJson(bytes);
    expect(decodeFacts(withJson(bytes, good))).toEqual(FACTS);
    for (const [at, wrong] of [
      [1, 5],
      [2, null],
      [3, 7],
      [4, 'fine'],
      [5, -1],
      [6, 'none'],
      [6, [[999, 'a', '', '', 1, 0, -1]]],
      [6, [[3, 'a', '', '', 1, 0, 1]]],
      [6, [[3, 'a', '', '', 1, 0, 0]]],
      [
        6,
        [
          [3, 'a', '', '', 1, 0, 1],
          [3, 'b', '', '', 1, 0, 0],
        ],
      ],
    ] as const) {
      const broken = good.map((value, index) => (index === at ? wrong : value));
      expect(() => decodeFacts(withJson(bytes, broken)), JSON.stringify(broken)).toThrow(
        expect.toSatisfy((e) => FactsCodecError.is(e, 'malformed')),
      );
    }
  });

  it('refuses words that end early, wherever, and lists that are longer than what there is', () => {
    const bytes = encodeFacts({ ...FACTS, words: { others: FACTS.words?.others ?? [], postings: new Uint8Array() } });
    for (let end = bytes.indexOf(0); end < bytes.length; end++) {
      expect(() => decodeFacts(bytes.subarray(0, end)), `${end} bytes`).toThrow(
        expect.toSatisfy((e) => FactsCodecError.is(e, 'malformed')),
      );
    }
    const head = bytes.subarray(0, bytes.indexOf(0) + 1);
    for (const tail of [
      [0xff, 0xff, 0xff, 0xff, 0x0f, 0],
      [1, 2, 1, 1, 1, 97],
      [1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f],
    ]) {
      expect(() => decodeFacts(Uint8Array.from([...head, ...tail]))).toThrow(
        expect.toSatisfy((e) => FactsCodecError.is(e, 'malformed')),
      );
    }
  });

  it('keeps no view of the bytes that postings were read from', () => {
    const bytes = encodeFacts(FACTS);
    const { postings } = openFacts(bytes).packed;
    bytes.fill(255);
    expect(postings).toEqual(FACTS.words?.postings);
  });
});

describe('reading a part', () => {
  const odd = ['', 'a,b.go', 'say "hi"\\, x.go', 'größe/\u{1f600}.go', '[[,]].go', '\u0000\n.go'];

  it.each(odd)('tells the outcome whatever the path is: %j', (path) => {
    expect(outcomeOf(encodeFacts({ ...FACTS, path }))).toBe('partial');
    expect(outcomeOf(encodeFacts({ ...FACTS, path, language: undefined, outcome: 'deadline' }))).toBe('deadline');
  });

  it('refuses bytes that end early', () => {
    expect(() => outcomeOf(Uint8Array.from([0x5b, 0x22]))).toThrow(FactsCodecError);
  });
});
