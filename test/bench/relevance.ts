/** Measures what scoring cuts and loses on the study's logs, and what it costs; prints one JSON object a line. */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { DEFAULT_CONFIG } from '../../src/core/config/config';
import { DEFAULT_PROFILE } from '../../src/core/config/profile';
import type { ScoringConfig } from '../../src/core/model/relevance';
import type { ReportRequest } from '../../src/core/model/report';
import type { CollectedSection } from '../../src/core/model/section';
import type { SectionUsage, UsageWindow } from '../../src/core/model/usage';
import { buildReport } from '../../src/core/pipeline/report/buildReport';
import { routeSection } from '../../src/core/pipeline/route/route';
import { scoreSections } from '../../src/core/pipeline/score/score';
import { simulateThresholds } from '../../src/core/pipeline/score/simulate';
import { LineTokenCounter } from '../../src/core/tokens/lines';
import { sectionRoi } from '../../src/core/usage/roi';
import { HELD_OUT_SEEDS, randomOf, STUDY_PATTERNS, studyLog } from '../fixtures/usageStudy';
import { type StudyChanges, sharesOf, simulateStudy } from './relevanceTable';

const SECTIONS = 200;
const CYCLES = 50;
const CHARS = 2000;

interface Spread {
  readonly least: number;
  readonly median: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  return { least: sorted[0] ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0 };
}

function print(row: object): void {
  console.log(JSON.stringify(row));
}

/** What is tried on every held-out log, against mode `dynamic` as it ships. */
const TRIALS: readonly (readonly [string, StudyChanges])[] = [
  ['dynamic', {}],
  ['dynamic, a lost citation is not noticed', { lostCitations: 'unseen' }],
  ['dynamic, threshold 0.25', { scoring: { threshold: 0.25 } }],
  ['dynamic, threshold 0.35', { scoring: { threshold: 0.35 } }],
  ['static (P4 on demand)', { scoring: { mode: 'static' } }],
];

function measureStudy(): void {
  for (const [name, changes] of TRIALS)
    for (const pattern of STUDY_PATTERNS) {
      const shares = HELD_OUT_SEEDS.map((seed) => sharesOf(simulateStudy(seed, pattern, changes)));
      const [cut, kept] = [spread(shares.map((each) => each.cut)), spread(shares.map((each) => each.kept))];
      print({ kind: 'study', name, pattern, seeds: HELD_OUT_SEEDS.length, cut, kept });
    }
}

const WORDS =
  'login session token invoice deploy canary timeout retry schema index cache worker queue panel 部署 登录'.split(' ');

function sectionAt(at: number): CollectedSection {
  const random = randomOf(at);
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  let text = '';
  while (text.length < CHARS) text += `- ${word()} of the ${word()} must not ${word()} while ${at} is open\n`;
  return {
    id: `section-${at}`,
    title: `memory/topics/${word()}-${at}.md`,
    priority: (['P1', 'P2', 'P3', 'P4'] as const)[at % 4] ?? 'P4',
    source: { kind: 'file', path: `memory/topics/${at}.md` },
    keepRecent: undefined,
    onDemand: false,
    keywords: [],
    isDiscovered: true,
    body: { kind: 'text', text },
    path: `memory/topics/${at}.md`,
    note: undefined,
    isPinned: false,
    isExcluded: false,
  };
}

function usageAt(at: number): SectionUsage {
  const random = randomOf(1000 + at);
  const citationsPerCycle = Array.from({ length: CYCLES }, () => (random() < 0.1 ? 1 : 0));
  const citations = citationsPerCycle.reduce<number>((sum, each) => sum + each, 0);
  const last = citationsPerCycle.lastIndexOf(1);
  return {
    id: `section-${at}`,
    loaded: CYCLES,
    citedCycles: citations,
    citations,
    charsMean: CHARS,
    return: sectionRoi({ cycles: CYCLES, citations, chars: CYCLES * CHARS }),
    citedEntries: [],
    lastCitedCycle: last < 0 ? undefined : last + 1,
    cyclesSinceCited: last < 0 ? undefined : CYCLES - 1 - last,
    charsPerCycle: citationsPerCycle.map(() => CHARS),
    citationsPerCycle,
  };
}

/** Median of `times` runs after two to warm up, in milliseconds of processor time: wall time is the machine's load. */
function medianMs(times: number, work: () => unknown): number {
  const all: number[] = [];
  for (let at = -2; at < times; at++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    if (at >= 0) all.push((user + system) / 1000);
  }
  return spread(all).median;
}

function measureCost(): void {
  const encoding = new Tiktoken(o200k);
  const tokenizer = new LineTokenCounter({ name: 'o200k_base', count: (text) => encoding.encode(text, [], []).length });
  const sections = Array.from({ length: SECTIONS }, (_, at) => sectionAt(at));
  const usage: UsageWindow = {
    size: CYCLES,
    cycles: Array.from({ length: CYCLES }, (_, at) => ({ cycle: at + 1, chars: 0, tokens: 0 })),
    sections: sections.map((_, at) => usageAt(at)),
  };
  const scoring: ScoringConfig = { ...DEFAULT_CONFIG.scoring, mode: 'dynamic' };
  const request: ReportRequest = {
    profile: { ...DEFAULT_PROFILE, budgetTokens: 1_000_000, hardCapChars: 10_000_000 },
    tokenizer: 'o200k_base',
    sections,
    focusPaths: [],
    isIndexReady: true,
    problems: [],
    usage,
  };
  const task =
    'Fix the flaky login test: the session token expires while the deploy is open, retry after a timeout 修复登录';
  const routed = sections.map(routeSection);
  const reportMs = medianMs(21, () => buildReport(request, undefined, tokenizer));
  for (const [name, query] of [
    ['without a task', ''],
    ['with a task', task],
    ['with an issue of 20 KB', `${task}\n${'The worker queue of the panel stops. '.repeat(540)}`],
  ] as const) {
    const scoreMs = medianMs(41, () => scoreSections(routed, { scoring, usage, query }));
    const scoredMs = medianMs(21, () => buildReport({ ...request, scoring, query }, undefined, tokenizer));
    print({ kind: 'cost', name, scoreMs, scoredMs, reportMs });
  }
  measureSlider();
}

function measureSlider(): void {
  const ids = Array.from({ length: SECTIONS }, (_, at) => `section-${at}`);
  const records = studyLog(1, 'steady')
    .slice(0, 2 * CYCLES)
    .map((record, row) => ({
      ...record,
      sections: ids.map((id, at) => ({ id, chars: 500 + 10 * at, tokens: 125 + at, disclosure: 'full' as const })),
      cited: ids
        .filter((_, at) => (row * 7 + at * 13) % 31 < 3)
        .map((id) => ({ id, evidence: 'path' as const, what: id })),
    }));
  const sections = ids.map((id) => ({ id, priority: 'P3' as const, isPinned: false }));
  const scoring: ScoringConfig = { ...DEFAULT_CONFIG.scoring, mode: 'dynamic' };
  const thresholds = Array.from({ length: 21 }, (_, at) => at / 20);
  const settings = { scoring, cycles: CYCLES };
  const ms = medianMs(21, () => simulateThresholds(records, sections, settings, thresholds));
  print({ kind: 'slider', ms });
}

measureStudy();
measureCost();
