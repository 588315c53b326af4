import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentId } from '../../../../src/core/model/agent';

const world = vi.hoisted(() => ({
  isTrusted: true,
  extensions: new Set<string>(),
  places: new Set<string>(),
  stats: 0,
  setting: undefined as readonly string[] | undefined,
  workspaceValue: undefined as readonly string[] | undefined,
  written: [] as unknown[],
  /** Picks among the labels that are ticked; undefined for Escape. */
  pick: (ticked: readonly string[]): readonly string[] | undefined => ticked,
  placeHolder: '',
}));

interface Item {
  readonly label: string;
  readonly picked: boolean;
}

vi.mock('vscode', () => ({
  ConfigurationTarget: { Global: 1, Workspace: 2, WorkspaceFolder: 3 },
  EventEmitter: class {},
  Uri: {
    file: (path: string) => ({ path }),
    joinPath: ({ path }: { path: string }, more: string) => ({ path: `${path}/${more}` }),
  },
  l10n: {
    t: (message: string, ...values: readonly unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])),
  },
  extensions: { getExtension: (id: string) => (world.extensions.has(id) ? {} : undefined), onDidChange: () => ({}) },
  workspace: {
    get isTrusted() {
      return world.isTrusted;
    },
    onDidGrantWorkspaceTrust: () => ({}),
    fs: {
      stat: async ({ path }: { path: string }) => {
        world.stats++;
        if (!world.places.has(path)) throw new Error('missing');
      },
    },
    getConfiguration: () => ({
      get: () => world.setting,
      inspect: () => ({ workspaceValue: world.workspaceValue }),
      update: async (...all: unknown[]) => void world.written.push(all),
    }),
  },
  window: {
    showQuickPick: async (items: readonly Item[], { placeHolder }: { placeHolder: string }) => {
      world.placeHolder = placeHolder;
      const labels = world.pick(items.filter(({ picked }) => picked).map(({ label }) => label));
      return labels && items.filter(({ label }) => labels.includes(label));
    },
  },
}));

const { MyAgents } = await import('../../../../src/vscode/agents/myAgents');

function open({ inUse = [], configured = [] }: { inUse?: readonly AgentId[]; configured?: readonly AgentId[] } = {}) {
  const preferences = { installedAgents: [] as readonly AgentId[] };
  const notes: string[] = [];
  let updates = 0;
  const whenReady = async () => ({ agentsInUse: inUse, config: { agents: configured } });
  const registry = { updatePreferences: () => updates++, require: async () => ({ folder: {}, whenReady }) };
  const editor = { preferences, registry, statusBar: { done: (note: string) => notes.push(note) } };
  const agents = new MyAgents(editor as unknown as ConstructorParameters<typeof MyAgents>[0], '/home/ann');
  return { agents, preferences, notes, updates: () => updates, choose: agents.commands['contextBudget.chooseAgents'] };
}

beforeEach(() => {
  for (const set of [world.extensions, world.places]) set.clear();
  const pick = (ticked: readonly string[]) => ticked;
  Object.assign(world, { isTrusted: true, stats: 0, setting: undefined, workspaceValue: undefined, written: [], pick });
});

describe('agents on this machine', () => {
  it('are found by their extensions at once, by their config folders when these are looked at', async () => {
    world.extensions.add('saoudrizwan.claude-dev');
    world.places.add('/home/ann/.codex');
    const { agents, preferences, updates } = open();
    expect(preferences.installedAgents).toEqual(['cline']);
    expect(world.stats).toBe(0);
    await agents.look();
    expect(preferences.installedAgents).toEqual(['codex', 'cline']);
    const before = updates();
    await agents.look();
    expect(updates()).toBe(before);
  });

  it('are not looked for in the home folder in Restricted Mode', async () => {
    world.isTrusted = false;
    world.places.add('/home/ann/.codex');
    const { agents, preferences } = open();
    await agents.look();
    expect([preferences.installedAgents, world.stats]).toEqual([[], 0]);
  });
});

describe('Choose Agents…', () => {
  it('ticks those in use, and keeps them detected while they stay as they are', async () => {
    const { choose, notes } = open({ inUse: ['codex', 'cursor'] });
    await choose();
    expect([world.written, notes]).toEqual([[], ['My agents: Codex, Cursor']]);
  });

  it('keeps what was chosen for the user, and forgets a choice of none', async () => {
    world.pick = () => ['Zed'];
    await open({ inUse: ['codex'] }).choose();
    expect(world.written).toEqual([['agents', ['zed'], 1]]);
    world.setting = ['zed', 'no such agent'];
    world.pick = (ticked) => ticked.filter((label) => label !== 'Zed');
    const { choose, notes } = open({ inUse: ['zed'] });
    await choose();
    expect(world.written.at(-1)).toEqual(['agents', undefined, 1]);
    expect(notes).toEqual(['My agents: detected']);
  });

  it('writes nothing when it is left, nor into a file of a folder that is not trusted', async () => {
    world.pick = () => undefined;
    const { choose, notes } = open({ inUse: ['codex'] });
    await choose();
    expect(notes).toEqual([]);
    Object.assign(world, { isTrusted: false, workspaceValue: ['codex'], pick: () => ['Zed'] });
    await expect(open().choose()).rejects.toThrow(/nothing is written into it/);
    expect(world.written).toEqual([]);
  });

  it("says where the folder's config decides", async () => {
    await open({ configured: ['amp'], inUse: ['amp'] }).choose();
    expect(world.placeHolder).toBe('In this folder the config decides: Amp');
  });
});
