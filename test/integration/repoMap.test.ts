import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FileNode, MapNode, SymbolNode } from '../../src/vscode/map/repoMapModel';
import type { RepoMapTree } from '../../src/vscode/map/repoMapTree';
import { clipboardAfter, closeEditors, extensionApi, readText, ready, until, write } from './support';

async function tree(): Promise<RepoMapTree> {
  return (await extensionApi()).repoMap();
}

async function files(): Promise<readonly FileNode[]> {
  return (await (await tree()).getChildren()).filter((node) => node.kind === 'file');
}

/** Shows the view and waits for its rows. */
export async function showRepoMap(): Promise<RepoMapTree> {
  await vscode.commands.executeCommand('contextBudget.repoMap.focus');
  await until('the tree has rows', async () => (await files()).length > 0);
  return tree();
}

async function row(path: string, name: string): Promise<SymbolNode> {
  const below = (nodes: readonly SymbolNode[]): readonly SymbolNode[] =>
    nodes.flatMap((node) => [node, ...below(node.children)]);
  const file = (await files()).find((node) => node.path === path);
  assert.ok(file, `${path} is in the tree`);
  const found = below(file.children).find(({ symbol }) => symbol.name === name);
  assert.ok(found, `${name} is below ${path}`);
  return found;
}

async function firstIs(path: string): Promise<void> {
  await until(`${path} comes first`, async () => (await files())[0]?.path === path);
}

