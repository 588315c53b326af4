/**
 * What the tests need of the extension host that they run in. Each entry (`index.ts` for Node, `web/index.ts` for a
 * browser) says which one it is, before the suites are defined.
 */

/** What not every host has. */
export type Capability =
  /** Programs can be run: plug-ins, git, tasks, terminals, hooks of agents. */
  'processes';

/** How long the extension's code held the thread. */
export interface Blocking {
  /** The longest stretch within one turn of the event loop, process starts apart, in milliseconds. */
  readonly longestMs: number;
  /** The longest start of a child process: the system call copies the host's page tables, so it grows with its memory. */
  readonly longestSpawnMs: number;
  readonly totalMs: number;
  /** Functions that were on top during the longest stretch, the most frequent first. */
  readonly longestIn: readonly string[];
}

/** One extension host; paths are relative to the first folder. */
export interface TestHost {
  readonly has: ReadonlySet<Capability>;
  /** Writes behind the editor's back, where there is a disk. */
  write(relative: string, text: string): Promise<void>;
  append(relative: string, text: string): Promise<void>;
  readText(relative: string): Promise<string>;
  exists(relative: string): Promise<boolean>;
  /** Nothing happens when there is no such file. */
  remove(relative: string): Promise<void>;
  /** Runs `work` and tells how long the thread was held by the extension's bundle. */
  measureBlocking(work: () => Promise<void>): Promise<Blocking>;
}

let current: TestHost | undefined;
/** Titles of tests that this host cannot run, by what it lacks. */
const leftOut = new Map<Capability, string[]>();

export function useHost(host: TestHost): void {
  current = host;
}

export function host(): TestHost {
  if (!current) throw new Error('No host was chosen: call useHost first');
  return current;
}

/** A test for hosts that have `capability`; others count it among those they leave out. */
export function testWith(capability: Capability, title: string, body: () => Promise<void>): void {
  if (host().has.has(capability)) test(title, body);
  else leave(capability, title);
}

/** The same for a whole suite, which is one entry of what is left out. */
export function suiteWith(capability: Capability, title: string, define: () => void): void {
  if (host().has.has(capability)) suite(title, define);
  else leave(capability, `${title} (suite)`);
}

function leave(capability: Capability, title: string): void {
  leftOut.set(capability, [...(leftOut.get(capability) ?? []), title]);
}

/** Says what this host was not asked, and why. */
export function tellLeftOut(): void {
  for (const [capability, titles] of leftOut)
    console.log(`${titles.length} not for this host, which has no ${capability}: ${titles.join('; ')}`);
}
