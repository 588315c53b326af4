/**
 * What the config's schema is made of: numbers, paths, names and objects, each with its expectation in words, and the
 * phrases behind those words. What the config holds is in `schema.ts`.
 */
import * as z from 'zod/mini';
import { SECTION_ID } from '../text/elements';
import { asGiven, inEnglish, type Phrase, phrase } from '../text/phrase';
import { SAFE_PATH_PATTERN } from '../text/safePath';

/** Keeps caps far away from where sums of tokens lose precision, and slips of the keyboard out. */
export const MAX_CAP = 100_000_000;

/** Longer than any path a file system takes; the glob library refuses patterns of 65,536 and more. */
const MAX_PATH_CHARS = 4096;

/** The schema library takes and hands on texts alone, so each phrase is kept under its English. */
const known = new Map<string, Phrase>();

export function schemaText(words: Phrase): string {
  const english = inEnglish(words);
  known.set(english, words);
  return english;
}

/** The phrase behind a text that the schema library gave back. */
export function schemaWords(text: string): Phrase {
  return known.get(text) ?? asGiven(text);
}

export const ID_WORDS = schemaText(
  phrase('an id of letters, digits, "_" and "-" that starts with a letter or digit, such as "topic-memory"'),
);
const PATH_WORDS = schemaText(
  phrase('a path inside the folder, with "/" between names, without a leading "/" and without ".."'),
);
const PROFILE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}$/;

export function describe<T extends z.ZodMiniType>(schema: T, description: Phrase): T {
  z.globalRegistry.add(schema, { description: schemaText(description) });
  return schema;
}

export function whole(minimum: number, maximum = MAX_CAP) {
  const words =
    maximum === MAX_CAP
      ? phrase('a whole number of at least {0}', String(minimum))
      : phrase('a whole number from {0} to {1}', String(minimum), maximum);
  const error = { error: schemaText(words) };
  return z.int(error).check(z.minimum(minimum, error), z.maximum(maximum, error));
}

export function share() {
  const error = { error: schemaText(phrase('a number from 0 to 1')) };
  return z.number(error).check(z.minimum(0, error), z.maximum(1, error));
}

export function amount() {
  const error = { error: schemaText(phrase('a number from 0 to 1,000,000')) };
  return z.number(error).check(z.minimum(0, error), z.maximum(1_000_000, error));
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: schemaText(phrase('one of {0}', values.map((value) => `"${value}"`).join(', '))) });
}

export function listOf<T extends z.ZodMiniType>(element: T, words: Phrase) {
  return z.array(element, { error: schemaText(words) });
}

export function objectOf<T extends Record<string, z.ZodMiniType>>(shape: T) {
  return z.object(shape, { error: schemaText(phrase('an object')) });
}

export const path = () => {
  const error = { error: PATH_WORDS };
  return z
    .string(error)
    .check(z.maxLength(MAX_PATH_CHARS, { ...error, abort: true }), z.regex(SAFE_PATH_PATTERN, error));
};
export const id = () => z.string({ error: ID_WORDS }).check(z.regex(SECTION_ID, { error: ID_WORDS }));
export const profileName = () => {
  const error = {
    error: schemaText(
      phrase(
        'a profile name of 1 to 64 characters (A-Z, a-z, 0-9, " ", "_", "." and "-") that starts with a letter or digit',
      ),
    ),
  };
  return z.string(error).check(z.regex(PROFILE_NAME_PATTERN, error));
};

export function withDefault<T extends z.ZodMiniType>(schema: T, value: z.output<T>, description: Phrase) {
  return describe(z._default(schema, value as never), description);
}

/** An object that is all defaults where it is left out. */
export function withDefaults<T extends z.ZodMiniType>(schema: T, description: Phrase) {
  return withDefault(schema, z.parse(schema, {}), description);
}

export function optional<T extends z.ZodMiniType>(schema: T, description: Phrase) {
  return describe(z.optional(schema), description);
}
