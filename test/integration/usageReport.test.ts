import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { encodeUsage } from '../../src/core/usage/usageCodec';
import type { ReportSnapshot } from '../../src/protocol/reportPanel';
import { host } from './host';
import { clipboardAfter, closeEditors, extensionApi, ready, remove, until, write } from './support';

/** An older file of the log, of cycles that no other test has: of so many bytes that it is read in several slices. */
const OLDER = '.context-budget/usage.000001.jsonl';
const FIRST_OLD_CYCLE = 500_000;
const OLD_CYCLES = 4_000;

function olderLines(): string {
  const sections = Array.from({ length: 8 }, (_, at) => {
    return { id: `old-${at}`, chars: 400 * (at + 1), tokens: 100 * (at + 1), disclosure: 'full' as const };
  });
  return Array.from({ length: OLD_CYCLES }, (_, at) =>
    encodeUsage(FIRST_OLD_CYCLE + at, {
      ts: '2020-01-01 00:00:00',
      trigger: 'copy',
      profile: 'default',
      sections,
      cited: [{ id: 'old-0', evidence: 'id', what: 'old-0' }],
    }),
  ).join('');
}

/** The report once it is of at least so many cycles. */
async function reportOf(atLeast: number): Promise<ReportSnapshot> {
  const api = await extensionApi();
  const { value } = await until('the usage report is there', () => {
    const snapshot = api.usageReport();
    return (snapshot?.report?.cycles ?? -1) >= atLeast && snapshot;
  });
  return value;
}

function reportTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('contextBudget.usageReport'),
    );
}

/** *Show Report*: a document of the editor that follows the log. */
export function usageReportTests(): void {
  suite('the usage report', () => {
    teardown(closeEditors);

    test('opens once in the editor, says what the log says, and goes when it is closed', async () => {
      await ready();
      await vscode.commands.executeCommand('contextBudget.showReport');
      const { folderName, state, report } = await reportOf(0);
      assert.equal(state, 'ready');
      assert.equal(folderName, vscode.workspace.workspaceFolders?.[0]?.name);
      assert.deepEqual(report?.findings, []);
      await vscode.commands.executeCommand('contextBudget.showReport');
      await until('there is one tab', () => reportTabs().length === 1);
      await closeEditors();
      const api = await extensionApi();
      await until('the report is gone', () => api.usageReport() === undefined);
    });

    test('follows the log: a copied payload is one more cycle', async () => {
      await ready();
      await vscode.commands.executeCommand('contextBudget.showReport');
      const before = (await reportOf(0)).report?.cycles ?? 0;
      await clipboardAfter('contextBudget.copyExpandedPayload');
      const { report } = await reportOf(before + 1);
      assert.equal(report?.cycles, before + 1);
      assert.ok(report.sections.some(({ id, loaded }) => id === 'agents-md' && loaded >= 1));
    });

    test('a long log is read in slices, older files of it included', async () => {
      await write(OLDER, olderLines());
      try {
        const blocking = await host().measureBlocking(async () => {
          await vscode.commands.executeCommand('contextBudget.showReport');
          const { report } = await reportOf(OLD_CYCLES);
          assert.equal(report?.sections.find(({ id }) => id === 'old-0')?.cited, OLD_CYCLES);
        });
        const { longestMs, totalMs, longestIn } = blocking;
        console.log(`      longest ${longestMs.toFixed(1)} ms of ${totalMs.toFixed(0)} ms: ${longestIn.join(', ')}`);
      } finally {
        await remove(OLDER);
      }
    });
  });
}
