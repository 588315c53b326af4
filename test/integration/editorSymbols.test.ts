import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { clipboardAfter, closeEditors, ready, remove, showPanel, until, uriOf, write } from './support';

const SHADE = 'scene main {\n  brush stroke\n}\n';

/** A language that no grammar knows, as an extension would bring it: `scene NAME {` with `brush NAME` inside. */
const provider: vscode.DocumentSymbolProvider = {
  provideDocumentSymbols(document) {
    asked.push(document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1));
    const whole = new vscode.Range(0, 0, document.lineCount - 1, 0);
    const scene = new vscode.DocumentSymbol('main', '', vscode.SymbolKind.Class, whole, new vscode.Range(0, 6, 0, 10));
    const line = document.lineAt(1).range;
    scene.children.push(new vscode.DocumentSymbol('stroke', '', vscode.SymbolKind.Method, line, line));
    return [scene];
  },
};
const asked: string[] = [];

/** Files without a grammar get the symbols that a language extension tells, once one of them is open. */
export function editorSymbolTests(): void {
  suite('symbols of the editor', () => {
    let registration: vscode.Disposable;
    suiteSetup(async () => {
      registration = vscode.languages.registerDocumentSymbolProvider({ pattern: '**/*.shade' }, provider);
      await write('one.shade', SHADE);
      await write('two.shade', SHADE.replace('main', 'other'));
      await showPanel();
      await ready();
    });
    suiteTeardown(async () => {
      registration.dispose();
      await closeEditors();
      for (const name of ['one.shade', 'two.shade']) await remove(name);
    });

    test('nobody is asked while no such file is open', async () => {
      assert.ok(!(await clipboardAfter('contextBudget.copyRepoMap')).includes('one.shade'));
      assert.deepEqual(asked, []);
    });

    test('an open file is in the map with signatures, marked, and its closed neighbour follows', async () => {
      const document = await vscode.workspace.openTextDocument(uriOf('one.shade'));
      await vscode.window.showTextDocument(document);
      const { ms, value: map } = await until('both files are in the map', async () => {
        const text = await clipboardAfter('contextBudget.copyRepoMap');
        return text.includes('one.shade (symbols from the editor)') && text.includes('two.shade') && text;
      });
      console.log(`      opened → in the map: ${Math.round(ms)} ms`);
      assert.match(map, /one\.shade \(symbols from the editor\)\n {2}1 scene main\n {4}2 brush stroke\n/);
      assert.deepEqual([...new Set(asked)].sort(), ['one.shade', 'two.shade']);
    });
  });
}
