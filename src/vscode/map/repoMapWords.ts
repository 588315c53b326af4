import * as vscode from 'vscode';
import type { MapResult } from '../../core/engine/map';
import { formatCount } from '../../core/text/numbers';
import type { WorkspaceSnapshot } from '../../core/workspace/workspace';

/** What stands above the tree: how far the index is, what fits, the filter, and what would make the map better. */
export function mapMessage(
  snapshot: WorkspaceSnapshot | undefined,
  map: MapResult | undefined,
  filter: string,
  hasFailed: boolean,
): string {
  if (hasFailed) return vscode.l10n.t('The map could not be made. The log says why.');
  if (!snapshot) return vscode.l10n.t('Listing files…');
  const { phase, done, total } = snapshot.index;
  if (phase === 'listing') return vscode.l10n.t('Listing files…');
  const files = vscode.l10n.t('{0} of {1} files', formatCount(done), formatCount(total));
  const parts: string[] = [];
  if (phase === 'scanning' || phase === 'parsing') parts.push(vscode.l10n.t('Indexing {0}…', files));
  if (phase === 'stopped') parts.push(vscode.l10n.t('Indexing stopped at {0}.', files));
  if (map && map.view.symbolsTotal > 0) {
    parts.push(mapCounts(map));
    if (filter !== '') parts.push(vscode.l10n.t('Filter: “{0}”.', filter));
    else if (snapshot.task === '') parts.push(vscode.l10n.t('Set a task to rank the map for it.'));
  }
  if (!map && phase === 'ready') parts.push(vscode.l10n.t('Ranking…'));
  const [first = '', ...others] = parts;
  return others.reduce((before, next) => vscode.l10n.t('{0} {1}', before, next), first);
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
