/** What the page of a session must do, one check a behaviour. Each gets a fresh page and throws when the behaviour is not there. */
import assert from 'node:assert/strict';
import { PAGE, STATES, stateOf } from './snapshots.mjs';

const slider = (session) => session.page.getByRole('slider');
const valueText = (session) => slider(session).getAttribute('aria-valuetext');
const current = (session) => session.page.$eval('[aria-current]', (row) => Number(row.dataset.step));
const numbersOf = (text) => Number(text.replaceAll(',', ''));

export const CHECKS = {
  'says ready once, then the session in one line of facts': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    assert.deepEqual(await session.page.evaluate(() => window.posted), [{ type: 'ready' }]);
    assert.equal(await session.text('h1'), 'fix login test');
    assert.equal(await session.text('header p'), 'Claude Code · claude-sonnet-4-5 · 200k · 2026-11-22 10:12 to 11:03');
    assert.deepEqual(await session.page.$$eval('.facts div', (facts) => facts.map(({ textContent }) => textContent)), [
      'Peak74% of the window, turn 14',
      'Requests63 in 22 turns',
      'Compactions1',
      'Cache breaks2',
      'Read in all5.4M tokens, 95% from the cache',
    ]);
    assert.deepEqual(await session.page.$$eval('h2', (heads) => heads.map(({ textContent }) => textContent)), [
      'Findings',
      'The window, turn by turn',
      'Turns',
    ]);
  },

  'names its folder where several are open': async (session) => {
    await session.show('dark', stateOf({}, { folder: 'acme-shop' }), 1200);
    assert.match(await session.text('header p'), /^acme-shop · Claude Code · /);
  },

  'has one swatch in the key for all parts of an area of the chart': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    const rows = await session.page.$$eval('.key .swatch', (found) =>
      found.map((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return { band: each.className.split(' ')[1], top, bottom };
      }),
    );
    for (const [at, { band, top }] of rows.entries()) {
      const above = rows[at - 1];
      if (above) assert.equal(top - above.bottom < 1, band === above.band, `row ${at}: ${band}`);
    }
    assert.equal(new Set(rows.map(({ band }) => band)).size, 5);
  },

  'has one slider that begins at the peak and moves by keys; key and table go along': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    assert.equal(await valueText(session), 'Turn 14: 148,200 of 200,000 tokens, 74%');
    await slider(session).focus();
    const walk = [
      ['ArrowRight', 15],
      ['ArrowLeft', 14],
      ['End', 22],
      ['ArrowRight', 22],
      ['Home', 1],
      ['ArrowLeft', 1],
    ];
    for (const [key, turn] of walk) {
      await session.page.keyboard.press(key);
      assert.equal(await slider(session).getAttribute('aria-valuenow'), String(turn), key);
      assert.equal(await current(session), turn);
      assert.match(await session.text('.key caption'), new RegExp(`^Turn ${turn} `));
    }
    await session.page.keyboard.press('End');
    await session.page.keyboard.press('ArrowLeft');
    assert.equal(await session.page.evaluate(() => document.activeElement.getAttribute('role')), 'slider');
    assert.match(await valueText(session), /^Turn 21: [\d,]+ of 200,000 tokens, \d+%$/);
  },

  'names the events of a turn': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    await session.page.click('[data-step="15"]');
    assert.match(await valueText(session), /, compacted$/);
    await session.page.click('[data-step="11"]');
    assert.match(await valueText(session), /, cache break$/);
    const events = await session.page.$$eval('[data-step]', (rows) =>
      rows.flatMap((row) =>
        row.lastElementChild.textContent ? [[row.dataset.step, row.lastElementChild.textContent]] : [],
      ),
    );
    assert.deepEqual(events, [
      ['11', 'cache break'],
      ['15', 'compacted'],
      ['18', 'cache break'],
    ]);
  },

  'shows parts that add up, in the key and in each row of the table': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    const key = await session.page.$$eval('.key tbody td', (cells) => cells.map(({ textContent }) => textContent));
    assert.equal(
      key.map(numbersOf).reduce((a, b) => a + b),
      148_200,
    );
    assert.equal(await session.text('.key tfoot td'), '148,200');
    const rows = await session.page.$$eval('[data-step]', (all) =>
      all.map((row) => [...row.querySelectorAll('td.number')].map(({ textContent }) => textContent)),
    );
    assert.equal(rows.length, 22);
    for (const row of rows) {
      const [window, ...bands] = row.map(numbersOf);
      assert.equal(
        bands.reduce((a, b) => a + b),
        window,
      );
    }
  },

  'draws the areas as high as the numbers say, the limit at the top and the marks at their turns': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    const boxes = await session.page.evaluate(() => {
      const box = (selector) => {
        const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
        return { left, top, width, height };
      };
      return {
        svg: box('.chart svg'),
        before: box('.chart path.k-before'),
        all: box('.chart path.k-talk'),
        limit: box('.chart line.limit'),
        compacted: box('.chart line.compacted'),
        breaks: [...document.querySelectorAll('.chart line.break')].map((line) => line.getBoundingClientRect().left),
      };
    });
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1.5, `${a} is not ${b}`);
    near(boxes.before.height, (38_000 / 200_000) * 220);
    near(boxes.svg.top + boxes.svg.height - boxes.all.top, (148_200 / 200_000) * 220);
    near(boxes.limit.top, boxes.svg.top);
    const x = (turn) => boxes.svg.left + ((turn - 1) / 21) * boxes.svg.width;
    near(boxes.compacted.left, x(14.5));
    near(boxes.breaks[0], x(11));
    near(boxes.breaks[1], x(18));
    const labels = await session.page.$$eval('.chart .mark', (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(labels, ['compacted', 'cache break', 'cache break']);
  },

  'moves to the turn under the pointer, also while it is dragged': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    const { x, y, width, height } = await session.page.locator('.chart svg').boundingBox();
    await session.page.mouse.move(x + (4 / 21) * width, y + height / 2);
    await session.page.mouse.down();
    assert.equal(await current(session), 5);
    await session.page.mouse.move(x + (9 / 21) * width, y + height / 2);
    assert.equal(await current(session), 10);
    await session.page.mouse.up();
    await session.page.mouse.move(x + (2 / 21) * width, y + height / 2);
    assert.equal(await current(session), 10);
  },

  'offers one action a finding: what the host can do is asked of it, else the turn is shown': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    const names = await session.page.$$eval('.findings button', (all) =>
      all.map((each) => each.getAttribute('aria-label')),
    );
    assert.deepEqual(names, [
      'Show Turn: The cache broke 2 times',
      'On Demand: MEMORY.md was read, but not visibly used later',
      'Copy Repo Map: src/session.ts was read 3 times',
      'Show Turn: An instruction was lost in a compaction',
    ]);
    await session.page.getByRole('button', { name: names[0] }).click();
    assert.equal(await current(session), 11);
    await session.page.getByRole('button', { name: names[1] }).click();
    await session.page.getByRole('button', { name: names[2] }).click();
    assert.deepEqual(await session.posted('act'), [
      { type: 'act', finding: 1, action: 'onDemand' },
      { type: 'act', finding: 2, action: 'copyMap' },
    ]);
  },

  'says what was changed, and takes it back; the turn that is looked at stays': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    await session.page.click('[data-step="3"]');
    await session.send(STATES.undo.snapshot);
    assert.equal(await session.text('.undo'), 'MEMORY.md on demand: −412 tokens Undo');
    assert.equal(await current(session), 3);
    await session.page.getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual(await session.posted('undo'), [{ type: 'undo' }]);
    await session.send(STATES.normal.snapshot);
    assert.equal(await session.text('.undo'), '');
  },

  'begins at the peak of another session, and stays where it is when the same one grew': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    await session.page.click('[data-step="3"]');
    await session.send(stateOf({ steps: [...PAGE.steps, { ...PAGE.steps[0], number: 23 }] }).snapshot);
    assert.equal(await current(session), 3);
    assert.equal(await session.text('#live'), 'Session updated');
    await session.send(stateOf({ id: 'codex:other' }).snapshot);
    assert.equal(await current(session), 14);
    await session.send(STATES.one.snapshot, 0);
    assert.equal(await current(session), 14, 'older than what is shown');
  },

  'shows more findings on request': async (session) => {
    await session.show('dark', STATES.long, 1200);
    assert.equal(await session.page.locator('.findings li').count(), 8);
    await session.page.getByRole('button', { name: 'Show 6 More' }).click();
    assert.equal(await session.page.locator('.findings li').count(), 14);
  },

  'shows single requests where there are few turns, and says whose counts they are': async (session) => {
    await session.show('dark', STATES.requests, 1200);
    assert.equal(await valueText(session), 'Request 120, turn 2: 71,600 tokens');
    assert.match(await session.text('.facts'), /Figurescounted here/);
    const labels = await session.page.$$eval('.chart .mark', (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(labels, ['compacted 2 times', 'compacted', 'compacted']);
  },

  'says what is missing where there is no page': async (session) => {
    await session.show('dark', STATES.gone);
    assert.match(await session.text('.empty'), /not there any more/);
    await session.send(STATES.failed.snapshot);
    assert.match(await session.text('[role=alert]'), /^The session was not read\. The thread/);
    await session.page.getByRole('button', { name: 'Show Log' }).click();
    assert.deepEqual(await session.posted('showLog'), [{ type: 'showLog' }]);
  },

  'shows titles, names and quotes as text, whatever they are': async (session) => {
    const hostile = '<img src=x onerror=alert(1)>';
    const list = [{ ...PAGE.list[4], evidence: { message: '“{0}”, turn {1}', args: [hostile, 2] } }];
    await session.show('dark', stateOf({ list }, { name: hostile, actions: [] }));
    assert.equal(await session.text('h1'), hostile);
    assert.match(await session.text('.evidence'), /<img src=x/);
    assert.equal(await session.page.$('img'), null);
  },

  'keeps the order of focus: findings, chart, table': async (session) => {
    await session.show('dark', STATES.normal, 1200);
    const stops = [];
    for (let at = 0; at < 6; at++) {
      await session.page.keyboard.press('Tab');
      stops.push(await session.page.evaluate(() => document.activeElement.getAttribute('aria-label')));
    }
    assert.deepEqual(stops.slice(4), ['Turn', 'Turns, table']);
  },
};
