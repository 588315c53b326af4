import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';
import { formatCount, formatThousands } from '../../core/text/numbers';
import { toSentence } from '../../core/text/sentence';
import { sessionProblemText } from '../../core/window/sessions/sessionJson';
import type { SessionRow } from '../../core/window/sessions/sessionPage';
import { isMultiRoot } from '../base/folders';
import { COMMANDS, SETTINGS, VIEWS } from '../base/ids';
import { formatShare } from '../base/language';
import { onDidChangeSettings } from '../base/preferences';
import { readableName } from '../base/transcriptConsent';
import { FolderTree } from '../workspace/folderTree';
import type { WorkspaceRegistry } from '../workspace/workspaceRegistry';
import type { SessionReader } from './sessionSource';

const LABEL_CHARS = 36;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What the rows were made from. */
interface Shown {
  readonly folder: vscode.WorkspaceFolder;
  readonly sessions: readonly SessionRow[];
  /** Logs that could not be read. */
  readonly unread: number;
}

/**
 * The Sessions view: what agents' sessions of the active folder came to, newest first. It reads when it is opened, when
 * that is asked for, and when another folder or agent is wanted; a hidden view reads nothing.
 */
export class SessionTree extends FolderTree<SessionRow> {
  #shown: Shown | undefined;
  /** What was read last, and what is to be read whatever that was. */
  #read = '';
  #isStale = false;
  #reading: { readonly key: string; readonly abort: AbortController } | undefined;

  constructor(
    registry: WorkspaceRegistry,
    private readonly reader: SessionReader,
    logger: Logger,
  ) {
    super({ id: 'sessions', what: 'the sessions', canSelectMany: false, isFlat: true }, registry, logger);
    const again = (): void => void this.readAgain();
    this.add(this.view.onDidChangeVisibility(({ visible }) => visible && again()));
    this.add(onDidChangeSettings([SETTINGS.transcripts], again));
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(again));
    this.add({ dispose: () => this.#reading?.abort.abort() });
    this.start();
  }

  /** Newest first; empty before anything was read. */
  get rows(): readonly SessionRow[] {
    return this.#shown?.sessions ?? [];
  }

  /** The folder whose sessions are shown. */
  get folder(): vscode.WorkspaceFolder | undefined {
    return this.#shown?.folder;
  }

  /** Reads the logs again if the view is visible; resolves once the rows are those. */
  async readAgain(): Promise<void> {
    this.#isStale = true;
    this.follow();
    await this.loop.idle();
  }

  follow(): void {
    // What is read of another folder is not waited for.
    if (this.#reading && this.#reading.key !== keyOf(this.registry.activeFolder)) this.#reading.abort.abort();
    if (this.view.visible) this.loop.request();
  }

  getTreeItem(row: SessionRow): vscode.TreeItem {
    return sessionItem(row, Date.now());
  }

  async getChildren(node?: SessionRow): Promise<SessionRow[]> {
    return node ? [] : [...this.rows];
  }

  protected async refresh(): Promise<void> {
    const access = this.reader.accessTo(this.registry.activeFolder);
    if (access.state !== 'allowed') {
      this.#read = '';
      this.keys.set('sessionState', 'off');
      this.#show(undefined);
      return;
    }
    const { folder, agents } = access;
    const key = keyOf(folder);
    const wanted = JSON.stringify([key, agents]);
    if (wanted === this.#read && !this.#isStale) return;
    this.#isStale = false;
    this.#read = wanted;
    if (keyOf(this.#shown?.folder) !== key) {
      this.keys.set('sessionState', 'reading');
      this.#show(undefined);
    }
    const abort = new AbortController();
    this.#reading = { key, abort };
    try {
      const read = (): ReturnType<SessionReader['read']> => this.reader.read(folder, abort.signal);
      const location = { viewId: VIEWS.sessions };
      const { sessions, problems } = await vscode.window.withProgress({ location }, read);
      for (const problem of problems) this.logger.warn(sessionProblemText(problem));
      this.keys.set('sessionState', sessions.length === 0 ? 'none' : 'some');
      this.#show({ folder, sessions, unread: problems.length });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      // Another folder became active: the next run reads that.
      this.#read = '';
    }
  }

  #show(shown: Shown | undefined): void {
    this.hasFailed = false;
    this.#shown = shown;
    this.changed.fire(undefined);
    this.describe();
  }

  protected describe(): void {
    const shown = this.#shown;
    const folder = isMultiRoot() ? shown?.folder.name : undefined;
    const days = shown && shown.sessions.length > 0 ? vscode.l10n.t('last 30 days') : undefined;
    this.view.description = [folder, days].filter(Boolean).join(' · ');
    this.view.message = this.#message(shown);
  }

  #message(shown: Shown | undefined): string {
    if (this.hasFailed) return vscode.l10n.t('The sessions could not be read. See the log for details.');
    if (!shown || shown.unread === 0) return '';
    return shown.unread === 1
      ? vscode.l10n.t('1 log was not read completely. See the log for details.')
      : vscode.l10n.t('{0} logs were not read completely. See the log for details.', formatCount(shown.unread));
  }
}

function keyOf(folder: vscode.WorkspaceFolder | undefined): string {
  return folder?.uri.toString() ?? '';
}

/** What a session is called where it has no title. */
export function sessionName({ title, agent }: Pick<SessionRow, 'title' | 'agent'>): string {
  return title ?? readableName(agent);
}

/** A longer label leaves no room for the facts; the tooltip has all of it. */
function labelOf(name: string): string {
  return toSentence(name, LABEL_CHARS + 1);
}

/** A session as VS Code draws it: `fix login test` `10:12 · 3 findings · peak 74% · 63 requests`. */
export function sessionItem(row: SessionRow, nowMs: number): vscode.TreeItem {
  const item = new vscode.TreeItem(labelOf(sessionName(row)), vscode.TreeItemCollapsibleState.None);
  const facts = factsOf(row);
  item.id = row.id;
  item.description = [whenWords(row.started, nowMs), ...facts].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon('comment-discussion');
  item.contextValue = 'session';
  item.command = { command: COMMANDS.openSession, title: vscode.l10n.t('Open'), arguments: [row.id] };
  // A title comes from a log, so it is never read as Markdown.
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(sessionName(row));
  const model = row.model === undefined ? '' : ` · ${row.model}`;
  for (const line of [`${readableName(row.agent)}${model}`, ...facts]) tooltip.appendMarkdown('\n- ').appendText(line);
  item.tooltip = tooltip;
  const spoken = [sessionName(row), readableName(row.agent), whenWords(row.started, nowMs), ...facts];
  item.accessibilityInformation = { label: spoken.filter(Boolean).join(vscode.l10n.t(', ')) };
  return item;
}

function factsOf({ findings, peakTokens, windowTokens, requests }: SessionRow): readonly string[] {
  const peak = windowTokens === undefined ? formatThousands(peakTokens) : formatShare(peakTokens, windowTokens);
  return [
    ...(findings === 0 ? [] : [findings === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', findings)]),
    vscode.l10n.t('peak {0}', peak),
    requests === 1 ? vscode.l10n.t('1 request') : vscode.l10n.t('{0} requests', formatCount(requests)),
  ];
}

/** `10:12`, `Yesterday`, `20 Nov`. */
function whenWords(started: number | undefined, nowMs: number): string {
  if (started === undefined) return '';
  const day = (ms: number): string => new Date(ms).toDateString();
  const { language } = vscode.env;
  if (day(started) === day(nowMs))
    return new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(started);
  if (day(started) === day(nowMs - DAY_MS)) return vscode.l10n.t('Yesterday');
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(started);
}
