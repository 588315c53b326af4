import * as vscode from 'vscode';
import type { SecretFinding } from '../../core/model/report';
import { formatCount } from '../base/format';

/** What a finding looks like, in the language of the editor; names of services stay as they are. */
export function secretLabel(label: string): string {
  switch (label) {
    case 'private key':
      return vscode.l10n.t('private key');
    case 'password':
      return vscode.l10n.t('password');
    case 'key':
      return vscode.l10n.t('key or token');
    case 'password in a URL':
      return vscode.l10n.t('password in a URL');
    case 'database password':
      return vscode.l10n.t('database password');
    case 'bearer token':
      return vscode.l10n.t('bearer token');
    case 'JSON web token':
      return vscode.l10n.t('JSON web token');
    case 'API key':
      return vscode.l10n.t('API key');
    default:
      return label;
  }
}

/** `git, line 3`. */
export function secretPlace({ sectionId, line }: SecretFinding): string {
  return vscode.l10n.t('{0}, line {1}', sectionId, formatCount(line));
}

/** What was copied, and that keys of it were masked. */
export function maskedNote(note: string, count: number): string {
  if (count === 0) return note;
  return count === 1
    ? vscode.l10n.t('{0}, 1 key masked', note)
    : vscode.l10n.t('{0}, {1} keys masked', note, formatCount(count));
}

/** What is asked before secrets are copied. */
export function unmaskQuestion(count: number): string {
  if (count === 0) return vscode.l10n.t('Copy without looking for keys, tokens and passwords?');
  return count === 1
    ? vscode.l10n.t('Copy 1 key unmasked?')
    : vscode.l10n.t('Copy {0} keys unmasked?', formatCount(count));
}

/** More places are only counted. */
const PLACES_SHOWN = 12;

/** One line a finding. */
export function secretList(findings: readonly SecretFinding[]): string {
  const rows = findings
    .slice(0, PLACES_SHOWN)
    .map((finding) => vscode.l10n.t('{0}: {1}', secretPlace(finding), secretLabel(finding.label)));
  const more = findings.length - PLACES_SHOWN;
  return (more > 0 ? [...rows, vscode.l10n.t('and {0} more', formatCount(more))] : rows).join('\n');
}
