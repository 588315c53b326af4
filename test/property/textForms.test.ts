import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../src/core/pipeline/fit/cuts';
import { newestFirst, readPieces } from '../../src/core/pipeline/fit/pieces';
import { textForms } from '../../src/core/pipeline/fit/textForms';
import { renderElement } from '../../src/core/render/element';
import { LineTokenCounter } from '../../src/core/tokens/lines';
import { runs } from '../support/runs';
import { sharedTokenizer } from '../support/sharedTokenizer';

const RUNS = runs(15, 3000);

const exact = sharedTokenizer('o200k_base');
const counter = new LineTokenCounter(exact);

const words = fc
  .array(
    fc.constantFrom(
      'gateway',
      'Token',
      'restarts',
      '端口',
      '8080',
      'e.g. Dr. No',
      '`a.b`',
      '(see x)',
      '/etc',
      'naïve',
      '🐶',
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((list) => list.join(' '));
const sentences = fc
  .array(fc.tuple(words, fc.constantFrom('. ', '! ', '? ', '。', '.) ', '')), { minLength: 1, maxLength: 25 })
  .map((list) => list.map(([text, end]) => text + end).join(''));
const day = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 })).chain(([month, date]) => {
  const iso = `2026-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  return fc.constantFrom(
    iso,
    `[${iso} 10:00]`,
    `**${iso}**`,
    `2026/${month}/${date}`,
    `2026年${month}月${date}日`,
    `${date} March 2026:`,
  );
});
const entry = fc.tuple(fc.oneof(day, fc.constant('')), sentences, fc.array(sentences, { maxLength: 12 }));
const list = fc
  .array(entry, { minLength: 1, maxLength: 8 })
  .map((entries) =>
    entries.map(([when, text, more]) => `- ${when} ${text}\n${more.map((line) => `  - ${line}\n`).join('')}`).join(''),
  );
const block = fc.oneof(
  list,
  list,
  sentences.map((text) => `${text}\n\n`),
  fc.array(words, { minLength: 1, maxLength: 40 }).map((lines) => `${lines.join('\n')}\n\n`),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.oneof(words, day))
    .map(([level, title]) => `${'#'.repeat(level)} ${title}\n\n`),
  fc.array(words, { maxLength: 40 }).map((lines) => `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`),
  fc
    .array(fc.tuple(day, words), { minLength: 1, maxLength: 6 })
    .map((rows) => `| when | what |\n|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}\n`),
  fc
    .array(sentences, { minLength: 2, maxLength: 9 })
    .map((turns) => turns.map((text, at) => `${at % 2 ? 'assistant' : 'user'}: ${text}\n`).join('')),
  fc
    .array(words, { minLength: 1, maxLength: 9 })
    .map((lines) => lines.map((text) => `${JSON.stringify({ text })}\n`).join('')),
  fc.constantFrom('\n', '/usr/bin\n', '---\n', '```\n', '  \n', '> quote\n'),
);
const texts = fc.array(block, { maxLength: 12 }).map((blocks) => blocks.join(''));
const facts = fc.record({
  text: fc.oneof(
    texts,
    texts,
    texts.map((text) => text.trim()),
    fc.string({ maxLength: 300 }),
  ),
  head: fc.constantFrom('', 'All is well.\n'),
  keepRecent: fc.constantFrom(undefined, undefined, 1, 3),
});

function formsOf({ text, head, keepRecent }: { text: string; head: string; keepRecent: number | undefined }) {
  const forms = textForms({
    id: 'memory',
    handle: 'section:memory',
    head,
    text,
    keepRecent,
    hints: {},
    counter,
    cutText,
  });
  return Array.from({ length: forms.count }, (_, form) => ({ size: forms.size(form), content: forms.render(form) }));
}

/** Its characters, without white space and the lines that a cut adds. */
function charactersOf(content: string): string {
  return content.replace(/^(?:`{3,}\n)?… .*\n/gm, '').replace(/\s/g, '');
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const unit of whole.split('')) if (unit === part[at]) at++;
  return at === part.length;
}

describe('the forms of a text', () => {
  it('have exactly the size of what they render, and grow in both units', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const forms = formsOf(given);
        for (const [form, { size, content }] of forms.entries()) {
          const element = renderElement('memory', content);
          expect(size).toEqual({ tokens: exact.count(element), chars: element.length });
          const before = forms[form - 1]?.size ?? { tokens: 0, chars: 0 };
          expect(size.tokens >= before.tokens && size.chars >= before.chars).toBe(true);
          expect(size).not.toEqual(before);
        }
      }),
      RUNS,
    );
  });

  it('show all that the form before shows, the last one the text', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const forms = formsOf(given);
        for (const [form, { content }] of forms.slice(1).entries())
          expect(isSubsequence(charactersOf(forms[form]?.content ?? ''), charactersOf(content))).toBe(true);
        if (given.keepRecent === undefined) expect(forms.at(-1)?.content).toBe(given.head + given.text);
      }),
      RUNS,
    );
  });

  it('never cut an entry of up to 200 tokens, and drop none that is newer than one they show', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const pieces = readPieces(given.text);
        const small = pieces.filter(
          ({ kind, text }) => (kind === 'entry' || kind === 'item') && counter.count(text) <= 200,
        );
        const entries = newestFirst(pieces).map((at) => pieces[at]?.text ?? '');
        for (const { content } of formsOf(given)) {
          const shown = `${content.endsWith('\n') ? content : `${content}\n`}`;
          for (const { text } of small) {
            const [first = ''] = text.split('\n', 1);
            const isAlone = pieces.filter((piece) => piece.text.includes(first)).length === 1;
            if (isAlone && shown.includes(`${first}\n`)) expect(shown).toContain(text);
          }
          if (given.keepRecent !== undefined || new Set(entries).size < entries.length) continue;
          const missing = entries.findIndex((text) => !shown.includes(text.split('\n', 1)[0]?.slice(0, 40) ?? ''));
          if (missing >= 0)
            for (const text of entries.slice(missing + 1)) expect(shown.includes(text) && text.length > 80).toBe(false);
        }
      }),
      RUNS,
    );
  });

  it('join their pieces to the text, none starting with a blank line or a slash', () => {
    fc.assert(
      fc.property(facts, ({ text }) => {
        const pieces = readPieces(text);
        const joined = pieces.map((piece) => piece.text).join('');
        expect(joined).toBe(text === '' || text.endsWith('\n') ? text : `${text}\n`);
        for (const piece of pieces.slice(1)) expect(piece.text).not.toMatch(/^\s*(?:\n|$)|^\//);
      }),
      RUNS,
    );
  });
});
