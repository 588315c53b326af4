/** What the usage report must do, one check a behaviour. Each gets a fresh page and throws when the behaviour is not there. */
import assert from 'node:assert/strict';
import { REPORT, STATES, stateOf } from './snapshots.mjs';

const sections = (report) => report.page.$$eval('[data-section]', (rows) => rows.map((row) => row.dataset.section));

const column = (report, name) =>
  report.page.getByRole('region', { name: 'Sections, table' }).getByRole('columnheader', { name, exact: true });

export const CHECKS = {
  'says ready once and asks for nothing else': async (report) => {
    await report.show('dark', STATES.normal);
    assert.deepEqual(await report.page.evaluate(() => window.posted), [{ type: 'ready' }]);
  },

  'names the folder and the cycles, and its parts in order': async (report) => {
    await report.show('dark', STATES.problems);
    assert.equal(await report.text('h1'), 'Usage report orders');
    assert.equal(await report.text('.head p'), '720 cycles, 1 to 720');
    assert.deepEqual(await report.page.$$eval('h2', (heads) => heads.map(({ textContent }) => textContent)), [
      'Classes',
      'Sections',
      'Scoring modes side by side',
      'Targets against the baseline',
      'History',
      'Log problems',
    ]);
  },

  'shows largest sections first and sorts by any column, both ways, from the keyboard': async (report) => {
    await report.show('dark', STATES.normal);
    assert.deepEqual(
      await sections(report),
      REPORT.sections.map(({ id }) => id),
    );
    assert.equal(await column(report, 'Tokens').getAttribute('aria-sort'), 'descending');
    await report.page.focus('#sort-cited');
    await report.page.keyboard.press('Enter');
    assert.deepEqual((await sections(report)).slice(0, 3), ['repo-map', 'diagnostics', 'observations']);
    assert.equal(await column(report, 'Cited').getAttribute('aria-sort'), 'descending');
    assert.equal(await column(report, 'Tokens').getAttribute('aria-sort'), 'none');
    assert.equal(await report.focused(), 'sort-cited');
    assert.equal(await report.page.locator('tr[data-section="repo-map"] td.number').first().textContent(), '1,225');
    assert.equal(await report.text('#live'), 'Sorted by Cited, descending');
    await report.page.keyboard.press('Space');
    assert.deepEqual((await sections(report)).slice(-1), ['repo-map']);
    await report.page.click('#sort-roiClass');
    assert.deepEqual((await sections(report)).slice(0, 3), ['heartbeat', 'topic-memory', 'run-logs']);
  },

  'names the sections as the panel does, and what is gone by its id': async (report) => {
    const titles = [['repo-map', 'Map of the code']];
    await report.show('dark', { snapshot: { ...STATES.normal.snapshot, titles } });
    const name = (id) => report.page.locator(`[data-section="${id}"] .name`);
    assert.equal(await name('repo-map').textContent(), 'Map of the code');
    assert.equal(await name('repo-map').getAttribute('title'), 'repo-map');
    assert.equal(await name('diagnostics').textContent(), 'diagnostics');
  },

  'keeps the order that was chosen, over a hidden page and a new snapshot': async (report) => {
    await report.show('dark', STATES.normal);
    await report.page.click('#sort-id');
    const order = await sections(report);
    assert.deepEqual(order, [...order].sort());
    await report.send(stateOf({ cycles: 721 }).snapshot);
    assert.deepEqual(await sections(report), order);
    await report.page.reload();
    await report.send(STATES.normal.snapshot);
    assert.deepEqual(await sections(report), order);
  },

  'ignores what is older than what it shows': async (report) => {
    await report.show('dark', STATES.normal);
    await report.send(STATES.empty.snapshot, 0);
    assert.equal((await sections(report)).length, 9);
  },

  'asks the host for Markdown, and says what the host says': async (report) => {
    await report.show('dark', STATES.normal);
    await report.page.getByRole('button', { name: 'Copy as Markdown' }).click();
    assert.deepEqual(await report.posted('copyMarkdown'), [{ type: 'copyMarkdown' }]);
    await report.post({ type: 'announce', text: 'Copied the usage report' });
    assert.equal(await report.text('#live'), 'Copied the usage report');
  },

  'gives every chart a name that says its numbers': async (report) => {
    await report.show('dark', STATES.normal);
    const name = async (selector) => report.page.getAttribute(selector, 'aria-label');
    assert.equal(
      (await name('.stack')).replaceAll('\u00a0', ' '),
      'Share of all characters by class: Hardly used 20%, Rarely used 50%, Used 30%',
    );
    assert.equal(
      await name('.history svg'),
      'Characters per cycle, cycles 1 to 720: lowest 19,480, highest 31,000, last 19,600',
    );
    const spark = await name('[data-section="repo-map"] .spark');
    assert.match(spark, /^ROI of repo-map: lowest \d+\.\d\d, highest \d+\.\d\d, last \d+\.\d\d$/);
  },

  'draws bars as long as the numbers say': async (report) => {
    await report.show('dark', STATES.normal);
    const widths = await report.page.$$eval('.stack rect', (parts) =>
      parts.map((part) => part.getBoundingClientRect().width),
    );
    const all = widths.reduce((sum, width) => sum + width, 0);
    assert.ok(Math.abs(widths[1] / all - 0.5) < 0.02, String(widths));
    const height = (at) =>
      report.page.$$eval('.history rect', (bars, index) => bars[index].getBoundingClientRect().height, at);
    assert.ok(Math.abs((await height(0)) / 120 - 31000 / 50000) < 0.02);
  },

  'says in words whether a target was met': async (report) => {
    await report.show('dark', STATES.normal);
    assert.deepEqual(await report.page.$$eval('.result', (cells) => cells.map(({ textContent }) => textContent)), [
      'met',
      'met',
      'not met',
      'not measured',
    ]);
    await report.send(STATES.young.snapshot);
    assert.match(await report.text('[aria-labelledby=targets-title] p'), /once the mode is Rules or Automatic/);
  },

  'says what a cycle is where there is none, and what is wrong where it was not read': async (report) => {
    await report.show('dark', STATES.empty);
    assert.equal(
      await report.text('.empty'),
      'No cycle recorded yet. A cycle is one use of a payload: copy one, or let an agent ask for one.',
    );
    await report.send(STATES.failed.snapshot);
    assert.match(await report.text('[role=alert]'), /was not read\. \.context-budget\/usage\.jsonl could not be read/);
    await report.page.getByRole('button', { name: 'Show Log' }).click();
    assert.deepEqual(await report.posted('showLog'), [{ type: 'showLog' }]);
  },

  'shows ids as text, whatever they are': async (report) => {
    const id = '<img src=x onerror=alert(1)>';
    await report.show('dark', stateOf({ sections: [{ ...REPORT.sections[0], id }], findings: [] }));
    assert.equal(await report.text('.name'), id);
    assert.equal(await report.page.$('img'), null);
  },
};
