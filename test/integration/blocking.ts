import { type Profiler, Session } from 'node:inspector/promises';
import type { Blocking } from './host';

const SAMPLING_US = 250;
/**
 * A sample counts for this long at most. A longer gap is a thread that had no processor (two cores run the editor, the
 * browser and the workers at once), which says nothing about the code.
 */
const MAX_SAMPLE_US = 4 * SAMPLING_US;

/** Runs `work` under V8's sampling profiler and tells how long code of a script whose URL ends in `script` ran at once. */
export async function measureBlocking(script: string, work: () => Promise<void>): Promise<Blocking> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
    await session.post('Profiler.start');
    const turns = new Turns();
    await work();
    turns.stop();
    const { profile } = await session.post('Profiler.stop');
    return longestStretch(profile, script, turns.endsUs);
  } finally {
    session.disconnect();
  }
}

/**
 * Runs `work` and tells for how many milliseconds in all code of a script whose URL ends in `script` was sampled. Unlike
 * `measureBlocking` it does not keep the event loop turning, so it can watch a host that rests.
 */
export async function measureOwnTime(script: string, work: () => Promise<void>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 4 * SAMPLING_US });
    await session.post('Profiler.start');
    await work();
    const { profile } = await session.post('Profiler.stop');
    const ours = nodesOf(profile, script);
    const { samples = [], timeDeltas = [] } = profile;
    const us = samples.map((node, i) => (ours.has(node) ? Math.min(timeDeltas[i + 1] ?? 0, 4 * MAX_SAMPLE_US) : 0));
    return us.reduce((sum, each) => sum + each, 0) / 1000;
  } finally {
    session.disconnect();
  }
}

/** Notes when each turn of the event loop ends: between two turns the host gets to its other work. */
class Turns {
  /** On the profiler's clock. */
  readonly endsUs: number[] = [];
  #isOn = true;

  constructor() {
    const turn = (): void => {
      this.endsUs.push(Number(process.hrtime.bigint()) / 1000);
      if (this.#isOn) setImmediate(turn);
    };
    setImmediate(turn);
  }

  stop(): void {
    this.#isOn = false;
  }
}

function longestStretch(profile: Profiler.Profile, script: string, turnEndsUs: readonly number[]): Blocking {
  const ours = nodesOf(profile, script);
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.functionName || '(anonymous)']));
  const { samples = [], timeDeltas = [] } = profile;
  const own = new Stretches();
  const spawns = new Stretches();
  let atUs = profile.startTime;
  let turn = 0;
  for (const [i, node] of samples.entries()) {
    atUs += timeDeltas[i] ?? 0;
    if ((turnEndsUs[turn] ?? Number.POSITIVE_INFINITY) <= atUs) {
      own.end();
      while ((turnEndsUs[turn] ?? Number.POSITIVE_INFINITY) <= atUs) turn++;
    }
    // A sample stands for the time until the next one.
    const us = timeDeltas[i + 1] ?? 0;
    const isSpawn = ours.has(node) && names.get(node) === 'spawn';
    own.add(node, Math.min(us, MAX_SAMPLE_US), ours.has(node) && !isSpawn);
    spawns.add(node, us, isSpawn);
  }
  return {
    longestMs: own.longestUs / 1000,
    longestSpawnMs: spawns.longestUs / 1000,
    totalMs: own.totalUs / 1000,
    longestIn: mostFrequent(own.longest, names),
  };
}

/** Adds up samples that follow each other. */
class Stretches {
  longestUs = 0;
  totalUs = 0;
  longest: readonly number[] = [];
  #currentUs = 0;
  #current: number[] = [];

  end(): void {
    this.#currentUs = 0;
    this.#current = [];
  }

  add(node: number, us: number, isInside: boolean): void {
    if (!isInside) {
      this.end();
      return;
    }
    this.#currentUs += us;
    this.totalUs += us;
    this.#current.push(node);
    if (this.#currentUs <= this.longestUs) return;
    this.longestUs = this.#currentUs;
    this.longest = [...this.#current];
  }
}

/** Nodes of the call tree with a frame of the script anywhere above them. */
function nodesOf(profile: Profiler.Profile, script: string): ReadonlySet<number> {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const children = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const found = new Set<number>();
  const visit = (id: number, isInside: boolean): void => {
    const node = byId.get(id);
    if (!node) return;
    const isOurs = isInside || node.callFrame.url.endsWith(script);
    if (isOurs) found.add(id);
    for (const child of node.children ?? []) visit(child, isOurs);
  };
  for (const { id } of profile.nodes) if (!children.has(id)) visit(id, false);
  return found;
}

function mostFrequent(nodes: readonly number[], names: ReadonlyMap<number, string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const name = names.get(node) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .slice(0, 6);
}
