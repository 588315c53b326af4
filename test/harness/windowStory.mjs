// The story of the window in a real VS Code: from a window that is more than half full before the first word to three changes
// that halve it. Measures two MCP servers, has one load on demand, disables the other and names a file instead of importing it.
//   node test/harness/windowStory.mjs [FOLDER]   writes a picture of each step into FOLDER (test/ui/shots/window-story), and
//                                                those of docs/window.md, which show the side bar alone
// env: VSIX=FILE, SKIP_BUILD=1, KEEP=1 as in pictures.mjs
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../support/until.mjs';
import { copyWorkspace, installVsix, makeProfile, ROOT, removeProfile } from './host.mjs';
import { openWorkbench, packExtension } from './installed.mjs';

const SIZE = { width: 880, height: 900 };
const MODEL = 'claude-sonnet-4-6';
const WINDOW_TOKENS = 200_000;

const shots = path.resolve(process.argv[2] ?? path.join(ROOT, 'test/ui/shots/window-story'));
mkdirSync(shots, { recursive: true });
const vsix = packExtension('window-story.vsix');
const profile = makeProfile({ 'window.commandCenter': false, 'editor.minimap.enabled': false });
const folder = copyWorkspace(profile, 'sample', 'orders');
prepare(folder);
installVsix(profile, vsix);
const { workbench, page, context, close } = await openWorkbench(profile, { size: SIZE });
try {
  await tell();
} catch (error) {
  for (const failed of context.pages()) await failed.screenshot({ path: path.join(shots, 'failed.png') });
  throw error;
} finally {
  await close();
  removeProfile(profile);
}

/** Two heavy servers that always load, one that does not, and a long document that CLAUDE.md imports. */
function prepare(root) {
  const server = path.join(ROOT, 'test/fixtures/mcp/heavyServer.cjs');
  const entry = (name, tools, more = {}) => ({
    command: process.execPath,
    args: [server, name, String(tools)],
    ...more,
  });
  const write = (file, text) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const kept = { alwaysLoad: true };
  const mcpServers = {
    issues: entry('issues', 96, kept),
    browser: entry('browser', 74, kept),
    wiki: entry('wiki', 20),
  };
  write('.mcp.json', `${JSON.stringify({ mcpServers }, null, 2)}\n`);
  write(
    'CLAUDE.md',
    '# Orders\n\n- Prices are integers in cents.\n- Run `npm test` before a commit.\n\nThe interface: @docs/api.md\n',
  );
  const routes = Array.from(
    { length: 330 },
    (_, at) =>
      `## GET /v1/orders/${at}/lines\n\nGives the lines of an order, newest first. The answer has \`id\`, \`sku\`, \`cents\` and ` +
      `\`count\` of each. Without a token it is 401, for another customer's order 404.\n`,
  );
  write('docs/api.md', `# Interface\n\n${routes.join('\n')}`);
  write(
    '.claude/skills/release/SKILL.md',
    '---\nname: release\ndescription: Releases the shop. Use it when a version is to be published.\n---\n\nSteps.\n',
  );
  write('.vscode/settings.json', `${JSON.stringify({ 'contextBudget.agents': ['claude-code'] }, null, 2)}\n`);
}

async function tell() {
  const { panel } = workbench;
  const bar = panel.getByRole('region', { name: 'Context window' });
  const part = panel.getByRole('region', { name: 'Before the First Word' });
  const dialog = page.locator('.monaco-dialog-box');
  const row = (name) => part.getByRole('button', { name });
  let number = 0;
  const shoot = async (name, isInDocs = false) => {
    await workbench.parkPointer();
    if (isInDocs) await page.locator('.part.sidebar').screenshot({ path: path.join(ROOT, `media/window/${name}.png`) });
    await page.screenshot({ path: path.join(shots, `${++number}-${name}.png`) });
  };
  /** Tokens before the first word, in thousands, as the bar says. */
  const taken = async () => Number(/≈([\d.]+)k /.exec(await bar.locator('.note').textContent())?.[1] ?? Number.NaN);
  const act = async (name, action) => {
    await row(new RegExp(`^${name}`)).hover();
    await part
      .getByRole('toolbar', { name: `Actions for ${name}` })
      .getByRole('button', { name: action })
      .click();
  };
  const told = [];
  const tellTaken = async (what) => {
    const thousands = await taken();
    told.push(thousands);
    console.log(`${what}: ${thousands}k, ${Math.round((thousands * 100_000) / WINDOW_TOKENS)}% of the window`);
  };

  await workbench.open(folder);
  await workbench.showViews();
  await bar.getByText('Claude Code · 1M').click();
  await page.locator('.quick-input-widget').getByText(MODEL).click();
  await bar.getByText('Claude Code · sonnet-4-6 · 200k').waitFor();
  await widenSideBar(460);
  await bar.getByTitle('Show Before the First Word').click();
  await row(/^MCP servers.* 3 of 3 not measured/).click();
  await shoot('unmeasured');
  await part.getByRole('toolbar', { name: 'Actions for MCP servers' }).getByRole('button').click();
  await dialog.getByText('Start 3 MCP servers to count their tools?').waitFor();
  await shoot('asks');
  await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
  await row(/^issues.* 96 tools/).waitFor();
  await row(/^wiki.* 20 tools/).waitFor();
  await row(/^Instructions/).click();
  await tellTaken('measured');
  await shoot('measured', true);
  await toTop();
  await shoot('full', true);

  await act('issues', 'Load on Demand');
  await dialog.getByText('Change .mcp.json?').waitFor();
  await shoot('issues-asks');
  await dialog.getByRole('button', { name: 'Load on Demand', exact: true }).click();
  await until('issues loads on demand', async () => (await taken()) < told.at(-1) - 20);
  await panel.getByText(/issues on demand: about −[\d,]+ tokens/).waitFor();
  await tellTaken('issues on demand');
  await shoot('issues-on-demand', true);

  await act('browser', 'Disable');
  await dialog.getByText('Create .claude/settings.local.json?').waitFor();
  await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
  await row(/^browser.* disabled/).waitFor();
  await until('browser is off', async () => (await taken()) < told.at(-1) - 10);
  await tellTaken('browser disabled');
  await shoot('browser-disabled');

  await act('docs/api.md', 'Load on Demand');
  await dialog.getByText('Change CLAUDE.md?').waitFor();
  await shoot('import-asks');
  await dialog.getByRole('button', { name: 'Load on Demand', exact: true }).click();
  await until('the document is named, not imported', async () => (await taken()) < told.at(-1) - 5);
  await tellTaken('docs/api.md named');
  await shoot('import-named');
  await toTop();
  await shoot('halved', true);
  assert.ok(told[0] * 1000 >= 0.55 * WINDOW_TOKENS, `only ${told[0]}k at the start`);
  assert.ok(told.at(-1) <= told[0] / 2, `${told.at(-1)}k is more than half of ${told[0]}k`);
}

/** Scrolls the panel to its bar. */
async function toTop() {
  await workbench.panel.locator('body').evaluate(() => window.scrollTo({ top: 0 }));
}

/** Drags the side bar's edge, as a person does who wants to read whole names. */
async function widenSideBar(width) {
  const { x, width: before } = await page.locator('.part.sidebar').boundingBox();
  await page.mouse.move(x + before, 300);
  await page.mouse.down();
  await page.mouse.move(x + width, 300, { steps: 5 });
  await page.mouse.up();
}
