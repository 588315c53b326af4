/** The panel as a whole: its controls, messages, what it speaks and keeps. */
import assert from 'node:assert/strict';
import { AGENTS } from './agentSnapshots.mjs';
import { row } from './rows.mjs';
import { CONFIG_ERROR, change, FINDING, NORMAL, OVER, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

export const PANEL_CHECKS = {
  'says ready once and asks for nothing else': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.deepEqual(await panel.page.evaluate(() => window.posted), [{ type: 'ready' }]);
  },

  'has one Tab stop for the row list and reaches every control in order': async (panel) => {
    await panel.show('dark', STATES.finding);
    const stops = [];
    for (let i = 0; i < 15; i++) {
      await panel.page.keyboard.press('Tab');
      stops.push(await panel.focused());
    }
    assert.deepEqual(stops.slice(0, 14), [
      '2 alerts',
      'Change',
      'Review',
      'Apply',
      'task',
      'Changed since main',
      'profile',
      'Index',
      'Copy Payload',
      'More copy actions',
      'part-sections',
      'filter-tool',
      'Sort: Size within Priority',
      'agents-md',
    ]);
    assert.ok(!(await panel.rows()).includes(stops[14]), 'a second row is a Tab stop');
    assert.equal(await panel.page.$$eval('[data-row][tabindex="0"]', (rows) => rows.length), 1);
  },

  'names its regions, its headline and its controls for assistive technology': async (panel) => {
    await panel.show('dark', STATES.finding);
    for (const name of ['Payload size', 'Finding', 'Payload', 'Sections']) {
      assert.equal(await panel.page.getByRole('region', { name, exact: true }).count(), 1, name);
    }
    assert.equal(await panel.page.getByRole('heading', { level: 2 }).first().textContent(), '6,120 of 7,500 tokens');
    const names = [
      panel.page.getByRole('button', { name: '2 alerts', exact: true }),
      panel.page.getByRole('meter', { name: 'Payload', exact: true }),
      panel.page.getByRole('textbox', { name: 'Task', exact: true }),
      panel.page.getByRole('combobox', { name: 'Budget profile', exact: true }),
      panel.page.getByRole('radiogroup', { name: 'Payload kind', exact: true }),
    ];
    for (const named of names) assert.equal(await named.count(), 1, String(named));
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
    await panel.page.getByRole('radio', { name: 'Index', exact: true }).click();
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
      for (const name of names) await panel.page.getByRole('button', { name, exact: true }).click();
      return (await panel.posted('command')).map((message) => message.command);
    };
    assert.deepEqual(await commands('error', 'Open at Line 6', 'Show Log'), ['showLog']);
    assert.deepEqual(await panel.posted('openFile'), [
      { type: 'openFile', path: '.context-budget/config.json', line: 6 },
    ]);
    assert.deepEqual(await commands('normal', 'Change'), ['changeLimit']);
    assert.deepEqual(await commands('restricted', 'Manage Workspace Trust'), ['manageTrust']);
    assert.deepEqual(await commands('noFolder', 'Open Folder', 'How It Works'), ['openFolder', 'howItWorks']);
    assert.deepEqual(await commands('empty', 'Create AGENTS.md', 'How It Works'), ['createInstructions', 'howItWorks']);
    assert.deepEqual(await commands('noInstructions', 'Create AGENTS.md'), ['createInstructions']);
    await panel.show('dark', STATES.over);
    await panel.page.getByRole('alert').getByRole('button', { name: 'MEMORY.md' }).click();
    assert.deepEqual(await panel.posted('section'), [{ type: 'section', action: 'open', sectionId: 'memory' }]);
  },

  'has one sentence, one primary action and one quiet line where there is nothing to show': async (panel) => {
    for (const name of ['noFolder', 'empty']) {
      await panel.show('dark', STATES[name]);
      assert.equal(await panel.page.locator('vscode-button').count(), 1, name);
      assert.equal(await panel.page.getByRole('button').count(), 2, name);
      assert.equal(await panel.page.locator('#root p').count(), 2, name);
    }
  },

  'shows the sections of a flag alone, and all again when it is pressed again': async (panel) => {
    await panel.show('dark', STATES.leftOut);
    const flag = panel.page.getByRole('button', { name: /left out \(/ });
    assert.equal(await flag.getAttribute('aria-pressed'), 'false');
    await flag.focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await flag.getAttribute('aria-pressed'), 'true');
    assert.equal((await panel.rows()).length, STATES.leftOut.snapshot.payload.leftOut.sections);
    assert.ok(await flag.evaluate((element) => element === document.activeElement));
    await panel.page.keyboard.press('Enter');
    assert.equal(await flag.getAttribute('aria-pressed'), 'false');
    assert.equal((await panel.rows()).length, 16);
    assert.equal(await panel.page.$('.cb-filter'), null);
    assert.ok(await flag.evaluate((element) => element === document.activeElement));
  },

  'keeps the headline in sight while the rows scroll, and tells groups where it ends': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.setViewportSize({ width: 300, height: 400 });
    await panel.page.evaluate(() => window.scrollTo(0, 300));
    await panel.drawn();
    const [top, height, told] = await panel.page.$eval('.cb-head', (head) => [
      head.getBoundingClientRect().top,
      head.offsetHeight,
      getComputedStyle(head.parentElement).getPropertyValue('--head'),
    ]);
    assert.deepEqual([top, told], [0, `${height}px`]);
  },

  'applies the finding by its key; Review, where there is one, filters, goes to the section or opens the part': async (
    panel,
  ) => {
    const review = panel.page.getByRole('button', { name: 'Review' });
    const show = (patch) =>
      panel.show('dark', { snapshot: snapshotOf(NORMAL, { agents: AGENTS, finding: { ...FINDING, ...patch } }) });
    await show({});
    await panel.page.getByRole('button', { name: 'Apply' }).click();
    assert.deepEqual(await panel.posted('applyFinding'), [{ type: 'applyFinding', key: FINDING.key }]);
    await review.click();
    assert.deepEqual(await panel.rows(), ['topic-memory', 'heartbeat']);
    assert.equal(await panel.focused(), 'topic-memory');
    await show({ review: { sectionIds: ['git'] } });
    await review.click();
    assert.deepEqual(await panel.rows(), ['git']);
    assert.equal(await panel.page.getAttribute('[data-row="git"]', 'aria-expanded'), 'true');
    assert.equal(await panel.focused(), 'git');
    await show({ review: { sectionIds: ['progress', 'git'] } });
    await review.click();
    assert.deepEqual(await panel.rows(), ['git', 'progress']);
    assert.equal(await panel.focused(), 'progress');
    await panel.page.getByRole('button', { name: 'Apply' }).click();
    assert.equal((await panel.rows()).length, NORMAL.length, 'applied, it is reviewed no more');
    await show({ review: { part: 'agents' }, action: undefined });
    assert.equal(await panel.page.getByRole('button', { name: 'Apply' }).count(), 0);
    await review.click();
    assert.equal(await panel.focused(), 'part-agents');
    assert.equal(await panel.page.getAttribute('#part-agents', 'aria-expanded'), 'true');
    await show({ action: { label: 'Describe Your Task', isTask: true } });
    await panel.page.getByRole('button', { name: 'Describe Your Task' }).click();
    assert.equal(await panel.page.evaluate(() => document.activeElement?.id), 'task');
    await show({ review: undefined });
    assert.equal(await review.count(), 0);
    assert.equal(await panel.page.getByRole('button', { name: 'Apply' }).count(), 1);
  },

  'does by keyboard alone what finding, toolbar, filter, details and undo line offer': async (panel) => {
    const reach = async (name, key = 'Tab') => {
      for (let tabs = 0; tabs < 25 && !(await panel.focused()).startsWith(name); tabs++)
        await panel.page.keyboard.press(key);
      assert.ok((await panel.focused()).startsWith(name), `${key} reaches ${name}`);
    };
    const press = async (name, key, direction) => {
      await reach(name, direction);
      await panel.page.keyboard.press(key);
    };
    await panel.show('dark', STATES.finding);
    await press('Review', 'Enter');
    const reviewed = await panel.rows();
    assert.ok(reviewed.length > 0 && reviewed.length < NORMAL.length);
    assert.equal(await panel.focused(), reviewed[0]);
    await press('Apply', 'Space', 'Shift+Tab');
    await press('Copy Payload', 'Enter');
    await press('More copy actions', 'Enter');
    await press('Sort: ', 'Enter');
    assert.deepEqual(
      (await panel.posted('command')).map(({ command }) => command),
      ['copyPayload', 'moreCopyActions', 'sortSections'],
    );
    assert.deepEqual(await panel.posted('applyFinding'), [{ type: 'applyFinding', key: FINDING.key }]);
    await panel.show('dark', STATES.undo);
    await press('filter-tool', 'Enter');
    assert.equal(await panel.focused(), 'filter-field');
    await panel.page.keyboard.press('Escape');
    await reach('agents-md');
    await panel.page.keyboard.press('ArrowRight');
    await press('Details', 'Enter');
    assert.equal(await panel.page.getByRole('button', { name: /^Details/ }).getAttribute('aria-expanded'), 'true');
    await press('Undo', 'Enter');
    assert.deepEqual(await panel.posted('undo'), [{ type: 'undo' }]);
  },

  'keeps the finding back beside a message, not beside a remark below the parts': async (panel) => {
    const finding = panel.page.getByRole('region', { name: 'Finding' });
    await panel.show('dark', { snapshot: { ...STATES.error.snapshot, finding: FINDING } });
    assert.equal(await finding.count(), 0);
    const remark = { ...CONFIG_ERROR, kind: 'index', severity: 'warning' };
    await panel.send(snapshotOf(NORMAL, { finding: FINDING, problems: [remark] }));
    assert.equal(await finding.count(), 1);
  },

  'offers to undo, by its link and by Ctrl+Z on a row, only while there is something to undo': async (panel) => {
    await panel.show('dark', STATES.undo);
    const line = panel.page.getByRole('status').filter({ hasText: 'style-guide.md on demand: −412 tokens' });
    await line.getByRole('button', { name: 'Undo' }).click();
    await panel.page.focus(row('git'));
    await panel.page.keyboard.press('Control+z');
    assert.deepEqual(await panel.posted('undo'), [{ type: 'undo' }, { type: 'undo' }]);
    await panel.send(STATES.normal.snapshot);
    await panel.page.focus(row('git'));
    await panel.page.keyboard.press('Control+z');
    assert.equal((await panel.posted('undo')).length, 2);
    assert.equal(await line.count(), 0);
  },

  'lights the piece of a row under the mouse or with the focus, and goes to a row from its piece': async (panel) => {
    await panel.show('dark', STATES.normal);
    const lit = () => panel.page.$$eval('.seg.hit', (found) => found.map((piece) => piece.dataset.section));
    await panel.page.hover(row('git'));
    assert.deepEqual(await lit(), ['git']);
    await panel.page.focus(row('repo-map'));
    assert.deepEqual(await lit(), ['repo-map']);
    await panel.page.hover('.cb-task');
    assert.deepEqual(await lit(), []);
    const piece = panel.page.locator('.seg[data-section="observations"]');
    assert.equal(await piece.getAttribute('title'), 'observations: 786 tokens, 13% of the payload');
    await piece.click();
    assert.equal(await panel.focused(), 'observations');
  },

  'tells of characters where they bind, in red only over their limit': async (panel) => {
    const lines = () =>
      panel.page.$$eval('.cb-meter .what', (found) => found.map((line) => [line.className, line.textContent]));
    const what = 'What Copy Payload hands over: one line per section. Limit from profile default: Change';
    await panel.show('dark', STATES.normal);
    assert.deepEqual(await lines(), [['what', what]]);
    await panel.send(STATES.characters.snapshot);
    assert.deepEqual(await lines(), [
      ['what binding', '29,102 of 30,000 characters (97%)'],
      ['what', what],
    ]);
    await panel.send(STATES.over.snapshot);
    assert.deepEqual(await lines(), [
      ['what alert', '32,055 of 30,000 characters, 2,055 over'],
      ['what', what],
    ]);
    await panel.send({ ...STATES.expanded.snapshot, profile: 'planner' });
    assert.deepEqual(await lines(), [['what', 'What Copy Payload hands over. Limit from profile planner: Change']]);
  },

  'has its first row on the first screen, at 300 px and at 200% zoom': async (panel) => {
    await panel.show('dark', STATES.finding, 300);
    const first = () => panel.page.$eval(row('agents-md'), (element) => element.getBoundingClientRect());
    const { top } = await first();
    assert.ok(top <= 331, `the first row begins at ${top} px`);
    await panel.page.setViewportSize({ width: 300, height: 247 });
    const { bottom } = await first();
    assert.ok(bottom <= 247, `at 200% zoom the first row ends at ${bottom} px`);
  },

  'has a whole row on the first screen at 200% zoom and eight at 900 px, whatever it has to say': async (panel) => {
    const { snapshot } = STATES.over;
    const twoErrors = { snapshot: { ...snapshot, problems: [CONFIG_ERROR], configState: 'lastGood' } };
    const warned = { ...CONFIG_ERROR, severity: 'warning' };
    const states = {
      ...{ over: STATES.over, twoErrors, error: STATES.error, restricted: STATES.restricted },
      ...{ leftOut: STATES.leftOut, findingLong: STATES.findingLong, noInstructions: STATES.noInstructions },
      warned: { snapshot: snapshotOf(NORMAL, { problems: [warned] }) },
      filter: STATES.filter,
    };
    const whole = (height) =>
      panel.page.$$eval(
        '[data-row]',
        (rows, height) => rows.filter((row) => row.getBoundingClientRect().bottom <= height).length,
        height,
      );
    for (const [name, { snapshot, ui }] of Object.entries(states)) {
      // What the page remembers is read when it is loaded: one page shows all that remember nothing.
      if (ui || name === 'over') await panel.show('dark', { snapshot, ui }, 300);
      else {
        await panel.resize(300);
        await panel.send(snapshot);
      }
      const rows = (await panel.rows()).length;
      // What a window of 900 px leaves to the panel beside two folded views.
      const shown = await whole(710);
      assert.ok(shown >= Math.min(8, rows), `${name}: ${shown} rows of ${rows} at 300 × 900 px`);
      // A window of 900 px leaves 260 px to the panel then; only two errors at once need all of them.
      const height = name === 'twoErrors' ? 260 : 247;
      await panel.page.setViewportSize({ width: 300, height });
      await panel.drawn();
      assert.ok((await whole(height)) >= 1, `${name}: no row at 200% zoom`);
    }
  },

  'keeps a finding within the panel at 200% zoom, title and action, and the action whole at 248 px': async (panel) => {
    const finding = { ...FINDING, title: 'AGENTS.md takes 65% of the limit' };
    for (const label of ['On Demand', 'Describe Your Task', 'Switch to Automatic']) {
      await panel.show('dark', { snapshot: snapshotOf(NORMAL, { finding: { ...finding, action: { label } } }) }, 248);
      const boxes = () =>
        panel.page.$$eval('.cb-find :is(strong, .link)', (parts) =>
          parts.map((part) => part.getBoundingClientRect().toJSON()),
        );
      assert.deepEqual([...new Set((await boxes()).slice(1).map(({ height }) => height))], [18], label);
      await panel.page.setViewportSize({ width: 290, height: 337 });
      await panel.drawn();
      const [title, review, action] = await boxes();
      assert.ok(title.width >= 70, `${label}: the title has ${title.width} px`);
      assert.ok(action.right <= 278 && review.right < action.left, `${label}: ends at ${action.right} px`);
    }
  },

  'shows the whole label of Copy Payload in short panels of any width': async (panel) => {
    for (const width of [170, 200, 248, 280, 300, 340]) {
      await panel.show('dark', STATES.normal, width);
      await panel.page.setViewportSize({ width, height: 337 });
      await panel.drawn();
      const [label, room] = await panel.page
        .locator('.cb-split .btn')
        .first()
        .evaluate((button) => [button.shadowRoot.querySelector('[part~=control]').scrollWidth, button.clientWidth]);
      assert.ok(label <= room, `${width} px: the label takes ${label} of ${room} px`);
    }
  },

  'says what a message says beside its title in its hover and to screen readers where it is brief': async (panel) => {
    await panel.show('dark', STATES.error, 300);
    const text = panel.page.locator('.cb-msg span.rest').first();
    const height = () => text.evaluate((element) => element.getBoundingClientRect().height);
    assert.ok((await height()) > 16);
    await panel.page.setViewportSize({ width: 300, height: 247 });
    await panel.drawn();
    assert.equal(await height(), 1);
    const alert = panel.page.getByRole('alert');
    assert.match(await alert.ariaSnapshot(), /budget_tokens must be a whole number/);
    assert.match(await alert.locator('b').getAttribute('title'), /budget_tokens must be a whole number/);
    assert.ok(await alert.getByRole('button', { name: 'Open at Line 6' }).isVisible());
  },

  'drops a snapshot older than the one it shows': async (panel) => {
    await panel.show('dark', STATES.normal);
    const older = panel.revision + 1;
    await panel.send(STATES.over.snapshot, older + 1);
    await panel.send(STATES.normal.snapshot, older);
    assert.match(await panel.text('.cb-head'), /8,246 of 7,500 tokens/);
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
    assert.match(await panel.text('.cb-head'), /6,120 of 7,500 tokens/);
  },

  'does not move anything when counting begins, ends or changes a number': async (panel) => {
    const tops = () =>
      panel.page.$$eval('.cb-gauge, .cb-meter .what, .cb-tools', (blocks) =>
        blocks.map((block) => block.getBoundingClientRect().top),
      );
    for (const width of [248, 340, 560]) {
      // In the narrowest panel a flag has a line of its own: the estimates have one already.
      await panel.show('dark', width < 260 ? STATES.loading : STATES.first, width);
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
    await panel.show('dark', { ...STATES.open, ui: { ...STATES.open.ui, openIds: ['claude-md', 'ci-status'] } });
    await panel.page.click(row('memory'));
    await panel.page.keyboard.press('Control+f');
    await panel.page.keyboard.type('e');
    await panel.page.evaluate(() => window.scrollTo(0, 200));
    await panel.page.waitForFunction(() => JSON.parse(sessionStorage.getItem('state')).scrollTop === 200);
    await panel.page.reload();
    await panel.send(STATES.open.snapshot);
    assert.equal(await panel.page.getAttribute(row('memory'), 'aria-expanded'), 'true');
    assert.equal(await panel.page.inputValue('#filter-field'), 'e');
    assert.equal(await panel.page.evaluate(() => window.scrollY), 200);
  },

  'speaks a change of status once, and what the host announces': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.equal(await panel.text('#live'), '');
    await panel.send(snapshotOf(OVER));
    assert.equal(await panel.text('#live'), 'Over the limit by 746 tokens');
    await panel.show('dark', STATES.normal);
    await panel.post({ type: 'announce', text: 'Copied 6,120 tokens' });
    assert.equal(await panel.text('#live'), 'Copied 6,120 tokens');
  },

  'gives the gauge as a meter in words, characters too': async (panel) => {
    await panel.show('dark', STATES.normal);
    const meter = panel.page.getByRole('meter', { name: 'Payload' });
    const value = '6,120 of 7,500 tokens, 82%, past the 80% mark; 21,034 of 30,000 characters, 70%';
    assert.equal(await meter.getAttribute('aria-valuetext'), value);
    assert.equal(await meter.getAttribute('title'), '21,034 of 30,000 characters (70%)');
    await panel.send(STATES.over.snapshot);
    assert.equal(await meter.getAttribute('aria-valuenow'), '7500');
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
    await panel.page.getByRole('button', { name: '2 alerts' }).click();
    const chosen = await colour('[role=radio][aria-checked=true]');
    assert.notEqual(chosen, await colour('[role=radio][aria-checked=false]'));
    assert.equal(await colour('.cb-flag'), chosen);
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
