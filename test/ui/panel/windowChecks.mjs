/** The window bar, and the part *Before the First Word*. */
import assert from 'node:assert/strict';
import { NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';
import { CATEGORIES, loaded, windowOf } from './windowSnapshots.mjs';

const bar = (panel) => panel.page.getByRole('region', { name: 'Context window' });
const part = (panel) => panel.page.getByRole('region', { name: 'Before the First Word' });
const header = (panel) => part(panel).getByRole('button', { name: /^Before the First Word/ });
const row = (panel, name) => part(panel).getByRole('button', { name, exact: false });
const spoken = (locator) => locator.textContent().then((text) => text.replace(/\s+/g, ' ').trim());

export const WINDOW_CHECKS = {
  'has neither bar nor part until the host knows what an agent loads': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.deepEqual([await bar(panel).count(), await part(panel).count()], [0, 0]);
    await panel.send(snapshotOf(NORMAL, { window: STATES.window.snapshot.window }));
    assert.deepEqual([await bar(panel).count(), await part(panel).count()], [1, 1]);
    assert.equal(await header(panel).getAttribute('aria-expanded'), 'false');
  },

  'keeps the place of bar and part while another folder is read, and shows nothing in it': async (panel) => {
    for (const width of [248, 340, 560]) {
      await panel.show('dark', { snapshot: STATES.window.snapshot }, width);
      const places = () =>
        panel.page.$$eval('.cb-head, #task', (found) => found.map((each) => each.getBoundingClientRect().top));
      const before = await places();
      const next = { ...snapshotOf(NORMAL, { folderUri: 'file:///lib' }), isWindowPending: true };
      await panel.send(next);
      assert.deepEqual(await places(), before);
      assert.deepEqual([await bar(panel).count(), await part(panel).count()], [0, 1]);
      assert.equal(await spoken(header(panel)), 'Before the First Word');
      assert.equal(await panel.page.locator('.cb-place').isVisible(), false);
      await panel.send({ ...next, isWindowPending: false });
      assert.equal(await part(panel).count(), 0);
    }
  },

  'says whose window it is, what is taken and what each piece is; estimates carry their sign': async (panel) => {
    await panel.show('dark', STATES.window);
    assert.equal(await spoken(bar(panel).locator('.cb-pick')), 'Claude Code · sonnet-5 · 1M');
    assert.equal(await spoken(bar(panel).locator('.note')), '≈34.7k (3%) before the first word · 6.1k payload');
    assert.equal(
      await spoken(bar(panel).locator('.cb-strip')),
      'Show Before the First Word: Claude Code itself about 11,200, Instructions 2,400, MCP servers about 17,000, Skills 3,200, Subagents 900, Payload 6,120, of 1,000,000 tokens',
    );
    assert.equal(await bar(panel).locator('.seg').count(), 6);
    await bar(panel).getByTitle('Select Agent and Model…').click();
    assert.deepEqual(await panel.posted('command'), [{ type: 'command', command: 'selectWindow' }]);
  },

  'opens from category to server to tool, and never counts what was not measured as nothing': async (panel) => {
    await panel.show('dark', STATES.window);
    assert.equal(await spoken(header(panel)), 'Before the First Word1 not measured');
    assert.equal(await spoken(row(panel, /^MCP servers/)), 'MCP servers, 1 of 3 not measured, ≈17k tokens');
    await row(panel, /^MCP servers/).focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await spoken(row(panel, /^linear/)), 'linear, not measured, – tokens');
    await row(panel, /^github/).click();
    assert.equal(await spoken(row(panel, /^github/)), 'github, 35 tools, 14.1k tokens');
    assert.equal(await part(panel).locator('.depth-2').count(), 35);
    await panel.page.reload();
    await panel.send(STATES.window.snapshot);
    assert.equal(await part(panel).locator('.depth-2').count(), 35);
  },

  'opens the file of a row': async (panel) => {
    await panel.show('dark', STATES.windowOpen);
    await row(panel, /^linear/).click();
    await row(panel, /^CLAUDE\.md/).click();
    assert.deepEqual(await panel.posted('window'), [
      { type: 'window', action: 'open', key: 'linear .mcp.json' },
      { type: 'window', action: 'open', key: 'CLAUDE.md CLAUDE.md' },
    ]);
  },

  'measures one server by its row, and all without a figure by the category; a row with tools opens its file by an action':
    async (panel) => {
      await panel.show('dark', STATES.windowOpen);
      const actions = (name) => part(panel).getByRole('toolbar', { name: `Actions for ${name}` });
      // What was not measured shows its action without a pointer over it.
      await actions('linear').getByRole('button', { name: 'Measure…' }).click();
      await row(panel, /^MCP servers/).focus();
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Enter');
      await row(panel, /^github/).hover();
      await actions('github').getByRole('button', { name: 'Open' }).click();
      assert.equal(await actions('linear').getByRole('button').count(), 2);
      assert.deepEqual(await panel.posted('window'), [
        { type: 'window', action: 'measure', key: 'linear .mcp.json' },
        { type: 'window', action: 'measure', key: 'loaded mcp' },
        { type: 'window', action: 'open', key: 'github .mcp.json' },
      ]);
    },

  'disables a server or skill and has one load on demand, by keyboard too': async (panel) => {
    await panel.show('dark', STATES.windowOpen);
    const actions = (name) => part(panel).getByRole('toolbar', { name: `Actions for ${name}` });
    await row(panel, /^review/).hover();
    await actions('review').getByRole('button', { name: 'Load on Demand' }).click();
    await row(panel, /^github/).focus();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('window'), [
      { type: 'window', action: 'onDemand', key: 'review .claude/skills/review/SKILL.md' },
      { type: 'window', action: 'disable', key: 'github .mcp.json' },
    ]);
  },

  'says why a server has no figure': async (panel) => {
    const why = 'it ended (exit code 1) before it answered: no such database';
    const broken = loaded('db', 0, { path: '.mcp.json', fate: 'unmeasured', why, actions: ['measure', 'open'] });
    const [, , mcp] = CATEGORIES;
    const window = windowOf([{ ...mcp, items: [broken] }]);
    await panel.show('dark', { snapshot: snapshotOf(NORMAL, { window }), ui: STATES.windowOpen.ui });
    assert.equal(await spoken(row(panel, /^db/)), `db, ${why}, – tokens`);
  },

  'opens the part from the bar, and a piece its category': async (panel) => {
    await panel.show('dark', { snapshot: STATES.window.snapshot });
    await bar(panel).locator('.of-mcp').click();
    assert.equal(await header(panel).getAttribute('aria-expanded'), 'true');
    assert.equal(await row(panel, /^MCP servers/).getAttribute('aria-expanded'), 'true');
    assert.equal(await header(panel).evaluate((element) => element === document.activeElement), true);
  },

  'asks for the home folder, and offers to leave it out again': async (panel) => {
    await panel.show('dark', STATES.window);
    await part(panel).getByRole('button', { name: 'Include…' }).click();
    await panel.send(STATES.windowHome.snapshot);
    await part(panel).getByRole('button', { name: 'Stop Including' }).click();
    assert.deepEqual(await panel.posted('command'), [
      { type: 'command', command: 'toggleHomeFiles' },
      { type: 'command', command: 'toggleHomeFiles' },
    ]);
  },

  'shows hostile names as text': async (panel) => {
    await panel.show('dark', STATES.windowHostile);
    assert.equal(await panel.page.evaluate(() => window.hacked), undefined);
    assert.equal(await panel.page.$$eval('#root img, #root script', (found) => found.length), 0);
  },
};
