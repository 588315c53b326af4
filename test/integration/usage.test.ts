import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { decodeUsage } from '../../src/core/usage/usageCodec';
import type { UsageRecord } from '../../src/core/usage/usageRecord';
import { wholeLines } from '../support/wholeLines.mjs';
import { clipboardAfter, closeEditors, exists, expanded, extensionApi, readText, ready, until } from './support';

const LOG = '.context-budget/usage.jsonl';

/** Lines of the log; none before the first record. */
async function lines(): Promise<readonly UsageRecord[]> {
  const text = (await exists(LOG)) ? await readText(LOG) : '';
  return wholeLines(text).map((line) => {
    const decoded = decodeUsage(line);
    assert.ok(decoded.kind === 'ok', line);
    return decoded.record;
  });
}

async function linesAfter(count: number): Promise<UsageRecord> {
  const { value } = await until('one more line in the usage log', async () => (await lines())[count]);
  return value;
}

async function setRecording(isOn: boolean | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('contextBudget');
  await settings.update('recordUsage', isOn, vscode.ConfigurationTarget.Workspace);
}

/** What copying leaves in the usage log. */
export function usageTests(): void {
  suite('the usage log', () => {
    suiteSetup(async () => {
      await ready();
      await vscode.commands.executeCommand('contextBudget.repoMap.focus');
    });
    teardown(closeEditors);

    test('a copied payload is a cycle with what was on the clipboard', async () => {
      const before = (await lines()).length;
      const text = await clipboardAfter('contextBudget.copyExpandedPayload');
      const record = await linesAfter(before);
      assert.equal(record.trigger, 'copy');
      assert.equal(record.payload, 'expanded');
      const shown = record.sections.filter(({ disclosure }) => disclosure !== 'omitted');
      for (const { id } of shown) assert.ok(text.includes(`<${id}>`), id);
      const { budget } = expanded(await ready());
      const tokens = record.sections.reduce((sum, section) => sum + section.tokens, record.overheadTokens ?? 0);
      assert.equal(tokens, budget.tokens);
    });

    test('it is no part of the context: not in the map, not in git, and payloads stay as they are', async () => {
      const before = (await lines()).length;
      const first = await clipboardAfter('contextBudget.copyExpandedPayload');
      await linesAfter(before);
      await ready();
      assert.equal(await clipboardAfter('contextBudget.copyExpandedPayload'), first);
      await linesAfter(before + 1);
      assert.ok(!first.includes('usage.jsonl'), first);
      assert.ok(await exists('.context-budget/.gitignore'));
    });

    test('a body that is copied from the map cites it in the newest cycle', async () => {
      const start = (await lines()).length;
      await clipboardAfter('contextBudget.copyIndexPayload');
      const { cycle } = await linesAfter(start);
      const tree = (await extensionApi()).repoMap();
      const { value: node } = await until('a symbol in the map', async () => {
        for (const file of await tree.getChildren()) {
          const symbol = (await tree.getChildren(file)).find(({ kind }) => kind === 'symbol');
          if (symbol) return symbol;
        }
        return undefined;
      });
      const before = (await lines()).length;
      await clipboardAfter('contextBudget.map.copyBody', node);
      const { cited, sections, cycle: amended } = await linesAfter(before);
      assert.deepEqual(
        cited.map(({ id, evidence }) => [id, evidence]),
        [['repo-map', 'handle']],
      );
      assert.deepEqual([sections, amended], [[], cycle]);
    });

    test('nothing is written when it is switched off', async () => {
      await setRecording(false);
      try {
        const before = (await lines()).length;
        await clipboardAfter('contextBudget.copyExpandedPayload');
        await clipboardAfter('contextBudget.copyIndexPayload');
        // Records are written one after another: one that was wanted comes after any that was not.
        await setRecording(undefined);
        await clipboardAfter('contextBudget.copyIndexPayload');
        await linesAfter(before);
        assert.equal((await lines()).length, before + 1);
      } finally {
        await setRecording(undefined);
      }
    });
  });
}
