import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { MapNode } from '../../src/vscode/map/repoMapModel';
import { type Expected, walkThrough } from './commandWalk';
import { suiteWith } from './host';
import { treeOf } from './restrictedWrites.test';
import { closeEditors, exists, expanded, extensionApi, ready, remove, until, uriOf, write } from './support';

const RELAY = 'window.json';
/** More rows of one day than the view shows at once. */
const ROWS = 101;
const NOT_TRUSTED = /^[^:]+: This folder is not trusted\. Hooks are programs/;
const NOT_WRITTEN = /^[^:]+: This folder is not trusted, so nothing is written into it\./;

const memory = (): unknown => ({ sectionId: 'memory' });

/** Every command in a folder that is not trusted: all work but those whose job is to write into it. */
export function restrictedWalkTests(): void {
  suiteWith('processes', 'every command in Restricted Mode', () => {
    let before: Readonly<Record<string, string>> = {};

    suiteSetup(async () => {
      const rows = Array.from(
        { length: ROWS },
        (_, at) => `| 2026-02-03 09:00:00 | TASK-9 | tester | verify | ran case ${at} | passed |`,
      );
      const head = '| Time | Task ID | Actor | Phase | Event | Result |\n| --- | --- | --- | --- | --- | --- |';
      await write('PROGRESS.md', `# Progress\n\n${head}\n${rows.join('\n')}\n`);
      await write(RELAY, JSON.stringify({ relay_context: { goal: 'Totals are right' }, execution_logs: [] }));
      for (const view of ['repoMap', 'observations'])
        await vscode.commands.executeCommand(`contextBudget.${view}.focus`);
      await ready();
      before = await treeOf();
    });

    suiteTeardown(async () => {
      // A former id, which keybindings may name.
      await vscode.commands.executeCommand('contextBudget.groupObservationsByTime');
      await closeEditors();
      for (const file of ['PROGRESS.md', RELAY]) await remove(file);
      const settings = vscode.workspace.getConfiguration('contextBudget');
      await settings.update('statusBar.visible', undefined, vscode.ConfigurationTarget.Global);
    });

    test('each does what it says, or says why not; nothing of the folder is run', async () => {
      await walkThrough(await restrictedWalk());
      assert.ok(!(await exists('../plugin-runs.log')), 'the plug-in left no trace');
      assert.deepEqual(await treeOf(), before, 'no file of the folder was made or changed');
    });
  });
}

