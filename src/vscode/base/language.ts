/** The language of the interface, which is VS Code's display language where this extension speaks it, else English. */
import * as vscode from 'vscode';
import { errorWords } from '../../core/text/errorWords';
import { type Phrase, sayPhrase } from '../../core/text/phrase';
import { ENGLISH, type InterfaceLanguage } from '../../protocol/interfaceLanguage';

/** What webviews are told. VS Code has read the bundle before it calls `activate`. */
export function interfaceLanguage(): InterfaceLanguage {
  const { bundle } = vscode.l10n;
  return bundle ? { locale: vscode.env.language, bundle } : ENGLISH;
}

/** A phrase of the core in the interface's language. */
export function say(words: Phrase): string {
  const { locale, bundle } = interfaceLanguage();
  const counts = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  return sayPhrase(words, bundle, (value) => counts.format(value));
}

/** Several names in a row: `a, b, c`. */
export function listed(names: readonly string[]): string {
  return names.join(vscode.l10n.t(', '));
}

/** What went wrong, in the interface's language as far as our own errors and those of VS Code's file systems go. */
export function sayError(error: unknown): string {
  // VS Code's own words are English and hold absolute paths.
  if (error instanceof vscode.FileSystemError)
    return vscode.l10n.t('the file system failed ({0}); the log says more', error.code);
  return say(errorWords(error));
}
