import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionApi, showPanel } from './support';

/** No folder: nothing to count, nothing shown in the status bar, no failure. */
export function noFolderTests(): void {
  suite('without a folder', () => {
    test('the panel says so, and there is neither a session nor a status bar item', async () => {
      await showPanel();
      const api = await extensionApi();
      assert.equal(api.panel()?.state, 'noFolder');
      assert.deepEqual(api.sessions(), []);
      assert.equal(api.statusBar().isVisible, false);
    });

    test('the tree is empty, so that its welcome text shows', async () => {
      await vscode.commands.executeCommand('contextBudget.repoMap.focus');
      const tree = (await extensionApi()).repoMap();
      assert.deepEqual(await tree.getChildren(), []);
      assert.deepEqual(tree.words, { message: '', description: '' });
    });

    test('a copy leaves the clipboard alone', async () => {
      await vscode.env.clipboard.writeText('mine');
      await vscode.commands.executeCommand('contextBudget.copyPayload');
      assert.equal(await vscode.env.clipboard.readText(), 'mine');
    });
  });
}
