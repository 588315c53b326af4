/** The list of sections: keyboard, opening, order, filter, focus. */
import assert from 'node:assert/strict';
import { focusRow, row } from './rows.mjs';
import { CITED, change, manySections, NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

export const ROW_CHECKS = {
  'moves between rows with arrows, Home and End, across groups': async (panel) => {
    await panel.show('dark', STATES.normal);
    const rows = await panel.rows();
    await focusRow(panel, rows[0]);
    await panel.page.keyboard.press('ArrowUp');
    assert.equal(await panel.focused(), rows[0]);
    for (const id of rows.slice(1, 4)) {
      await panel.page.keyboard.press('ArrowDown');
      assert.equal(await panel.focused(), id);
    }
    await panel.page.keyboard.press('End');
    assert.equal(await panel.focused(), rows.at(-1));
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await panel.focused(), rows.at(-1));
    await panel.page.keyboard.press('Home');
    assert.equal(await panel.focused(), rows[0]);
  },

  'remembers its row when Tab comes back': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'git');
    await panel.page.focus('#filter-tool');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Tab');
    assert.equal(await panel.focused(), 'git');
  },

  'opens with → Enter and Space, closes with ← Enter and Space': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'memory');
    const isOpen = () => panel.page.getAttribute(row('memory'), 'aria-expanded');
    for (const [key, expected] of [
      ['ArrowRight', 'true'],
      ['ArrowRight', 'true'],
      ['ArrowLeft', 'false'],
      ['ArrowLeft', 'false'],
      ['Enter', 'true'],
      ['Enter', 'false'],
      ['Space', 'true'],
      ['Space', 'false'],
    ]) {
      await panel.page.keyboard.press(key);
      assert.equal(await isOpen(), expected, key);
      assert.equal(await panel.focused(), 'memory');
    }
  },

  'shows actions and explanation in an opened row, and the rest behind Details': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'memory');
    await panel.page.keyboard.press('ArrowRight');
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    assert.match(await detail.textContent(), /Shows the newest 12 of 41 entries/);
    assert.equal(await detail.locator('code').textContent(), 'section:memory');
    const stops = [];
    const more = detail.getByRole('button', { name: /^Details/ });
    assert.equal(await more.getAttribute('aria-expanded'), 'false');
    assert.equal(await detail.locator('.cb-entries').count(), 0);
    await more.click();
    await focusRow(panel, 'memory');
    for (const key of [
      'Tab',
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowLeft',
      'Tab',
      'Tab',
      'Shift+Tab',
      'Shift+Tab',
    ]) {
      await panel.page.keyboard.press(key);
      stops.push((await panel.focused()).replace(/^(Text|Details).*/, '$1'));
    }
    // The actions are one stop, and remember their button.
    assert.deepEqual(stops, [
      'Pin',
      'On Demand',
      'Exclude',
      'Open',
      'Exclude',
      'Details',
      '7 more',
      'Details',
      'Exclude',
    ]);
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('section'), [{ type: 'section', action: 'copy', sectionId: 'memory' }]);
  },

  'lists the newest entries, all on asking, and folds the text of a list but not that of a file': async (panel) => {
    await panel.show('dark', {
      ...STATES.normal,
      ui: { openIds: ['memory', 'claude-md'], openItems: ['details memory', 'details claude-md'] },
    });
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    const entries = () => detail.locator('.cb-entries li > span:first-child').allTextContents();
    assert.equal((await entries())[0], 'Login tests share one Redis database; give each worker its own.');
    assert.equal((await entries()).length, 5);
    await detail.getByRole('button', { name: '7 more' }).click();
    assert.equal((await entries()).length, 12);
    assert.equal(await panel.focused(), 'Fewer');
    assert.equal(await detail.locator('pre').count(), 0);
    const text = detail.getByRole('button', { name: /^Text/ });
    await text.click();
    assert.equal(await detail.locator('pre').textContent(), NORMAL[2].text);
    await panel.page.reload();
    await panel.send(STATES.normal.snapshot);
    assert.equal(await detail.locator('pre').count(), 1);
    assert.equal((await entries()).length, 12);
    const file = panel.page.getByRole('group', { name: 'CLAUDE.md, details' });
    assert.equal(await file.locator('pre').count(), 1);
    await file.getByRole('button', { name: /^Text/ }).click();
    assert.equal(await file.locator('pre').count(), 0);
  },

  'says of a cut section what it has beside its name or what fits of that, and has its bar': async (panel) => {
    const patch = { isCut: true, tokens: 5890, tokensFull: 250_268, title: 'memory-session-transcripts' };
    const box = (selector) => panel.page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
    for (const width of [248, 300, 340, 560]) {
      await panel.show('dark', { snapshot: snapshotOf(change(NORMAL, 'observations', patch)) }, width);
      const [name, full, bar, tokens] = ['.base', '.of', '.size i', '.tok'].map(
        (part) => `${row('observations')} ${part}`,
      );
      assert.equal((await panel.text(tokens)).replace(/ tokens$/, ''), '5,890');
      assert.equal(await panel.text(full), 'of 250k,');
      assert.match(
        await panel.page.getAttribute(tokens, 'title'),
        /^5,890 of 250,268 tokens are shown; 244,378 are cut/,
      );
      const [named, of, drawn] = [await box(name), await box(full), await box(bar)];
      assert.ok(named.right <= of.left && of.right <= drawn.left && of.top < named.bottom, `at ${width} px`);
      const other = await box(`${row('repo-map')} .size i`);
      assert.ok(drawn.left === other.left && drawn.width > other.width, `the bar at ${width} px`);
    }
  },

  'tells files of one name by their folders': async (panel) => {
    const snapshot = structuredClone(STATES.folder.snapshot);
    const { files } = snapshot.payload.sections.find((section) => section.files !== undefined);
    files[1].path = 'memory/topics/old/hn-cron.md';
    await panel.show('dark', { ...STATES.folder, snapshot });
    const rows = panel.page.getByRole('list', { name: 'Files of topic-memory' }).locator('.cb-file > button');
    const told = async (at) => [
      (await rows.nth(at).textContent()).replace(/\s+/g, ' ').trim(),
      await rows.nth(at).getAttribute('title'),
    ];
    assert.deepEqual(await told(0), ['hn-cron.md, memory/topics, 1,116 tokens', 'Open: memory/topics/hn-cron.md']);
    assert.deepEqual(await told(1), [
      'hn-cron.md, memory/topics/old, of 1,240, 131 tokens',
      'Open: memory/topics/old/hn-cron.md',
    ]);
    assert.equal((await told(2))[0], 'redis-pool.md, of 884, 10 tokens');
  },

  'opens a folder to its files, with what is shown of each': async (panel) => {
    await panel.show('dark', STATES.folder);
    const files = panel.page.getByRole('list', { name: 'Files of topic-memory' });
    const lines = async () =>
      (await files.getByRole('listitem').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
    assert.deepEqual(await lines(), [
      'hn-cron.md, 1,116 tokens',
      'login-flake.md, of 1,240, 131 tokens',
      'redis-pool.md, of 884, 10 tokens',
      'release-train.md, of 823, 11 tokens',
      'signing-keys.md, of 642, 10 tokens',
      '2 more files, of 139, 21 tokens',
      '7 more files, not listed',
    ]);
    await files.getByRole('button', { name: '2 more files' }).click();
    assert.deepEqual((await lines()).slice(5), [
      'notes.md, of 98, 12 tokens',
      'tea.md, of 41, 9 tokens',
      'Fewer files',
      '7 more files, not listed',
    ]);
    await files.getByRole('button', { name: 'login-flake.md' }).click();
    assert.deepEqual(await panel.posted('openFile'), [
      { type: 'openFile', path: 'memory/topics/login-flake.md', line: 1 },
    ]);
  },

  'reaches the files of a folder by the keys of the rows': async (panel) => {
    await panel.show('dark', STATES.folder);
    const file = (name) => `section:topic-memory/${name}.md`;
    const stops = () => panel.page.$$eval('[data-row][tabindex="0"]', (rows) => rows.map(({ dataset }) => dataset.row));
    const press = async (...keys) => {
      for (const key of keys) await panel.page.keyboard.press(key);
      return panel.focused();
    };
    await focusRow(panel, 'topic-memory');
    assert.equal(await press('ArrowDown'), file('hn-cron'));
    assert.deepEqual(await stops(), [file('hn-cron')]);
    assert.equal(await press('ArrowDown', 'ArrowDown'), file('redis-pool'));
    assert.equal(await press('r'), file('release-train'));
    assert.equal(await press('ArrowRight', 'Control+c'), file('release-train'));
    assert.deepEqual(await panel.posted('section'), []);
    await press('Enter');
    assert.deepEqual(await panel.posted('openFile'), [
      { type: 'openFile', path: 'memory/topics/release-train.md', line: 1 },
    ]);
    // Away and back: the list remembers the file. A new snapshot leaves the focus there.
    await press('Tab');
    assert.equal(await press('Shift+Tab'), file('release-train'));
    await panel.send(STATES.folder.snapshot);
    assert.equal(await panel.focused(), file('release-train'));
    assert.equal(await press('ArrowDown', 'ArrowDown'), 'entries topic-memory');
    assert.equal(await press('Enter'), 'entries topic-memory');
    assert.equal(await press('ArrowUp'), file('tea'));
    assert.equal(await press('ArrowDown', 'ArrowDown'), 'heartbeat');
    assert.equal(await press('ArrowUp', 'ArrowUp', 'ArrowLeft'), 'topic-memory');
    assert.equal(await press('ArrowLeft', 'ArrowDown'), 'heartbeat');
    assert.deepEqual(await stops(), ['heartbeat']);
  },

  'shows the rows in the chosen order and asks the host for another': async (panel) => {
    await panel.show('dark', STATES.byReturn);
    assert.deepEqual((await panel.rows()).slice(0, 4), ['claude-md', 'topic-memory', 'heartbeat', 'soul']);
    assert.equal(await panel.text('.cb-group h3 .g'), 'least used first');
    await panel.page.getByRole('button', { name: 'Sort: Use' }).click();
    assert.deepEqual(await panel.posted('command'), [{ type: 'command', command: 'sortSections' }]);
  },

  'asks the host to put a section on a list of the config, or to take it off': async (panel) => {
    await panel.show('dark', { ...STATES.normal, ui: { openIds: ['claude-md', 'topic-memory', 'run-logs'] } });
    const click = async (title, name) => {
      await panel.page
        .getByRole('group', { name: `${title}, details` })
        .getByRole('button', { name })
        .click();
    };
    await click('CLAUDE.md', 'Unpin');
    await click('CLAUDE.md', 'On Demand');
    await click('topic-memory', 'Stop On Demand');
    await click('run-logs', 'Include');
    assert.deepEqual(
      (await panel.posted('section')).map(({ action, sectionId }) => [action, sectionId]),
      [
        ['unpin', 'claude-md'],
        ['onDemand', 'claude-md'],
        ['alwaysShow', 'topic-memory'],
        ['include', 'run-logs'],
      ],
    );
  },

  'finds a row by its first letters': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'agents-md');
    // At once: letters that come later than 800 ms begin another search.
    await panel.page.evaluate(() => {
      for (const key of 'op')
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    });
    assert.equal(await panel.focused(), 'open-editors');
  },

  'shows a row’s actions on hover and on focus, one stop for Tab, and none of an opened row twice': async (panel) => {
    await panel.show('dark', STATES.normal);
    const tools = panel.page.getByRole('toolbar');
    assert.equal(await tools.count(), 0);
    await panel.page.hover(row('ports'));
    assert.equal(await tools.getAttribute('aria-label'), 'Actions for ports');
    assert.equal(await tools.getByRole('button').count(), 3);
    await panel.page.mouse.move(-10, -10);
    await focusRow(panel, 'git');
    await panel.page.keyboard.press('Tab');
    assert.equal(await panel.focused(), 'Pin');
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('section'), [{ type: 'section', action: 'onDemand', sectionId: 'git' }]);
    await panel.page.click(row('git'));
    assert.equal(await tools.count(), 1);
    assert.equal(await tools.getByRole('button').count(), 4);
  },

  'has one line a row, a second one only where something is abnormal, until there is room in the first': async (
    panel,
  ) => {
    const heights = () =>
      panel.page.$$eval('[data-row]', (rows) =>
        Object.fromEntries(rows.map((each) => [each.dataset.row, each.offsetHeight])),
      );
    const normal = { git: 38, relay: 38, diagnostics: 38, 'ci-status': 38 };
    for (const [width, tall] of [
      [248, normal],
      [475, normal],
      [476, {}],
    ]) {
      await panel.show('dark', STATES.normal, width);
      for (const [id, height] of Object.entries(await heights()))
        assert.equal(height, tall[id] ?? 22, `${id}, ${width} px`);
    }
    await panel.show('dark', STATES.leftOut, 295);
    assert.equal((await heights()).heartbeat, 38);
    assert.match(await panel.page.locator(row('heartbeat')).innerText(), /20 of 420: left out, over budget/);
    await panel.page.setViewportSize({ width: 296, height: 900 });
    assert.equal((await heights()).heartbeat, 22);
    assert.match(await panel.page.locator(row('heartbeat')).innerText(), /20 of 420: over budget/);
  },

  'shows eight rows or more on the first screen': async (panel) => {
    for (const state of ['finding', 'leftOut', 'over']) {
      await panel.show('dark', STATES[state], 300);
      // A sidebar of 900 px has its titles and three folded views, too.
      const whole = await panel.page.$$eval(
        '[data-row]',
        (rows) => rows.filter((each) => each.getBoundingClientRect().bottom <= 900 - 70 - 88).length,
      );
      assert.ok(whole >= 8, `${whole} rows in state ${state}`);
    }
  },

  'copies a section with Ctrl+C on its row': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'git');
    await panel.page.keyboard.press('Control+c');
    assert.deepEqual(await panel.posted('section'), [{ type: 'section', action: 'copy', sectionId: 'git' }]);
  },

  'opens the filter with Ctrl+F; Escape empties it, then closes it and gives the focus back': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.keyboard.press('Control+f');
    assert.equal(await panel.focused(), 'filter-field');
    await panel.page.keyboard.type('newest');
    assert.deepEqual(await panel.rows(), ['memory', 'progress']);
    assert.equal(await panel.text('.cb-fold .sum'), '2 of 16');
    await panel.page.keyboard.press('Escape');
    assert.equal((await panel.rows()).length, 16);
    assert.equal(await panel.focused(), 'filter-field');
    await panel.page.keyboard.press('Escape');
    assert.equal(await panel.focused(), 'filter-tool');
    assert.equal(await panel.page.$('.cb-filter'), null);
  },

  'narrows to alerts from the headline and to any chosen kind by the toggles': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.getByRole('button', { name: '2 alerts' }).click();
    assert.deepEqual(await panel.rows(), ['diagnostics', 'ci-status']);
    await panel.page.getByRole('button', { name: 'Warnings' }).click();
    assert.deepEqual(await panel.rows(), ['relay', 'diagnostics', 'git', 'ci-status']);
    await panel.page.getByRole('button', { name: 'Alerts', exact: true }).click();
    await panel.page.getByRole('button', { name: 'Warnings' }).click();
    const leftOut = panel.page.getByRole('button', { name: 'Left out', exact: true });
    assert.equal(await leftOut.count(), 0, 'nothing is left out, so that nothing could be shown');
    await panel.send(STATES.leftOut.snapshot);
    await leftOut.click();
    assert.equal((await panel.rows()).length, STATES.leftOut.snapshot.payload.leftOut.sections);
  },

  'says when no section matches and clears the filter': async (panel) => {
    await panel.show('dark', STATES.filterNone);
    await panel.page.getByRole('button', { name: 'Clear Filter' }).click();
    assert.equal((await panel.rows()).length, 16);
  },

  'keeps the focus on the same section when rows are reordered or change group': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'ports');
    await panel.send(snapshotOf(change(NORMAL, 'ports', { tokens: 3000 })));
    assert.equal(await panel.focused(), 'ports');
    await panel.send(snapshotOf(change(NORMAL, 'ports', { priority: 'P4' })));
    assert.equal(await panel.focused(), 'ports');
    assert.equal((await panel.rows()).at(-4), 'topic-memory');
  },

  'keeps the focus on a control of an opened row that moves to another group': async (panel) => {
    await panel.show('dark', { ...STATES.normal, ui: { openIds: ['memory'] } });
    await panel.page.focus('[data-key="pinned memory"]');
    await panel.page.keyboard.press('Enter');
    await panel.send(snapshotOf(change(NORMAL, 'memory', { priority: 'P0', isPinned: true })));
    assert.equal(await panel.focused(), 'Unpin');
  },

  'gives the focus to a row when the focused section is gone': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'git');
    await panel.send(snapshotOf(NORMAL.filter((section) => section.id !== 'git')));
    assert.equal(await panel.focused(), 'agents-md');
  },

  'draws only the rows that changed, of 200': async (panel) => {
    const sections = manySections();
    await panel.show('dark', { snapshot: snapshotOf(sections) });
    assert.equal((await panel.rows()).length, 200);
    await panel.page.evaluate(() => {
      window.rowRenders.length = 0;
    });
    const changed = change(change(sections, 'nested-7', { reason: 'newest 3 of 9' }), 'nested-100', { status: 'WARN' });
    await panel.send(snapshotOf(changed));
    assert.deepEqual((await panel.page.evaluate(() => window.rowRenders)).toSorted(), ['nested-100', 'nested-7']);
  },

  'names a row by what it shows': async (panel) => {
    await panel.show('dark', STATES.normal);
    const name = (id) => panel.text(row(id)).then((text) => text.replace(/\s+/g, ' '));
    assert.equal(await name('ports'), 'ports,4 of 4 up,12 tokens');
    assert.equal(await name('claude-md'), 'CLAUDE.md,pinned,418 tokens');
    assert.equal(await name('diagnostics'), 'diagnostics,ALERT: 7 errors, 3 files,412 tokens');
    assert.equal(await name('run-logs'), 'run-logs,excluded,0 tokens');
  },

  'marks the rows that a reply cited, with words, and draws no other row for it': async (panel) => {
    await panel.show('dark', STATES.normal, 480);
    /** What is drawn, without words of another width. */
    const drawn = (id) => panel.page.locator(row(id)).innerText();
    const name = async (id) => (await drawn(id)).replace(/\s+/g, ' ').replaceAll(' ,', ',');
    const shown = (id, words) => panel.page.locator(row(id)).getByText(words, { exact: true }).isVisible();
    const before = await name('memory');
    await panel.page.evaluate(() => {
      window.rowRenders.length = 0;
    });
    await panel.send(snapshotOf(NORMAL, { cited: CITED }));
    assert.deepEqual(
      (await panel.page.evaluate(() => window.rowRenders)).toSorted(),
      CITED.map(({ id }) => id).toSorted(),
    );
    assert.equal(await name('memory'), 'MEMORY.md, cited: path src/a.ts, 12 of 41 entries, 702 tokens');
    assert.equal(await name('claude-md'), 'CLAUDE.md, pinned, cited: tag [ctx:claude-md], 418 tokens');
    // What is abnormal needs the room.
    assert.equal(await name('git'), 'git, cited, WARN: 2 behind main, 186 tokens');
    assert.ok(await shown('memory', 'cited: path src/a.ts'));
    await panel.page.setViewportSize({ width: 300, height: 900 });
    assert.ok(await shown('memory', 'cited'));
    assert.equal(await shown('memory', 'cited: path src/a.ts'), false);
    await focusRow(panel, 'memory');
    await panel.page.keyboard.press('ArrowRight');
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    await detail.getByText('Cited by the last recorded reply: path src/a.ts', { exact: true }).waitFor();
    await panel.send(snapshotOf(NORMAL));
    assert.equal(await detail.getByText('Cited by').count(), 0);
    await panel.page.setViewportSize({ width: 480, height: 900 });
    assert.equal(await name('memory'), before);
  },

  'names nested files of the same name by their folder, whose end stays readable': async (panel) => {
    await panel.show('dark', { snapshot: snapshotOf(manySections()) }, 220);
    const box = await panel.page.$eval(row('nested-0'), (element) => {
      const base = element.querySelector('.base');
      const name = base.getBoundingClientRect();
      const text = base.firstElementChild.getBoundingClientRect();
      return { words: element.textContent, end: text.right - name.right, isCut: text.left < name.left };
    });
    assert.match(box.words, /^packages\/package-000,AGENTS\.md,/);
    assert.ok(box.end <= 0.5, 'the end of the folder is cut');
    assert.ok(box.isCut, 'the folder should not fit at 220 px, else this proves nothing');
  },

  'gives the host what a row menu needs': async (panel) => {
    await panel.show('dark', STATES.normal);
    const context = await panel.page.$eval(row('claude-md'), (element) => element.parentElement.dataset.vscodeContext);
    assert.deepEqual(JSON.parse(context), {
      webviewSection: 'section',
      sectionId: 'claude-md',
      isPinned: true,
      isAlwaysFull: false,
      isExcluded: false,
      isOnDemand: false,
      hasSource: true,
      preventDefaultContextMenuItems: true,
    });
  },
};
