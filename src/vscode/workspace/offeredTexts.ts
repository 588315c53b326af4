import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';
import { formatCount } from '../../core/text/numbers';
import { countLines } from '../base/taskText';

/** A text that can be taken instead of typing one. */
export interface OfferedText extends vscode.QuickPickItem {
  readonly text: string;
}

/**
 * The selection and the clipboard, unless they are empty. Only sizes are shown: a clipboard may hold a secret.
 */
export async function offeredTexts(logger: Logger): Promise<readonly OfferedText[]> {
  const all = [
    { label: vscode.l10n.t('$(selection) Use Selection'), text: selectedText() },
    { label: vscode.l10n.t('$(clippy) Use Clipboard'), text: await clipboard(logger) },
  ];
  return all
    .filter(({ text }) => text.trim() !== '')
    .map(({ label, text }) => ({ label, text, description: sizeOf(text), alwaysShow: true }));
}

/** What is selected in the active editor; empty when nothing is. */
export function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor && !editor.selection.isEmpty ? editor.document.getText(editor.selection) : '';
}

async function clipboard(logger: Logger): Promise<string> {
  try {
    return await vscode.env.clipboard.readText();
  } catch (error) {
    logger.debug(`the clipboard could not be read: ${String(error)}`);
    return '';
  }
}

function sizeOf(text: string): string {
  const lines = countLines(text);
  const chars = formatCount(text.trim().length);
  return lines === 1
    ? vscode.l10n.t('1 line, {0} characters', chars)
    : vscode.l10n.t('{0} lines, {1} characters', formatCount(lines), chars);
}
