import * as assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { callTool } from './languageModelTools.test';
import { clipboardAfter, closeEditors, extensionApi, ready, showPanel, until } from './support';

/** One hostile folder, as `test/attack/editorHost.mjs` lays it. */
interface HostileFolder {
  /** Also the name of the folder: no two are the same. */
  readonly name: string;
  readonly root: string;
  readonly handles: readonly string[];
}

/** What the harness asks for. */
interface Order {
  readonly folders: readonly HostileFolder[];
  readonly deadlineMs: number;
  /** A line of JSON for each beginning and each end; whoever reads it sees where the editor stopped. */
  readonly outcome: string;
}

const COPIES = ['copyPayload', 'copyExpandedPayload', 'copyIndexPayload', 'copyRepoMap'];

/** Steps of a person, and of an agent in the chat, in a folder that is not trusted; each gives what can be read then. */
function stepsIn({ handles }: HostileFolder): readonly (readonly [name: string, step: () => Promise<string>])[] {
  const tools: readonly (readonly [name: string, input: object])[] = [
    ['context_index', {}],
    ['context_budget', {}],
    ['repo_map', { query: 'where is the price made' }],
    ['context_detail', { handles: ['section:agents-md', 'section:git'] }],
    ...handles.map((handle) => ['context_detail', { handles: [handle] }] as const),
    ['context_search', { query: 'word' }],
    ['context_timeline', { task: 'TASK-1' }],
  ];
  return [
    ['the first look', async () => JSON.stringify((await ready()).notices)],
    ['panel', async () => JSON.stringify((await extensionApi()).panel() ?? '')],
    ...COPIES.map((copy) => [copy, () => clipboardAfter(`contextBudget.${copy}`)] as const),
    ...tools.map(([tool, input]) => [tool, () => callTool(tool, input)] as const),
    ['addObservation', () => run('addObservation', { summary: 'looked at it' })],
    ['ingestRunLogs', () => run('ingestRunLogs', ['PROGRESS.md', 'runs/a.json'])],
    ['recordAgentReply', () => run('recordAgentReply', 'As AGENTS.md says: prices are integers in cents.')],
    ['the last look', async () => JSON.stringify((await extensionApi()).panel() ?? '')],
  ];
}

async function run(command: string, given: unknown): Promise<string> {
  await vscode.commands.executeCommand(`contextBudget.${command}`, given);
  return '';
}

/** What a step gave, also when it failed in words: a refusal is one. */
function inWords(step: () => Promise<string>): () => Promise<string> {
  return () => step().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

/** What a step gave; undefined when it has not ended in time. */
async function within(deadlineMs: number, step: () => Promise<string>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), deadlineMs);
  });
  return Promise.race([step(), late]).finally(() => clearTimeout(timer));
}

/** Opens the folder beside those that are open, and makes it the one that the extension looks at. */
async function enter({ name, root }: HostileFolder): Promise<string> {
  const { length } = vscode.workspace.workspaceFolders ?? [];
  const uri = vscode.Uri.file(root);
  assert.ok(vscode.workspace.updateWorkspaceFolders(length, 0, { uri, name }), 'the folder is added');
  await until('the folder is open', () => vscode.workspace.workspaceFolders?.some((folder) => folder.name === name));
  await vscode.window.showTextDocument(vscode.Uri.joinPath(uri, 'open.txt'));
  const api = await extensionApi();
  await until('it is the active one', () => api.workspaces().includes(name));
  return '';
}

/** The servers that the editor would start for the folder. */
async function servers({ root }: HostileFolder): Promise<readonly object[]> {
  const api = await extensionApi();
  const own = api.mcpServers().filter(({ cwd }) => cwd?.fsPath === root);
  return own.map(({ command, args, env }) => ({ command, args, env }));
}

async function leave({ name }: HostileFolder): Promise<string> {
  await closeEditors();
  const folder = vscode.workspace.workspaceFolders?.find((each) => each.name === name);
  if (folder) vscode.workspace.updateWorkspaceFolders(folder.index, 1);
  const api = await extensionApi();
  await until('its workspace is gone', () => !api.workspaces().includes(name));
  return '';
}

/** Walks through a folder. @returns false when a step had no end: what follows would not tell anything */
async function attack(folder: HostileFolder, { deadlineMs, outcome }: Order): Promise<boolean> {
  const tell = (line: object): void => appendFileSync(outcome, `${JSON.stringify({ name: folder.name, ...line })}\n`);
  tell({ kind: 'begins' });
  // The attacker's other half begins when it reads this.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const walk = stepsIn(folder).map(([step, work]) => [step, inWords(work)] as const);
  for (const [step, work] of [['enter', () => enter(folder)], ...walk, ['leave', () => leave(folder)]] as const) {
    const output = await within(deadlineMs, work);
    if (output === undefined) {
      tell({ kind: 'hung', step });
      return false;
    }
    tell({ kind: 'step', step, output });
    if (step === 'enter') tell({ kind: 'servers', servers: await servers(folder) });
  }
  tell({ kind: 'ends' });
  return true;
}

/** Hostile folders one after another; the harness looks at its canaries afterwards, outside of the editor. */
export function attackTests(): void {
  suite('hostile folders in Restricted Mode', () => {
    test('each is walked through to its end, or it is said where it stopped', async () => {
      assert.equal(vscode.workspace.isTrusted, false);
      const file = process.env.CONTEXT_BUDGET_ATTACK;
      assert.ok(file, 'the harness says what to walk through');
      const order = JSON.parse(readFileSync(file, 'utf8')) as Order;
      await showPanel();
      for (const folder of order.folders) if (!(await attack(folder, order))) return;
    }).timeout(0);
  });
}
