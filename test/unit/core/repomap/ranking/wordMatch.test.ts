import { describe, expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { scanWords } from '../../../../../src/core/repomap/facts/identifiers';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { packWords } from '../../../../../src/core/repomap/index/wordPostings';
import { parseTask } from '../../../../../src/core/repomap/ranking/query';
import { editDistance, matchWords, noMatchLines } from '../../../../../src/core/repomap/ranking/wordMatch';
import { definition, facts } from '../../../../support/repoMapBuilders';

function indexOf(texts: Readonly<Record<string, string>>): RepoIndex {
  const index = new RepoIndex();
  for (const [path, text] of Object.entries(texts)) {
    const definitions = [definition(text.split(' ')[0] ?? '', { lineStart: 1, lineEnd: 1 })];
    index.upsert(packFacts({ ...facts(path, definitions), ...packWords(scanWords(text), definitions, 2) }));
  }
  return index;
}

const INDEX = indexOf({
  'src/config.ts': 'parseConfigFile readFile schedules parser',
  'src/http/transport.ts': 'openTransport socket retryCount',
  'src/use.ts': 'callAll readFile parser',
});

const match = (text: string) => matchWords(INDEX, parseTask(text), text);

describe('the words of a task', () => {
  it('are known as a whole, by their stem, in any case and in paths', () => {
    expect(match('PARSECONFIGFILE scheduler sockets http zzzzqqq')).toMatchObject({
      isMatch: true,
      known: ['PARSECONFIGFILE', 'scheduler', 'sockets', 'http'],
      unknown: ['zzzzqqq'],
      nearest: { zzzzqqq: [] },
    });
  });

  it('lead nowhere when none is known, and say what is near', () => {
    const found = match('zzzzqqq wwwxxx');
    expect(found).toEqual({
      isMatch: false,
      known: [],
      unknown: ['zzzzqqq', 'wwwxxx'],
      nearest: { zzzzqqq: [], wwwxxx: [] },
    });
    expect(noMatchLines(found)).toEqual(['No match for: zzzzqqq, wwwxxx.\n']);
    const typo = match('parseConfgFile');
    expect(typo).toMatchObject({ isMatch: false, nearest: { parseConfgFile: ['parseConfigFile'] } });
    expect(noMatchLines(typo).join('')).toBe(
      'No match for: parseConfgFile.\nUnknown here, with the nearest words: parseConfgFile → parseConfigFile.\n',
    );
  });

  it('lead on where files hold all parts of a compound that none has as a whole', () => {
    expect(match('retrySocket')).toMatchObject({ isMatch: true, known: [], unknown: ['retrySocket'] });
    expect(match('retryZzzzqqq')).toMatchObject({ isMatch: false, nearest: { retryZzzzqqq: [] } });
  });

  it('are near by a typo first, the word that more files hold before others, then by what they share', () => {
    expect(match('pasrer').nearest.pasrer).toEqual(['parser']);
    const cased = indexOf({ 'a.ts': 'connection Connection', 'b.ts': 'Connection CONNECTION' });
    expect(matchWords(cased, parseTask('connecton'), '').nearest).toEqual({ connecton: ['Connection'] });
    expect(match('raedFile').nearest.raedFile?.[0]).toBe('readFile');
    expect(match('transpor').nearest.transpor).toEqual(['openTransport']);
    expect(match('fileReadConfigZ').nearest.fileReadConfigZ).toEqual(['readFile', 'parseConfigFile']);
  });

  it('are told of a text of function words or numbers alone', () => {
    expect(match('what is this')).toMatchObject({ isMatch: false, unknown: ['what is this'] });
    expect(match('12345')).toMatchObject({ isMatch: false, unknown: ['12345'] });
  });

  it('are the unknown names alone of a long task', () => {
    const prose = 'socket retry alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo openTransprot';
    expect(match(prose).unknown).toEqual(['openTransprot']);
    expect(match(prose).nearest.openTransprot).toEqual(['openTransport']);
  });

  it('forget the words of files that are gone', () => {
    const index = indexOf({ 'a.ts': 'alpha bravo', 'b.ts': 'charlie' });
    index.remove('a.ts');
    const found = matchWords(index, parseTask('bravo'), 'bravo');
    expect(found).toMatchObject({ isMatch: false, unknown: ['bravo'] });
  });
});

describe('the distance between words', () => {
  it('counts insertions, deletions, replacements and swaps, up to a limit', () => {
    for (const [a, b, edits] of [
      ['abc', 'abc', 0],
      ['abc', 'abcd', 1],
      ['abc', 'ac', 1],
      ['abc', 'axc', 1],
      ['abcd', 'abdc', 1],
      ['kitten', 'sitting', 3],
      ['', 'ab', 2],
    ] as const) {
      expect(editDistance(a, b, 3)).toBe(edits);
      expect(editDistance(b, a, 3)).toBe(edits);
    }
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
    expect(editDistance('a', 'abcdefgh', 2)).toBe(3);
  });
});
