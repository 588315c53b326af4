import * as vscode from 'vscode';
import type { Finding, WindowServer } from '../../core/pipeline/report/finding';
import { hashText } from '../../core/text/hash';
import {
  asPanelMessage,
  type HostToPanel,
  isEmptyFolder,
  type PanelSnapshot,
  type PanelToHost,
  type PanelUsage,
} from '../../protocol/panel';
import { ROW_ACTION_NAMES, rowCommand } from '../../protocol/panelAction';
import { ContextKeys } from '../base/contextKeys';
import { DisposableStore } from '../base/disposables';
import { isMultiRoot } from '../base/folders';
import type { CommandId } from '../base/ids';
import { interfaceLanguage, loadPage, say } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';
import type { ConfigActions } from './configWriter';
import {
  emptyPanelSnapshot,
  isToldFile,
  panelCitations,
  panelFinding,
  saidFinding,
  toPanelSnapshot,
} from './panelSnapshot';
import { PanelUsageReader } from './panelUsage';
import { type KnownWindow, PanelWindowReader, type WindowInput, windowServers } from './panelWindow';
import type { WindowServers } from './windowServers';

/** What the panel was told. */
export interface ToldPanel {
  /** The one to apply, as it was told. */
  readonly finding: Finding | undefined;
  readonly window: KnownWindow | undefined;
}

/** Does what the panel asks for, as it was told; settles when that is done or has failed. */
export type PanelMessageHandler = (message: Exclude<PanelToHost, { type: 'ready' }>, told: ToldPanel) => Promise<void>;

/** Findings that the page may still show, while newer ones are on their way to it. */
const MAX_TOLD = 8;

/** Its key changes with what its action does: a click means what was shown. */
function keyedByAction(finding: Finding): Finding {
  const { change, row } = finding.action ?? {};
  return { ...finding, key: `${finding.key} ${hashText(JSON.stringify([change, row]))}` };
}

/**
 * The Budget view. It keeps no state between hiding and showing: the page gets a complete snapshot when it says
 * `ready`, when it becomes visible again, and whenever anything changes while it is visible.
 */
export class BudgetPanel extends DisposableStore implements vscode.WebviewViewProvider {
  readonly #usage: PanelUsageReader;
  readonly #window: PanelWindowReader;
  readonly #keys = new ContextKeys();
  #view: vscode.WebviewView | undefined;
  #isReady = false;
  #revision = 0;
  #lastSent: PanelSnapshot | undefined;
  #toldWindow: KnownWindow | undefined;
  /** Of which workspace and payload kind, and as last said of them. */
  #finding: { readonly of: readonly unknown[]; readonly value: Finding | undefined } | undefined;
  /** Findings of the same that the page was told, by key: it may still show, and be clicked on, an earlier one. */
  readonly #toldFindings = new Map<string, Finding>();

