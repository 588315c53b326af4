/** Counts of things as parts of phrases: singular and plural are two messages. */
import { type Phrase, phrase } from './phrase';

export function tokensOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} token' : '{0} tokens', count);
}

export function filesOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} file' : '{0} files', count);
}

export function cyclesOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} cycle' : '{0} cycles', count);
}

export function charactersOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} character' : '{0} characters', count);
}

export function bytesOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} byte' : '{0} bytes', count);
}
