import type { MaskedSecret, SecretFinding } from '../model/report';
import { plural } from '../text/numbers';

/** `1 key masked in git`, `3 keys masked in git, memory`; empty for none. For agents and shells. */
export function maskedSentence(findings: readonly SecretFinding[]): string {
  if (findings.length === 0) return '';
  const ids = [...new Set(findings.map(({ sectionId }) => sectionId))];
  return `${plural(findings.length, 'key')} masked in ${ids.join(', ')}`;
}

/** Where a secret stands: `AGENTS.md:16` in a file; undefined in a text that is no file's, of which only the line is known. */
export function findingFile({ path, line }: SecretFinding): string | undefined {
  return path === undefined ? undefined : `${path}:${line}`;
}

/** Line of `source` on which the secret begins, 1-based; undefined where it does not stand there as it was copied. */
export function findSourceLine(source: string, { value }: Pick<MaskedSecret, 'value'>): number | undefined {
  const [first = ''] = value.split('\n', 1);
  const at = source.indexOf(first.trimEnd());
  return first.trimEnd() === '' || at < 0 ? undefined : source.slice(0, at).split('\n').length;
}
