/** Masking: no secret leaves in any form, numbers are those of what leaves, and a scanner that fails lets no text out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PayloadMode } from '../../src/core/model/section';
import { PAYLOAD_FORMATS, renderPayload } from '../../src/core/render/renderPayload';
import { Masking, maskStrings, stringsOf } from '../../src/core/secrets/masking';
import { maskSecrets } from '../../src/core/secrets/maskSecrets';
import type { SecretScanner } from '../../src/core/secrets/secretScanner';
import { Engine } from '../../src/worker/engine';
import { librarySecretScanner as scanner } from '../../src/worker/secrets/librarySecretScanner';
import { HARMLESS, labelledSecrets } from '../fixtures/fakeSecrets';
import { runs } from '../support/runs';
import { request, section } from '../support/sectionBuilder';
import { sharedTokenizer } from '../support/sharedTokenizer';

const assets = { read: async () => new Uint8Array() };
const MODES: readonly PayloadMode[] = ['index', 'expanded'];

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

const lines = fc.array(line, { maxLength: 6 }).map((all) => all.join('\n'));

/** What a planted secret may stand behind. */
const head = fc.constantFrom('', 'SUMMARY:OK:all is well\n---\n', 'SUMMARY:ALERT:', '# Notes\n\n- ');

const caps = fc.record({ budgetTokens: fc.integer({ min: 40, max: 900 }) });

describe('a report', () => {
  it('has no secret in any form, and the numbers of what leaves', async () => {
    const engine = new Engine(assets, scanner, sharedTokenizer);
    await fc.assert(
      fc.asyncProperty(
        fc.array(lines, { maxLength: 3 }),
        head,
        secret,
        caps,
        async (others, start, planted, profile) => {
          const texts = [`${start}${planted.text}`, ...others];
          const sections = texts.map((text, at) =>
            section(`s${at}`, text, { title: at === 1 ? planted.text : `s${at}` }),
          );
          const report = await engine.buildReport(request(sections, profile));
          expect(JSON.stringify(report.payloads)).not.toContain(JSON.stringify(planted.secret).slice(1, -1));
          for (const mode of MODES) {
            const payload = report.payloads[mode];
            for (const format of PAYLOAD_FORMATS)
              expect(renderPayload(report, mode, format)).not.toContain(planted.secret);
            const { budget, overheadTokens, text } = payload;
            expect([budget.tokens]).toEqual(await engine.countTokens({ texts: [text], tokenizer: budget.tokenizer }));
            expect(budget.chars).toBe(text.length);
            expect(payload.sections.reduce((sum, { tokens }) => sum + tokens, overheadTokens)).toBe(budget.tokens);
          }
        },
      ),
      runs(30, 300),
    );
  });

  it('lets no text out that could not be scanned', async () => {
    const failing: SecretScanner = { scan: () => Promise.reject(new Error('no scanner')) };
    const engine = new Engine(assets, failing, sharedTokenizer);
    const word = 'zebrafish';
    await fc.assert(
      fc.asyncProperty(lines, head, async (text, start) => {
        const sections = [section('s0', `${start}${word}\n${text}`, { title: word })];
        const report = await engine.buildReport(request(sections));
        expect(JSON.stringify(report.payloads)).not.toContain(word);
        expect(report.payloads.expanded.sections[0]).toMatchObject({ status: 'ALERT', isNotScanned: true });
        expect(report.problems.map(({ message }) => message).join()).toContain('secret scan failed');
        const unmasked = await engine.buildReport({ ...request(sections), isUnmasked: true });
        expect(JSON.stringify(unmasked.payloads)).toContain(word);
      }),
      runs(10, 100),
    );
  });

  it('holds back the text alone that the scanner fails with', async () => {
    const picky: SecretScanner = {
      scan: async (texts) => {
        if (texts.some((text) => text.includes('poison'))) throw new Error('no');
        return texts.map(() => []);
      },
    };
    const engine = new Engine(assets, picky, sharedTokenizer);
    const report = await engine.buildReport(request([section('bad', 'poison here'), section('good', 'fine here')]));
    expect(report.payloads.expanded.text).toContain('fine here');
    expect(report.payloads.expanded.text).not.toContain('poison');
  });
});

describe('masking', () => {
  it('leaves out the largest text alone when scanning takes too long, and goes on with it in the next request', async () => {
    let now = 0;
    const slow: SecretScanner = {
      scan: async (texts) => {
        now += texts.join('').length > 200_000 ? 30_000 : 1;
        return texts.map(() => []);
      },
    };
    const engine = new Engine(assets, slow, sharedTokenizer, () => now);
    const large = (word: string, size: number) => section(word, `${word} `.repeat(size / (word.length + 1)));
    const sections = [large('huge', 300_000), section('small', 'fine here'), large('big', 210_000)];
    const withheld = async () => {
      const { payloads } = await engine.buildReport(request(sections));
      return payloads.expanded.sections.flatMap(({ id, isNotScanned }) => (isNotScanned ? [id] : []));
    };
    expect(await withheld()).toEqual(['huge']);
    expect(await withheld()).toEqual([]);
  });

  it('scans each text once', async () => {
    const asked: string[] = [];
    const counting: SecretScanner = {
      scan: (texts) => {
        asked.push(...texts);
        return scanner.scan(texts);
      },
    };
    const masking = new Masking(counting);
    await masking.masksFor(['one', 'two', 'one']);
    await masking.masksFor(['two', 'three']);
    expect(asked).toEqual(['one', 'two', 'three']);
  });

  it('changes nothing a second time', async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (text) => {
        const masking = new Masking(scanner);
        const once = (await masking.masksFor([text]))(text)!;
        expect((await masking.masksFor([once.text]))(once.text)).toEqual({ text: once.text, secrets: [] });
        expect(once.text.split('\n').length).toBe(text.split('\n').length);
        expect(once.text.length).toBeLessThanOrEqual(text.length);
      }),
      runs(30, 300),
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
        const masked = maskStrings(value, await new Masking(scanner).masksFor(stringsOf(value)));
        const json = JSON.stringify(masked, null, 2);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(masked)));
        expect(json).not.toContain(JSON.stringify(planted.secret).slice(1, -1));
        expect(masked.texts.length).toBe(value.texts.length);
        expect(Object.keys(masked)).toEqual(Object.keys(value));
      }),
      runs(25, 200),
    );
  });
});
