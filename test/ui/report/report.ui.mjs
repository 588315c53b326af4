/**
 * The usage report in a real browser, with the product's HTML and CSP and the colours of four real themes: behaviour,
 * accessibility, widths, pictures. Run it alone (`node test/ui/report/report.ui.mjs`) or import `run`.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../../harness/host.mjs';
import { PanelPage } from '../panel/page.mjs';
import { servePanel, THEMES } from '../panel/serve.mjs';
import { CHECKS } from './checks.mjs';
import { STATES } from './snapshots.mjs';

const SHOTS = fileURLToPath(new URL('../shots/', import.meta.url));
/** An editor beside two others, one of two, a whole window. */
const WIDTHS = [320, 640, 1200];

class ReportPage extends PanelPage {
  url(theme) {
    return this.server.url(theme, 'report');
  }
}

/** One state in one theme at all widths: axe, edges, picture. */
async function inspect(report, theme, name) {
  const faults = [];
  await report.show(theme, STATES[name]);
  for (const width of WIDTHS) {
    await report.page.setViewportSize({ width, height: 900 });
    await report.page.screenshot({ path: `${SHOTS}report-${name}-${theme}-${width}.png`, fullPage: true });
    for (const fault of await report.axe()) faults.push(`${width} px: ${fault}`);
    for (const fault of await report.overflowing()) faults.push(`${width} px, past the edge: ${fault}`);
  }
  return faults;
}

/** Runs everything; prints what fails. */
export async function run() {
  mkdirSync(SHOTS, { recursive: true });
  const server = await servePanel();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const counts = { passed: 0, failed: 0 };
  const onPage = async (name, test) => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const report = await ReportPage.open(context, server);
    const faults = (await test(report).catch((error) => [String(error?.message ?? error)])) ?? [];
    const violations = await report.page.evaluate(() => window.cspViolations ?? []);
    const all = [...faults, ...violations.map((text) => `CSP: ${text}`), ...report.errors];
    counts[all.length === 0 ? 'passed' : 'failed']++;
    if (all.length > 0) console.error(`FAILED report: ${name}\n  ${all.slice(0, 5).join('\n  ')}`);
    await context.close();
  };
  try {
    for (const [name, check] of Object.entries(CHECKS)) await onPage(name, check);
    for (const theme of THEMES) {
      for (const name of Object.keys(STATES)) await onPage(`${name}, ${theme}`, (page) => inspect(page, theme, name));
    }
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
