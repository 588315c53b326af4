import fc from 'fast-check';
import { anyText } from '../../support/anyText';
import { runs } from '../../support/runs';

/** How long each fuzzer runs, in seconds; a sample unless set. */
const SECONDS = Number(process.env.CONTEXT_BUDGET_FUZZ_SECONDS ?? 0);

/** A long run ends by itself: the test must not end before it. */
export const FUZZ_LIMIT = SECONDS > 0 ? { timeout: SECONDS * 2000 + 60_000 } : {};

let tried = 0;

/** How often inputs are tried: see `runs`; with `CONTEXT_BUDGET_FUZZ_SECONDS` for so long, each time with other seeds. */
export function fuzzing(sample: number, full: number): fc.Parameters<unknown> {
  if (SECONDS === 0) return runs(sample, full);
  return {
    numRuns: 1_000_000_000,
    interruptAfterTimeLimit: SECONDS * 1000,
    markInterruptAsFailure: false,
    seed: Date.now() | 0,
  };
}

/** Call for each input: a long run says how many there were. */
export function countInput(): void {
  tried++;
}

/** Says how many inputs a long run tried. */
export function tellInputs(what: string): void {
  if (SECONDS > 0) console.log(`${what}: ${tried} inputs in ${SECONDS} s a property`);
}

/** Names and paths that lead elsewhere, or break whoever joins, shows or compares them. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud83d', '\ufeff', '\u202e', '\u200b', '\u2028', 'x'.repeat(3000), '\\', '"'],
  ...['../x', '/etc/passwd', 'C:\\x', '//host/x', '~/x', '.git/config', '.GIT/hooks/x', 'a/../../x', '.', '..', 'a//b'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', '</context-index>', '<soul>', '{0}', '{"a":', '%s'],
  ...['**/*', '{a,b}{c,d}', '[', '(a+)+$', '!x', '2026-02-30 99:99:99', '1e999', 'NaN', '-0'],
];

/** Numbers at the edges of what programs count with. */
const HOSTILE_NUMBERS: readonly number[] = [
  ...[0, -0, -1, 0.1, 1, 1e9, 1e21, 1e300, -1e300, 2 ** 31, 2 ** 32, 2 ** 52, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2],
];

/** Any JSON value, hostile ones more often. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE_TEXTS),
  fc.constantFrom<unknown>(...HOSTILE_NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3, noUnicodeString: false }),
  fc.constantFrom(...HOSTILE_TEXTS).map((text) => [text, text]),
  fc.tuple(fc.constantFrom(...HOSTILE_TEXTS), fc.jsonValue({ maxDepth: 1 })).map(([key, value]) => ({ [key]: value })),
);

/** Every place of a JSON value: the keys that lead to it. */
export function placesOf(node: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof node !== 'object' || node === null) return [at];
  return [at, ...Object.entries(node).flatMap(([key, child]) => placesOf(child, [...at, key]))];
}

/** `node` with `put` at a place. */
export function replacedAt(node: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  const copy: Record<string, unknown> = Array.isArray(node) ? ([...node] as never) : { ...(node as object) };
  copy[key] = replacedAt(copy[key], rest, put);
  return copy;
}

/** Some hostile values at some places of a JSON value. */
export function damagedValue(value: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(value);
  return fc.array(fc.tuple(fc.nat(places.length - 1), hostileValue), { maxLength: 4 }).map((changes) =>
    changes.reduce((now, [at, put]) => {
      const place = places[at] ?? [];
      const isThere = place.every((_, end) => {
        const parent = place.slice(0, end).reduce<unknown>((node, key) => (node as never)?.[key], now);
        return typeof parent === 'object' && parent !== null;
      });
      return isThere ? replacedAt(now, place, put) : now;
    }, value),
  );
}

/** A text with a piece cut out, put in, doubled or replaced, up to three times. */
export function damagedText(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const put = fc.oneof(
    fc.constantFrom(...HOSTILE_TEXTS, '{', '}', '[', ']', ',', ':', '//', '/*', '\r', '\n', '\\u', '\\ud800'),
    anyText({ maxLength: 8 }),
  );
  const change = fc.tuple(fc.constantFrom('cut', 'put', 'double', 'end'), fc.nat(), fc.nat(40), put);
  return fc.tuple(text, fc.array(change, { maxLength: 3 })).map(([whole, changes]) =>
    changes.reduce((now, [how, where, length, piece]) => {
      const at = where % (now.length + 1);
      if (how === 'end') return now.slice(0, at);
      if (how === 'cut') return now.slice(0, at) + now.slice(at + length);
      if (how === 'double') return now.slice(0, at + length) + now.slice(at);
      return now.slice(0, at) + piece + now.slice(at);
    }, whole),
  );
}

/** Ends a test whose input took longer than any should: hostile input must not hold a thread. */
export function within<T>(limitMs: number, work: () => T): T {
  const start = performance.now();
  const result = work();
  const ms = performance.now() - start;
  if (ms > limitMs) throw new Error(`it took ${Math.round(ms)} ms`);
  return result;
}
