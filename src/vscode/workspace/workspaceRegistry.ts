import * as vscode from 'vscode';
import type { ContextReport, ReportSection } from '../../core/model/report';
import type { PayloadMode } from '../../core/model/section';
import type { Disposable, EditorState, Logger } from '../../core/ports/ports';
import type { SecretScanner } from '../../core/secrets/secretScanner';
import type { Workspace, WorkspacePreferences, WorkspaceSnapshot } from '../../core/workspace/workspace';
import { DisposableStore } from '../base/disposables';
import { EditorError } from '../base/editorError';
import { folderOfActiveEditor } from '../base/folders';
import type { PreferenceStore } from '../base/preferences';
import { FolderEditorState } from './editorState';
import { FolderEvents } from './folderEvents';

/** What a host (desktop, browser) provides; made in its composition root. */
export interface WorkspaceFactory {
  /** Looks for secrets in what is copied; starts with its first scan. */
  readonly secrets: SecretScanner & Disposable;
  /** Puts a workspace together without starting it; disposing what it gives releases everything that was made for it. */
  open(
    folder: vscode.WorkspaceFolder,
    editor: EditorState,
    preferences: WorkspacePreferences,
  ): Promise<OpenedFolder & Disposable>;
}

/** What a host has put together for a folder. */
export interface OpenedFolder {
  readonly workspace: Workspace;
  /** Writes what was kept in memory, once the folder is trusted. See `HeldLogs.release`. */
  releaseRecords(): Promise<readonly string[]>;
}

/** A workspace with the folder it belongs to. */
export interface FolderWorkspace {
  readonly folder: vscode.WorkspaceFolder;
  readonly workspace: Workspace;
  /** Tells the workspace everything that happened until now. */
  flush(): void;
  /** An exact snapshot that includes everything that happened until now. */
  whenReady(): Promise<WorkspaceSnapshot>;
}

interface OpenWorkspace extends FolderWorkspace {
  readonly events: FolderEvents;
  readonly releaseRecords: OpenedFolder['releaseRecords'];
}

interface Entry {
  readonly store: DisposableStore;
  readonly opening: Promise<OpenWorkspace>;
  opened: OpenWorkspace | undefined;
}

/** The parts of the interface that keep the active folder's workspace alive. */
type Consumer = 'panel' | 'statusBar' | 'repoMap' | 'observations' | 'sessions' | 'usageReport' | 'sessionPage';

/**
 * One workspace a workspace folder, made when it is first wanted. The active one follows the active editor's folder and
 * stays where it is when the editor belongs to no folder.
 */
export class WorkspaceRegistry extends DisposableStore {
  readonly #entries = new Map<string, Entry>();
  readonly #wanted = new Set<Consumer>();
  readonly #changeEmitter = this.add(new vscode.EventEmitter<void>());
  /** Fires when another folder becomes active, and after each snapshot of the active one. */
  readonly onDidChange = this.#changeEmitter.event;
  readonly #indexEmitter = this.add(new vscode.EventEmitter<void>());
  /** Fires, at most a few times a second, while the active folder is being indexed. */
  readonly onDidChangeIndex = this.#indexEmitter.event;
  #activeFolder: vscode.WorkspaceFolder | undefined;

