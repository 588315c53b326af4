import { describe, expect, it } from 'vitest';
import { Workspace, type WorkspacePreferences } from '../../../../../src/core/workspace/workspace';
import { makePorts, PREFERENCES } from '../../../../support/workspaceFakes';

/** More files than are parsed at once. */
const MANY = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`src/f${i}.ts`, `let a${i} = 1\n`]));
const TASK = { ...PREFERENCES, task: 'the store loses its rows' };
/** Longer than the rest waits. */
const IDLE_MS = 1000;

function makeWorkspace(preferences: WorkspacePreferences = TASK) {
  const ports = makePorts(MANY);
  ports.engine.candidates = ['src/f7.ts', 'src/f3.ts'];
  return { ports, workspace: new Workspace(ports, preferences) };
}

/** Lets time pass until nothing is under way. */
async function finish({ ports, workspace }: ReturnType<typeof makeWorkspace>) {
  let isReady = false;
  const ready = workspace.whenReady().then((snapshot) => {
    isReady = true;
    return snapshot;
  });
  while (!isReady) {
    for (let i = 0; i < 500; i++) await Promise.resolve();
    ports.clock.advance(IDLE_MS);
  }
  return ready;
}

describe('two speeds', () => {
  it('makes a map for a task once its candidates are parsed, and parses the rest in idle time', async () => {
    const world = makeWorkspace();
    const { ports, workspace } = world;
    await workspace.map({});
    expect(ports.parser.scanned).toHaveLength(500);
    expect(ports.parser.parsed).toEqual(['src/f7.ts', 'src/f3.ts']);
    const snapshot = await finish(world);
    expect([...ports.parser.parsed].sort()).toEqual(Object.keys(MANY).sort());
    expect(snapshot.index.phase).toBe('ready');
    expect(ports.engine.requests.at(-1)?.isIndexReady).toBe(true);
  });

  it('parses at once without a task, since a map by structure needs every definition', async () => {
    const { ports, workspace } = makeWorkspace(PREFERENCES);
    await workspace.map({});
    expect(ports.parser.scanned).toEqual([]);
    expect(ports.parser.parsed).toHaveLength(500);
  });

  it('makes a map that is asked for with its query as soon, though the workspace has no task', async () => {
    const world = makeWorkspace(PREFERENCES);
    const { ports, workspace } = world;
    await workspace.map({ query: 'the store loses its rows' });
    expect(ports.parser.scanned).toHaveLength(500);
    expect(ports.parser.parsed).toEqual(['src/f7.ts', 'src/f3.ts']);
    expect((await finish(world)).index.phase).toBe('ready');
    expect([...ports.parser.parsed].sort()).toEqual(Object.keys(MANY).sort());
  });

  it('lets a map for a task go before the parsing of all files that is under way', async () => {
    const world = makeWorkspace(PREFERENCES);
    const { ports, workspace } = world;
    let open: () => void = () => undefined;
    ports.parser.gate = new Promise((resolve) => {
      open = resolve;
    });
    workspace.start();
    for (let i = 0; i < 3000; i++) await Promise.resolve();
    const map = workspace.map({ query: 'the store loses its rows' });
    for (let i = 0; i < 3000; i++) await Promise.resolve();
    open();
    await map;
    expect(ports.parser.parsed).toContain('src/f7.ts');
    expect(ports.parser.parsed.length).toBeLessThan(400);
    expect((await finish(world)).index.phase).toBe('ready');
    expect(new Set(ports.parser.parsed).size).toBe(500);
    expect([...ports.engine.files.values()].every((file) => file.startsWith('parsed:'))).toBe(true);
  });

  it('parses for another query only what that one needs', async () => {
    const { ports, workspace } = makeWorkspace();
    await workspace.map({});
    ports.engine.candidates = ['src/f7.ts', 'src/f9.ts'];
    await workspace.map({ query: 'another thing' });
    expect(ports.parser.parsed).toEqual(['src/f7.ts', 'src/f3.ts', 'src/f9.ts']);
    await workspace.map({ query: 'another thing' });
    expect(ports.parser.parsed).toHaveLength(3);
  });

  it('shows a map by structure as not counted until all is parsed', async () => {
    const world = makeWorkspace();
    const { ports, workspace } = world;
    await workspace.map({});
    workspace.update({ task: '' });
    await workspace.whenCollected();
    expect(ports.engine.requests.at(-1)?.isIndexReady).toBe(false);
    await finish(world);
    expect(ports.engine.requests.at(-1)?.isIndexReady).toBe(true);
  });

  it('lets a save go before the rest', async () => {
    const world = makeWorkspace();
    const { ports, workspace } = world;
    await workspace.map({});
    ports.files.nodes.set('src/f400.ts', 'let changed = 1\n');
    workspace.notify({ kind: 'files', changed: ['src/f400.ts'], removed: [] });
    await workspace.map({});
    expect(ports.parser.parsed).toContain('src/f400.ts');
    expect(ports.parser.parsed.length).toBeLessThan(10);
    await finish(world);
    expect(ports.parser.parsed.filter((path) => path === 'src/f400.ts')).toHaveLength(1);
  });

  it('stops in the middle of the rest and goes on where it was', async () => {
    const world = makeWorkspace();
    const { ports, workspace } = world;
    await workspace.map({});
    workspace.stopIndexing();
    expect((await finish(world)).index.phase).toBe('stopped');
    const before = ports.parser.parsed.length;
    expect(before).toBeLessThan(500);
    workspace.resumeIndexing();
    expect((await finish(world)).index.phase).toBe('ready');
    expect(ports.parser.parsed).toHaveLength(500);
  });

  it('fills an engine that lost its memory again', async () => {
    const world = makeWorkspace();
    const { ports } = world;
    await finish(world);
    ports.engine.restart();
    await finish(world);
    expect(ports.engine.files.size).toBe(500);
    expect([...ports.engine.files.values()].every((file) => file.startsWith('parsed:'))).toBe(true);
  });

  it('is not interrupted by reports for what is parsed already', async () => {
    const world = makeWorkspace();
    const { ports, workspace } = world;
    await workspace.map({});
    const settle = async () => {
      for (let i = 0; i < 3000; i++) await Promise.resolve();
    };
    let open: () => void = () => undefined;
    ports.parser.gate = new Promise((resolve) => {
      open = resolve;
    });
    await settle();
    ports.clock.advance(IDLE_MS);
    await settle();
    workspace.notify({ kind: 'diagnostics' });
    await settle();
    open();
    await settle();
    // Had it been interrupted, it would wait for idle time again.
    expect(ports.parser.parsed).toHaveLength(500);
    expect((await finish(world)).index.phase).toBe('ready');
  });

  it('leaves no timer behind', async () => {
    const { ports, workspace } = makeWorkspace();
    await workspace.map({});
    workspace.dispose();
    for (let i = 0; i < 500; i++) await Promise.resolve();
    expect(ports.clock.waiting).toBe(0);
  });
});
