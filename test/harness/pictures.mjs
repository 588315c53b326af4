// Makes pictures of the packaged extension in a real VS Code. Takes minutes.
//   node test/harness/pictures.mjs                       README's and GUIDE's: opens the sample workspace and does what the guide
//                                                        tells, checking each step; writes media/panel.png and media/story.gif
//   node test/harness/pictures.mjs first-run [FOLDER…]   what a new user sees first, in each theme and width, of the given folders
//                                                        too (copies of them); writes test/ui/shots/first-run-….png
// env: VSIX=FILE installs that package; SKIP_BUILD=1 packages dist as it is; KEEP=1 keeps the profile
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../support/until.mjs';
import { decodePng, encodeGif } from './animation.mjs';
import { copyWorkspace, installVsix, makeProfile, ROOT, removeProfile } from './host.mjs';
import { openWorkbench, packExtension } from './installed.mjs';

/** As wide as the page of an extension and a README on GitHub show a picture: nothing is scaled. So high that the last row is whole. */
const SIZE = { width: 880, height: 912 };
/** Pages that show the README load it whole. */
const MAX_GIF_BYTES = 400 * 1024;
const TASK = 'applyDiscount rounds wrong';
const SHOTS = path.join(ROOT, 'test/ui/shots');

/** README's picture and GUIDE's story. */
async function makeStory() {
  const profile = makeProfile({ 'window.commandCenter': false, 'editor.minimap.enabled': false });
  const folder = copyWorkspace(profile, 'sample', 'orders');
  installVsix(profile, vsix);
  const { workbench, page, context, close } = await openWorkbench(profile, { size: SIZE });
  try {
    const frames = [];
    const shoot = async (holdMs) => {
      // What a write has set off is over.
      await workbench.map.getByText(/Indexing \d/).waitFor({ state: 'detached' });
      await workbench.parkPointer();
      frames.push({ png: await page.screenshot(), holdMs });
    };
    await tellStory(workbench, folder, shoot);

    await toTop(workbench.panel);
    await workbench.parkPointer();
    await page.screenshot({ path: path.join(ROOT, 'media/panel.png') });

    const decoder = await context.newPage();
    const decoded = [];
    for (const { png, holdMs } of frames) decoded.push({ pixels: await decodePng(decoder, png), holdMs });
    const gif = encodeGif(decoded, SIZE);
    console.log(`media/story.gif: ${frames.length} frames, ${Math.round(gif.length / 1024)} KB`);
    assert.ok(gif.length <= MAX_GIF_BYTES, `more than ${MAX_GIF_BYTES / 1024} KB`);
    writeFileSync(path.join(ROOT, 'media/story.gif'), gif);
  } catch (error) {
    // What it looked like, beside the other pictures of the tests.
    for (const failed of context.pages()) await failed.screenshot({ path: path.join(SHOTS, 'failed-picture.png') });
    throw error;
  } finally {
    await close();
    removeProfile(profile);
  }
}

/** What costs most, on demand, a task, and the payload in the clipboard. */
async function tellStory(workbench, folder, shoot) {
  const { page, panel } = workbench;
  await workbench.open(folder);
  await workbench.openFile('price.ts');
  await workbench.showViews();
  await until('the panel has an exact count', async () => (await workbench.exactTokens()).used > 0);
  await panel.getByText('1 alert').first().waitFor();
  await widenSideBar(page, 420);
  // The language server has read the file: nothing spins any more.
  await page.locator('.statusbar-item').filter({ hasText: 'Analyzing' }).waitFor({ state: 'detached' });
  await shoot(2600);

  const { used } = await workbench.exactTokens();
  // Rows and the finding offer the same action: only those of the opened row are pressed.
  const sections = panel.getByRole('region', { name: 'Sections' });
  const row = sections.getByRole('button', { name: /copilot-instructions/ }).first();
  await row.click();
  const onDemand = sections.locator('.cb-detail').getByRole('button', { name: 'On Demand', exact: true });
  await onDemand.waitFor();
  await shoot(2200);

  await onDemand.click();
  await until('the section is a stub', async () => ((await workbench.panelTokens())?.used ?? used) < used - 500);
  await shoot(2400);

  await row.click();
  await toTop(panel);
  await panel.getByLabel('Task', { exact: true }).fill(TASK);
  await shoot(1400);
  await panel.getByLabel('Task', { exact: true }).press('Enter');
  await workbench.map.getByText(TASK).first().waitFor();
  await workbench.exactTokens();
  await toTop(panel);
  await shoot(2400);

  await workbench.clearClipboard();
  await panel.getByRole('button', { name: 'Copy Payload', exact: true }).click();
  assert.match(await workbench.clipboard(), /applyDiscount/);
  await workbench.status.filter({ hasText: 'Copied' }).waitFor();
  await shoot(3600);
  // Back to what the meter says, for the picture that stands still.
  await workbench.status.filter({ hasText: '/ 4k' }).waitFor();
  assert.equal(await page.locator('.notification-toast').count(), 0);
}

