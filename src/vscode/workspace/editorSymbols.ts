import * as vscode from 'vscode';
import type { Disposable, EditorSymbol, EditorSymbolSource } from '../../core/ports/ports';
import type { SymbolKind } from '../../core/ports/symbolKind';
import { relativePath } from '../base/folders';

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

/**
 * Symbols that language extensions tell about one folder's files. A document that nobody opened wakes the extensions of
 * its language, so who asks restricts itself to those that run (`core/session/editorSymbolIndexer.ts`).
 */
export class FolderSymbolSource implements EditorSymbolSource {
  readonly #folder: vscode.WorkspaceFolder;

  constructor(folder: vscode.WorkspaceFolder) {
    this.#folder = folder;
  }

  openFiles(): readonly string[] {
    // Lines of a document that was changed are not those of its file: it is asked for after it is saved.
    return vscode.workspace.textDocuments.flatMap((document) =>
      document.isDirty || document.isClosed ? [] : (relativePath(this.#folder, document.uri) ?? []),
    );
  }

  async symbolsOf(path: string): Promise<readonly EditorSymbol[] | undefined> {
    const uri = vscode.Uri.joinPath(this.#folder.uri, ...path.split('/'));
    const found = await vscode.commands.executeCommand<
      readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
    >('vscode.executeDocumentSymbolProvider', uri);
    return found && convert(found, { left: MAX_CONVERTED });
  }

  onDidChange(listener: () => void): Disposable {
    return vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (relativePath(this.#folder, document.uri) !== undefined) listener();
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (relativePath(this.#folder, document.uri) !== undefined) listener();
      }),
    );
  }
}

function convert(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  budget: { left: number },
): readonly EditorSymbol[] {
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
