import * as vscode from 'vscode';
import type { Citation } from '../../core/usage/usageRecord';
import { DisposableStore } from '../base/disposables';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';
import type { MaskedClipboard } from './maskedClipboard';

/** What the last recorded reply of each folder cited. Forgotten with the next copy: another reply will answer that. */
export class LastReply extends DisposableStore {
  readonly #didChange = this.add(new vscode.EventEmitter<void>());
  #cited = new WeakMap<FolderWorkspace['workspace'], readonly Citation[]>();

  readonly onDidChange = this.#didChange.event;

  constructor(clipboard: Pick<MaskedClipboard, 'onDidCopy'>) {
    super();
    this.add(
      clipboard.onDidCopy(() => {
        this.#cited = new WeakMap();
        this.#didChange.fire();
      }),
    );
  }

  /** A reply about the folder of `workspace` was recorded: `cited` takes the place of what the one before cited. */
  record(workspace: FolderWorkspace['workspace'], cited: readonly Citation[]): void {
    this.#cited.set(workspace, cited);
    this.#didChange.fire();
  }

  /** At most one citation a section; empty where no reply was recorded since the last copy. */
  citedIn(workspace: FolderWorkspace['workspace']): readonly Citation[] {
    return this.#cited.get(workspace) ?? [];
  }
}
