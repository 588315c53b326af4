// The panel's controls once more, in a folder that nobody trusts: all of them work, and nothing of the folder is run.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentSteps } from './agentSteps.mjs';
import { panelSteps } from './panelSteps.mjs';
import { relaySteps } from './relaySteps.mjs';

const FIXTURE = fileURLToPath(new URL('../../fixtures/workspaces/editor/main', import.meta.url));

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
        await workbench.showPanel();
        await workbench.exactTokens();
        await isRestricted();
      },
    ],
    ...panelSteps({ workbench, inFolder }).map(within),
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
