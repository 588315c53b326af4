import * as vscode from 'vscode';
import type { FileNotice } from '../../core/agents/stale/stalePaths';
import { ellipsize } from '../../core/text/sentence';
import { DisposableStore } from '../base/disposables';
import { say } from '../base/language';

/** Characters after a line that are read at a glance; the diagnostic has the rest. */
const MAX_CHARS = 100;

/** A cut as it is marked. */
export interface MarkedCut {
  /** From 0. */
  readonly line: number;
  readonly text: string;
}

/**
 * Marks in open editors where agents stop reading: a line above the first line that is lost, and words after it. Screen
 * readers get the same words from the diagnostic at that line.
 */
export class CutDecorations extends DisposableStore {
  readonly #type = this.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      borderWidth: '1px 0 0 0',
      borderStyle: 'dashed',
      borderColor: new vscode.ThemeColor('editorWarning.foreground'),
      overviewRulerColor: new vscode.ThemeColor('editorWarning.foreground'),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
      after: {
        color: new vscode.ThemeColor('editorCodeLens.foreground'),
        fontStyle: 'italic',
        margin: '0 0 0 3ch',
      },
    }),
  );
  readonly #cuts = new Map<string, readonly MarkedCut[]>();

  constructor() {
    super();
    this.add(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.#mark(editor);
      }),
    );
  }

  /** The cuts of a file, in place of those before. */
  set(uri: vscode.Uri, notices: readonly FileNotice[]): void {
    const key = uri.toString();
    const cuts = marked(notices);
    if (cuts.length === 0 && !this.#cuts.has(key)) return;
    if (cuts.length === 0) this.#cuts.delete(key);
    else this.#cuts.set(key, cuts);
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document.uri.toString() === key) this.#mark(editor);
  }

  of(uri: vscode.Uri): readonly MarkedCut[] {
    return this.#cuts.get(uri.toString()) ?? [];
  }

  #mark(editor: vscode.TextEditor): void {
    const cuts = this.of(editor.document.uri);
    editor.setDecorations(
      this.#type,
      cuts.map(({ line, text }) => ({
        range: new vscode.Range(line, 0, line, 0),
        renderOptions: { after: { contentText: text } },
      })),
    );
  }
}

/** One mark a line, with the words of all cuts there. */
function marked(notices: readonly FileNotice[]): readonly MarkedCut[] {
  const byLine = new Map<number, string[]>();
  for (const notice of notices) {
    const line = Math.max(0, notice.line - 1);
    byLine.set(line, [...(byLine.get(line) ?? []), say(notice.message)]);
  }
  return [...byLine].map(([line, texts]) => ({ line, text: ellipsize(`← ${texts.join(' · ')}`, MAX_CHARS) }));
}
