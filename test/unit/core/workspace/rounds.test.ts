import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDraft } from '../../../../src/core/observations/observation';
import { encodeObservation } from '../../../../src/core/observations/observationCodec';
import type { ObservationLog } from '../../../../src/core/observations/observationLog';
import type { FileSource, ProcessOutcome, ProcessRequest } from '../../../../src/core/ports/ports';
import type { LogCursor, LogRead } from '../../../../src/core/records/recordLog';
import { Workspace, type WorkspacePorts } from '../../../../src/core/workspace/workspace';
import { english } from '../../../support/english';
import { runs } from '../../../support/runs';
import { bodyText, type FakeClock, makePorts, PREFERENCES, printed } from '../../../support/workspaceFakes';

/** Longer than sections are waited for. */
const SLOW_MS = 300;
/** More steps of time than any of these workspaces needs. */
const STEPS = 400;

const TIME = '2026-02-03 10:00:00';
const RELAY = '.context-budget/relay.json';
const CONFIG = JSON.stringify({
  sections: [
    { id: 'plug-in', command: ['plug-in'] },
    { id: 'notes', files: 'notes/*.md' },
    { id: 'again', files: 'notes/*.md' },
  ],
});
const FOLDER = {
  'AGENTS.md': '# Rules\n',
  'notes/a.md': '# A\n',
  'src/a.ts': 'one\n',
  '.context-budget/config.json': CONFIG,
  [RELAY]: JSON.stringify({ relay_context: { goal: 'all answers arrive' } }),
};

/** A log in memory whose every look takes its time. */
class SlowLog implements ObservationLog {
  looks = 0;
  failure: Error | undefined;
  unreadBytes = 0;
  readonly summaries = ['first', 'second'];
  readonly #wait: () => Promise<void>;

  constructor(wait: () => Promise<void>) {
    this.#wait = wait;
  }

  async append(): ReturnType<ObservationLog['append']> {
    throw new Error('nobody records here');
  }

  async follow(cursor: LogCursor | undefined): Promise<LogRead> {
    this.looks++;
    await this.#wait();
    if (this.failure) throw this.failure;
    const lines = this.summaries.map((summary, at) => encodeObservation(at + 1, makeDraft({ ts: TIME, summary })));
    const all = new TextEncoder().encode(lines.join(''));
    const bytes = all.subarray(cursor?.offset ?? 0);
    return {
      isReset: !cursor,
      bytes,
      cursor: { offset: all.length, identity: 'x' },
      hasMore: false,
      tornBytes: 0,
      unreadBytes: cursor ? 0 : this.unreadBytes,
    };
  }
}

/** A world in which whatever is asked takes some of the clock's time: `delaysMs` in turn, over and over. */
function slowWorld(delaysMs: readonly number[] = [SLOW_MS]) {
  const ports = makePorts(FOLDER);
  const { clock, files, engine } = ports;
  let asked = 0;
  let runs = 0;
  const wait = () =>
    new Promise<void>((resolve) => clock.schedule(resolve, delaysMs[asked++ % delaysMs.length] ?? SLOW_MS));
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await wait();
    return work();
  };
  const log = new SlowLog(wait);
  const slowFiles: FileSource = {
    rootName: files.rootName,
    list: (folder) => after(() => files.list(folder)),
    read: (path, maxBytes) => after(() => files.read(path, maxBytes)),
    resolveLink: (path) => after(() => files.resolveLink(path)),
  };
  const run = async ({ argv }: ProcessRequest): Promise<ProcessOutcome> => {
    await wait();
    if (argv[0] !== 'plug-in') return printed('');
    return printed(`SUMMARY:OK:run ${++runs}\n`);
  };
  const buildRelay = engine.buildRelay.bind(engine);
  engine.buildRelay = (given) => after(() => buildRelay(given));
  const slow: WorkspacePorts = { ...ports, files: slowFiles, processes: { run }, openObservationLog: () => log };
  /** Rounds of the report loop: each ends with one counted report. */
  const rounds = () => engine.requests.filter(({ isEstimate }) => !isEstimate).length;
  return { workspace: new Workspace(slow, PREFERENCES), engine, clock, log, nodes: files.nodes, rounds };
}

/** Lets `ms` go by in small steps. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left >= 0; left -= 50) {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    clock.advance(Math.min(left, 50));
  }
}

/** Lets time pass in small steps until `answer` is there; fails when it never comes. */
async function inTime<T>(clock: FakeClock, answer: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = () => {
    isOver = true;
  };
  answer.then(ended, ended);
  for (let step = 0; step < STEPS; step++) {
    for (let turn = 0; turn < 200 && !isOver; turn++) await Promise.resolve();
    if (isOver) return answer;
    clock.advance(50);
  }
  throw new Error('no answer: the rounds do not end');
}

/** Sections as the last report has them. */
function shown({ engine }: ReturnType<typeof slowWorld>): Record<string, string> {
  const sections = engine.requests.at(-1)?.sections ?? [];
  return Object.fromEntries(
    sections.map((section) => {
      const { id, body } = section;
      return [id, body.kind === 'observations' ? `${body.total} observations` : bodyText(section) || body.kind];
    }),
  );
}

