import { plural } from '../text/numbers';

/** A secret that was masked: where it stands in what is copied, and what it looks like. */
export interface SecretFinding {
  readonly sectionId: string;
  /** 1-based, in the section's content. */
  readonly line: number;
  /** In the field's words, such as `AWS access key`. */
  readonly label: string;
  /** The secret itself: for finding its place in a file. Never shown, logged or sent. */
  readonly value: string;
}

/** `1 key masked in git`, `3 keys masked in git, memory`; empty for none. For agents and shells. */
export function maskedSentence(findings: readonly SecretFinding[]): string {
  if (findings.length === 0) return '';
  const ids = [...new Set(findings.map(({ sectionId }) => sectionId))];
  return `${plural(findings.length, 'key')} masked in ${ids.join(', ')}`;
}

/** Line of `source` on which the secret begins, 1-based; undefined where it does not stand there as it was copied. */
export function findSourceLine(source: string, { value }: Pick<SecretFinding, 'value'>): number | undefined {
  const [first = ''] = value.split('\n', 1);
  const at = source.indexOf(first.trimEnd());
  return first.trimEnd() === '' || at < 0 ? undefined : source.slice(0, at).split('\n').length;
}
