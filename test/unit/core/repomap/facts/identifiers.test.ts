import { describe, expect, it } from 'vitest';
import {
  FIELD_CODE,
  FIELD_COMMENT,
  FIELD_STRING,
  fieldOf,
  lineOf,
  referencesOf,
  scanWords,
  stripComments,
} from '../../../../../src/core/repomap/facts/identifiers';
import type { Lexer } from '../../../../../src/core/repomap/facts/lexer';
import { lexisOf } from '../../../../support/lexerOf';

function scanIdentifiers(text: string, lexis?: Lexer): readonly (readonly [string, number])[] {
  return referencesOf(scanWords(text, lexis)).filter(([word]) => !lexis?.ignored.has(word));
}

function words(id: string, text: string): readonly string[] {
  return scanIdentifiers(text, lexisOf(id))
    .map(([name]) => name)
    .sort();
}

describe('referencesOf', () => {
  it('counts words of 2 to 60 characters in order of first appearance, without the language’s own', () => {
    const text = `zeta(alpha, alpha); return x + ${'y'.repeat(61)};`;
    expect(scanIdentifiers(text, lexisOf('typescript'))).toEqual([
      ['zeta', 1],
      ['alpha', 2],
    ]);
  });

  it.each([
    ['typescript', 'aa /* bb */ cc // dd\n"ee" \'ff\' gg'],
    ['go', 'aa /* bb */ cc // dd\n"ee" `ff \\` gg'],
    ['python', 'aa # bb\ncc """dd\nee""" \'ff\' gg'],
    ['rust', 'aa /* bb /* nested */ bb */ cc "d\nd" r#"ee " ff"# gg'],
    ['java', 'aa /* bb */ cc """dd\n"ee"\n""" gg'],
    ['cpp', 'aa /* bb */ cc R"x(dd "ee)" )x" \'f\' gg'],
    ['c', 'aa // bb\ncc "dd \\" ee" gg'],
    ['csharp', 'aa /* bb */ cc @"dd\\" $"ee" """ff "ff" ff""" gg'],
    ['ruby', 'aa # bb\n=begin\nbb\n=end\ncc %w[dd ee] "ff" gg'],
    ['ruby', "aa(<<~XX, <<-'YY', cc)\n  dd \"\n  XX\n  ee\n  YY\ngg"],
    ['php', 'aa # bb\ncc <<<XX\n  dd "\n  XX; gg'],
    ['kotlin', 'aa /* bb /* nested */ bb */ cc """dd "ee" ff""" \'f\' gg'],
    ['swift', 'aa /* bb /* nested */ bb */ cc #"dd " \\(ee)"# """\nff "\n""" gg'],
    ['scala', 'aa /* bb /* nested */ bb */ cc "dd" \'f\' gg'],
    ['bash', `aa # bb\ncc <<-"XX"\n  dd ' "\n\tXX\n'ee' $# \${#cc} gg`],
    ['lua', 'aa --[[ bb\nbb ]] cc [==[ dd ]] ]==] -- ee\n"ff" gg'],
    ['elixir', 'aa # bb\ncc ~r/dd "/ """\nee "\n""" gg'],
    ['zig', 'aa // bb\ncc \\\\ dd "\n"ee" gg'],
    ['dart', "aa /* bb /* nested */ bb */ cc '''dd \"\n''' gg"],
    ['haskell', 'aa {- bb {- nested -} bb -} cc -- dd\n"ee" \'f\' gg'],
    ['ocaml', 'aa (* bb (* nested *) bb *) cc {|dd "|} "ee" gg'],
    ['julia', 'aa #= bb #= nested =# bb =# cc # dd\n"""ee " ff""" gg'],
    ['powershell', 'aa <# bb #> cc # dd\n"C:\\" @"\nee \'\n"@ gg'],
    ['hcl', 'aa /* bb */ cc = <<-XX\n  dd "\n  XX\n# ee\n"ff" gg'],
    ['solidity', 'aa /* bb */ cc // dd\n"ee" gg'],
  ])('skips comments and strings of %s', (id, text) => {
    expect(words(id, text)).toEqual(['aa', 'cc', 'gg']);
  });

  it('reads the code in template holes, nested ones too, and goes on with the string', () => {
    expect(words('typescript', `\`text \${call({ key: \`deep \${inner} text\` })} text\` after`)).toEqual([
      'after',
      'call',
      'inner',
      'key',
    ]);
  });

  it.each([
    ['csharp', '$"text {deep_one.Call()} {{no}}" later'],
    ['ruby', '"text #{deep_one.Call { "deep" }} text" later'],
    ['php', '"text {$deep_one->Call("deep")} text" later'],
    ['kotlin', `"text \${deep_one.Call { "deep" }} text" later`],
    ['swift', '"text \\(deep_one.Call("deep")) text" later'],
    ['scala', `s"text \${deep_one.Call { "deep" }} text" later`],
    ['bash', '"text $(deep_one $(Call "deep")) text" later'],
    ['elixir', '"text #{deep_one.Call(%{}, "deep")} text" later'],
    ['dart', `"text \${deep_one.Call({"deep"})} text" later`],
  ])('reads the code in interpolated strings of %s', (id, text) => {
    expect(words(id, text)).toEqual(['Call', 'deep_one', 'later']);
  });

  it.each(['kotlin', 'dart', 'bash', 'php'])('counts $names inside strings of %s', (id) => {
    expect(words(id, '"text $deep_one text" later')).toEqual(['deep_one', 'later']);
  });

  it('knows names that end in ? or !, but no comparison', () => {
    expect(words('ruby', 'save!; blank? && left!=right')).toEqual(['blank?', 'left', 'right', 'save!']);
  });

  it('reads the code in Python f-strings, but not doubled braces', () => {
    expect(words('python', 'f"text {value!r} {{no}} text" rb"none" after')).toEqual(['after', 'value']);
  });

  it('is not led astray by quotes in regular expressions, and knows a division', () => {
    expect(words('javascript', 'left = /[`\'"/]`/.test(right); half = total / 2 + "no" / other; return /`/')).toEqual([
      'half',
      'left',
      'other',
      'right',
      'test',
      'total',
    ]);
  });

  it('tells a Rust lifetime from a character', () => {
    expect(words('rust', "fn aa<'long>(bb: &'long u8) { cc('\"', '\\'', 'é') }")).toEqual(['aa', 'bb', 'cc', 'long']);
  });

  it('ends an unclosed string at the line end', () => {
    expect(words('c', "#error don't\nafter = 1'000;")).toEqual(['after', 'don', 'error']);
  });

  it('keeps letters of other scripts together and splits at their punctuation', () => {
    expect(words('python', '名前 = größe。 другой')).toEqual(['größe', 'другой', '名前']);
  });

  it('does not take numbers for words', () => {
    expect(words('cpp', "0xFFu 1e10 12px 1'000'000 0..len")).toEqual(['len']);
  });

  it('scans text of no known language as it is', () => {
    expect(scanIdentifiers("don't call makeStore // makeStore")).toEqual([
      ['don', 1],
      ['call', 1],
      ['makeStore', 2],
    ]);
  });

  it('counts tens of thousands of different words exactly', () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `name${i % 15_000}`).join(' ');
    const found = scanIdentifiers(text, lexisOf('go'));
    expect(found.length).toBe(15_000);
    expect(found.every(([, count]) => count === 2)).toBe(true);
  });

  it('forgets the holes of a text that ended inside of one', () => {
    const lexis = lexisOf('typescript');
    scanIdentifiers(`\`\${aa`, lexis);
    expect(scanIdentifiers('bb } cc', lexis).map(([name]) => name)).toEqual(['bb', 'cc']);
  });
});

