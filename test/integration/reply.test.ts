import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerPick, closeEditors, extensionApi, readRecords, ready, remove, until, uriOf, write } from './support';

const COMMAND = 'contextBudget.recordAgentReply';
const LOG = '.context-budget/usage.jsonl';
/** Names a file that only the map has, and asks for a section. */
const REPLY = 'Changed src/report.py.\nPlease expand section:ports.';

interface Line {
  readonly cycle: number;
  readonly sections: readonly { readonly id: string }[];
  readonly cited: readonly { readonly id: string; readonly evidence: string; readonly what: string }[];
}

const lines = (): Promise<readonly Line[]> => readRecords<Line>(LOG);

async function lastCited(): Promise<readonly string[]> {
  return ((await lines()).at(-1)?.cited ?? []).map(({ id, evidence }) => `${id} ${evidence}`);
}

/** Record Agent Reply: where a reply comes from, what is written, what the status bar says. */
export function replyTests(): void {
  suite('Record Agent Reply', () => {
    setup(async () => {
      await remove(LOG);
      await ready();
    });
    teardown(closeEditors);
    suiteTeardown(() => remove(LOG));

    test('takes the clipboard, records what was cited and says how many sections', async () => {
      await vscode.env.clipboard.writeText(REPLY);
      await answerPick(COMMAND, 'take');
      assert.deepEqual(await lastCited(), ['ports handle', 'repo-map path']);
      const api = await extensionApi();
      assert.equal(api.statusBar().text, '$(check) 2 sections cited: ports, repo-map');
      const [line] = await lines();
      assert.ok(line && line.sections.length > 2, 'the payload is part of the cycle');
      assert.ok(!JSON.stringify(line).includes('Please'), 'nothing of the reply is kept but the evidence');
    });

    test('marks the cited sections in the panel until the next copy', async () => {
      const api = await extensionApi();
      await vscode.commands.executeCommand('contextBudget.budget.focus');
      await vscode.commands.executeCommand(COMMAND, REPLY);
      await until('the panel is told', async () => (api.panel()?.cited.length ?? 0) > 0);
      assert.deepEqual(api.panel()?.cited, [
        { id: 'ports', evidence: 'handle', what: 'section:ports' },
        { id: 'repo-map', evidence: 'path', what: 'src/report.py' },
      ]);
      await vscode.commands.executeCommand('contextBudget.copyIndexPayload');
      await until('the marks are gone', async () => api.panel()?.cited.length === 0);
      await until('the copy is recorded', async () => (await lines()).length > 1);
    });

    test('takes the selection first where there is one', async () => {
      await vscode.env.clipboard.writeText('section:ports, please show it');
      const document = await vscode.workspace.openTextDocument({ content: 'Intro\nChanged src/report.py.\n' });
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(1, 0, 2, 0);
      await answerPick(COMMAND, 'take');
      assert.deepEqual(await lastCited(), ['repo-map path']);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    test('belongs to the payload that was copied before', async () => {
      await vscode.commands.executeCommand('contextBudget.copyIndexPayload');
      await until('the copy is recorded', async () => (await lines()).length === 1);
      await vscode.commands.executeCommand(COMMAND, REPLY);
      const cycles = (await lines()).map(({ cycle }) => cycle);
      assert.equal(cycles.length, 2);
      assert.equal(new Set(cycles).size, 1);
      assert.deepEqual(await lastCited(), ['ports handle', 'repo-map path']);
    });

    test('credits nothing for what the task names', async () => {
      await vscode.commands.executeCommand('contextBudget.setTask', 'Look at src/report.py');
      try {
        await vscode.commands.executeCommand(COMMAND, REPLY);
        assert.deepEqual(await lastCited(), ['ports handle']);
      } finally {
        await vscode.commands.executeCommand('contextBudget.clearTask');
      }
    });

    test('reads a file, and says when it is no text', async () => {
      await write('reply.tmp', REPLY);
      const file = uriOf('reply.tmp');
      await vscode.commands.executeCommand(COMMAND, file);
      assert.deepEqual(await lastCited(), ['ports handle', 'repo-map path']);
      const before = (await lines()).length;
      await write('reply.tmp', 'a\0b');
      // A failure is told in a message; the promise of the command does not wait for it to be read.
      await vscode.commands.executeCommand(COMMAND, file);
      assert.equal((await lines()).length, before);
      await remove('reply.tmp');
    });

    test('says when nothing is cited; the use counts all the same', async () => {
      await vscode.commands.executeCommand(COMMAND, 'All done. My memory of the ports is good.');
      const api = await extensionApi();
      assert.equal(api.statusBar().text, '$(info) No evidence that the reply used a section');
      assert.deepEqual(await lastCited(), []);
      assert.equal((await lines()).length, 1);
    });

    test('records nothing when the picker is closed', async () => {
      await vscode.env.clipboard.writeText(REPLY);
      await answerPick(COMMAND, 'close');
      assert.deepEqual(await lines(), []);
    });
  });
}
