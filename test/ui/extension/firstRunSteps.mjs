// The first minutes: what the empty views say, and the walkthrough that they open.
import assert from 'node:assert/strict';
import { tryMs, until } from '../../support/until.mjs';

const STEPS = ['See what it costs', 'Trim what costs most', 'Describe your task', 'Give it to your agent'];

/** A text of each picture. */
const PICTURED = ['88%', 'copilot-instructions.md', 'applyDiscount rounds wrong', 'SessionStart'];

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, shoot: (name: string) => Promise<void> }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]} in a window without a folder
 */
export function firstRunSteps({ workbench, shoot }) {
  const { page } = workbench;
  return [
    [
      'the empty map opens the walkthrough: four steps, each with a picture in the theme’s colours',
      async () => {
        const walkthrough = page.locator('.gettingStartedContainer');
        // The editor's own walkthrough comes with the window, in the same place and at its own time: then it is asked again.
        await until('the walkthrough is ours', async () => {
          await workbench.map.getByRole('button', { name: 'Get Started' }).click();
          const title = walkthrough.getByText('Get Started with Context Budget').first();
          return title.waitFor({ timeout: tryMs() }).then(
            () => true,
            () => false,
          );
        });
        for (const [at, title] of STEPS.entries()) {
          await walkthrough.getByRole('button', { name: title }).first().click();
          // The frame of a step's picture gives way to the next one's, and to its own when the page is laid out again.
          const { value: colour } = await until(`the picture of ${title}`, async () => {
            const picture = await workbench.frameWith('svg text', PICTURED[at]);
            const text = picture.locator('svg text').first();
            return text
              .evaluate((found) => getComputedStyle(found).fill)
              .catch((error) => {
                if (!/detached/.test(error.message)) throw error;
              });
          });
          // Black is what a colour becomes that the theme does not have.
          assert.notEqual(colour, 'rgb(0, 0, 0)', title);
          await shoot(`walkthrough-${at + 1}`);
        }
        await walkthrough.getByRole('button', { name: 'Copy Payload' }).first().waitFor();
        await workbench.run('View: Close Editor');
      },
    ],
  ];
}
