// Part `panel`: the Budget panel in Chromium with 200 sections while 1,000 snapshots arrive: frames, work, memory.
import { chromium } from 'playwright-core';
import { findChromium } from '../harness/host.mjs';
import { AGENTS } from '../ui/panel/agentSnapshots.mjs';
import { PanelPage } from '../ui/panel/page.mjs';
import { servePanel } from '../ui/panel/serve.mjs';
import { manySections, snapshotOf } from '../ui/panel/snapshots.mjs';
import { withAdvice } from '../ui/panel/usageSnapshots.mjs';
import { count, median, milliseconds, ratio, table } from './support.mjs';

const UPDATES = 1000;
const SECTIONS = 200;
/** Issue 7: no frame is longer, whatever arrives. */
const FRAME_LIMIT_MS = 50;
/** What a garbage collection may leave between two equal states: text of errors, observers, the browser's own. */
const GROWTH_LIMIT_BYTES = 1_000_000;
/** The browser's own pauses, and the machine's, are told from ours by the page without updates. */
const IDLE_MS = 3000;
const WARM_UP = 50;

/** What Chromium's clocks of the main thread are called. */
const COSTS = [
  { metric: 'TaskDuration', what: 'whole' },
  { metric: 'ScriptDuration', what: 'script' },
  { metric: 'RecalcStyleDuration', what: 'style' },
  { metric: 'LayoutDuration', what: 'layout' },
];

const parts = { agents: AGENTS, ...withAdvice(0.3) };

/** What a long session sends: one section counted again, by turns another; every tenth time five of them, one reordered. */
function patchesOf(index) {
  const id = (offset) => `nested-${(index * 37 + offset) % SECTIONS}`;
  const tokens = 10 + ((index * 13) % 60);
  const one = [{ id: id(0), patch: { tokens, chars: tokens * 4 } }];
  if (index % 10 !== 0) return one;
  return [
    ...one,
    { id: id(1), patch: { status: index % 20 === 0 ? 'WARN' : 'OK', reason: `newest ${index % 9} of 12` } },
    { id: id(2), patch: { priority: `P${index % 5}` } },
    { id: id(3), patch: { isPinned: index % 20 === 0 } },
    { id: id(4), patch: { disclosure: index % 20 === 0 ? 'stub' : 'full' } },
  ];
}

