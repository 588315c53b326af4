import { describe, expect, it } from 'vitest';
import type { ProcessRequest } from '../../../../src/core/ports/ports';
import { AgentQueries } from '../../../../src/core/workspace/agentQueries';
import { filterInStretches } from '../../../../src/core/workspace/coalescingLoop';
import { InstructionQueries } from '../../../../src/core/workspace/instructionQueries';
import { FakeClock, gitThatDeleted, makePorts } from '../../../support/workspaceFakes';

/** Tells how many of its entries were looked at. */
class CountedSet extends Set<string> {
  looked = 0;

  override *[Symbol.iterator](): SetIterator<string> {
    for (const item of super.values()) {
      this.looked++;
      yield item;
    }
  }
}

/** Keeps how far `files` had come each time that the thread was let go. */
class StretchClock extends FakeClock {
  readonly turns: number[] = [];

  constructor(private readonly files: CountedSet) {
    super();
  }

  override schedule(callback: () => void, delayMs: number) {
    this.turns.push(this.files.looked);
    return super.schedule(callback, delayMs);
  }

  /** The most entries between two turns. */
  get longest(): number {
    const places = [0, ...this.turns, this.files.looked];
    return Math.max(...places.slice(1).map((place, at) => place - places[at]!));
  }
}

const PATHS = ['AGENTS.md', ...Array.from({ length: 20_000 }, (_, at) => `src/folder${at % 100}/file${at}.ts`)];
const TEXT = 'See `src/folder1/parser.ts` and `src/folder1/file1.ts`.\n';

function world() {
  const files = new CountedSet(PATHS);
  const clock = new StretchClock(files);
  const run = (request: ProcessRequest) => gitThatDeleted(request, ['src/folder1/parser.ts']);
  const ports = { ...makePorts({ 'AGENTS.md': TEXT }), clock, processes: { run } };
  const folder = { files, links: new Map<string, string>(), isIgnored: () => false };
  return { files, clock, ports, folder };
}

describe('a listing of many files', () => {
  it('is filtered in its order', async () => {
    const kept = await filterInStretches(PATHS, (path) => path.endsWith('7.ts'), new FakeClock());
    expect(kept).toEqual(PATHS.filter((path) => path.endsWith('7.ts')));
    expect(await filterInStretches([], () => true, new FakeClock())).toEqual([]);
  });

  it('is looked through for agents in stretches, between which the host has its thread', async () => {
    const { files, clock, ports } = world();
    const agents = new AgentQueries(ports);
    await agents.refresh({ files, links: new Map(), repositories: new Set(['']) }, undefined);
    expect(agents.coverage?.length).toBeGreaterThan(0);
    expect(files.looked).toBe(PATHS.length);
    expect(clock.longest).toBeLessThanOrEqual(2001);
  });

  it('is looked through for stale paths in stretches, and not again while the listing is the same', async () => {
    const { files, clock, ports, folder } = world();
    const instructions = new InstructionQueries(ports, () => true);
    await instructions.refresh(folder);
    expect(instructions.notices.map(({ kind, line }) => [kind, line])).toEqual([['stalePath', 1]]);
    expect(clock.longest).toBeLessThanOrEqual(2001);
    const { looked } = files;
    await instructions.refresh(folder);
    expect(files.looked).toBe(looked);
    expect(instructions.notices).toHaveLength(1);
    instructions.take({ kind: 'files', changed: ['src/folder1/parser.ts'], removed: [] });
    await instructions.refresh(folder);
    expect(files.looked).toBeGreaterThan(looked);
  });
});
