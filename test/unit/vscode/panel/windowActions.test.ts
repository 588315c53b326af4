import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../../../src/core/pipeline/report/finding';
import { asGiven } from '../../../../src/core/text/phrase';
import type { WindowItem } from '../../../../src/core/window/loaded/windowReport';
import { panelMessageHandler } from '../../../../src/vscode/commands';
import type { KnownWindow } from '../../../../src/vscode/panel/panelWindow';
import { windowActions } from '../../../../src/vscode/panel/windowActions';
import { editor } from '../../../support/fakeEditor';

vi.mock('vscode', async () => {
  const { editor: base } = await import('../../../support/fakeEditor');
  return { ...base, Uri: Object.assign(base.Uri, { file: (path: string) => new base.Uri(path) }) };
});

const SKILL = '---\nname: ship\ndescription: Ships it\n---\n';
const KEY = 'skill:ship .claude/skills/ship/SKILL.md';

function itemOf(patch: Partial<WindowItem>): WindowItem {
  const base = { kind: 'skills' as const, source: '.claude/skills/ship/SKILL.md', line: 3, tokens: 40, tokensFull: 90 };
  return { ...base, id: 'skill:ship', fate: 'listed', certain: true, exact: true, reason: '', ...patch };
}

function known(items: readonly WindowItem[]): KnownWindow {
  return { window: { agent: 'claude-code', items }, servers: [], withHome: true, panel: { categories: [] } } as never;
}

/** Actions over files in memory, by folder and path; `isAgreed` is what the user answers to the diff. */
function start(isAgreed = true) {
  const texts = new Map<string, string>();
  const place = (folder: { readonly uri: { readonly path: string } }, path: string) => `${folder.uri.path}/${path}`;
  const files = {
    read: async (folder: never, path: string) => texts.get(place(folder, path)),
    write: async (folder: never, path: string, text: string | undefined) => {
      if (text === undefined) texts.delete(place(folder, path));
      else texts.set(place(folder, path), text);
    },
  };
  const folder = { uri: new editor.Uri('/home/jo/app') };
  const workspace = {};
  const services = { files, preferences: {}, registry: { require: async () => ({ folder, workspace }) } };
  const shown: KnownWindow | undefined = undefined as KnownWindow | undefined;
  const servers = { source: { home: '/home/jo' }, refresh: vi.fn(), measure: vi.fn(), shown };
  const offerUndo = vi.fn();
  const preview = { isAgreed: vi.fn(async () => isAgreed) };
  const actions = windowActions(services as never, servers as never, { offerUndo } as never, preview as never);
  return { texts, servers, offerUndo, preview, actions };
}

const onDemand = {
  path: '.claude/skills/ship/SKILL.md',
  format: 'frontmatter' as const,
  keys: ['hidden'],
  value: 'true',
};
const disable = { path: '~/.claude.json', format: 'json' as const, keys: ['off'], item: 'ship' };
const WINDOW = known([itemOf({ edits: { onDemand, disable } })]);

beforeEach(() => {
  vi.clearAllMocks();
  editor.workspace.isTrusted = true;
  Object.assign(editor.workspace, { textDocuments: [] });
});

describe('changes of an agent’s settings from a row', () => {
  it('are shown, written, told with the tokens that they save, and undone', async () => {
    const { texts, servers, offerUndo, preview, actions } = start();
    texts.set('/home/jo/app/.claude/skills/ship/SKILL.md', SKILL);
    await actions.rowActions.onDemand(KEY, WINDOW);
    const after = SKILL.replace('\n---\n', '\nhidden: true\n---\n');
    const [change, verb] = preview.isAgreed.mock.lastCall as unknown as [object, string];
    expect([change, verb]).toEqual([expect.objectContaining({ before: SKILL, after }), 'Load on Demand']);
    expect(texts.get('/home/jo/app/.claude/skills/ship/SKILL.md')).toBe(after);
    const [{ done, tokens, restore }] = offerUndo.mock.lastCall as [
      { done: string; tokens: () => number; restore: () => Promise<void> },
    ];
    expect(done).toBe('ship on demand');
    // Not until the window was read again: its name may stay.
    servers.shown = WINDOW;
    expect(tokens()).toBeUndefined();
    servers.shown = known([itemOf({ tokens: 6 })]);
    expect(tokens()).toBe(-34);
    await restore();
    expect(texts.get('/home/jo/app/.claude/skills/ship/SKILL.md')).toBe(SKILL);
    expect(servers.refresh).toHaveBeenCalledTimes(2);
  });

  it('make a file of the home folder where there is none, and take it away again', async () => {
    const { texts, offerUndo, actions } = start();
    await actions.rowActions.disable(KEY, WINDOW);
    expect(JSON.parse(texts.get('/home/jo/.claude.json') ?? '')).toEqual({ off: ['ship'] });
    await (offerUndo.mock.lastCall as [{ restore: () => Promise<void> }])[0].restore();
    expect([...texts]).toEqual([]);
  });

  it('write nothing when the user does not agree, in Restricted Mode, and for a row without such a setting', async () => {
    const { texts, offerUndo, actions } = start(false);
    await actions.rowActions.disable(KEY, WINDOW);
    await actions.rowActions.disable(KEY, known([itemOf({})]));
    editor.workspace.isTrusted = false;
    await expect(actions.rowActions.disable(KEY, WINDOW)).rejects.toMatchObject({ reason: 'untrusted' });
    expect([texts.size, offerUndo.mock.calls.length]).toEqual([0, 0]);
  });

  it('refuse settings that are broken, and leave them', async () => {
    const { texts, actions } = start();
    texts.set('/home/jo/.claude.json', '{ "off": ');
    await expect(actions.rowActions.disable(KEY, WINDOW)).rejects.toThrow('~/.claude.json could not be changed');
    expect(texts.get('/home/jo/.claude.json')).toBe('{ "off": ');
  });

  it('open a row’s file at its line, also one of the home folder', async () => {
    const { actions } = start();
    await actions.rowActions.open(KEY, WINDOW);
    const own = itemOf({ id: 'skill:mine', source: '~/.claude/skills/mine/SKILL.md', line: 2 });
    await actions.rowActions.open('skill:mine ~/.claude/skills/mine/SKILL.md', known([own]));
    expect(
      editor.window.showTextDocument.mock.calls.map(([uri, { selection }]) => [uri.path, selection.line + 1]),
    ).toEqual([
      ['/home/jo/app/.claude/skills/ship/SKILL.md', 3],
      ['/home/jo/.claude/skills/mine/SKILL.md', 2],
    ]);
  });
});

describe('the finding about a server', () => {
  it('does what its row does', async () => {
    const rowActions = { disable: vi.fn(), onDemand: vi.fn() };
    const applyFinding = vi.fn();
    const features = {
      workspace: {},
      view: {},
      task: {},
      relay: {},
      window: { rowActions },
      section: { applyFinding },
    };
    const problems = { runAsked: (_label: string, _name: string, run: () => unknown) => run() };
    const handle = panelMessageHandler(features as never, {} as never, problems as never);
    const row = { key: 'server .mcp.json db', action: 'disable' as const };
    const finding = { action: { label: asGiven('Disable'), change: undefined, row } } as Finding;
    await handle({ type: 'applyFinding', key: 'server' }, { finding, window: WINDOW });
    expect(rowActions.disable.mock.calls).toEqual([['server .mcp.json db', WINDOW]]);
    expect(applyFinding).not.toHaveBeenCalled();
  });
});
