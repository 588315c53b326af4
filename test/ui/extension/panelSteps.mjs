// A walk through the controls of the panel that the other steps do not press. Each step looks at what the control did.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onlyLong } from '../../support/extent.mjs';
import { until } from '../../support/until.mjs';
import { wholeRecords } from '../../support/wholeLines.mjs';

const CONFIG = '.context-budget/config.json';
const USAGE = '.context-budget/usage.jsonl';
const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures');
/** Enough cycles for a threshold to be simulated over (`panelUsage.ts`). */
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
        await panel.getByRole('radio', { name: 'Index', exact: true }).click();
        await until('the numbers changed', async () => (await workbench.panelTokens())?.used < used);
        await panel.getByRole('radio', { name: 'Expanded' }).click();
        const task = panel.getByLabel('Task', { exact: true });
        await task.fill('totals are wrong');
        await task.press('Shift+Enter');
        await task.pressSequentially('since 4.2');
        await task.press('Enter');
        await workbench.map.getByText('totals are wrong since 4.2').waitFor();
        assert.equal(await task.inputValue(), 'totals are wrong\nsince 4.2');
        await task.fill('');
        await task.press('Enter');
        await workbench.map.getByText('totals are wrong since 4.2').waitFor({ state: 'detached' });
        assert.equal(await task.inputValue(), '');
        await button('Sort: Size within Priority').click();
        await workbench.pick('Size within Priority');
        await workbench.clearClipboard();
        await button('More copy actions').click();
        await workbench.pick('Copy Other…');
        await workbench.pick('Copy Repo Map');
        assert.match(await workbench.clipboard(), /applyDiscount/);
      },
    ],
    [
      'the profile is chosen in the panel',
      async () => {
        const profile = panel.getByLabel('Budget profile', { exact: true });
        const isCap = (cap) => until(`the cap is ${cap}`, async () => (await workbench.panelTokens())?.cap === cap);
        await profile.selectOption('roomy');
        await isCap(20_000);
        await profile.selectOption('default');
        await isCap(7500);
      },
    ],
    ...onlyLong([
      [
        'a config that is broken is opened, at its line if it has one',
        async () => {
          const config = read(CONFIG);
          const line = config.slice(0, config.indexOf('7500')).split('\n').length;
          // Too large to be read, so that there is no line to open it at.
          writeFileSync(inFolder(CONFIG), `${' '.repeat(99)}\n`.repeat(10_001));
          await button('Open Config').click();
          await page.locator('.tab.active').filter({ hasText: 'config.json' }).waitFor();
          writeFileSync(inFolder(CONFIG), config.replace('7500', '"7.5k"'));
          await button(`Open at Line ${line}`).click();
          await page
            .locator('.statusbar-item')
            .filter({ hasText: `Ln ${line}, Col 1` })
            .waitFor();
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
    ]),
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
      'the line under the gauge changes the limit, which can be undone',
      async () => {
        const config = read(CONFIG);
        // A low view leaves the line out.
        const size = page.viewportSize();
        await page.setViewportSize({ ...size, height: 1400 });
        const isCap = (cap) => until(`the cap is ${cap}`, async () => (await workbench.panelTokens())?.cap === cap);
        await button('Change').click();
        await workbench.answer('7,5oo');
        await page.locator('.quick-input-message').filter({ hasText: 'Enter a whole number of tokens' }).waitFor();
        await workbench.answer('9,000');
        await isCap(9000);
        assert.equal(read(CONFIG), config.replace('7500', '9000'));
        // Undo is offered for ten seconds, and a slow machine may need them to count again: it is taken at once.
        writeFileSync(inFolder(CONFIG), config);
        await isCap(7500);
        await button('Change').click();
        await workbench.answer('9,000');
        await until('the config has it', () => read(CONFIG) !== config);
        await button('Undo').click();
        await until('the config is as it was', () => read(CONFIG) === config);
        await isCap(7500);
        await page.setViewportSize(size);
      },
    ],
    [
      'an opened row pins, folds, opens and copies its section',
      async () => {
        const config = read(CONFIG);
        await workbench.row('MEMORY.md').click();
        for (const [list, on, off] of [
          ['pinned', 'Pin', 'Unpin'],
          // The finding does the same by keyboard.
          ...onlyLong([['on_demand', 'On Demand', 'Stop On Demand']]),
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
      'the finding asks for the agents where none is known; what a row changed is undone',
      async () => {
        const config = read(CONFIG);
        const finding = panel.getByRole('region', { name: 'Finding' });
        await finding.getByRole('button', { name: 'Choose Agents…' }).click();
        const box = page.locator('.quick-input-widget');
        await box.getByText('Claude Code', { exact: true }).waitFor();
        await page.keyboard.press('Escape');
        await box.waitFor({ state: 'hidden' });
        await workbench.row('MEMORY.md').click();
        await button('Pin').click();
        await until('the config has it', () => read(CONFIG) !== config);
        await button('Undo').click();
        await until('the config is as it was', () => read(CONFIG) === config);
        await workbench.row('MEMORY.md').click();
      },
    ],
    // Finding, Apply and Undo are in the sample by keyboard, and a threshold in the step after this one.
    ...onlyLong([
      [
        'a section that no cycle cited is the finding: Review opens it, Apply saves its tokens, Undo takes that back',
        async () => {
          const [config, usage] = [read(CONFIG), read(USAGE)];
          const guide = inFolder('style-guide.md');
          const rules = Array.from({ length: 120 }, (_, at) => `Rule ${at}: name what it does, not how it does it.`);
          writeFileSync(guide, `# Style guide\n\n${rules.join('\n')}\n`);
          const section = '{ "id": "style-guide", "file": "style-guide.md", "priority": "P3" }';
          const withGuide = config.replace('"sections": [', `"sections": [\n    ${section},`);
          writeFileSync(inFolder(CONFIG), withGuide);
          await workbench.row('style-guide.md').waitFor();
          const used = await workbench.settledTokens();
          await button('Copy Payload').click();
          const isLoaded = ({ sections }) => sections.some(({ id }) => id === 'style-guide');
          await until('a cycle has it', () => wholeRecords(read(USAGE)).some(isLoaded));
          const { judged: _, ...last } = wholeRecords(read(USAGE)).findLast(isLoaded);
          // All but this one section were of use, in each cycle.
          const cited = last.sections
            .filter(({ id }) => id !== 'style-guide')
            .map(({ id }) => ({ id, evidence: 'id', what: id }));
          const cycles = Array.from({ length: MANY_CYCLES }, (_, at) =>
            JSON.stringify({ ...last, cycle: last.cycle + at + 1, mode: 'baseline', cited }),
          );
          writeFileSync(inFolder(USAGE), `${read(USAGE)}${cycles.join('\n')}\n`);
          const finding = panel.getByRole('region', { name: 'Finding' });
          await finding.getByRole('button', { name: 'Review', exact: true }).click();
          const row = workbench.row('style-guide.md');
          await until('the row is open', async () => (await row.getAttribute('aria-expanded')) === 'true');
          const title = await finding.getByText(/^Save [\d,]+ tokens/).innerText();
          const saved = Number(/[\d,]+/.exec(title)[0].replaceAll(',', ''));
          // The rules alone: half of what the folder costs.
          assert.ok(saved > used / 2, `${title} of ${used}`);
          const apply = async () => {
            await finding.getByRole('button', { name: 'Apply', exact: true }).click();
            await until('the config is written', () => read(CONFIG) !== withGuide);
          };
          await apply();
          await until('the section is one line', async () => /one line|on demand/.test(await row.innerText()));
          const left = await workbench.settledTokens();
          // What a threshold saves is a mean of the cycles.
          assert.ok(Math.abs(used - left - saved) <= saved * 0.02, `${title}: ${used} → ${left}`);
          // As above, Undo is taken at once.
          const isWhole = () =>
            until('the payload is whole again', async () => (await workbench.panelTokens())?.used === used);
          writeFileSync(inFolder(CONFIG), withGuide);
          await isWhole();
          await apply();
          await button('Undo').click();
          await until('the config is as it was', () => read(CONFIG) === withGuide);
          await isWhole();
          // Apply ended the review with its filter.
          await button('Close filter').waitFor({ state: 'detached' });
          await row.click();
          writeFileSync(inFolder(USAGE), usage);
          writeFileSync(inFolder(CONFIG), config);
          rmSync(guide);
          await row.waitFor({ state: 'detached' });
        },
      ],
    ]),
    [
      'after ten cycles and more a threshold is tried and used, and the mode is changed',
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
        // The part is there from ten cycles on.
        const relevance = panel.getByRole('region', { name: 'Relevance' }).getByRole('button', { name: /^Relevance/ });
        await relevance.waitFor();
        if ((await relevance.getAttribute('aria-expanded')) === 'false') await relevance.click();
        await panel.locator('#threshold').fill('0.45');
        await button('Use This Threshold').click();
        await until('the threshold is written', () => /"threshold": 0\.45/.test(read(CONFIG)));
        await button('✓ Applied').waitFor();
        await mode.selectOption('dynamic');
        await until('the mode is written', () => /"mode": "dynamic"/.test(read(CONFIG)));
        await isMode('dynamic');
        writeFileSync(inFolder(CONFIG), config);
        await isMode('baseline');
        writeFileSync(inFolder(USAGE), usage);
      },
    ],
  ];
}

/**
 * Of an agent's window. Last of all: an agent is in *My Agents* from then on.
 * @param {{ workbench: import('./workbench.mjs').Workbench, inFolder: (file: string) => string,
 *   shootPanel: (name: string) => Promise<void> }} context
 */
export function windowSteps({ workbench, inFolder, shootPanel }) {
  const { page, panel } = workbench;
  const button = (name) => panel.getByRole('button', { name, exact: true });
  /** Puts an agent into *My Agents*; what it gives takes it out again. */
  const useAgent = (agent) => {
    const settings = inFolder('.vscode/settings.json');
    // A step that failed may have left its own agent.
    const { 'contextBudget.agents': _, ...before } = existsSync(settings)
      ? JSON.parse(readFileSync(settings, 'utf8'))
      : {};
    const write = (value) => writeFileSync(settings, JSON.stringify(value));
    mkdirSync(path.dirname(settings), { recursive: true });
    write({ ...before, 'contextBudget.agents': [agent] });
    return () => write(before);
  };
  return [
    [
      'the window bar tells what an agent loads, of the chosen model, and of the home folder only after asking',
      async () => {
        const forgetAgent = useAgent('codex');
        const bar = panel.getByRole('region', { name: 'Context window' });
        await bar.getByText('Codex · 272k').click();
        await page.locator('.quick-input-widget').getByText('gpt-5.5').click();
        await bar.getByText('Codex · gpt-5.5 · 272k').waitFor();
        await bar.getByTitle('Show Before the First Word').click();
        const part = panel.getByRole('region', { name: 'Before the First Word' });
        await part.getByRole('button', { name: /^Codex itself/ }).waitFor();
        await button('Include…').click();
        const dialog = page.locator('.monaco-dialog-box');
        await dialog.getByText('~/.codex/config.toml').waitFor();
        await dialog.getByRole('button', { name: 'Read', exact: true }).click();
        await button('Stop Including').click();
        await button('Include…').waitFor();
        await bar.getByTitle('Show Before the First Word').focus();
        await part.getByRole('button', { name: /^Before the First Word/ }).click();
        forgetAgent();
        await bar.waitFor({ state: 'detached' });
      },
    ],
    ...onlyLong([
      [
        'Measure starts a server after asking, says why one gave no figure, and ends a server that is cancelled',
        async () => {
          const config = inFolder('.gemini/settings.json');
          const server = inFolder('.gemini/tinyServer.cjs');
          mkdirSync(path.dirname(config), { recursive: true });
          writeFileSync(server, readFileSync(path.join(FIXTURES, 'mcp/tinyServer.cjs')));
          const start = (...args) => ({ command: process.execPath, args: [server, ...args], env: { SHOP: 'sesame' } });
          const servers = { orders: start(), stock: start('crash'), mail: start('hang') };
          writeFileSync(config, JSON.stringify({ mcpServers: servers }, null, 2));
          const forgetAgent = useAgent('gemini-cli');
          const bar = panel.getByRole('region', { name: 'Context window' });
          await bar.getByText('Gemini CLI · 1M').waitFor();
          await bar.getByTitle('Show Before the First Word').click();
          const part = panel.getByRole('region', { name: 'Before the First Word' });
          const row = (name) => part.getByRole('button', { name });
          await row(/^MCP servers.* 3 of 3 not measured/).click();
          await part
            .getByRole('toolbar', { name: 'Actions for orders' })
            .getByRole('button', { name: 'Measure…' })
            .click();
          const dialog = page.locator('.monaco-dialog-box');
          await dialog.getByText('Start the MCP server orders to count its tools?').waitFor();
          const shown = await dialog.textContent();
          assert.match(shown, /tinyServer\.cjs/);
          assert.match(shown, /Variables: SHOP/);
          assert.doesNotMatch(shown, /sesame/);
          await shootPanel('measure-asks');
          await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
          await row(/^orders.* 2 tools/).click();
          await row(/^MCP servers.* 2 of 3 not measured/).waitFor();
          assert.equal(await part.locator('.depth-2').count(), 3);
          await whenGone(readFileSync(`${server}.pid`, 'utf8'));
          // The row of the category: all that have no figure, one after the other.
          await part.getByRole('toolbar', { name: 'Actions for MCP servers' }).getByRole('button').click();
          await dialog.getByText('Start 2 MCP servers to count their tools?').waitFor();
          await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
          const progress = page.locator('.notification-list-item', { hasText: 'Measuring MCP servers' });
          await progress.getByText('mail').waitFor();
          await until('it runs', () => isAlive(readFileSync(`${server}.pid`, 'utf8')));
          await progress.getByRole('button', { name: 'Cancel' }).click();
          await row(/^stock.* it ended \(exit code 3\) before it answered: no such database/).waitFor();
          await whenGone(readFileSync(`${server}.pid`, 'utf8'));
          await row(/^mail.* not measured/).waitFor();
          await shootPanel('measured');
          await row(/^orders.* 2 tools/).focus();
          await part.getByRole('toolbar', { name: 'Actions for orders' }).getByRole('button', { name: 'Open' }).click();
          await page.locator('.statusbar-item').filter({ hasText: 'Ln 3, Col 1' }).waitFor();
          await workbench.run('View: Close All Editors');
          // Another command: the figure is of what was started before.
          writeFileSync(config, JSON.stringify({ mcpServers: { ...servers, orders: start('fast') } }, null, 2));
          await row(/^orders.* measured with another version \(tiny 1\.0\)/).waitFor();
          rmSync(path.dirname(config), { recursive: true });
          forgetAgent();
          await bar.waitFor({ state: 'detached' });
        },
      ],
      [
        'a server is disabled and a skill loads on demand in the agent’s own settings, after a diff, and both can be undone',
        async () => {
          const forgetAgent = useAgent('claude-code');
          const skill = inFolder('.claude/skills/ship/SKILL.md');
          const local = inFolder('.claude/settings.local.json');
          mkdirSync(path.dirname(skill), { recursive: true });
          const head = '---\nname: ship\ndescription: Ships the shop.\n---\nSteps.\n';
          writeFileSync(skill, head);
          writeFileSync(inFolder('.mcp.json'), JSON.stringify({ mcpServers: { orders: { command: 'orders' } } }));
          const bar = panel.getByRole('region', { name: 'Context window' });
          await bar.getByText('Claude Code · 1M').waitFor();
          const part = panel.getByRole('region', { name: 'Before the First Word' });
          const row = (name) => part.getByRole('button', { name });
          const dialog = page.locator('.monaco-dialog-box');
          const act = async (name, action) => {
            // The focus shows the actions as the pointer does, and what is drawn anew keeps it.
            await row(new RegExp(`^${name}`)).focus();
            await part
              .getByRole('toolbar', { name: `Actions for ${name}` })
              .getByRole('button', { name: action })
              .click();
          };
          const agree = (action) => dialog.getByRole('button', { name: action, exact: true }).click();
          const undo = (done) => panel.getByRole('status').filter({ hasText: done }).getByRole('button').click();
          await bar.getByTitle('Show Before the First Word').click();
          for (const category of [/^MCP servers/, /^Skills/]) {
            await row(category).waitFor();
            if ((await row(category).getAttribute('aria-expanded')) === 'false') await row(category).click();
          }
          await act('orders', 'Disable');
          await dialog.getByText('Create .claude/settings.local.json?').waitFor();
          await page.locator('.monaco-diff-editor').getByText('disabledMcpjsonServers').waitFor();
          await agree('Disable');
          await row(/^orders.* disabled/).waitFor();
          assert.deepEqual(JSON.parse(readFileSync(local, 'utf8')), { disabledMcpjsonServers: ['orders'] });
          // Undo is taken at once, as above. A watcher may take a file that was just made for one that never was.
          rmSync(local);
          await workbench.run('Context Budget: Refresh');
          await row(/^orders.* not measured/).waitFor();
          await act('orders', 'Disable');
          await agree('Disable');
          await undo('orders disabled');
          await until('the server is as before', () => !existsSync(local));
          await row(/^orders.* not measured/).waitFor();
          await act('ship', 'Load on Demand');
          await dialog.getByText('Change .claude/skills/ship/SKILL.md?').waitFor();
          await agree('Load on Demand');
          await row(/^ship.* on demand/).waitFor();
          assert.equal(
            readFileSync(skill, 'utf8'),
            head.replace('\n---\nS', '\ndisable-model-invocation: true\n---\nS'),
          );
          await shootPanel('window-on-demand');
          // As the server's; VS Code tells of no file in folders that were made in one step.
          writeFileSync(skill, head);
          await workbench.run('Context Budget: Refresh');
          await row(/^ship(?!.* on demand)/).waitFor();
          await act('ship', 'Load on Demand');
          await agree('Load on Demand');
          await undo('ship on demand');
          await until('the skill is as before', () => readFileSync(skill, 'utf8') === head);
          for (const made of ['.claude', '.mcp.json']) rmSync(inFolder(made), { recursive: true });
          await row(/^Before the First Word/).click();
          forgetAgent();
          await bar.waitFor({ state: 'detached' });
        },
      ],
    ]),
  ];
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

const whenGone = (pid) => until('the process is gone', () => !isAlive(pid));
