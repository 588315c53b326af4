/** The page's language: English until `speak` is told another one, which has to be before the first words are made. */
import type { Phrase } from '../src/core/text/phrase';
import { ENGLISH, type InterfaceLanguage, sayPhrase } from '../src/protocol/interfaceLanguage';

function countFormat(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
}

let language = ENGLISH;
let counts = countFormat(ENGLISH.locale);

/** Sets the page's language. Words are made while modules load: an entry does this in its first import. */
export function speak(next: InterfaceLanguage): void {
  language = next;
  counts = countFormat(next.locale);
}

/** BCP 47 tag of the page's numbers and dates. */
export function locale(): string {
  return language.locale;
}

/** A count with separators: `6,120`. */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** The title of the command that does the same as a button: the button's label. */
export function titleOf(action: string): string {
  return language.titles?.[action] ?? action;
}

/** A phrase of the core in the page's language. */
export function say(words: Phrase): string {
  return sayPhrase(words, language.bundle, formatCount);
}

/**
 * The English template in the page's language, `{0}`, `{1}`… filled; numbers are grouped. `message` must be a literal, or
 * a choice of literals, so that the test of the bundles finds it; singular and plural are two messages.
 */
export function t(message: string, ...args: readonly (string | number)[]): string {
  return say({ message, args });
}

/** Several names in a row: `a, b, c`. */
export function listed(names: readonly string[]): string {
  return names.join(t(', '));
}
