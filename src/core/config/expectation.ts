/**
 * Expectations of the config's schema, in words that follow "must be". The schema library hands on texts alone, so each
 * phrase is kept under its English.
 */
import { asGiven, inEnglish, type Phrase } from '../text/phrase';

const known = new Map<string, Phrase>();

/** The expectation as the schema library takes it. */
export function expected(words: Phrase): string {
  const english = inEnglish(words);
  known.set(english, words);
  return english;
}

/** The phrase behind a text that the schema library gave back. */
export function expectationOf(english: string): Phrase {
  return known.get(english) ?? asGiven(english);
}
