import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Blocking, measureBlocking } from './blocking';
import { expanded, extensionApi, ready, showPanel, until, write } from './support';

const SCRIPT = '/dist/extension.js';

function tell(what: string, { longestMs, longestSpawnMs, totalMs, longestIn }: Blocking): void {
  console.log(
    `      ${what}: longest stretch ${longestMs.toFixed(1)} ms, ${totalMs.toFixed(0)} ms in all (${longestIn.join(', ')}); ` +
      `longest process start ${longestSpawnMs.toFixed(1)} ms`,
  );
}

/**
 * A folder of 2,000 source files. How long our code holds the extension host is printed and told by the bench against
 * its limit (DESIGN §10: 10 ms); here only the results count.
 */
export function largeTests(): void {
  suite('in a folder of 2,000 files', () => {
    test('the first count is exact', async () => {
      const first = await measureBlocking(SCRIPT, async () => {
        await showPanel();
        await ready();
      });
      tell('first count', first);
      assert.ok(expanded(await ready()).budget.isExact);
    });

    test('reading everything again changes nothing', async () => {
      const before = expanded(await ready()).text;
      const refresh = await measureBlocking(SCRIPT, async () => {
        await vscode.commands.executeCommand('contextBudget.refresh');
        await ready();
      });
      tell('refresh', refresh);
      assert.equal(expanded(await ready()).text, before);
    });

    test('one saved file is counted', async () => {
      const api = await extensionApi();
      const save = await measureBlocking(SCRIPT, async () => {
        await write('AGENTS.md', '# Large\n\nMany files, for measuring, and one line more.\n');
        await until('the change is counted', () => expanded(api.snapshot()).text.includes('one line more'));
        await ready();
      });
      tell('one save', save);
    });
  });
}
