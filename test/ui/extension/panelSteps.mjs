// A walk through the controls of the panel that the other steps do not press. Each step looks at what the control did.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { until } from '../../support/until.mjs';
import { wholeRecords } from '../../support/wholeLines.mjs';

const CONFIG = '.context-budget/config.json';
const USAGE = '.context-budget/usage.jsonl';
/** Cycles after which the next scoring mode is offered (`panelUsage.ts`), and some before them. */
const MANY_CYCLES = 60;

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, inFolder: (file: string) => string }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function panelSteps({ workbench, inFolder }) {
  const { page, panel } = workbench;
  const read = (file) => readFileSync(inFolder(file), 'utf8');
  const button = (name) => panel.getByRole('button', { name, exact: true });

  return [
    [
      'mode, task and order of the rows are chosen in the panel',
      async () => {
        const { used } = await workbench.exactTokens();
        await panel.getByRole('radio', { name: 'Index-only' }).click();
        await until('the numbers changed', async () => (await workbench.panelTokens())?.used < used);
        await panel.getByRole('radio', { name: 'Expanded' }).click();
        const task = panel.getByLabel('Task', { exact: true });
        await task.fill('totals are wrong');
        await task.press('Enter');
        await button('Clear Task').click();
        await until('the task is cleared', async () => (await task.inputValue()) === '');
        await button('Set Task…').click();
        await workbench.answer('');
        await button('Sort: Size within Priority').click();
        await workbench.pick('Size within Priority');
        await workbench.clearClipboard();
        await button('More copy actions').click();
        await workbench.pick('Copy Repo Map');
        assert.match(await workbench.clipboard(), /applyDiscount/);
      },
    ],
    [
      'the profile is chosen in the panel',
      async () => {
        const profile = panel.getByLabel('Profile', { exact: true });
        const isCap = (cap) => until(`the cap is ${cap}`, async () => (await workbench.panelTokens())?.cap === cap);
        await profile.selectOption('roomy');
        await isCap(20_000);
        await profile.selectOption('default');
        await isCap(7500);
      },
    ],
    [
      'the message about a broken config opens it, and the log',
      async () => {
        const config = read(CONFIG);
        writeFileSync(inFolder(CONFIG), config.replace('7500', '"7.5k"'));
        await button('Open Config').click();
        await page.locator('.tab.active').filter({ hasText: 'config.json' }).waitFor();
        await button('Show Log').click();
        const log = page.locator('.part.panel');
        await log.getByText('done: panel command openConfig').first().waitFor();
        await page.keyboard.press('Control+J');
        await log.waitFor({ state: 'hidden' });
        writeFileSync(inFolder(CONFIG), config);
        await panel.getByText('Part of the config not used.').waitFor({ state: 'detached' });
        await workbench.run('View: Close All Editors');
      },
    ],
  ];
}

/**
 * The controls that change what lies in the folder.
 * @param {{ workbench: import('./workbench.mjs').Workbench, inFolder: (file: string) => string }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function panelWriteSteps({ workbench, inFolder }) {
  const { page, panel } = workbench;
  const read = (file) => readFileSync(inFolder(file), 'utf8');
  const button = (name) => panel.getByRole('button', { name, exact: true });
  const mode = panel.locator('#scoring-mode');
  const isMode = (wanted) => until(`the mode is ${wanted}`, async () => (await mode.inputValue()) === wanted);

  return [
    [
      'an opened row pins, folds, opens and copies its section',
      async () => {
        const config = read(CONFIG);
        await workbench.row('MEMORY.md').click();
        for (const [list, on, off] of [
          ['pinned', 'Pin', 'Unpin'],
          ['on_demand', 'On Demand', 'Always Show'],
        ]) {
          const isListed = () => new RegExp(`"${list}": \\["memory"\\]`).test(read(CONFIG));
          await button(on).click();
          await until(`${on} is written`, isListed);
          await button(off).click();
          await until(`${off} is written`, () => !isListed());
          await button(on).waitFor();
        }
        writeFileSync(inFolder(CONFIG), config);
        await button('Open').click();
        await page.locator('.tab.active').filter({ hasText: 'MEMORY.md' }).waitFor();
        await workbench.run('View: Close All Editors');
        await workbench.clearClipboard();
        await button('Copy').click();
        assert.ok((await workbench.clipboard()).includes(read('MEMORY.md').trim()));
        await workbench.row('MEMORY.md').click();
      },
    ],
    [
      'after 50 cycles a threshold is tried and used, and the next mode is offered until it is declined',
      async () => {
        const config = read(CONFIG);
        const records = () => (existsSync(inFolder(USAGE)) ? wholeRecords(read(USAGE)) : []);
        const before = records().length;
        await button('Copy Payload').click();
        await until('a cycle is recorded', () => records().length > before);
        const last = records().at(-1);
        const usage = read(USAGE);
        const cycles = Array.from({ length: MANY_CYCLES }, (_, at) =>
          JSON.stringify({ ...last, cycle: last.cycle + at + 1, mode: 'baseline', payload: 'expanded' }),
        );
        writeFileSync(inFolder(USAGE), `${usage}${cycles.join('\n')}\n`);
        await panel.getByText('50 cycles recorded.').waitFor();
        const relevance = panel.getByRole('region', { name: 'Relevance' }).getByRole('button', { name: /^Relevance/ });
        if ((await relevance.getAttribute('aria-expanded')) === 'false') await relevance.click();
        await panel.locator('#threshold').fill('0.45');
        await button('Use This Threshold').click();
        await until('the threshold is written', () => /"threshold": 0\.45/.test(read(CONFIG)));
        await button('Threshold in Use').waitFor();
        await button('Not Now').click();
        await panel.getByText('50 cycles recorded.').waitFor({ state: 'detached' });
        await mode.selectOption('dynamic');
        await until('the mode is written', () => /"mode": "dynamic"/.test(read(CONFIG)));
        await isMode('dynamic');
        writeFileSync(inFolder(CONFIG), config);
        writeFileSync(inFolder(USAGE), usage);
        await isMode('baseline');
      },
    ],
  ];
}
