import { findPrivateKeys } from '../../secrets/privateKeys';
import { findSecretLooks } from '../../secrets/secretLooks';
import type { SecretMatch } from '../../secrets/secretScanner';

/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Names whose values are secrets, in commands, environments and headers. */
const NAMES =
  '[\\w.-]*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth)s?';

/** Each finds a secret behind something that stays (group 1). */
const BEHIND: readonly RegExp[] = [
  // Authorization: Bearer …, also as a curl header
  /(\b(?:authorization|proxy-authorization|x-api-key|cookie)\s*[:=]\s*(?:bearer\s+|basic\s+|token\s+)?)[^\s"',;]+/giu,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/giu,
  // NAME=value, --name value, "name": "value"
  new RegExp(`(\\b${NAMES}["']?\\s*[=:]\\s*)(?:"[^"]*"|'[^']*'|[^\\s"',;&]+)`, 'giu'),
  new RegExp(`(--?${NAMES}\\s+)(?:"[^"]*"|'[^']*'|(?!-)[^\\s"']+)`, 'giu'),
  // user:password@host
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)[^\s/@]+(?=@)/giu,
  /(\s(?:-u|--user)[ =]["']?[^\s:"']+:)[^\s"']+/gu,
];

/**
 * Looks that are broader than those of `secrets/`: what is recorded stays in a file of the folder, and one word too many
 * that is missing there costs less than a secret.
 */
const KNOWN: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/gu,
  /\bsk-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{16,}|\bhf_[A-Za-z0-9]{20,}/gu,
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/gu,
  // A long run of hexadecimal or base64 digits that has letters and digits: a key more often than not.
  /(?<![\w/+-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[A-Za-z0-9+_-]{40,}={0,2}(?![\w/+.-])/gu,
];

/** The text with each stretch replaced; what overlaps or stands twice is one stretch. */
function redactMatches(text: string, matches: readonly SecretMatch[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start)) {
    if (start >= done) pieces.push(text.slice(done, start), REDACTED);
    done = Math.max(done, end);
  }
  return pieces.join('') + text.slice(done);
}

/**
 * Replaces what looks like a secret: values of names such as `password` or `API_KEY`, credentials of URLs and headers,
 * and keys of known looks. Best effort: patterns cannot find all, and a long hash may be masked too. Linear for short texts.
 */
export function redactSecrets(text: string): string {
  const known = redactMatches(text, [...findPrivateKeys(text), ...findSecretLooks(text)]);
  const behind = BEHIND.reduce((rest, pattern) => rest.replace(pattern, `$1${REDACTED}`), known);
  return KNOWN.reduce((rest, pattern) => rest.replace(pattern, REDACTED), behind);
}
