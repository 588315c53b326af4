import * as vscode from 'vscode';
import type { MapResult } from '../../core/engine/map';
import type { BuiltinId } from '../../core/model/section';
import type { Logger } from '../../core/ports/ports';
import { formatCount } from '../../core/text/numbers';
import type { WorkspaceSnapshot } from '../../core/workspace/workspace';
import { isMultiRoot } from '../base/folders';
import { taskLine } from '../base/taskText';
import { FolderTree } from '../workspace/folderTree';
import type { FolderWorkspace, WorkspaceRegistry } from '../workspace/workspaceRegistry';
import { tooltipOf, treeItem } from './repoMapItems';
import { leftOutChildren, type MapNode, mapRoots } from './repoMapModel';

/** The id of the map's section. */
const REPO_MAP: BuiltinId = 'repo-map';

/** Files of a page of what was left out. */
const PAGE_FILES = 30;

/** A map with what it was made from. */
interface Shown {
  readonly active: FolderWorkspace;
  readonly revision: number;
  readonly filter: string;
  readonly result: MapResult;
}

/**
 * The Repo Map view: the active folder's map as a tree. A visible view asks for a new map when the workspace says that it
 * may differ; a hidden one never.
 */
export class RepoMapTree extends FolderTree<MapNode> {
  #shown: Shown | undefined;
  #roots: readonly MapNode[] = [];
  #leftOutLimit = PAGE_FILES;

  constructor(registry: WorkspaceRegistry, logger: Logger) {
    super({ id: 'repoMap', filterKey: 'isMapFiltered', what: 'the repo map', canSelectMany: false }, registry, logger);
    this.add(registry.onDidChangeIndex(() => this.describe()));
    this.start();
  }

  /** The folder whose map is shown. */
  get active(): FolderWorkspace | undefined {
    return this.#shown?.active;
  }

  /** Shows only what has `filter` in its path or name; everything when it is empty. */
  override setFilter(filter: string): void {
    this.#leftOutLimit = PAGE_FILES;
    super.setFilter(filter);
  }

  showMoreLeftOut(): void {
    this.#leftOutLimit += PAGE_FILES;
    this.#leftOutChanged();
  }

  getTreeItem(node: MapNode): vscode.TreeItem {
    const { active } = this;
    return active ? treeItem(node, active.folder) : new vscode.TreeItem('');
  }

  resolveTreeItem(item: vscode.TreeItem, node: MapNode): vscode.TreeItem {
    item.tooltip = tooltipOf(node) ?? item.tooltip;
    return item;
  }

