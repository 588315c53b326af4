import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkspaceSnapshot } from '../../src/core/workspace/workspace';
import { MemoryProvider } from './memoryProvider';
import { showRepoMap } from './repoMap.test';
import { clipboardAfter, closeEditors, expanded, extensionApi, ready, showPanel, until } from './support';

const SCHEME = 'memfs-test';
const ROOT = vscode.Uri.parse(`${SCHEME}:/repo`);
const FOLDER = 'virtual';
const LOG = '/repo/.context-budget/observations.jsonl';
const FILES: Readonly<Record<string, string>> = {
  'AGENTS.md': '# Ledger\n\nAmounts are integers in cents; nothing here is on a disk.\n',
  'src/ledger.go': 'package ledger\n\n// Post books an amount.\nfunc Post(cents int) int {\n\treturn cents\n}\n',
  'src/report.py': 'def summarize(rows):\n    return sum(rows)\n',
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const at = (path: string): vscode.Uri => vscode.Uri.joinPath(ROOT, path);

/** A folder of a file system that an extension serves: no disk, no processes, no git, and nothing of ours on the way. */
export function virtualTests(): void {
  suite('with a folder of a virtual file system', () => {
    const provider = new MemoryProvider();
    let registration: vscode.Disposable | undefined;

    /** The snapshot once the virtual folder is the active one. */
    async function snapshotHere(): Promise<WorkspaceSnapshot> {
      await vscode.window.showTextDocument(at('AGENTS.md'));
      const { value } = await until('the folder is active', async () => {
        const snapshot = await ready();
        return snapshot.folderName === FOLDER && snapshot;
      });
      return value;
    }

    suiteSetup(async () => {
      provider.createDirectory(ROOT);
      provider.createDirectory(at('src'));
      for (const [path, text] of Object.entries(FILES)) provider.writeFile(at(path), encode(text));
      registration = vscode.workspace.registerFileSystemProvider(SCHEME, provider, { isCaseSensitive: true });
      const count = vscode.workspace.workspaceFolders?.length ?? 0;
      assert.ok(vscode.workspace.updateWorkspaceFolders(count, 0, { uri: ROOT, name: FOLDER }));
      await until('the folder is open', () => vscode.workspace.getWorkspaceFolder(at('AGENTS.md'))?.name === FOLDER);
      await showPanel();
    });

    teardown(closeEditors);

    suiteTeardown(async () => {
      const folder = vscode.workspace.getWorkspaceFolder(ROOT);
      if (folder) vscode.workspace.updateWorkspaceFolders(folder.index, 1);
      await until('the folder is closed', () => vscode.workspace.getWorkspaceFolder(ROOT) === undefined);
      registration?.dispose();
    });

    test('panel and map show it, exactly counted, without git', async () => {
      const api = await extensionApi();
      const { text, budget, sections } = expanded(await snapshotHere());
      assert.ok(budget.isExact && budget.tokens > 0);
      assert.match(text, /nothing here is on a disk/);
      assert.match(text, /func Post\(cents int\) int/);
      assert.ok(!sections.some(({ id }) => id === 'git'), 'there is no git section');
      await until('the panel shows it', () => api.panel()?.payload?.budget.tokens === budget.tokens);
      const tree = await showRepoMap();
      const { value: paths } = await until('the tree shows it', async () => {
        const nodes = await tree.getChildren();
        return (
          tree.active?.folder.name === FOLDER && nodes.flatMap((node) => (node.kind === 'file' ? [node.path] : []))
        );
      });
      assert.deepEqual([...paths].sort(), ['src/ledger.go', 'src/report.py']);
    });

    test('what its file system tells is followed', async () => {
      await snapshotHere();
      provider.writeFile(
        at('src/refund.go'),
        encode('package ledger\n\nfunc Refund(cents int) int { return -cents }\n'),
      );
      await until('the map names the new function', async () => expanded(await ready()).text.includes('Refund('));
      provider.delete(at('src/refund.go'));
      await until('the map forgets it', async () => !expanded(await ready()).text.includes('Refund('));
    });

    test('a copy leaves no file behind where nothing of ours is', async () => {
      const snapshot = await snapshotHere();
      const before = [...provider.files.keys()];
      assert.equal(await clipboardAfter('contextBudget.copyExpandedPayload'), expanded(snapshot).text);
      // Records are written one after another: what an explicit command writes comes after what the copy would have.
      await vscode.commands.executeCommand('contextBudget.addObservation', { summary: 'posted twice', taskId: 'T-1' });
      const { value } = await until('the observation is written', () => provider.files.get(LOG));
      assert.match(value, /^\{"schema_version":"obs\.v1","id":1,[^\n]*"summary":"posted twice"[^\n]*\}\n$/);
      const added = [...provider.files.keys()].filter((path) => !before.includes(path));
      assert.deepEqual(added.sort(), [LOG, `${LOG}.mark`]);
    });

    test('observations are numbered on, listed, and followed when somebody else appends', async () => {
      await snapshotHere();
      await vscode.commands.executeCommand('contextBudget.addObservation', { summary: 'second one' });
      const uri = vscode.Uri.from({ scheme: SCHEME, path: LOG });
      const other = (provider.files.get(LOG) ?? '').split('\n')[0]?.replace('"id":1,', '"id":40,');
      provider.writeFile(uri, encode(`${provider.files.get(LOG)}${other}\n`));
      await until('the section has all three', async () => {
        const rows = expanded(await ready()).sections.find(({ id }) => id === 'observations')?.text ?? '';
        return /^40 \| /m.test(rows) && rows.includes('second one');
      });
      await vscode.commands.executeCommand('contextBudget.addObservation', { summary: 'after the other' });
      await until('it has the next number', () => /"id":41,[^\n]*after the other/.test(provider.files.get(LOG) ?? ''));
    });
  });
}
