/** What stays where it is: nothing moves, nothing else is drawn, nothing is cut off, and the keyboard does it all. */
import assert from 'node:assert/strict';
import { AGENTS } from './agentSnapshots.mjs';
import { change, manySections, NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';
import { withAdvice } from './usageSnapshots.mjs';

/** Shifts below this add up to 0.00 in a page's score; a number that loses a digit is a fiftieth of it. */
const LEAST_SHIFT = 0.005;

/** Begins to record layout shifts; those after an input count too. */
async function watchShifts(panel) {
  await panel.page.evaluate(() => {
    window.shifts = { total: 0, blocks: [] };
    // What is drawn to scale, and the words and numbers themselves, are where they belong whenever they change.
    const isContent = (node) =>
      !(node instanceof HTMLElement) ||
      node.closest('.cb-head > *') !== null ||
      node.matches('.seg, .n, .why, .why *, .tok, .i, .sr');
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        window.shifts.total += value;
        for (const { node } of sources)
          if (!isContent(node)) window.shifts.blocks.push(`${node.tagName}.${node.className}`);
      }
    }).observe({ type: 'layout-shift', buffered: false });
  });
}

/** What shifted since, once the frames that hold it were drawn. */
async function assertNoShift(panel, what) {
  await panel.drawn();
  const { total, blocks } = await panel.page.evaluate(() => window.shifts);
  assert.deepEqual(blocks, [], what);
  assert.ok(total < LEAST_SHIFT, `${what}: a score of ${total.toFixed(4)}`);
}

