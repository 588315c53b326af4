import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebviewView } from 'vscode';
import { DEFAULT_CONFIG } from '../../../../src/core/config/config';
import type { ContextReport, ReportSection } from '../../../../src/core/model/report';
import type { Finding } from '../../../../src/core/pipeline/report/finding';
import type { Citation } from '../../../../src/core/usage/usageRecord';
import type { Workspace } from '../../../../src/core/workspace/workspace';
import type { PanelSnapshot, PanelToHost } from '../../../../src/protocol/panel';
import { FolderFiles } from '../../../../src/vscode/base/folderFiles';
import type { EditorServices } from '../../../../src/vscode/copy/editorServices';
import { LastReply } from '../../../../src/vscode/copy/lastReply';
import { BudgetPanel } from '../../../../src/vscode/panel/budgetPanel';
import { ConfigActions } from '../../../../src/vscode/panel/configWriter';
import type { WindowServers } from '../../../../src/vscode/panel/windowServers';
import { EventEmitter, FILES } from '../../../support/fakeVscode';
import { payloadOf, sectionOf } from '../../../support/panelSnapshots';

vi.mock('vscode', () => import('../../../support/fakeVscode'));

const LARGE = sectionOf({ id: 'memory', title: 'memory', tokens: 4870 });

function reportOf(sections: readonly ReportSection[], isExact = true): ContextReport {
  const payload = payloadOf(sections, { isExact }, { mode: 'expanded' });
  return { profile: 'default', payloads: { index: payload, expanded: payload }, problems: [] };
}

/** A panel that is shown, over a workspace whose reports the test makes. */
function start() {
  const snapshot = {
    state: 'ready',
    folderName: 'folder',
    profile: 'default',
    profiles: [],
    task: '',
    isTrusted: true,
    problems: [],
    config: DEFAULT_CONFIG,
    agents: [],
    agentsInUse: ['codex'],
    report: reportOf([LARGE]),
  };
  const workspace = { snapshot, usage: undefined, notify: () => undefined };
  const folder = { uri: { path: '/folder', toString: () => 'file:///folder' }, name: 'folder' };
  const copies = new EventEmitter<void>();
  const lastReply = new LastReply({ onDidCopy: copies.event });
  const [reports, received] = [new EventEmitter<void>(), new EventEmitter<unknown>()];
  const never = new EventEmitter<void>().event;
  const [refused, said, handled] = [[] as string[], [] as string[], [] as [PanelToHost, Finding | undefined][]];
  const active = { folder, workspace };
  const editor = {
    context: { extensionUri: { path: '/extension' } },
    log: { warn: (text: string) => refused.push(text) },
    registry: {
      active,
      activeFolder: folder,
      onDidChange: reports.event,
      want: () => undefined,
      require: async () => active,
    },
    preferences: { mode: 'expanded', sort: 'size', onDidChange: never },
    clipboard: { onDidCopy: copies.event, maskedIn: () => undefined },
    lastReply,
    announce: (text: string) => said.push(text),
    files: new FolderFiles(undefined),
  } as unknown as EditorServices;
  const config = new ConfigActions(editor);
  const panel = new BudgetPanel(
    editor,
    async (message, { finding }) => {
      handled.push([message, finding]);
    },
    (command) => command,
    config,
    { onDidChange: never, failed: [], source: undefined } as unknown as WindowServers,
  );
  let shown: PanelSnapshot | undefined;
  const webview = {
    onDidReceiveMessage: received.event,
    cspSource: '',
    asWebviewUri: String,
    postMessage: (message: { snapshot: PanelSnapshot }) => {
      shown = message.snapshot;
    },
  };
  panel.resolveWebviewView({
    webview,
    visible: true,
    onDidChangeVisibility: never,
    onDidDispose: never,
  } as unknown as WebviewView);
  const send = (message: PanelToHost): void => received.fire(message);
  send({ type: 'ready' });
  const count = (report: ContextReport): void => {
    workspace.snapshot = { ...snapshot, report };
    reports.fire();
  };
  const recordReply = (cited: readonly Citation[], of: object = workspace): void =>
    lastReply.record(of as Workspace, cited);
  const copy = (): void => copies.fire();
  return { send, count, copy, recordReply, config, handled, refused, said, shown: () => shown };
}

