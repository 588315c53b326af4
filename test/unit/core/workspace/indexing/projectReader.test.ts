import { describe, expect, it } from 'vitest';
import { NEVER_ABORTED } from '../../../../../src/core/ports/ports';
import { ProjectReader } from '../../../../../src/core/workspace/indexing/projectReader';
import { WorkspaceState } from '../../../../../src/core/workspace/workspaceState';
import { MemoryCache, makePorts, PREFERENCES } from '../../../../support/workspaceFakes';
import { FakeProcesses } from '../../pipeline/collect/fakeProcesses';

const HEAD = 'a'.repeat(40);
const LATER = 'b'.repeat(40);
const FILES = { 'package.json': '{ "description": "A shop for birds" }', 'src/a.ts': 'export class A {}\n' };

function makeReader({ isTrusted = true, cache = new MemoryCache() } = {}) {
  const git = { head: HEAD };
  const processes = new FakeProcesses((argv) =>
    argv.includes('rev-parse')
      ? { stdout: `${git.head}\n` }
      : { stdout: '\x01feat: two\0\nsrc/a.ts\0src/b.ts\0\x01fix: one\0\nsrc/a.ts\0' },
  );
  const ports = { ...makePorts(FILES), processes, cache };
  const state = new WorkspaceState(ports.clock, { ...PREFERENCES, isTrusted });
  const mapFiles = { all: () => Object.keys(FILES) };
  const reader = new ProjectReader(ports, state, mapFiles);
  return { reader, ports, processes, git, refresh: () => reader.refresh(NEVER_ABORTED) };
}

const PROJECT = {
  packages: [{ path: '', job: 'A shop for birds' }],
  churn: [
    ['src/a.ts', 2],
    ['src/b.ts', 1],
  ],
  messages: [
    ['feat: two', [0, 1]],
    ['fix: one', [0]],
  ],
};

describe('ProjectReader', () => {
  it('tells the engine of packages and history once, and again when they may have changed', async () => {
    const { reader, ports, processes, git, refresh } = makeReader();
    await Promise.all([refresh(), refresh()]);
    await refresh();
    expect(ports.engine.projects).toEqual([PROJECT]);
    expect([processes.count('log'), reader.revision]).toEqual([1, 1]);
    // Nothing that it reads.
    reader.take({ kind: 'files', changed: ['src/a.ts'], removed: [] });
    await refresh();
    expect(processes.count('rev-parse')).toBe(1);
    // The same commit again: the history is known.
    reader.take({ kind: 'git' });
    await refresh();
    expect([processes.count('rev-parse'), processes.count('log'), reader.revision]).toEqual([2, 1, 1]);
    git.head = LATER;
    reader.take({ kind: 'git' });
    await refresh();
    expect([processes.count('log'), ports.engine.projects.length]).toEqual([2, 1]);
    ports.files.nodes.set('package.json', '{ "description": "A shop for cats" }');
    reader.take({ kind: 'files', changed: ['package.json'], removed: [] });
    await refresh();
    expect(ports.engine.projects.at(-1)?.packages[0]?.job).toBe('A shop for cats');
    expect(reader.revision).toBe(2);
  });

  it('reads the history without the packages where that is enough, and keeps the packages that it knows', async () => {
    const { reader, ports, processes, git, refresh } = makeReader();
    await reader.refreshHistory(NEVER_ABORTED);
    await reader.refreshHistory(NEVER_ABORTED);
    expect(ports.engine.projects).toEqual([{ ...PROJECT, packages: [] }]);
    await refresh();
    expect(ports.engine.projects.slice(1)).toEqual([PROJECT]);
    git.head = LATER;
    reader.outdate();
    await reader.refreshHistory(NEVER_ABORTED);
    expect([processes.count('log'), ports.engine.projects.length]).toEqual([2, 2]);
  });

  it('tells an engine that was started again', async () => {
    const { reader, ports, refresh } = makeReader();
    await refresh();
    reader.reset();
    await refresh();
    expect(ports.engine.projects).toEqual([PROJECT, PROJECT]);
  });

  it('keeps the history of a commit for other processes, and that of one commit alone', async () => {
    const cache = new MemoryCache();
    await makeReader({ cache }).refresh();
    const second = makeReader({ cache });
    await second.refresh();
    expect(second.processes.count('log')).toBe(0);
    expect(second.ports.engine.projects).toEqual([PROJECT]);
    second.git.head = LATER;
    second.reader.outdate();
    await second.refresh();
    expect(second.processes.count('log')).toBe(1);
    expect(cache.packs.size).toBe(1);
  });

  it.each([
    ...['[["a"', '[["src/a.ts", 1]]', '{ "churn": [["src/a.ts", 1]] }', '{ "churn": ["src/a.ts"], "messages": [] }'],
    ...['{ "churn": [["src/a.ts", "1"]], "messages": [] }', '{ "churn": [[1, 1]], "messages": [] }'],
    ...['{ "churn": [], "messages": [["fix: one", 1]] }', '{ "churn": [], "messages": [[1, [0]]] }'],
  ])('reads the history again where what is kept is damaged: %s', async (body) => {
    const cache = new MemoryCache();
    await makeReader({ cache }).refresh();
    for (const [name, pack] of cache.packs) cache.packs.set(name, { ...pack, body: new TextEncoder().encode(body) });
    const second = makeReader({ cache });
    await second.refresh();
    expect(second.ports.engine.projects).toEqual([PROJECT]);
  });

  it('reads no history in a folder that is not trusted', async () => {
    const { ports, processes, refresh } = makeReader({ isTrusted: false });
    await refresh();
    expect(processes.requests).toEqual([]);
    expect(ports.engine.projects).toEqual([{ ...PROJECT, churn: [], messages: [] }]);
  });

  it('tries again after the engine failed', async () => {
    const { ports, refresh } = makeReader();
    const { setProject } = ports.engine;
    ports.engine.setProject = () => Promise.reject(new Error('gone'));
    await expect(refresh()).rejects.toThrow('gone');
    ports.engine.setProject = setProject;
    await refresh();
    expect(ports.engine.projects).toEqual([PROJECT]);
  });
});
