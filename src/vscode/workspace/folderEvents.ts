import * as vscode from 'vscode';
import type { Workspace } from '../../core/workspace/workspace';
import { DisposableStore } from '../base/disposables';
import { relativePath } from '../base/folders';

/** Events of one burst (a save and its watcher event, a branch switch) travel together. */
const COALESCE_MS = 150;
/** More changed files than this and the folder is listed again instead. */
const MAX_FILE_EVENTS = 500;
/** Git's own files that move when HEAD, the index or a ref does. */
const GIT_STATE = /^\.git\/(HEAD|index|FETCH_HEAD|MERGE_HEAD|packed-refs|refs\/.*)$/;
const IGNORED = /(^|\/)(\.git|node_modules)(\/|$)/;

/**
 * Collects what can change one folder's context into workspace events. For a hidden folder they wait: `flush` delivers
 * them before a copy, `resume` when the folder is shown again.
 */
export class FolderEvents extends DisposableStore {
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #kinds = new Set<'rescan' | 'editors' | 'diagnostics' | 'git'>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hadSelection = false;
  #seesGit = false;

  constructor(
    private readonly folder: vscode.WorkspaceFolder,
    private readonly workspace: Pick<Workspace, 'notify'>,
    private readonly isLive: () => boolean,
  ) {
    super();
    this.add({ dispose: () => clearTimeout(this.#timer) });
    this.#watchFiles();
    this.#watchEditors();
    this.#watchGitExtension();
  }

  /** Delivers what is pending now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watchGitExtension();
    if (this.#kinds.has('rescan')) this.workspace.notify({ kind: 'rescan' });
    else if (this.#changed.size + this.#removed.size > 0)
      this.workspace.notify({ kind: 'files', changed: [...this.#changed], removed: [...this.#removed] });
    for (const kind of ['editors', 'diagnostics', 'git'] as const)
      if (this.#kinds.has(kind)) this.workspace.notify({ kind });
    this.#changed.clear();
    this.#removed.clear();
    this.#kinds.clear();
  }

  /** Delivers soon what waited while the folder was hidden. */
  resume(): void {
    if (this.#changed.size + this.#removed.size + this.#kinds.size > 0) this.#schedule();
  }

  #watchFiles(): void {
    const watcher = this.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.folder, '**/*')));
    this.add(watcher.onDidChange((uri) => this.#note(uri, this.#changed)));
    this.add(
      watcher.onDidCreate((uri) => {
        // A folder that was moved here arrives as one event, without events for the files in it.
        if (this.#note(uri, this.#changed)) void this.#rescanIfFolder(uri);
      }),
    );
    this.add(watcher.onDidDelete((uri) => this.#note(uri, this.#removed)));
    // Watchers report with a delay, and virtual file systems may not watch at all: saves are told directly.
    this.add(vscode.workspace.onDidSaveTextDocument((document) => this.#note(document.uri, this.#changed)));
  }

  #watchEditors(): void {
    this.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#mark('editors')));
    this.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.#mark('editors')));
    this.add(vscode.window.onDidChangeActiveTextEditor(() => this.#mark('editors')));
    this.add(
      vscode.window.onDidChangeTextEditorSelection(({ selections }) => {
        const hasSelection = selections.some((selection) => !selection.isEmpty);
        // A caret that only moves says nothing to an agent.
        if (hasSelection || this.#hadSelection) this.#mark('editors');
        this.#hadSelection = hasSelection;
      }),
    );
    this.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => relativePath(this.folder, uri) !== undefined)) this.#mark('diagnostics');
      }),
    );
  }

  /**
   * The built-in Git extension also sees repositories whose `.git` lies above the folder. It is never activated by us and
   * does not say when it is: it is looked for with each delivery until it is there.
   */
  #watchGitExtension(): void {
    if (this.#seesGit) return;
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    if (!extension?.isActive || !extension.exports?.enabled) return;
    this.#seesGit = true;
    const { repositories, onDidOpenRepository } = extension.exports.getAPI(1);
    const watch = ({ state }: GitRepository): void => {
      this.add(state.onDidChange(() => this.#mark('git')));
    };
    this.add(onDidOpenRepository(watch));
    repositories.forEach(watch);
  }

  /** Notes a change or a removal; false for a file that cannot matter. */
  #note(uri: vscode.Uri, as: Set<string>): boolean {
    const path = relativePath(this.folder, uri);
    if (path === undefined) return false;
    // Git's own state becomes a `git` event instead.
    if (GIT_STATE.test(path)) this.#mark('git');
    if (IGNORED.test(path)) return false;
    this.#changed.delete(path);
    this.#removed.delete(path);
    as.add(path);
    if (this.#changed.size + this.#removed.size > MAX_FILE_EVENTS) {
      this.#changed.clear();
      this.#removed.clear();
      this.#kinds.add('rescan');
    }
    this.#schedule();
    return true;
  }

  async #rescanIfFolder(uri: vscode.Uri): Promise<void> {
    try {
      const { type } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.Directory) !== 0) this.#mark('rescan');
    } catch (error) {
      // Gone again already: its deletion is an event of its own. Anything else is worth a new listing.
      if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) this.#mark('rescan');
    }
  }

  #mark(kind: 'rescan' | 'editors' | 'diagnostics' | 'git'): void {
    this.#kinds.add(kind);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== undefined || !this.isLive()) return;
    this.#timer = setTimeout(() => this.flush(), COALESCE_MS);
  }
}

interface GitRepository {
  readonly state: { readonly onDidChange: vscode.Event<void> };
}

/** The part of the built-in Git extension's API that is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    readonly repositories: readonly GitRepository[];
    /** Git looks for repositories in the background, and opens more when files of them are opened. */
    readonly onDidOpenRepository: vscode.Event<GitRepository>;
  };
}
