import { beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { SessionPage, SessionRow } from '../../../../src/core/window/sessions/sessionPage';
import type { SessionSnapshot } from '../../../../src/protocol/sessionPanel';
import { ProblemReporter } from '../../../../src/vscode/base/problems';
import type { EditorServices } from '../../../../src/vscode/copy/editorServices';
import { SessionPageView } from '../../../../src/vscode/sessions/sessionPageView';
import type { SessionReader } from '../../../../src/vscode/sessions/sessionSource';
import { EventEmitter } from '../../../support/fakeVscode';

/** The one panel of the editor: what it was told, and how the page answers. */
const panel = vi.hoisted(() => ({
  told: [] as { type: string; snapshot: SessionSnapshot }[],
  say: (_message: unknown): void => undefined,
  close: (): void => undefined,
  title: '',
  /** Those of the workspace. */
  folders: [] as { readonly uri: { readonly path: string } }[],
}));

vi.mock('vscode', async () => {
  const fake = await import('../../../support/fakeVscode');
  return {
    ...fake,
    ViewColumn: { Active: -1 },
    FileType: { File: 1 },
    CancellationError: class extends Error {},
    workspace: {
      isTrusted: true,
      get workspaceFolders() {
        return panel.folders;
      },
      getConfiguration: () => ({ get: () => ['claude-code'] }),
      getWorkspaceFolder: (uri: { path: string }) => panel.folders.find((folder) => folder.uri.path === uri.path),
      fs: {
        stat: async ({ path }: { path: string }) => {
          if (path.endsWith('gone.ts')) throw new Error('not there');
          return { type: 1 };
        },
      },
    },
    window: {
      showErrorMessage: async () => undefined,
      createWebviewPanel: (_type: string, title: string) => {
        const received = new fake.EventEmitter<unknown>();
        const closed = new fake.EventEmitter<void>();
        Object.assign(panel, { title, say: (message: unknown) => received.fire(message), close: () => closed.fire() });
        return {
          visible: true,
          onDidChangeViewState: new fake.EventEmitter<void>().event,
          onDidDispose: closed.event,
          reveal: () => undefined,
          dispose: () => closed.fire(),
          webview: {
            cspSource: 'x',
            asWebviewUri: () => 'uri',
            onDidReceiveMessage: received.event,
            postMessage: async (message: (typeof panel.told)[number]) => void panel.told.push(message),
          },
        };
      },
    },
  };
});

const FOLDER = { name: 'app', uri: { scheme: 'file', path: '/app', toString: () => 'file:///app' } };
const LIB = { name: 'lib', uri: { scheme: 'file', path: '/lib', toString: () => 'file:///lib' } };
const ROW = { id: 'claude-code:a', agent: 'claude-code', title: 'fix login test' } as SessionRow;
const finding = (path: string | undefined, fix: string) => ({ rule: 'read-again', fix, path, line: 7, step: 0 });
const PAGE = {
  ...ROW,
  list: [
    finding('MEMORY.md', 'map'),
    finding('src/a.ts', 'map'),
    finding('src/gone.ts', 'map'),
    finding(undefined, 'none'),
  ],
} as unknown as SessionPage;

const READ: SessionReader['read'] = async () => ({ sessions: [ROW], page: PAGE, problems: [] });

function world(read: SessionReader['read']) {
  const undone = new EventEmitter<void>();
  const changed = new EventEmitter<void>();
  const sections = [{ id: 'memory', path: 'MEMORY.md', disclosure: 'full' }];
  let line: { sentence: string } | undefined;
  const counted = new EventEmitter<unknown>();
  const snapshot = { report: { payloads: { expanded: { sections } } } };
  const workspace = { snapshot, onDidChange: counted.event };
  const doers = {
    onDemand: vi.fn(async () => {
      line = { sentence: 'MEMORY.md on demand' };
      undone.fire();
    }),
    exclude: vi.fn(),
    copyRepoMap: vi.fn(),
    config: { onDidChangeUndo: undone.event, undoLine: () => line, undo: vi.fn() },
  };
  const log = { error: vi.fn(), info: vi.fn(), warn: vi.fn(), debug: vi.fn(), show: vi.fn() };
  const own = { folder: FOLDER, workspace };
  const lib = { folder: LIB, workspace: { snapshot: {}, onDidChange: () => ({ dispose: vi.fn() }) } };
  const registry = { active: own as unknown, all: [lib, own], onDidChange: changed.event, want: vi.fn() };
  panel.folders = [FOLDER, LIB];
  const services = { context: { extensionUri: { path: '/ext' } }, log, registry, preferences: { mode: 'expanded' } };
  const view = new SessionPageView(
    services as unknown as EditorServices,
    { read } as SessionReader,
    doers as unknown as ConstructorParameters<typeof SessionPageView>[2],
    new ProblemReporter(log),
  );
  const open = () => view.open(FOLDER as unknown as vscode.WorkspaceFolder, ROW);
  return { view, open, doers, log, registry, sections, changed, counted, lib };
}

const last = () => panel.told.at(-1)?.snapshot;

beforeEach(() => {
  panel.told.length = 0;
});

it('tells the page that it reads, then the session with one action for each finding that has one', async () => {
  const { open, view } = world(READ);
  const opened = open();
  panel.say({ type: 'ready' });
  expect(last()).toMatchObject({ state: 'loading', name: 'fix login test', agent: 'Claude Code' });
  await opened;
  expect(panel.title).toBe('Session: fix login test');
  expect(last()).toMatchObject({ state: 'ready', actions: ['onDemand', 'copyMap', undefined, undefined] });
  expect(view.snapshot).toBe(last());
});

it('does what a finding offers, says what can be undone, and refuses what is no longer offered', async () => {
  const { open, doers, sections, changed } = world(READ);
  await open();
  panel.say({ type: 'ready' });
  panel.say({ type: 'act', finding: 0, action: 'onDemand' });
  await vi.waitFor(() => expect(last()?.undo).toBe('MEMORY.md on demand'));
  expect(doers.onDemand).toHaveBeenCalledWith('memory', FOLDER);
  sections[0] = { id: 'memory', path: 'MEMORY.md', disclosure: 'stub' };
  changed.fire();
  expect(last()?.actions[0]).toBe('openFile');
  panel.say({ type: 'act', finding: 0, action: 'onDemand' });
  panel.say({ type: 'act', finding: 2, action: 'openFile' });
  panel.say({ type: 'act', finding: 9, action: 'copyMap' });
  panel.say({ type: 'act', finding: 1, action: 'copyMap' });
  panel.say({ type: 'undo' });
  await vi.waitFor(() => expect(doers.config.undo).toHaveBeenCalledOnce());
  expect(doers.onDemand).toHaveBeenCalledOnce();
  expect(doers.copyRepoMap.mock.calls).toEqual([['src/a.ts', FOLDER]]);
});

it('is about the folder of the session while another one is active', async () => {
  const { open, doers, registry, sections, changed, counted, lib } = world(READ);
  await open();
  panel.say({ type: 'ready' });
  registry.active = lib;
  changed.fire();
  expect(last()?.folder).toBe('app');
  expect(last()?.actions).toEqual(['onDemand', 'copyMap', undefined, undefined]);
  panel.say({ type: 'act', finding: 0, action: 'onDemand' });
  panel.say({ type: 'act', finding: 1, action: 'copyMap' });
  await vi.waitFor(() => expect(doers.copyRepoMap.mock.calls).toEqual([['src/a.ts', FOLDER]]));
  expect(doers.onDemand.mock.calls).toEqual([['memory', FOLDER]]);
  expect(last()?.undo).toBe('MEMORY.md on demand');
  sections[0] = { id: 'memory', path: 'MEMORY.md', disclosure: 'stub' };
  counted.fire(undefined);
  expect(last()?.actions[0]).toBe('openFile');
});

it('does nothing in a folder that is no longer open', async () => {
  const { open, doers, log } = world(READ);
  await open();
  panel.say({ type: 'ready' });
  panel.folders = [LIB];
  panel.say({ type: 'act', finding: 1, action: 'copyMap' });
  await vi.waitFor(() => expect(log.error.mock.lastCall?.[1]).toMatchObject({ reason: 'noFolder' }));
  expect(doers.copyRepoMap).not.toHaveBeenCalled();
});

it.each([
  ['gone', async () => ({ sessions: [], page: undefined, problems: [] }), undefined],
  ['failed', async () => Promise.reject(new Error('the thread is lost')), 'the thread is lost'],
] as const)('says that the session is %s', async (state, read, message) => {
  const { open } = world(read);
  await open();
  panel.say({ type: 'ready' });
  expect(last()).toMatchObject({ state, page: undefined, message });
});

it('refuses what a page may not say, and tells a closed one nothing', async () => {
  const { open, log, view, changed, registry } = world(READ);
  await open();
  panel.say({ type: 'act', finding: 0, action: 'delete' });
  expect(log.warn).toHaveBeenCalledOnce();
  panel.close();
  const { length } = panel.told;
  changed.fire();
  await view.readAgain();
  expect(panel.told).toHaveLength(length);
  expect(view.snapshot).toBeUndefined();
  expect(registry.want.mock.calls.at(-1)).toEqual(['sessionPage', false]);
});