async function restrictedWalk(): Promise<Readonly<Record<string, Expected>>> {
  const api = await extensionApi();
  const tree = api.repoMap();
  const { value: file } = await until('the map has its files', async () =>
    (await tree.getChildren()).find((node) => node.kind === 'file' && node.path === 'src/prices.ts'),
  );
  const symbol = (await tree.getChildren(file)).find((node: MapNode) => node.kind === 'symbol');
  const observations = api.observations();
  let day: Awaited<ReturnType<typeof observations.getChildren>>[number] | undefined;
  let rows: Awaited<ReturnType<typeof observations.getChildren>> = [];
  const look = async (): Promise<number> => {
    [day] = await observations.getChildren();
    rows = day ? await observations.getChildren(day) : [];
    return rows.length;
  };
  const groups = async (): Promise<string> => JSON.stringify(await observations.getChildren());
  const firstRow = (): unknown => rows[0];
  const payload = /Prices are integers in cents/;
  return {
    'contextBudget.copyPayload': { clipboard: payload, note: /Copied [\d,]+ tokens/ },
    'contextBudget.copyIndexPayload': { clipboard: /src\/prices\.ts/ },
    'contextBudget.copyExpandedPayload': { clipboard: payload },
    'contextBudget.copyRepoMap': { clipboard: /applyDiscount/ },
    'contextBudget.copyRepoMapForTask': { given: () => 'summarize the report', clipboard: /^\S*report\.py/ },
    'contextBudget.setTask': {
      given: () => 'totals',
      check: async () => {
        if ((await ready()).task !== 'totals') return false;
        await vscode.commands.executeCommand('contextBudget.clearTask');
        return (await ready()).task === '';
      },
    },
    'contextBudget.copyOther': { told: /^Copy Other$/ },
    'contextBudget.copyUnmasked': { told: /Nothing was masked in the last copy/ },
    'contextBudget.showMasked': { told: /Nothing was masked in the last copy/ },
    'contextBudget.recordAgentReply': { given: () => 'As MEMORY.md says.', note: /sections? cited: / },
    'contextBudget.switchProfile': { told: /^Switch Profile$/ },
    'contextBudget.refresh': { check: async () => expanded(await ready()).budget.isExact },
    'contextBudget.sortSections': { told: /^Sort Sections$/ },
    'contextBudget.tuneRelevance': { given: () => ({ mode: 'dynamic', threshold: 0.4 }), told: NOT_WRITTEN },
    'contextBudget.openConfig': { opened: /^config\.json$/ },
    'contextBudget.createInstructions': { opened: /^AGENTS\.md$/ },
    'contextBudget.showLog': { check: hasOutput },
    'contextBudget.copyDiagnostics': { clipboard: /^## Context Budget\n- Extension: \d[\s\S]*Restricted Mode/ },
    'contextBudget.showReport': { opened: /^Usage Report$/ },
    'contextBudget.filterRepoMap': { given: () => 'applydis', check: () => tree.words.message.includes('applydis') },
    'contextBudget.clearRepoMapFilter': { check: () => !tree.words.message.includes('applydis') },
    'contextBudget.stopIndexing': { check: async () => (await ready()).index.phase === 'ready' },
    'contextBudget.resumeIndexing': { check: async () => (await ready()).index.phase === 'ready' },
    'contextBudget.ingestRunLogs': { given: () => ['PROGRESS.md'], check: async () => (await look()) === ROWS },
    'contextBudget.observation.showMore': {
      given: () => rows.at(-1),
      check: async () => (await look()) === ROWS && rows.at(-1)?.kind === 'observation',
    },
    'contextBudget.addObservation': {
      given: () => ({ summary: 'looked at every total' }),
      note: new RegExp(`Added observation ${ROWS + 1}`),
    },
    'contextBudget.copyTimeline': { told: /^Copy Timeline$/ },
    'contextBudget.copyDetail': { told: /^Copy Detail: 0 of / },
    'contextBudget.readTranscripts': { told: /^Read the transcripts that agents leave on this machine\?$/ },
    'contextBudget.refreshSessions': { told: /^Read the transcripts that agents leave on this machine\?$/ },
    // No session is known: no page opens.
    'contextBudget.session.open': {
      given: () => 'claude-code:1',
      check: () =>
        !vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith('Session'))),
    },
    'contextBudget.searchObservations': {
      given: () => 'total',
      check: () => observations.words.message.startsWith('Search: “total”'),
    },
    'contextBudget.clearObservationSearch': { check: () => observations.words.message === '' },
    'contextBudget.toggleObservationGrouping': { check: async () => (await groups()).includes('"key":"TASK-9"') },
    'contextBudget.chooseAgents': { told: /^Choose Agents$/ },
    'contextBudget.connectAgent': { given: () => ['hooks:.claude/settings.local.json'], told: NOT_TRUSTED },
    'contextBudget.removeHooks': { told: NOT_TRUSTED },
    'contextBudget.compactRelay': { given: () => uriOf(RELAY), opened: /^Untitled-|Totals/ },
    'contextBudget.copyRelaySummary': { given: () => uriOf(RELAY), clipboard: /^Goal: Totals are right/ },
    'contextBudget.copyObserverPrompt': { clipboard: /observ/i },
    'contextBudget.section.pin': { given: memory, told: NOT_WRITTEN },
    'contextBudget.section.unpin': { given: memory, told: NOT_WRITTEN },
    'contextBudget.section.exclude': { given: memory, told: NOT_WRITTEN },
    'contextBudget.section.include': { given: memory, told: NOT_WRITTEN },
    'contextBudget.section.onDemand': { given: memory, told: NOT_WRITTEN },
    'contextBudget.section.alwaysShow': { given: memory, told: NOT_WRITTEN },
    'contextBudget.section.open': { given: memory, opened: /^MEMORY\.md$/ },
    'contextBudget.section.copy': { given: memory, clipboard: /^<memory>/ },
    'contextBudget.section.copyHandle': { given: () => ({ sectionId: 'ports' }), clipboard: /^section:ports$/ },
    'contextBudget.map.open': { given: () => symbol, opened: /^prices\.ts$/ },
    'contextBudget.map.copySignature': { given: () => symbol, clipboard: /^export / },
    'contextBudget.map.copyBody': { given: () => symbol, clipboard: /\{[\s\S]*\}/ },
    'contextBudget.map.copyHandle': { given: () => symbol, clipboard: /^sym:[0-9a-f]{8}$/ },
    // The folder is small: there is no more to show.
    'contextBudget.map.showMore': { check: async () => (await tree.getChildren()).length > 0 },
    'contextBudget.observation.open': { given: firstRow, opened: /^observation-\d+\.md/ },
    'contextBudget.observation.copyRow': { given: firstRow, clipboard: /^\d+ \| 20/ },
    'contextBudget.observation.copyTimeline': { given: firstRow, clipboard: /^\d+ \| 20/ },
    'contextBudget.observation.copyDetail': { given: firstRow, clipboard: /^`{3} \d+ / },
    'contextBudget.hideStatusBar': { check: () => !api.statusBar().isVisible },
  };
}

function hasOutput(): boolean {
  return vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === 'output');
}
