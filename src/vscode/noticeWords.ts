import * as vscode from 'vscode';
import type { FileNotice } from '../core/instructions/fileNotice';
import { sayPhrase } from '../core/text/phrase';

/** A notice in the language of the interface. */
export function sayNotice({ message }: FileNotice): string {
  const counts = new Intl.NumberFormat(vscode.env.language);
  return sayPhrase(message, vscode.l10n.bundle ?? {}, (value) => counts.format(value));
}
