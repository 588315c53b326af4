import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { testWith } from './host';
import { closeEditors, expanded, extensionApi, readText, ready, section, showPanel, until, write } from './support';

/** A plug-in that took long rests for at most a minute before it runs again (`commandThrottle.ts`). */
const PLUGIN_REST_MS = 60_000;

/** What changes in the folder and in the editor is shown; how soon is printed, and told by the bench. */
export function liveTests(): void {
  suite('live', () => {
    setup(async () => {
      await showPanel();
      await ready();
    });
    teardown(closeEditors);

    test('a saved file changes the panel and the status bar', async () => {
      const api = await extensionApi();
      const memory = vscode.Uri.joinPath(
        vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'),
        'MEMORY.md',
      );
      const document = await vscode.workspace.openTextDocument(memory);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(
        memory,
        new vscode.Position(document.lineCount, 0),
        '- 2026-02-05 A line that was not there before.\n',
      );
      await vscode.workspace.applyEdit(edit);
      // The editor may have let go of a document that it does not show, and have another one of the same file now.
      assert.ok(await (await vscode.workspace.openTextDocument(memory)).save());
      const { ms } = await until('the panel shows the new line exactly', () => {
        const payload = api.panel()?.payload;
        return (
          payload?.budget.isExact &&
          payload.sections.some(({ text }) => text.includes('A line that was not there before'))
        );
      });
      console.log(`      saved → panel: ${Math.round(ms)} ms`);
    });

    testWith('processes', 'a plug-in that turns to ALERT expands: badge, text and tokens', async () => {
      const api = await extensionApi();
      const before = section(await ready(), 'ports');
      const calm = await readText('state/ports.txt');
      try {
        await write('state/ports.txt', calm.replace('SUMMARY:OK:All 4 ports UP', 'SUMMARY:ALERT:Port 5432 DOWN'));
        const { value: ports, ms } = await until(
          'the panel shows the alert',
          () => api.panel()?.payload?.sections.find(({ id, status }) => id === 'ports' && status === 'ALERT'),
          () => '',
          PLUGIN_REST_MS,
        );
        console.log(`      written → ALERT in the panel: ${Math.round(ms)} ms`);
        assert.equal(ports.disclosure, 'full');
        assert.match(ports.text, /5432 database up/);
        assert.ok(ports.tokens > before.tokens);
        const { budget } = expanded(await ready());
        assert.match(api.statusBar().tooltip, /1 alert: ports/);
        assert.ok(api.statusBar().tooltip.includes(budget.tokens.toLocaleString('en-US')));
      } finally {
        await write('state/ports.txt', calm);
      }
      const { ms } = await until(
        'the alert is over',
        () => api.panel()?.payload?.sections.find(({ id, status }) => id === 'ports' && status === 'OK'),
        () => '',
        PLUGIN_REST_MS,
      );
      console.log(`      written → OK in the panel: ${Math.round(ms)} ms`);
    });

    test('a wrong value costs itself alone, a broken config keeps the last good one; both say what is wrong', async () => {
      const api = await extensionApi();
      const good = await readText('.context-budget/config.json');
      const configProblem = () => api.panel()?.problems.find(({ kind }) => kind === 'config');
      try {
        await write('.context-budget/config.json', good.replace('"budget_tokens": 7500', '"budget_tokens": "7.5k"'));
        await until('the panel says what is wrong', () => configProblem());
        const snapshot = await ready();
        assert.equal(snapshot.configState, 'file');
        assert.equal(expanded(snapshot).budget.budgetTokens, 7500);
        assert.equal(section(snapshot, 'ports').status, 'OK');
        assert.match(configProblem()?.message ?? '', /budget_tokens must be .* "7\.5k"/);
        assert.equal(configProblem()?.line, 7);
        await write('.context-budget/config.json', good.replace('"version": 1,', '"version": 1, }'));
        await until('the last good one is kept', () => api.panel()?.configState === 'lastGood');
        assert.equal(section(await ready(), 'ports').status, 'OK');
      } finally {
        await write('.context-budget/config.json', good);
      }
      await until('the file is in force again', () => api.panel()?.configState === 'file' && !configProblem());
    });

    test('problems of the editor become the diagnostics section', async () => {
      const api = await extensionApi();
      const folder = vscode.workspace.workspaceFolders?.[0];
      assert.ok(folder);
      const collection = vscode.languages.createDiagnosticCollection('context-budget-test');
      try {
        const range = new vscode.Range(2, 0, 2, 5);
        collection.set(vscode.Uri.joinPath(folder.uri, 'src/orders.ts'), [
          new vscode.Diagnostic(range, 'Prices are never negative', vscode.DiagnosticSeverity.Error),
        ]);
        await until('the section shows the problem', () =>
          api
            .panel()
            ?.payload?.sections.find(({ id }) => id === 'diagnostics')
            ?.text.includes('never negative'),
        );
      } finally {
        collection.dispose();
      }
      await until('the problem is gone', () => !expanded(api.snapshot()).text.includes('never negative'));
    });

    test('open editors become a section', async () => {
      const api = await extensionApi();
      const folder = vscode.workspace.workspaceFolders?.[0];
      assert.ok(folder);
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'src/report.py'), { preview: false });
      await until('the section names the file', () =>
        api
          .panel()
          ?.payload?.sections.find(({ id }) => id === 'open-editors')
          ?.text.includes('src/report.py'),
      );
    });

    test('a new file is in the map, a deleted one is not', async () => {
      const api = await extensionApi();
      const folder = vscode.workspace.workspaceFolders?.[0];
      assert.ok(folder);
      const uri = vscode.Uri.joinPath(folder.uri, 'src/refunds.ts');
      await write('src/refunds.ts', 'export function refundOrder(id: string): boolean {\n  return id.length > 0;\n}\n');
      await until('the map names the new function', () => expanded(api.snapshot()).text.includes('refundOrder'));
      await vscode.workspace.fs.delete(uri);
      await until('the map forgets it', () => !expanded(api.snapshot()).text.includes('refundOrder'));
    });

    test('refreshing shows the same again, exactly counted', async () => {
      const before = expanded(await ready()).text;
      await vscode.commands.executeCommand('contextBudget.refresh');
      const { text, budget } = expanded(await ready());
      assert.equal(text, before);
      assert.ok(budget.isExact);
    });
  });
}
