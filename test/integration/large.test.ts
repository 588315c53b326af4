import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Blocking, host } from './host';
import { showRepoMap } from './repoMap.test';
import { expanded, extensionApi, ready, showPanel, until, write } from './support';

/** Rows of the long history. */
const OBSERVATIONS = 20_000;

/** A log of a busy month, of which one row has a word that no other has. */
function longHistory(): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const lines = Array.from({ length: OBSERVATIONS }, (_, at) => {
    const ts = `2026-02-${two(1 + (at % 28))} ${two(at % 24)}:${two(at % 60)}:00`;
    const summary = at === 1234 ? 'the needle' : `run ${at} of module${at % 997} passed`;
    const detail = `attempt ${at}\nsrc/module${at % 997}/file${at % 53}.ts:${at % 800} as expected\n`.repeat(3);
    const refs = { files: [], commands: [], urls: [] };
    const labels = { task_id: `T${at % 400}`, actor: 'agent', phase: 'verify', type: 'event' };
    return JSON.stringify({ schema_version: 'obs.v1', id: at + 1, ts, ...labels, summary, detail, refs });
  });
  return `${lines.join('\n')}\n`;
}

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
      const first = await host().measureBlocking(async () => {
        await showPanel();
        await ready();
      });
      tell('first count', first);
      assert.ok(expanded(await ready()).budget.isExact);
    });

    test('reading everything again changes nothing', async () => {
      const before = expanded(await ready()).text;
      const refresh = await host().measureBlocking(async () => {
        await vscode.commands.executeCommand('contextBudget.refresh');
        await ready();
      });
      tell('refresh', refresh);
      assert.equal(expanded(await ready()).text, before);
    });

    test('indexing can be stopped and resumed; the tree says how far it is and lists what was left out in pages', async () => {
      const tree = await showRepoMap();
      const api = await extensionApi();
      const isOnItsWay = (): boolean => {
        const { phase, total } = api.snapshot()?.index ?? {};
        return phase === 'parsing' && total === 2001 && /^Indexing [\d,]+ of 2,001 files…/.test(tree.words.message);
      };
      // It may be through before anybody has seen it on its way, or stopped it: then it begins anew.
      await until('indexing is stopped on its way', async () => {
        await vscode.commands.executeCommand('contextBudget.refresh');
        let isThrough = false;
        const through = ready().then(() => {
          isThrough = true;
        });
        await until('it is on its way, or through', () => isThrough || isOnItsWay());
        await vscode.commands.executeCommand('contextBudget.stopIndexing');
        await through;
        return (await ready()).index.phase === 'stopped';
      });
      await until('the tree says so', () => tree.words.message.startsWith('Indexing stopped'));
      assert.match(tree.words.message, /^Indexing stopped at [\d,]+ of 2,001 files\./);
      await vscode.commands.executeCommand('contextBudget.resumeIndexing');
      assert.equal((await ready()).index.phase, 'ready');
      await until('the tree has the counts', () => /^\d+ of 2,001 files, /.test(tree.words.message));
      const leftOut = (await tree.getChildren()).at(-1);
      assert.equal(leftOut?.kind, 'leftOut');
      const first = await tree.getChildren(leftOut);
      assert.equal(first.length, 31);
      assert.equal(first.at(-1)?.kind, 'more');
      await vscode.commands.executeCommand('contextBudget.map.showMore');
      assert.equal((await tree.getChildren(leftOut)).length, 61);
    });

    test('one saved file is counted', async () => {
      const api = await extensionApi();
      const save = await host().measureBlocking(async () => {
        await write('AGENTS.md', '# Large\n\nMany files, for measuring, and one line more.\n');
        await until('the change is counted', () => expanded(api.snapshot()).text.includes('one line more'));
        await ready();
      });
      tell('one save', save);
    });

    test('a long history is listed and searched', async () => {
      const api = await extensionApi();
      await ready();
      await write('.context-budget/observations.jsonl', longHistory());
      const view = api.observations();
      const listed = await host().measureBlocking(async () => {
        await vscode.commands.executeCommand('contextBudget.observations.focus');
        await until('groups are listed', async () => (await view.getChildren()).length > 0);
      });
      tell(`${OBSERVATIONS} observations listed`, listed);
      const searched = await host().measureBlocking(async () => {
        await vscode.commands.executeCommand('contextBudget.searchObservations', 'needle');
        await until('it is found', () => view.words.message.includes('1 found.'));
      });
      tell('searched', searched);
      await vscode.commands.executeCommand('contextBudget.clearObservationSearch');
    });
  });
}
