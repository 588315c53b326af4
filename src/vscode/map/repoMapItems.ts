import * as vscode from 'vscode';
import type { SymbolKind } from '../../core/ports/symbolKind';
import { formatCount } from '../../core/text/numbers';
import { type Phrase, phrase } from '../../core/text/phrase';
import { COMMANDS } from '../base/ids';
import { say } from '../base/language';
import { collapsible, moreItem } from '../base/treeItems';
import {
  type FileNode,
  type LeftOutNode,
  type MapNode,
  type SymbolNode,
  signatureTail,
  splitPath,
} from './repoMapModel';

/** A kind's codicon and the theme's colour for it, as the outline draws them, and what stands before a symbol's name. */
const KINDS: Readonly<Record<SymbolKind, readonly [icon: string, color: string, words: Phrase]>> = {
  module: ['symbol-module', 'module', phrase('module')],
  namespace: ['symbol-namespace', 'namespace', phrase('namespace')],
  package: ['symbol-package', 'package', phrase('package')],
  class: ['symbol-class', 'class', phrase('class')],
  interface: ['symbol-interface', 'interface', phrase('interface')],
  trait: ['symbol-interface', 'interface', phrase('trait')],
  struct: ['symbol-struct', 'struct', phrase('struct')],
  union: ['symbol-struct', 'struct', phrase('union')],
  enum: ['symbol-enum', 'enumerator', phrase('enum')],
  enumMember: ['symbol-enum-member', 'enumeratorMember', phrase('enum member')],
  type: ['symbol-parameter', 'typeParameter', phrase('type')],
  function: ['symbol-method', 'function', phrase('function')],
  method: ['symbol-method', 'method', phrase('method')],
  // The bare word is a key of every object, bundles included.
  constructor: ['symbol-method', 'constructor', phrase('constructor method')],
  property: ['symbol-property', 'property', phrase('property')],
  field: ['symbol-field', 'field', phrase('field')],
  constant: ['symbol-constant', 'constant', phrase('constant')],
  variable: ['symbol-variable', 'variable', phrase('variable')],
  macro: ['symbol-snippet', 'snippet', phrase('macro')],
  heading: ['symbol-string', 'string', phrase('heading')],
};

/** Files of the map that are open at first; the others show their best at a click. */
const OPEN_FILES = 8;

/** A node as VS Code draws it; the tooltip is made when it is asked for (`tooltipOf`). */
export function treeItem(node: MapNode, folder: vscode.WorkspaceFolder): vscode.TreeItem {
  switch (node.kind) {
    case 'file':
      return fileItem(node, folder);
    case 'symbol':
      return symbolItem(node);
    case 'leftOut':
      return leftOutItem(node);
    case 'more':
      return moreItem(node.id, node.remaining, COMMANDS.showMoreLeftOut);
  }
}

function fileItem(node: FileNode, folder: vscode.WorkspaceFolder): vscode.TreeItem {
  const { name, folder: parent } = splitPath(node.path);
  const isOpen = node.tokens !== undefined && node.rank <= OPEN_FILES;
  const item = new vscode.TreeItem(name, collapsible(node.children.length > 0, isOpen));
  const tokens = node.tokens === undefined ? undefined : vscode.l10n.t('{0} tok', formatCount(node.tokens));
  const count = node.symbolCount === 0 ? undefined : formatCount(node.symbolCount);
  item.id = node.id;
  item.description = [parent, count, tokens].filter(Boolean).join(' · ');
  item.resourceUri = vscode.Uri.joinPath(folder.uri, node.path);
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'file';
  item.command = openCommand(node);
  const symbols =
    node.symbolCount === 1 ? vscode.l10n.t('1 symbol') : vscode.l10n.t('{0} symbols', formatCount(node.symbolCount));
  const spoken = [vscode.l10n.t('{0}, rank {1}', node.path, formatCount(node.rank)), symbols];
  if (node.tokens !== undefined) spoken.push(vscode.l10n.t('{0} tokens', formatCount(node.tokens)));
  else spoken.push(vscode.l10n.t('left out of the map'));
  item.accessibilityInformation = { label: spoken.join(vscode.l10n.t(', ')) };
  return item;
}

function symbolItem(node: SymbolNode): vscode.TreeItem {
  const { symbol } = node;
  const item = new vscode.TreeItem(symbol.name, collapsible(node.children.length > 0, true));
  const [icon, color, words] = KINDS[symbol.kind];
  const tail = signatureTail(symbol);
  item.id = node.id;
  item.description = [`:${symbol.lineStart}`, tail].filter(Boolean).join(' ');
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(`symbolIcon.${color}Foreground`));
  item.contextValue = 'symbol';
  item.command = openCommand(node);
  const line = vscode.l10n.t('line {0}', formatCount(symbol.lineStart));
  item.accessibilityInformation = {
    label: [`${say(words)} ${symbol.name}`, line, tail].filter(Boolean).join(vscode.l10n.t(', ')),
  };
  return item;
}

function leftOutItem({ id, filesTotal, isOnly }: LeftOutNode): vscode.TreeItem {
  const label =
    filesTotal === 1
      ? vscode.l10n.t('Left out: 1 file')
      : vscode.l10n.t('Left out: {0} files', formatCount(filesTotal));
  const item = new vscode.TreeItem(label, collapsible(true, isOnly));
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('fold');
  item.contextValue = 'leftOut';
  // Else the tooltip would be spoken in the label's place.
  item.accessibilityInformation = { label };
  item.tooltip = vscode.l10n.t('Files that exceed the budget or do not match the task, best first');
  return item;
}

function openCommand(node: FileNode | SymbolNode): vscode.Command {
  return { command: COMMANDS.openMapItem, title: vscode.l10n.t('Open'), arguments: [node] };
}

/** Signature, doc and why the row is there. Texts of the folder are code or plain text: nothing of them is Markdown. */
export function tooltipOf(node: MapNode): vscode.MarkdownString | undefined {
  if (node.kind === 'leftOut' || node.kind === 'more') return undefined;
  const tooltip = new vscode.MarkdownString();
  if (node.kind === 'symbol') {
    const { signature, name, doc, kind, qualifiedName, lineStart, lineEnd } = node.symbol;
    tooltip.appendCodeblock(signature || name);
    if (doc !== '') tooltip.appendText(doc).appendMarkdown('\n\n');
    tooltip.appendText(
      vscode.l10n.t('{0} {1}, lines {2} to {3}', say(KINDS[kind][2]), qualifiedName, lineStart, lineEnd),
    );
  } else {
    tooltip.appendText(node.path);
  }
  for (const reason of node.because) tooltip.appendMarkdown('\n- ').appendText(say(reason));
  if (node.because.length === 0 && node.kind === 'file')
    tooltip
      .appendMarkdown('\n\n')
      .appendText(vscode.l10n.t('Left out: the budget was used up, or nothing in it matches the task'));
  return tooltip;
}
