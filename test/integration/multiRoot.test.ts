import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { callTool } from './languageModelTools.test';
import { showRepoMap } from './repoMap.test';
import { closeEditors, expanded, extensionApi, ready, showPanel, until } from './support';

function folders(): readonly [vscode.WorkspaceFolder, vscode.WorkspaceFolder] {
  const [first, second] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first && second, 'two folders are open');
  return [first, second];
}

/** Two folders: one session each, made when wanted; panel and status bar follow the active editor. */
export function multiRootTests(): void {
  suite('with two folders', () => {
    // The editor starts its extensions before it has read which folders the workspace has.
    suiteSetup(async () => {
      await until('both folders are open', () => vscode.workspace.workspaceFolders?.length === 2);
    });
    teardown(closeEditors);

    test('only the first folder has a session at first', async () => {
      await showPanel();
      const snapshot = await ready();
      const [first] = folders();
      assert.equal(snapshot.folderName, first.name);
      assert.deepEqual((await extensionApi()).workspaces(), [first.name]);
    });

    test('the active folder follows the active editor and stays when it closes', async () => {
      const api = await extensionApi();
      const [first, second] = folders();
      await vscode.window.showTextDocument(vscode.Uri.joinPath(second.uri, 'AGENTS.md'));
      await until('the panel shows the second folder', () => api.panel()?.folderName === second.name);
      assert.match(expanded(await ready()).text, /Only here to be another root/);
      assert.deepEqual(api.workspaces(), [first.name, second.name]);
      await closeEditors();
      assert.equal((await ready()).folderName, second.name);
      await vscode.window.showTextDocument(vscode.Uri.joinPath(first.uri, 'AGENTS.md'));
      await until('the panel shows the first folder again', () => api.panel()?.folderName === first.name);
    });

    test('the tree shows the active folder’s map, each with its own task', async () => {
      const api = await extensionApi();
      const [first, second] = folders();
      await vscode.window.showTextDocument(vscode.Uri.joinPath(first.uri, 'AGENTS.md'));
      const tree = await showRepoMap();
      await until('the first folder’s map', () => tree.active?.folder.name === first.name);
      await vscode.commands.executeCommand('contextBudget.setTask', 'prices');
      await until('its task beside the title', () => tree.words.description === `${first.name} · prices`);
      await vscode.window.showTextDocument(vscode.Uri.joinPath(second.uri, 'AGENTS.md'));
      await until('the second folder’s map', async () => {
        const [node] = await tree.getChildren();
        return tree.active?.folder.name === second.name && node?.kind === 'file' && node.path === 'src/greet.go';
      });
      assert.equal(tree.words.description, second.name);
      assert.equal(api.snapshot(first.name)?.task, 'prices');
      await vscode.window.showTextDocument(vscode.Uri.joinPath(first.uri, 'AGENTS.md'));
      await until('the first folder’s task again', () => tree.words.description === `${first.name} · prices`);
      await vscode.commands.executeCommand('contextBudget.clearTask');
    });

    test('agents’ tools answer for the active folder or the one they name, and say which', async () => {
      const [first, second] = folders();
      await vscode.window.showTextDocument(vscode.Uri.joinPath(first.uri, 'AGENTS.md'));
      await until('the first folder is active', async () => (await ready()).folderName === first.name);
      const one = await callTool('repo_map', {});
      assert.match(one, new RegExp(`^folder ${first.name} \\(others: ${second.name}\\)\n[\\s\\S]*src/prices\\.ts`));
      const other = await callTool('repo_map', { folder: second.name });
      assert.match(other, new RegExp(`^folder ${second.name} \\(others: ${first.name}\\)\n[\\s\\S]*src/greet\\.go`));
      const tokenBudget = 130;
      const countTokens = async (text: string) => text.length;
      const small = await callTool('repo_map', { folder: second.name }, { tokenBudget, countTokens });
      assert.ok(small.startsWith(`folder ${second.name}`) && small.length <= tokenBudget, small);
    });

    test('a folder that is removed loses its session', async () => {
      const api = await extensionApi();
      const [first, second] = folders();
      await vscode.window.showTextDocument(vscode.Uri.joinPath(second.uri, 'AGENTS.md'));
      await until('the second folder is active', () => api.snapshot()?.folderName === second.name);
      await closeEditors();
      assert.ok(vscode.workspace.updateWorkspaceFolders(second.index, 1));
      await until('its workspace is gone', () => !api.workspaces().includes(second.name));
      await until('the first folder is active', () => api.panel()?.folderName === first.name);
    });
  });
}
