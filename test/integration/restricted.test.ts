import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { preparedCall } from '../../src/vscode/agents/languageModelTools';
import { testWith } from './host';
import { callTool } from './languageModelTools.test';
import { clipboardAfter, exists, expanded, extensionApi, ready, section, showPanel, until } from './support';

/** A folder that is not trusted: nothing of it is run, everything else works and says so. */
export function restrictedTests(): void {
  suite('in Restricted Mode', () => {
    test('the folder is not trusted, and the extension runs', async () => {
      assert.equal(vscode.workspace.isTrusted, false);
    });

    test('no command section is run, and its section says so', async () => {
      await showPanel();
      const snapshot = await ready();
      assert.equal(snapshot.isTrusted, false);
      const ports = section(snapshot, 'ports');
      assert.ok(ports.isNotRun);
      assert.equal(ports.status, 'OK');
      assert.ok(!(await exists('../plugin-runs.log')), 'the plug-in left no trace');
    });

    test('the rest is counted, shown and copied', async () => {
      const api = await extensionApi();
      const { text, budget } = expanded(await ready());
      assert.ok(budget.isExact && text.includes('Prices are integers in cents'));
      await until('the status bar shows it', () => api.statusBar().isVisible);
      assert.match(api.statusBar().tooltip, /Not run in Restricted Mode: ports/);
      assert.equal(api.panel()?.isTrusted, false);
      assert.equal(await clipboardAfter('contextBudget.copyExpandedPayload'), text);
      assert.ok(!(await exists('../plugin-runs.log')), 'the plug-in left no trace');
    });

    test('agents’ tools answer, and no command section was run for them', async () => {
      assert.match(await callTool('context_index', {}), /section:agents-md/);
      assert.match(await callTool('repo_map', { query: 'prices' }), /src\/prices\.ts/);
      assert.match(await callTool('context_search', { query: 'price' }), /sym:/);
      assert.match(
        await callTool('context_budget', {}),
        /section:ports \| [^\n]*omitted: (?:not trusted|cannot run here)/,
      );
      assert.ok(!(await exists('../plugin-runs.log')), 'the plug-in left no trace');
    });

    test('before whole texts are given to an agent it is asked, with what it asked for', () => {
      const input = { handles: ['section:agents-md', 'file:[a](command:evil)'] };
      const { confirmationMessages } = preparedCall('context_detail', input, vscode.workspace.isTrusted);
      const message = confirmationMessages?.message;
      assert.ok(message instanceof vscode.MarkdownString && !message.isTrusted);
      assert.match(message.value, /^section:agents\\?-md,/);
      assert.ok(!message.value.includes('[a](command'), 'no link');
      assert.equal(preparedCall('context_detail', input, true).confirmationMessages, undefined);
      assert.equal(preparedCall('repo_map', {}, false).confirmationMessages, undefined);
    });

    testWith('processes', 'no hooks are installed, and it is said why', async () => {
      const original = vscode.window.showErrorMessage;
      const told: string[] = [];
      Object.assign(vscode.window, { showErrorMessage: async (message: string) => void told.push(message) });
      try {
        await vscode.commands.executeCommand('contextBudget.connectAgent', ['hooks:.claude/settings.local.json']);
      } finally {
        Object.assign(vscode.window, { showErrorMessage: original });
      }
      assert.match(told.join(), /^Connect an Agent: This folder is not trusted\. Hooks are programs/);
      assert.ok(!(await exists('.claude')), 'nothing was written');
    });
  });
}
