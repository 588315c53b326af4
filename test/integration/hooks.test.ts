import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { clipboardAfter, closeEditors, EXTENSION_ID, extensionApi, readText, root, until, write } from './support';

const CLAUDE = '.claude/settings.local.json';
const VSCODE = '.github/hooks/context-budget.local.json';
/** Settings as somebody has them, with comments and a trailing comma. */
const SETTINGS =
  '{\n  // what this machine allows\n  "permissions": { "allow": ["Bash(npm test)"] },\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }], // a bell\n  },\n}\n';

interface Asked {
  readonly message: string;
  /** Title and texts of the diff that was to be seen meanwhile. */
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

/** Answers the modal questions of `act` by `answer`, and tells what was to be seen when each was asked. */
export async function answering(
  answer: string | undefined,
  act: () => Thenable<unknown>,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const original = vscode.window.showInformationMessage;
  const stub = async (message: string, options: vscode.MessageOptions): Promise<string | undefined> => {
    assert.equal(options.modal, true, 'the question is modal');
    const { value: tab } = await until('the diff is shown', () => {
      const active = vscode.window.tabGroups.activeTabGroup.activeTab;
      return active?.input instanceof vscode.TabInputTextDiff ? active : undefined;
    });
    assert.ok(tab.input instanceof vscode.TabInputTextDiff);
    const { original: left, modified: right } = tab.input;
    const [before, after] = await Promise.all([left, right].map((uri) => vscode.workspace.openTextDocument(uri)));
    asked.push({ message, title: tab.label, before: before?.getText() ?? '', after: after?.getText() ?? '' });
    await meanwhile();
    return answer;
  };
  Object.assign(vscode.window, { showInformationMessage: stub });
  try {
    await act();
  } finally {
    Object.assign(vscode.window, { showInformationMessage: original });
  }
  return asked;
}

const install = (...paths: readonly string[]) =>
  vscode.commands.executeCommand(
    'contextBudget.connectAgent',
    paths.map((path) => `hooks:${path}`),
  );
const remove = () => vscode.commands.executeCommand('contextBudget.removeHooks');

/** A line of the written file in a shell, with a recorded event on stdin, as the agent runs it. */
async function runHook(
  file: string,
  event: string,
  fixture: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const text = await readText(file);
  const line = new RegExp(`"command": ("(?:[^"\\\\]|\\\\.)* hook ${event} [^"]*")`).exec(text)?.[1];
  assert.ok(line, `a line for ${event} in ${text}`);
  const extension = vscode.extensions.getExtension(EXTENSION_ID);
  const recorded = await readFile(path.join(extension?.extensionPath ?? '', 'test/fixtures/hooks', fixture), 'utf8');
  const input = JSON.stringify({ ...JSON.parse(recorded), cwd: root() });
  const ran = spawnSync(JSON.parse(line), { shell: true, cwd: root(), input, encoding: 'utf8' });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

export function hookTests(): void {
  suite('agent hooks', () => {
    suiteSetup(async () => {
      await mkdir(path.join(root(), '.claude'), { recursive: true });
      await write(CLAUDE, SETTINGS);
    });

    suiteTeardown(async () => {
      await closeEditors();
      await rm(path.join(root(), '.claude'), { recursive: true, force: true });
      await rm(path.join(root(), '.github'), { recursive: true, force: true });
    });

    test('the exact change is shown, and nothing is written without a yes', async () => {
      const [asked] = await answering(undefined, () => install(CLAUDE));
      assert.equal(asked?.message, `Change ${CLAUDE}?`);
      assert.equal(asked.title, `${CLAUDE}: proposed change`);
      assert.equal(asked.before, SETTINGS);
      assert.match(asked.after, /\/\/ a bell\n {4}"SessionStart": \[\n/);
      assert.equal(await readText(CLAUDE), SETTINGS);
      const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
      assert.ok(!open.some(({ input }) => input instanceof vscode.TabInputTextDiff), 'the diff is closed again');
    });

    test('hooks are installed as shown, checked, run by their own lines, and removed leaving the files as they were', async () => {
      const asked = await answering('Connect', () => install(CLAUDE, VSCODE));
      assert.deepEqual(
        asked.map(({ message }) => message),
        [`Change ${CLAUDE}?`, `Create ${VSCODE}?`],
      );
      assert.equal(await readText(CLAUDE), asked[0]?.after);
      assert.equal(await readText(VSCODE), asked[1]?.after);
      assert.match(
        (await extensionApi()).statusBar().text,
        /Hooks work: \.claude\/settings\.local\.json adds [\d,]+ tokens to a session, Hooks work: \.github/,
      );

      const compacted = await runHook(CLAUDE, 'PreCompact', 'claude-code-preCompact.json');
      assert.deepEqual([compacted.code, compacted.out], [0, '']);
      const started = await runHook(CLAUDE, 'SessionStart', 'claude-code-sessionStart-startup.json');
      assert.equal(started.code, 0, started.err);
      assert.match(started.out, /^<context-index>\n[\s\S]*applyDiscount/);
      const answered = await runHook(VSCODE, 'SessionStart', 'vscode-docs-sessionStart.json');
      assert.equal(JSON.parse(answered.out).hookSpecificOutput.additionalContext, started.out);

      assert.equal((await answering('Connect', () => install(CLAUDE, VSCODE))).length, 0, 'installed once');
      const removed = await answering('Remove', remove);
      assert.deepEqual(
        removed.map(({ message }) => message),
        [`Change ${CLAUDE}?`, `Delete ${VSCODE}?`],
      );
      assert.equal(await readText(CLAUDE), SETTINGS);
      assert.ok(!existsSync(path.join(root(), VSCODE)), 'the file that was made is gone');
      assert.equal((await answering('Remove', remove)).length, 0, 'nothing is left to remove');
    });

    test('a file that changes while it is shown is not touched', async () => {
      const original = vscode.window.showErrorMessage;
      const told: string[] = [];
      Object.assign(vscode.window, { showErrorMessage: async (message: string) => void told.push(message) });
      try {
        const edited = SETTINGS.replace('npm test', 'npm run check');
        await answering(
          'Connect',
          () => install(CLAUDE),
          () => write(CLAUDE, edited),
        );
        assert.match(told.join(), /settings\.local\.json has changed since, so it was not modified/);
        assert.equal(await readText(CLAUDE), edited);
      } finally {
        Object.assign(vscode.window, { showErrorMessage: original });
        await write(CLAUDE, SETTINGS);
      }
    });

    test('a relay log is compacted beside itself, and its summary copied', async () => {
      const log = {
        relay_context: { goal: 'Ship 1.0', latest_instruction: 'Fix the totals' },
        execution_logs: [{ status: 'done' }, { status: 'running', step_id: 's2' }],
        note: 'stays',
      };
      await mkdir(path.join(root(), '.context-budget'), { recursive: true });
      await write('.context-budget/relay.json', JSON.stringify(log));
      const uri = vscode.Uri.file(path.join(root(), '.context-budget/relay.json'));
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('contextBudget.compactRelay');
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document?.isUntitled && document.languageId === 'json', 'a new JSON document is shown');
      const output = JSON.parse(document.getText());
      assert.deepEqual(output.execution_logs, [{ status: 'running', step_id: 's2' }]);
      assert.equal(output.note, 'stays');
      assert.deepEqual(output.self_check.missing, ['constraints', 'current_blockers', 'controller_route_summary']);
      assert.match((await extensionApi()).statusBar().text, /Compacted, 1 entry dropped; missing: constraints, /);
      assert.equal(await readText('.context-budget/relay.json'), JSON.stringify(log));
      assert.equal(await clipboardAfter('contextBudget.copyRelaySummary', uri), `${output.summary}\n`);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await rm(uri.fsPath);
    });

    test('the observer prompt is copied in English and in Chinese', async () => {
      const english = await clipboardAfter('contextBudget.copyObserverPrompt');
      assert.match(english, /^# Observer relay\n/);
      assert.match(english, /never say that something is done, fixed, passed or recovered unless the ledger shows it/);
      assert.match(await clipboardAfter('contextBudget.copyObserverPrompt', 'zh'), /^# 观察者中继\n/);
    });
  });
}