  constructor(
    private readonly editor: EditorServices,
    private readonly handle: PanelMessageHandler,
    private readonly titleOf: (command: CommandId) => string,
    private readonly config: ConfigActions,
    private readonly servers: WindowServers,
  ) {
    super();
    this.add(editor.clipboard.onDidCopy(() => this.#send()));
    this.add(editor.lastReply.onDidChange(() => this.#send()));
    this.#usage = new PanelUsageReader(editor.log, () => this.#send());
    this.#window = new PanelWindowReader(servers.source, editor.log, say, () => this.#send());
    this.add(servers.onDidChange(() => this.#send()));
    this.add(editor.registry.onDidChange(() => this.#send()));
    this.add(editor.preferences.onDidChange(() => this.#send()));
    this.add(config.onDidChangeUndo(() => this.#send()));
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
    if (message.type === 'openFile' && !isToldFile(this.#lastSent, message.path)) {
      this.editor.log.warn('the panel asked for a file that it was not told of');
      return;
    }
    const finding = message.type === 'applyFinding' ? this.#toldFindings.get(message.key) : undefined;
    if (message.type === 'applyFinding' && !finding) {
      this.editor.log.warn('the panel asked for a finding that it was not told of');
      return;
    }
    if (message.type !== 'ready') {
      const told = { finding, window: this.#toldWindow };
      if (message.type !== 'undo') this.config.forgetUndo();
      // Also after a failure: a control shows what is in force, not what the user chose.
      void this.handle(message, told).then(() => this.#send());
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
    this.#lastSent = active ? this.#snapshotOf(active) : emptyPanelSnapshot(folder, this.editor.preferences, isTrusted);
    if (this.#lastSent.payload) this.#keys.set('hasShownBudget', true);
    this.#keys.set('hasContent', this.#lastSent.state === 'ready' && !isEmptyFolder(this.#lastSent));
    this.#post({ type: 'snapshot', revision: ++this.#revision, snapshot: this.#lastSent });
  }

  #snapshotOf(active: FolderWorkspace): PanelSnapshot {
    const { preferences, clipboard, lastReply } = this.editor;
    const { workspace } = active;
    const usage = this.#usageFor(active);
    const input = this.#windowInput(active);
    this.#toldWindow = this.#windowFor(active, input);
    this.servers.shown = this.#toldWindow;
    const finding = this.#findingIn(active, usage);
    return {
      ...toPanelSnapshot(active, preferences, usage, { say, maskedIn: (text) => clipboard.maskedIn(text) }),
      finding: finding && saidFinding(finding, say),
      window: this.#toldWindow?.panel,
      isWindowPending: !workspace.snapshot.report || (input !== undefined && this.#window.isPending(workspace, input)),
      cited: panelCitations(lastReply.citedIn(workspace)),
      undo: this.config.undoLine(workspace),
    };
  }

  /** While something is counted the last one stays: what comes and goes with each save would be in the way. */
  #findingIn({ folder, workspace }: FolderWorkspace, usage: PanelUsage | undefined): Finding | undefined {
    const { preferences } = this.editor;
    const { mode } = preferences;
    const of = [workspace, mode];
    const isExact = workspace.snapshot.report?.payloads[mode].budget.isExact === true;
    const isSame = this.#finding?.of.every((each, at) => each === of[at]) === true;
    if (isExact || !isSame) {
      const value = isExact ? panelFinding(workspace.snapshot, mode, usage, this.#windowServers(folder)) : undefined;
      this.#finding = { of, value: value && keyedByAction(value) };
    }
    if (!isSame) this.#toldFindings.clear();
    const finding = this.#finding?.value;
    if (finding) {
      // The newest is the last to be forgotten.
      this.#toldFindings.delete(finding.key);
      this.#toldFindings.set(finding.key, finding);
    }
    for (const key of [...this.#toldFindings.keys()].slice(0, -MAX_TOLD)) this.#toldFindings.delete(key);
    return finding;
  }

  #windowServers({ uri }: FolderWorkspace['folder']): readonly WindowServer[] {
    const known = this.#toldWindow;
    return known ? windowServers(known, this.servers.unusedIn(uri.fsPath, known.window.agent)) : [];
  }

  /** What is known of the log now; there will be another snapshot when it is read. */
  #usageFor({ workspace }: FolderWorkspace): PanelUsage | undefined {
    const { usage } = workspace;
    const { report, config } = workspace.snapshot;
    const { mode } = this.editor.preferences;
    const isExact = report?.payloads[mode].budget.isExact === true;
    const input = usage && isExact ? { usage, report, config, mode } : undefined;
    return usage && this.#usage.get(workspace, input);
  }

  /** Whose window is shown; undefined where none is. */
  #windowInput({ folder, workspace }: FolderWorkspace): WindowInput | undefined {
    const { agents, agentsInUse, isTrusted } = workspace.snapshot;
    if (folder.uri.scheme !== 'file') return undefined;
    const { agent, model } = this.editor.preferences.windowOf(agentsInUse);
    if (agent === undefined) return undefined;
    return {
      agent,
      model,
      withHome: isTrusted && this.editor.preferences.readsHome,
      coverage: agents?.find((each) => each.agent === agent),
      failed: this.servers.failed,
      count: (texts) => workspace.countTokens(texts),
    };
  }

  /** What the shown agent loads, as known now; read again after each exact report. */
  #windowFor({ folder, workspace }: FolderWorkspace, input: WindowInput | undefined): KnownWindow | undefined {
    const { report } = workspace.snapshot;
    const isCounted = report?.payloads[this.editor.preferences.mode].budget.isExact === true;
    return this.#window.get(workspace, folder.uri.fsPath, isCounted ? report : undefined, input);
  }

  #post(message: HostToPanel): void {
    if (this.#view?.visible && this.#isReady) void this.#view.webview.postMessage(message);
  }
}
