/** What the panel must do, one check a behaviour. Each gets a fresh page and throws when the behaviour is not there. */
import assert from 'node:assert/strict';
import {
  change,
  manySections,
  NORMAL,
  OVER,
  recoveryAt,
  relayOf,
  STATES,
  snapshotOf,
  withAdvice,
} from './snapshots.mjs';

const row = (id) => `[data-row="${id}"]`;

/** The Relay part. */
const relayPart = (panel) => panel.page.getByRole('region', { name: 'Relay', exact: true });
const relayHeader = (panel) => relayPart(panel).getByRole('button', { name: /^Relay/ });

async function focusRow(panel, id) {
  await panel.page.focus(row(id));
}

export const CHECKS = {
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

  'shows the task with ways to change and to clear it, and one to set it where there is none': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.getByRole('button', { name: 'Set Task…' }).click();
    await panel.send(STATES.task.snapshot);
    assert.equal(await panel.page.getByLabel('Task', { exact: true }).inputValue(), 'fix flaky login test');
    assert.equal(await panel.page.getByRole('button', { name: 'Set Task…' }).count(), 0);
    await panel.page.getByRole('button', { name: 'Edit Task' }).click();
    await panel.page.getByRole('button', { name: 'Clear Task' }).click();
    const commands = (await panel.posted('command')).map(({ command }) => command);
    assert.deepEqual(commands, ['setTask', 'setTask', 'clearTask']);
  },

  'applies a typed task with Enter, restores the one in force with Escape, and keeps what is typed over a reload':
    async (panel) => {
      await panel.show('dark', STATES.task);
      const field = panel.page.getByLabel('Task', { exact: true });
      await field.fill('rotate the signing keys');
      await panel.send(snapshotOf(change(NORMAL, 'git', { tokens: 9 }), { task: 'fix flaky login test' }));
      assert.equal(await field.inputValue(), 'rotate the signing keys');
      await panel.page.reload();
      await panel.send(STATES.task.snapshot);
      assert.equal(await field.inputValue(), 'rotate the signing keys');
      await field.press('Escape');
      assert.equal(await field.inputValue(), 'fix flaky login test');
      await field.press('Enter');
      assert.deepEqual(await panel.posted('setTask'), []);
      await field.fill('rotate the keys');
      await field.press('Enter');
      assert.deepEqual(await panel.posted('setTask'), [{ type: 'setTask', task: 'rotate the keys' }]);
      await panel.send(snapshotOf(NORMAL, { task: 'rotate the keys' }));
      await field.press('Escape');
      assert.equal(await field.inputValue(), 'rotate the keys');
    },

  'shows one line of a long task, the rest in its title, and leaves changing it to the host': async (panel) => {
    await panel.show('dark', STATES.taskLong, 248);
    const field = panel.page.getByLabel('Task', { exact: true });
    assert.ok((await field.boundingBox()).height <= 26);
    assert.ok((await field.getAttribute('title')).includes(STATES.taskLong.snapshot.task));
    await field.press('x');
    assert.equal(await field.inputValue(), STATES.taskLong.snapshot.task);
    await field.press('Enter');
    assert.deepEqual(await panel.posted('command'), [{ type: 'command', command: 'setTask' }]);
  },

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

  'shows explanation, entries and text in an opened row, and its actions by Tab': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'memory');
    await panel.page.keyboard.press('ArrowRight');
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    assert.match(await detail.textContent(), /keeps the newest 12 of 41 entries/);
    assert.equal(await detail.locator('code').textContent(), 'section:memory');
    const stops = [];
    for (let i = 0; i < 7; i++) {
      await panel.page.keyboard.press('Tab');
      stops.push((await panel.focused()).replace(/^Text.*/, 'Text'));
    }
    assert.deepEqual(stops, ['7 more', 'Text', 'Pin', 'Exclude', 'On Demand', 'Open', 'Copy']);
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('section'), [{ type: 'section', action: 'copy', sectionId: 'memory' }]);
  },

  'lists the newest entries, all on asking, and folds the text of a list but not that of a file': async (panel) => {
    await panel.show('dark', { ...STATES.normal, ui: { openIds: ['memory', 'claude-md'] } });
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

  'narrows to what earns nothing from the headline': async (panel) => {
    await panel.show('dark', STATES.normal);
    const button = panel.page.getByRole('button', { name: '3 sections earn nothing' });
    assert.equal(await button.getAttribute('title'), 'Show only sections with no citation in 50 cycles');
    await button.click();
    assert.deepEqual(await panel.rows(), ['claude-md', 'topic-memory', 'heartbeat']);
    await panel.page.getByRole('button', { name: 'Earn nothing', exact: true }).click();
    assert.equal((await panel.rows()).length, 16);
  },

  'shows the rows in the chosen order and asks the host for another': async (panel) => {
    await panel.show('dark', STATES.byReturn);
    assert.deepEqual((await panel.rows()).slice(0, 4), ['claude-md', 'topic-memory', 'heartbeat', 'soul']);
    assert.equal(await panel.text('.cb-group h3 .g'), 'lowest return first');
    await panel.page.getByRole('button', { name: 'Sort: Return' }).click();
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
    await click('topic-memory', 'Always Show');
    await click('run-logs', 'Include');
    assert.deepEqual(
      (await panel.posted('setListed')).map(({ list, sectionId, isListed }) => [list, sectionId, isListed]),
      [
        ['pinned', 'claude-md', false],
        ['on_demand', 'claude-md', true],
        ['on_demand', 'topic-memory', false],
        ['excluded', 'run-logs', false],
      ],
    );
  },

  'gives a score factor by factor, as meters with words': async (panel) => {
    await panel.show('dark', STATES.open);
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    assert.match(await detail.textContent(), /Relevance 0\.61, stub below 0\.30/);
    const meters = detail.getByRole('meter');
    assert.equal(await meters.count(), 4);
    assert.equal(
      await detail.getByRole('meter', { name: 'Citation' }).getAttribute('aria-valuetext'),
      '0.58, weight 0.40: cited in 8 of 50 cycles',
    );
    const pinned = panel.page.getByRole('group', { name: 'CLAUDE.md, details' });
    assert.match(await pinned.textContent(), /Never a stub, because it is pinned\./);
  },

  'draws the last 50 cycles with a tick for each citation, named by a sentence': async (panel) => {
    await panel.show('dark', STATES.open);
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    const chart = detail.getByRole('img', {
      name: /^Characters of memory\/MEMORY\.md in the last 50 cycles: .*cited in 8 of them$/,
    });
    assert.equal(await chart.locator('.cite').count(), 8);
    assert.equal((await chart.locator('.v').getAttribute('points')).split(' ').length, 50);
    assert.match(await detail.textContent(), /8 citations, ROI 2\.93/);
    assert.equal((await detail.textContent()).match(/last cited in cycle 719, 1 cycle ago/gi).length, 1);
  },

  'says what is missing below ten cycles, and where there is none': async (panel) => {
    await panel.show('dark', STATES.young);
    assert.match(await panel.text('.cb-detail'), /0\.41, not enough data: 6 of 10 cycles/);
    assert.match(await panel.text('.cb-scoring'), /not enough data: 6 of 10 cycles/);
    assert.equal(await panel.page.locator('input[type=range]').count(), 0);
    await panel.show('dark', STATES.noCycles);
    assert.match(await panel.text('.cb-detail'), /History starts with the first recorded cycle\./);
    assert.match(await panel.text('[aria-label=History]'), /No cycle recorded yet\./);
  },

  'has no parts about the log where the host keeps none': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.deepEqual(await panel.page.$$eval('.cb-fold b', (found) => found.map((name) => name.textContent)), [
      'Sections',
    ]);
    assert.equal(await panel.page.locator('.cb-prefix').count(), 0);
  },

  'opens with the advice folded away, and remembers what was opened': async (panel) => {
    await panel.show('dark', { snapshot: STATES.advice.snapshot });
    assert.equal(await panel.page.locator('#scoring-mode').count(), 0);
    await panel.page.getByRole('button', { name: /^Relevance/ }).click();
    await panel.page.reload();
    await panel.page.waitForFunction(() => window.posted.length > 0);
    await panel.send(STATES.advice.snapshot);
    assert.equal(await panel.page.locator('#scoring-mode').count(), 1);
    assert.equal(await panel.page.locator('.cb-history').count(), 0);
  },

  'asks for another scoring mode and shows the one in force when it is not granted': async (panel) => {
    await panel.show('dark', STATES.advice);
    await panel.page.selectOption('#scoring-mode', 'static');
    assert.deepEqual(await panel.posted('setScoringMode'), [{ type: 'setScoringMode', mode: 'static' }]);
    await panel.send(STATES.advice.snapshot);
    assert.equal(await panel.page.inputValue('#scoring-mode'), 'dynamic');
  },

  'simulates while the slider moves, by key and by mouse, without asking the host': async (panel) => {
    await panel.show('dark', STATES.advice);
    const slider = panel.page.getByRole('slider', { name: 'Threshold' });
    const result = () => panel.text('.cb-scoring .result');
    assert.match(
      await result(),
      /6,120 → 4,980 tokens a cycle \(−19\u00a0%\)145 of 147 citations kept; lost: topic-memory 2/,
    );
    await slider.focus();
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await panel.text('.cb-slider output'), '0.35');
    assert.match(await result(), /6,120 → 4,790 .*142 of 147 citations kept; lost: topic-memory 3, git 2/);
    assert.equal(await slider.getAttribute('aria-valuetext'), '0.35: 4,790 tokens a cycle, 142 of 147 citations kept');
    await panel.page.keyboard.press('Home');
    assert.match(await result(), /6,120 → 6,120 .*No section becomes a stub/);
    await panel.page.keyboard.press('End');
    assert.equal(await panel.text('.cb-slider output'), '1.00');
    const box = await slider.boundingBox();
    await panel.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(await panel.text('.cb-slider output'), '0.50');
    assert.deepEqual(await panel.page.evaluate(() => window.posted), [{ type: 'ready' }]);
    await panel.page.getByRole('button', { name: 'Use This Threshold' }).click();
    assert.deepEqual(await panel.posted('setThreshold'), [{ type: 'setThreshold', threshold: 0.5 }]);
  },

  'keeps the slider where it is moved, and gives way to the config': async (panel) => {
    await panel.show('dark', STATES.advice);
    const at = () => panel.text('.cb-slider output');
    await panel.page.focus('#threshold');
    await panel.page.keyboard.press('ArrowRight');
    await panel.send(snapshotOf(change(NORMAL, 'git', { tokens: 9 }), { ...withAdvice(0.3) }));
    assert.equal(await at(), '0.35');
    assert.equal(await panel.focused(), 'threshold');
    await panel.send(snapshotOf(NORMAL, withAdvice(0.35)));
    assert.equal(await at(), '0.35');
    const button = panel.page.getByRole('button', { name: 'Threshold in Use' });
    await button.focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('setThreshold'), []);
    await panel.send(snapshotOf(NORMAL, withAdvice(0.8)));
    assert.equal(await at(), '0.80');
  },

  'draws no row and moves nothing while the slider moves, with 200 sections': async (panel) => {
    for (const width of [248, 340, 560]) {
      const snapshot = snapshotOf(manySections(), withAdvice(0.3));
      await panel.show('dark', { snapshot, ui: { foldedParts: [] } }, width);
      const tops = () =>
        panel.page.$$eval('.cb-scoring > *, .cb-history', (blocks) =>
          blocks.map((block) => block.getBoundingClientRect().top),
        );
      await panel.page.focus('#threshold');
      await panel.page.evaluate(() => {
        window.rowRenders.length = 0;
      });
      const before = await tops();
      for (const key of ['Home', 'ArrowRight', 'PageUp', 'End']) {
        await panel.page.keyboard.press(key);
        assert.deepEqual(await tops(), before, `${key} at ${width} px`);
      }
      assert.deepEqual(await panel.page.evaluate(() => window.rowRenders), []);
    }
  },

  'offers the next mode once, with its effect, and takes the answer to the host': async (panel) => {
    await panel.show('dark', STATES.offer);
    assert.match(await panel.text('.cb-msg'), /50 cycles recorded\. .*4,980 instead of 6,120 tokens/);
    await panel.page.getByRole('button', { name: 'Use Dynamic' }).click();
    await panel.page.getByRole('button', { name: 'Not Now' }).click();
    assert.deepEqual(await panel.posted('setScoringMode'), [{ type: 'setScoringMode', mode: 'dynamic' }]);
    assert.deepEqual(await panel.posted('dismissOffer'), [{ type: 'dismissOffer', mode: 'dynamic' }]);
  },

  'says what the prompt cache still holds, whole in the title': async (panel) => {
    await panel.show('dark', STATES.advice, 248);
    const line = panel.page.locator('.cb-prefix');
    assert.equal(await line.textContent(), 'Prompt cache: 1,840 of 6,120 tokens as in cycle 720; broken by git');
    assert.match(await line.getAttribute('title'), /broken by git/);
    const whole = await line.evaluate((element) => element.scrollHeight <= element.clientHeight);
    assert.ok(whole, 'the line is cut at 248 px');
  },

  'keeps the place of the prompt-cache line while there is history': async (panel) => {
    for (const width of [248, 340, 560]) {
      await panel.show('dark', { snapshot: snapshotOf(NORMAL), ui: { hasHistory: true } }, width);
      const top = () => panel.page.$eval('.cb-form', (form) => form.getBoundingClientRect().top);
      const before = await top();
      const { usage, ...rest } = withAdvice(0.3);
      for (const prefix of [usage.prefix, undefined, { ...usage.prefix, how: 'equal', brokenBy: undefined }]) {
        await panel.send(snapshotOf(NORMAL, { ...rest, usage: { ...usage, prefix } }));
        assert.equal(await top(), before, `at ${width} px`);
      }
    }
  },

  'draws the history against the cap, named by a sentence': async (panel) => {
    await panel.show('dark', STATES.advice);
    const chart = panel.page.getByRole('img', {
      name: /^Tokens per cycle, cycles 671 to 720: .*Never over the cap of 7,500\.$/,
    });
    assert.equal((await chart.locator('.v').getAttribute('points')).split(' ').length, 50);
    assert.match(await panel.text('.cb-history .foot'), /cycle 671from 5,000, dotted 80\u00a0%720/);
  },

  'has no Relay part without a relay context, and one folded line where nothing is missing': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.equal(await relayPart(panel).count(), 0);
    await panel.send(STATES.relayCalm.snapshot);
    assert.equal(await relayHeader(panel).getAttribute('aria-expanded'), 'false');
    assert.equal((await relayHeader(panel).textContent()).trim(), 'Relay5 of 5 essentials');
    assert.equal(await relayPart(panel).locator('.cb-relay').count(), 0);
  },

  'opens the Relay part by itself once an essential is missing, and leaves it folded when somebody folds it': async (
    panel,
  ) => {
    await panel.show('dark', STATES.relayCalm);
    await panel.send(STATES.relayMissing.snapshot);
    assert.equal(await relayHeader(panel).getAttribute('aria-expanded'), 'true');
    await relayHeader(panel).click();
    await panel.send(STATES.relayMissing.snapshot);
    assert.equal(await relayHeader(panel).getAttribute('aria-expanded'), 'false');
    await panel.page.reload();
    await panel.send(STATES.normal.snapshot);
    await panel.send(STATES.relayMissing.snapshot);
    assert.equal(await relayHeader(panel).getAttribute('aria-expanded'), 'false');
  },

  'says of each essential whether it is there, by icon and words, and opens one to its whole text': async (panel) => {
    await panel.show('dark', { snapshot: STATES.relayMissing.snapshot, ui: { foldedParts: ['sections'] } });
    const rows = await relayPart(panel)
      .locator('.essential')
      .evaluateAll((found) =>
        found.map((each) => [each.querySelector('.i').className, each.querySelector('.name').textContent]),
      );
    assert.deepEqual(rows, [
      ['i i-check', 'Goal, present, '],
      ['i i-check', 'Constraints, present, '],
      ['i i-warning', 'Latest instruction, missing, '],
      ['i i-check', 'Current blockers, present, '],
      ['i i-check', 'Controller route, present, '],
    ]);
    await relayPart(panel).getByText('missing, not in the ledger either').waitFor();
    const constraints = relayPart(panel).getByRole('button', { name: /^Constraints/ });
    assert.match(await constraints.getAttribute('title'), /^packages\/auth alone may change\nNo retries in tests\n/);
    await constraints.focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await constraints.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await relayPart(panel).locator('.whole p').allTextContents(), [
      'packages/auth alone may change',
      'No retries in tests',
      'The public API stays as it is',
    ]);
    await panel.page.keyboard.press('Space');
    assert.equal(await relayPart(panel).locator('.whole').count(), 0);
  },

  'reaches everything of the Relay part by Tab, in order': async (panel) => {
    await panel.show('dark', { snapshot: STATES.relayMissing.snapshot, ui: { foldedParts: ['sections'] } });
    await relayHeader(panel).focus();
    const stops = [];
    for (let i = 0; i < 11; i++) {
      await panel.page.keyboard.press('Tab');
      stops.push(await panel.page.evaluate(() => document.activeElement.dataset.key));
    }
    assert.deepEqual(stops, [
      'relay goal',
      'relay constraints',
      'relay current_blockers',
      'relay controller_route_summary',
      'relay execution_logs.done',
      'relay status_reports.duplicate_json',
      'relay api_error_dumps.unstructured',
      'relay compactRelay',
      'relay copyRelaySummary',
      'relay copyObserverPrompt',
      'relay openRelayLog',
    ]);
  },

  'says why compaction is due and what it drops, the entries on opening': async (panel) => {
    await panel.show('dark', { snapshot: STATES.relayMissing.snapshot, ui: { foldedParts: ['sections'] } });
    assert.deepEqual(await relayPart(panel).locator('.due li').allTextContents(), [
      'Length: the log has 9,431 tokens, more than 8,000',
      'Repeated status: the status "waiting task-41" was reported 13 times in a row',
    ]);
    assert.deepEqual(await relayPart(panel).locator('h3').allTextContents(), [
      'Triggers compaction is due · ≈9,400 of 8,000 tokens',
      'Compaction drops 44 entries',
    ]);
    const rule = relayPart(panel).getByRole('button', { name: /^execution_logs/ });
    assert.equal(
      (await rule.textContent()).trim(),
      'execution_logs status done, in any case, blanks around it tolerated, 31 dropped',
    );
    assert.equal(await relayPart(panel).locator('.entries').count(), 0);
    await rule.click();
    assert.deepEqual(await relayPart(panel).locator('.entries li').allTextContents(), [
      '[0] read packages/auth/src/session.ts',
      '[2] ran the auth suite with four workers',
      '[4] listed the fixtures that open a Redis connection of their own',
      '28 more',
    ]);
    await relayPart(panel).getByText('Kept as they are: session_id, controller').waitFor();
  },

  'runs the Relay part’s commands': async (panel) => {
    await panel.show('dark', { snapshot: STATES.relayMissing.snapshot, ui: { foldedParts: ['sections'] } });
    for (const name of ['Compact Relay Context', 'Copy Relay Summary', 'Copy Observer Relay Prompt', 'Open']) {
      await relayPart(panel).getByRole('button', { name, exact: true }).click();
    }
    assert.deepEqual(
      (await panel.posted('command')).map(({ command }) => command),
      ['compactRelay', 'copyRelaySummary', 'copyObserverPrompt', 'openRelayLog'],
    );
  },

  'offers compaction in a warning, and nothing but copying while the work is another’s to recover': async (panel) => {
    const buttons = () => relayPart(panel).locator('.cb-rowacts button').allTextContents();
    await panel.show('dark', STATES.relayWarning);
    assert.equal((await buttons())[0], 'Compact Relay Context');
    assert.match(await panel.text('.cb-relay .recovery'), /^WARNING since 2026-02-03 14:05\. /);
    for (const state of ['STALE', 'LEASE_TAKEOVER']) {
      await panel.send(snapshotOf(NORMAL, { relay: relayOf({ recovery: recoveryAt(state) }) }));
      assert.deepEqual(await buttons(), ['Copy Relay Summary', 'Copy Observer Relay Prompt']);
      assert.match(
        await panel.text('.cb-relay .recovery'),
        new RegExp(`^${state} since 2026-02-03 14:05\\. Report, forward and copy only\\.`),
      );
      assert.match(await panel.text('.cb-relay h3'), /^Triggers ≈/);
    }
  },

  'speaks the Relay part’s changes: a recovery, what is missing, the end of it': async (panel) => {
    await panel.show('dark', STATES.relayCalm);
    await panel.send(STATES.relayStale.snapshot);
    assert.equal(await panel.text('#live'), 'Relay: STALE');
    await panel.show('dark', STATES.relayStale);
    await panel.send(STATES.relayCalm.snapshot);
    assert.equal(await panel.text('#live'), 'Relay: STALE is over');
  },

  'moves nothing above the Relay part when it comes, changes and opens': async (panel) => {
    for (const width of [248, 340, 560]) {
      await panel.show('dark', STATES.normal, width);
      const tops = () =>
        panel.page.$$eval('.cb-gauge, .cb-form, .cb-actions, [data-row]', (blocks) =>
          blocks.map((block) => block.getBoundingClientRect().top),
        );
      const before = await tops();
      for (const name of ['relayCalm', 'relayMissing', 'relayStale', 'relayFailed', 'normal']) {
        await panel.send(STATES[name].snapshot);
        assert.deepEqual(await tops(), before, `${name} at ${width} px`);
      }
    }
  },

  'says of a relay log that cannot be read what is wrong, and opens it': async (panel) => {
    await panel.show('dark', STATES.relayFailed);
    assert.equal(
      await panel.text('.cb-relay .problem'),
      '.context-budget/relay.json: it is not valid JSON: line 3, column 7.',
    );
    await relayPart(panel).getByRole('button', { name: 'Open', exact: true }).click();
    assert.deepEqual(await panel.posted('command'), [{ type: 'command', command: 'openRelayLog' }]);
  },

  'shows hostile relay texts as text': async (panel) => {
    await panel.show('dark', STATES.relayHostile);
    assert.equal(await panel.page.evaluate(() => window.hacked), undefined);
    assert.equal(await panel.page.$$eval('#root img, #root script', (found) => found.length), 0);
  },

  'finds a row by its first letters': async (panel) => {
    await panel.show('dark', STATES.normal);
    await focusRow(panel, 'agents-md');
    await panel.page.keyboard.type('op');
    assert.equal(await panel.focused(), 'open-editors');
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
    await panel.page.getByRole('button', { name: 'Omitted', exact: true }).click();
    assert.deepEqual(await panel.rows(), ['run-logs']);
  },

  'says when no section matches and clears the filter': async (panel) => {
    await panel.show('dark', STATES.filterNone);
    await panel.page.getByRole('button', { name: 'Clear Filter' }).click();
    assert.equal((await panel.rows()).length, 16);
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

  'names a row by what it shows': async (panel) => {
    await panel.show('dark', STATES.normal);
    const name = (id) => panel.text(row(id)).then((text) => text.replace(/\s+/g, ' '));
    assert.equal(await name('ports'), 'ports,12 tokens,OK,summary,4 of 4 up,return MED+');
    assert.equal(await name('claude-md'), 'CLAUDE.md,418 tokens,OK,full,pinned,return WASTE');
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

  'gives the gauge and the characters as meters in words': async (panel) => {
    await panel.show('dark', STATES.normal);
    const text = (name) => panel.page.getByRole('meter', { name }).getAttribute('aria-valuetext');
    assert.equal(await text('Token budget'), '6,120 of 7,500 tokens, 82\u00a0%, past the 80\u00a0% warning mark');
    assert.equal(await text('Character cap'), '21,034 of 30,000 characters, 70\u00a0%');
    await panel.send(STATES.over.snapshot);
    assert.equal(await panel.page.getByRole('meter', { name: 'Token budget' }).getAttribute('aria-valuenow'), '7500');
  },

  'gives the host what a row menu needs': async (panel) => {
    await panel.show('dark', STATES.normal);
    const context = await panel.page.$eval(row('claude-md'), (element) => element.parentElement.dataset.vscodeContext);
    assert.deepEqual(JSON.parse(context), {
      webviewSection: 'section',
      sectionId: 'claude-md',
      isPinned: true,
      isExcluded: false,
      isOnDemand: false,
      hasSource: true,
      preventDefaultContextMenuItems: true,
    });
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
