import { inEnglish, type Phrase } from '../../src/core/text/phrase';

function isPhrase(value: object): value is Phrase {
  return 'message' in value && 'args' in value && Object.keys(value).length === 2;
}

/** The value with every phrase in it said in English, so that tests compare what people read. */
export function english(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(english);
  if (typeof value !== 'object' || value === null) return value;
  if (isPhrase(value)) return inEnglish(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, english(item)]));
}

/** What a phrase is about: everything that fills it, in order. Holds whatever its wording is. */
export function factsOf({ args }: Phrase): readonly (string | number)[] {
  return args.flatMap((argument) => (typeof argument === 'object' ? factsOf(argument) : [argument]));
}
