import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { makeDraft } from '../../src/core/observations/observation';
import { encodeObservation } from '../../src/core/observations/observationCodec';
import { hashBytes } from '../../src/core/text/hash';
import { encodeUsage } from '../../src/core/usage/usageCodec';
import { testWith } from './host';
import { callTool } from './languageModelTools.test';
import {
  clipboardAfter,
  closeEditors,
  expanded,
  extensionApi,
  readText,
  ready,
  remove,
  root,
  until,
  uriOf,
  write,
} from './support';

const CONFIG = '.context-budget/config.json';
/** Logs of their own: what is in memory of other ones stays there. */
const USAGE = '.context-budget/shipped-usage.jsonl';
const OBSERVATIONS = '.context-budget/shipped-observations.jsonl';
const RUN_LOG = 'PROGRESS.md';
/** What a repository may ship: the numbers of what is recorded go on from these. */
const SHIPPED_CYCLE = 41;
const SHIPPED_ID = 7;

/** A hash of each file of the folder, by its path; of a folder nothing but that it is there. */
export async function treeOf(folder = ''): Promise<Readonly<Record<string, string>>> {
  const tree: Record<string, string> = {};
  for (const [name, type] of await vscode.workspace.fs.readDirectory(uriOf(folder))) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if ((type & vscode.FileType.Directory) !== 0) Object.assign(tree, { [`${path}/`]: '' }, await treeOf(path));
    else tree[path] = hashBytes(await vscode.workspace.fs.readFile(uriOf(path)));
  }
  return tree;
}

/** What a command told as an error, with the buttons that it offered. */
async function errorOf(command: string, argument: unknown): Promise<readonly unknown[]> {
  const original = vscode.window.showErrorMessage;
  const told: unknown[] = [];
  Object.assign(vscode.window, { showErrorMessage: async (...all: readonly unknown[]) => void told.push(...all) });
  try {
    await vscode.commands.executeCommand(command, argument);
  } finally {
    Object.assign(vscode.window, { showErrorMessage: original });
  }
  return told;
}