/** Drags the side bar's edge, as a person does who wants to read whole names. */
async function widenSideBar(page, width) {
  const { x, width: before } = await page.locator('.part.sidebar').boundingBox();
  await drag(page, { x: x + before, y: 300 }, { x: x + width, y: 300 });
}

async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
}

/** Scrolls the panel to its meter. */
async function toTop(panel) {
  await panel.locator('body').evaluate(() => window.scrollTo({ top: 0 }));
}

/** What a new user opens: the folder's name, and what is written into it. */
const FIRST_FOLDERS = {
  empty: () => undefined,
  'no-instructions': (write) => {
    write('package.json', '{ "name": "shop", "version": "1.0.0" }\n');
    write('src/price.ts', 'export function total(prices: readonly number[]): number {\n  return prices.length;\n}\n');
  },
  memories: (write) => {
    write('AGENTS.md', `# Shop\n\n${'- Prices are integers in cents, and totals are sums of them.\n'.repeat(20)}`);
    const days = Array.from({ length: 240 }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10));
    write(
      'MEMORY.md',
      `# Memory\n\n${days.map((day, at) => `- ${day} Decision ${at}: keep the rounding as it is.\n`).join('')}`,
    );
    const note = 'The test of the login failed since two workers shared one database; each has its own now.\n';
    for (const [at, day] of days.entries())
      write(`memory/${day}-note-${at}.md`, `# Note ${at}\n\n${note.repeat(8 + (at % 9))}`);
  },
};

const FIRST_THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};
const FIRST_WIDTHS = [260, 320, 480];

/** The side bar of each first folder, of none and of `given` ones, and in Restricted Mode, in each theme and width. */
async function makeFirstRun(given) {
  const profile = makeProfile();
  installVsix(profile, vsix);
  const folders = { 'no-folder': undefined };
  for (const [name, fill] of Object.entries(FIRST_FOLDERS)) {
    folders[name] = path.join(profile, 'workspaces', name);
    mkdirSync(folders[name], { recursive: true });
    fill((file, text) => {
      const place = path.join(folders[name], file);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text);
    });
  }
  for (const folder of given) {
    const name = path.basename(folder);
    folders[name] = path.join(profile, 'workspaces', name);
    cpSync(folder, folders[name], { recursive: true });
  }
  const restricted = { restricted: copyWorkspace(profile, 'editor/main', 'restricted') };
  try {
    await shootFirst(profile, folders, true);
    await shootFirst(profile, restricted, false);
  } finally {
    removeProfile(profile);
  }
}

async function shootFirst(profile, folders, isTrusted) {
  const settingsFile = path.join(profile, 'data/User/settings.json');
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8'));
  const { workbench, page, close } = await openWorkbench(profile, { isTrusted, size: { width: 1000, height: 900 } });
  try {
    for (const [theme, colorTheme] of Object.entries(FIRST_THEMES)) {
      // Read when a window opens.
      writeFileSync(settingsFile, JSON.stringify({ ...settings, 'workbench.colorTheme': colorTheme }));
      for (const [name, folder] of Object.entries(folders)) {
        await workbench.open(folder);
        await workbench.showPanel();
        const [welcome, meter] = [workbench.panel.locator('.cb-welcome'), workbench.panel.getByRole('meter').first()];
        await welcome.or(meter).waitFor();
        // A folder is counted before it is known to be empty.
        await until('all is counted', async () => (await welcome.count()) > 0 || (await workbench.panelTokens()));
        if ((await welcome.count()) === 0) await workbench.settledTokens();
        await workbench.panel.locator('body').evaluate(() => document.fonts.load('16px codicon'));
        for (const width of FIRST_WIDTHS) {
          await workbench.setSideBarWidth(width);
          await workbench.parkPointer();
          const file = path.join(SHOTS, `first-run-${name}-${theme}-${width}.png`);
          await page.locator('.part.sidebar').screenshot({ path: file });
        }
      }
    }
  } finally {
    await close();
  }
}

const vsix = packExtension('context-budget-pictures.vsix');
const [kind, ...given] = process.argv.slice(2);
if (kind === 'first-run') await makeFirstRun(given);
else await makeStory();
