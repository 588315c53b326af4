import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { testWith } from './host';
import {
  answerPick,
  clipboardAfter,
  closeEditors,
  EXTENSION_ID,
  exists,
  expanded,
  extensionApi,
  readText,
  ready,
  remove,
  section,
  showPanel,
  until,
  write,
} from './support';

/** A trusted folder with a config and a plug-in: what the panel, the status bar and the commands do. */
export function trustedTests(): void {
  suite('in a trusted folder', () => {
    teardown(closeEditors);

    test('activation registers and returns: no session yet', async () => {
      const api = await extensionApi();
      console.log(`      activate(): ${api.activationMs.toFixed(1)} ms`);
      assert.equal(api.workspacesAtActivation, 0);
    });

    testWith('processes', 'the extension runs where the files are: beside them in a remote window', async () => {
      const { remoteName, uiKind } = vscode.env;
      const isRemote = remoteName !== undefined;
      const kind = vscode.extensions.getExtension(EXTENSION_ID)?.extensionKind;
      assert.equal(kind, isRemote ? vscode.ExtensionKind.Workspace : vscode.ExtensionKind.UI);
      // A window in a browser has no files of its own.
      assert.ok(isRemote || uiKind === vscode.UIKind.Desktop);
    });

    test('every command of the manifest is registered', async () => {
      const manifest = vscode.extensions.getExtension('context-budget.context-budget')?.packageJSON as {
        contributes: { commands: readonly { command: string }[] };
      };
      const registered = new Set(await vscode.commands.getCommands(true));
      const missing = manifest.contributes.commands.filter(({ command }) => !registered.has(command));
      assert.deepEqual(missing, []);
    });

    test('panel, status bar and report show the same numbers', async () => {
      await showPanel();
      const api = await extensionApi();
      const { budget } = expanded(await ready());
      assert.ok(budget.isExact && budget.tokens > 0);
      await until('the panel has the exact numbers', () => api.panel()?.payload?.budget.tokens === budget.tokens);
      const thousands = (count: number): string => (count < 1000 ? String(count) : `${Math.round(count / 100) / 10}k`);
      const numbers = `${thousands(budget.tokens)} / ${thousands(budget.budgetTokens)}`;
      const { value: status } = await until(`the status bar says ${numbers}`, () => {
        const shown = api.statusBar();
        return shown.isVisible && shown.text.endsWith(numbers) && shown;
      });
      assert.ok(status.tooltip.includes(`${budget.tokens.toLocaleString('en-US')} of 7,500 tokens`), status.tooltip);
    });

    testWith('processes', 'a plug-in that says OK costs one sentence', async () => {
      const ports = section(await ready(), 'ports');
      assert.equal(ports.status, 'OK');
      assert.equal(ports.disclosure, 'summary');
      assert.ok(!ports.text.includes('8080'), ports.text);
      assert.ok(await exists('../plugin-runs.log'), 'the plug-in ran');
    });

    test('copied payloads are the session’s own, byte for byte', async () => {
      const index = await clipboardAfter('contextBudget.copyIndexPayload');
      const full = await clipboardAfter('contextBudget.copyExpandedPayload');
      // The note stays for seconds only.
      const api = await extensionApi();
      assert.match(api.statusBar().text, /^\$\(check\) Copied [\d,]+ tokens.*: paste it into the chat$/);
      const { report } = await ready();
      assert.equal(index, report?.payloads.index.text);
      assert.equal(full, report?.payloads.expanded.text);
      assert.ok(full.includes('Prices are integers in cents'));
    });

    test('Copy Payload follows the panel’s mode', async () => {
      const api = await extensionApi();
      const { report } = await ready();
      assert.equal(await clipboardAfter('contextBudget.copyPayload'), report?.payloads[api.mode()].text);
    });

    test('the copied repo map names the folder’s symbols', async () => {
      const map = await clipboardAfter('contextBudget.copyRepoMap');
      assert.match(map, /applyDiscount/);
      assert.match(map, /summarize/);
    });

    test('a task ranks the map, stays until it is cleared, and is shown by the panel', async () => {
      const api = await extensionApi();
      await vscode.commands.executeCommand('contextBudget.setTask', 'summarize\nthe report');
      assert.equal((await ready()).task, 'summarize\nthe report');
      await until('the panel shows the task', () => api.panel()?.task === 'summarize\nthe report');
      const forTask = await clipboardAfter('contextBudget.copyRepoMap');
      assert.match(forTask.split('\n')[0] ?? '', /report\.py$/);
      const other = await clipboardAfter('contextBudget.copyRepoMapForTask', 'apply a discount to prices');
      assert.match(other.split('\n')[0] ?? '', /prices\.ts$/);
      assert.equal((await ready()).task, 'summarize\nthe report', 'the kept task stays');
      await vscode.commands.executeCommand('contextBudget.clearTask');
      assert.equal((await ready()).task, '');
      await until('the panel shows none', () => api.panel()?.task === '');
    });

    test('Set Task… takes what is typed, and the clipboard whole, with its lines', async () => {
      const issue = 'Totals are wrong\n\nTraceback:\n  File "src/report.py", line 4, in summarize';
      await vscode.env.clipboard.writeText(issue);
      await answerPick('contextBudget.setTask', 'take', 1);
      assert.equal((await ready()).task, issue);
      await answerPick('contextBudget.setTask', 'take');
      assert.equal((await ready()).task, issue, 'unchanged in the box: its lines stay');
      await vscode.commands.executeCommand('contextBudget.clearTask');
    });

    testWith(
      'processes',
      'what changed since main takes the task’s place, by the list of Set Task… and until another task',
      async () => {
        const before = await readText('src/prices.ts');
        await vscode.env.clipboard.writeText('');
        try {
          await write('src/prices.ts', before.replace('Math.round(', 'Math.floor('));
          await answerPick('contextBudget.setTask', 'take', 1);
          const { changes, task } = await ready();
          assert.deepEqual([changes?.base, task], ['main', '']);
          assert.ok((changes?.files ?? 0) > 0);
          const map = await clipboardAfter('contextBudget.copyRepoMap');
          assert.match(map, /applyDiscount\(.* \| changed \+1 -1/);
          const api = await extensionApi();
          await until('the panel shows it', () => api.panel()?.changes?.base === 'main');
          assert.match(
            expanded(await ready()).sections.find(({ id }) => id === 'repo-map')?.text ?? '',
            /changed \+1 -1/,
          );
          await vscode.commands.executeCommand('contextBudget.setTask', 'summarize the report');
          assert.deepEqual([(await ready()).changes, (await ready()).task], [undefined, 'summarize the report']);
        } finally {
          await write('src/prices.ts', before);
          await vscode.commands.executeCommand('contextBudget.clearTask');
        }
      },
    );

    test('one section and its handle can be copied', async () => {
      const { sections } = expanded(await ready());
      const memory = sections.find((candidate) => candidate.path === 'MEMORY.md');
      const text = await clipboardAfter('contextBudget.section.copy', { sectionId: memory?.id });
      assert.ok(text.includes((await readText('MEMORY.md')).trim()), text);
      assert.equal(await clipboardAfter('contextBudget.section.copyHandle', { sectionId: 'ports' }), 'section:ports');
    });

    test('opening a section shows its file, or its text when it has none', async () => {
      const { sections } = expanded(await ready());
      const memory = sections.find((candidate) => candidate.path === 'MEMORY.md');
      assert.ok(memory);
      await vscode.commands.executeCommand('contextBudget.section.open', { sectionId: memory.id });
      assert.ok(vscode.window.activeTextEditor?.document.uri.path.endsWith('/MEMORY.md'));
      await vscode.commands.executeCommand('contextBudget.section.open', { sectionId: 'repo-map' });
      const shown = vscode.window.activeTextEditor?.document;
      assert.equal(shown?.uri.scheme, 'context-budget');
      assert.match(shown?.getText() ?? '', /applyDiscount/);
    });

    test('Switch Profile changes the caps; over the cap the status bar warns, and stops when it fits again', async () => {
      const api = await extensionApi();
      const choose = (steps: number): Promise<void> => answerPick('contextBudget.switchProfile', 'take', steps);
      const profiles = (await ready()).profiles.map(({ name }) => name);
      const shipped = ['default', 'implementer', 'planner', 'verifier'];
      assert.deepEqual([...profiles].sort(), [...shipped, 'reviewer', 'roomy', 'tight'].sort());
      await choose(profiles.indexOf('tight'));
      const tight = await ready();
      assert.equal(tight.profile, 'tight');
      assert.equal(expanded(tight).budget.status, 'ALERT');
      await until('the copied note is gone', () => api.statusBar().text.includes('/ 60'));
      assert.equal(api.statusBar().background, 'statusBarItem.warningBackground');
      assert.match(api.statusBar().text, /^\$\(warning\)/);
      await choose(profiles.indexOf('default'));
      await ready();
      await until('the status bar is plain again', () => api.statusBar().text.startsWith('$(dashboard)'));
      assert.equal(api.statusBar().background, undefined);
    });

    test('the status bar item can be hidden', async () => {
      const api = await extensionApi();
      const settings = vscode.workspace.getConfiguration('contextBudget');
      await settings.update('statusBar.visible', false, vscode.ConfigurationTarget.Global);
      await until('the item is hidden', () => !api.statusBar().isVisible);
      await settings.update('statusBar.visible', undefined, vscode.ConfigurationTarget.Global);
      await until('the item is back', () => api.statusBar().isVisible);
    });

    test('the thresholds of the status bar change its sign and background, and nothing else', async () => {
      const api = await extensionApi();
      const settings = vscode.workspace.getConfiguration('contextBudget');
      const set = (name: string, value: number | undefined): Thenable<void> =>
        settings.update(`statusBar.${name}`, value, vscode.ConfigurationTarget.Global);
      const before = expanded(await ready()).budget;
      assert.equal(before.status, 'OK');
      await set('warnAt', 1);
      await until('it warns', () => api.statusBar().text.startsWith('$(warning)'));
      assert.equal(api.statusBar().background, undefined);
      assert.match(api.statusBar().tooltip, /past the 1% mark/);
      assert.deepEqual(expanded(await ready()).budget, before);
      await set('warnAt', undefined);
      await until('it is plain again', () => api.statusBar().text.startsWith('$(dashboard)'));
      assert.doesNotMatch(api.statusBar().tooltip, / mark/);
    });

    test('the tokenizer setting changes the counts and is named in the report', async () => {
      const settings = vscode.workspace.getConfiguration('contextBudget');
      assert.equal(expanded(await ready()).budget.tokenizer, 'o200k_base');
      await settings.update('tokenizer', 'cl100k_base', vscode.ConfigurationTarget.Global);
      await until('the other tokenizer counts', async () => {
        return expanded(await ready()).budget.tokenizer === 'cl100k_base';
      });
      await settings.update('tokenizer', undefined, vscode.ConfigurationTarget.Global);
      await until('the first tokenizer counts again', async () => {
        return expanded(await ready()).budget.tokenizer === 'o200k_base';
      });
    });

    test('Open Config opens the file, and a draft of it where there is none', async () => {
      await vscode.commands.executeCommand('contextBudget.openConfig');
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document?.uri.path.endsWith('/.context-budget/config.json'));
      assert.equal(document?.languageId, 'jsonc');
      await closeEditors();
      const text = await readText('.context-budget/config.json');
      await remove('.context-budget/config.json');
      try {
        await vscode.commands.executeCommand('contextBudget.openConfig');
        const draft = vscode.window.activeTextEditor?.document;
        assert.equal(draft?.uri.scheme, 'untitled');
        assert.match(draft?.getText() ?? '', /"budget_tokens": 7500/);
        assert.ok(!(await exists('.context-budget/config.json')), 'nothing was written');
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      } finally {
        await write('.context-budget/config.json', text);
      }
      await until('the config is in force again', async () => (await ready()).configState === 'file');
    });
  });
}
