/** What the panel shows of the usage log: scores, the advice and its simulation, history, the prompt cache. */
import assert from 'node:assert/strict';
import { change, manySections, NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';
import { withAdvice } from './usageSnapshots.mjs';

export const USAGE_CHECKS = {
  'gives a score factor by factor, as meters with words': async (panel) => {
    await panel.show('dark', STATES.open);
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    assert.match(await detail.textContent(), /Score 0\.61 \(one line if below 0\.30\)/);
    const meters = detail.getByRole('meter');
    assert.equal(await meters.count(), 4);
    assert.equal(
      await detail.getByRole('meter', { name: 'Citations' }).getAttribute('aria-valuetext'),
      '0.58, weight 0.40: cited in 8 of 50 cycles',
    );
    const pinned = panel.page.getByRole('group', { name: 'CLAUDE.md, details' });
    assert.match(await pinned.textContent(), /Always included, because it is pinned\./);
  },

  'draws the last 50 cycles with a tick for each citation, named by a sentence': async (panel) => {
    await panel.show('dark', STATES.open);
    const detail = panel.page.getByRole('group', { name: 'memory/MEMORY.md, details' });
    const chart = detail.getByRole('img', {
      name: /^Characters of memory\/MEMORY\.md in the last 50 cycles: .*cited in 8 of them$/,
    });
    assert.equal(await chart.locator('.cite').count(), 8);
    assert.equal((await chart.locator('.v').getAttribute('points')).split(' ').length, 50);
    assert.match(
      await detail.textContent(),
      /Details ?used in 8 of 50 cycles.*Use 2\.9 per 1,000 characters \(1\.5 to 5\.9\)/s,
    );
    assert.equal((await detail.textContent()).match(/last cited in cycle 719, 1 cycle ago/gi).length, 1);
  },

  'says what is missing below ten cycles in the row alone, and has no parts about the log until then': async (
    panel,
  ) => {
    const parts = () => panel.page.$$eval('.cb-fold b', (found) => found.map((name) => name.textContent));
    await panel.show('dark', STATES.young);
    assert.match(await panel.text('.cb-detail'), /0\.41, not enough data: 6 of 10 cycles/);
    assert.deepEqual(await parts(), ['Sections']);
    await panel.show('dark', STATES.noCycles);
    assert.match(await panel.text('.cb-detail'), /History starts with the first recorded cycle\./);
    assert.deepEqual(await parts(), ['Sections']);
    await panel.show('dark', STATES.normal);
    assert.deepEqual(await parts(), ['Sections']);
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
      /6,120 → 4,980 tokens per cycle \(−19%\)145 of 147 citations kept; lost: topic-memory 2/,
    );
    await slider.focus();
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await panel.text('.cb-slider output'), '0.35');
    assert.match(await result(), /6,120 → 4,790 .*142 of 147 citations kept; lost: topic-memory 3, git 2/);
    assert.equal(
      await slider.getAttribute('aria-valuetext'),
      '0.35: 4,790 tokens per cycle, 142 of 147 citations kept',
    );
    await panel.page.keyboard.press('Home');
    assert.match(await result(), /6,120 → 6,120 .*No section is reduced to one line/);
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
    const button = panel.page.getByRole('button', { name: '✓ Applied' });
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

  'draws the history against the limit, named by a sentence, with what the prompt cache still holds': async (panel) => {
    await panel.show('dark', STATES.advice);
    const chart = panel.page.getByRole('img', {
      name: /^Tokens per cycle, cycles 671 to 720: .*Never over the limit of 7,500\.$/,
    });
    assert.equal((await chart.locator('.v').getAttribute('points')).split(' ').length, 50);
    assert.match(await panel.text('.cb-history .foot'), /cycle 671from 5,000, dotted 80%720/);
    assert.equal(await panel.text('.cb-cache'), 'Cache: 1,840 of 6,120 tokens reusable, as in cycle 720 (git changed)');
  },
};
