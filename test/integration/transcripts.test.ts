import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { wholeLines } from '../support/wholeLines.mjs';
import { exists, readText, ready, root } from './support';

const LOG = '.context-budget/usage.jsonl';
const COMMAND = 'contextBudget.readTranscripts';
const SECRET = 'what nobody may find in a log';

let home = '';

/** A session of Claude Code in `cwd`, as the command reads it: the agent reads a file and answers. */
async function session(name: string, cwd: string): Promise<void> {
  const folder = path.join(home, 'projects', cwd.replace(/[^A-Za-z\d]/g, '-'));
  const common = { sessionId: name, cwd, timestamp: new Date(Date.now() - 60_000).toISOString() };
  const read = { type: 'tool_use', id: 't', name: 'Read', input: { file_path: path.join(cwd, 'AGENTS.md') } };
  const records = [
    { type: 'user', uuid: name, ...common, message: { role: 'user', content: SECRET } },
    { type: 'assistant', ...common, message: { role: 'assistant', content: [read] } },
    { type: 'assistant', ...common, message: { role: 'assistant', content: SECRET, stop_reason: 'end_turn' } },
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

/** The whole lines of the usage log that come from transcripts; copies of other suites may be written meanwhile. */
async function usageLog(): Promise<string> {
  const log = (await exists(LOG)) ? await readText(LOG) : '';
  return wholeLines(log)
    .filter((line) => line.includes('"origin":'))
    .join('\n');
}

async function setAgents(
  agents: readonly string[] | undefined,
  target = vscode.ConfigurationTarget.Global,
): Promise<void> {
  await vscode.workspace.getConfiguration('contextBudget').update('transcripts', agents, target);
}

export function transcriptTests(): void {
  suite('transcripts of agents', () => {
    suiteSetup(async () => {
      home = await mkdtemp(path.join(os.tmpdir(), 'context-budget-agents-'));
      process.env.CLAUDE_CONFIG_DIR = home;
      const own = await realpath(root());
      await session('mine', own);
      await session('theirs', `${own}-two`);
      await ready();
    });

    suiteTeardown(async () => {
      await setAgents(undefined);
      delete process.env.CLAUDE_CONFIG_DIR;
      await rm(home, { recursive: true, force: true });
    });

    test('a workspace cannot turn reading on', async () => {
      await assert.rejects(setAgents(['claude-code'], vscode.ConfigurationTarget.Workspace));
      assert.deepEqual(vscode.workspace.getConfiguration('contextBudget').get('transcripts'), []);
    });

    test('turned on, a turn of this folder becomes a cycle, without a word of it', async () => {
      await setAgents(['claude-code']);
      await vscode.commands.executeCommand(COMMAND);
      const log = await usageLog();
      assert.match(log, /"origin":"claude-code:mine:mine"/);
      assert.match(log, /"evidence":"path"/);
      assert.ok(!log.includes('theirs'), 'the folder beside was not read');
      assert.ok(!log.includes(SECRET), 'no text of the conversation is kept');
    });

    test('a turn is recorded once', async () => {
      const before = await usageLog();
      await vscode.commands.executeCommand(COMMAND);
      assert.equal(await usageLog(), before);
    });
  });
}
