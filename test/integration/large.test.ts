import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Blocking, measureBlocking } from './blocking';
import { expanded, extensionApi, ready, showPanel, until, write } from './support';

/** The extension host must not be held up longer than this by our code (DESIGN §10). */
const MAX_BLOCKING_MS = 10;
/**
 * For the one cold run, while editor, browser and all our workers start on the same processors and a system call may
 * wait for one: only code that really blocks breaks this.
 */
const MAX_BLOCKING_COLD_MS = 100;
/** What our code does is in every run, what the machine does is not: the best of so many counts. */
const RUNS = 3;

const SCRIPT = '/dist/extension.js';

function tell(what: string, { longestMs, longestSpawnMs, totalMs, longestIn }: Blocking): void {
  console.log(
    `      ${what}: longest stretch ${longestMs.toFixed(1)} ms, ${totalMs.toFixed(0)} ms in all (${longestIn.join(', ')}); ` +
      `longest process start ${longestSpawnMs.toFixed(1)} ms`,
  );
}

/** The shortest longest stretch of several runs, in milliseconds. */
async function bestOf(what: string, work: (run: number) => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 1; run <= RUNS; run++) {
    const blocking = await measureBlocking(SCRIPT, () => work(run));
    tell(`${what} ${run}`, blocking);
    best = Math.min(best, blocking.longestMs);
  }
  return best;
}

/** A folder of 2,000 source files: the extension host stays free. */
export function largeTests(): void {
  suite('in a folder of 2,000 files', () => {
    test('the first count, cold, is exact and leaves the extension host free', async () => {
      const first = await measureBlocking(SCRIPT, async () => {
        await showPanel();
        await ready();
      });
      tell('first count', first);
      assert.ok(expanded(await ready()).budget.isExact);
      assert.ok(first.longestMs <= MAX_BLOCKING_COLD_MS, `${first.longestMs.toFixed(1)} ms`);
    });

    test('reading everything again holds it for at most 10 ms', async () => {
      const longestMs = await bestOf('refresh', async () => {
        await vscode.commands.executeCommand('contextBudget.refresh');
        await ready();
      });
      assert.ok(longestMs <= MAX_BLOCKING_MS, `${longestMs.toFixed(1)} ms`);
    });

    test('one saved file holds it for at most 10 ms', async () => {
      const api = await extensionApi();
      const longestMs = await bestOf('one save', async (run) => {
        await write('AGENTS.md', `# Large\n\nMany files, for measuring, and line ${run} more.\n`);
        await until('the change is counted', () => expanded(api.snapshot()).text.includes(`line ${run} more`));
        await ready();
      });
      assert.ok(longestMs <= MAX_BLOCKING_MS, `${longestMs.toFixed(1)} ms`);
    });
  });
}
