/**
 * Panel, usage report and the page of a session in Chinese, in a real browser: no English word but those that stay in every language, nothing
 * past the edges, a picture of each state. What the host says (reasons, explanations, problems) is put into Chinese here
 * as it does.
 *   node test/ui/panel/languages.ui.mjs
 */
import { readFileSync } from 'node:fs';
import { inspect, looksOf, runStage } from '../browserStage.mjs';
import { STATES as REPORT_STATES } from '../report/snapshots.mjs';
import { STATES as SESSION_STATES } from '../session/snapshots.mjs';
import { STATES } from './states.mjs';

const WIDTHS = [248, 340, 560];
const REPORT_WIDTHS = [480, 1100];
const LANGUAGES = ['zh-cn', 'zh-tw'];

/** States whose point is hostile or foreign text; their words are no words of ours. */
const FOREIGN = new Set(['hostile', 'relayHostile', 'agentsHostile', 'windowHostile']);

/** Words that stay: contract, names of products and formats, units of the fixtures' own values. */
const STAYS = new Set(
  'OK WARN ALERT WASTE LOW MED ROI token Token tokens P0 P1 P2 P3 P4 JSON Markdown Context Budget HTML Ctrl F Escape STALE WARNING LEASE_TAKEOVER id ms MB KB k M N MCP sonnet-5 docs/gone.md context-budget/usage.jsonl EACCES AGENTS.md CLAUDE.md MEMORY.md style-guide.md'.split(
    ' ',
  ),
);

const WORD = /[A-Za-z_][\w.+/-]*/g;

/** Fields whose texts are somebody's own: names, paths, texts of files and logs, what fills the phrases. */
const GIVEN = new Set(
  'title name agent model mcp id handle path text texts task folderName profile profiles field passedThrough args state since lost stubbed what'.split(
    ' ',
  ),
);

/** The words of a snapshot that may be shown as they are. */
function givenWords(value, isGiven = false, words = new Set()) {
  if (typeof value === 'string' && isGiven) {
    for (const [word] of value.matchAll(WORD)) for (const part of [word, ...word.split('/')]) words.add(part);
  } else if (Array.isArray(value)) for (const item of value) givenWords(item, isGiven, words);
  else if (typeof value === 'object' && value !== null)
    // Servers are keys.
    for (const [key, item] of Object.entries(value))
      givenWords(key === 'mcp' ? Object.keys(item) : item, key !== 'message' && (isGiven || GIVEN.has(key)), words);
  return words;
}

const BUNDLE = JSON.parse(readFileSync(new URL('../../../l10n/bundle.l10n.zh-cn.json', import.meta.url), 'utf8'));

/** A reason of the core as it is; what a fixture makes up, in Chinese. */
const asCoreSays = (reason) => (Object.hasOwn(BUNDLE, reason.message) ? reason : { message: '最新 12 / 41', args: [] });

/** The panel's snapshot with what the host puts into words: each of these has tests of its own. */
function asHostSays(snapshot) {
  if (snapshot?.state === 'failed') return { ...snapshot, message: '无法读取 .context-budget/usage.jsonl（EACCES）。' };
  if (typeof snapshot?.undo === 'string') return { ...snapshot, undo: 'MEMORY.md 改为按需：−412 个 token' };
  if (!snapshot?.payload) return snapshot;
  const sections = snapshot.payload.sections.map((section) => ({
    ...section,
    reason: section.reason === '' ? '' : '最新 12 / 41',
    words: { ...section.words, reason: asCoreSays(section.words.reason) },
    explanation: `摘要，因为配置只保留最新 12 / 41 个条目。代理可以索取 ${section.handle}（1,234 个 token）。`,
  }));
  const problems = snapshot.problems.map((problem) => ({
    ...problem,
    message: '必须是不小于 1 的整数，但现为 "7"。',
  }));
  const finding = snapshot.finding && {
    ...snapshot.finding,
    title: '可节省 1,276 个 token（−18%）',
    evidence: '56 次引用全部保留',
    action: { label: '应用' },
  };
  const undo = snapshot.undo && { sentence: 'style-guide.md 改为按需：−412 个 token' };
  return { ...snapshot, problems, finding, undo, payload: { ...snapshot.payload, sections } };
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

/** The words of the page that is shown: its own language, and no other. */
async function wordFaults(page, language, name, shown) {
  const lang = await page.page.evaluate(() => document.documentElement.lang);
  const faults = lang === language ? [] : [`the page says it is in ${lang}`];
  if (FOREIGN.has(name)) return faults;
  return [...faults, ...new Set(englishIn(await page.page.evaluate(wordsOnPage), givenWords(shown)))];
}

function look(language, kind, name, { snapshot, ui }, widths, moreWidths) {
  const shown = asHostSays(snapshot);
  return (page) => {
    page.kind = kind;
    page.language = language;
    return inspect(page, {
      theme: 'dark',
      state: { snapshot: shown, ui },
      picture: `${language}-${kind}-${name}`,
      widths,
      moreWidths,
      withAxe: false,
      also: () => wordFaults(page, language, name, shown),
    });
  };
}

/** The looks at one of the two pages. */
function looksAt(kind, title, states, widths, whole) {
  return looksOf({ states, kinds: LANGUAGES, widths, whole }).map(({ name, kind: language, widths, moreWidths }) => [
    `${language}, ${title}, ${name}`,
    look(language, kind, name, states[name], widths, moreWidths),
  ]);
}

const looks = [
  ...looksAt('main', 'panel', STATES, WIDTHS, 'whole'),
  ...looksAt('report', 'report', REPORT_STATES, REPORT_WIDTHS, 'normal'),
  ...looksAt('session', 'session', SESSION_STATES, REPORT_WIDTHS, 'normal'),
];
await runStage('languages', { looks: Object.fromEntries(looks) });