  async getChildren(node?: MapNode): Promise<MapNode[]> {
    if (!node) return [...this.#roots];
    if (node.kind === 'leftOut') return [...(await this.#leftOut())];
    return node.kind === 'more' ? [] : [...node.children];
  }

  follow(): void {
    if (!this.view.visible) return;
    this.describe();
    if (!this.#isCurrent()) this.loop.request();
  }

  #isCurrent(): boolean {
    const { active } = this.registry;
    const shown = this.#shown;
    if (!active) return !shown && this.#roots.length === 0;
    return (
      shown !== undefined &&
      shown.active.workspace === active.workspace &&
      shown.revision === active.workspace.snapshot.mapRevision &&
      shown.filter === this.filter
    );
  }

  protected async refresh(): Promise<void> {
    if (!this.view.visible || this.#isCurrent()) return;
    const { active } = this.registry;
    const filter = this.filter;
    if (!active) {
      this.#show(undefined);
      return;
    }
    if (this.#shown && this.#shown.active.workspace !== active.workspace) this.#show(undefined);
    // Read before the wait: a map may be newer than it says, never older.
    const revision = active.workspace.snapshot.mapRevision;
    const result = await active.workspace.map({
      isUnmasked: true,
      withReasons: true,
      leftOut: { limit: 0, matching: filter },
    });
    if (this.registry.active?.workspace === active.workspace) this.#show({ active, revision, filter, result });
  }

  #show(shown: Shown | undefined): void {
    this.hasFailed = false;
    this.#shown = shown;
    const roots = shown ? mapRoots(shown.result, shown.filter) : [];
    const isSame = JSON.stringify(roots) === JSON.stringify(this.#roots);
    if (!isSame) this.#roots = roots;
    if (isSame) this.#leftOutChanged();
    else this.changed.fire(undefined);
    this.describe();
  }

  /** Reloads the node of what was left out. */
  #leftOutChanged(): void {
    const node = this.#roots.find(({ kind }) => kind === 'leftOut');
    if (node) this.changed.fire(node);
  }

  async #leftOut(): Promise<readonly MapNode[]> {
    const shown = this.#shown;
    if (!shown) return [];
    const request = { limit: this.#leftOutLimit, matching: shown.filter };
    const { leftOut } = await shown.active.workspace.map({ isUnmasked: true, withReasons: true, leftOut: request });
    return leftOut ? leftOutChildren(leftOut) : [];
  }

  protected describe(): void {
    const snapshot = this.registry.active?.workspace.snapshot;
    const shown = this.#shown?.active.workspace === this.registry.active?.workspace ? this.#shown : undefined;
    const folder = this.registry.activeFolder;
    const task = snapshot?.changes ? changesLine(snapshot.changes) : taskLine(snapshot?.task ?? '');
    const description = [folder && isMultiRoot() ? folder.name : '', task].filter(Boolean).join(' · ');
    if (this.view.description !== description) this.view.description = description;
    const message = folder ? mapMessage(snapshot, shown?.result, this.filter, this.hasFailed) : '';
    if (this.view.message !== message) this.view.message = message;
    // Only a complete index can say that there are no symbols.
    const isEmpty = shown?.result.view.symbolsTotal === 0 && snapshot?.index.phase === 'ready';
    this.keys.set('mapState', isEmpty ? 'noSymbols' : 'map');
  }
}

/** What stands above the tree: how far the index is, what fits, the filter, and what would make the map better. */
export function mapMessage(
  snapshot: WorkspaceSnapshot | undefined,
  map: MapResult | undefined,
  filter: string,
  hasFailed: boolean,
): string {
  if (hasFailed) return vscode.l10n.t('The map could not be built. See the log for details.');
  if (!snapshot) return vscode.l10n.t('Listing files…');
  const { phase, done, total } = snapshot.index;
  const inPayload = tokensInPayload(snapshot);
  if (phase === 'listing') return vscode.l10n.t('Listing files…');
  const files = vscode.l10n.t('{0} of {1} files', formatCount(done), formatCount(total));
  const parts: string[] = [];
  if (phase === 'scanning' || phase === 'parsing') parts.push(vscode.l10n.t('Indexing {0}…', files));
  if (phase === 'stopped') parts.push(vscode.l10n.t('Indexing stopped at {0}.', files));
  if (map && map.view.symbolsTotal > 0) {
    parts.push(mapCounts(map));
    if (filter !== '') parts.push(vscode.l10n.t('Filter: “{0}”.', filter));
    else if (inPayload !== undefined && inPayload < map.tokens)
      parts.push(
        vscode.l10n.t(
          'Only {0} of these tokens fit into the payload: all sections share its limit.',
          formatCount(inPayload),
        ),
      );
    if (snapshot.changes?.base !== undefined && snapshot.changes.files === 0)
      parts.push(vscode.l10n.t('Nothing changed, so the map is an overview of the folder.'));
    if (map.match?.isMatch === false && snapshot.task !== '')
      parts.push(vscode.l10n.t('Nothing here matches the task, so the map is an overview of the folder.'));
    if (filter === '' && snapshot.task === '' && !snapshot.changes)
      parts.push(vscode.l10n.t('Set a task to rank the map for it.'));
  }
  if (!map && phase === 'ready') parts.push(vscode.l10n.t('Ranking…'));
  const [first = '', ...others] = parts;
  return others.reduce((before, next) => vscode.l10n.t('{0} {1}', before, next), first);
}

/** `changed since origin/main` */
function changesLine({ base }: NonNullable<WorkspaceSnapshot['changes']>): string {
  return base === undefined ? vscode.l10n.t('changed since main') : vscode.l10n.t('changed since {0}', base);
}

/** Tokens of the map in the expanded payload, where it gets what other sections leave; undefined while not exact. */
function tokensInPayload({ report }: WorkspaceSnapshot): number | undefined {
  const payload = report?.payloads.expanded;
  if (!payload?.budget.isExact) return undefined;
  return payload.sections.find(({ id, isExcluded }) => id === REPO_MAP && !isExcluded)?.tokens;
}

/** `12 of 340 files, 4,980 of 5,000 tokens.` */
function mapCounts({ view, tokens, budgetTokens }: MapResult): string {
  return vscode.l10n.t(
    '{0} of {1} files, {2} of {3} tokens.',
    formatCount(view.filesShown),
    formatCount(view.filesTotal),
    formatCount(tokens),
    formatCount(budgetTokens),
  );
}
