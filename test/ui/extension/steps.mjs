// What a person does with the installed extension, in order: each step is a test and starts where the last one ended.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { IS_LONG, onlyLong } from '../../support/extent.mjs';
import { until } from '../../support/until.mjs';
import { agentSteps } from './agentSteps.mjs';
import { commandSteps } from './commandSteps.mjs';
import { extensionPageSteps, isOfExtensionPage } from './extensionPage.mjs';
import { firstRunSteps } from './firstRunSteps.mjs';
import { keyboardSteps } from './keyboardSteps.mjs';
import { panelSteps, panelWriteSteps, windowSteps } from './panelSteps.mjs';
import { relaySteps } from './relaySteps.mjs';
import { leavesNoTrace, restrictedSteps } from './restrictedSteps.mjs';
import { sessionSteps } from './sessionSteps.mjs';

const encoder = new Tiktoken(o200k);
/** Tokens by another tokenizer than the product's. */
const count = (text) => encoder.encode(text, [], []).length;

/** A run log as agents write it: two tasks, one detail of some length, one in Chinese. */
const PROGRESS = [
  '# Progress',
  '',
  '| Time | Task ID | Actor | Phase | Event | Result |',
  '| --- | --- | --- | --- | --- | --- |',
  '| 2026-02-03 09:00:00 | TASK-1 | planner | plan | split the order report | three steps |',
  `| 2026-02-03 10:00:00 | TASK-1 | implementer | implement | wrote summarize() | tests failed: ${Array.from({ length: 60 }, (_, at) => `line ${at} of the output`).join('<br>')} |`,
  '| 2026-02-04 11:00:00 | TASK-1 | verifier | verify | ran the suite | all 12 tests passed |',
  '| 2026-02-04 12:00:00 | TASK-2 | planner | plan | looked at discounts | 折扣计算方案 |',
  '',
].join('\n');

/** The narrowest side bar, an ordinary one and a wide one, in pixels; the sample has the first, where the most is cut off. */
const WIDTHS = [248, ...onlyLong([340, 560])];
/** As VS Code has it at first. */
const SIDE_BAR = 300;

const THEMES = [
  ['light', 'Default Light Modern', 'vs', 'vscode-light'],
  ['hc-dark', 'Default High Contrast', 'hc-black', 'vscode-high-contrast'],
  ['hc-light', 'Default High Contrast Light', 'hc-light', 'vscode-high-contrast-light'],
  ['dark', 'Default Dark Modern', 'vs-dark', 'vscode-dark'],
];

