// The story of a relay window, as the panel tells it: running → WARNING → compaction → STALE → recovered. Somebody else
// (here: the test) writes the log and the ledger, and a person reads the panel and presses its buttons.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { onlyLong } from '../../support/extent.mjs';
import { until } from '../../support/until.mjs';

const LOG = '.context-budget/relay.json';
const LEDGER = '.context-budget/ledger.json';

const ESSENTIALS = {
  goal: 'Totals of the order report are right',
  constraints: ['Prices stay integers in cents', 'src/prices.ts alone may change'],
  latest_instruction: 'T2: find out why a discount of 15 percent rounds up',
  current_blockers: [],
  controller_route_summary: 'planner → implementer → verifier; next: implementer',
};

/** What agents leave behind in an hour: finished work, a report said twice, an error dump without a code. */
const NOISE = {
  execution_logs: [
    { task_id: 'T1', status: 'done', summary: 'read src/prices.ts' },
    { task_id: 'T1', status: 'done', summary: 'wrote a failing test' },
    { task_id: 'T2', status: 'running', summary: 'applyDiscount is being changed' },
  ],
  status_reports: [
    { event_type: 'status', dedup_key: 'T2', step_id: 's1', status: 'waiting', message: 'waiting for the suite' },
    { event_type: 'status', dedup_key: 'T2', step_id: 's1', status: 'waiting', message: 'waiting for the suite' },
  ],
  api_error_dumps: ['Traceback (most recent call last):\n  File "run.py", line 41, in main\nValueError: boom'],
};

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, inFolder: (file: string) => string,
 *   cli: (...args: string[]) => string, shootPanel: (name: string) => Promise<void> }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function relaySteps({ workbench, inFolder, cli, shootPanel }) {
  const { page, panel } = workbench;
  const part = panel.getByRole('region', { name: 'Relay', exact: true });
  const header = part.getByRole('button', { name: /^Relay/ });
  const button = (name) => part.getByRole('button', { name, exact: true });
  const recovery = part.locator('.recovery');
  const triggers = part.locator('.due li');
  const write = (file, value) => {
    mkdirSync(inFolder('.context-budget'), { recursive: true });
    writeFileSync(inFolder(file), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  /** The log as it was last written. */
  let log = {};
  const writeLog = (value) => {
    log = value;
    write(LOG, value);
  };
  const buttons = () => part.locator('.cb-rowacts button').allTextContents();
  const copiedBy = async (name) => {
    await workbench.clearClipboard();
    await button(name).click();
    return workbench.clipboard();
  };
  /** Tall enough for the whole part, scrolled to it. */
  const shootPart = async (name) => {
    const size = page.viewportSize();
    await page.setViewportSize({ ...size, height: 1400 });
    await header.scrollIntoViewIfNeeded();
    await shootPanel(name);
    await page.setViewportSize(size);
  };
  const fromCli = (...args) => cli('compact', inFolder(LOG), '--ledger', inFolder(LEDGER), '--quiet', ...args);

  return [
    [
      'a folder without a relay log has no Relay part; a log that lacks an essential opens it',
      async () => {
        await workbench.exactTokens();
        assert.equal(await part.count(), 0);
        const { latest_instruction: _, ...poor } = ESSENTIALS;
        write(LEDGER, { state: 'RUNNING', tasks: [{ task_id: 'T1', status: 'done' }] });
        writeLog({ relay_context: poor, ...NOISE });
        await header.filter({ hasText: '4 of 5 essentials' }).waitFor();
        assert.equal(await header.getAttribute('aria-expanded'), 'true');
        await part.locator('.essential.no').filter({ hasText: 'missing, not in the ledger either' }).waitFor();
        await shootPart('relay-missing');
      },
    ],
    [
      'relay, running: all five essentials are there, and nothing is due',
      async () => {
        writeLog({ relay_context: ESSENTIALS, ...NOISE });
        await header.filter({ hasText: '5 of 5 essentials' }).waitFor();
        assert.equal(await part.locator('.essential.no').count(), 0);
        assert.equal(await recovery.count(), 0);
        await part.getByText(/^no compaction needed · /).waitFor();
        await part.getByText('4 entries', { exact: true }).waitFor();
        await shootPart('relay-running');
      },
    ],
    [
      'relay, WARNING: the state, since when, why compaction is due, and what it would drop',
      async () => {
        write(LEDGER, { state: 'WARNING', tasks: [{ task_id: 'T1', status: 'done' }] });
        await recovery.filter({ hasText: /^WARNING seen since \d{4}-\d\d-\d\d \d\d:\d\d\./ }).waitFor();
        await triggers.filter({ hasText: 'Recovery: entered WARNING' }).waitFor();
        await part.getByRole('button', { name: /^execution_logs/ }).click();
        assert.deepEqual(await part.locator('.entries li').allTextContents(), [
          '[0] read src/prices.ts',
          '[1] wrote a failing test',
        ]);
        assert.deepEqual(await buttons(), [
          'Compact Relay Context',
          'Copy Relay Summary',
          'Copy Observer Relay Prompt',
          'Open',
        ]);
        await shootPart('relay-warning');
        await button('Open').click();
        await page.locator('.tab.active').filter({ hasText: 'relay.json' }).waitFor();
        await workbench.run('View: Close All Editors');
      },
    ],
    [
      'relay, compaction: the compacted log opens beside; once it is in force nothing is due',
      async () => {
        await button('Compact Relay Context').click();
        const editor = page.locator('.editor-instance').filter({ hasText: 'relay_context' });
        await editor.waitFor();
        await editor.locator('.view-lines').click();
        await page.keyboard.press('Control+A');
        await workbench.clearClipboard();
        await page.keyboard.press('Control+C');
        const text = (await workbench.clipboard()).replaceAll('\r\n', '\n');
        assert.equal(text, fromCli());
        const compacted = JSON.parse(text);
        assert.deepEqual(compacted.relay_context, ESSENTIALS);
        assert.deepEqual([compacted.execution_logs.length, compacted.api_error_dumps.length], [1, 0]);
        await workbench.run('View: Revert and Close Editor');
        writeLog(compacted);
        await part.getByText(/^no compaction needed · /).waitFor();
        await part.locator('h3').filter({ hasText: 'Compaction drops nothing' }).waitFor();
        await recovery.filter({ hasText: /^WARNING/ }).waitFor();
        await header.filter({ hasText: '5 of 5 essentials' }).waitFor();
        await shootPart('relay-compacted');
      },
    ],
    ...onlyLong([
      [
        'relay, STALE: the panel reports it and offers nothing but copying what is to be forwarded',
        async () => {
          writeLog({ ...log, execution_logs: [...log.execution_logs, { status: 'stale', summary: 'lease ran out' }] });
          write(LEDGER, { state: 'STALE', state_since: '2026-02-03 14:05', tasks: [] });
          await recovery.filter({ hasText: 'STALE since 2026-02-03 14:05. Only report, forward and copy.' }).waitFor();
          await triggers.filter({ hasText: 'Recovery: went from WARNING to STALE' }).waitFor();
          assert.deepEqual(await buttons(), ['Copy Relay Summary', 'Copy Observer Relay Prompt']);
          await shootPart('relay-stale');
          const summary = await copiedBy('Copy Relay Summary');
          assert.match(summary, /^Goal: Totals of the order report are right\n/);
          assert.equal(summary, fromCli('--text'));
          assert.match(await copiedBy('Copy Observer Relay Prompt'), /observ/i);
        },
      ],
      [
        'relay, recovered: the state is gone at once, the trigger when it stays so; compaction is offered again',
        async () => {
          write(LEDGER, { state: 'RUNNING', tasks: [] });
          await recovery.waitFor({ state: 'detached' });
          await button('Compact Relay Context').waitFor();
          write(LEDGER, { state: 'RUNNING', tasks: [{ task_id: 'T2', status: 'done' }] });
          await triggers.filter({ hasText: 'Recovery: left STALE' }).waitFor();
          assert.equal((await header.textContent()).includes('STALE'), false);
          await shootPart('relay-recovered');
        },
      ],
    ]),
    [
      'a relay log that is half written is told; without log and ledger the part is gone',
      async () => {
        write(LOG, '{"relay_context": ');
        await part.locator('.problem').filter({ hasText: 'not valid JSON' }).waitFor();
        for (const file of [LOG, LEDGER]) rmSync(inFolder(file));
        await part.waitFor({ state: 'detached' });
        await until('the payload is exact', () => workbench.panelTokens());
      },
    ],
  ];
}