/** Runs in the page: what the host and the clock are made of there. */
function installDriver(first) {
  const sections = new Map(first.payload.sections.map((section) => [section.id, section]));
  let message;
  let revision = 10;
  // Of fixed size: the measurement itself must not grow.
  const frames = new Float64Array(1_000_000);
  let at = 0;
  window.bench = { tasks: 0, takeFrames: () => [...frames.subarray(0, at)], forget: () => (at = 0) };
  let last = performance.now();
  const tick = (now) => {
    frames[at++ % frames.length] = now - last;
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  new PerformanceObserver((list) => {
    window.bench.tasks += list.getEntries().length;
  }).observe({ type: 'longtask' });
  // As over the wire: every object is new. Making them is the host's cost, so it stands before the clock.
  window.bench.prepare = (patches) => {
    for (const { id, patch } of patches) sections.set(id, { ...sections.get(id), ...patch });
    const payload = { ...first.payload, sections: [...sections.values()] };
    const tokens = payload.sections.reduce((total, section) => total + section.tokens, 0);
    const snapshot = { ...first, payload: { ...payload, budget: { ...payload.budget, tokens } } };
    message = { type: 'snapshot', revision: ++revision, snapshot: structuredClone(snapshot) };
  };
  // Until the frame with the change in it is drawn.
  window.bench.send = async () => {
    window.dispatchEvent(new MessageEvent('message', { data: message }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  };
}

async function metricsOf(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

async function metricsAfterCollection(session) {
  // Twice: what finalizers free goes with the second.
  for (let round = 0; round < 2; round++) await session.send('HeapProfiler.collectGarbage');
  return metricsOf(session);
}

const most = (values) => values.reduce((highest, value) => Math.max(highest, value), 0);
const share = (values, part) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)];

/** Processor milliseconds of the page's main thread for one update: script, style, layout and paint. */
async function costOf(panel, session, patches) {
  await panel.page.evaluate((given) => window.bench.prepare(given), patches);
  const before = await metricsOf(session);
  await panel.page.evaluate(() => window.bench.send());
  const after = await metricsOf(session);
  return Object.fromEntries(COSTS.map(({ metric }) => [metric, (after[metric] - before[metric]) * 1000]));
}

async function measure(panel, ui) {
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('HeapProfiler.enable');
  const first = snapshotOf(manySections(), parts);
  await panel.show('dark', { snapshot: first, ui });
  await panel.page.evaluate(installDriver, first);
  const updates = Array.from({ length: UPDATES }, (_, index) => patchesOf(index));
  // Before the first measurement: what is made once is made, what is compiled is compiled.
  for (const patches of updates.slice(0, WARM_UP)) await costOf(panel, session, patches);
  await panel.page.evaluate(() => {
    window.bench.forget();
    window.bench.tasks = 0;
  });
  const before = await metricsAfterCollection(session);
  const costs = [];
  let half;
  for (const [index, patches] of updates.entries()) {
    if (index === UPDATES / 2) half = await metricsAfterCollection(session);
    costs.push(await costOf(panel, session, patches));
  }
  const after = await metricsAfterCollection(session);
  const frames = await panel.page.evaluate(() => window.bench.takeFrames());
  const tasks = await panel.page.evaluate(() => window.bench.tasks);
  await panel.page.evaluate(() => window.bench.forget());
  await panel.page.waitForTimeout(IDLE_MS);
  const idle = await panel.page.evaluate(() => window.bench.takeFrames());
  return { costs, frames, tasks, idle, before, half, after };
}

function rowsOf(name, { costs, frames, tasks, idle, before, half, after }) {
  const line = (what, value, limit) => [name, what, milliseconds(value), milliseconds(limit), ratio(value, limit)];
  const grown = (what, from, to) => {
    const bytes = to.JSHeapUsedSize - from.JSHeapUsedSize;
    return [
      name,
      what,
      `${count(bytes)} bytes`,
      `${count(GROWTH_LIMIT_BYTES)} bytes`,
      ratio(bytes, GROWTH_LIMIT_BYTES),
    ];
  };
  const ofMetric = (metric) => costs.map((cost) => cost[metric]);
  return [
    line('an update, processor time: longest', most(ofMetric('TaskDuration')), FRAME_LIMIT_MS),
    line('99 of 100 under', share(ofMetric('TaskDuration'), 0.99), FRAME_LIMIT_MS),
    ...COSTS.map(({ metric, what }) => line(`median, ${what}`, median(ofMetric(metric)), FRAME_LIMIT_MS)),
    line('frames by the clock: longest', most(frames), FRAME_LIMIT_MS),
    line('99 of 100 under', share(frames, 0.99), FRAME_LIMIT_MS),
    line('longest while nothing happens (other work of this machine)', most(idle), FRAME_LIMIT_MS),
    [name, `tasks over ${FRAME_LIMIT_MS} ms by the clock`, count(tasks), '0', ''],
    grown('heap grown by the first half', before, half),
    grown('by the second half', half, after),
    [name, 'nodes grown by the second half', count(after.Nodes - half.Nodes), '', ''],
    [name, 'listeners grown by the second half', count(after.JSEventListeners - half.JSEventListeners), '', ''],
  ];
}

export async function panelBench() {
  const server = await servePanel();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const rows = [];
    const open = Array.from({ length: 5 }, (_, index) => `nested-${index * 7}`);
    for (const [name, ui] of [
      ['rows folded', { foldedParts: ['agents', 'relevance', 'history'] }],
      ['5 rows and all parts open', { openIds: open, foldedParts: [] }],
    ]) {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      const panel = await PanelPage.open(context, server);
      rows.push(...rowsOf(name, await measure(panel, ui)));
      await context.close();
    }
    table(
      `Panel: ${count(SECTIONS)} sections, ${count(UPDATES)} snapshots`,
      ['state', 'what', 'measured', 'limit', 'ratio'],
      rows,
    );
  } finally {
    await browser.close();
    await server.close();
  }
}
