/** Masking: no secret survives, nothing else changes, and masking what is masked changes nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderElement } from '../../src/core/render/element';
import { maskSecrets } from '../../src/core/secrets/maskSecrets';
import { maskStrings, maskText } from '../../src/core/secrets/maskText';
import { createEscape } from '../../src/core/text/escape';
import { LibrarySecretScanner } from '../../src/worker/secrets/librarySecretScanner';
import { HARMLESS, labelledSecrets } from '../fixtures/fakeSecrets';
import { runs } from '../support/runs';

const scanner = new LibrarySecretScanner();
const IDS = ['git', 'memory', 'agents'] as const;

/** Secrets whose value is one word: several lines are looked at by the unit tests. */
const secret = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.nat()).map(([seed, pick]) => {
  const all = labelledSecrets(seed).filter((each) => !each.secret.includes('-----') && each.kind !== 'key in notes');
  return all[pick % all.length]!;
});

const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HARMLESS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '</git>', '<memory>', '```', 'Ein Satz über Schlüssel 🔑.', '{"a": [1, 2]}'),
  },
  { weight: 2, arbitrary: secret.map(({ text }) => text) },
);

const sections = fc.tuple(...IDS.map(() => fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))));

function payloadOf(contents: readonly string[]): string {
  const escapeTags = createEscape(IDS);
  return contents.map((content, at) => renderElement(IDS[at]!, escapeTags(content))).join('');
}

const maskable = (text: string) => ({ text, elements: IDS, fallbackId: 'rest' });
const tags = (text: string) => text.match(/^<\/?(?:git|memory|agents)>|<\/(?:git|memory|agents)>$/gm) ?? [];

describe('masking', () => {
  it('leaves no secret, all tags, as many lines, and no more characters', async () => {
    await fc.assert(
      fc.asyncProperty(sections, secret, async (contents, planted) => {
        const text = payloadOf([`${contents[0]}\n${planted.text}`, ...contents.slice(1)]);
        const masked = await maskText(maskable(text), { scanner });
        expect(masked.text).not.toContain(planted.secret);
        expect(masked.findings.length).toBeGreaterThan(0);
        expect(tags(masked.text)).toEqual(tags(text));
        expect(masked.text.split('\n').length).toBe(text.split('\n').length);
        expect(masked.text.length).toBeLessThanOrEqual(text.length);
      }),
      runs(60, 300),
    );
  });

  it('changes nothing a second time', async () => {
    await fc.assert(
      fc.asyncProperty(sections, async (contents) => {
        const once = await maskText(maskable(payloadOf(contents)), { scanner });
        expect(await maskText(maskable(once.text), { scanner })).toEqual({
          text: once.text,
          findings: [],
          tokens: undefined,
        });
      }),
      runs(60, 300),
    );
  });

  it('changes nothing but what was found', () => {
    const matches = fc.array(fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 30 })), { maxLength: 5 });
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), matches, (text, places) => {
        const found = places
          .map(([start, length]) => ({ start, end: start + length, label: 'key' }))
          .filter(({ end }) => end <= text.length);
        const [masked] = maskSecrets([{ text, matches: found }]);
        const covered = new Set(
          found.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
        );
        const rest = [...Array(text.length).keys()].filter((at) => !covered.has(at)).map((at) => text[at]);
        // What was outside of all matches is there, in its order, unless it stood for a repeated secret.
        if (masked!.secrets.every(({ value }) => value.length < 12)) {
          let from = 0;
          for (const char of rest) {
            const next = masked!.text.indexOf(char!, from);
            expect(next).toBeGreaterThanOrEqual(from);
            from = next + 1;
          }
        }
        expect(masked!.text.split('\n').length).toBe(text.split('\n').length);
      }),
    );
  });

  it('keeps the shape of data, and JSON made of it stays JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.jsonValue(), secret, async (texts, other, planted) => {
        const value = { texts: [...texts, planted.text], other, tokens: 12 };
        const masked = await maskStrings(value, scanner);
        const json = JSON.stringify(masked.value, null, 2);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(masked.value)));
        expect(json).not.toContain(JSON.stringify(planted.secret).slice(1, -1));
        expect(masked.value.texts.length).toBe(value.texts.length);
        expect(Object.keys(masked.value)).toEqual(Object.keys(value));
      }),
      runs(50, 200),
    );
  });

  it('takes no more tokens than before, whatever the tokenizer thinks of the masks', async () => {
    await fc.assert(
      fc.asyncProperty(sections, fc.integer({ min: 1, max: 9 }), async (contents, perMask) => {
        const text = payloadOf(contents);
        // A tokenizer to which masks are dear: every bracket costs.
        const count = (each: string) =>
          Math.ceil(each.length / 4) + perMask * 10 * (each.match(/\[masked/g)?.length ?? 0);
        const countTokens = async (texts: readonly string[]) => texts.map(count);
        const { tokens, text: masked, findings } = await maskText(maskable(text), { scanner, countTokens });
        expect(count(masked)).toBeLessThanOrEqual(count(text));
        expect(tokens).toBe(findings.length === 0 ? undefined : count(masked));
      }),
      runs(50, 200),
    );
  });
});