/** In a folder that is not trusted, records stay in memory: everything works with them, and nothing is written. */
export function restrictedWriteTests(): void {
  suite('what is recorded in Restricted Mode', () => {
    let before: Readonly<Record<string, string>> = {};
    let config = '';
    const untouched = async (): Promise<void> =>
      assert.deepEqual(await treeOf(), before, 'no file of the folder was made or changed');

    suiteSetup(async () => {
      config = await readText(CONFIG);
      const logs = { usage_log: USAGE, observations: { path: OBSERVATIONS } };
      await write(CONFIG, config.replace('{', `{ ${JSON.stringify(logs).slice(1, -1)},`));
      const sections = [{ id: 'memory', chars: 40, tokens: 10, disclosure: 'full' as const }];
      const cycle = { ts: '2026-02-03 09:00:00', trigger: 'copy', profile: 'default', sections, cited: [] };
      await write(USAGE, encodeUsage(SHIPPED_CYCLE, cycle));
      const event = makeDraft({ ts: '2026-02-03 09:00:00', summary: 'shipped with the folder' });
      // The last line is torn, as a hostile folder has it: whoever repairs it writes.
      await write(OBSERVATIONS, `${encodeObservation(SHIPPED_ID, event)}[core] fsmonitor = "touch ran"`);
      const head = '| Time | Task ID | Actor | Phase | Event | Result |\n| --- | --- | --- | --- | --- | --- |';
      await write(
        RUN_LOG,
        `# Progress\n\n${head}\n| 2026-02-03 10:00:00 | T-1 | tester | verify | ran it | passed |\n`,
      );
      await vscode.commands.executeCommand('contextBudget.observations.focus');
      await until('the config is in force', async () => (await ready()).config.usageLog === USAGE);
      before = await treeOf();
    });

    teardown(closeEditors);

    suiteTeardown(async () => {
      await write(CONFIG, config);
      for (const file of [USAGE, OBSERVATIONS, RUN_LOG]) await remove(file);
    });

    test('copies are counted in the report, with the cycles that the folder came with', async () => {
      const api = await extensionApi();
      await ready();
      await vscode.commands.executeCommand('contextBudget.showReport');
      const cycles = () => api.usageReport()?.report?.cycles ?? -1;
      await until('the report has what lies in the folder', () => cycles() >= 1);
      const start = cycles();
      assert.match(await clipboardAfter('contextBudget.copyExpandedPayload'), /Prices are integers in cents/);
      await until('the copy is in the report', () => cycles() === start + 1);
      await clipboardAfter('contextBudget.copyIndexPayload');
      await until('and the next one', () => cycles() === start + 2);
      await untouched();
    });

    test('a reply cites, and what agents ask for counts as used', async () => {
      const api = await extensionApi();
      await clipboardAfter('contextBudget.copyExpandedPayload');
      await vscode.commands.executeCommand('contextBudget.recordAgentReply', 'As MEMORY.md says.');
      assert.match(api.statusBar().text, /sections? cited: /);
      assert.match(await callTool('context_detail', { handles: ['section:agents-md'] }), /integers in cents/);
      const used = (id: string) =>
        expanded(api.snapshot()).sections.find((section) => section.id === id)?.usage?.citedCycles ?? 0;
      await until('the snapshot knows that both were used', () => used('memory') > 0 && used('agents-md') > 0);
      await untouched();
    });

    test('observations are numbered, listed, found and taken into the payload', async () => {
      const api = await extensionApi();
      await vscode.commands.executeCommand('contextBudget.addObservation', { summary: 'looked at every total' });
      assert.match(api.statusBar().text, new RegExp(`Added observation ${SHIPPED_ID + 1}\\b`));
      await vscode.commands.executeCommand('contextBudget.ingestRunLogs', [RUN_LOG]);
      assert.match(api.statusBar().text, /Added 1 observation from 1 run log/);
      await vscode.commands.executeCommand('contextBudget.ingestRunLogs', [RUN_LOG]);
      assert.match(api.statusBar().text, /Added 0 observations from 1 run log/);
      const tree = api.observations();
      const ids = async (): Promise<readonly number[]> => {
        const groups = await tree.getChildren();
        const rows = (await Promise.all(groups.map((group) => tree.getChildren(group)))).flat();
        return rows.flatMap((node) => (node.kind === 'observation' ? node.row.id : [])).sort((a, b) => a - b);
      };
      await until('the view lists them', async () => (await ids()).join() === '7,8,9');
      assert.match(await callTool('context_index', {}), /looked at every total/);
      assert.match(expanded(await ready()).text, /looked at every total/);
      await untouched();
    });

    testWith('processes', 'the MCP server that the editor is offered is told not to write', async () => {
      const settings = vscode.workspace.getConfiguration('contextBudget');
      await settings.update('mcp.enabled', true, vscode.ConfigurationTarget.Global);
      try {
        const [server] = (await extensionApi()).mcpServers();
        assert.deepEqual(server?.args.slice(1), ['mcp', '--root', root(), '--no-write']);
      } finally {
        await settings.update('mcp.enabled', undefined, vscode.ConfigurationTarget.Global);
      }
      await untouched();
    });

    test('the config and files of agents are not written either: it is said why, and how to change that', async () => {
      const refused = /: This folder is not trusted, so nothing is written into it\./;
      const asked: readonly (readonly [string, unknown])[] = [
        ['contextBudget.section.pin', { sectionId: 'memory' }],
        ['contextBudget.setScoringMode', 'static'],
        ['contextBudget.setThreshold', 0.4],
        ['contextBudget.connectAgent', ['skill:.claude/skills/context-budget/SKILL.md']],
        ['contextBudget.connectAgent', ['mcp:cursor']],
      ];
      for (const [command, argument] of asked) {
        const [message, ...buttons] = await errorOf(command, argument);
        assert.match(String(message), refused, command);
        assert.ok(buttons.includes('Manage Workspace Trust'), command);
      }
      assert.equal((await ready()).config.scoring.mode, 'baseline');
      await untouched();
    });
  });
}
