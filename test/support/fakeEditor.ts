/** What tests of the editor's layer need of `vscode`: `vi.mock('vscode', async () => (await import('…/fakeEditor')).editor)`. */
import { vi } from 'vitest';

class CancellationError extends Error {}
class FileSystemError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}
class Uri {
  constructor(readonly path: string) {}
  static joinPath = (base: Uri, ...parts: readonly string[]) => new Uri([base.path, ...parts].join('/'));
  get fsPath() {
    return this.path;
  }
}
class Range {
  constructor(readonly line: number) {}
}
export const editor = {
  // Its members are keys of tables that these tests do not look into.
  SymbolKind: {},
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  OverviewRulerLane: { Right: 4 },
  FileType: { Unknown: 0, File: 1, SymbolicLink: 64 },
  ThemeColor: class {},
  ThemeIcon: class {},
  TreeItemCollapsibleState: { None: 0 },
  Diagnostic: class {
    constructor(
      readonly range: unknown,
      readonly message: string,
      readonly severity: number,
    ) {}
  },
  Disposable: class {
    static from = () => ({ dispose: () => undefined });
    dispose = () => undefined;
  },
  Uri,
  Range,
  CancellationError,
  FileSystemError,
  EventEmitter: class {
    readonly #listeners: ((value?: unknown) => void)[] = [];
    event = (listener: (value?: unknown) => void) => {
      this.#listeners.push(listener);
      return { dispose: () => undefined };
    };
    fire = (value?: unknown) => {
      for (const listener of this.#listeners) listener(value);
    };
    dispose = () => undefined;
  },
  l10n: {
    bundle: undefined,
    t: (text: string, ...args: readonly unknown[]) => text.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)])),
  },
  env: { language: 'en', appName: 'Editor', appHost: 'desktop', clipboard: { writeText: vi.fn() } },
  version: '1.200.0',
  InputBoxValidationSeverity: { Info: 1 },
  commands: { executeCommand: vi.fn() },
  window: {
    showErrorMessage: vi.fn(),
    showInformationMessage: vi.fn(),
    showWarningMessage: vi.fn(),
    showQuickPick: vi.fn(),
    showInputBox: vi.fn(),
    showTextDocument: vi.fn(),
    createInputBox: vi.fn(),
    createTreeView: vi.fn(),
    createTextEditorDecorationType: () => ({ dispose: () => undefined }),
    onDidChangeVisibleTextEditors: () => ({ dispose: () => undefined }),
    onDidChangeActiveTextEditor: vi.fn(),
    visibleTextEditors: [],
    activeTextEditor: undefined as unknown,
  },
  languages: { createDiagnosticCollection: vi.fn() },
  workspace: {
    isTrusted: true,
    createFileSystemWatcher: vi.fn(),
    onDidOpenTextDocument: vi.fn(),
    onDidChangeTextDocument: vi.fn(),
    onDidGrantWorkspaceTrust: () => ({ dispose: () => undefined }),
    onDidChangeConfiguration: () => ({ dispose: () => undefined }),
    workspaceFolders: [{ name: 'app', uri: new Uri('/home/jo/app') }],
    fs: { readFile: vi.fn(), stat: vi.fn() },
    getConfiguration: () => ({ get: (name: string) => (name.endsWith('warnAt') ? 60 : undefined) }),
  },
};
