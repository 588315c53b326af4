/** The panel as a whole: its controls, messages, what it speaks and keeps. */
import assert from 'node:assert/strict';
import { row } from './rows.mjs';
import { change, NORMAL, OVER, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

export const PANEL_CHECKS = {
  'says ready once and asks for nothing else': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.deepEqual(await panel.page.evaluate(() => window.posted), [{ type: 'ready' }]);
  },

  'has one Tab stop for the row list and reaches every control in order': async (panel) => {
    await panel.show('dark', STATES.normal);
    const stops = [];
    for (let i = 0; i < 15; i++) {
      await panel.page.keyboard.press('Tab');
      stops.push(await panel.focused());
    }
    assert.deepEqual(stops.slice(0, 13), [
      '2 alerts',
      '3 sections earn nothing',
      'Token budget',
      'profile',
      'Index-only',
      'task',
      'Set Task…',
      'Copy Payload',
      'More copy actions',
      'Sections16',
      'filter-tool',
      'Sort: Size within Priority',
      'agents-md',
    ]);
    assert.ok(!(await panel.rows()).includes(stops[13]), 'a second row is a Tab stop');
    assert.equal(await panel.page.$$eval('[data-row][tabindex="0"]', (rows) => rows.length), 1);
  },

  'switches the payload with ← and → and by click, and asks the host': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.focus('[role=radio][aria-checked=true]');
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await panel.focused(), 'Expanded');
    assert.deepEqual(await panel.posted('setMode'), [{ type: 'setMode', mode: 'expanded' }]);
    await panel.send(STATES.expanded.snapshot);
    assert.equal(await panel.text('[role=radio][aria-checked=true]'), 'Expanded');
    assert.equal(await panel.focused(), 'Expanded');
    await panel.page.getByRole('radio', { name: 'Index-only' }).click();
    assert.deepEqual((await panel.posted('setMode')).at(-1), { type: 'setMode', mode: 'index' });
  },

  'asks the host for another profile': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.selectOption('#profile', 'planner');
    assert.deepEqual(await panel.posted('setProfile'), [{ type: 'setProfile', profile: 'planner' }]);
  },

  'copies by the primary button and asks for more by the chevron, with mouse and keyboard': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.getByRole('button', { name: 'Copy Payload' }).click();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('command'), [
      { type: 'command', command: 'copyPayload' },
      { type: 'command', command: 'moreCopyActions' },
    ]);
  },

  'says that it counts before it copies, until the numbers are exact': async (panel) => {
    await panel.show('dark', STATES.loading);
    const label = () => panel.text('.cb-split vscode-button');
    await panel.page.getByRole('button', { name: 'Copy Payload' }).click();
    assert.equal(await label(), 'Counting, then copying…');
    await panel.send(STATES.normal.snapshot);
    assert.equal(await label(), 'Copy Payload');
  },

  'runs the commands of its messages': async (panel) => {
    const commands = async (state, ...names) => {
      await panel.show('dark', STATES[state]);
      for (const name of names) await panel.page.getByRole('button', { name }).click();
      return (await panel.posted('command')).map((message) => message.command);
    };
    assert.deepEqual(await commands('error', 'Open Config', 'Show Log'), ['openConfig', 'showLog']);
    assert.deepEqual(await commands('restricted', 'Manage Workspace Trust'), ['manageTrust']);
    assert.deepEqual(await commands('noFolder', 'Open Folder', 'How it works'), ['openFolder', 'howItWorks']);
    assert.deepEqual(await commands('noInstructions', 'Create AGENTS.md'), ['createInstructions']);
    await panel.show('dark', STATES.over);
    await panel.page.getByRole('alert').getByRole('button', { name: 'CLAUDE.md' }).click();
    assert.deepEqual(await panel.posted('section'), [{ type: 'section', action: 'open', sectionId: 'claude-md' }]);
  },

  'drops a snapshot older than the one it shows': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.send(STATES.over.snapshot, 50);
    await panel.send(STATES.normal.snapshot, 49);
    assert.match(await panel.text('.cb-headline'), /8,246 of 7,500 tokens/);
  },

  'ignores messages it does not know': async (panel) => {
    await panel.show('dark', STATES.normal);
    for (const message of [
      null,
      7,
      'snapshot',
      { type: 'snapshot' },
      { type: 'snapshot', revision: '9' },
      { type: 'x' },
    ]) {
      await panel.post(message);
    }
    assert.match(await panel.text('.cb-headline'), /6,120 of 7,500 tokens/);
  },

  'does not move anything when counting begins, ends or changes a number': async (panel) => {
    const tops = () =>
      panel.page.$$eval('.cb-gauge, .cb-chars, .cb-form, .cb-actions', (blocks) =>
        blocks.map((block) => block.getBoundingClientRect().top),
      );
    for (const width of [248, 340, 560]) {
      await panel.show('dark', STATES.first, width);
      const before = await tops();
      for (const next of [
        STATES.loading.snapshot,
        STATES.normal.snapshot,
        snapshotOf(change(NORMAL, 'git', { tokens: 9 })),
      ]) {
        await panel.send(next);
        assert.deepEqual(await tops(), before, `at ${width} px`);
      }
    }
  },

  'keeps open rows, filter and scroll position over a reload': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.click(row('memory'));
    await panel.page.keyboard.press('Control+f');
    await panel.page.keyboard.type('e');
    await panel.page.evaluate(() => window.scrollTo(0, 200));
    await panel.page.waitForFunction(() => JSON.parse(sessionStorage.getItem('state')).scrollTop === 200);
    await panel.page.reload();
    await panel.send(STATES.normal.snapshot);
    assert.equal(await panel.page.getAttribute(row('memory'), 'aria-expanded'), 'true');
    assert.equal(await panel.page.inputValue('#filter-field'), 'e');
    assert.equal(await panel.page.evaluate(() => window.scrollY), 200);
  },

  'speaks a change of status once, and what the host announces': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.equal(await panel.text('#live'), '');
    await panel.send(snapshotOf(OVER));
    assert.equal(await panel.text('#live'), 'Over budget by 746 tokens');
    await panel.show('dark', STATES.normal);
    await panel.post({ type: 'announce', text: 'Copied 6,120 tokens' });
    assert.equal(await panel.text('#live'), 'Copied 6,120 tokens');
  },

  'gives the gauge and the characters as meters in words': async (panel) => {
    await panel.show('dark', STATES.normal);
    const text = (name) => panel.page.getByRole('meter', { name }).getAttribute('aria-valuetext');
    assert.equal(await text('Token budget'), '6,120 of 7,500 tokens, 82\u00a0%, past the 80\u00a0% warning mark');
    assert.equal(await text('Character cap'), '21,034 of 30,000 characters, 70\u00a0%');
    await panel.send(STATES.over.snapshot);
    assert.equal(await panel.page.getByRole('meter', { name: 'Token budget' }).getAttribute('aria-valuenow'), '7500');
  },

  'shows hostile names, reasons and texts as text': async (panel) => {
    await panel.show('dark', STATES.hostile);
    assert.equal(await panel.page.evaluate(() => window.hacked), undefined);
    assert.equal(await panel.page.$$eval('#root img, #root script', (found) => found.length), 0);
    assert.match(await panel.text('.cb-row pre'), /<script>window\.hacked=1<\/script>/);
  },

  'stays still when less motion is wanted': async (panel) => {
    const animation = () => panel.page.$eval('.cb-progress i', (element) => getComputedStyle(element).animationName);
    await panel.page.emulateMedia({ reducedMotion: 'no-preference' });
    await panel.show('dark', STATES.loading);
    assert.equal(await animation(), 'cb-slide');
    await panel.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    assert.equal(await animation(), 'none');
    await panel.page.emulateMedia({ reducedMotion: 'reduce' });
    await panel.show('dark', STATES.loading);
    assert.equal(await animation(), 'none');
  },

  'keeps gauge and bars visible in forced colours': async (panel) => {
    await panel.page.emulateMedia({ forcedColors: 'active' });
    await panel.show('hc-dark', STATES.normal);
    const colour = (selector) => panel.page.$eval(selector, (element) => getComputedStyle(element).backgroundColor);
    const behind = await colour('.cb-gauge');
    assert.notEqual(await colour('.cb-gauge .seg'), behind);
    assert.notEqual(await colour('.cb-row .size i'), 'rgb(0, 0, 0)');
    await panel.page.emulateMedia({ forcedColors: 'none' });
  },

  'shows a focus ring on the primary button for the keyboard only': async (panel) => {
    await panel.show('dark', STATES.normal);
    const outline = () =>
      panel.page.$eval('.cb-split vscode-button', (element) => {
        const control = element.shadowRoot.querySelector('.control');
        return getComputedStyle(control).outlineStyle;
      });
    await panel.page.getByRole('button', { name: 'Copy Payload' }).click();
    assert.equal(await outline(), 'none');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Shift+Tab');
    assert.equal(await outline(), 'solid');
  },
};
