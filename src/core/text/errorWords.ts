import { asGiven, type Phrase } from './phrase';

/** An error of this product: its message is the English of its words. */
export interface WordedError extends Error {
  readonly words: Phrase;
}

function isWorded(error: unknown): error is WordedError {
  if (!(error instanceof Error) || !('words' in error)) return false;
  const { words } = error;
  return typeof words === 'object' && words !== null && 'message' in words && 'args' in words;
}

/** What went wrong, for people: the words of an error of our own; of any other its message, whatever language it has. */
export function errorWords(error: unknown): Phrase {
  if (isWorded(error)) return error.words;
  return asGiven(error instanceof Error ? error.message : String(error));
}
