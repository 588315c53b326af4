/**
 * Words of the config's schema: descriptions, and expectations that follow "must be". The schema library takes and hands
 * on texts alone, so each phrase is kept under its English.
 */
import { asGiven, inEnglish, type Phrase } from '../text/phrase';

const known = new Map<string, Phrase>();

/** The words as the schema library takes them. */
export function schemaText(words: Phrase): string {
  const english = inEnglish(words);
  known.set(english, words);
  return english;
}

/** The phrase behind a text that the schema library gave back. */
export function schemaWords(text: string): Phrase {
  return known.get(text) ?? asGiven(text);
}