/** The Repo Map view: rows, order, what they copy and open, the filter, what was left out. */
export function repoMapTests(): void {
  suite('the Repo Map view', () => {
    setup(async () => {
      await showRepoMap();
    });
    teardown(async () => {
      await vscode.commands.executeCommand('contextBudget.clearRepoMapFilter');
      await vscode.commands.executeCommand('contextBudget.clearTask');
      await closeEditors();
    });

    test('shows the files and symbols of the map that is copied, with what they cost', async () => {
      const map = await clipboardAfter('contextBudget.copyRepoMap');
      const paths = map.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
      await until('the tree has the same files', async () => {
        return JSON.stringify((await files()).map(({ path }) => path)) === JSON.stringify(paths);
      });
      const item = (await tree()).getTreeItem((await files())[0] as FileNode);
      assert.match(String(item.description), /\d+ · \d+ tok$/);
      const words = /^\d+ of \d+ files, [\d,]+ of 1,500 tokens\. Set a task/;
      await until('it says so, and no more that files are read', async () => words.test((await tree()).words.message));
    });

    test('a task reorders it and is said beside the title', async () => {
      await vscode.commands.executeCommand('contextBudget.setTask', 'summarize the orders of the day');
      await firstIs('src/report.py');
      assert.equal((await tree()).words.description, 'summarize the orders of the day');
      await vscode.commands.executeCommand('contextBudget.setTask', 'applyDiscount rounds wrong');
      await firstIs('src/prices.ts');
    });

    test('a row has icon, line, spoken label, and a tooltip with signature, doc and reasons', async () => {
      await vscode.commands.executeCommand('contextBudget.setTask', 'applyDiscount rounds wrong');
      const provider = await tree();
      const { value: node } = await until('the row is there for the task', async () => {
        const found = await row('src/prices.ts', 'applyDiscount');
        return found.because.some(({ message }) => message.startsWith('named by the task')) && found;
      });
      const item = provider.getTreeItem(node);
      assert.equal((item.iconPath as vscode.ThemeIcon).id, 'symbol-method');
      assert.match(String(item.description), /^:13 \(price: Price, percent: number\): Price$/);
      assert.match(item.accessibilityInformation?.label ?? '', /^function applyDiscount, line 13, /);
      assert.equal(item.tooltip, undefined, 'made only when asked for');
      const { tooltip } = provider.resolveTreeItem(item, node);
      const { value } = tooltip as vscode.MarkdownString;
      assert.match(value, /function applyDiscount\(price: Price, percent: number\): Price/);
      assert.match(value.replaceAll('&nbsp;', ' '), /Applies a discount in percent/);
      assert.match(value.replaceAll('&nbsp;', ' '), /named by the task/);
      assert.equal((tooltip as vscode.MarkdownString).isTrusted, undefined, 'no command of the folder’s text can run');
    });

    test('signature, body, handle and the whole map can be copied', async () => {
      const node = await row('src/prices.ts', 'applyDiscount');
      assert.equal(
        await clipboardAfter('contextBudget.map.copySignature', node),
        'export function applyDiscount(price: Price, percent: number): Price',
      );
      const body = await clipboardAfter('contextBudget.map.copyBody', node);
      const source = await readText('src/prices.ts');
      assert.ok(source.includes(body.trim()) && body.includes('Math.round'), body);
      const handle = await clipboardAfter('contextBudget.map.copyHandle', node);
      assert.match(handle, /^sym:[0-9a-f]{8}$/);
      const file = (await files()).find(({ path }) => path === 'src/prices.ts');
      assert.equal(await clipboardAfter('contextBudget.map.copyHandle', file), 'file:src/prices.ts');
    });

    test('a click opens the file at the line, and looking at a file moves nothing', async () => {
      const before = (await files()).map(({ path }) => path);
      const node = await row('src/orders.ts', 'total');
      const { command } = (await tree()).getTreeItem(node);
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor?.document.uri.path.endsWith('/src/orders.ts'));
      assert.equal(editor?.selection.start.line, node.symbol.lineStart - 1);
      await ready();
      assert.deepEqual(
        (await files()).map(({ path }) => path),
        before,
      );
    });

    test('without a task it follows the file that is worked on', async () => {
      const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), 'src/report.py');
      await vscode.window.showTextDocument(uri, { preview: false });
      const focused = await clipboardAfter('contextBudget.copyRepoMap');
      await closeEditors();
      const plain = await clipboardAfter('contextBudget.copyRepoMap');
      assert.notEqual(focused, plain);
      assert.match(focused.split('\n')[0] ?? '', /report\.py/);
    });

    test('the filter keeps what matches and is said above the tree', async () => {
      await vscode.commands.executeCommand('contextBudget.filterRepoMap', 'discount');
      await until('only the match is left', async () => {
        const shown = await files();
        return shown.length === 1 && shown[0]?.path === 'src/prices.ts';
      });
      const [file] = await files();
      assert.deepEqual(
        file?.children.map(({ symbol }) => symbol.name),
        ['applyDiscount'],
      );
      assert.match((await tree()).words.message, /Filter: “discount”\./);
      await vscode.commands.executeCommand('contextBudget.clearRepoMapFilter');
      await until('everything is back', async () => (await files()).length > 1);
    });

    test('what was left out is the last row, listed when it is opened', async () => {
      await vscode.commands.executeCommand('contextBudget.setTask', 'summarize the orders of the day');
      await firstIs('src/report.py');
      const provider = await tree();
      const last = (await provider.getChildren()).at(-1) as MapNode;
      assert.equal(last.kind, 'leftOut');
      const listed = await provider.getChildren(last);
      assert.ok(listed.length > 0);
      assert.equal(provider.getTreeItem(last).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
      const shown = new Set((await files()).map(({ path }) => path));
      for (const node of listed) assert.ok(node.kind === 'file' && !shown.has(node.path));
    });

    test('is empty, for its welcome text, when the config leaves every file out', async () => {
      const provider = await tree();
      const config = await readText('.context-budget/config.json');
      try {
        await write('.context-budget/config.json', config.replace('{', '{ "repo_map": { "exclude": ["**"] },'));
        await until('no row is left', async () => (await provider.getChildren()).length === 0);
        assert.equal(provider.words.message, '');
      } finally {
        await write('.context-budget/config.json', config);
      }
      await until('the rows are back', async () => (await files()).length > 0);
    });

    test('stopping an index that is ready changes nothing', async () => {
      await vscode.commands.executeCommand('contextBudget.stopIndexing');
      assert.equal((await ready()).index.phase, 'ready');
    });
  });
}
