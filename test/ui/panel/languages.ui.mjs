/**
 * Panel and usage report in Chinese, in a real browser: no English word but those that stay in every language, nothing
 * past the edges, a picture of each state. What the host says (reasons, explanations, problems) is put into Chinese here
 * as it does. Run it alone (`node test/ui/panel/languages.ui.mjs`) or import `run`.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../../harness/host.mjs';
import { STATES as REPORT_STATES } from '../report/snapshots.mjs';
import { fakeHost, PanelPage } from './page.mjs';
import { servePanel } from './serve.mjs';
import { STATES } from './snapshots.mjs';

const SHOTS = fileURLToPath(new URL('../shots/', import.meta.url));
const WIDTHS = [248, 340, 560];
const REPORT_WIDTHS = [480, 1100];
const LANGUAGES = ['zh-cn', 'zh-tw'];

/** States whose point is hostile or foreign text; their words are no words of ours. */
const FOREIGN = new Set(['hostile', 'relayHostile', 'agentsHostile']);

/** Words that stay: contract, names of products and formats, units of the fixtures' own values. */
const STAYS = new Set(
  'OK WARN ALERT WASTE LOW MED ROI token Token tokens P0 P1 P2 P3 P4 JSON Markdown Context Budget HTML Ctrl F Escape STALE WARNING LEASE_TAKEOVER id ms MB KB N docs/gone.md context-budget/usage.jsonl EACCES AGENTS.md CLAUDE.md MEMORY.md'.split(
    ' ',
  ),
);

const WORD = /[A-Za-z_][\w.+/-]*/g;

/** Fields whose texts are somebody's own: names, paths, texts of files and logs, what fills the phrases. */
const GIVEN = new Set(
  'title name id handle path text texts task folderName profile profiles field passedThrough args state since lost stubbed'.split(
    ' ',
  ),
);

/** The words of a snapshot that may be shown as they are. */
function givenWords(value, isGiven = false, words = new Set()) {
  if (typeof value === 'string' && isGiven) {
    for (const [word] of value.matchAll(WORD)) for (const part of [word, ...word.split('/')]) words.add(part);
  } else if (Array.isArray(value)) for (const item of value) givenWords(item, isGiven, words);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      givenWords(item, key !== 'message' && (isGiven || GIVEN.has(key)), words);
  return words;
}

/** The panel's snapshot with what the host puts into words: each of these has tests of its own. */
function asHostSays(snapshot) {
  if (snapshot?.state === 'failed') return { ...snapshot, message: '无法读取 .context-budget/usage.jsonl（EACCES）。' };
  if (!snapshot?.payload) return snapshot;
  const sections = snapshot.payload.sections.map((section) => ({
    ...section,
    reason: section.reason === '' ? '' : '最新 12 / 41',
    explanation: `摘要，因为配置只保留最新 12 / 41 个条目。代理可以索取 ${section.handle}（1,234 个 token）。`,
  }));
  const problems = snapshot.problems.map((problem) => ({
    ...problem,
    message: '必须是不小于 1 的整数，但现为 "7"。',
  }));
  return { ...snapshot, problems, payload: { ...snapshot.payload, sections } };
}

/** Everything that people read or hear on the page: texts, names, titles, placeholders. */
function wordsOnPage() {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node.data);
  for (const element of document.querySelectorAll('#root *')) {
    for (const name of ['title', 'aria-label', 'aria-valuetext', 'placeholder', 'alt', 'aria-roledescription'])
      if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
  }
  return texts;
}

function englishIn(texts, given) {
  const words = texts.flatMap((text) => [...text.matchAll(WORD)].map(([word]) => [word, text]));
  const isKnown = (word) => STAYS.has(word) || given.has(word);
  return words
    .filter(([word]) => !isKnown(word) && !word.split(/[+/]/).every((part) => part === '' || isKnown(part)))
    .map(([word, text]) => `English: ${word} in "${text.slice(0, 80)}"`);
}

class LanguagePage extends PanelPage {
  constructor(page, server, kind, language) {
    super(page, server);
    this.kind = kind;
    this.language = language;
  }

  url(theme) {
    return this.server.url(theme, this.kind, this.language);
  }
}

async function inspect(context, server, kind, language, name, { snapshot, ui }, widths) {
  const page = new LanguagePage(await context.newPage(), server, kind, language);
  await page.page.addInitScript(fakeHost);
  const shown = asHostSays(snapshot);
  await page.show('dark', { snapshot: shown, ui }, widths[1]);
  const lang = await page.page.evaluate(() => document.documentElement.lang);
  const faults = lang === language ? [] : [`the page says it is in ${lang}`];
  if (!FOREIGN.has(name)) {
    const given = givenWords(shown);
    faults.push(...new Set(englishIn(await page.page.evaluate(wordsOnPage), given)));
  }
  for (const width of widths) {
    await page.page.setViewportSize({ width, height: 900 });
    await page.page.screenshot({ path: `${SHOTS}${language}-${kind}-${name}-${width}.png`, fullPage: true });
    for (const fault of await page.overflowing()) faults.push(`${width} px, past the edge: ${fault}`);
  }
  faults.push(...page.errors);
  await page.page.close();
  return faults;
}

/** Runs everything; prints what fails. */
export async function run() {
  mkdirSync(SHOTS, { recursive: true });
  const server = await servePanel();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const counts = { passed: 0, failed: 0 };
  try {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const looks = [
      ...Object.entries(STATES).map(([name, state]) => ['main', name, state, WIDTHS]),
      ...Object.entries(REPORT_STATES).map(([name, state]) => ['report', name, state, REPORT_WIDTHS]),
    ];
    for (const language of LANGUAGES) {
      for (const [kind, name, state, widths] of looks) {
        const faults = await inspect(context, server, kind, language, name, state, widths).catch((error) => [
          String(error?.message ?? error),
        ]);
        counts[faults.length === 0 ? 'passed' : 'failed']++;
        if (faults.length > 0)
          console.error(`FAILED ${language}: ${kind}, ${name}\n  ${faults.slice(0, 12).join('\n  ')}`);
      }
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
