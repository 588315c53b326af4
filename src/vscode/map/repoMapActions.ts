import * as vscode from 'vscode';
import { isRecord } from '../../core/text/jsonRecord';
import { formatCount } from '../../core/text/numbers';
import { EditorError } from '../base/editorError';
import { openAtLine, unlessMissing } from '../base/folders';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { askFilter } from '../base/treeItems';
import type { EditorServices } from '../copy/editorServices';
import type { ClipboardCopy } from '../copy/maskedClipboard';
import { bodyHandle, type FileNode, handleOf, type SymbolNode } from './repoMapModel';
import type { RepoMapTree } from './repoMapTree';

/** What can be done with the tree and its rows. */
export function repoMapCommands({ clipboard, recorder, statusBar }: EditorServices, tree: RepoMapTree) {
  /** Where a finding in something of one file is. */
  function placed(path: string): Pick<ClipboardCopy, 'sectionId' | 'path' | 'active'> {
    return { sectionId: path, path, active: tree.active };
  }

  return {
    /** Asks for a filter, or takes the one that a keybinding brings along. */
    [COMMANDS.filterRepoMap]: async (given) => {
      const title = vscode.l10n.t('Filter Repo Map');
      await askFilter(tree, given, title, vscode.l10n.t('Part of a path or of a symbol’s name'));
    },
    [COMMANDS.clearRepoMapFilter]: () => tree.setFilter(''),
    /** Opens the file at the row's line, as a preview: a file that is looked at does not move the map. */
    [COMMANDS.openMapItem]: async (node) => {
      const { active } = tree;
      if (!isRow(node) || !active) return;
      if (node.kind === 'file') {
        // A map of changes has deleted files too.
        const uri = vscode.Uri.joinPath(active.folder.uri, node.path);
        if (!(await unlessMissing(() => vscode.workspace.fs.stat(uri))))
          throw new EditorError('noDetail', vscode.l10n.t('{0} could not be read. Was it changed?', node.path));
        await openAtLine(active.folder, node.path, 1);
      } else await openAtLine(active.folder, node.symbol.path, node.symbol.lineStart);
    },
    [COMMANDS.copyMapSignature]: async (node) => {
      if (!isSymbol(node)) return;
      const { signature, name, path } = node.symbol;
      const note = vscode.l10n.t('Copied the signature of {0}', name);
      await clipboard.write({ text: signature || name, note: () => note, ...placed(path) });
    },
    /** Copies the definition's lines, as far as the profile's `detail_tokens` go. */
    [COMMANDS.copyMapBody]: async (node) => {
      const { active } = tree;
      if (!isSymbol(node) || !active) return;
      const { symbol } = node;
      const handles = [bodyHandle(symbol)];
      const { items, secrets } = await active.workspace.detail(handles, { asLines: true });
      const [item] = items;
      if (!item) {
        throw new EditorError('noDetail', vscode.l10n.t('{0} could not be read. Was it changed?', symbol.path));
      }
      const lines = [formatCount(item.linesShown), formatCount(item.linesTotal)] as const;
      const note = (tokens: string) =>
        item.linesShown < item.linesTotal
          ? vscode.l10n.t('Copied {0}, {1} tokens, {2} of {3} lines', symbol.name, tokens, ...lines)
          : vscode.l10n.t('Copied {0}, {1} tokens', symbol.name, tokens);
      const unmasked = async () =>
        (await active.workspace.detail(handles, { isUnmasked: true, asLines: true })).items[0] ?? item;
      const { text, tokens } = item;
      await clipboard.write({ text, tokens, secrets, unmasked, note, ...placed(symbol.path) });
      recorder.handles(active, [handleOf(node)]);
    },
    /** Copies what an agent can ask for this row with. */
    [COMMANDS.copyMapHandle]: async (node) => {
      if (!isRow(node)) return;
      const handle = handleOf(node);
      await vscode.env.clipboard.writeText(handle);
      statusBar.done(vscode.l10n.t('Copied {0}', handle));
    },
    [COMMANDS.showMoreLeftOut]: () => tree.showMoreLeftOut(),
  } satisfies CommandHandlers;
}

/** A row hands its node to a command; anything else is not meant. */
function isSymbol(value: unknown): value is SymbolNode {
  return isRecord(value) && value.kind === 'symbol';
}

function isRow(value: unknown): value is FileNode | SymbolNode {
  return isSymbol(value) || (isRecord(value) && value.kind === 'file');
}
