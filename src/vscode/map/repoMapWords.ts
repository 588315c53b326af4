import * as vscode from 'vscode';
import type { MapResult } from '../../core/engine/map';
import type { SymbolKind } from '../../core/ports/symbolKind';
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

/** What a symbol is, before its name. */
export function kindWords(kind: SymbolKind): string {
  switch (kind) {
    case 'module':
      return vscode.l10n.t('module');
    case 'namespace':
      return vscode.l10n.t('namespace');
    case 'package':
      return vscode.l10n.t('package');
    case 'class':
      return vscode.l10n.t('class');
    case 'interface':
      return vscode.l10n.t('interface');
    case 'trait':
      return vscode.l10n.t('trait');
    case 'struct':
      return vscode.l10n.t('struct');
    case 'union':
      return vscode.l10n.t('union');
    case 'enum':
      return vscode.l10n.t('enum');
    case 'enumMember':
      return vscode.l10n.t('enum member');
    case 'type':
      return vscode.l10n.t('type');
    case 'function':
      return vscode.l10n.t('function');
    case 'method':
      return vscode.l10n.t('method');
    case 'constructor':
      // The bare word is a key of every object, bundles included.
      return vscode.l10n.t('constructor method');
    case 'property':
      return vscode.l10n.t('property');
    case 'field':
      return vscode.l10n.t('field');
    case 'constant':
      return vscode.l10n.t('constant');
    case 'variable':
      return vscode.l10n.t('variable');
    case 'macro':
      return vscode.l10n.t('macro');
    case 'heading':
      return vscode.l10n.t('heading');
  }
}
