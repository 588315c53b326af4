/** The language of the interface, which is VS Code's display language where this extension speaks it, else English. */

import * as vscode from 'vscode';
import { formatCount, roundEstimate } from '../../core/text/numbers';
import { errorWords, type Phrase, sayPhrase } from '../../core/text/phrase';
import { ENGLISH, type InterfaceLanguage } from '../../protocol/interfaceLanguage';
import { type PanelHtmlOptions, panelHtml } from '../../protocol/panelHtml';

// Numbers as the panel and the status bar write them (PANEL §8). Pure.

/** Share of a cap, such as `82%`; never `100%` below the cap, never rounded up above it, never `0%` of something. */
export function formatShare(used: number, cap: number): string {
  const share = used / cap;
  if (share > 0 && share < 0.01) return '<1%';
  return `${share < 1 ? Math.min(Math.round(share * 100), 99) : Math.floor(share * 100)}%`;
}

/** An estimate carries `≈` and is rounded as in the panel's headline. */
export function formatEstimate(count: number, isExact: boolean): string {
  return isExact ? formatCount(count) : `≈${formatCount(roundEstimate(count))}`;
}

/** The pages of `dist/webview`: the Budget panel and the documents. */
export type PageName = 'main' | 'report' | 'session';

/** Loads a page of `dist/webview` into a webview, which runs its script alone and reads no files but those beside it. */
export function loadPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: PageName,
  page: Pick<PanelHtmlOptions, 'language' | 'title'>,
): void {
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const file = (extension: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.${extension}`)).toString();
  const nonce = Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [root] };
  webview.html = panelHtml({
    cspSource: webview.cspSource,
    nonce,
    scriptUri: file('js'),
    styleUri: file('css'),
    ...page,
  });
}

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
    return vscode.l10n.t('the file system failed ({0}); see the log', error.code);
  return say(errorWords(error));
}
