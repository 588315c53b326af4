import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { encodeUsage } from '../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../src/core/usage/usageRecord';
import { clipboardAfter, extensionApi, readText, ready, remove, showPanel, until, write } from './support';

const LOG = '.context-budget/usage.jsonl';
const CONFIG = '.context-budget/config.json';

/** A cycle that loaded `memory`, which pays, and `ports`, which nobody cites. */
function draft(at: number): UsageDraft {
  const used = (id: string, tokens: number) => ({ id, chars: tokens * 4, tokens, disclosure: 'full' }) as const;
  return {
    ts: '2026-02-03 21:23:34',
    trigger: 'copy',
    profile: 'default',
    mode: 'baseline',
    payload: 'expanded',
    sections: [used('memory', 400), used('ports', 600)],
    cited: at % 3 === 0 ? [{ id: 'memory', evidence: 'id', what: 'memory' }] : [],
  };
}

/** What the panel makes of the usage log. */
export function panelUsageTests(): void {
  suite('the panel and the usage log', () => {
    let config = '';

    suiteSetup(async () => {
      config = await readText(CONFIG);
      await remove(LOG);
      await showPanel();
      await ready();
    });

    suiteTeardown(async () => {
      await remove(LOG);
      await write(CONFIG, config);
    });

    const shown = async () => (await extensionApi()).panel()?.usage;

    test('shows a copied payload as a cycle, all of whose tokens a prompt cache still holds', async () => {
      await until('an empty history', async () => (await shown())?.cycles.length === 0);
      await vscode.commands.executeCommand('contextBudget.refresh');
      await clipboardAfter('contextBudget.copyIndexPayload');
      await clipboardAfter('contextBudget.copyExpandedPayload');
      // Of the two, only that of the kind which is shown.
      const { value } = await until('a cycle', async () => {
        const usage = await shown();
        return usage?.cycles.length === 1 && usage.prefix && usage;
      });
      assert.equal(value.prefix?.how, 'equal');
      assert.equal(value.simulation, undefined);
      assert.equal(value.offer, undefined);
    });

    test('after 50 cycles simulates thresholds and offers the next mode, until it is taken', async () => {
      const lines = Array.from({ length: 60 }, (_, at) => encodeUsage(at + 1, draft(at)));
      await write(LOG, lines.join(''));
      const { value } = await until('the offer', async () => {
        const usage = await shown();
        return usage?.offer && usage;
      });
      assert.equal(value.offer?.mode, 'static');
      assert.equal(value.offer?.effect?.tokensBefore, 1000);
      assert.equal(value.simulation?.cycles, 50);
      const [first] = value.simulation?.points ?? [];
      assert.deepEqual([first?.threshold, first?.tokensAfter, first?.lost], [0, 1000, []]);
      assert.ok(value.simulation?.points.some(({ tokensAfter }) => tokensAfter < 1000));
      assert.equal(value.cycles.at(-1)?.cycle, 60);
      await vscode.commands.executeCommand('contextBudget.setScoringMode', 'static');
      await until('the offer is gone', async () => (await shown())?.offer === undefined);
    });
  });
}