/** Begins to record every change of the page, by the row, group or block it is in. */
async function watchMutations(panel) {
  await panel.page.evaluate(() => {
    window.mutated = new Set();
    const blockOf = (node) => {
      const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
      const row = element?.closest('.cb-row')?.querySelector('[data-row]');
      if (row) return `row ${row.dataset.row}`;
      const block = element?.closest('.cb-group > h3, .cb-head, .cb-meter, .cb-tools, .cb-part, #live');
      return block
        ? block.className || block.closest('[aria-labelledby]')?.getAttribute('aria-labelledby') || block.id
        : 'else';
    };
    new MutationObserver((records) => {
      for (const record of records) window.mutated.add(blockOf(record.target));
    }).observe(document.querySelector('#root'), {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
}

const PAYLOAD = { agents: AGENTS, ...withAdvice(0.3) };

export const STEADY_CHECKS = {
  'shifts nothing when counts, statuses and words change, at any width': async (panel) => {
    for (const width of [248, 340, 560]) {
      const shown = { ...PAYLOAD, sort: 'payload' };
      const ui = { openIds: ['git'], foldedParts: [] };
      await panel.show('dark', { snapshot: snapshotOf(NORMAL, shown), ui }, width);
      await watchShifts(panel);
      for (const patch of [
        { tokens: 9, chars: 40 },
        { tokens: 1400, chars: 5600, reason: 'always kept' },
        { status: 'ALERT', reason: '12 behind main' },
        { status: 'WARN', disclosure: 'stub' },
        { isPending: true, tokens: 186 },
      ]) {
        await panel.send(snapshotOf(change(NORMAL, 'git', patch), shown));
      }
      await assertNoShift(panel, `at ${width} px`);
    }
  },

  'shifts nothing while it counts for the first time': async (panel) => {
    for (const width of [248, 340, 560]) {
      // A new alarm would have a line of its own; this one is known from the count before.
      const { sections } = STATES.loading.snapshot.payload;
      const alarm = { status: 'ALERT', reason: 'stopped after 5 s' };
      const loading = (done) =>
        snapshotOf(change(sections, 'ci-status', alarm), { progress: { done, total: 16 } }, { isExact: false });
      await panel.show('dark', { snapshot: loading(9) }, width);
      await watchShifts(panel);
      for (const done of [10, 12, 15]) await panel.send(loading(done));
      await panel.send(STATES.normal.snapshot);
      await assertNoShift(panel, `at ${width} px`);
    }
  },

  'changes only the row that changed and the totals, of 200': async (panel) => {
    const sections = manySections();
    const shown = { ...PAYLOAD, sort: 'payload' };
    await panel.show('dark', { snapshot: snapshotOf(sections, shown) });
    await watchMutations(panel);
    await panel.send(snapshotOf(change(sections, 'nested-7', { reason: 'newest 3 of 9' }), shown));
    assert.deepEqual(await panel.page.evaluate(() => [...window.mutated].sort()), ['row nested-7']);
    await panel.send(snapshotOf(change(sections, 'nested-7', { tokens: 31, chars: 130 }), shown));
    assert.deepEqual(await panel.page.evaluate(() => [...window.mutated].sort()), [
      'cb-head',
      'cb-meter',
      'cb-tools',
      'group-P2',
      'row nested-7',
    ]);
  },

  'does the main job with the keyboard alone: filter, open, pin, switch, copy': async (panel) => {
    await panel.show('dark', STATES.normal);
    const { keyboard } = panel.page;
    const tabTo = async (wanted) => {
      for (let stops = 0; stops < 40; stops++) {
        await keyboard.press('Tab');
        if ((await panel.focused()) === wanted) return;
      }
      assert.fail(`Tab does not reach ${wanted}`);
    };
    await tabTo('filter-tool');
    await keyboard.press('Enter');
    assert.equal(await panel.focused(), 'filter-field');
    await keyboard.type('memory');
    assert.deepEqual(await panel.rows(), ['memory', 'soul', 'topic-memory']);
    await tabTo('memory');
    await keyboard.press('ArrowDown');
    assert.equal(await panel.focused(), 'soul');
    await keyboard.press('ArrowRight');
    await tabTo('Pin');
    await keyboard.press('Enter');
    assert.deepEqual(await panel.posted('section'), [{ type: 'section', action: 'pin', sectionId: 'soul' }]);
    await panel.send(snapshotOf(change(NORMAL, 'soul', { isPinned: true })));
    assert.equal(await panel.focused(), 'Unpin');
    await keyboard.press('Control+f');
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    assert.equal(await panel.focused(), 'filter-tool');
    assert.equal((await panel.rows()).length, 16);
    for (let stops = 0; (await panel.focused()) !== 'Index'; stops++) {
      assert.ok(stops < 20, 'Shift+Tab does not reach the mode switch');
      await keyboard.press('Shift+Tab');
    }
    await keyboard.press('ArrowRight');
    await panel.send(STATES.expanded.snapshot);
    assert.equal(await panel.focused(), 'Expanded');
    await tabTo('Copy Payload');
    await keyboard.press('Enter');
    assert.deepEqual(
      (await panel.page.evaluate(() => window.posted)).map(({ type, command, mode }) => command ?? mode ?? type),
      ['ready', 'section', 'expanded', 'copyPayload'],
    );
  },

  'asks for the native menu of a row with Shift+F10, by what the host reads': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.evaluate(() => {
      window.menus = [];
      document.addEventListener('contextmenu', (event) => {
        window.menus.push(event.target.closest('[data-vscode-context]')?.dataset.vscodeContext);
        event.preventDefault();
      });
    });
    await panel.page.focus('[data-row="git"]');
    await panel.page.keyboard.press('Shift+F10');
    const [context] = await panel.page.evaluate(() => window.menus);
    assert.equal(JSON.parse(context).sectionId, 'git');
  },

  'cuts nothing off at 200% zoom': async (panel) => {
    // Zoomed twice, a panel of 340 px has half of them to lay itself out; texts are as large as the editor says.
    for (const name of ['whole', 'over', 'error', 'filter', 'noFolder', 'empty', 'loading', 'relayMissing']) {
      await panel.show('dark', STATES[name], 170);
      assert.deepEqual(await panel.overflowing(), [], name);
      const cut = await panel.page.$$eval(
        'button, h2, h3, label, .tok, .at, .state, .what, .cb-find strong, .cb-msg p, .cb-welcome p, .limit',
        (elements) =>
          elements
            .filter((element) => element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0)
            .filter((element) => getComputedStyle(element).overflowY !== 'visible')
            .map((element) => `${element.className}: ${element.textContent.slice(0, 40)}`),
      );
      assert.deepEqual(cut, [], name);
    }
  },
};