/** The themes that the panel is looked at in. The sample has the last one: a browser shows the panel in all. */
const THEMES_SEEN = IS_LONG ? THEMES : THEMES.slice(-1);

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, folder: string, cliFile: string, shoot: (name: string) => Promise<void>,
 *   shootPanel: (name: string) => Promise<void>, shootAsItIs: (name: string) => Promise<void>,
 *   external: string[] }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function steps({ workbench, folder, cliFile, shoot, shootPanel, shootAsItIs, external }) {
  const { page, panel } = workbench;
  const inFolder = (file) => path.join(folder, file);
  const usageLog = inFolder('.context-budget/usage.jsonl');
  const setSettings = (settings) => {
    // A workspace's settings are watched; the user's file is read at start only.
    mkdirSync(inFolder('.vscode'), { recursive: true });
    writeFileSync(inFolder('.vscode/settings.json'), JSON.stringify(settings, null, 2));
  };
  /** A badge's word inside a row: whole and in capitals, because `tokens` has an `ok` in it too. */
  const badge = (word) => new RegExp(`\\b${word}\\b`);
  /** What the command line prints for the same folder; its cache lies beside the folder. */
  const cliIn =
    (root) =>
    (...args) => {
      const env = { ...process.env, CONTEXT_BUDGET_CACHE_DIR: path.join(folder, '../cli-cache') };
      const result = spawnSync(process.execPath, [cliFile, ...args, '--root', root, '--trust'], {
        encoding: 'utf8',
        env,
      });
      assert.equal(result.status, 0, result.stderr);
      return result.stdout;
    };
  const cli = cliIn(folder);
  const taskField = panel.getByLabel('Task', { exact: true });
  /** Types the task into the panel; nothing clears it. */
  const setTask = async (task) => {
    await taskField.fill(task);
    await taskField.press('Enter');
  };
  const taskShown = (task) => until('the panel shows the task', async () => (await taskField.inputValue()) === task);
  /** What the steps about observations copied, for the one that pastes it all. */
  const copied = { before: 0, index: '', timeline: '', detail: '' };
  const runsFile = path.join(folder, '../plugin-runs.log');
  const pluginRan = () => existsSync(runsFile);
  const pluginRuns = () => readFileSync(runsFile, 'utf8').split('\n').length - 1;
  const forgetObservations = async () => {
    rmSync(inFolder('PROGRESS.md'));
    const kept = readdirSync(inFolder('.context-budget')).filter((name) => name.startsWith('observations'));
    for (const name of kept) rmSync(inFolder(`.context-budget/${name}`), { recursive: true });
    await workbench.observations.getByText('No observations yet.').waitFor();
    // Folded again, as it is at first: the Repo Map needs the room.
    await workbench.observations.locator('.pane-header').click();
  };

  const sessions = sessionSteps({ workbench, folder, inFolder, shoot });

  return [
    [
      'an untrusted folder is counted without running anything, and the panel says so',
      async () => {
        await workbench.open(folder);
        await workbench.showPanel();
        for (const name of ['Repo Map', 'Observations', 'Sessions'])
          await page.locator(`.pane-header[aria-label^="${name}"][aria-expanded="false"]`).waitFor();
        await workbench.showViews();
        const { used, cap } = await workbench.exactTokens();
        assert.ok(used > 0 && cap === 7500);
        await panel.getByText('Restricted Mode.').waitFor();
        assert.equal(pluginRan(), false);
        await workbench.run('Context Budget: Copy Expanded Payload');
        await workbench.noted('Copied');
        await panel.getByTitle('Usage and observations are kept in memory until you trust this folder.').waitFor();
        await shoot('restricted');
        assert.equal(existsSync(usageLog), false);
      },
    ],
    [
      'what would be written is refused in Restricted Mode with a way out, copies leave no trace, and nothing is run',
      async () => {
        await leavesNoTrace({ workbench, folder });
        await panel.getByText('Restricted Mode.').waitFor();
        assert.equal(pluginRan(), false);
      },
    ],
    [
      'trusting the folder runs its plug-in, writes what was recorded, and removes the message',
      async () => {
        await panel.getByRole('button', { name: 'Manage Workspace Trust' }).click();
        await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
        await until('the plug-in ran', pluginRan);
        await until('the copy is in the usage log', () => existsSync(usageLog));
        await panel.getByText('Restricted Mode.').waitFor({ state: 'detached' });
        await workbench.run('View: Close All Editors');
        await workbench.row('ports').waitFor();
      },
    ],
    [
      'panel and status bar show the same numbers',
      async () => {
        await workbench.status.waitFor();
        await workbench.sameTokens();
      },
    ],
    [
      'the command line says the same: the numbers, and both payloads byte for byte',
      async () => {
        await workbench.sameAsCli(cli);
        for (const [title, ...args] of [['Copy Expanded Payload', '--expanded'], ['Copy Index Payload']]) {
          await workbench.clearClipboard();
          await workbench.run(`Context Budget: ${title}`);
          assert.equal(await workbench.clipboard(), cli('payload', ...args));
        }
      },
    ],
    [
      'Copy Expanded Payload from the palette puts the payload on the clipboard and says what was copied',
      async () => {
        await workbench.clearClipboard();
        const { used } = await workbench.exactTokens();
        await workbench.run('Context Budget: Copy Expanded Payload');
        const text = await workbench.clipboard();
        assert.match(text, /Prices are integers in cents/);
        assert.match(text, /All 4 ports UP/);
        // The map needs the grammars and tables of the package.
        for (const name of ['applyDiscount', 'class Order', 'def summarize']) assert.ok(text.includes(name), name);
        assert.ok(!text.includes(folder), 'no absolute path');
        await workbench.status.filter({ hasText: `Copied ${used.toLocaleString('en-US')} tokens` }).waitFor();
        await shoot('copied');
      },
    ],
    [
      'Copy Payload in the panel copies what the panel shows',
      async () => {
        await workbench.clearClipboard();
        await panel.getByRole('button', { name: 'Copy Payload' }).click();
        assert.match(await workbench.clipboard(), /Prices are integers in cents/);
        // A task that is only typed counts, too.
        await workbench.clearClipboard();
        await taskField.fill('summarize the orders');
        await panel.getByRole('button', { name: 'Copy Payload' }).click();
        assert.match(await workbench.clipboard(), /Prices are integers in cents/);
        await panel.locator('.cb-task').getByRole('button', { name: 'Apply' }).waitFor({ state: 'detached' });
        await taskShown('summarize the orders');
        await setTask('');
        await taskShown('');
      },
    ],
    [
      'a row has a native menu: Copy Handle copies what an agent can ask for',
      async () => {
        await workbench.clearClipboard();
        await workbench.row('ports').click({ button: 'right' });
        const entry = (name) => page.locator('.monaco-menu').getByRole('menuitem', { name, exact: true });
        for (const name of ['Copy', 'Pin', 'Exclude', 'On Demand']) await entry(name).waitFor();
        assert.equal(await entry('Unpin').count(), 0);
        assert.equal(await entry('Open').count(), 0, 'a command section has no file to open');
        await shoot('row-menu');
        // A menu ignores the mouse right after it opened, so the entry is chosen by keyboard.
        await entry('Copy Handle').hover();
        await page.keyboard.press('Enter');
        assert.equal(await workbench.clipboard(), 'section:ports');
      },
    ],
    [
      'a task that is set in the panel is shown there, reorders the Repo Map, and says why in a tooltip',
      async () => {
        await workbench.mapRow(/^src\/prices\.ts, rank/).waitFor();
        await setTask('summarize the orders of the day');
        await workbench.mapRow(/^src\/report\.py, rank 1,/).waitFor();
        await taskShown('summarize the orders of the day');
        await shoot('task-report');
        await setTask('applyDiscount rounds wrong');
        await workbench.mapRow(/^src\/prices\.ts, rank 1,/).waitFor();
        assert.match(
          (await workbench.map.innerText()).replaceAll('\u00a0', ' '),
          /\d of \d files, \d+ of 1,500 tokens\./,
        );
        const hover = page.locator('.workbench-hover');
        const why = hover.getByText('named by the task', { exact: false }).first();
        await workbench.hoverUntil(workbench.mapRow(/^function applyDiscount/), (timeout) => why.waitFor({ timeout }));
        await hover.getByText('Applies a discount in percent', { exact: false }).waitFor();
        await shootAsItIs('repo-map-tooltip');
      },
    ],
    [
      'what changed since main takes the task’s place by a button, with why in each row, until a task is typed',
      async () => {
        const file = inFolder('src/prices.ts');
        const before = readFileSync(file, 'utf8');
        const toggle = panel.getByRole('button', { name: 'Changed since main', exact: true });
        writeFileSync(file, before.replace('Math.round(', 'Math.floor('));
        await toggle.click();
        await panel.locator('#task[placeholder^="Changed since main: "]').waitFor();
        await taskShown('');
        await workbench.mapRow(/^src\/prices\.ts, rank 1,/).waitFor();
        await workbench.map.locator('..').getByText('changed since main', { exact: false }).first().waitFor();
        const hover = page.locator('.workbench-hover');
        const why = hover.getByText('changed +1 -1', { exact: false }).first();
        await workbench.hoverUntil(workbench.mapRow(/^function applyDiscount/), (timeout) => why.waitFor({ timeout }));
        await shoot('changed-since-main');
        assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
        writeFileSync(file, before);
        await setTask('applyDiscount rounds wrong');
        await panel.locator('.cb-task button[aria-pressed=false]').waitFor();
        await taskShown('applyDiscount rounds wrong');
      },
    ],
    [
      'a pasted issue keeps its words apart in the box; Use Clipboard and the panel keep its lines',
      async () => {
        const issue = 'Totals are wrong\nwhen summarize\nis called twice';
        await page.evaluate((text) => navigator.clipboard.writeText(text), issue);
        await workbench.run('Context Budget: Set Task…');
        const box = page.locator('.quick-input-widget input[type=text]').first();
        await box.waitFor({ state: 'visible' });
        await box.press('Control+A');
        await box.press('Control+V');
        await until('the words are apart', async () => (await box.inputValue()) === issue.replaceAll('\n', ' '));
        await shootAsItIs('set-task');
        await workbench.pick('Use Clipboard');
        await taskShown(issue);
        await workbench.mapRow(/^src\/report\.py, rank 1,/).waitFor();
      },
    ],
    // Rows of a tree and their menus are in the steps of observations, what these do is in the integration suite.
    ...onlyLong([
      [
        'a row of the Repo Map opens its line; its menu copies signature, body and handle',
        async () => {
          const row = workbench.mapRow(/^function applyDiscount/);
          await workbench.run('Context Budget: Filter Repo Map…');
          await workbench.answer('applydis');
          await workbench.map.getByText('Filter: “applydis”.').waitFor();
          await row.waitFor();
          await workbench.mapRow(/^function summarize/).waitFor({ state: 'detached' });
          const copied = async (entry) => {
            await workbench.clearClipboard();
            await workbench.chooseFor(row, entry);
            return workbench.clipboard();
          };
          assert.equal(
            await copied('Copy Signature'),
            'export function applyDiscount(price: Price, percent: number): Price',
          );
          assert.match(await copied('Copy Body'), /^export function applyDiscount[\s\S]*Math\.round[\s\S]*\}\s*$/);
          const handle = await copied('Copy Handle');
          assert.match(cli('detail', '--ids', handle), /Math\.round/);
          await row.click();
          await page.locator('.editor-instance').first().waitFor();
          await page.locator('.statusbar-item').filter({ hasText: 'Ln 13, Col 1' }).waitFor();
          await shoot('repo-map-open');
          await workbench.run('View: Close All Editors');
          await workbench.run('Context Budget: Clear Repo Map Filter');
          await workbench.mapRow(/^function summarize/).waitFor();
        },
      ],
    ]),
    [
      'what was left out is listed under the last row; without a task its link is back',
      async () => {
        const leftOut = workbench.mapRow(/^Left out: \d+ files/);
        await workbench.clickLast(workbench.map, leftOut);
        await workbench.scrollMapTo(workbench.mapRow(/left out of the map$/).first());
        await shoot('repo-map-left-out');
        await setTask('');
        await taskShown('');
        await workbench.map.getByText('Set a task to rank the map for it.').waitFor();
      },
    ],
    [
      'without observations the view says what to do; run logs are ingested from there',
      async () => {
        await workbench.run('Context Budget: Focus on Observations View');
        await workbench.observations.getByText('No observations yet.').waitFor();
        copied.before = await workbench.settledTokens();
        writeFileSync(inFolder('PROGRESS.md'), PROGRESS);
        await shoot('observations-none');
        await workbench.observations.getByText('Ingest Run Logs…').click();
        await page.locator('.quick-input-widget').getByText('PROGRESS.md').waitFor();
        await page.keyboard.press('Enter');
        await workbench.observationRow(/^ran the suite/).waitFor();
        await shoot('observations');
      },
    ],
    [
      'layer one: the index is part of the copied payload, with ids and the cost of each detail',
      async () => {
        await until('the index has settled', () => workbench.exactTokens());
        await workbench.clearClipboard();
        await workbench.run('Context Budget: Copy Index Payload');
        copied.index = await workbench.clipboard();
        const rows = /<observations>\n([\s\S]*?)<\/observations>/.exec(copied.index)?.[1] ?? '';
        assert.match(rows, /^3 \| 2026-02-04 11:00 \| TASK-1 \| verify \| ran the suite → .*\| ~\d+ tok$/m);
        assert.ok(count(rows) <= 1200, rows);
      },
    ],
    [
      'layer two: the menu of a row copies its timeline',
      async () => {
        await workbench.clearClipboard();
        await workbench.chooseFor(workbench.observationRow(/^ran the suite/), 'Copy Timeline');
        copied.timeline = await workbench.clipboard();
        assert.deepEqual(
          copied.timeline
            .trimEnd()
            .split('\n')
            .map((line) => Number(line.split(' | ')[0])),
          [1, 2, 3, 4],
        );
        assert.equal(copied.timeline, cli('timeline', '--id', '3'));
        assert.ok(count(copied.timeline) <= 800);
      },
    ],
    [
      'layer three: two details are chosen, with their sum in the title; a click opens one to read',
      async () => {
        await workbench.clearClipboard();
        await workbench.run('Context Budget: Copy Other…');
        await workbench.pick('Copy Detail…');
        const box = page.locator('.quick-input-widget');
        // A hover may cover the next row, and one of a row that was drawn again stays: the pointer goes through all of them.
        const style = await page.addStyleTag({ content: '.monaco-hover, .workbench-hover { pointer-events: none; }' });
        const choose = async (name) => {
          const row = box.locator('.monaco-list-row').filter({ hasText: name });
          await row.locator('input[type=checkbox], .monaco-checkbox').first().click();
        };
        await choose('wrote summarize');
        await choose('ran the suite');
        await style.evaluate((element) => element.remove());
        const title = box.locator('.quick-input-title');
        await title.filter({ hasText: /^Copy Detail: 2 of 5, [\d,]+ of 7,500 tokens$/ }).waitFor();
        const [, sum] = /, ([\d,]+) of/.exec(await title.innerText());
        await shootAsItIs('observations-detail');
        await box.getByRole('button', { name: 'OK' }).click();
        copied.detail = await workbench.clipboard();
        assert.equal(copied.detail.match(/^`{3} /gm)?.length, 2);
        assert.equal(count(copied.detail), Number(sum.replaceAll(',', '')), 'the sum was exact');
        await workbench.observationRow(/^wrote summarize/).click();
        await page
          .locator('.editor-instance')
          .getByText(/line.12.of.the.output/)
          .waitFor();
        await shoot('observations-open');
        await workbench.run('View: Close All Editors');
      },
    ],
    // Each layer has its own cap in the steps above.
    ...onlyLong([
      [
        'what was copied in all three layers is within the caps when it is pasted into one message',
        async () => {
          const message = [copied.index, copied.timeline, copied.detail].join('\n');
          await page.evaluate((text) => navigator.clipboard.writeText(text), message);
          await workbench.run('File: New Untitled Text File');
          await page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
          await page.keyboard.press('Control+V');
          await page.locator('.editor-instance .view-lines').filter({ hasText: '```' }).waitFor();
          await page.keyboard.press('Control+A');
          await workbench.clearClipboard();
          await page.keyboard.press('Control+C');
          const pasted = (await workbench.clipboard()).replaceAll('\r\n', '\n');
          assert.equal(pasted, message);
          assert.ok(count(copied.index) <= 7500 && count(pasted) <= 7500 + 800 + 2 * 1500);
          await page.keyboard.press('Control+Z');
          await workbench.run('View: Revert and Close Editor');
        },
      ],
    ]),
    [
      'the view groups by task, finds by words, and follows what another process records',
      async () => {
        await workbench.run('Context Budget: Group Observations by Time or Task');
        await workbench.observationRow(/^TASK-1, 3 observations/).waitFor();
        await workbench.run('Context Budget: Search Observations…');
        await workbench.answer('折扣');
        await workbench.observations.getByText('Search: “折扣”, 1 found.').waitFor();
        await shoot('observations-search');
        await workbench.run('Context Budget: Clear Observation Search');
        cli('observe', '--summary', 'came from the command line', '--task-id', 'TASK-3');
        await workbench.observationRow(/^came from the command line/).waitFor();
        await workbench.run('Context Budget: Group Observations by Time or Task');
        await forgetObservations();
        await until(
          'the numbers are those from before',
          async () => (await workbench.panelTokens())?.used === copied.before,
        );
      },
    ],
    [
      'the index is smaller, and panel and status bar follow',
      async () => {
        const used = await workbench.settledTokens();
        await panel.getByRole('radio', { name: 'Index', exact: true }).click();
        await until('the numbers changed', async () => (await workbench.panelTokens())?.used < used);
        await workbench.sameTokens();
        await shootPanel('index');
        await panel.getByRole('radio', { name: 'Expanded' }).click();
        await until('the numbers are back', async () => (await workbench.panelTokens())?.used === used);
      },
    ],
    [
      'a file saved outside the editor changes the panel',
      async () => {
        const { used } = await workbench.exactTokens();
        const memory = readFileSync(inFolder('MEMORY.md'), 'utf8');
        const start = performance.now();
        writeFileSync(inFolder('MEMORY.md'), `${memory}- 2026-02-06 A decision that was written by another tool.\n`);
        await until('the panel counts it', async () => (await workbench.panelTokens())?.used > used);
        const ms = Math.round(performance.now() - start);
        console.log(`  saved → panel: ${ms} ms`);
      },
    ],
    [
      'a plug-in that turns to ALERT is shown with its detail',
      async () => {
        const calm = readFileSync(inFolder('state/ports.txt'), 'utf8');
        writeFileSync(inFolder('state/ports.txt'), calm.replace('OK:All 4 ports UP', 'ALERT:Port 5432 DOWN'));
        await workbench
          .row('ports')
          .filter({ hasText: badge('ALERT') })
          .waitFor();
        await panel.getByText('1 alert').first().waitFor();
        await workbench.row('ports').click();
        await shootPanel('alert');
        await workbench.row('ports').click();
        writeFileSync(inFolder('state/ports.txt'), calm);
        await workbench
          .row('ports')
          .filter({ hasNotText: badge('ALERT') })
          .waitFor();
      },
    ],
    [
      'over the cap the panel names what to shrink and the status bar turns to its warning colour',
      async () => {
        await workbench.run('Context Budget: Switch Profile');
        await workbench.pick('tight');
        await panel.getByText(/^P0 and P1 alone need [\d,]+ tokens\./).waitFor();
        await until('the status bar warns', async () =>
          (await workbench.status.getAttribute('class')).includes('warning-kind'),
        );
        await shoot('over');
        await workbench.run('Context Budget: Switch Profile');
        await workbench.pick('default');
        await until(
          'the colour is gone',
          async () => !(await workbench.status.getAttribute('class')).includes('warning-kind'),
        );
      },
    ],
    [
      'a broken config is told with its line; the last good one stays',
      async () => {
        const good = readFileSync(inFolder('.context-budget/config.json'), 'utf8');
        writeFileSync(inFolder('.context-budget/config.json'), good.replace('7500', '"7.5k"'));
        await panel.getByText('Part of the config not used.').waitFor();
        assert.equal((await workbench.exactTokens()).cap, 7500);
        await shootPanel('broken-config');
        writeFileSync(inFolder('.context-budget/config.json'), good);
        await panel.getByText('Part of the config not used.').waitFor({ state: 'detached' });
      },
    ],
    ...onlyLong([
      [
        'an excluded section leaves the payload and stays out after a reload',
        async () => {
          const used = await workbench.settledTokens();
          await workbench.row('MEMORY.md').click();
          await panel.getByRole('button', { name: 'Exclude' }).click();
          await until('the payload shrank', async () => (await workbench.panelTokens())?.used < used);
          assert.match(readFileSync(inFolder('.context-budget/config.json'), 'utf8'), /"excluded": \["memory"\]/);
          await workbench.stored('"openIds":["memory"]');
          await workbench.open(folder);
          await workbench.showViews();
          await until('it is still out', async () => (await workbench.panelTokens())?.used < used);
          // The page remembers which row was open.
          if (!(await panel.getByRole('button', { name: 'Include' }).isVisible()))
            await workbench.row('MEMORY.md').click();
          await panel.getByRole('button', { name: 'Include' }).click();
          await until('the payload is whole again', async () => (await workbench.panelTokens())?.used === used);
          await workbench.row('MEMORY.md').click();
        },
      ],
    ]),
    [
      'Show Report opens a document with what was recorded, and its Markdown is copied',
      async () => {
        await workbench.run('Context Budget: Show Report');
        const report = await workbench.frameWith('h1', 'Usage report');
        await report.getByRole('heading', { name: 'Sections' }).waitFor();
        const cycles = JSON.parse(cli('report', '--json')).cycles;
        assert.ok(cycles > 0, 'the copies of earlier steps are cycles');
        assert.match(await report.locator('.head p').textContent(), new RegExp(`^${cycles} cycles, 1 to `));
        await workbench.clearClipboard();
        await report.getByRole('button', { name: 'Copy as Markdown' }).click();
        assert.equal(await workbench.clipboard(), cli('report', '--format', 'markdown'));
        await shoot('report');
        await workbench.run('View: Close Editor');
        await panel.getByRole('main').waitFor();
      },
    ],
    ...sessions.before,
    ...commandSteps({ workbench, inFolder, cli, pluginRuns, forgetObservations }),
    ...sessions.after,
    ...panelSteps({ workbench, inFolder }),
    ...panelWriteSteps({ workbench, inFolder }),
    ...keyboardSteps({ workbench, inFolder }),
    ...agentSteps({ workbench, inFolder, shootPanel }),
    ...relaySteps({ workbench, inFolder, cli, shootPanel }),
    ...THEMES_SEEN.map(([name, theme, workbenchClass, bodyClass]) => [
      `the panel is drawn in the theme ${theme}, in side bars of ${WIDTHS.join(', ')} pixels`,
      async () => {
        setSettings({ 'workbench.colorTheme': theme });
        await page.locator(`.monaco-workbench.${workbenchClass}`).waitFor();
        await panel.locator(`body.${bodyClass}`).waitFor();
        await workbench.exactTokens();
        const size = page.viewportSize();
        await page.setViewportSize({ ...size, height: 1400 });
        for (const width of WIDTHS) {
          await workbench.setSideBarWidth(width);
          await shoot(`theme-${name}-${width}`);
          const wide = panel.locator('html');
          const overflow = await wide.evaluate((html) => html.scrollWidth - html.clientWidth);
          assert.equal(overflow, 0, `nothing is cut off at ${width} px`);
        }
        await workbench.setSideBarWidth(SIDE_BAR);
        await page.setViewportSize(size);
      },
    ]),
    // An alert, a profile and a task are in steps above, open editors in the integration suite.
    ...onlyLong([
      [
        'an alert beside an open editor, and a task',
        async () => {
          const file = inFolder('state/ports.txt');
          writeFileSync(file, readFileSync(file, 'utf8').replace('OK:All 4 ports UP', 'ALERT:Port 5432 DOWN'));
          await workbench.run('Context Budget: Switch Profile');
          await workbench.pick('reviewer');
          // Last of all in this folder: VS Code opens the file again when the folder is opened again.
          await workbench.openFile('orders.ts');
          await panel.getByText('open-editors').first().waitFor();
          await panel.getByText('1 alert').first().waitFor();
          await workbench.openRow('ports');
          await panel.getByText('5432 database up').waitFor();
          await setTask('applyDiscount rounds wrong');
          await taskShown('applyDiscount rounds wrong');
          // Left out, it may be a row of what is left out.
          await workbench.mapRow(/^src\/report\.py.* tokens$/).waitFor({ state: 'detached' });
          // Tall enough for the whole panel above the tree.
          const size = page.viewportSize();
          await page.setViewportSize({ ...size, height: 1000 });
          await panel.locator('body').evaluate(() => window.scrollTo({ top: 0 }));
          await shoot('alert');
          await page.setViewportSize(size);
        },
      ],
    ]),
    ...windowSteps({ workbench, inFolder, shootPanel }),
    [
      'the status bar item can be hidden from its own tooltip',
      async () => {
        const settings = path.join(folder, '../../data/User/settings.json');
        const before = readFileSync(settings, 'utf8');
        const hide = page.locator('.workbench-hover').getByRole('link', { name: 'Hide' });
        await workbench.hoverUntil(workbench.status, (timeout) => hide.click({ timeout }));
        await workbench.status.waitFor({ state: 'hidden' });
        await until('the settings have it', () =>
          /"contextBudget\.statusBar\.visible": false/.test(readFileSync(settings, 'utf8')),
        );
        // Read when the next window opens, which the item is looked for in.
        writeFileSync(settings, before);
      },
    ],
    [
      'without a folder the panel says so and the status bar shows nothing',
      async () => {
        await workbench.open(undefined);
        await workbench.showViews();
        await panel.getByText('Open a folder to see what its context costs').waitFor();
        assert.equal(await workbench.status.isVisible(), false);
        await shoot('no-folder');
        await panel.getByRole('button', { name: 'Open Folder' }).click();
        await page.locator('.quick-input-widget').getByText('Open Folder').first().waitFor();
        await page.keyboard.press('Escape');
        await panel.getByRole('button', { name: 'How It Works' }).click();
        await page.locator('.tab.active').filter({ hasText: 'README.md' }).waitFor();
      },
    ],
    ...firstRunSteps({ workbench, shoot }),
    ...onlyLong(extensionPageSteps({ workbench, shoot })),
    ...onlyLong([
      [
        'a folder that tells agents nothing offers to create AGENTS.md, unsaved',
        async () => {
          const bare = path.join(folder, '../bare');
          mkdirSync(bare);
          writeFileSync(path.join(bare, 'notes.txt'), 'Nothing for an agent.\n');
          await workbench.open(bare);
          await workbench.showViews();
          await panel.getByRole('button', { name: 'Create AGENTS.md' }).click();
          await page.locator('.tab.active').filter({ hasText: 'AGENTS.md' }).waitFor();
          await page.locator('.editor-instance').getByText('# bare').waitFor();
          assert.equal(existsSync(path.join(bare, 'AGENTS.md')), false, 'nothing is written unasked');
          await workbench.run('View: Revert and Close Editor');
        },
      ],
    ]),
    ...onlyLong(restrictedSteps({ workbench, folder: path.join(folder, '../untrusted'), cliIn, pluginRuns })),
    [
      'nothing was asked for outside this machine, but for the pictures of the extension’s page',
      async () => {
        assert.deepEqual(
          external.filter((address) => !isOfExtensionPage(address)),
          [],
        );
      },
    ],
  ];
}
