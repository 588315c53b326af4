import { describe, expect, it } from 'vitest';
import scala from '../../../../../grammars/scala.json';
import { LANGUAGE_TABLE } from '../../../../../src/core/repomap/facts/languageTable';
import { Lexer } from '../../../../../src/core/repomap/facts/lexer';
import { addLineDefinitions } from '../../../../../src/core/repomap/facts/lineScan';
import { qualifiedNames } from '../../../../../src/core/repomap/index/indexedFile';
import { TreeSitterParser } from '../../../../../src/worker/parser/fileParser';
import { nodeModulesAssets } from '../../../../support/nodeModulesAssets';
import { definition } from '../../../../support/repoMapBuilders';

const SCALA = LANGUAGE_TABLE.parse(scala);
const RULES = (SCALA.lines ?? []).map(({ pattern, kind }) => ({ pattern: new RegExp(pattern, 'u'), kind }));
const parser = new TreeSitterParser(nodeModulesAssets);

async function definitionsOf(path: string, text: string) {
  const facts = await parser.parseFile({ path, contentHash: '0', bytes: new TextEncoder().encode(text) });
  const names = qualifiedNames(facts.definitions);
  const rows = facts.definitions.map(
    ({ kind, signature, lineStart, lineEnd, isGuessed }, at) =>
      `${lineStart}-${lineEnd} ${isGuessed ? 'guessed ' : ''}${kind} ${names[at]} | ${signature}`,
  );
  return { outcome: facts.outcome, rows };
}

describe('definitions by single lines', () => {
  it('finds what stands in the rows given, below what is known', () => {
    const source = [
      'object Good {',
      '  def fine(): Int = 1',
      '  def lost(): Int = 2',
      '}',
      'final class Flow[-In, +Out](x: Int) {',
      '  // def comment(): no',
      '  def via(a: Int): Int =',
      '    a',
      '  /*',
      '  def prose() = 1',
      '  */',
      '  private[pekko] def to(b: Int) = {',
      '    b',
      '  }',
      '}',
      '',
    ].join('\n');
    const known = [
      definition('Good', { kind: 'module', lineStart: 1, lineEnd: 4 }),
      definition('fine', { lineStart: 2, lineEnd: 2, parent: 0 }),
    ];
    const options = { rules: RULES, lexis: new Lexer(SCALA.lexis), proseRows: new Set([9, 10]) };
    const found = addLineDefinitions(known, source, [{ first: 0, last: 15 }], options);
    const names = qualifiedNames(found);
    expect(
      found.map(({ kind, signature, lineStart, lineEnd, isGuessed }, at) =>
        [`${lineStart}-${lineEnd}`, isGuessed, kind, names[at], signature].join(' '),
      ),
    ).toEqual([
      '1-4  module Good function Good()',
      '2-2  function Good.fine function fine()',
      '3-3 true function Good.lost def lost(): Int = 2',
      '5-15 true class Flow final class Flow[-In, +Out](x: Int)',
      '7-8 true function Flow.via def via(a: Int): Int',
      '12-14 true function Flow.to private[pekko] def to(b: Int)',
    ]);
    expect(addLineDefinitions(known, source, [{ first: 0, last: 1 }], options)).toBe(known);
  });

  it('marks what it adds to a file with a stretch that does not parse', async () => {
    const { outcome, rows } = await definitionsOf(
      'a.py',
      'def fine():\n    pass\n\nclass Broken(:\n    def lost(self, (:\n        ]]\n',
    );
    expect(outcome).toBe('partial');
    expect(rows).toContain('5-6 guessed function Broken.lost | def lost(self, (');
  });

  it.each([
    {
      title: 'a head over several lines, with a comment, and its body',
      lines: ['def via(', '    a: Int, // one :)', '    b: List[Int]', '): Int = {', '  a', '}'],
      found: '1-6 def via(a: Int, b: List[Int]): Int',
    },
    {
      title: 'a head whose last line is indented',
      lines: ['def via(a: Int,', '        b: Int): Int = {', '  a', '}'],
      found: '1-4 def via(a: Int, b: Int): Int',
    },
    {
      title: 'the first line of a head that never closes',
      lines: ['def via(a: Int,', 'val b = 1'],
      found: '1-1 def via(a: Int,',
    },
    {
      title: 'the first line of a head whose brackets do not match',
      lines: ['def via(a: Int,', '  ])', ''],
      found: '1-2 def via(a: Int,',
    },
  ])('reads $title', ({ lines, found }) => {
    const options = { rules: RULES, lexis: new Lexer(SCALA.lexis), proseRows: new Set<number>() };
    const all = addLineDefinitions([], lines.join('\n'), [{ first: 0, last: lines.length - 1 }], options);
    expect(all.map(({ signature, lineStart, lineEnd }) => `${lineStart}-${lineEnd} ${signature}`)).toEqual([found]);
  });

  it('leaves a file that parses alone', async () => {
    const { rows } = await definitionsOf('a.scala', 'object O {\n  val text = """\n  def prose() = 1\n  """\n}\n');
    expect(rows).toEqual(['1-5 module O | object O', expect.stringContaining('O.text')]);
  });

  it('is linear in lines that look like definitions and never end', async () => {
    const text = `)))\n${'def f(a: Int) = {\n'.repeat(20_000)}`;
    const started = process.cpuUsage();
    await definitionsOf('a.scala', text);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(20_000);
  });
});
