import * as vscode from 'vscode';
import { renderUsageReport } from '../../core/print/renderUsageReport';
import { hashText } from '../../core/text/hash';
import { UsageError } from '../../core/usage/usageRecord';
import { asReportMessage, type ReportSnapshot, type ReportToHost } from '../../protocol/reportPanel';
import { DisposableStore } from '../base/disposables';
import { EditorPage } from '../base/editorPage';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { say } from '../base/language';
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
 * have changed; nothing is read while it is hidden.
 */
export class UsageReportView extends DisposableStore {
  readonly #page: EditorPage<ReportSnapshot, ReportToHost>;
  /** Folder and newest cycles that the page was told. */
  #key: string | undefined;
  #reading: Reading | undefined;
  /** Something changed since the reading under way began. */
  #isStale = false;
  #settling: ReturnType<typeof setTimeout> | undefined;

  readonly commands = {
    /** Opens the report, or brings it to the front. */
    [COMMANDS.showReport]: () => this.#page.open(vscode.l10n.t('Usage Report')),
  } satisfies CommandHandlers;

  constructor(private readonly editor: EditorServices) {
    super();
    const kind = {
      viewType: VIEW_TYPE,
      name: 'report',
      read: asReportMessage,
      onMessage: (message: ReportToHost) => this.#receive(message),
      onVisibility: (isVisible: boolean) => {
        editor.registry.want('usageReport', isVisible);
        if (isVisible) void this.#refresh();
      },
      onClosed: () => this.#closed(),
    } as const;
    this.#page = this.add(new EditorPage(kind, editor.context.extensionUri, editor.log));
    this.add(editor.registry.onDidChange(() => this.#changed()));
  }

  /** What the page was told last; undefined while there is none. */
  get snapshot(): ReportSnapshot | undefined {
    return this.#page.snapshot;
  }

  #closed(): void {
    clearTimeout(this.#settling);
    this.#reading?.abort();
    this.#key = undefined;
    this.#reading = undefined;
    this.editor.registry.want('usageReport', false);
  }

  #changed(): void {
    if (!this.#page.isVisible) return;
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
        this.#page.tell({ state: 'failed', folderName: folder?.name, report: undefined, titles: [], message });
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
      this.#page.tell({ state, folderName: active?.folder.name, report: undefined, titles: [], message: undefined });
      return;
    }
    const folderName = active.folder.name;
    const titles = titlesIn(active);
    const key = `${active.folder.uri.toString()} ${hashText(JSON.stringify(await usage.window()))}`;
    if (reading.signal.aborted) return;
    if (key === this.#key) {
      const told = this.#page.snapshot;
      if (told && JSON.stringify(told.titles) !== JSON.stringify(titles)) this.#page.tell({ ...told, titles });
      return;
    }
    const before = this.#page.snapshot;
    if (before?.folderName !== folderName || !before.report)
      this.#page.tell({ state: 'loading', folderName, report: undefined, titles, message: undefined });
    const report = await usage.report({ signal: reading.signal });
    if (reading.signal.aborted) return;
    this.#key = key;
    this.#page.tell({ state: 'ready', folderName, report, titles: titlesIn(active), message: undefined });
  }

  #receive(message: ReportToHost): void {
    if (message.type === 'copyMarkdown') void this.#copyMarkdown();
    else if (message.type === 'showLog') this.editor.log.show();
  }

  async #copyMarkdown(): Promise<void> {
    const report = this.#page.snapshot?.report;
    if (!report) return;
    await vscode.env.clipboard.writeText(renderUsageReport(report, 'markdown'));
    const text = vscode.l10n.t('Copied the usage report');
    this.editor.statusBar.done(text);
    this.#page.announce(text);
  }
}

function titlesIn({ workspace }: FolderWorkspace): ReportSnapshot['titles'] {
  return (workspace.snapshot.report?.payloads.expanded.sections ?? []).map(({ id, title }) => [id, title] as const);
}
