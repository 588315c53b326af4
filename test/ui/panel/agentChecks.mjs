/** The part *What agents will cut*, and the gauge's pieces. */
import assert from 'node:assert/strict';
import { AGENTS } from './agentSnapshots.mjs';
import { change, NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

const part = (panel) => panel.page.getByRole('region', { name: 'What agents will cut' });
const header = (panel) => part(panel).getByRole('button', { name: /^What agents will cut/ });
const agent = (panel, name) => part(panel).locator('.cb-agent', { has: panel.page.getByText(name, { exact: true }) });
const spoken = (locator) => locator.textContent().then((text) => text.replace(/\s+/g, ' ').trim());

export const AGENT_CHECKS = {
  'has no part about agents until the host knows, and one folded line where nothing is cut': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.equal(await part(panel).count(), 0);
    await panel.send(STATES.agentsCalm.snapshot);
    assert.equal(await header(panel).getAttribute('aria-expanded'), 'false');
    assert.equal(await spoken(header(panel)), 'What agents will cutnothing');
  },

  'opens the part by itself once an agent cuts a file, and leaves it folded when somebody folds it': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.send(STATES.agents.snapshot);
    assert.equal(await header(panel).getAttribute('aria-expanded'), 'true');
    await header(panel).click();
    await panel.send(snapshotOf(NORMAL, { agents: structuredClone(AGENTS) }));
    await panel.page.reload();
    await panel.send(STATES.agents.snapshot);
    assert.equal(await header(panel).getAttribute('aria-expanded'), 'false');
  },

  'says of each agent what it cuts, where, by which rule and what is lost; those without a file in one line': async (
    panel,
  ) => {
    await panel.show('dark', STATES.agents);
    assert.equal(await spoken(header(panel)), 'What agents will cut3 truncated, 1 shadowed');
    assert.deepEqual(await part(panel).locator('.who').allTextContents(), [
      'Codex',
      'Claude Code',
      'Copilot code review',
      'Cursor',
      'Copilot Chat',
      'Zed',
    ]);
    assert.equal(
      await spoken(agent(panel, 'Claude Code')),
      'Claude Code, truncatedmemory/MEMORY.md, cut before line 200 of 248The first 200 lines or 25 KB, whichever comes first; 2,190 bytes lost2 more files, Claude Code',
    );
    assert.equal(await agent(panel, 'Claude Code').locator('.cut').count(), 1);
    assert.match(await spoken(agent(panel, 'Zed')), /on demanddocs\/rules\.md, when asked for/);
    assert.equal(await spoken(part(panel).locator('.without')), 'No file here for Gemini CLI, Windsurf');
  },

  'marks a rule that is not certain with an icon and words': async (panel) => {
    await panel.show('dark', STATES.agents);
    const mark = agent(panel, 'Cursor').locator('.unsure');
    assert.equal(await mark.textContent(), 'not certain');
    assert.equal(await mark.locator('.i-question').count(), 1);
    assert.equal(await mark.getAttribute('title'), 'The agent’s documents do not say so for certain');
    assert.equal(await part(panel).locator('.unsure').count(), 1);
  },

  'opens a cut file at its cut and a whole one at its start, by mouse and keyboard': async (panel) => {
    await panel.show('dark', STATES.agents);
    await part(panel).getByTitle('Open at the Cut: packages/auth/AGENTS.md').click();
    await part(panel).getByTitle('Open: .cursorrules').focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.posted('openFile'), [
      { type: 'openFile', path: 'packages/auth/AGENTS.md', line: 402 },
      { type: 'openFile', path: '.cursorrules', line: 1 },
    ]);
  },

  'names imports that come to nothing, and opens the line': async (panel) => {
    await panel.show('dark', STATES.agents);
    const line = agent(panel, 'Copilot Chat').locator('.imports li');
    assert.equal(await spoken(line), 'AGENTS.md imports docs/gone.md, which does not exist');
    await line.getByTitle('Open: AGENTS.md, line 12').click();
    assert.deepEqual(await panel.posted('openFile'), [{ type: 'openFile', path: 'AGENTS.md', line: 12 }]);
  },

  'shows all files of an agent on asking, each with its fate, and remembers that': async (panel) => {
    await panel.show('dark', STATES.agents);
    const more = agent(panel, 'Claude Code').getByRole('button', { name: /^2 more files/ });
    await more.focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await agent(panel, 'Claude Code').locator('.l2').count(), 3);
    assert.match(await spoken(agent(panel, 'Claude Code')), /docs\/style\.md, 18 linesloadedImported by CLAUDE\.md/);
    await panel.page.reload();
    await panel.send(STATES.agents.snapshot);
    assert.equal(await agent(panel, 'Claude Code').locator('.l2').count(), 3);
    await agent(panel, 'Claude Code')
      .getByRole('button', { name: /^Fewer files/ })
      .click();
    assert.equal(await agent(panel, 'Claude Code').locator('.l2').count(), 1);
  },

  'speaks a cut that was not there before': async (panel) => {
    await panel.show('dark', STATES.agentsCalm);
    await panel.send(STATES.agents.snapshot);
    assert.equal(await panel.text('#live'), 'Codex cuts packages/auth/AGENTS.md');
  },

  'shows hostile paths and rules of agents as text': async (panel) => {
    await panel.show('dark', STATES.agentsHostile);
    assert.equal(await panel.page.evaluate(() => window.hacked), undefined);
    assert.equal(await panel.page.$$eval('#root img, #root script', (found) => found.length), 0);
  },

  'tells what a piece of the gauge is under the mouse, and hides it again': async (panel) => {
    await panel.show('dark', STATES.normal);
    const tip = panel.page.getByRole('tooltip');
    assert.equal(await tip.count(), 0);
    await panel.page.locator('.cb-gauge .seg.P2').first().hover();
    assert.equal(await tip.textContent(), 'repo-map, P2: 1,496 tokens, 24\u00a0% of the payload');
    // The pointer may go onto the words themselves.
    await tip.hover();
    assert.equal(await tip.count(), 1);
    await panel.page.mouse.move(5, 400);
    assert.equal(await tip.count(), 0);
  },

  'walks along the gauge with the keyboard, and goes to a row from there, whatever the filter hides': async (panel) => {
    await panel.show('dark', { ...STATES.filter, ui: { ...STATES.filter.ui, foldedParts: [] } });
    const tip = panel.page.getByRole('tooltip');
    await panel.page.focus('.cb-headline button:last-child');
    await panel.page.keyboard.press('Tab');
    assert.equal(await tip.textContent(), 'AGENTS.md, P0: 1,164 tokens, 19\u00a0% of the payload');
    assert.equal(await panel.page.locator('.cb-gauge').getAttribute('aria-describedby'), await tip.getAttribute('id'));
    await panel.page.keyboard.press('End');
    assert.match(await tip.textContent(), /^HEARTBEAT\.md, P4: 29 tokens/);
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('ArrowRight');
    assert.match(await tip.textContent(), /^memory\/MEMORY\.md, P1/);
    await panel.send(snapshotOf(change(NORMAL, 'agents-md', { tokens: 1000 })));
    assert.match(await tip.textContent(), /^memory\/MEMORY\.md, P1/);
    await panel.page.keyboard.press('Escape');
    assert.equal(await tip.count(), 0);
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('Enter');
    assert.equal(await panel.focused(), 'agents-md');
    assert.equal((await panel.rows()).length, 16);
  },

  'keeps the tooltip inside the panel at both ends of the gauge': async (panel) => {
    for (const width of [170, 248, 560]) {
      await panel.show('dark', STATES.normal, width);
      await panel.page.focus('.cb-headline button:last-child');
      await panel.page.keyboard.press('Tab');
      for (const key of ['Home', 'End']) {
        await panel.page.keyboard.press(key);
        const box = await panel.page.getByRole('tooltip').boundingBox();
        assert.ok(box.x >= 11.5 && box.x + box.width <= width - 11.5, `${key} at ${width} px`);
      }
    }
  },

  'says in the chips what the config in force calls waste': async (panel) => {
    const scoring = { ...STATES.normal.snapshot.scoring, roiThresholds: { waste: 0.2, med: 5 } };
    await panel.show('dark', { snapshot: snapshotOf(NORMAL, { scoring }) });
    const titles = await panel.page.$$eval('.chip', (chips) => [...new Set(chips.map((chip) => chip.title))].sort());
    assert.deepEqual(titles, [
      'Fewer than 10 cycles loaded this section',
      'Return: 0.2 to 5 citations per 1,000 characters',
      'Return: over 5 citations per 1,000 characters',
      'Return: under 0.2 citations per 1,000 characters',
    ]);
  },

  'orders the rows by status, the worst first': async (panel) => {
    await panel.show('dark', STATES.byStatus);
    assert.deepEqual((await panel.rows()).slice(0, 5), ['diagnostics', 'ci-status', 'relay', 'git', 'repo-map']);
    assert.equal(await panel.text('.cb-group h3 .g'), 'worst status first');
  },
};
