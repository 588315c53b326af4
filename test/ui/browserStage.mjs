/**
 * What the stages in a browser share: pages with the product's HTML and CSP, checks and looks on them side by side, and
 * the count at the end.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM_ARGS, findChromium } from '../harness/host.mjs';
import { tellResults } from '../harness/results.mjs';
import { IS_LONG } from '../support/extent.mjs';
import { longestMs } from '../support/until.mjs';
import { PanelPage } from './panel/page.mjs';
import { servePanel } from './panel/serve.mjs';

/** Of its own: the run of the installed extension clears the folder above, maybe at the same time. */
const SHOTS = fileURLToPath(new URL('./shots/pages/', import.meta.url));
const HEIGHT = 900;
/** As many as the smallest machine has processors. */
const PAGES_SIDE_BY_SIDE = 2;
const FAULTS_SHOWN = 12;

/**
 * What is looked at: in the long run each state in each kind (theme, language) at each width, and its edges at
 * `moreWidths` too. In the sample each state once, kinds and widths taking turns so that each pair of them comes, with its
 * edges at one width more, and the states `whole` in two kinds.
 * @param {{ states: Readonly<Record<string, unknown>>, kinds: readonly string[], widths: readonly number[],
 *   moreWidths?: readonly number[], whole: readonly string[] }} all
 * @returns {readonly { name: string, kind: string, widths: readonly number[], moreWidths: readonly number[] }[]}
 */
export function looksOf({ states, kinds, widths, moreWidths = [], whole }) {
  return Object.keys(states).flatMap((name, at) => {
    if (IS_LONG) return kinds.map((kind) => ({ name, kind, widths, moreWidths }));
    const turn = (all, by) => all[by % all.length];
    const turns = whole.includes(name) ? [at, at + 1] : [at];
    const edges = [...moreWidths, ...widths];
    return turns.map((by) => ({
      name,
      kind: turn(kinds, by),
      widths: [turn(widths, by)],
      moreWidths: [turn(edges, by)],
    }));
  });
}

/**
 * One state in one theme: edges at all widths, at `widths` axe too, and in the long run a picture. Nobody looks at those of
 * the sample; what fails is drawn in any case.
 * @param {PanelPage} page
 * @param {{ theme: string, state: { snapshot: unknown, ui?: unknown }, picture: string, widths: readonly number[],
 *   moreWidths?: readonly number[], withAxe?: boolean, also?: () => Promise<readonly string[]> }} look `also` finds faults of
 *   another kind once the state is shown
 * @returns {Promise<readonly string[]>} what is wrong
 */
export async function inspect(page, { theme, state, picture, widths, moreWidths = [], withAxe = true, also }) {
  await page.show(theme, state, widths[0]);
  const faults = also ? [...(await also())] : [];
  for (const width of [...widths, ...moreWidths]) {
    await page.resize(width, HEIGHT);
    if (widths.includes(width)) {
      if (IS_LONG) await page.picture(`${SHOTS}${picture}-${width}.png`);
      if (withAxe) for (const fault of await page.axe()) faults.push(`${width} px: ${fault}`);
    }
    for (const fault of await page.overflowing()) faults.push(`${width} px, past the edge: ${fault}`);
  }
  return faults;
}

/**
 * A page that is kept from one test to the next: to make one takes three times as long as to load it, and each test loads
 * it afresh. What the browser itself keeps is set back.
 */
class KeptPage {
  #open;
  #page;

  constructor(open) {
    this.#open = open;
  }

  /** Runs one test; what failed is drawn into the file `picture`. */
  async run(test, picture) {
    this.#page ??= await this.#open();
    this.#page.errors.length = 0;
    await this.#page.page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none' });
    await this.#page.page.mouse.move(-10, -10);
    const start = performance.now();
    const faults = await faultsOf(this.#page, test);
    const ms = performance.now() - start;
    if (faults.length === 0) return { state: 'passed', ms };
    await this.#page.page.screenshot({ path: picture });
    // What went wrong may be the page's own state: the next test gets another one.
    await this.close();
    return { state: 'failed', ms, error: faults.slice(0, FAULTS_SHOWN).join('\n'), picture };
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
    return [String(error?.stack ?? error), ...page.errors];
  }
}

/**
 * Runs a stage, prints what fails and last `N passed, N failed`, and sets the exit code.
 * @typedef {(page: PanelPage) => Promise<readonly string[] | void>} Test throws, or resolves with faults
 * @param {string} label what the stage looks at
 * @param {{ kind?: 'main' | 'report' | 'session', checks?: Readonly<Record<string, Test>>, looks: Readonly<Record<string, Test>> }}
 *   tests each begins by showing a state
 */
export async function runStage(label, { kind = 'main', checks = {}, looks }) {
  mkdirSync(SHOTS, { recursive: true });
  const server = await servePanel();
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  const results = [];
  const run = async (page, [name, test]) => {
    const picture = `${SHOTS}failed-${label}-${name.replace(/\W+/g, '-')}.png`;
    results.push({ title: name, ...(await page.run(test, picture)) });
  };
  const open = async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    // Tells what hangs, not what is slow: another stage may run beside this one.
    context.setDefaultTimeout(longestMs());
    return PanelPage.open(context, server, kind);
  };
  const waiting = [...Object.entries(checks), ...Object.entries(looks)];
  const work = async () => {
    const kept = new KeptPage(open);
    for (let next = waiting.shift(); next; next = waiting.shift()) await run(kept, next);
    await kept.close();
  };
  try {
    await Promise.all(Array.from({ length: PAGES_SIDE_BY_SIDE }, work));
  } finally {
    await browser.close();
    await server.close();
  }
  tellResults(results);
}
