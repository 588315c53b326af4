// The Sessions view and the page of a session, over a log as Claude Code leaves it in the home folder.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../support/until.mjs';

const CONFIG = '.context-budget/config.json';
const TITLE = 'raise the discount';
const TURNS = 12;
/** Turns from 0 in which a file is read. */
const READS = { 2: 'MEMORY.md', 4: 'src/prices.ts', 6: 'MEMORY.md', 9: 'src/prices.ts' };
/** The agent's own prompt and tools. */
const PROMPT_TOKENS = 20_000;

/** A session in which MEMORY.md is read twice and src/prices.ts too, and the cache breaks once. */
function sessionLog(cwd) {
  const start = Date.now() - 3_600_000;
  const memory = readFileSync(path.join(cwd, 'MEMORY.md'), 'utf8').repeat(6);
  const prices = readFileSync(path.join(cwd, 'src/prices.ts'), 'utf8').repeat(6);
  let window = PROMPT_TOKENS;
  return Array.from({ length: TURNS }, (_, at) => {
    const record = (fields) =>
      JSON.stringify({ sessionId: 'ui', cwd, timestamp: new Date(start + at * 60_000).toISOString(), ...fields });
    const isBroken = at === 7;
    const cached = isBroken ? 0 : window;
    window += 4_000;
    const usage = { input_tokens: 3, cache_read_input_tokens: cached, output_tokens: 50 };
    const message = (content, id) => ({
      type: 'assistant',
      requestId: `req-${at}-${id}`,
      message: {
        id: `msg-${at}-${id}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        stop_reason: 'end_turn',
        content,
        // The second request of a turn reads from the cache what the first wrote.
        usage:
          id === 'b' && at in READS
            ? { ...usage, cache_read_input_tokens: window - 3, cache_creation_input_tokens: 0 }
            : { ...usage, cache_creation_input_tokens: window - cached - 3 },
      },
    });
    const read = {
      2: ['MEMORY.md', memory],
      4: ['src/prices.ts', prices],
      6: ['MEMORY.md', memory],
      9: ['src/prices.ts', prices],
    }[at];
    const call = {
      type: 'tool_use',
      id: `t${at}`,
      name: 'Read',
      input: { file_path: path.join(cwd, read?.[0] ?? '') },
    };
    const lines = [
      record({
        type: 'user',
        uuid: `u${at}`,
        message: { role: 'user', content: at === 0 ? TITLE : `go on with step ${at}` },
      }),
      ...(read
        ? [
            record(message([call], 'a')),
            record({
              type: 'user',
              uuid: `r${at}`,
              message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: read[1] }] },
            }),
          ]
        : []),
      record(message([{ type: 'text', text: 'Done.' }], 'b')),
    ];
    return `${lines.join('\n')}\n`;
  }).join('');
}

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, folder: string, inFolder: (file: string) => string,
 *   shoot: (name: string) => Promise<void> }} context
 * @returns {{ before: readonly (readonly [string, () => Promise<void>])[], after: readonly (readonly [string, () => Promise<void>])[] }} steps
 *   around the one that allows agents to be read
 */
export function sessionSteps({ workbench, folder, inFolder, shoot }) {
  const { page } = workbench;
  const view = page.locator('.pane').filter({ has: page.locator('.pane-header[aria-label^="Sessions"]') });
  const focus = () => workbench.run('Context Budget: Focus on Sessions View');
  const config = () => readFileSync(inFolder(CONFIG), 'utf8');
  return {
    before: [
      [
        'before agents are chosen, the Sessions view says what it is for and asks',
        async () => {
          const logs = path.join(folder, '../../home/.claude/projects/orders');
          mkdirSync(logs, { recursive: true });
          writeFileSync(path.join(logs, 'ui.jsonl'), sessionLog(realpathSync(folder)));
          await focus();
          await view.getByText('See where the tokens of your agents’ sessions went').waitFor();
          await shoot('sessions-off');
          await view.getByText('Choose Agents…').click();
          await page.locator('.monaco-dialog-box').getByText('Conversation text is never stored').waitFor();
          await page.keyboard.press('Escape');
          await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
          assert.equal(await view.getByRole('treeitem').count(), 0);
          // The steps after this one need the height.
          await view.locator('.pane-header').click();
        },
      ],
    ],
    after: [
      [
        'the Sessions view lists the session; its page has findings, and a slider from turn to turn',
        async () => {
          await focus();
          const row = view.getByRole('treeitem', {
            name: new RegExp(`^${TITLE}, Claude Code, .*, peak 34%, 16 requests$`),
          });
          await row.waitFor();
          await view.hover();
          await view.getByRole('button', { name: 'Refresh Sessions' }).click();
          await row.waitFor();
          await shoot('sessions');
          await row.click();
          const frame = await workbench.frameWith('h1', TITLE);
          const slider = frame.getByRole('slider', { name: 'Turn', exact: true });
          await slider.waitFor();
          assert.equal(await slider.getAttribute('aria-valuetext'), 'Turn 12: 68,000 of 200,000 tokens, 34%');
          await slider.focus();
          await page.keyboard.press('Home');
          await frame.locator('.key').getByText('Turn 1').waitFor();
          await frame.getByRole('button', { name: 'Show Turn: The cache broke once' }).click();
          await until('the slider is at the break', async () => (await slider.getAttribute('aria-valuenow')) === '8');
          await shoot('session');
        },
      ],
      [
        'a finding’s action is one click: a section goes on demand and back, a file becomes a map',
        async () => {
          const before = config();
          const frame = await workbench.frameWith('h1', TITLE);
          await frame.getByRole('button', { name: 'On Demand: MEMORY.md was read twice' }).click();
          await until('the section is on demand', () => /"on_demand": \["memory"\]/.test(config()));
          const undo = frame.locator('.undo').filter({ hasText: 'MEMORY.md on demand' });
          await undo.getByRole('button', { name: 'Undo' }).click();
          await until('the config is as it was', () => config() === before);
          await frame.getByRole('button', { name: 'On Demand: MEMORY.md was read twice' }).waitFor();
          await workbench.clearClipboard();
          await frame.getByRole('button', { name: 'Copy Repo Map: src/prices.ts was read twice' }).click();
          assert.match(await workbench.clipboard(), /^src\/prices\.ts/m);
          await workbench.run('View: Close All Editors');
          await view.locator('.pane-header').click();
        },
      ],
    ],
  };
}
