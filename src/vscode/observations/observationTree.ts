import * as vscode from 'vscode';
import type { ObservationGrouping } from '../../core/observations/browse';
import type { ObservationService } from '../../core/observations/observationService';
import type { Logger } from '../../core/ports/ports';
import { formatCount } from '../../core/text/numbers';
import { isMultiRoot } from '../base/folders';
import type { PreferenceStore } from '../base/preferences';
import { FolderTree } from '../workspace/folderTree';
import type { FolderWorkspace, WorkspaceRegistry } from '../workspace/workspaceRegistry';
import { observationItem, observationTooltip } from './observationItems';
import {
  type GroupNode,
  groupNodes,
  isObservationNode,
  type MoreObservationsNode,
  type ObservationNode,
  type ObservationTreeNode,
  rowNodes,
} from './observationModel';

/** Groups and rows of a page. */
const PAGE_GROUPS = 60;
const PAGE_ROWS = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What the rows were made from. */
interface Shown {
  readonly active: FolderWorkspace;
  readonly service: ObservationService;
  readonly revision: string;
  /** What else decides what is shown. */
  readonly key: string;
  readonly stats: Awaited<ReturnType<ObservationService['store']['stats']>>;
}

/**
 * The Observations view: the active folder's log as a tree, by time or by task, or what a search finds. Rows of a group
 * are read when it is opened; a hidden view reads nothing.
 */
export class ObservationTree extends FolderTree<ObservationTreeNode> {
  #shown: Shown | undefined;
  #roots: readonly ObservationTreeNode[] = [];
  /** Pages that are shown, by group; of the first level under the empty name. */
  #pages = new Map<string, number>();

  constructor(
    registry: WorkspaceRegistry,
    private readonly preferences: PreferenceStore,
    logger: Logger,
  ) {
    const filterKey = 'isObservationFiltered';
    super({ id: 'observations', filterKey, what: 'the observations', canSelectMany: true }, registry, logger);
    this.start();
  }

  /** The folder whose observations are shown. */
  get active(): FolderWorkspace | undefined {
    return this.#shown?.active;
  }

  /** Rows that are selected; an opened menu's row is one of them, or stands alone. */
  get selection(): readonly ObservationNode[] {
    return this.view.selection.filter(isObservationNode);
  }

  /** Shows what a full-text search finds, best match first; the groups when `filter` is empty. */
  override setFilter(filter: string): void {
    this.#pages = new Map();
    super.setFilter(filter);
  }

  /** By task where the rows are grouped by time, else by time. */
  toggleGrouping(): Promise<void> {
    return this.setGrouping(this.preferences.observationGrouping === 'task' ? 'day' : 'task');
  }

  async setGrouping(grouping: ObservationGrouping): Promise<void> {
    await this.preferences.setObservationGrouping(grouping);
    this.#pages = new Map();
    this.follow();
  }

  showMore({ groupId = '' }: MoreObservationsNode): void {
    this.#pages.set(groupId, this.#pageOf(groupId) + 1);
    const group = this.#roots.find(({ id }) => id === groupId);
    if (group) this.changed.fire(group);
    else this.follow();
  }

  follow(): void {
    if (this.view.visible) this.loop.request();
  }

  getTreeItem(node: ObservationTreeNode): vscode.TreeItem {
    const now = Date.now();
    return observationItem(node, { today: dayOf(now), yesterday: dayOf(now - DAY_MS) });
  }

  resolveTreeItem(item: vscode.TreeItem, node: ObservationTreeNode): vscode.TreeItem {
    item.tooltip = observationTooltip(node) ?? item.tooltip;
    return item;
  }

  async getChildren(node?: ObservationTreeNode): Promise<ObservationTreeNode[]> {
    if (!node) return [...this.#roots];
    return node.kind === 'observationGroup' ? [...(await this.#rowsOf(node))] : [];
  }

  #pageOf(groupId: string): number {
    return this.#pages.get(groupId) ?? 1;
  }

  protected async refresh(): Promise<void> {
    const { active } = this.registry;
    const service = active?.workspace.observations;
    // The config, which names the file, is known from the first snapshot on.
    if (!active || !service || active.workspace.snapshot.state !== 'ready') {
      if (!active || !service) this.#show(undefined, []);
      return;
    }
    await service.store.refresh();
    const by = this.preferences.observationGrouping;
    const filter = this.filter;
    const { revision } = service.store;
    const pages = this.#pageOf('');
    const key = JSON.stringify([by, filter, pages]);
    const shown = this.#shown;
    if (shown?.service === service && shown.revision === revision && shown.key === key && !this.hasFailed) return;
    if (filter !== '') this.view.message = vscode.l10n.t('Searching for “{0}”…', filter);
    const roots =
      filter === ''
        ? groupNodes(await service.store.groups(by, pages * PAGE_GROUPS), by)
        : rowNodes(await service.list({ query: filter, limit: pages * PAGE_ROWS, isUnmasked: true }), undefined);
    const stats = await service.store.stats();
    if (this.registry.active?.workspace !== active.workspace || this.filter !== filter) return;
    this.#show({ active, service, revision, key, stats }, roots);
    // Ahead of the first search, in slices that keep the worker free.
    if (stats.total > 0)
      service.store
        .prepareSearch()
        .catch((error: unknown) => this.logger.error('the search index could not be made', error));
  }

  async #rowsOf(node: GroupNode): Promise<readonly ObservationTreeNode[]> {
    const service = this.#shown?.service;
    if (!service) return [];
    const within = { by: node.by, key: node.group.key };
    return rowNodes(await service.list({ within, limit: this.#pageOf(node.id) * PAGE_ROWS, isUnmasked: true }), node);
  }

  #show(shown: Shown | undefined, roots: readonly ObservationTreeNode[]): void {
    this.hasFailed = false;
    this.#shown = shown;
    this.#roots = roots;
    this.changed.fire(undefined);
    this.describe();
  }

  protected describe(): void {
    const shown = this.#shown;
    const folder = this.registry.activeFolder;
    this.view.description = folder && isMultiRoot() ? folder.name : '';
    this.view.message = this.#message(shown);
    this.keys.set('observationState', shown?.stats.total === 0 ? 'none' : 'some');
  }

  #message(shown: Shown | undefined): string {
    if (this.hasFailed) return vscode.l10n.t('The observations could not be read. See the log for details.');
    if (!shown) return '';
    const { problemCount, unreadBytes } = shown.stats;
    const parts: string[] = [];
    if (this.filter !== '') {
      const more = this.#roots.find((node) => node.kind === 'moreObservations')?.remaining ?? 0;
      const found = this.#roots.filter(isObservationNode).length + more;
      parts.push(vscode.l10n.t('Search: “{0}”, {1} found.', this.filter, formatCount(found)));
    }
    if (problemCount > 0) parts.push(vscode.l10n.t('Malformed lines: {0}.', formatCount(problemCount)));
    if (unreadBytes > 0)
      parts.push(vscode.l10n.t('The log is too large: {0} bytes of it were not read.', formatCount(unreadBytes)));
    return parts.join(' ');
  }
}

/** `YYYY-MM-DD` of a moment here. */
function dayOf(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}
