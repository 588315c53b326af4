import * as vscode from 'vscode';
import { renderUsageReport } from '../../core/print/renderUsageReport';
import { hashText } from '../../core/text/hash';
import { UsageError } from '../../core/usage/usageRecord';
import { asReportMessage, type HostToReport, type ReportSnapshot } from '../../protocol/reportPanel';
import { DisposableStore } from '../base/disposables';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { interfaceLanguage, loadPage, say } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';

const VIEW_TYPE = 'contextBudget.usageReport';

/** Several changes in a row (a copy, its record, the new count) are one. */
const SETTLE_MS = 250;

/** One reading of a folder's log; aborted when another folder becomes active. */
class Reading extends AbortController {
  constructor(readonly folder: string | undefined) {
    super();
  }
}

/**
 * The usage report as a document of the editor. It follows the active folder and reads the log again when its newest cycles
 * have changed; nothing is read while it is hidden. The page keeps nothing: it gets a complete snapshot when it says
 * `ready` and whenever that changes.
 */
export class UsageReportView extends DisposableStore {
  #panel: vscode.WebviewPanel | undefined;
  #isReady = false;
  #revision = 0;
  #snapshot: ReportSnapshot | undefined;
  /** Folder and newest cycles that `#snapshot` is of. */
  #key: string | undefined;
  #reading: Reading | undefined;
  /** Something changed since the reading under way began. */
  #isStale = false;
  #settling: ReturnType<typeof setTimeout> | undefined;

  readonly commands = {
    /** Opens the report, or brings it to the front. */
    [COMMANDS.showReport]: () => {
      if (this.#panel) {
        this.#panel.reveal();
        return;
      }
      const title = vscode.l10n.t('Usage Report');
      const panel = vscode.window.createWebviewPanel(VIEW_TYPE, title, { viewColumn: vscode.ViewColumn.Active });
      const own = new DisposableStore();
      own.add(panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
      own.add(panel.onDidChangeViewState(() => this.#visibilityChanged()));
      panel.onDidDispose(() => {
        own.dispose();
        this.#closed();
      });
      this.#panel = panel;
      loadPage(panel.webview, this.editor.context.extensionUri, 'report', { language: interfaceLanguage(), title });
      this.#visibilityChanged();
    },
  } satisfies CommandHandlers;

  constructor(private readonly editor: EditorServices) {
    super();
    this.add(editor.registry.onDidChange(() => this.#changed()));
  }

  /** What the page was told last; undefined while there is none. */
  get snapshot(): ReportSnapshot | undefined {
    return this.#panel && this.#snapshot;
  }

  override dispose(): void {
    this.#panel?.dispose();
    this.#closed();
    super.dispose();
  }

  #closed(): void {
    clearTimeout(this.#settling);
    this.#reading?.abort();
    this.#panel = undefined;
    this.#isReady = false;
    this.#snapshot = undefined;
    this.#key = undefined;
    this.#reading = undefined;
    this.editor.registry.want('usageReport', false);
  }

  #visibilityChanged(): void {
    const isVisible = this.#panel?.visible ?? false;
    // VS Code drops a hidden page; it says `ready` again when it is reloaded.
    if (!isVisible) this.#isReady = false;
    this.editor.registry.want('usageReport', isVisible);
    if (isVisible) void this.#refresh();
  }

  #changed(): void {
    if (!this.#panel?.visible) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#refresh(), SETTLE_MS);
  }

  /**
   * Reads the log if it is not as it was; never rejects. One reading at a time: it is given up only when another folder is
   * active, so that a log that keeps growing is read to its end.
   */
  async #refresh(): Promise<void> {
    const folder = this.editor.registry.activeFolder;
    const uri = folder?.uri.toString();
    if (this.#reading && this.#reading.folder === uri) {
      this.#isStale = true;
      return;
    }
    this.#reading?.abort();
    const reading = new Reading(uri);
    this.#reading = reading;
    this.#isStale = false;
    try {
      const active = await this.editor.registry.demand();
      if (!reading.signal.aborted) await this.#read(active, reading);
    } catch (error) {
      if (!reading.signal.aborted) {
        this.editor.log.error('The usage report could not be made', error);
        this.#key = undefined;
        const message = UsageError.is(error) ? say(error.words) : vscode.l10n.t('See the log for details.');
        this.#tell({ state: 'failed', folderName: folder?.name, report: undefined, titles: [], message });
      }
    }
    if (this.#reading !== reading) return;
    this.#reading = undefined;
    if (this.#isStale) this.#changed();
  }

  async #read(active: FolderWorkspace | undefined, reading: Reading): Promise<void> {
    const usage = active?.workspace.usage;
    if (!active || !usage) {
      this.#key = undefined;
      const state = active ? 'noLog' : 'noFolder';
      this.#tell({ state, folderName: active?.folder.name, report: undefined, titles: [], message: undefined });
      return;
    }
    const folderName = active.folder.name;
    const titles = titlesIn(active);
    const key = `${active.folder.uri.toString()} ${hashText(JSON.stringify(await usage.window()))}`;
    if (reading.signal.aborted) return;
    if (key === this.#key) {
      const told = this.#snapshot;
      if (told && JSON.stringify(told.titles) !== JSON.stringify(titles)) this.#tell({ ...told, titles });
      return;
    }
    if (this.#snapshot?.folderName !== folderName || !this.#snapshot.report)
      this.#tell({ state: 'loading', folderName, report: undefined, titles, message: undefined });
    const report = await usage.report({ signal: reading.signal });
    if (reading.signal.aborted) return;
    this.#key = key;
    this.#tell({ state: 'ready', folderName, report, titles: titlesIn(active), message: undefined });
  }

  #tell(snapshot: ReportSnapshot): void {
    this.#snapshot = snapshot;
    this.#revision++;
    this.#send();
  }

  #send(): void {
    if (this.#snapshot) this.#post({ type: 'snapshot', revision: this.#revision, snapshot: this.#snapshot });
  }

  #receive(value: unknown): void {
    const message = asReportMessage(value);
    switch (message?.type) {
      case 'ready':
        this.#isReady = true;
        this.#send();
        break;
      case 'copyMarkdown':
        void this.#copyMarkdown();
        break;
      case 'showLog':
        this.editor.log.show();
        break;
      case undefined:
        this.editor.log.warn('the usage report sent a message that was refused');
    }
  }

  async #copyMarkdown(): Promise<void> {
    const report = this.#snapshot?.report;
    if (!report) return;
    await vscode.env.clipboard.writeText(renderUsageReport(report, 'markdown'));
    const text = vscode.l10n.t('Copied the usage report');
    this.editor.statusBar.done(text);
    this.#post({ type: 'announce', text });
  }

  #post(message: HostToReport): void {
    if (this.#panel?.visible && this.#isReady) void this.#panel.webview.postMessage(message);
  }
}

function titlesIn({ workspace }: FolderWorkspace): ReportSnapshot['titles'] {
  return (workspace.snapshot.report?.payloads.expanded.sections ?? []).map(({ id, title }) => [id, title] as const);
}
