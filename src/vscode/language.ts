/** The language of the interface, which is VS Code's display language where this extension speaks it, else English. */
import * as vscode from 'vscode';
import { HookError } from '../core/hooks/hookError';
import { ObservationError } from '../core/observations/observationError';
import { RelayError } from '../core/relay/relayError';
import { type Phrase, sayPhrase } from '../core/text/phrase';
import { UsageError } from '../core/usage/usageError';
import { ENGLISH, type InterfaceLanguage } from '../protocol/interfaceLanguage';

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

/** What went wrong, in the interface's language as far as our own errors go. */
export function sayError(error: unknown): string {
  const isOurs = RelayError.is(error) || UsageError.is(error) || ObservationError.is(error) || HookError.is(error);
  if (isOurs) return say(error.words);
  return error instanceof Error ? error.message : String(error);
}
