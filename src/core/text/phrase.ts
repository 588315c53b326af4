/** What people read in their own language: the core makes phrases, hosts say them. Agents always read the English. */
import { formatCount } from './numbers';

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
  return asGiven(messageOf(error));
}

/** The message of an error, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Makes the class of an area's errors. Callers decide by `reason`, never by the message. */
export function errorClass<Reason extends string>(name: string) {
  return class ReasonError extends Error {
    constructor(
      readonly reason: Reason,
      message: string,
      options?: ErrorOptions,
    ) {
      super(message, options);
      this.name = name;
    }

    /** By name, not by class: the MCP server is a bundle of its own, over a workspace of the command line's bundle. */
    static is<Own extends ReasonError>(
      this: new (
        ...args: never[]
      ) => Own,
      error: unknown,
      reason?: Reason,
    ): error is Own {
      if (!(error instanceof Error) || error.name !== name) return false;
      return reason === undefined || (error as ReasonError).reason === reason;
    }
  };
}

/** As `errorClass`, with words that interfaces show in their own language; `message` is their English. */
export function wordedErrorClass<Reason extends string>(name: string) {
  return class extends errorClass<Reason>(name) {
    constructor(
      reason: Reason,
      readonly words: Phrase,
      options?: ErrorOptions,
    ) {
      super(reason, inEnglish(words), options);
    }
  };
}

/** What fills a placeholder: numbers are grouped by locale, phrases are put into words themselves. */
export type PhraseArgument = string | number | Phrase;

/** An English template with `{0}`, `{1}`… and what goes there. Plain data. */
export interface Phrase {
  readonly message: string;
  readonly args: readonly PhraseArgument[];
}

/** Templates by their English, as in a bundle of VS Code's `l10n`; one that is missing is shown in English. */
export type PhraseBundle = Readonly<Record<string, string>>;

/**
 * A phrase. `message` must be a literal, so that the test of the bundles finds it; singular and plural are two messages.
 * @example phrase(count === 1 ? '{0} token' : '{0} tokens', count)
 */
export function phrase(message: string, ...args: readonly PhraseArgument[]): Phrase {
  return { message, args };
}

/** Nothing to say. */
export const NO_WORDS: Phrase = { message: '', args: [] };

/** A text that is not ours (a file's, a program's, a person's), the same in every language. */
export function asGiven(text: string): Phrase {
  return phrase('{0}', text);
}

/** Sentences one after the other; `NO_WORDS` are left out. */
export function sentences(...all: readonly Phrase[]): Phrase {
  const said = all.filter(({ message }) => message !== '');
  return said.slice(1).reduce((before, next) => phrase('{0} {1}', before, next), said[0] ?? NO_WORDS);
}

/** The phrase in English, numbers with `,` between groups of three digits: the same on every machine. */
export function inEnglish(words: Phrase): string {
  return sayPhrase(words, {}, formatCount);
}

/** The phrase in the bundle's language. A placeholder without an argument stays as it is. */
export function sayPhrase(words: Phrase, bundle: PhraseBundle, formatNumber: (value: number) => string): string {
  const template = Object.hasOwn(bundle, words.message) ? (bundle[words.message] ?? words.message) : words.message;
  return template.replace(/\{(\d+)\}/g, (placeholder, index: string) => {
    const argument = words.args[Number(index)];
    if (argument === undefined) return placeholder;
    if (typeof argument === 'number') return formatNumber(argument);
    return typeof argument === 'string' ? argument : sayPhrase(argument, bundle, formatNumber);
  });
}
