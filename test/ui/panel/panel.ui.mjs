/**
 * The Budget panel in a real browser, with the product's HTML and CSP and the colours of four real themes: behaviour,
 * accessibility, widths, pictures. Run it alone (`node test/ui/panel/panel.ui.mjs`) or import `run`.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../../harness/host.mjs';
import { AGENT_CHECKS } from './agentChecks.mjs';
import { CHECKS } from './checks.mjs';
import { PanelPage } from './page.mjs';
import { servePanel, THEMES } from './serve.mjs';
import { STATES } from './snapshots.mjs';
import { STEADY_CHECKS } from './steadyChecks.mjs';

/** Pages that are looked at side by side; the behaviour checks run one by one, since one of them measures time. */
const PARALLEL_PAGES = 2;

const SHOTS = fileURLToPath(new URL('../shots/', import.meta.url));
const WIDTHS = [248, 340, 560];
/** Only the layout is checked at these: narrower and wider than the pictures. */
const MORE_WIDTHS = [170, 200, 300, 480, 900];

/** One state in one theme at all widths: axe, edges, CSP, page errors, picture. */
async function inspect(panel, theme, name) {
  const faults = [];
  await panel.show(theme, STATES[name]);
  for (const width of WIDTHS) {
    await panel.page.setViewportSize({ width, height: 900 });
    await panel.page.screenshot({ path: `${SHOTS}panel-${name}-${theme}-${width}.png`, fullPage: true });
    for (const fault of await panel.axe()) faults.push(`${width} px: ${fault}`);
    for (const fault of await panel.overflowing()) faults.push(`${width} px, past the edge: ${fault}`);
  }
  for (const width of MORE_WIDTHS) {
    await panel.page.setViewportSize({ width, height: 900 });
    for (const fault of await panel.overflowing()) faults.push(`${width} px, past the edge: ${fault}`);
  }
  return faults;
}

/** Runs everything; prints what fails. */
export async function run() {
  mkdirSync(SHOTS, { recursive: true });
  const server = await servePanel();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const counts = { passed: 0, failed: 0 };
  const report = (name, faults) => {
    counts[faults.length === 0 ? 'passed' : 'failed']++;
    if (faults.length > 0) console.error(`FAILED panel: ${name}\n  ${faults.slice(0, 5).join('\n  ')}`);
  };
  const onPage = async (name, test) => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const panel = await PanelPage.open(context, server);
    const faults = await test(panel).catch((error) => [String(error?.message ?? error)]);
    const violations = await panel.page.evaluate(() => window.cspViolations ?? []);
    report(name, [...(faults ?? []), ...violations.map((text) => `CSP: ${text}`), ...panel.errors]);
    await context.close();
  };
  try {
    for (const [name, check] of Object.entries({ ...CHECKS, ...AGENT_CHECKS, ...STEADY_CHECKS }))
      await onPage(name, check);
    const looks = THEMES.flatMap((theme) => Object.keys(STATES).map((name) => ({ theme, name })));
    const inspectAll = async () => {
      for (let look = looks.shift(); look; look = looks.shift()) {
        const { theme, name } = look;
        await onPage(`${name}, ${theme}`, (panel) => inspect(panel, theme, name));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_PAGES }, inspectAll));
  } finally {
    await browser.close();
    await server.close();
  }
  return counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { passed, failed } = await run();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
