import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';
import { CoalescingLoop } from '../../core/workspace/coalescingLoop';
import { ContextKeys } from '../base/contextKeys';
import { DisposableStore } from '../base/disposables';
import { type CONTEXT_KEYS, VIEWS } from '../base/ids';
import type { WorkspaceRegistry } from './workspaceRegistry';

/** One of the views that are trees, by its key in `VIEWS`. */
interface TreeOfFolder {
  readonly id: 'repoMap' | 'observations' | 'sessions';
  /** Told to `when` clauses; absent where nothing can be filtered. */
  readonly filterKey?: keyof typeof CONTEXT_KEYS;
  /** For the log. */
  readonly what: string;
  readonly canSelectMany: boolean;
  /** A list: nothing in it can be opened. */
  readonly isFlat?: boolean;
}

/**
 * A view that shows something of the active folder as a tree, whole or filtered. Its rows are made one run at a time, and
 * only while it is visible. A view calls `start` when it is put together.
 */
export abstract class FolderTree<T> extends DisposableStore implements vscode.TreeDataProvider<T> {
  protected readonly changed = this.add(new vscode.EventEmitter<T | undefined>());
  readonly onDidChangeTreeData = this.changed.event;
  protected readonly keys = new ContextKeys();
  protected readonly view: vscode.TreeView<T>;
  protected readonly loop = new CoalescingLoop(
    () => this.refresh(),
    (cause) => {
      this.logger.error(`${this.tree.what} could not be shown`, cause);
      this.hasFailed = true;
      this.describe();
    },
  );
  protected hasFailed = false;
  #filter = '';

  constructor(
    private readonly tree: TreeOfFolder,
    protected readonly registry: WorkspaceRegistry,
    protected readonly logger: Logger,
  ) {
    super();
    const { id, canSelectMany, isFlat } = tree;
    const options = { treeDataProvider: this, showCollapseAll: isFlat !== true, canSelectMany };
    this.view = this.add(vscode.window.createTreeView(VIEWS[id], options));
  }

  abstract getTreeItem(node: T): vscode.TreeItem;
  abstract getChildren(node?: T): Promise<T[]>;
  /** Looks whether there is something else to show, while the view is visible. */
  abstract follow(): void;
  protected abstract refresh(): Promise<void>;
  /** Says above the tree and beside its title what is shown. */
  protected abstract describe(): void;

  get filter(): string {
    return this.#filter;
  }

  /** What stands above the tree and beside its title, for tests. */
  get words(): { readonly message: string; readonly description: string } {
    return { message: this.view.message ?? '', description: this.view.description ?? '' };
  }

  /** Shows only what `filter` finds; everything when it is empty. */
  setFilter(filter: string): void {
    this.#filter = filter.trim();
    if (this.tree.filterKey) this.keys.set(this.tree.filterKey, this.#filter !== '');
    this.follow();
  }

  async show(): Promise<void> {
    if (!this.view.visible)
      await vscode.commands.executeCommand(`${VIEWS[this.tree.id]}.focus`, { preserveFocus: true });
  }

  override dispose(): void {
    this.loop.stop();
    this.registry.want(this.tree.id, false);
    super.dispose();
  }

  protected start(): void {
    const visibilityChanged = (): void => {
      this.registry.want(this.tree.id, this.view.visible);
      this.follow();
    };
    this.add(this.view.onDidChangeVisibility(visibilityChanged));
    this.add(this.registry.onDidChange(() => this.follow()));
    visibilityChanged();
  }
}
