import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DetailRequest } from '../../../../src/core/model/detail';
import { buildDetail } from '../../../../src/core/render/detail';
import { FAKE_TOKENIZER } from '../../../property/payloadArbitraries';
import { runs } from '../../../support/runs';

function build(items: DetailRequest['items'], caps: Partial<DetailRequest> = {}) {
  return buildDetail(
    { tokenizer: 'o200k_base', detailTokens: 200, budgetTokens: 1000, hardCapChars: 5000, items, ...caps },
    FAKE_TOKENIZER,
  );
}

function lines(count: number, text = 'a line of words'): string {
  return Array.from({ length: count }, (_, at) => `${at + 1} ${text}\n`).join('');
}

describe('buildDetail', () => {
  it('shows an item whole when it fits', () => {
    const result = build([{ handle: 'sym:1f3a9c00', title: 'function main', text: 'a\nb\n' }]);
    expect(result.text).toBe('``` sym:1f3a9c00 function main\na\nb\n```\n');
    expect(result.items).toMatchObject([{ text: 'a\nb\n', linesShown: 2, linesTotal: 2, tokens: result.tokens }]);
    expect(result.items[0]?.tokensFull).toBe(result.items[0]?.tokens);
    expect(result.omitted).toEqual([]);
  });

  it('cuts at line ends and names the narrower handle', () => {
    const { items, text } = build([{ handle: 'file:src/a.ts', title: 'src/a.ts', text: lines(100) }]);
    const [item] = items;
    const shown = item?.linesShown ?? 0;
    expect(shown).toBeGreaterThan(5);
    const rest = `file:src/a.ts#L${shown + 1}-L100`;
    expect(item).toMatchObject({ text: lines(shown), rest });
    expect(text).toBe(`\`\`\` file:src/a.ts\n${lines(shown)}\`\`\`\n… ${100 - shown} of 100 lines more: ${rest}\n`);
    expect(item?.tokens).toBeLessThanOrEqual(200);
  });

  it('shows the outline of a definition that does not fit before its first lines, and not of one that does', () => {
    const outline = Array.from({ length: 4 }, (_, at) => `sym:0000000${at} | L${at}-L${at + 1} | part${at}()\n`);
    const long = { handle: 'file:src/a.ts#L1-L100', title: 'function a', text: lines(100), outline };
    const { items, text } = build([long]);
    const [item] = items;
    const shown = item?.linesShown ?? 0;
    expect(shown).toBeGreaterThan(1);
    expect(item).toMatchObject({ text: lines(shown), outline });
    expect(text).toContain(
      `definitions in ${long.handle}:\n${outline.join('')}\`\`\` ${long.handle} function a\n1 a line`,
    );
    expect(item?.tokens).toBeLessThanOrEqual(200);
    expect(build([{ ...long, text: 'a\n' }]).items[0]).toMatchObject({ text: 'a\n', outline: [], rest: undefined });
  });

  it('lists the blocks of a long definition by their lines, with who uses it, in place of its first lines', () => {
    const body = Array.from({ length: 4 }, (_, at) => `  if (at(${at})) {\n${'    call();\n'.repeat(40)}  }\n\n`).join(
      '',
    );
    const long = {
      ...{ handle: 'file:src/a.ts#L11-L184', title: 'function a', text: `function a() {\n${body}}\n` },
      ...{ foldsFrom: 11, uses: '2 callers in 1 file' },
    };
    const { items, text } = build([long]);
    expect(text).toBe(
      'src/a.ts:11-184 function a: 174 lines, in blocks. Ask for PATH:FIRST-LAST.\n12-53 if (at(0)) {\n' +
        '  13-52 call();\n55-96 if (at(1)) {\n  56-95 call();\n98-139 if (at(2)) {\n  99-138 call();\n' +
        '141-182 if (at(3)) {\n  142-181 call();\n2 callers in 1 file\n',
    );
    expect(items[0]).toMatchObject({ text: '', linesShown: 0, linesTotal: 174, rest: long.handle });
    expect(items[0]?.outline).toHaveLength(8);
    // What fits is shown.
    expect(build([{ ...long, text: 'function a() {}\n' }]).text).toContain('``` file:src/a.ts#L11-L184 function a\n');
    // Lines have no name but their place, which the handle says.
    const some = { handle: 'file:src/a.ts#L11-L12', title: 'src/a.ts:11', text: 'one\ntwo\n' };
    expect(build([some]).text).toBe('``` file:src/a.ts#L11-L12\none\ntwo\n```\n');
    // Where nothing tells blocks apart, its first lines are.
    expect(build([{ ...long, text: lines(200) }]).items[0]?.linesShown).toBeGreaterThan(0);
  });

  it('counts the rows of an outline that has no room for all', () => {
    const outline = Array.from({ length: 90 }, (_, at) => `sym:000000${at + 10} | L1-L2 | part()\n`);
    const { items, text } = build([{ handle: 'file:a.ts#L1-L100', title: 'a', text: lines(100), outline }]);
    const [item] = items;
    const rows = item?.outline.length ?? 0;
    expect(rows).toBeGreaterThan(1);
    expect(text).toContain(`… ${90 - rows} more\n\`\`\` file:a.ts#L1-L100\n1 a line`);
    expect(item?.tokens).toBeLessThanOrEqual(200);
  });

  it('counts lines from where the handle starts', () => {
    for (const path of ['a.ts', 'C#/a.ts']) {
      const { items } = build([{ handle: `file:${path}#L31-L130`, title: 'x', text: lines(100) }]);
      expect(items[0]?.rest).toBe(`file:${path}#L${31 + (items[0]?.linesShown ?? 0)}-L130`);
    }
  });

  it('names what follows of a text that is no file by the line to go on from', () => {
    for (const [handle, before] of [
      ['section:soul', 0],
      ['section:soul#L41', 40],
      ['12', 0],
    ] as const) {
      const { items } = build([{ handle, title: 'soul', text: lines(100) }]);
      const next = before + (items[0]?.linesShown ?? 0) + 1;
      expect(items[0]?.rest).toBe(`${handle.split('#')[0]}#L${next}`);
    }
  });

  const LONG_LINES: readonly (readonly [kind: string, line: string, ends: RegExp])[] = [
    ['sentences', 'The clock is faked in auth, e.g. in e2e. Never 3.5 times! '.repeat(40), /[.!] $/],
    ['sentences of Chinese', '认证里的时钟是假的。端到端测试里不是！'.repeat(60), /[。！]$/],
    ['words', `word${' another'.repeat(400)}`, / $/],
    ['JSON without blanks', JSON.stringify(Array.from({ length: 300 }, (_, at) => ({ step: `done${at}` }))), /[^\w]$/],
    ['one word', 'x'.repeat(9000), /x$/],
    ['people seen as one character', '👩‍👩‍👧‍👦'.repeat(200), /👦$/u],
    ['one character with marks', `a${'\u0301'.repeat(3000)}`, /\u0301$/],
  ];

  it.each(LONG_LINES)('cuts a line that no answer has room for, piece by piece: %s', (_kind, line, ends) => {
    const text = `before\n${line}\nafter\n`;
    const first = build([{ handle: 'section:soul', title: 'soul', text }]);
    const [item] = first.items;
    expect(item?.rest).toMatch(/^section:soul#L2C\d+$/);
    const column = Number(item?.rest?.split('C')[1]);
    expect(item).toMatchObject({ text: `before\n${line.slice(0, column - 1)}`, linesShown: 1, linesTotal: 3 });
    expect(item?.text).toMatch(ends);
    const missing = (line.length - column + 1).toLocaleString('en');
    expect(first.text).toMatch(`… ${missing} characters of this line, 1 of 3 lines more: ${item?.rest}\n`);
  });

  it('shows what follows a long line, of the line that its handle begins in', () => {
    const { items, text } = build([{ handle: '12#L2C90', title: '12', text: `rest\n${'a b '.repeat(900)}` }]);
    expect(items[0]?.rest).toMatch(/^12#L3C\d+$/);
    expect(text).toMatch(/^``` 12#L2C90\nrest\na b a b /);
  });

  it.each([180, 190, 195, 198, 200])('goes on where the frame leaves no room for a line of %d tokens', (words) => {
    const text = `${'a '.repeat(words)}\nafter\n`;
    const { items } = build([{ handle: 'section:memory-files/long#L1', title: 'memory/long.md', text }]);
    expect(items[0]?.text).not.toBe('');
    expect(items[0]?.rest).not.toBe('section:memory-files/long#L1');
  });

  it('shows what the cap of characters has room for', () => {
    const { items, text } = build([{ handle: '12', title: '12', text: lines(100) }], { hardCapChars: 200 });
    expect(text.length).toBeLessThanOrEqual(200);
    expect(items[0]?.linesShown).toBeGreaterThan(3);
  });

  it('leaves out and names what does not fit beside the others', () => {
    const item = (id: number, count: number) => ({ handle: `section:s${id}`, title: 's', text: lines(count) });
    const result = build([item(1, 15), item(2, 15), item(3, 1)], { budgetTokens: 250 });
    expect(result.items.map(({ handle }) => handle)).toEqual(['section:s1', 'section:s3']);
    expect(result.omitted).toEqual(['section:s2']);
    expect(result.text).toMatch(/\nleft out, ask again: section:s2\n$/);
    expect(result.tokens).toBe(FAKE_TOKENIZER.count(result.text));
  });

  it('cannot be closed by what it shows, none of which is changed', () => {
    const source = '<ul>\n</detail>\n%<detail>s &lt;\n```\n```` x\n';
    const { text } = build([{ handle: 'file:a.tsx', title: 'a `b` <c>\n`````', text: source }]);
    expect(text).toBe(`\`\`\`\`\` file:a.tsx a 'b' <c> '''''\n${source}\`\`\`\`\`\n`);
  });

  it('shows nothing rather than exceed a tiny cap', () => {
    expect(build([{ handle: 'section:a', title: 'a', text: 'x' }], { detailTokens: 3 })).toMatchObject({
      items: [],
      omitted: ['section:a'],
    });
    expect(build([{ handle: 'section:a', title: 'a', text: 'x' }], { budgetTokens: 3 })).toMatchObject({
      omitted: ['section:a'],
      text: '',
      tokens: 0,
    });
  });

  // What is not linear does not end within the test's time.
  it('ends on a megabyte that cannot be split', () => {
    const { items } = build([{ handle: 'file:a.c', title: 'a.c', text: '// a comment\n'.repeat(80_000) }]);
    expect(items.map(({ linesTotal }) => linesTotal)).toEqual([80_000]);
  });

  it('never exceeds a cap, cuts only lines that have no room, and counts exactly', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('', '/', '// x', '   ', '</detail>', '```', '```` x', '中文内容一行', 'x'.repeat(2000)),
    );
    const item = fc.record({
      handle: fc.constantFrom('file:a.ts', 'file:a.ts#L5-L90', 'section:soul', 'sym:00000000'),
      title: fc.string({ maxLength: 40 }),
      text: fc.array(line, { maxLength: 40 }).map((all) => all.join('\n')),
    });
    const caps = fc.record({
      detailTokens: fc.integer({ min: 1, max: 300 }),
      budgetTokens: fc.integer({ min: 1, max: 600 }),
      hardCapChars: fc.integer({ min: 1, max: 3000 }),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), caps, (items, limits) => {
        const result = build(items, limits);
        expect(result.tokens).toBe(FAKE_TOKENIZER.count(result.text));
        expect(result.tokens).toBeLessThanOrEqual(limits.budgetTokens);
        expect(result.text.length).toBeLessThanOrEqual(limits.hardCapChars);
        expect(result.items.length + result.omitted.length).toBe(items.length);
        let rest = result.text;
        for (const each of result.items) {
          // Marker lines that do not occur in the text, which stands between them as it is.
          const [, fence = '?', after = ''] =
            /^(`{3,}) .*\n([\s\S]*)$/m.exec(rest.slice(rest.search(/^`{3,} /m))) ?? [];
          const isInside = each.rest !== undefined && /#L\d+C/.test(each.rest);
          expect(after.startsWith(`${each.text}${isInside ? '\n' : ''}${fence}\n`)).toBe(true);
          expect(each.text).not.toContain(fence);
          rest = after.slice(each.text.length + fence.length);
          expect(each.tokens).toBeLessThanOrEqual(limits.detailTokens);
          expect(isInside || each.text === '' || each.text.endsWith('\n')).toBe(true);
        }
      }),
      runs(100, 500),
    );
  });
});
