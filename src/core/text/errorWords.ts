import { asGiven, inEnglish, type Phrase } from './phrase';

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

/**
 * Makes the class of an area's errors: `class UsageError extends errorClass<UsageErrorReason>('UsageError') {}`. Callers
 * decide by `reason`, never by the message.
 */
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

    /** By name, not by class: the MCP server is a bundle of its own, over a session of the command line's bundle. */
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
