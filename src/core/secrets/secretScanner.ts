/** One secret in a text: offsets in UTF-16 code units, end exclusive. */
export interface SecretMatch {
  readonly start: number;
  readonly end: number;
  /** What it looks like, in the field's words, such as `AWS access key` or `private key`. */
  readonly label: string;
}

/** Finds keys, tokens and passwords by their looks. Implemented over a library; see the hosts' composition roots. */
export interface SecretScanner {
  /**
   * Another text for any other rules, so that what these found nothing in may be remembered beyond the process. Absent
   * where the scanner can't tell: then each process scans for itself.
   */
  readonly rules?: string;
  /**
   * Matches in order, without overlaps; parallel to `texts`. Deterministic; never keeps or sends a text.
   * Rejects only when it cannot scan at all, and then nothing may be copied unmasked by default.
   */
  scan(texts: readonly string[]): Promise<readonly (readonly SecretMatch[])[]>;
}
