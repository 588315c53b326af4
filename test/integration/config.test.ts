import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EditorError } from '../../src/vscode/base/editorError';
import { FolderFiles } from '../../src/vscode/base/folderFiles';
import { ConfigWriter } from '../../src/vscode/panel/configWriter';
import {
  closeEditors,
  exists,
  expanded,
  extensionApi,
  readText,
  ready,
  remove,
  section,
  showPanel,
  until,
  uriOf,
  write,
} from './support';

const CONFIG = '.context-budget/config.json';
const PIN = 'contextBudget.section.pin';
const PORTS = { sectionId: 'ports' };

/** Comments of a text, in order; enough for the fixture, whose texts hold no slashes of that kind. */
function comments(text: string): readonly string[] {
  return text.match(/\/\/[^\n]*/g) ?? [];
}

/** A file system that can be read and not be written. */
class ReadOnlyFiles implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  watch = () => new vscode.Disposable(() => undefined);
  stat = () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: 3 });
  readDirectory = () => [];
  readFile = () => new TextEncoder().encode('{}\n');
  createDirectory = () => undefined;
  writeFile = () => undefined;
  delete = () => undefined;
  rename = () => undefined;
}

/** What a click in the panel or a command writes into the config. */
export function configTests(): void {
  suite('the config, written by clicks', () => {
    let original = '';
    let before = '';

    suiteSetup(async () => {
      original = await readText(CONFIG);
      before = `// Kept: the first line.\n${original}`.replace(/\n?$/, '\n// Kept: the last line.\n');
      await write(CONFIG, before);
      await until('the config is read', async () => (await ready()).configState === 'file');
    });

    suiteTeardown(() => write(CONFIG, original));

    teardown(async () => {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await closeEditors();
      await until('no unsaved text is left', () => vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
      await write(CONFIG, before);
      // Other tests cover the editor's watcher; on a busy machine the host lets go of the reverted text a moment later.
      await until('the config is as before', async () => {
        await vscode.commands.executeCommand('contextBudget.refresh');
        const { pinned, excluded, onDemand } = (await ready()).config;
        return [pinned, excluded, onDemand].every(({ length }) => length === 0);
      });
    });

    test('a pin is in the file with every comment, and in the panel; taken off, nothing of the rest has changed', async () => {
      await showPanel();
      await vscode.commands.executeCommand(PIN, PORTS);
      const text = await readText(CONFIG);
      assert.match(text, /"pinned": \["ports"\]/);
      assert.deepEqual(comments(text), comments(before));
      assert.ok(section(await ready(), 'ports').isPinned);
      const api = await extensionApi();
      const shown = () => api.panel()?.payload?.sections.find(({ id }) => id === 'ports');
      await until('the panel shows the pin', () => shown()?.isPinned);
      await vscode.commands.executeCommand('contextBudget.section.unpin', PORTS);
      assert.ok(!section(await ready(), 'ports').isPinned);
      const after = await readText(CONFIG);
      assert.equal(after.replace(/,?\s*"pinned": \[\],?/, ''), before.replace(/,(\s*\}\s*\/\/ Kept: the last)/, '$1'));
    });

    test('an excluded section leaves the payload, and comes back', async () => {
      const { sections } = expanded(await ready());
      const id = sections.find((candidate) => candidate.path === 'MEMORY.md')?.id ?? '';
      const text = (await readText('MEMORY.md')).trim();
      assert.ok(expanded(await ready()).text.includes(text));
      await vscode.commands.executeCommand('contextBudget.section.exclude', { sectionId: id });
      const without = await ready();
      assert.ok(section(without, id).isExcluded);
      assert.ok(!expanded(without).text.includes(text));
      assert.ok((await readText(CONFIG)).includes(`"excluded": ["${id}"]`));
      await vscode.commands.executeCommand('contextBudget.section.include', { sectionId: id });
      assert.ok(expanded(await ready()).text.includes(text));
    });

    test('a section on demand shows one line with its handle', async () => {
      const memory = expanded(await ready()).sections.find(({ path: file }) => file === 'MEMORY.md');
      assert.ok(memory);
      await vscode.commands.executeCommand('contextBudget.section.onDemand', { sectionId: memory.id });
      const snapshot = await ready();
      assert.deepEqual(snapshot.config.onDemand, [memory.id]);
      assert.equal(section(snapshot, memory.id).disclosure, 'stub');
      await vscode.commands.executeCommand('contextBudget.section.alwaysShow', { sectionId: memory.id });
      assert.notEqual(section(await ready(), memory.id).disclosure, 'stub');
    });

    test('mode and threshold are written, and are what the panel shows', async () => {
      await showPanel();
      const api = await extensionApi();
      await vscode.commands.executeCommand('contextBudget.setScoringMode', 'dynamic');
      await vscode.commands.executeCommand('contextBudget.setThreshold', 0.45);
      const { scoring } = (await ready()).config;
      assert.deepEqual([scoring.mode, scoring.threshold], ['dynamic', 0.45]);
      await until('the panel shows both', () => {
        const shown = api.panel()?.scoring;
        return shown?.mode === 'dynamic' && shown.threshold === 0.45;
      });
      assert.deepEqual(comments(await readText(CONFIG)), comments(before));
    });

    test('clicks at the same time are all in the file', async () => {
      const { sections } = expanded(await ready());
      const ids = sections.slice(0, 4).map(({ id }) => id);
      await Promise.all(ids.map((sectionId) => vscode.commands.executeCommand(PIN, { sectionId })));
      assert.deepEqual([...(await ready()).config.pinned].sort(), [...ids].sort());
    });

    test('an open file follows the change; one with unsaved work gets the change and stays unsaved', async () => {
      const uri = uriOf(CONFIG);
      const document = await vscode.workspace.openTextDocument(uri);
      const editor = await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand(PIN, PORTS);
      assert.match(await readText(CONFIG), /"pinned": \["ports"\]/);
      await until('the editor follows its file', () => document.getText().includes('"pinned": ["ports"]'));
      assert.ok(!document.isDirty);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// unsaved\n'));
      await until('the host knows that it is unsaved', () => document.isDirty);
      const onDisk = await readText(CONFIG);
      await vscode.commands.executeCommand('contextBudget.section.exclude', PORTS);
      assert.equal(await readText(CONFIG), onDisk, 'nothing was saved behind the back');
      assert.ok(document.isDirty);
      // The host hears of a change of its own text a moment after it was made.
      await until('the unsaved text has the change', () =>
        /^\/\/ unsaved\n[\s\S]*"excluded": \["ports"\]/.test(document.getText()),
      );
      await vscode.commands.executeCommand('undo');
      await until('the change is undone', () => !document.getText().includes('excluded'));
      assert.match(document.getText(), /^\/\/ unsaved/);
    });

    test('a missing config becomes a small one with comments', async () => {
      await remove(CONFIG);
      await until('the defaults are in force', async () => (await ready()).configState === 'defaults');
      const id = expanded(await ready()).sections.find(({ path: file }) => file === 'MEMORY.md')?.id;
      assert.ok(id);
      await vscode.commands.executeCommand(PIN, { sectionId: id });
      assert.ok(await exists(CONFIG), 'the config is made');
      assert.match(await readText(CONFIG), /^\/\/ Context Budget: .*\n[\s\S]*"pinned": \["memory/);
      assert.deepEqual((await ready()).config.pinned, [id]);
    });

    test('a broken config is not touched', async () => {
      const broken = `${before}{ "never`;
      await write(CONFIG, broken);
      await until('the last good config is in force', async () => (await ready()).configState === 'lastGood');
      await vscode.commands.executeCommand(PIN, PORTS);
      assert.equal(await readText(CONFIG), broken);
    });

    test('a folder that cannot be written is said to be so', async () => {
      const registered = vscode.workspace.registerFileSystemProvider('config-read-only', new ReadOnlyFiles(), {
        isReadonly: true,
      });
      const folder = { uri: vscode.Uri.parse('config-read-only:/folder'), name: 'folder', index: 0 };
      const change = { kind: 'list', list: 'pinned', sectionId: 'a', isListed: true } as const;
      await assert.rejects(new ConfigWriter(new FolderFiles(undefined)).write(folder, change), (error: unknown) => {
        assert.ok(EditorError.is(error, 'config'));
        assert.match(error.message, /config\.json could not be written: .*read-only.*Nothing was changed/);
        return true;
      });
      registered.dispose();
    });
  });
}
