/**
 * What the stages in a browser share: pages with the product's HTML and CSP, checks and looks on them side by side, and
 * the count at the end.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../harness/host.mjs';
import { PanelPage } from './panel/page.mjs';
import { servePanel } from './panel/serve.mjs';

/** Of its own: the run of the installed extension clears the folder above, maybe at the same time. */
const SHOTS = fileURLToPath(new URL('./shots/pages/', import.meta.url));
const HEIGHT = 900;
/** As many as the smallest machine has processors. */
const PAGES_SIDE_BY_SIDE = 2;
/** Another stage may run beside this one: a limit tells what hangs, not what is slow. */
const LIMIT_MS = 90_000;
const FAULTS_SHOWN = 12;

/**
 * One state in one theme: edges at all widths, at `widths` axe and a picture too.
 * @param {PanelPage} page
 * @param {{ theme: string, state: { snapshot: unknown, ui?: unknown }, picture: string, widths: readonly number[],
 *   moreWidths?: readonly number[], withAxe?: boolean, also?: () => Promise<readonly string[]> }} look `also` finds
 *   faults of another kind once the state is shown
 * @returns {Promise<readonly string[]>} what is wrong
 */
export async function inspect(page, { theme, state, picture, widths, moreWidths = [], withAxe = true, also }) {
  await page.show(theme, state, widths[1]);
  const faults = also ? [...(await also())] : [];
  for (const width of [...widths, ...moreWidths]) {
    await page.page.setViewportSize({ width, height: HEIGHT });
    if (widths.includes(width)) {
      await page.picture(`${SHOTS}${picture}-${width}.png`);
      if (withAxe) for (const fault of await page.axe()) faults.push(`${width} px: ${fault}`);
    }
    for (const fault of await page.overflowing()) faults.push(`${width} px, past the edge: ${fault}`);
  }
  return faults;
}

/** Pages for looks, kept from one to the next: each look loads its page afresh. */
class KeptPage {
  #open;
  #page;

  constructor(open) {
    this.#open = open;
  }

  async run(test) {
    this.#page ??= await this.#open();
    this.#page.errors.length = 0;
    const faults = await faultsOf(this.#page, test);
    // What went wrong may be the page's own state: the next look gets another one.
    if (faults.length > 0) await this.close();
    return faults;
  }

  async close() {
    await this.#page?.page.context().close();
    this.#page = undefined;
  }
}

/** What `test` finds on a page, and what the page itself tells. */
async function faultsOf(page, test) {
  try {
    const faults = (await test(page)) ?? [];
    const violations = await page.page.evaluate(() => window.cspViolations ?? []);
    return [...faults, ...violations.map((text) => `CSP: ${text}`), ...page.errors];
  } catch (error) {
    return [String(error?.message ?? error), ...page.errors];
  }
}

/**
 * Runs a stage, prints what fails and last `N passed, N failed`, and sets the exit code.
 * @typedef {(page: PanelPage) => Promise<readonly string[] | void>} Test throws, or resolves with faults
 * @param {string} label what the stage looks at
 * @param {{ kind?: 'main' | 'report', checks?: Readonly<Record<string, Test>>, looks: Readonly<Record<string, Test>> }}
 *   tests `checks` get a fresh page each; `looks` show a state of their own first, so they share theirs
 */
export async function runStage(label, { kind = 'main', checks = {}, looks }) {
  mkdirSync(SHOTS, { recursive: true });
  const server = await servePanel();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const counts = { passed: 0, failed: 0 };
  const report = (name, faults) => {
    counts[faults.length === 0 ? 'passed' : 'failed']++;
    if (faults.length > 0) console.error(`FAILED ${label}: ${name}\n  ${faults.slice(0, FAULTS_SHOWN).join('\n  ')}`);
  };
  const open = async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(LIMIT_MS);
    return PanelPage.open(context, server, kind);
  };
  const waiting = { checks: Object.entries(checks), looks: Object.entries(looks) };
  const work = async () => {
    for (let next = waiting.checks.shift(); next; next = waiting.checks.shift()) {
      const fresh = new KeptPage(open);
      report(next[0], await fresh.run(next[1]));
      await fresh.close();
    }
    const kept = new KeptPage(open);
    for (let next = waiting.looks.shift(); next; next = waiting.looks.shift()) report(next[0], await kept.run(next[1]));
    await kept.close();
  };
  try {
    await Promise.all(Array.from({ length: PAGES_SIDE_BY_SIDE }, work));
  } finally {
    await browser.close();
    await server.close();
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}
