import * as vscode from 'vscode';
import {
  asPanelMessage,
  type HostToPanel,
  type PanelSnapshot,
  type PanelToHost,
  type PanelUsage,
} from '../../protocol/panel';
import { ROW_ACTION_NAMES, rowCommand } from '../../protocol/panelAction';
import { DisposableStore } from '../base/disposables';
import { isMultiRoot } from '../base/folders';
import type { CommandId } from '../base/ids';
import { interfaceLanguage, loadPage, say } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';
import { emptyPanelSnapshot, isCoveredFile, toPanelSnapshot } from './panelSnapshot';
import { PanelUsageReader } from './panelUsage';

/** Does what the panel asks for; settles when that is done or has failed. */
export type PanelMessageHandler = (message: Exclude<PanelToHost, { type: 'ready' }>) => Promise<void>;

/**
 * The Budget view. It keeps no state between hiding and showing: the page gets a complete snapshot when it says
 * `ready`, when it becomes visible again, and whenever anything changes while it is visible.
 */
export class BudgetPanel extends DisposableStore implements vscode.WebviewViewProvider {
  readonly #usage: PanelUsageReader;
  #view: vscode.WebviewView | undefined;
  #isReady = false;
  #revision = 0;
  #lastSent: PanelSnapshot | undefined;

  constructor(
    private readonly editor: EditorServices,
    private readonly handle: PanelMessageHandler,
    private readonly titleOf: (command: CommandId) => string,
  ) {
    super();
    this.add(editor.clipboard.onDidCopy(() => this.#send()));
    this.#usage = new PanelUsageReader(editor.log, () => this.#send());
    this.add(editor.registry.onDidChange(() => this.#send()));
    this.add(editor.preferences.onDidChange(() => this.#send()));
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#send()));
  }

  /** What the page was told last; undefined before it was shown. */
  get lastSent(): PanelSnapshot | undefined {
    return this.#lastSent;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.#isReady = false;
    const store = new DisposableStore();
    store.add(view.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    store.add(view.onDidChangeVisibility(() => this.#visibilityChanged()));
    view.onDidDispose(() => {
      store.dispose();
      this.#view = undefined;
      this.editor.registry.want('panel', false);
    });
    const titles = Object.fromEntries(ROW_ACTION_NAMES.map((action) => [action, this.titleOf(rowCommand(action))]));
    loadPage(view.webview, this.editor.context.extensionUri, 'main', { language: { ...interfaceLanguage(), titles } });
    this.#visibilityChanged();
  }

  /** Has screen readers say `text`, if the panel is visible. */
  announce(text: string): void {
    this.#post({ type: 'announce', text });
  }

  #visibilityChanged(): void {
    const isVisible = this.#view?.visible ?? false;
    // VS Code drops a hidden page; it says `ready` again when it is reloaded.
    if (!isVisible) this.#isReady = false;
    this.editor.registry.want('panel', isVisible);
    this.#send();
  }

  #receive(value: unknown): void {
    const message = asPanelMessage(value);
    if (!message) {
      this.editor.log.warn('the panel sent a message that was refused');
      return;
    }
    if (message.type === 'openFile' && !isCoveredFile(this.#lastSent, message.path)) {
      this.editor.log.warn('the panel asked for a file that it was not told of');
      return;
    }
    if (message.type !== 'ready') {
      // Also after a failure: a control shows what is in force, not what the user chose.
      void this.handle(message).then(() => this.#send());
      return;
    }
    this.#isReady = true;
    this.#send();
  }

  #send(): void {
    const view = this.#view;
    if (!view) return;
    const folder = this.editor.registry.activeFolder;
    const description = folder && isMultiRoot() ? folder.name : '';
    if ((view.description ?? '') !== description) view.description = description;
    if (!view.visible || !this.#isReady) return;
    const { active } = this.editor.registry;
    const { isTrusted } = vscode.workspace;
    this.#lastSent = active
      ? toPanelSnapshot(active.workspace.snapshot, this.editor.preferences, this.#usageFor(active), say, (text) =>
          this.editor.clipboard.maskedIn(text),
        )
      : emptyPanelSnapshot(folder?.name, this.editor.preferences, isTrusted);
    this.#post({ type: 'snapshot', revision: ++this.#revision, snapshot: this.#lastSent });
  }

  /** What is known of the log now; there will be another snapshot when it is read. */
  #usageFor({ folder, workspace }: FolderWorkspace): PanelUsage | undefined {
    const { usage } = workspace;
    const { report, config } = workspace.snapshot;
    const { mode } = this.editor.preferences;
    const isExact = report?.payloads[mode].budget.isExact === true;
    const input = usage && isExact ? { usage, report, config, mode } : undefined;
    const known = usage && this.#usage.get(workspace, input);
    const isDismissed = known?.offer && this.editor.preferences.isOfferDismissed(folder, known.offer.mode);
    return isDismissed ? { ...known, offer: undefined } : known;
  }

  #post(message: HostToPanel): void {
    if (this.#view?.visible && this.#isReady) void this.#view.webview.postMessage(message);
  }
}
