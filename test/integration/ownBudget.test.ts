import * as assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { measureOwnTime } from './blocking';
import { extensionScript } from './nodeHost';
import { extensionApi, ready, section, showPanel, until, write } from './support';

const MB = 1024 * 1024;
/** Long enough that one wake-up in ten seconds is seen. */
const IDLE_MS = Number(process.env.CONTEXT_BUDGET_IDLE_MS ?? 20_000);
/** After this long without an event everything that was put off is done. */
const SETTLE_MS = 5_000;
const SAVES = 20;
const FILES = 10_000;
/** They and the instruction file. */
const FILES_SHOWN = /of 10,001 files/;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Processor time in milliseconds: `all` of this process, `threads` of all its threads but the main one (Linux). */
interface Processor {
  readonly all: number;
  readonly threads: number;
}

/** Kernel's clock ticks a second, as `getconf CLK_TCK` says on every Linux that VS Code runs on. */
const TICKS = 100;

function processor(): Processor {
  const { user, system } = process.cpuUsage();
  const all = (user + system) / 1000;
  if (process.platform !== 'linux') return { all, threads: Number.NaN };
  // Fields 14 and 15 of `stat`, counted behind the command's name in parentheses.
  const main = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const mainMs = ((Number(main[11]) + Number(main[12])) * 1000) / TICKS;
  return { all, threads: all - mainMs };
}

function threadCount(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').length : Number.NaN;
}

/** Where our script set timers while `work` ran, one entry each: whoever does nothing sets none. */
async function timersOf(work: () => Promise<void>): Promise<readonly string[]> {
  const { setTimeout: timeout, setInterval: interval, setImmediate: immediate } = globalThis;
  const found: string[] = [];
  const spy = <F extends (...args: never[]) => unknown>(original: F): F =>
    Object.assign((...args: Parameters<F>) => {
      const own = new Error().stack?.split('\n').find((frame) => frame.includes(extensionScript()));
      if (own !== undefined) found.push(own.trim());
      return original(...args);
    }, original) as unknown as F;
  Object.assign(globalThis, { setTimeout: spy(timeout), setInterval: spy(interval), setImmediate: spy(immediate) });
  try {
    await work();
  } finally {
    Object.assign(globalThis, { setTimeout: timeout, setInterval: interval, setImmediate: immediate });
  }
  return found;
}

interface Spent {
  /** Our code on the extension host's own thread. */
  readonly ownMs: number;
  readonly timers: readonly string[];
  /** All threads but the host's own: ours, V8's, and VS Code's. */
  readonly threadsMs: number;
  /** Everything in the process, VS Code's own work included. */
  readonly allMs: number;
}

async function spentBy(work: () => Promise<void>): Promise<Spent> {
  const before = processor();
  let timers: readonly string[] = [];
  const ownMs = await measureOwnTime(extensionScript(), async () => {
    timers = await timersOf(work);
  });
  const after = processor();
  return { ownMs, timers, threadsMs: after.threads - before.threads, allMs: after.all - before.all };
}

function tell(what: string, { ownMs, timers, threadsMs, allMs }: Spent): void {
  console.log(
    `      ${what}: our code ${ownMs.toFixed(1)} ms, ${timers.length} timers, other threads ${threadsMs.toFixed(0)} ms, ` +
      `whole process ${allMs.toFixed(0)} ms`,
  );
  const places = new Map<string, number>();
  for (const frame of timers) places.set(frame, (places.get(frame) ?? 0) + 1);
  for (const [frame, count] of places) console.log(`        ${count} × ${frame}`);
}

async function setStatusBar(isVisible: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration('contextBudget');
  await settings.update('statusBar.visible', isVisible, vscode.ConfigurationTarget.Global);
}

/** Saves the same file again and again, each time after the last was dealt with. */
async function save(check: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < SAVES; round++) {
    await write('AGENTS.md', `# Large\n\nRound ${round} of saves.\n`);
    await check(round);
  }
}

/**
 * A folder of 10,000 source files. What the extension takes while nobody looks is printed and told by the bench; here
 * only that it sets no timer then. Tests build on each other.
 */
export function ownBudgetTests(): void {
  suite('what the extension itself takes', () => {
    test('with the panel hidden and the status bar off nothing is opened, and nothing wakes up', async function () {
      this.timeout(IDLE_MS + 60_000);
      const api = await extensionApi();
      await pause(SETTLE_MS);
      assert.deepEqual(api.workspaces(), []);
      const idle = await spentBy(() => pause(IDLE_MS));
      tell(`idle ${IDLE_MS / 1000} s, never shown`, idle);
      assert.deepEqual(idle.timers, []);
      assert.deepEqual(api.workspaces(), []);
    });

    test('10,000 files are indexed', async function () {
      this.timeout(600_000);
      const before = process.memoryUsage();
      const threads = threadCount();
      let peak = before.rss;
      const sampling = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 100);
      await showPanel();
      const isIndexed = async (): Promise<boolean> =>
        (await ready()).index.phase === 'ready' && FILES_SHOWN.test(section(await ready(), 'repo-map').reason);
      await until('all files are in the map', isIndexed);
      clearInterval(sampling);
      await pause(SETTLE_MS);
      const after = process.memoryUsage();
      const mb = (bytes: number): string => (bytes / MB).toFixed(0);
      console.log(
        `      ${FILES} files indexed: resident ${mb(after.rss - before.rss)} MB more, ${mb(peak - before.rss)} MB at most, ` +
          `heap of the host ${mb(after.heapUsed - before.heapUsed)} MB more, ${threadCount() - threads} threads more`,
      );
    });

    test('hidden again, nothing wakes up', async function () {
      this.timeout(IDLE_MS + 60_000);
      await vscode.commands.executeCommand('workbench.view.explorer');
      await pause(SETTLE_MS);
      const idle = await spentBy(() => pause(IDLE_MS));
      tell(`idle ${IDLE_MS / 1000} s, hidden again`, idle);
      assert.deepEqual(idle.timers, []);
    });

    test('saves that nobody watches are not counted', async function () {
      this.timeout(120_000);
      const api = await extensionApi();
      const revision = api.snapshot()?.revision;
      const saves = await spentBy(() => save(() => pause(300)));
      tell(`${SAVES} saves, hidden`, saves);
      assert.equal(api.snapshot()?.revision, revision);
    });

    test('the status bar alone follows saves, and rests between them', async function () {
      this.timeout(IDLE_MS + 120_000);
      const api = await extensionApi();
      await setStatusBar(true);
      await ready();
      const saves = await spentBy(() =>
        save((round) =>
          until('the save is counted', () =>
            api.snapshot()?.report?.payloads.expanded.text.includes(`Round ${round} of`),
          ),
        ),
      );
      tell(`${SAVES} saves, status bar alone`, saves);
      await pause(SETTLE_MS);
      const idle = await spentBy(() => pause(IDLE_MS));
      tell(`idle ${IDLE_MS / 1000} s, status bar alone`, idle);
      assert.deepEqual(idle.timers, []);
    });
  });
}