  constructor(
    private readonly factory: WorkspaceFactory,
    private readonly preferences: PreferenceStore,
    private readonly logger: Logger,
  ) {
    super();
    this.#activeFolder = folderOfActiveEditor() ?? vscode.workspace.workspaceFolders?.[0];
    this.add(vscode.window.onDidChangeActiveTextEditor(() => this.#follow(folderOfActiveEditor())));
    this.add(vscode.workspace.onDidChangeWorkspaceFolders((event) => this.#foldersChanged(event)));
  }

  /** The folder that panel, status bar and commands speak about. */
  get activeFolder(): vscode.WorkspaceFolder | undefined {
    return this.#activeFolder;
  }

  /** The active folder's workspace if it is open. */
  get active(): FolderWorkspace | undefined {
    return this.#activeFolder && this.#entries.get(keyOf(this.#activeFolder))?.opened;
  }

  get all(): readonly FolderWorkspace[] {
    return [...this.#entries.values()].flatMap(({ opened }) => opened ?? []);
  }

  /** The active folder's workspace, opened and started if need be; undefined without a folder. Rejects when it cannot be opened. */
  async demand(): Promise<FolderWorkspace | undefined> {
    return this.#activeFolder && (await this.#entry(this.#activeFolder).opening);
  }

  /** The workspace of the active folder or of a given one. @throws EditorError `noFolder` without a folder */
  async require(folder = this.#activeFolder): Promise<FolderWorkspace> {
    if (!folder) throw new EditorError('noFolder', vscode.l10n.t('No folder is open. Open one first.'));
    return this.open(folder);
  }

  /** The workspace of any folder of the workspace, opened and started if need be. Rejects when it cannot be opened. */
  open(folder: vscode.WorkspaceFolder): Promise<FolderWorkspace> {
    return this.#entry(folder).opening;
  }

  /** Tells whether `consumer` is visible; while one is, the active folder has a workspace that follows events. */
  want(consumer: Consumer, isWanted: boolean): void {
    if (isWanted) this.#wanted.add(consumer);
    else this.#wanted.delete(consumer);
    this.#ensureActive();
  }

  /** Applies settings, trust and the folders' choices again. */
  updatePreferences(): void {
    for (const { folder, workspace } of this.all) workspace.update(this.preferences.of(folder));
  }

  /** Writes what was recorded before the folders were trusted. */
  async releaseRecords(): Promise<void> {
    for (const { opened } of [...this.#entries.values()]) {
      const changed = (await opened?.releaseRecords()) ?? [];
      if (changed.length > 0) opened?.workspace.notify({ kind: 'files', changed, removed: [] });
    }
  }

  override dispose(): void {
    for (const entry of this.#entries.values()) entry.store.dispose();
    this.#entries.clear();
    super.dispose();
  }

  #follow(folder: vscode.WorkspaceFolder | undefined): void {
    if (!folder || (this.#activeFolder && keyOf(folder) === keyOf(this.#activeFolder))) return;
    this.#activeFolder = folder;
    this.#ensureActive();
    this.#changeEmitter.fire();
  }

  #ensureActive(): void {
    const folder = this.#activeFolder;
    if (this.#wanted.size === 0 || !folder) return;
    this.#entry(folder).opening.then(
      ({ events }) => events.resume(),
      (error: unknown) => this.logger.error(`${folder.name} could not be opened`, error),
    );
  }

  #foldersChanged({ removed }: vscode.WorkspaceFoldersChangeEvent): void {
    for (const folder of removed) {
      this.#entries.get(keyOf(folder))?.store.dispose();
      this.#entries.delete(keyOf(folder));
    }
    const folders = vscode.workspace.workspaceFolders ?? [];
    const active = this.#activeFolder;
    const stays = active && folders.find((folder) => keyOf(folder) === keyOf(active));
    this.#activeFolder = stays ?? folderOfActiveEditor() ?? folders[0];
    this.#ensureActive();
    this.#changeEmitter.fire();
  }

  #entry(folder: vscode.WorkspaceFolder): Entry {
    const key = keyOf(folder);
    const known = this.#entries.get(key);
    if (known) return known;
    const store = new DisposableStore();
    const opening = this.#open(folder, store);
    const entry: Entry = { store, opening, opened: undefined };
    this.#entries.set(key, entry);
    opening.then(
      (opened) => {
        entry.opened = opened;
        if (this.#entries.get(key) !== entry) return;
        this.logger.info(`workspace opened: ${folder.name}`);
        // Trust and settings may have changed while it was opened.
        opened.workspace.update(this.preferences.of(folder));
        opened.workspace.start();
        this.#changeEmitter.fire();
      },
      () => {
        // The rejected promise tells the caller; the next call tries again.
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        store.dispose();
      },
    );
    return entry;
  }

  async #open(folder: vscode.WorkspaceFolder, store: DisposableStore): Promise<OpenWorkspace> {
    const editor = new FolderEditorState(folder);
    const made = store.add(await this.factory.open(folder, editor, this.preferences.of(folder)));
    const { workspace } = made;
    const isActive = (): boolean => this.active?.workspace === workspace;
    const events = store.add(new FolderEvents(folder, workspace, () => this.#wanted.size > 0 && isActive()));
    store.add(workspace.onDidChange(() => isActive() && this.#changeEmitter.fire()));
    store.add(workspace.onDidChangeIndex(() => isActive() && this.#indexEmitter.fire()));
    const flush = (): void => events.flush();
    const whenReady = (): Promise<WorkspaceSnapshot> => {
      flush();
      return workspace.whenReady();
    };
    return { folder, workspace, events, flush, whenReady, releaseRecords: () => made.releaseRecords() };
  }
}

function keyOf(folder: vscode.WorkspaceFolder): string {
  return folder.uri.toString();
}

/** The report of a snapshot. @throws EditorError `noReport` when the workspace could not make one */
export function requireReport(snapshot: WorkspaceSnapshot): ContextReport {
  if (snapshot.report) return snapshot.report;
  throw new EditorError(
    'noReport',
    vscode.l10n.t('The tokens of the folder could not be counted. See the log for details.'),
  );
}

/** One section of a report. @throws EditorError `unknownSection` */
export function requireSection(report: ContextReport, mode: PayloadMode, sectionId: string): ReportSection {
  const section = report.payloads[mode].sections.find(({ id }) => id === sectionId);
  if (section) return section;
  throw new EditorError('unknownSection', vscode.l10n.t('Section {0} no longer exists.', sectionId));
}
