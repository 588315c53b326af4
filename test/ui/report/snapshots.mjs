/** Snapshots of the usage report as a host sends them. The numbers of `normal` are those of the study (720 cycles). */

const CLASSES = [
  { roiClass: 'WASTE', sections: 3, chars: 6200, share: 0.2, citations: 1, roi: 0.161 },
  { roiClass: 'LOW', sections: 3, chars: 15504, share: 0.5001, citations: 12, roi: 0.774 },
  { roiClass: 'MED+', sections: 3, chars: 9296, share: 0.2999, citations: 92, roi: 9.897 },
];

// [id, chars, cited, class, last cited]
const SECTIONS = [
  ['AGENTS.md', 5168, 4, 'LOW', 631],
  ['memory', 5168, 4, 'LOW', 702],
  ['soul', 5168, 4, 'LOW', 631],
  ['repo-map', 4900, 42, 'MED+', 719],
  ['heartbeat', 2480, 0, 'WASTE', null],
  ['diagnostics', 2396, 31, 'MED+', 720],
  ['topic-memory', 2300, 1, 'WASTE', 361],
  ['observations', 2000, 19, 'MED+', 717],
  ['run-logs', 1420, 0, 'WASTE', null],
];

function section([id, charsMean, cited, roiClass, lastCitedCycle], changes = {}) {
  const roi = cited / (charsMean / 1000);
  const trend = Array.from({ length: 11 }, (_, at) => (at === 3 && cited === 0 ? null : (roi / 11) * ((at % 3) + 0.5)));
  return {
    id,
    loaded: 720,
    cited,
    charsMean,
    tokensMean: charsMean / 4,
    share: charsMean / 31000,
    roi,
    roiClass,
    lastCitedCycle,
    trend,
    ...changes,
  };
}

const HISTORY = Array.from({ length: 11 }, (_, at) => ({
  firstCycle: at * 64 + 1,
  lastCycle: at === 10 ? 720 : (at + 1) * 64,
  cycles: at === 10 ? 80 : 64,
  charsMean: at < 7 ? 31000 - at * 120 : 19200 + at * 40,
  tokensMean: 7750,
}));

const PHASES = [
  { mode: 'baseline', cycles: 448, charsMean: 31000, tokensMean: 7750, observabilityMean: 81.2, responseMsMean: 4210 },
  { mode: 'static', cycles: 64, charsMean: 26200, tokensMean: 6550, observabilityMean: null, responseMsMean: 4100 },
  { mode: 'dynamic', cycles: 208, charsMean: 19480, tokensMean: 4870, observabilityMean: 80.4, responseMsMean: 3650 },
];

const TARGETS = [
  { metric: 'chars_mean', baseline: 31000, target: 20150, actual: 19480, met: true },
  { metric: 'tokens_mean', baseline: 7750, target: 7750, actual: 4870, met: true },
  { metric: 'observability_mean', baseline: 81.2, target: 81.2, actual: 80.4, met: false },
  { metric: 'response_ms_mean', baseline: null, target: null, actual: 3650, met: null },
];

export const REPORT = {
  cycles: 720,
  firstCycle: 1,
  lastCycle: 720,
  sections: SECTIONS.map((row) => section(row)),
  classes: CLASSES,
  phases: PHASES,
  targets: TARGETS,
  history: HISTORY,
  findings: [],
};

const phrase = (message, ...args) => ({ message, args });

const FINDINGS = [
  { kind: 'unreadable', count: 1, line: 12, words: phrase('Line {0} is skipped: {1}', 12, phrase('it is not JSON')) },
  {
    kind: 'renamed',
    count: 1,
    line: undefined,
    words: phrase('{0} became {1} in cycle {2}: same content', 'soul', 'spirit', 8),
  },
];

/** A state with its report changed. */
export function stateOf(changes = {}, snapshot = {}) {
  const base = {
    state: 'ready',
    folderName: 'orders',
    report: { ...REPORT, ...changes },
    titles: [],
    message: undefined,
  };
  return { snapshot: { ...base, ...snapshot } };
}

const NO_REPORT = { report: undefined };

export const STATES = {
  normal: stateOf(),
  problems: stateOf({ findings: FINDINGS }),
  // A young log: no returns yet, one phase, one cycle a stretch.
  young: stateOf({
    cycles: 3,
    lastCycle: 3,
    sections: SECTIONS.slice(0, 3).map((row) => section(row, { roi: null, roiClass: 'no data', trend: [null, 0, 2] })),
    classes: [
      ...CLASSES.map((each) => ({ ...each, sections: 0, chars: 0, share: 0, citations: 0, roi: null })),
      { roiClass: 'no data', sections: 3, chars: 15504, share: 1, citations: 12, roi: null },
    ],
    phases: PHASES.slice(0, 1),
    targets: TARGETS.map((each) => ({ ...each, actual: null, met: null })),
    history: [1, 2, 3].map((cycle) => ({ ...HISTORY[0], firstCycle: cycle, lastCycle: cycle, cycles: 1 })),
  }),
  // Names as long as a config allows, and of other scripts; large numbers.
  long: stateOf({
    cycles: 1_000_000,
    lastCycle: 1_000_000,
    sections: [
      section(SECTIONS[0], { id: `a${'-very-long-name'.repeat(6)}`, loaded: 1_000_000, cited: 1_234_567 }),
      section(SECTIONS[1], { id: '记忆与任务上下文'.repeat(6) }),
    ],
  }),
  empty: stateOf({
    cycles: 0,
    firstCycle: undefined,
    lastCycle: undefined,
    sections: [],
    classes: [],
    phases: [],
    targets: [],
    history: [],
  }),
  loading: stateOf({}, { ...NO_REPORT, state: 'loading' }),
  failed: stateOf(
    {},
    { ...NO_REPORT, state: 'failed', message: '.context-budget/usage.jsonl could not be read (EACCES).' },
  ),
  noFolder: stateOf({}, { ...NO_REPORT, state: 'noFolder', folderName: undefined }),
  noLog: stateOf({}, { ...NO_REPORT, state: 'noLog' }),
};
