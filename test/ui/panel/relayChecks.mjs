/** The Relay part. */
import assert from 'node:assert/strict';
import { recoveryAt, relayOf } from './relaySnapshots.mjs';
import { NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

/** The Relay part. */
const relayPart = (panel) => panel.page.getByRole('region', { name: 'Relay', exact: true });
const relayHeader = (panel) => relayPart(panel).getByRole('button', { name: /^Relay/ });

export const RELAY_CHECKS = {
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
      'Triggers compaction needed · ≈9,400 of 8,000 tokens',
      'Compaction drops 44 entries',
    ]);
    const rule = relayPart(panel).getByRole('button', { name: /^execution_logs/ });
    assert.equal(
      (await rule.textContent()).trim(),
      'execution_logs status done (case and blanks do not matter), 31 dropped',
    );
    assert.equal(await relayPart(panel).locator('.entries').count(), 0);
    await rule.click();
    assert.deepEqual(await relayPart(panel).locator('.entries li').allTextContents(), [
      '[0] read packages/auth/src/session.ts',
      '[2] ran the auth suite with four workers',
      '[4] listed the fixtures that open a Redis connection of their own',
      '28 more',
    ]);
    await relayPart(panel).getByText('Kept unchanged: session_id, controller').waitFor();
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
        new RegExp(`^${state} since 2026-02-03 14:05\\. Only report, forward and copy\\.`),
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
};
