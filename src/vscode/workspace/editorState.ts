import * as vscode from 'vscode';
import type { EditorDiagnostic, EditorState, EditorSymbolSource, OpenEditor } from '../../core/ports/ports';
import { relativePath } from '../base/folders';
import { DIAGNOSTIC_SOURCE } from '../base/ids';
import { FolderSymbolSource } from './editorSymbols';

const SEVERITIES = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
} as const;

/** A selection says what it is about long before this; `ports.ts` names the limit. */
const MAX_SELECTED_CHARS = 4000;

/** What the editor knows about one workspace folder: its problems and open tabs. */
export class FolderEditorState implements EditorState {
  readonly symbols: EditorSymbolSource;
  readonly #folder: vscode.WorkspaceFolder;

  constructor(folder: vscode.WorkspaceFolder) {
    this.#folder = folder;
    this.symbols = new FolderSymbolSource(folder);
  }

  diagnostics(): readonly EditorDiagnostic[] {
    return vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
      const path = diagnostics.length > 0 ? relativePath(this.#folder, uri) : undefined;
      if (path === undefined) return [];
      // Our own are made of the context: in it they would change what they speak of, and the CLI has none.
      const others = diagnostics.filter(({ source }) => source !== DIAGNOSTIC_SOURCE);
      return others.map((diagnostic) => toEditorDiagnostic(path, diagnostic));
    });
  }

  openEditors(): readonly OpenEditor[] {
    const activePath = activeTabPath(this.#folder);
    const byPath = new Map<string, OpenEditor>();
    for (const group of vscode.window.tabGroups.all) {
      for (const tab of group.tabs) {
        const path = tabPath(this.#folder, tab);
        if (path === undefined) continue;
        const isActive = path === activePath;
        const isDirty = tab.isDirty || (byPath.get(path)?.isDirty ?? false);
        byPath.set(path, {
          path,
          isActive,
          isDirty,
          // A file is only looked at when every tab that shows it is a preview.
          isPreview: tab.isPreview && (byPath.get(path)?.isPreview ?? true),
          ...(isActive ? activeSelection(this.#folder, path) : { selection: undefined }),
        });
      }
    }
    return [...byPath.values()];
  }
}

function toEditorDiagnostic(path: string, diagnostic: vscode.Diagnostic): EditorDiagnostic {
  const { code } = diagnostic;
  return {
    path,
    line: diagnostic.range.start.line + 1,
    severity: SEVERITIES[diagnostic.severity],
    source: diagnostic.source,
    code: code === undefined ? undefined : String(typeof code === 'object' ? code.value : code),
    message: diagnostic.message,
  };
}

function tabPath(folder: vscode.WorkspaceFolder, tab: vscode.Tab | undefined): string | undefined {
  const input: unknown = tab?.input;
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff)
    return relativePath(folder, input.modified);
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom
  )
    return relativePath(folder, input.uri);
  return undefined;
}

function activeTabPath(folder: vscode.WorkspaceFolder): string | undefined {
  return tabPath(folder, vscode.window.tabGroups.activeTabGroup.activeTab);
}

function activeSelection(folder: vscode.WorkspaceFolder, path: string): Pick<OpenEditor, 'selection' | 'selectedText'> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty || relativePath(folder, editor.document.uri) !== path)
    return { selection: undefined };
  const { document, selection } = editor;
  const start = document.offsetAt(selection.start);
  const end = Math.min(document.offsetAt(selection.end), start + MAX_SELECTED_CHARS);
  return {
    selection: { startLine: selection.start.line + 1, endLine: selection.end.line + 1 },
    selectedText: document.getText(new vscode.Range(selection.start, document.positionAt(end))),
  };
}