describe('the finding and the undo line of the panel', () => {
  beforeEach(() => {
    FILES.clear();
  });

  it('are told, and the finding is applied by the key that was told', () => {
    const { send, shown, handled, refused } = start();
    expect(shown()).toMatchObject({ folderName: 'folder', folderUri: 'file:///folder', agentNames: ['Codex'] });
    expect(shown()?.finding).toMatchObject({ title: 'memory takes 65% of the limit' });
    send({ type: 'applyFinding', key: 'save:unused' });
    expect([handled.length, refused.length]).toEqual([0, 1]);
    send({ type: 'applyFinding', key: shown()?.finding?.key ?? '' });
    expect(handled.map(([{ type }, finding]) => [type, finding?.action?.change])).toEqual([
      ['applyFinding', { kind: 'list', list: 'on_demand', sectionId: 'memory', isListed: true }],
    ]);
  });

  it('are applied as the page showed them, where another one is on its way to it', () => {
    const { send, count, shown, handled, refused } = start();
    const key = shown()?.finding?.key ?? '';
    count(
      reportOf([sectionOf({ id: 'memory', tokens: 20 }), sectionOf({ id: 'guide', title: 'guide', tokens: 4870 })]),
    );
    expect(shown()?.finding?.key).toMatch(/^large:guide/);
    send({ type: 'applyFinding', key });
    expect(handled.map(([, finding]) => finding?.action?.change)).toEqual([
      { kind: 'list', list: 'on_demand', sectionId: 'memory', isListed: true },
    ]);
    expect(refused).toEqual([]);
  });

  it('have another key where the same one would do something else', () => {
    const { send, count, shown, handled } = start();
    const key = shown()?.finding?.key ?? '';
    count(reportOf([{ ...LARGE, priority: 'P1' }]));
    expect(shown()?.finding).toMatchObject({ key: expect.stringMatching(/^large:memory/), action: undefined });
    expect(shown()?.finding?.key).not.toBe(key);
    send({ type: 'applyFinding', key });
    expect(handled.map(([, finding]) => finding?.action?.change)).toMatchObject([{ sectionId: 'memory' }]);
  });

  it('stay while something is counted, and go when there is nothing to say', () => {
    const { count, shown } = start();
    count(reportOf([sectionOf({ id: 'memory', tokens: 20 })], false));
    expect(shown()?.finding?.key).toMatch(/^large:memory/);
    count(reportOf([sectionOf({ id: 'memory', tokens: 20 })]));
    expect(shown()?.finding).toBeUndefined();
  });

  it('offer to undo a change until the panel does something else', async () => {
    const { send, config, shown } = start();
    const pin = { kind: 'list', list: 'pinned', sectionId: 'memory', isListed: true } as const;
    await config.change(pin, 'memory pinned');
    expect(shown()?.undo).toEqual({ sentence: 'memory pinned' });
    send({ type: 'undo' });
    expect(shown()?.undo?.sentence, 'it is the handler that takes it back').toBe('memory pinned');
    send({ type: 'setProfile', profile: 'default' });
    expect(shown()?.undo).toBeUndefined();
  });
});

describe('what the last reply cited', () => {
  const PATH: Citation = { id: 'memory', evidence: 'path', what: 'src/a.ts', entry: 'a1b2' };
  const HANDLE: Citation = { id: 'git', evidence: 'handle', what: 'section:git' };
  const told = { id: 'memory', evidence: 'path', what: 'src/a.ts' };

  it('is told at once, by the newest reply alone, and no more after the next copy', () => {
    const { copy, recordReply, shown } = start();
    expect(shown()?.cited).toEqual([]);
    recordReply([PATH]);
    expect(shown()?.cited).toEqual([told]);
    recordReply([HANDLE]);
    expect(shown()?.cited).toEqual([HANDLE]);
    recordReply([]);
    expect(shown()?.cited).toEqual([]);
    recordReply([PATH, HANDLE]);
    copy();
    expect(shown()?.cited).toEqual([]);
  });

  it('stays while something is counted, and is told of its own folder only', () => {
    const { count, recordReply, shown } = start();
    recordReply([PATH]);
    count(reportOf([LARGE], false));
    expect(shown()?.cited).toEqual([told]);
    recordReply([HANDLE], {});
    expect(shown()?.cited).toEqual([told]);
  });
});
