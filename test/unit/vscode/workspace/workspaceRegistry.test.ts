import { beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { PreferenceStore } from '../../../../src/vscode/base/preferences';
import { type WorkspaceFactory, WorkspaceRegistry } from '../../../../src/vscode/workspace/workspaceRegistry';
import { RecordingLogger } from '../../../support/recordingLogger';

/** What the editor is like. */
const world = vi.hoisted(() => ({ isTrusted: false, git: undefined as unknown }));

vi.mock('vscode', async () => {
  const fake = await import('../../../support/fakeVscode');
  const event = () => new fake.EventEmitter<unknown>().event;
  const watcher = { onDidChange: event(), onDidCreate: event(), onDidDelete: event(), dispose: () => undefined };
  return {
    ...fake,
    // Their members are keys of tables that these tests do not look into.
    SymbolKind: {},
    DiagnosticSeverity: {},
    RelativePattern: class {},
    extensions: { getExtension: () => world.git },
    languages: { onDidChangeDiagnostics: event() },
    window: {
      activeTextEditor: undefined,
      onDidChangeActiveTextEditor: event(),
      onDidChangeTextEditorSelection: event(),
      tabGroups: { onDidChangeTabs: event(), onDidChangeTabGroups: event() },
    },
    workspace: {
      get isTrusted() {
        return world.isTrusted;
      },
      workspaceFolders: [{ name: 'app', index: 0, uri: { path: '/app', toString: () => 'file:///app' } }],
      onDidChangeWorkspaceFolders: event(),
      onDidSaveTextDocument: event(),
      createFileSystemWatcher: () => watcher,
      getConfiguration: () => ({ get: (_: string, or?: unknown) => or }),
    },
  };
});

/** A registry whose host opens a folder when told, and what its workspace gets. */
function opened() {
  const kept = { get: () => undefined, update: async () => undefined, keys: () => [] };
  const preferences = new PreferenceStore(kept, kept);
  const [got, notify] = [[] as unknown[], vi.fn()];
  const nothing = () => ({ dispose: () => undefined });
  const workspace = {
    ...{ snapshot: {}, start: () => got.push('start'), update: (given: unknown) => got.push(given), notify },
    ...{ onDidChange: nothing, onDidChangeIndex: nothing, dispose: () => undefined },
  };
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const factory = {
    secrets: {},
    open: async (_: unknown, __: unknown, given: unknown) => {
      got.push(given);
      await isOpen;
      return { workspace, releaseRecords: async () => [], dispose: () => undefined };
    },
  };
  const registry = new WorkspaceRegistry(factory as unknown as WorkspaceFactory, preferences, new RecordingLogger());
  return { registry, preferences, open, got, notify };
}

beforeEach(() => {
  Object.assign(world, { isTrusted: false, git: undefined });
});

it('tells a folder what changed while it was opened: trust, and the agents of this machine', async () => {
  const { registry, preferences, open, got } = opened();
  const opening = registry.require();
  world.isTrusted = true;
  preferences.installedAgents = ['codex'];
  registry.updatePreferences();
  open();
  await opening;
  const [first, last] = [
    { isTrusted: false, installedAgents: [] },
    { isTrusted: true, installedAgents: ['codex'] },
  ];
  expect(got).toMatchObject([first, last, 'start']);
});

it.each([
  ['that Git has open', true, true],
  ['that Git opens later', true, false],
  ['of Git that is active later', false, true],
])('follows a repository %s', async (_, isActive, isOpen) => {
  const [changed, repositoryOpened] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<unknown>()];
  const repository = { state: { onDidChange: changed.event } };
  const api = { repositories: isOpen ? [repository] : [], onDidOpenRepository: repositoryOpened.event };
  const git = { isActive, exports: isActive ? { enabled: true, getAPI: () => api } : undefined };
  world.git = git;
  const { registry, open, notify } = opened();
  open();
  const { flush } = await registry.require();
  Object.assign(git, { isActive: true, exports: { enabled: true, getAPI: () => api } });
  // Anything that happens in the editor is delivered.
  flush();
  if (!isOpen) repositoryOpened.fire(repository);
  changed.fire();
  flush();
  expect(notify.mock.calls).toEqual([[{ kind: 'git' }]]);
});
