/** What the usage log says of the sections, as a host sends it: histories, scores, the simulation, the offer. */
import { phrase } from './phrase.mjs';

/** Citations over the 50 recorded cycles, as in the design's mock; sections that are not here were loaded too seldom. */
export const CITATIONS = {
  'agents-md': 9,
  relay: 6,
  memory: 8,
  'claude-md': 0,
  soul: 1,
  'repo-map': 31,
  diagnostics: 11,
  git: 2,
  ports: 3,
  observations: 14,
  progress: 1,
  'open-editors': 1,
  'topic-memory': 0,
  heartbeat: 0,
};
const MEMORY_CITED = [4, 9, 10, 17, 26, 33, 41, 48];
const CYCLES = 50;

/** Even numbers from a seed, the same at every run. */
function numbersFrom(seed, count, least, most) {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return least + (state % (most - least + 1));
  });
}

function citedAt(id, citations) {
  if (id === 'memory') return MEMORY_CITED;
  return Array.from({ length: citations }, (_, index) => Math.floor(((index + 0.5) * CYCLES) / citations));
}

/** What a section returned, in citations per 1,000 characters; unknown before ten judged cycles. */
function returnOf(judged, citations, chars, roiClass) {
  const roi = judged < 10 ? null : citations / (chars / 1000);
  const interval = roi === null ? null : [roi / 2, roi * 2];
  return { judged, citations, roi, interval, roiClass, isUncertain: false };
}

/** A section's history over the window. */
export function usageOf(id, chars, roiClass, cycles = CYCLES) {
  const citations = CITATIONS[id];
  if (citations === undefined) return undefined;
  const cited = new Set(citedAt(id, citations));
  const charsPerCycle = [
    ...numbersFrom(chars + 7, cycles - 1, Math.round(chars * 0.6), Math.round(chars * 1.1)),
    chars,
  ];
  const citationsPerCycle = charsPerCycle.map((_, index) => (cited.has(index) ? 1 : 0));
  const total = citationsPerCycle.reduce((sum, count) => sum + count, 0);
  const last = citationsPerCycle.lastIndexOf(1);
  return {
    id,
    loaded: cycles,
    citedCycles: total,
    citations: total,
    charsMean: chars,
    return: returnOf(cycles, total, chars, roiClass),
    citedEntries: [],
    lastCitedCycle: last < 0 ? undefined : 721 - cycles + last,
    cyclesSinceCited: last < 0 ? undefined : cycles - 1 - last,
    charsPerCycle,
    citationsPerCycle,
  };
}

function factor(name, value, weight, why) {
  return { name, value, weight, why };
}

export const RELEVANCE = {
  memory: {
    score: 0.61,
    threshold: 0.3,
    factors: [
      factor('citation', 0.58, 0.4, phrase('cited in {0} of {1}', 8, phrase('{0} cycles', 50))),
      factor('trigger', 0.5, 0.3, phrase('matches {0} and {1} other words', 'login, session', 3)),
      factor(
        'recency',
        0.82,
        0.2,
        phrase('last cited in cycle {0}, {1}', '719', phrase('{0} ago', phrase('{0} cycle', 1))),
      ),
      factor('size', 0.64, 0.1, phrase('{0} characters', 2732)),
    ],
    hasEnoughData: true,
    exemption: undefined,
    verdict: 'kept',
  },
  'claude-md': {
    score: 0.21,
    threshold: 0.3,
    factors: [
      factor('citation', 0.09, 0.4, phrase('cited in {0} of {1}', 0, phrase('{0} cycles', 50))),
      factor('trigger', 0.33, 0.3, phrase('matches {0}', 'login')),
      factor('recency', 0, 0.2, phrase('not cited in the last {0}', phrase('{0} cycles', 50))),
      factor('size', 0.72, 0.1, phrase('{0} characters', 1612)),
    ],
    hasEnoughData: true,
    exemption: 'pinned',
    verdict: 'kept',
  },
};

/** A new section in mode baseline: six cycles say too little. */
export const YOUNG = {
  relevance: {
    ...RELEVANCE.memory,
    score: 0.41,
    factors: RELEVANCE.memory.factors.map((each) =>
      each.name === 'citation'
        ? factor('citation', 0.5, 0.4, phrase('not enough data: {0} of {1}', 6, phrase('{0} cycles', 10)))
        : each,
    ),
    hasEnoughData: false,
  },
  usage: { ...usageOf('memory', 2732, 'no data', 6), citations: 1, citedCycles: 1 },
  roi: null,
  roiClass: 'no data',
};

/** The same section before anything was recorded. */
export const NEWBORN = {
  relevance: {
    ...YOUNG.relevance,
    factors: [
      factor('citation', 0.5, 0.4, phrase('not enough data: {0} of {1}', 0, phrase('{0} cycles', 10))),
      factor('trigger', 0, 0.3, phrase('no task to match')),
      factor('recency', 0.5, 0.2, phrase('no history yet')),
      factor('size', 0.42, 0.1, phrase('{0} characters', 2732)),
    ],
  },
};

export function withoutHistory(item) {
  return { ...item, usage: undefined, roi: null, roiClass: 'no data' };
}

export const HISTORY = [
  ...numbersFrom(7, 18, 6100, 7396),
  ...numbersFrom(8, 12, 4987, 5700),
  ...numbersFrom(9, 19, 5200, 6600),
  6120,
].map((tokens, index) => ({ cycle: 671 + index, chars: tokens * 4, tokens }));

/** What thresholds would have done: more is lost the higher they are. */
const SIMULATION = {
  cycles: CYCLES,
  points: Array.from({ length: 21 }, (_, step) => {
    const threshold = step / 20;
    const lost = [
      { id: 'topic-memory', citations: step > 5 ? step - 4 : 0 },
      { id: 'git', citations: step > 6 ? 2 : 0 },
      { id: 'observations', citations: step > 9 ? step : 0 },
      { id: 'memory', citations: step > 12 ? 8 : 0 },
    ].filter(({ citations }) => citations > 0);
    const gone = lost.reduce((total, { citations }) => total + citations, 0);
    const ids = ['topic-memory', 'heartbeat', 'claude-md', 'git', 'soul', 'progress', 'observations', 'memory'];
    return {
      threshold,
      tokensBefore: 6120,
      tokensAfter: 6120 - step * 190,
      citationsTotal: 147,
      citationsKept: 147 - gone,
      lost,
      stubbed: ids.slice(0, Math.floor(step / 2)),
    };
  }),
};

export const USAGE = {
  cycles: HISTORY,
  prefix: { cycle: 720, tokens: 1840, totalTokens: 6120, brokenBy: 'git', how: 'changed' },
  simulation: SIMULATION,
  offer: undefined,
};

export const ROI_THRESHOLDS = { waste: 0.5, med: 2 };

/** What a snapshot with history has, under one threshold in force. */
export function withAdvice(threshold) {
  return { usage: USAGE, scoring: { mode: 'dynamic', threshold, window: 50, roiThresholds: ROI_THRESHOLDS } };
}
