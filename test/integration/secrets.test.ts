import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { FakeKeys } from '../fixtures/fakeSecrets';
import {
  answerPick,
  clipboardAfter,
  closeEditors,
  extensionApi,
  readText,
  ready,
  showPanel,
  until,
  write,
} from './support';

interface Asked {
  readonly message: string;
  readonly detail: string | undefined;
}

/** Answers the modal warnings of `act` by `answer`, and tells what they said. */
async function answering(answer: string | undefined, act: () => Thenable<unknown>): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const original = vscode.window.showWarningMessage;
  const stub = async (message: string, { modal, detail }: vscode.MessageOptions): Promise<string | undefined> => {
    assert.equal(modal, true, 'the question is modal');
    asked.push({ message, detail });
    return answer;
  };
  Object.assign(vscode.window, { showWarningMessage: stub });
  try {
    await act();
  } finally {
    Object.assign(vscode.window, { showWarningMessage: original });
  }
  return asked;
}

const copyUnmasked = () => vscode.commands.executeCommand('contextBudget.copyUnmasked');

/** Keys in what is copied are masked, named, and copied only by somebody who means to. */
export function secretTests(): void {
  suite('secrets', () => {
    const token = `ghp_${new FakeKeys(11).random(36)}`;
    let before = '';

    suiteSetup(async () => {
      before = await readText('AGENTS.md');
      await write('AGENTS.md', `${before.trimEnd()}\nThe bot's token is ${token}.\n`);
      await until('the payload has a mask for the key', async () => {
        const { report } = await ready();
        return report?.payloads.expanded.text.includes('[masked: GitHub token]');
      });
    });

    suiteTeardown(async () => {
      await write('AGENTS.md', before);
      await closeEditors();
      await until('the key is gone', async () => !(await ready()).report?.payloads.expanded.text.includes('[masked'));
    });

    test('a copied payload has a mask where the key stands, and the status bar says so', async () => {
      const text = await clipboardAfter('contextBudget.copyExpandedPayload');
      // The note stays for seconds only.
      const note = (await extensionApi()).statusBar().text;
      assert.match(note, /^\$\(check\) Copied [\d,]+ tokens.*, 1 key masked: paste it into the chat$/);
      assert.ok(!text.includes(token) && text.includes('[masked: GitHub token]'), text);
      assert.equal(text, (await ready()).report?.payloads.expanded.text);
    });

    test('the panel says so beside its button, until the payload or the copy is another', async () => {
      const api = await extensionApi();
      await showPanel();
      const payload = async () => (await ready()).report?.payloads[api.mode()].text;
      const shown = () => api.panel()?.masked;
      const before = await payload();
      await clipboardAfter('contextBudget.copyPayload');
      assert.equal(await payload(), before);
      await until('the mask is told', () => shown()?.keys === 1 && shown()?.sectionIds.join() === 'agents-md');
      await clipboardAfter('contextBudget.section.copy', 'memory');
      await until('another copy took its place', () => shown() === undefined);
    });

    test('a copied section has it too', async () => {
      const text = await clipboardAfter('contextBudget.section.copy', 'agents-md');
      assert.match(text, /^<agents-md>\n[\s\S]*\[masked: GitHub token\][\s\S]*<\/agents-md>\n$/);
      assert.match((await extensionApi()).statusBar().text, /, 1 key masked$/);
    });

    test('Copy Unmasked asks first, naming section and line, and copies nothing without a yes', async () => {
      const masked = await clipboardAfter('contextBudget.copyExpandedPayload');
      const line = section(masked, 'agents-md').findIndex((each) => each.includes('[masked')) + 1;
      const [asked, ...more] = await answering(undefined, copyUnmasked);
      assert.equal(asked?.message, 'Copy 1 key unmasked?');
      assert.equal(asked.detail, `agents-md, AGENTS.md:${line}: GitHub token`);
      assert.equal(more.length, 0);
      assert.equal(await vscode.env.clipboard.readText(), masked);

      await answering('Copy Unmasked', copyUnmasked);
      assert.equal(await vscode.env.clipboard.readText(), masked.replace('[masked: GitHub token]', token));
      assert.match((await extensionApi()).statusBar().text, /, unmasked$/);
    });

    test('Show Masked Secrets opens the file at the line', async () => {
      await clipboardAfter('contextBudget.copyExpandedPayload');
      await answerPick('contextBudget.showMasked', 'take');
      await until('the file is open', () => vscode.window.activeTextEditor?.document.uri.path.endsWith('/AGENTS.md'));
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor?.document.lineAt(editor.selection.start.line).text.includes(token));
    });

    test('a copy without secrets leaves nothing to unmask', async () => {
      await clipboardAfter('contextBudget.section.copy', 'ports');
      const original = vscode.window.showInformationMessage;
      const told: string[] = [];
      Object.assign(vscode.window, {
        showInformationMessage: async (message: string) => {
          told.push(message);
        },
      });
      try {
        assert.deepEqual(await answering('Copy Unmasked', copyUnmasked), []);
      } finally {
        Object.assign(vscode.window, { showInformationMessage: original });
      }
      assert.match(told.join(), /Nothing was masked in the last copy\.$/);
    });
  });
}

/** Lines of an element's content. */
function section(payload: string, id: string): readonly string[] {
  return new RegExp(`<${id}>\\n([\\s\\S]*?)</${id}>`).exec(payload)?.[1]?.split('\n') ?? [];
}
