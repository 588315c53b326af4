// What the panel offers, done by keyboard alone: finding, filter, rows of files, native menus, the limit, the view's menu.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { onlyLong } from '../../support/extent.mjs';
import { tryMs, until } from '../../support/until.mjs';

const CONFIG = '.context-budget/config.json';
/** Over half of the limit: what to change first. */
const GUIDE = Array.from({ length: 330 }, (_, at) => `Rule ${at}: name what it does, not how it does it.\n`).join('');
/** More than what is left of the limit. */
const TOPICS = 12;
const TOPIC = Array.from({ length: 60 }, (_, at) => `Line ${at}: totals stay integers in cents.\n`).join('');
/** More than there are stops for Tab, or entries in a menu. */
const MOST_KEYS = 60;

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, inFolder: (file: string) => string }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function keyboardSteps({ workbench, inFolder }) {
  const { page, panel } = workbench;
  const { keyboard } = page;
  const read = () => readFileSync(inFolder(CONFIG), 'utf8');
  const config = read();
  const box = page.locator('.quick-input-widget');

  /** The panel's focused element: a row's id, else an id, a label or its text. */
  const focused = () =>
    panel.locator(':root').evaluate(() => {
      const found = document.activeElement;
      return found?.dataset.row ?? (found?.id || found?.getAttribute('aria-label') || found?.textContent?.trim() || '');
    });

  /** Presses `key` until `isThere`. */
  const walkTo = async (what, key, isThere) => {
    for (let presses = 0; presses < MOST_KEYS; presses++) {
      if (await isThere()) return;
      await keyboard.press(key);
    }
    assert.fail(`${key} does not reach ${what}`);
  };
  const tabTo = (name, key = 'Tab') => walkTo(name, key, async () => (await focused()).startsWith(name));

  const isShown = (locator) =>
    locator.waitFor({ timeout: tryMs() }).then(
      () => true,
      () => false,
    );

  /** Chooses in the open list. */
  const pickByKeys = async (label) => {
    const entry = page.locator('.quick-input-list .monaco-list-row.focused').getByText(label, { exact: true });
    await box.getByText(label, { exact: true }).first().waitFor();
    await walkTo(label, 'ArrowDown', async () => (await entry.count()) > 0);
    await keyboard.press('Enter');
  };

  /** Runs a command from the palette. One that was just about to close is opened again. */
  const runByKeys = async (title) => {
    await until(`${title} is offered`, async () => {
      await keyboard.press('F1');
      if (!(await isShown(box))) return false;
      await keyboard.type(title);
      if (await isShown(box.getByText(title, { exact: true }).first())) return true;
      await keyboard.press('Escape');
      return false;
    });
    await pickByKeys(title);
  };

  const toPanel = async () => {
    await runByKeys('Context Budget: Focus on Budget View');
    await until('the panel has the focus', () => panel.locator(':root').evaluate(() => document.hasFocus()));
  };
  const isRow = () => panel.locator(':root').evaluate(() => document.activeElement?.dataset.row !== undefined);
  const toRows = async () => {
    await walkTo('the rows', 'Tab', isRow);
    await keyboard.press('Home');
  };
  const toRow = async (id) => {
    await toPanel();
    await toRows();
    await walkTo(id, 'ArrowDown', async () => (await focused()) === id);
  };
  /** Opens the native menu of what `focus` goes to, and chooses in it. What is drawn anew meanwhile may close it. */
  const chooseByKeys = async (focus, menuKey, entry) => {
    const menu = page.locator('.monaco-menu');
    await until('the menu is open', async () => {
      await focus();
      await keyboard.press(menuKey);
      return isShown(menu);
    });
    const item = menu.locator('.action-item.focused').getByRole('menuitem', { name: entry, exact: true });
    await walkTo(entry, 'ArrowDown', async () => (await item.count()) > 0);
    await keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
  };
  let withSections = config;

  return [
    [
      'by keyboard: the finding is reviewed, applied and undone',
      async () => {
        const entries = [
          '{ "id": "style-guide", "file": "style-guide.md", "priority": "P2" }',
          '{ "id": "topics", "files": "topics/*.md", "priority": "P4" }',
        ];
        writeFileSync(inFolder('style-guide.md'), `# Style guide\n\n${GUIDE}`);
        mkdirSync(inFolder('topics'));
        for (let at = 1; at <= TOPICS; at++)
          writeFileSync(inFolder(`topics/topic-${at}.md`), `# Topic ${at}\n\n${TOPIC}`);
        withSections = config.replace('"sections": [', `"sections": [\n    ${entries.join(',\n    ')},`);
        writeFileSync(inFolder(CONFIG), withSections);
        const finding = panel.getByRole('region', { name: 'Finding' }).getByText('style-guide.md takes');
        // A panel that was scrolled down does not draw it.
        await finding.waitFor({ state: 'attached' });
        await toPanel();
        await tabTo('Review');
        await keyboard.press('Enter');
        await until('the row has the focus', async () => (await focused()) === 'style-guide');
        assert.equal(await workbench.row('style-guide.md').getAttribute('aria-expanded'), 'true');
        await keyboard.press('ArrowLeft');
        // What it filters to is all again.
        await keyboard.press('Control+f');
        for (const key of ['Escape', 'Escape']) await keyboard.press(key);
        await workbench.row('AGENTS.md').waitFor();
        const line = panel.getByRole('button', { name: 'Undo', exact: true });
        await until('it is applied and undone', async () => {
          await tabTo('On Demand', 'Shift+Tab');
          await keyboard.press('Enter');
          await until('the config is written', () => /"on_demand": \["style-guide"\]/.test(read()));
          await line.waitFor();
          await toRows();
          await keyboard.press('Control+z');
          await line.waitFor({ state: 'detached' });
          if (read() === withSections) return true;
          // The line was there for its ten seconds only: once more.
          writeFileSync(inFolder(CONFIG), withSections);
          await finding.waitFor({ state: 'attached' });
          return false;
        });
      },
    ],
    // The panel in a browser has these keys too.
    ...onlyLong([
      [
        'by keyboard: Cut is chosen in the filter; a file of the folder that it leaves opens',
        async () => {
          await toPanel();
          await keyboard.press('Control+f');
          await until('the filter has the focus', async () => (await focused()) === 'filter-field');
          await tabTo('Cut');
          await keyboard.press('Space');
          const rows = panel.locator('[data-row]');
          await until('one row is left', async () => (await rows.count()) === 1);
          await tabTo('topics');
          await keyboard.press('ArrowRight');
          await until('its files are there', async () => (await rows.count()) > 1);
          await keyboard.press('ArrowDown');
          const [, file] = /^section:topics\/(.+)$/.exec(await focused());
          await keyboard.press('Enter');
          await page.locator('.tab.active').filter({ hasText: file }).waitFor();
          await runByKeys('View: Close All Editors');
          await toPanel();
          await keyboard.press('Control+f');
          await keyboard.press('Escape');
          await until('all rows are back', async () => (await workbench.row('AGENTS.md').count()) === 1);
        },
      ],
      [
        'by keyboard: the native menu of a row copies its handle, pins it and unpins it',
        async () => {
          await workbench.clearClipboard();
          await chooseByKeys(() => toRow('topics'), 'Shift+F10', 'Copy Handle');
          assert.equal(await workbench.clipboard(), 'section:topics');
          for (const [entry, isPinned] of [
            ['Pin', true],
            ['Unpin', false],
          ]) {
            await chooseByKeys(() => toRow('topics'), 'ContextMenu', entry);
            await until(`${entry} is written`, () => /"pinned": \["topics"\]/.test(read()) === isPinned);
          }
          writeFileSync(inFolder(CONFIG), withSections);
        },
      ],
      [
        'by keyboard: the limit is changed and changed back',
        async () => {
          const size = page.viewportSize();
          // A low view leaves the line out.
          await page.setViewportSize({ ...size, height: 1400 });
          for (const [typed, cap] of [
            ['9000', 9000],
            ['7500', 7500],
          ]) {
            await toPanel();
            // Not the task's toggle Changed since main.
            await walkTo('Change', 'Tab', async () => /^Change(?!d)/.test(await focused()));
            await keyboard.press('Enter');
            await box.waitFor({ state: 'visible' });
            await keyboard.press('Control+a');
            await keyboard.type(typed);
            await keyboard.press('Enter');
            await until(`the cap is ${cap}`, async () => (await workbench.panelTokens())?.cap === cap);
          }
          assert.equal(read(), withSections);
          await page.setViewportSize(size);
        },
      ],
    ]),
    ...onlyLong([
      [
        'by keyboard: Connect an Agent… in the menu of the panel copies the skill',
        async () => {
          await workbench.clearClipboard();
          const toMenu = async () => {
            await toPanel();
            // Shift+Tab goes from a header into the page above it: arrows go from header to header.
            const header = (name) => page.locator(`.pane-header[aria-label^="${name}"]:focus`);
            await walkTo('the header below', 'Shift+Tab', async () => (await header('Repo Map').count()) > 0);
            await keyboard.press('ArrowUp');
            await header('Budget').waitFor();
            await keyboard.press('Tab');
            const more = page.locator('.pane-header .action-label[aria-label*="More Actions"]:focus');
            await walkTo('the menu of the view', 'ArrowRight', async () => (await more.count()) > 0);
          };
          await chooseByKeys(toMenu, 'Enter', 'Connect an Agent…');
          await pickByKeys('Any other agent');
          await box.locator('.monaco-list-row').filter({ hasText: 'clipboard' }).first().waitFor();
          const skill = box.locator('.monaco-list-row.focused').filter({ hasText: 'clipboard' });
          await walkTo('the skill', 'ArrowDown', async () => (await skill.count()) > 0);
          await keyboard.press('Space');
          await keyboard.press('Enter');
          assert.match(await workbench.clipboard(), /^---\nname: /);
        },
      ],
    ]),
    [
      'the folder is as it was before the steps by keyboard',
      async () => {
        writeFileSync(inFolder(CONFIG), config);
        rmSync(inFolder('style-guide.md'), { force: true });
        rmSync(inFolder('topics'), { recursive: true, force: true });
        await workbench.row('style-guide.md').waitFor({ state: 'detached' });
      },
    ],
  ];
}
