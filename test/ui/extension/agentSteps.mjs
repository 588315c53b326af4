// Truncated by Agents, as the panel tells it of a file that somebody writes, and the task that is typed into the panel.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const CONFIG = '.context-budget/config.json';
const INSTRUCTIONS = '.github/copilot-instructions.md';
/** Copilot code review reads so many characters of a file. */
const LIMIT = 4000;

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, inFolder: (file: string) => string,
 *   shootPanel: (name: string) => Promise<void> }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function agentSteps({ workbench, inFolder, shootPanel }) {
  const { page, panel } = workbench;
  const part = panel.getByRole('region', { name: 'Truncated by Agents' });
  const header = part.getByRole('button', { name: /^Truncated by Agents/ });
  const rules = Array.from({ length: 110 }, (_, index) => `- Rule ${index}: totals stay integers in cents.\n`).join('');
  return [
    [
      'a file that an agent cuts is named with the rule, and opens at the cut',
      async () => {
        // Of agents that are not in use only their names are told.
        const config = readFileSync(inFolder(CONFIG), 'utf8');
        writeFileSync(inFolder(CONFIG), config.replace('{', '{ "agents": ["copilot-code-review"],'));
        mkdirSync(path.dirname(inFolder(INSTRUCTIONS)), { recursive: true });
        writeFileSync(inFolder(INSTRUCTIONS), rules);
        assert.ok(rules.length > LIMIT);
        await header.filter({ hasText: '1 truncated' }).waitFor();
        if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
        const agent = part.locator('.cb-agent').filter({ hasText: 'truncated' });
        await agent.getByText(`The first 4,000 characters of a file; ${rules.length - LIMIT} bytes lost`).waitFor();
        await agent.getByText('unconfirmed').waitFor();
        await agent.scrollIntoViewIfNeeded();
        await shootPanel('agents');
        await agent.getByTitle(`Open at the Cut: ${INSTRUCTIONS}`).click();
        const line = rules.slice(0, LIMIT).split('\n').length;
        await page
          .locator('.statusbar-item')
          .filter({ hasText: `Ln ${line}, Col 1` })
          .waitFor();
        await header.click();
        rmSync(inFolder(INSTRUCTIONS));
        await part.getByText('1 truncated').waitFor({ state: 'detached' });
        writeFileSync(inFolder(CONFIG), config);
      },
    ],
  ];
}
