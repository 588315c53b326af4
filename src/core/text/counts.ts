/** Counts of things as parts of phrases: singular and plural are two messages. */
import { type Phrase, phrase } from './phrase';

/** Numbers for programs have at most four decimals: more would be noise, and the same in every command. */
const DECIMALS = 1e4;

export function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}

/** Rounds a number; null stays null. */
export function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}

export function tokensOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} token' : '{0} tokens', count);
}

export function filesOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} file' : '{0} files', count);
}

export function linesOf(count: number): Phrase {
  return phrase(count === 1 ? '{0} line' : '{0} lines', count);
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
