import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeEditors, extensionApi, ready, remove, showPanel, until, uriOf, write } from './support';

const NESTED = 'agents-demo/AGENTS.md';
const FILE = 'agents-demo/src/a.ts';

/** What each agent will cut, as the panel gets it. */
export function agentTests(): void {
  suite('what agents read', () => {
    suiteSetup(async () => {
      await write(NESTED, '- rule\n'.repeat(6000));
      await write(FILE, 'export const a = 1;\n');
      await showPanel();
      await ready();
    });

    suiteTeardown(async () => {
      await closeEditors();
      await remove(NESTED);
      await remove(FILE);
    });

    const nested = async (agent: string) => {
      const { agents } = (await extensionApi()).panel() ?? {};
      return agents?.find((each) => each.agent === agent)?.files.find((file) => file.path === NESTED);
    };

    test('is computed for the active file, with the line of the cut', async () => {
      await until('the nested file', async () => (await nested('cursor'))?.fate === 'onDemand');
      await vscode.window.showTextDocument(uriOf(FILE));
      await until('the chain of the active file', async () => (await nested('cursor'))?.fate === 'loaded');
      const codex = await nested('codex');
      assert.equal(codex?.fate, 'truncated');
      assert.ok(codex.cutLine !== undefined && codex.cutLine > 1);
    });

    test('follows a save of an instruction file', async () => {
      await write(NESTED, '- short\n');
      await until('a file that fits', async () => (await nested('codex'))?.fate === 'loaded');
      await closeEditors();
      await until('the root alone', async () => (await nested('codex'))?.fate === 'onDemand');
    });
  });
}
