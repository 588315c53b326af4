import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfigChange } from '../../../../src/core/config/configEdit';
import type { ContextReport } from '../../../../src/core/model/report';
import { FolderFiles } from '../../../../src/vscode/base/folderFiles';
import type { EditorServices } from '../../../../src/vscode/copy/editorServices';
import { ConfigActions } from '../../../../src/vscode/panel/configWriter';
import { FILES } from '../../../support/fakeVscode';
import { payloadOf, sectionOf } from '../../../support/panelSnapshots';

vi.mock('vscode', () => import('../../../support/fakeVscode'));

const CONFIG = '/folder/.context-budget/config.json';
const BEFORE = '{\n  "version": 1 // kept\n}\n';
const PIN: ConfigChange = { kind: 'list', list: 'pinned', sectionId: 'memory', isListed: true };
const ON_DEMAND: ConfigChange = { ...PIN, list: 'on_demand' };

/** A report whose one section has so many tokens, beside another one that takes half of what that frees. */
function reportOf(tokens: number, isExact = true): ContextReport {
  const payload = payloadOf([sectionOf({ id: 'memory', tokens }), sectionOf({ id: 'git', tokens: 500 - tokens / 2 })], {
    isExact,
  });
  return { profile: 'default', payloads: { index: payload, expanded: payload }, problems: [] };
}

function start() {
  const said: string[] = [];
  const told: unknown[] = [];
  const workspace = { snapshot: { report: reportOf(432) }, notify: (event: unknown) => told.push(event) };
  const folder = { uri: { path: '/folder' } };
  const editor = {
    registry: { require: async () => ({ folder, workspace }) },
    announce: (text: string) => said.push(text),
    files: new FolderFiles(undefined),
    preferences: { mode: 'expanded' },
  } as unknown as EditorServices;
  const actions = new ConfigActions(editor);
  let changes = 0;
  actions.onDidChangeUndo(() => changes++);
  const owner = workspace as unknown as Parameters<ConfigActions['undoLine']>[0];
  const line = () => actions.undoLine(owner)?.sentence;
  const count = (report: ContextReport): void => {
    workspace.snapshot = { report };
  };
  return { actions, said, told, line, count, changes: () => changes };
}

describe('a change of the config by a click', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    FILES.clear();
    FILES.set(CONFIG, BEFORE);
    return () => vi.useRealTimers();
  });

  it('is undone byte for byte, and said', async () => {
    const { actions, said, told, line, changes } = start();
    await actions.change(PIN, 'memory pinned');
    expect(FILES.get(CONFIG)).toContain('"pinned": ["memory"]');
    expect([line(), said, told.length]).toEqual(['memory pinned', ['memory pinned'], 1]);
    await actions.undo();
    expect(FILES.get(CONFIG)).toBe(BEFORE);
    expect([line(), said.at(-1), told.length, changes()]).toEqual([undefined, 'Undone: memory pinned', 2, 2]);
    await actions.undo();
    expect(told).toHaveLength(2);
  });

  it('takes a file away that it made', async () => {
    FILES.clear();
    const { actions } = start();
    await actions.change(PIN, 'memory pinned');
    expect(FILES.has(CONFIG)).toBe(true);
    await actions.undo();
    expect(FILES.has(CONFIG)).toBe(false);
  });

  it('leaves a config alone that says something else meanwhile', async () => {
    const { actions, told } = start();
    await actions.change(PIN, 'memory pinned');
    const mine = `${FILES.get(CONFIG)}// mine\n`;
    FILES.set(CONFIG, mine);
    await expect(actions.undo()).rejects.toThrow('changed meanwhile, so it was not modified');
    expect([FILES.get(CONFIG), told.length]).toEqual([mine, 1]);
  });

  it('is offered for ten seconds, or until something else is done', async () => {
    const { actions, line } = start();
    await actions.change(PIN, 'memory pinned');
    vi.advanceTimersByTime(9_999);
    expect(line()).toBe('memory pinned');
    vi.advanceTimersByTime(1);
    expect(line()).toBeUndefined();
    await actions.change(ON_DEMAND, 'memory on demand');
    vi.advanceTimersByTime(9_000);
    await actions.change({ kind: 'scoring', mode: 'static' }, 'Switched to Rules');
    vi.advanceTimersByTime(9_000);
    expect(line()).toBe('Switched to Rules');
    actions.forgetUndo();
    expect(line()).toBeUndefined();
  });

  it('says by how much the payload changed once that is counted', async () => {
    const { actions, line, count } = start();
    await actions.change(ON_DEMAND, 'memory on demand');
    count(reportOf(20, false));
    expect(line()).toBe('memory on demand');
    count(reportOf(20));
    expect(line()).toBe('memory on demand: −206 tokens');
    await actions.change({ kind: 'scoring', mode: 'static' }, 'Switched to Rules');
    count(reportOf(2020));
    expect(line()).toBe('Switched to Rules: +1,000 tokens');
    count(reportOf(20));
    expect(line()).toBe('Switched to Rules');
  });

  it('is not offered where the file says so already, nor in another workspace', async () => {
    const { actions, line, said } = start();
    await actions.change(PIN, 'memory pinned');
    expect(actions.undoLine({} as Parameters<ConfigActions['undoLine']>[0])).toBeUndefined();
    await actions.change(PIN, 'memory pinned');
    expect([line(), said.length]).toEqual([undefined, 2]);
  });
});
