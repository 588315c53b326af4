/** An error as it stands in a file now. */
export interface StandingError {
  readonly line: number;
  readonly message: string;
  readonly source: string | undefined;
}

/**
 * Tells new errors from those that stood before, file by file. Lines move while one types, so an error is known by its
 * source and message; all errors of a file that was never looked at are new.
 */
export class ErrorWatch {
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** Takes the errors of a file as they are, without calling any of them new. */
  learn(path: string, errors: readonly StandingError[]): void {
    this.#known.set(path, new Set(errors.map(keyOf)));
  }

  /** Errors that did not stand when the file was looked at before; those that are gone may be new again. */
  look(path: string, errors: readonly StandingError[]): readonly StandingError[] {
    const known = this.#known.get(path) ?? new Set<string>();
    if (errors.length === 0) this.#known.delete(path);
    else this.learn(path, errors);
    return errors.filter((error) => !known.has(keyOf(error)));
  }
}

function keyOf({ message, source }: StandingError): string {
  return `${source ?? ''}\n${message}`;
}