/** Read, counted, and round once more with what was late: for the start, and for the index. */
const ROUNDS_A_REQUEST = 2;

describe('rounds of a workspace whose sources are all slower than sections are waited for', () => {
  it('end, with all sections in the report', async () => {
    const world = slowWorld();
    await inTime(world.clock, world.workspace.whenReady());
    expect(shown(world)).toMatchObject({
      'agents-md': '# Rules\n',
      'plug-in': 'SUMMARY:OK:run 1\n',
      observations: '2 observations',
      notes: '# notes/a.md\n# A\n',
      again: '# notes/a.md\n# A\n',
    });
    expect(shown(world).relay).toContain('all answers arrive');
    expect(world.log.looks).toBe(1);
    expect(world.rounds()).toBeLessThanOrEqual(2 * ROUNDS_A_REQUEST);
  });

  it('look again once for each thing that happened', async () => {
    const world = slowWorld();
    const { workspace, clock, log } = world;
    await inTime(clock, workspace.whenReady());
    const before = world.rounds();
    log.summaries.push('third');
    workspace.notify({ kind: 'observations' });
    await inTime(clock, workspace.whenReady());
    expect(shown(world).observations).toBe('3 observations');
    expect(log.looks).toBe(2);
    expect(world.rounds() - before).toBeLessThanOrEqual(ROUNDS_A_REQUEST);
  });

  it('read again what changed while they were waiting', async () => {
    const world = slowWorld();
    const { workspace, clock, log, nodes } = world;
    await inTime(clock, workspace.whenReady());
    workspace.notify({ kind: 'observations' });
    await inTime(clock, workspace.whenCollected());
    log.summaries.push('third');
    nodes.set('notes/a.md', '# B\n');
    workspace.notify({ kind: 'files', changed: ['notes/a.md'], removed: [] });
    await inTime(clock, workspace.whenReady());
    expect(shown(world)).toMatchObject({ notes: '# notes/a.md\n# B\n', observations: '3 observations' });
  });

  it('say what a late source failed with, and go on', async () => {
    const world = slowWorld();
    const { workspace, clock, log } = world;
    await inTime(clock, workspace.whenReady());
    log.failure = new Error('the engine is gone');
    workspace.notify({ kind: 'observations' });
    await expect(inTime(clock, workspace.whenReady())).rejects.toThrow('the engine is gone');
    log.failure = undefined;
    workspace.notify({ kind: 'observations' });
    await inTime(clock, workspace.whenReady());
    expect(shown(world).observations).toBe('2 observations');
  });

  it('end whatever takes how long and whatever happens meanwhile, with everything as it is in the end', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 12 });
    const happening = fc.constantFrom('files', 'observations', 'git', 'rescan', 'update', 'nothing');
    const happenings = fc.array(fc.record({ what: happening, afterMs: fc.integer({ min: 0, max: 700 }) }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(delays, happenings, async (delaysMs, events) => {
        const world = slowWorld(delaysMs);
        const { workspace, clock, log, nodes } = world;
        workspace.start();
        for (const [at, { what, afterMs }] of events.entries()) {
          await pass(clock, afterMs);
          if (what === 'files') {
            nodes.set('notes/a.md', `# ${at}\n`);
            workspace.notify({ kind: 'files', changed: ['notes/a.md'], removed: [] });
          } else if (what === 'observations') {
            log.summaries.push(`number ${at}`);
            workspace.notify({ kind: 'observations' });
          } else if (what === 'update') workspace.update({ task: `task ${at}` });
          else if (what !== 'nothing') workspace.notify({ kind: what });
        }
        await inTime(clock, workspace.whenReady());
        expect(shown(world)).toMatchObject({
          notes: `# notes/a.md\n${nodes.get('notes/a.md')}`,
          again: `# notes/a.md\n${nodes.get('notes/a.md')}`,
          observations: `${log.summaries.length} observations`,
        });
        // The start, the index, and each event, which may concern listing, index and plug-ins too.
        expect(world.rounds()).toBeLessThanOrEqual((2 + 3 * events.length) * ROUNDS_A_REQUEST);
        workspace.dispose();
      }),
      runs(30, 300),
    );
  });
});

it('a log of observations that is too large is named, whether something of it was read or nothing', async () => {
  const noted = async (summaries: readonly string[]) => {
    const { workspace, clock, log, engine } = slowWorld([0]);
    log.unreadBytes = 999;
    log.summaries.splice(0, 2, ...summaries);
    await inTime(clock, workspace.whenReady());
    const section = engine.requests.at(-1)?.sections.find(({ id }) => id === 'observations');
    const failure = section?.body.kind === 'failed' ? section.body.failure : undefined;
    return english(section?.note ?? (failure?.kind === 'unreadable' ? failure.message : undefined));
  };
  expect(await noted(['one'])).toBe('1 of 1; 999 bytes not read');
  expect(await noted([])).toBe('it is too large: 999 bytes were not read, and the rest has no observations');
});
