/**
 * Masking: what of a text is replaced, given what was found in it. It decides what stands for a secret and how
 * overlapping and repeated ones are treated; finding them is the scanner's business (`secretScanner.ts`).
 */
import type { MaskedSecret, MaskedText } from '../model/report';
import { isMask, maskFor } from './secretMask';
import type { SecretMatch } from './secretScanner';

/** A text with what was found in it. */
export interface ScannedText {
  readonly text: string;
  readonly matches: readonly SecretMatch[];
}

/** Characters by which repeats are looked up. Shorter secrets are masked in their place alone: as words they are common. */
const KEY_CHARS = 12;

/** Ends a sentence that was cut (`text/sentence.ts`). */
const CUT_SHORT = '…';

/** In order, without overlaps: what overlaps becomes one, under the label of the one that starts first. */
function merged(text: string, matches: readonly SecretMatch[]): readonly SecretMatch[] {
  const inside = matches
    .filter(({ start, end }) => start >= 0 && start < end && end <= text.length && !isMask(text.slice(start, end)))
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  const result: SecretMatch[] = [];
  for (const match of inside) {
    const last = result.at(-1);
    if (last && match.start < last.end) {
      result[result.length - 1] = { ...last, end: Math.max(last.end, match.end) };
    } else result.push(match);
  }
  return result;
}

/** Secrets by their first characters, longest first. */
type KnownSecrets = ReadonlyMap<string, readonly { readonly value: string; readonly label: string }[]>;

function knownSecrets(texts: readonly ScannedText[]): KnownSecrets {
  const known = new Map<string, { value: string; label: string }[]>();
  for (const { text, matches } of texts) {
    for (const { start, end, label } of matches) {
      const value = text.slice(start, end);
      if (value.length < KEY_CHARS || value.includes('\n')) continue;
      const key = value.slice(0, KEY_CHARS);
      const same = known.get(key) ?? [];
      if (!same.some((each) => each.value === value)) same.push({ value, label });
      known.set(key, same);
    }
  }
  for (const same of known.values()) same.sort((a, b) => b.value.length - a.value.length);
  return known;
}

/** Characters of `value` that stand at `at`: all, or what is left of it where a sentence was cut short; else 0. */
function repeatedChars(text: string, at: number, value: string): number {
  if (text.startsWith(value, at)) return value.length;
  let length = KEY_CHARS;
  while (length < value.length && text[at + length] === value[length]) length++;
  return at + length === text.length || text[at + length] === CUT_SHORT ? length : 0;
}

/** Where a secret that was found elsewhere stands again, whole or cut short, without what gave it away there. */
function repeats(text: string, known: KnownSecrets): readonly SecretMatch[] {
  if (known.size === 0) return [];
  const found: SecretMatch[] = [];
  for (let at = 0; at + KEY_CHARS <= text.length; at++) {
    for (const { value, label } of known.get(text.slice(at, at + KEY_CHARS)) ?? []) {
      const length = repeatedChars(text, at, value);
      if (length === 0) continue;
      found.push({ start: at, end: at + length, label });
      at += length - 1;
      break;
    }
  }
  return found;
}

function countLineEnds(text: string): number {
  return text.split('\n').length - 1;
}

function maskOne(text: string, matches: readonly SecretMatch[]): MaskedText {
  const pieces: string[] = [];
  const secrets: MaskedSecret[] = [];
  let done = 0;
  let line = 1;
  for (const { start, end, label } of matches) {
    const value = text.slice(start, end);
    const before = text.slice(done, start);
    line += countLineEnds(before);
    pieces.push(before, maskFor(value, label));
    secrets.push({ label, line, value });
    line += countLineEnds(value);
    done = end;
  }
  return { text: pieces.join('') + text.slice(done), secrets };
}

/**
 * The texts with every match masked, and every other place where the same secret stands again in any of them; parallel
 * to `texts`. No text gets longer or has other lines. Each place counts. Linear.
 */
export function maskSecrets(texts: readonly ScannedText[]): readonly MaskedText[] {
  const safe = texts.map(({ text, matches }) => ({ text, matches: merged(text, matches) }));
  const known = knownSecrets(safe);
  return safe.map(({ text, matches }) => {
    if (matches.length === 0 && known.size === 0) return { text, secrets: [] };
    return maskOne(text, merged(text, [...matches, ...repeats(text, known)]));
  });
}
