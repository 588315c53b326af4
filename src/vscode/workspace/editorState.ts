import * as vscode from 'vscode';
import type {
  EditorDiagnostic,
  EditorState,
  EditorSymbol,
  EditorSymbolSource,
  OpenEditor,
} from '../../core/ports/ports';
import type { SymbolKind } from '../../core/ports/symbolKind';
import { relativePath } from '../base/folders';
import { DIAGNOSTIC_SOURCE } from '../base/ids';

/** Kinds of the editor that are definitions; the others (strings, numbers, keys of data) are values. */
const KINDS: Readonly<Partial<Record<vscode.SymbolKind, SymbolKind>>> = {
  [vscode.SymbolKind.Module]: 'module',
  [vscode.SymbolKind.Namespace]: 'namespace',
  [vscode.SymbolKind.Package]: 'package',
  [vscode.SymbolKind.Class]: 'class',
  [vscode.SymbolKind.Method]: 'method',
  [vscode.SymbolKind.Property]: 'property',
  [vscode.SymbolKind.Field]: 'field',
  [vscode.SymbolKind.Constructor]: 'constructor',
  [vscode.SymbolKind.Enum]: 'enum',
  [vscode.SymbolKind.Interface]: 'interface',
  [vscode.SymbolKind.Function]: 'function',
  [vscode.SymbolKind.Variable]: 'variable',
  [vscode.SymbolKind.Constant]: 'constant',
  [vscode.SymbolKind.EnumMember]: 'enumMember',
  [vscode.SymbolKind.Struct]: 'struct',
  [vscode.SymbolKind.Event]: 'property',
  [vscode.SymbolKind.Operator]: 'function',
};

/** More than the core takes of one file; conversion stops there, so that it never holds the host up. */
const MAX_CONVERTED = 2000;

type FoundSymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/**
 * Symbols from language extensions for one folder's files. Asking for an unopened document wakes the extensions of its
 * language, so callers ask only for languages that run already (`core/workspace/indexing/editorSymbolSource.ts`).
 */
function symbolSource(folder: vscode.WorkspaceFolder): EditorSymbolSource {
  return {
    // Lines of a document that was changed are not those of its file: it is asked for after it is saved.
    openFiles: () =>
      vscode.workspace.textDocuments.flatMap((document) =>
        document.isDirty || document.isClosed ? [] : (relativePath(folder, document.uri) ?? []),
      ),
    symbolsOf: async (path) => {
      const uri = vscode.Uri.joinPath(folder.uri, ...path.split('/'));
      const command = 'vscode.executeDocumentSymbolProvider';
      const found = await vscode.commands.executeCommand<readonly FoundSymbol[] | undefined>(command, uri);
      return found && convert(found, { left: MAX_CONVERTED });
    },
    onDidChange: (listener) => {
      const tell = ({ uri }: vscode.TextDocument): void => {
        if (relativePath(folder, uri) !== undefined) listener();
      };
      const { onDidOpenTextDocument, onDidSaveTextDocument } = vscode.workspace;
      return vscode.Disposable.from(onDidOpenTextDocument(tell), onDidSaveTextDocument(tell));
    },
  };
}

function convert(symbols: readonly FoundSymbol[], budget: { left: number }): readonly EditorSymbol[] {
  const converted: EditorSymbol[] = [];
  for (const symbol of symbols) {
    if (budget.left-- <= 0) break;
    const isTree = 'selectionRange' in symbol;
    const range = isTree ? symbol.range : symbol.location.range;
    converted.push({
      kind: KINDS[symbol.kind],
      name: symbol.name,
      detail: isTree ? symbol.detail : '',
      nameLine: (isTree ? symbol.selectionRange : range).start.line + 1,
      lineStart: range.start.line + 1,
      lineEnd: range.end.line + 1,
      children: isTree ? convert(symbol.children, budget) : [],
    });
  }
  return converted;
}

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

  constructor(private readonly folder: vscode.WorkspaceFolder) {
    this.symbols = symbolSource(folder);
  }

  diagnostics(): readonly EditorDiagnostic[] {
    return vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
      const path = diagnostics.length > 0 ? relativePath(this.folder, uri) : undefined;
      if (path === undefined) return [];
      // Our own are made of the context: in it they would change what they speak of, and the CLI has none.
      const others = diagnostics.filter(({ source }) => source !== DIAGNOSTIC_SOURCE);
      return others.map((diagnostic) => toEditorDiagnostic(path, diagnostic));
    });
  }

  openEditors(): readonly OpenEditor[] {
    const activePath = tabPath(this.folder, vscode.window.tabGroups.activeTabGroup.activeTab);
    const byPath = new Map<string, OpenEditor>();
    for (const group of vscode.window.tabGroups.all) {
      for (const tab of group.tabs) {
        const path = tabPath(this.folder, tab);
        if (path === undefined) continue;
        const isActive = path === activePath;
        const isDirty = tab.isDirty || (byPath.get(path)?.isDirty ?? false);
        byPath.set(path, {
          path,
          isActive,
          isDirty,
          // A file is only looked at when every tab that shows it is a preview.
          isPreview: tab.isPreview && (byPath.get(path)?.isPreview ?? true),
          ...(isActive ? activeSelection(this.folder, path) : { selection: undefined }),
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