describe('stripComments', () => {
  it('takes comments out and leaves strings that look like comments', () => {
    expect(stripComments('f(a /* b */, "// no" // c\n)', lexisOf('go'))).toBe('f(a  , "// no"  \n)');
  });
});

describe('scanWords', () => {
  const fields = (id: string, text: string) => {
    const scan = scanWords(text, lexisOf(id));
    return Array.from(scan.entries, (entry, at) => {
      const place = scan.places[at] as number;
      return [scan.words[entry], lineOf(place), fieldOf(place)];
    });
  };

  it('says line and field of every word, the language’s own included', () => {
    expect(fields('python', 'def go():\n    """Doc words.\n    more"""\n    call("text\\nend")  # why\n')).toEqual([
      ['def', 0, FIELD_CODE],
      ['go', 0, FIELD_CODE],
      ['Doc', 1, FIELD_COMMENT],
      ['words', 1, FIELD_COMMENT],
      ['more', 2, FIELD_COMMENT],
      ['call', 3, FIELD_CODE],
      ['text', 3, FIELD_STRING],
      ['end', 3, FIELD_STRING],
      ['why', 3, FIELD_COMMENT],
    ]);
  });

  it('takes prefixed strings and template text for strings, their holes for code', () => {
    expect(fields('typescript', `a1(\`some \${code} text\`)`).map(([word, , field]) => [word, field])).toEqual([
      ['a1', FIELD_CODE],
      ['some', FIELD_STRING],
      ['code', FIELD_CODE],
      ['text', FIELD_STRING],
    ]);
    expect(fields('python', 'r"raw"')).toEqual([['raw', 0, FIELD_STRING]]);
  });

  it('knows the lines on which a comment stands alone', () => {
    const scan = scanWords('/* a\n b */\ncode(); // c\n  // d\n', lexisOf('go'));
    expect([...scan.commentLines]).toEqual([0, 1, 3]);
  });
});
