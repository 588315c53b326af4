// The panel's controls once more, in a folder that nobody trusts: nothing of the folder is run, and nothing is written into it.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentSteps } from './agentSteps.mjs';
import { panelSteps } from './panelSteps.mjs';
import { relaySteps } from './relaySteps.mjs';

const FIXTURE = fileURLToPath(new URL('../../fixtures/workspaces/editor/main', import.meta.url));

/** Texts of all files of a folder, by their paths. */
const treeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => [file, readFileSync(file, 'latin1')]);

/**
 * Does in a folder that nobody trusts what would write into it. @throws Error when something is written, or the refusal says
 * no way out
 * @param {{ workbench: import('./workbench.mjs').Workbench, folder: string }} context
 */
export async function leavesNoTrace({ workbench, folder }) {
  const { page, panel } = workbench;
  const button = (name) => panel.getByRole('button', { name, exact: true });
  const before = treeOf(folder);
  await panel.getByTitle('Usage and observations are kept in memory until you trust this folder.').waitFor();
  await workbench.row('MEMORY.md').click();
  await button('Pin').click();
  const refusal = page.locator('.notification-toast').filter({ hasText: 'nothing is written into it' });
  await refusal.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
  await workbench.run('Notifications: Clear All Notifications');
  await button('Pin').waitFor();
  await workbench.row('MEMORY.md').click();
  await button('Copy Payload').click();
  await workbench.noted('Copied');
  assert.deepEqual(treeOf(folder), before);
}

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, folder: string,
 *   cliIn: (root: string) => (...args: string[]) => string, pluginRuns: () => number }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function restrictedSteps({ workbench, folder, cliIn, pluginRuns }) {
  const { panel } = workbench;
  const inFolder = (file) => path.join(folder, file);
  // The pictures of the trusted folder are looked at.
  const shootPanel = () => Promise.resolve();
  let runs = 0;
  const within = ([title, run]) => [`Restricted Mode: ${title}`, run];
  const isRestricted = () => panel.getByText('Restricted Mode.').waitFor();
  return [
    [
      'Restricted Mode: another folder is not trusted for the first one',
      async () => {
        runs = pluginRuns();
        cpSync(FIXTURE, folder, { recursive: true });
        await workbench.open(folder);
        await workbench.showViews();
        await workbench.exactTokens();
        await isRestricted();
      },
    ],
    // What these do depends on no trust; the sample has it in the trusted folder.
    ...panelSteps({ workbench, inFolder }).map(within),
    [
      'Restricted Mode: what would be written is refused with a way out, and copies leave no trace',
      () => leavesNoTrace({ workbench, folder }),
    ],
    ...agentSteps({ workbench, inFolder, shootPanel }).map(within),
    ...relaySteps({ workbench, inFolder, cli: cliIn(folder), shootPanel }).map(within),
    [
      'Restricted Mode: after all that nothing of the folder was run',
      async () => {
        await isRestricted();
        assert.equal(pluginRuns(), runs);
      },
    ],
  ];
}
