import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandsThatNeedAFolder, manifestCommands, outcomeOf } from './commandWalk';
import { closeEditors, extensionApi, showPanel, until } from './support';

/** Commands that do something without a folder, and what; VS Code greys out all others of the palette. */
const WITHOUT_FOLDER: Readonly<Record<string, RegExp>> = {
  'contextBudget.copyUnmasked': /Nothing was masked in the last copy/,
  'contextBudget.showMasked': /Nothing was masked in the last copy/,
  'contextBudget.compactRelay': /No relay log here/,
  'contextBudget.copyRelaySummary': /No relay log here/,
};
/** The same, of those that show or copy something instead of saying so. */
const QUIET = new Set(
  ['showLog', 'copyDiagnostics', 'copyObserverPrompt', 'hideStatusBar'].map((name) => `contextBudget.${name}`),
);

/** No folder: nothing to count, nothing shown in the status bar, no failure. */
export function noFolderTests(): void {
  suite('without a folder', () => {
    test('the panel says so, and there is neither a session nor a status bar item', async () => {
      await showPanel();
      const api = await extensionApi();
      assert.equal(api.panel()?.state, 'noFolder');
      assert.deepEqual(api.workspaces(), []);
      assert.equal(api.statusBar().isVisible, false);
    });

    test('the tree is empty, so that its welcome text shows', async () => {
      await vscode.commands.executeCommand('contextBudget.repoMap.focus');
      const tree = (await extensionApi()).repoMap();
      assert.deepEqual(await tree.getChildren(), []);
      assert.deepEqual(tree.words, { message: '', description: '' });
    });

    test('each command of the palette is greyed out or answers; none fails without a word', async () => {
      const greyed = commandsThatNeedAFolder();
      const ofRows = /^contextBudget\.(section|map|observation|session)\./;
      for (const command of manifestCommands()) {
        if (QUIET.has(command) || ofRows.test(command)) continue;
        const { told, clipboard } = await outcomeOf(command, undefined);
        const said = `${command}: ${told.join('; ')}`;
        assert.equal(clipboard, '', said);
        const answer = WITHOUT_FOLDER[command];
        assert.equal(greyed.has(command), answer === undefined, `${command} is greyed out, or it answers`);
        if (answer) assert.match(told.join('; '), answer, said);
      }
      assert.match((await outcomeOf('contextBudget.copyObserverPrompt', undefined)).clipboard, /observ/i);
      assert.match((await outcomeOf('contextBudget.copyDiagnostics', undefined)).clipboard, /\n- Agent table: /);
      await vscode.commands.executeCommand('contextBudget.showLog');
      await until('the log is shown', () => vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === 'output'));
      await closeEditors();
    });

    test('a row’s command that somebody bound to a key does nothing', async () => {
      for (const command of manifestCommands().filter((id) =>
        /^contextBudget\.(section|map|observation|session)\./.test(id),
      )) {
        const { clipboard, opened } = await outcomeOf(command, undefined);
        assert.deepEqual([command, clipboard, opened()], [command, '', []]);
      }
    });

    test('a copy leaves the clipboard alone', async () => {
      await vscode.env.clipboard.writeText('mine');
      await vscode.commands.executeCommand('contextBudget.copyPayload');
      assert.equal(await vscode.env.clipboard.readText(), 'mine');
    });
  });
}
