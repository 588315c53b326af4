/** The part *Truncated by Agents*, and the gauge's pieces. */
import assert from 'node:assert/strict';
import { AGENTS } from './agentSnapshots.mjs';
import { NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

const part = (panel) => panel.page.getByRole('region', { name: 'Truncated by Agents' });
const header = (panel) => part(panel).getByRole('button', { name: /^Truncated by Agents/ });
const agent = (panel, name) => part(panel).locator('.cb-agent', { has: panel.page.getByText(name, { exact: true }) });
const spoken = (locator) => locator.textContent().then((text) => text.replace(/\s+/g, ' ').trim());

export const AGENT_CHECKS = {
  'has no part about agents until the host knows that one of My Agents loses something': async (panel) => {
    await panel.show('dark', STATES.normal);
    assert.equal(await part(panel).count(), 0);
    await panel.send(snapshotOf(NORMAL, { agents: AGENTS.slice(5) }));
    assert.equal(await part(panel).count(), 0);
    await panel.send(snapshotOf(NORMAL, { agents: AGENTS, agentNames: ['Zed'] }));
    assert.equal(await part(panel).count(), 0);
    await panel.send(snapshotOf(NORMAL, { agents: AGENTS, agentNames: ['Claude Code', 'Zed'] }));
    assert.equal(await spoken(header(panel)), 'Truncated by Agents1 truncated');
    assert.deepEqual(await part(panel).locator('.who').allTextContents(), ['Claude Code', 'Zed']);
    await part(panel).getByRole('button', { name: '6 other agents' }).click();
    assert.equal(await agent(panel, 'Codex').count(), 1);
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
    assert.equal(await spoken(header(panel)), 'Truncated by Agents3 truncated, 1 ignored');
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
    assert.equal(await mark.textContent(), 'unconfirmed');
    assert.equal(await mark.locator('.i-question').count(), 1);
    assert.equal(await mark.getAttribute('title'), 'The agent’s documentation does not confirm this');
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
};
