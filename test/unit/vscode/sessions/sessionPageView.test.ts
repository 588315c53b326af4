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
}));

vi.mock('vscode', async () => {
  const fake = await import('../../../support/fakeVscode');
  return {
    ...fake,
    ViewColumn: { Active: -1 },
    FileType: { File: 1 },
    workspace: {
      isTrusted: true,
      getConfiguration: () => ({ get: () => ['claude-code'] }),
      fs: {
        stat: async ({ path }: { path: string }) => {
          if (path.endsWith('gone.ts')) throw new Error('not there');
          return { type: 1 };
        },
      },
    },
    window: {
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

function world(read: SessionReader['read']) {
  const undone = new EventEmitter<void>();
  const changed = new EventEmitter<void>();
  const sections = [{ id: 'memory', path: 'MEMORY.md', disclosure: 'full' }];
  let line: { sentence: string } | undefined;
  const workspace = { snapshot: { report: { payloads: { expanded: { sections } } } } };
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
  const registry = { active: { folder: FOLDER, workspace }, onDidChange: changed.event, want: vi.fn() };
  const services = { context: { extensionUri: { path: '/ext' } }, log, registry, preferences: { mode: 'expanded' } };
  const view = new SessionPageView(
    services as unknown as EditorServices,
    { read } as SessionReader,
    doers as unknown as ConstructorParameters<typeof SessionPageView>[2],
    new ProblemReporter(log),
  );
  const open = () => view.open(FOLDER as unknown as vscode.WorkspaceFolder, ROW);
  return { view, open, doers, log, registry, sections, changed };
}

const last = () => panel.told.at(-1)?.snapshot;

beforeEach(() => {
  panel.told.length = 0;
});

it('tells the page that it reads, then the session with one action for each finding that has one', async () => {
  const { open, view } = world(async () => ({ sessions: [ROW], page: PAGE, problems: [] }));
  const opened = open();
  panel.say({ type: 'ready' });
  expect(last()).toMatchObject({ state: 'loading', name: 'fix login test', agent: 'Claude Code' });
  await opened;
  expect(panel.title).toBe('Session: fix login test');
  expect(last()).toMatchObject({ state: 'ready', actions: ['onDemand', 'copyMap', undefined, undefined] });
  expect(view.snapshot).toBe(last());
});

it('does what a finding offers, says what can be undone, and refuses what is no longer offered', async () => {
  const { open, doers, sections, changed } = world(async () => ({ sessions: [ROW], page: PAGE, problems: [] }));
  await open();
  panel.say({ type: 'ready' });
  panel.say({ type: 'act', finding: 0, action: 'onDemand' });
  await vi.waitFor(() => expect(last()?.undo).toBe('MEMORY.md on demand'));
  expect(doers.onDemand).toHaveBeenCalledWith('memory');
  sections[0] = { id: 'memory', path: 'MEMORY.md', disclosure: 'stub' };
  changed.fire();
  expect(last()?.actions[0]).toBe('copyMap');
  panel.say({ type: 'act', finding: 0, action: 'onDemand' });
  panel.say({ type: 'act', finding: 2, action: 'openFile' });
  panel.say({ type: 'act', finding: 9, action: 'copyMap' });
  panel.say({ type: 'act', finding: 1, action: 'copyMap' });
  panel.say({ type: 'undo' });
  await vi.waitFor(() => expect(doers.config.undo).toHaveBeenCalledOnce());
  expect(doers.onDemand).toHaveBeenCalledOnce();
  expect(doers.copyRepoMap.mock.calls).toEqual([['src/a.ts']]);
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
  const { open, log, view, changed, registry } = world(async () => ({ sessions: [ROW], page: PAGE, problems: [] }));
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
