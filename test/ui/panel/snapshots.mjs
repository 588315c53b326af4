/**
 * Snapshots as a host sends them. The numbers of `normal` are those of the design's mock, so that pictures compare one
 * to one: 16 sections, 6,120 of 7,500 tokens, 21,034 of 30,000 characters, two alerts.
 */

/** Words of the core, as the host sends them. */
const phrase = (message, ...args) => ({ message, args });

// [title, id, priority, status, disclosure, tokens, chars, tokensFull, reason, roiClass, extra]
const ROWS = [
  ['AGENTS.md', 'agents-md', 'P0', 'OK', 'full', 1164, 4548, 1164, 'never cut', 'LOW', { path: 'AGENTS.md' }],
  ['relay', 'relay', 'P0', 'WARN', 'full', 212, 824, 212, 'instruction missing', 'MED+'],
  [
    'memory/MEMORY.md',
    'memory',
    'P1',
    'OK',
    'summary',
    702,
    2732,
    2310,
    'newest 12 of 41',
    'MED+',
    { path: 'memory/MEMORY.md' },
  ],
  [
    'CLAUDE.md',
    'claude-md',
    'P1',
    'OK',
    'full',
    418,
    1612,
    418,
    'pinned',
    'WASTE',
    { path: 'CLAUDE.md', isPinned: true },
  ],
  ['memory/SOUL.md', 'soul', 'P1', 'OK', 'full', 236, 961, 236, 'never removed', 'LOW', { path: 'memory/SOUL.md' }],
  ['repo-map', 'repo-map', 'P2', 'OK', 'summary', 1496, 4187, 51240, '38 of 1,545 files', 'MED+'],
  ['diagnostics', 'diagnostics', 'P2', 'ALERT', 'full', 412, 1236, 412, '7 errors, 3 files', 'MED+'],
  ['git', 'git', 'P2', 'WARN', 'full', 186, 601, 186, '2 behind main', 'MED+'],
  ['ports', 'ports', 'P2', 'OK', 'summary', 12, 44, 391, '4 of 4 up', 'MED+'],
  ['observations', 'observations', 'P3', 'OK', 'summary', 786, 2489, 31870, '24 of 312', 'MED+'],
  ['PROGRESS.md', 'progress', 'P3', 'OK', 'summary', 195, 788, 1420, 'newest 5 of 36', 'LOW', { path: 'PROGRESS.md' }],
  ['open-editors', 'open-editors', 'P3', 'OK', 'full', 142, 438, 142, 'score 0.44', 'MED+'],
  ['ci-status', 'ci-status', 'P3', 'ALERT', 'full', 96, 331, 96, 'stopped after 5 s', 'no data'],
  ['topic-memory', 'topic-memory', 'P4', 'OK', 'stub', 34, 131, 2180, 'score 0.14 < 0.30', 'WASTE'],
  [
    'HEARTBEAT.md',
    'heartbeat',
    'P4',
    'OK',
    'stub',
    29,
    112,
    420,
    'score 0.09 < 0.30',
    'WASTE',
    { path: 'HEARTBEAT.md' },
  ],
  ['run-logs', 'run-logs', 'P4', 'OK', 'omitted', 0, 0, 8640, 'excluded', 'no data', { isExcluded: true }],
];

const MEMORY_ENTRIES = [
  '2026-02-03 Login tests share one Redis database; give each worker its own.',
  '2026-02-03 CI runs four workers, a local run has one.',
  '2026-02-02 The clock is faked in `packages/auth`, not in the e2e tests.',
  '2026-02-01 A refresh token lives 15 minutes.',
  '2026-01-30 Do not retry in the test, fix the wait.',
  '2026-01-29 `SessionStore.refresh(token: string, now: Clock): Promise<Session>` is called twice at login.',
  '2026-01-28 The verifier runs the auth suite ten times before it says done.',
  '2026-01-27 `pnpm test --filter auth` needs the Redis container.',
  '2026-01-26 Session ids are UUIDv7 since 4.2.',
  '2026-01-25 The staging cluster is rebuilt every Monday.',
  '2026-01-24 Feature flags are read once per request.',
  '2026-01-23 Two reviewers for anything under packages/auth.',
];

const MEMORY_TEXT = `# Memory

${MEMORY_ENTRIES.map((entry) => `- ${entry}`).join('\n')}
… older entries: section:memory
`;

const EXPLANATIONS = {
  memory:
    'Summary, because the config keeps the newest 12 of 41 entries. The other 29 (1,608 tokens) stay one call away as section:memory.',
  'topic-memory':
    'Stub, because its score of 0.14 is below the threshold of 0.30. Last cited in cycle 512. The agent can ask for section:topic-memory (2,180 tokens).',
  'ci-status':
    'ALERT, because the command was stopped after 5,000 ms (exit code 143). Last lines of its errors:\ncurl: (28) Operation timed out after 4,900 ms\nci-status: no answer from the build server',
};

/** Citations over the 50 recorded cycles, as in the design's mock; sections that are not here were loaded too seldom. */
const CITATIONS = {
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

/** A section's history over the window. */
function usageOf(id, chars, roiClass, cycles = CYCLES) {
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
    roi: cycles < 10 ? null : total / (chars / 1000),
    roiClass,
    lastCitedCycle: last < 0 ? undefined : 721 - cycles + last,
    cyclesSinceCited: last < 0 ? undefined : cycles - 1 - last,
    charsPerCycle,
    citationsPerCycle,
  };
}

function factor(name, value, weight, why) {
  return { name, value, weight, why };
}

const RELEVANCE = {
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
const YOUNG = {
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
const NEWBORN = {
  relevance: {
    ...YOUNG.relevance,
    factors: [
      factor('citation', 0.5, 0.4, phrase('not enough data: {0} of {1}', 0, phrase('{0} cycles', 10))),
      factor('trigger', 0, 0.3, phrase('no task, nothing to match')),
      factor('recency', 0.5, 0.2, phrase('no history yet')),
      factor('size', 0.42, 0.1, phrase('{0} characters', 2732)),
    ],
  },
};

function withoutHistory(item) {
  return { ...item, usage: undefined, roi: null, roiClass: 'no data' };
}

const HISTORY = [
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

const USAGE = {
  cycles: HISTORY,
  prefix: { cycle: 720, tokens: 1840, totalTokens: 6120, brokenBy: 'git', how: 'changed' },
  simulation: SIMULATION,
  offer: undefined,
};

const ROI_THRESHOLDS = { waste: 0.5, med: 2 };

/** What a snapshot with history has, under one threshold in force. */
export function withAdvice(threshold) {
  return { usage: USAGE, scoring: { mode: 'dynamic', threshold, window: 50, roiThresholds: ROI_THRESHOLDS } };
}

const OFFER = {
  mode: 'dynamic',
  cycles: CYCLES,
  effect: { ...SIMULATION.points[6], stubbed: [] },
};

function section([title, id, priority, status, disclosure, tokens, chars, tokensFull, reason, roiClass, extra = {}]) {
  return {
    id,
    title,
    priority,
    status,
    summary: `${title} in one sentence`,
    disclosure,
    reason,
    explanation: EXPLANATIONS[id] ?? `Shown ${disclosure}: ${reason}. The rest is one call away as section:${id}.`,
    chars,
    tokens,
    charsFull: tokensFull * 4,
    tokensFull,
    handle: `section:${id}`,
    text:
      disclosure === 'omitted'
        ? ''
        : id === 'memory'
          ? MEMORY_TEXT
          : `${title}\n\nThe text of ${title} as the agent gets it.\n`,
    source: extra.path ? { kind: 'file', path: extra.path } : { kind: 'builtin', builtin: 'git' },
    path: undefined,
    entries: id === 'memory' ? { shown: 12, total: 41 } : undefined,
    isPinned: false,
    isExcluded: false,
    isNotRun: false,
    isPending: false,
    citations: CITATIONS[id] ?? 0,
    roi: usageOf(id, chars, roiClass)?.roi ?? null,
    roiClass,
    score: RELEVANCE[id]?.score ?? null,
    relevance: RELEVANCE[id],
    usage: usageOf(id, chars, roiClass),
    ...extra,
  };
}

const NORMAL = ROWS.map(section);
const sum = (sections, key) => sections.reduce((total, item) => total + item[key], 0);
export const change = (sections, id, patch) => sections.map((item) => (item.id === id ? { ...item, ...patch } : item));

/** A whole snapshot around some sections. */
export function snapshotOf(sections, patch = {}, budgetPatch = {}) {
  const [tokens, chars] = [sum(sections, 'tokens'), sum(sections, 'chars')];
  const status = tokens > 7500 || chars > 30000 ? 'ALERT' : tokens >= 6000 || chars >= 24000 ? 'WARN' : 'OK';
  return {
    state: 'ready',
    folderName: 'acme-shop',
    mode: 'index',
    profile: 'default',
    profiles: ['default', 'planner', 'implementer', 'verifier'],
    task: '',
    isTaskCut: false,
    payload: {
      mode: patch.mode ?? 'index',
      budget: {
        budgetTokens: 7500,
        tokens,
        tokenizer: 'o200k_base',
        hardCapChars: 30000,
        chars,
        status,
        truncated: false,
        downgradeApplied: [],
        isExact: true,
        ...budgetPatch,
      },
      overheadTokens: 0,
      sections,
      repoMap: undefined,
      notes: [],
      cuts: [],
      text: '',
    },
    masked: undefined,
    progress: undefined,
    isTrusted: true,
    hasInstructions: true,
    problems: [],
    configState: 'file',
    scoring: { mode: 'baseline', threshold: 0.3, window: 50, roiThresholds: ROI_THRESHOLDS },
    onDemand: ['topic-memory'],
    sort: 'size',
    usage: undefined,
    relay: undefined,
    agents: undefined,
    ...patch,
  };
}

const NOT_RUN = {
  status: 'OK',
  disclosure: 'omitted',
  tokens: 0,
  chars: 0,
  text: '',
  reason: 'not trusted',
  isNotRun: true,
};

const OVER = NORMAL.map((item) => {
  const big = {
    'agents-md': { tokens: 4870, chars: 18960, tokensFull: 4870 },
    memory: { tokens: 2310, chars: 8930, disclosure: 'full', reason: 'never removed' },
    'claude-md': { tokens: 618, chars: 2380, tokensFull: 618, isPinned: false, reason: 'never removed' },
  }[item.id];
  if (item.priority === 'P0' || item.priority === 'P1') return { ...item, ...big };
  return {
    ...item,
    tokens: 0,
    chars: 0,
    text: '',
    disclosure: 'omitted',
    reason: item.isExcluded ? 'excluded' : 'dropped',
  };
});

// Counting: the last seven sections still hold estimates, one of them not even that.
const LOADING = NORMAL.map((item, index) =>
  index < 9 ? item : { ...item, isPending: true, status: 'OK', disclosure: 'full', reason: '' },
);

const EXPANDED = change(
  change(change(NORMAL, 'observations', { tokens: 1196, chars: 4106, reason: '5 in detail, 24 listed' }), 'ports', {
    tokens: 391,
    chars: 1480,
    disclosure: 'full',
    reason: 'expanded',
  }),
  'progress',
  { tokens: 752, chars: 2980, reason: 'newest 20 of 36' },
);

const TAG = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>&lt;b&gt;';

// Names, reasons and texts as an attacker or an unlucky repository would write them: tags, no blanks, very long, RTL.
const HOSTILE = [
  { title: `packages/${TAG}/AGENTS.md`, path: `packages/${TAG}/AGENTS.md`, reason: TAG, explanation: TAG, text: TAG },
  { title: 'x'.repeat(300), reason: 'y'.repeat(300), explanation: 'z'.repeat(600), text: 'w'.repeat(60_000) },
  {
    title: '\u202eevil\u202c שלום',
    reason: '漢字'.repeat(40),
    explanation: '漢字'.repeat(200),
    text: '漢字'.repeat(500),
  },
  { title: `${'deep/'.repeat(40)}copilot-instructions.md`, path: `${'deep/'.repeat(40)}copilot-instructions.md` },
].reduce((sections, patch, index) => change(sections, NORMAL[index].id, patch), NORMAL);

/** 200 sections in five priorities with their histories, as a repository with many nested instruction files has. */
export function manySections() {
  return Array.from({ length: 200 }, (_, index) => {
    const title = `packages/package-${String(index).padStart(3, '0')}/AGENTS.md`;
    const tokens = 10 + ((index * 37) % 50);
    const row = [
      title,
      `nested-${index}`,
      `P${index % 5}`,
      'OK',
      'full',
      tokens,
      tokens * 4,
      tokens,
      'never removed',
      'no data',
    ];
    const history = { ...usageOf('memory', tokens * 4, 'LOW'), id: `nested-${index}` };
    return section([...row, { path: title, usage: history, relevance: RELEVANCE.memory }]);
  });
}

const CONFIG_ERROR = {
  kind: 'config',
  severity: 'error',
  message: 'profiles.default.budget_tokens must be a whole number of at least 1, but is "7.5k".',
  path: '.context-budget/config.json',
  line: 6,
};

const BUILTINS = NORMAL.filter((item) => ['repo-map', 'diagnostics', 'git', 'open-editors'].includes(item.id));

/** A relay log of a long session, as a host sees it: one essential missing, noise of several kinds, a trigger. */
const ESSENTIAL_TEXTS = {
  goal: ['Fix the flaky login test without touching the retry policy'],
  constraints: ['packages/auth alone may change', 'No retries in tests', 'The public API stays as it is'],
  latest_instruction: ['Find why two workers share one Redis database, then propose the smallest change'],
  current_blockers: ['CI has no log of the second worker'],
  controller_route_summary: ['planner → implementer → verifier; next: implementer'],
};

function droppedGroup(field, rule, words, count, texts) {
  return { field, rule, words, count, entries: texts.map((text, index) => ({ index: index * 2, text })) };
}

const DROPPED = [
  droppedGroup('execution_logs', 'done', phrase('status {0}, in any case, blanks around it tolerated', 'done'), 31, [
    'read packages/auth/src/session.ts',
    'ran the auth suite with four workers',
    'listed the fixtures that open a Redis connection of their own',
  ]),
  droppedGroup(
    'status_reports',
    'duplicate_json',
    phrase('same JSON as an earlier entry, whatever the order of keys, where one of these three is missing'),
    12,
    ['waiting for CI'],
  ),
  droppedGroup('api_error_dumps', 'unstructured', phrase('a traceback without an error code'), 1, [
    'Traceback (most recent call last): File "/srv/ci/run.py", line 41, in main',
  ]),
];

/** A folder's relay context with a patch of its view and of the rest; `missing` names essentials that are not there. */
export function relayOf({ missing = [], view = {}, ...rest } = {}) {
  return {
    kind: 'read',
    path: '.context-budget/relay.json',
    view: {
      essentials: Object.entries(ESSENTIAL_TEXTS).map(([key, texts]) =>
        missing.includes(key)
          ? { key, texts: [], charsLeftOut: 0, source: 'missing' }
          : { key, texts, charsLeftOut: 0, source: key === 'controller_route_summary' ? 'ledger' : 'relay_context' },
      ),
      summary: 'Goal: Fix the flaky login test',
      dropped: DROPPED,
      passedThrough: ['session_id', 'controller'],
      tokens: 9431,
      maxTokens: 8000,
      recovery: undefined,
      fired: [],
      triggerState: undefined,
      problem: undefined,
      ...view,
    },
    due: [],
    recovery: undefined,
    ...rest,
  };
}

const DUE = [
  { kind: 'length', why: phrase('the log has {0}, more than {1}', phrase('{0} tokens', 9431), 8000) },
  { kind: 'repeated_status', why: phrase('the status "{0}" was reported {1} times in a row', 'waiting task-41', 13) },
];

function covered(path, fate, lines, bytes, patch = {}) {
  return {
    path,
    fate,
    bytes,
    lines,
    bytesLost: fate === 'loaded' || fate === 'onDemand' ? 0 : bytes,
    cutLine: undefined,
    importedBy: undefined,
    why: undefined,
    isDoubtful: false,
    ...patch,
  };
}

const agentOf = (agent, name, ...files) => ({ agent, name, files, bytesLoaded: 0, bytesLost: 0 });

// The design's mock (three cut, one shadowed, one whole, one without a file), and what it does not draw: several files
// of one agent, an import, files that are read on demand, a rule that is not certain.
export const AGENTS = [
  agentOf(
    'codex',
    'Codex',
    covered('AGENTS.md', 'loaded', 112, 4548),
    covered('packages/auth/AGENTS.md', 'truncated', 421, 29_880, {
      bytesLost: 1660,
      cutLine: 402,
      why: phrase('All its files together get {0} bytes, the outermost first', 32_768),
    }),
  ),
  agentOf(
    'claude-code',
    'Claude Code',
    covered('CLAUDE.md', 'loaded', 40, 1612),
    covered('docs/style.md', 'loaded', 18, 911, { importedBy: 'CLAUDE.md' }),
    covered('memory/MEMORY.md', 'truncated', 248, 11_320, {
      bytesLost: 2190,
      cutLine: 200,
      why: phrase('The first {0} lines or {1} KB, whichever comes first', 200, 25),
    }),
  ),
  agentOf(
    'copilot-code-review',
    'Copilot code review',
    covered('.github/copilot-instructions.md', 'truncated', 83, 4612, {
      bytesLost: 612,
      cutLine: 71,
      why: phrase('The first {0} characters of a file', 4000),
    }),
  ),
  agentOf(
    'cursor',
    'Cursor',
    covered('.cursor/rules/tests.mdc', 'onDemand', 22, 840, {
      why: phrase('Only for files that match {0}', '**/*.test.ts'),
    }),
    covered('.cursorrules', 'shadowed', 31, 1204, {
      why: phrase('{0} is read in its place', '.cursor/rules/tests.mdc'),
      isDoubtful: true,
    }),
  ),
  {
    ...agentOf('copilot-vscode', 'Copilot Chat', covered('AGENTS.md', 'loaded', 112, 4548)),
    unreadImports: [{ path: 'AGENTS.md', line: 12, target: 'docs/gone.md', reason: 'missing' }],
  },
  agentOf('zed', 'Zed', covered('docs/rules.md', 'onDemand', 9, 300)),
  agentOf('gemini-cli', 'Gemini CLI'),
  agentOf('windsurf', 'Windsurf'),
];

/** A recovery since a moment that the log itself names. */
export const recoveryAt = (state) => ({ state, since: '2026-02-03 14:05', seenMs: 0 });

/** Every state of the panel: the snapshot (none: nothing arrived yet) and the view's own state. */
export const STATES = {
  normal: { snapshot: snapshotOf(NORMAL) },
  task: { snapshot: snapshotOf(NORMAL, { task: 'fix flaky login test' }) },
  // The payload was copied, and two keys of it were masked.
  masked: { snapshot: snapshotOf(NORMAL, { masked: { keys: 2, sectionIds: ['memory', 'git'] } }) },
  // A pasted issue: two lines of it are shown, whatever is in it.
  taskLong: {
    snapshot: snapshotOf(NORMAL, {
      isTaskCut: true,
      task: `${TAG} ${'SessionStore.refresh fails when two workers share one database, '.repeat(4)}`,
    }),
  },
  open: { snapshot: snapshotOf(NORMAL, { usage: USAGE }), ui: { openIds: ['memory', 'claude-md', 'ci-status'] } },
  // Every part with what the usage log says, and the slider between two steps.
  advice: {
    snapshot: snapshotOf(NORMAL, withAdvice(0.3)),
    ui: { foldedParts: [] },
  },
  offer: { snapshot: snapshotOf(NORMAL, { usage: { ...USAGE, offer: OFFER } }) },
  // The first days: the log is there, but says too little.
  young: {
    snapshot: snapshotOf(change(NORMAL, 'memory', YOUNG), {
      usage: { cycles: HISTORY.slice(0, 6), prefix: undefined, simulation: undefined, offer: undefined },
    }),
    ui: { openIds: ['memory'], foldedParts: [] },
  },
  // Nothing recorded yet.
  noCycles: {
    snapshot: snapshotOf(change(NORMAL, 'memory', NEWBORN).map(withoutHistory), {
      usage: { cycles: [], prefix: undefined, simulation: undefined, offer: undefined },
    }),
    ui: { openIds: ['memory'], foldedParts: [] },
  },
  // A whole relay context with nothing to do: one folded line.
  relayCalm: {
    snapshot: snapshotOf(NORMAL, { relay: relayOf({ view: { dropped: [], passedThrough: [], tokens: 812 } }) }),
  },
  // The part opens by itself; an essential and a rule are opened.
  relayMissing: {
    snapshot: snapshotOf(NORMAL, { relay: relayOf({ missing: ['latest_instruction'], due: DUE }) }),
    ui: { foldedParts: ['sections', 'relay'], openRelayItems: ['constraints', 'execution_logs done'] },
  },
  relayWarning: {
    snapshot: snapshotOf(NORMAL, {
      relay: relayOf({
        due: [{ kind: 'recovery', why: phrase('entered {0}', 'WARNING') }],
        recovery: recoveryAt('WARNING'),
      }),
    }),
    ui: { foldedParts: ['sections', 'relay'] },
  },
  relayStale: {
    snapshot: snapshotOf(NORMAL, {
      relay: relayOf({
        due: [{ kind: 'recovery', why: phrase('went from {0} to {1}', 'WARNING', 'STALE') }],
        recovery: recoveryAt('STALE'),
        view: {
          dropped: [],
          problem: phrase('{0} could not be used: {1}', '.context-budget/ledger.json', phrase('it ends in the middle')),
        },
      }),
    }),
    ui: { foldedParts: ['sections', 'relay'] },
  },
  relayFailed: {
    snapshot: snapshotOf(NORMAL, {
      relay: {
        kind: 'failed',
        path: '.context-budget/relay.json',
        message: phrase('{0} is not valid JSON: {1}.', phrase('it'), phrase('line {0}, column {1}', '3', '7')),
      },
    }),
    ui: { foldedParts: ['sections', 'relay'] },
  },
  // Texts as an attacker or an unlucky agent would write them.
  relayHostile: {
    snapshot: snapshotOf(NORMAL, {
      relay: relayOf({
        missing: ['goal'],
        due: [{ kind: 'new_instruction', why: phrase('{0}', `${TAG} ${'w'.repeat(200)}`) }],
        recovery: { state: 'LEASE_TAKEOVER', since: 's'.repeat(40), seenMs: 0 },
        view: {
          dropped: [
            droppedGroup(`relay_context.${'f'.repeat(120)}`, 'unknown_key', phrase('none of the five essentials'), 2, [
              TAG,
              '',
            ]),
          ],
          passedThrough: [TAG, 'p'.repeat(300)],
          essentials: relayOf().view.essentials.map((essential) => ({
            ...essential,
            texts: [`${TAG}${'漢字'.repeat(300)}`, `\u202eevil\u202c ${'x'.repeat(400)}`],
            charsLeftOut: 300_000,
          })),
        },
      }),
    }),
    ui: {
      foldedParts: ['sections', 'relay'],
      openRelayItems: ['goal', `relay_context.${'f'.repeat(120)} unknown_key`],
    },
  },
  agents: { snapshot: snapshotOf(NORMAL, { agents: AGENTS }), ui: { foldedParts: ['sections'] } },
  agentsOpen: {
    snapshot: snapshotOf(NORMAL, { agents: AGENTS }),
    ui: { foldedParts: ['sections'], openItems: ['agent codex', 'agent claude-code', 'agent cursor'] },
  },
  agentsCalm: {
    snapshot: snapshotOf(NORMAL, { agents: AGENTS.slice(4) }),
    ui: { foldedParts: ['sections'] },
  },
  // Names and rules as an attacker or an unlucky repository would write them.
  agentsHostile: {
    snapshot: snapshotOf(NORMAL, {
      agents: [
        agentOf(
          'codex',
          'n'.repeat(200),
          covered(`${'deep/'.repeat(60)}${TAG}.md`, 'truncated', 9, 99, {
            bytesLost: 9,
            cutLine: 9,
            why: phrase(TAG + 'r'.repeat(300)),
            importedBy: 'i'.repeat(300),
            isDoubtful: true,
          }),
          covered('\u202eevil\u202c/שלום.md', 'dropped', 1, 1, { why: phrase('漢字'.repeat(80)) }),
        ),
        agentOf('zed', 'x'.repeat(300)),
      ],
    }),
    ui: { foldedParts: ['sections'] },
  },
  // Everything there is at once, as the design's mock draws it.
  whole: {
    snapshot: snapshotOf(NORMAL, {
      ...withAdvice(0.3),
      task: 'fix flaky login test',
      agents: AGENTS,
      relay: relayOf({ missing: ['latest_instruction'], view: { dropped: [], passedThrough: [] } }),
    }),
    ui: { openIds: ['memory'], foldedParts: [] },
  },
  byStatus: { snapshot: snapshotOf(NORMAL, { sort: 'status' }) },
  byReturn: { snapshot: snapshotOf(NORMAL, { usage: USAGE, sort: 'return' }) },
  expanded: { snapshot: snapshotOf(EXPANDED, { mode: 'expanded' }) },
  loading: {
    snapshot: snapshotOf(
      change(LOADING, 'run-logs', { tokens: 0 }),
      { progress: { done: 9, total: 16 } },
      { isExact: false },
    ),
  },
  first: {
    snapshot: snapshotOf([], { state: 'loading', payload: undefined, progress: { done: 0, total: 16 } }),
  },
  noFolder: { snapshot: snapshotOf([], { state: 'noFolder', payload: undefined }) },
  noInstructions: { snapshot: snapshotOf(BUILTINS, { hasInstructions: false }) },
  restricted: {
    snapshot: snapshotOf(change(change(NORMAL, 'ports', NOT_RUN), 'ci-status', NOT_RUN), { isTrusted: false }),
  },
  error: { snapshot: snapshotOf(NORMAL, { problems: [CONFIG_ERROR], configState: 'lastGood' }) },
  over: { snapshot: snapshotOf(OVER) },
  filter: { snapshot: snapshotOf(NORMAL), ui: { isFilterOpen: true, show: ['alerts', 'warnings'] } },
  filterNone: { snapshot: snapshotOf(NORMAL), ui: { isFilterOpen: true, filterText: 'nowhere' } },
  hostile: {
    snapshot: snapshotOf(HOSTILE, {
      problems: [{ ...CONFIG_ERROR, message: `${TAG} ${'q'.repeat(200)}` }],
      profile: TAG,
      usage: { ...USAGE, prefix: { ...USAGE.prefix, brokenBy: 'relay' } },
    }),
    ui: { openIds: ['agents-md', 'relay', 'memory'], foldedParts: [] },
  },
};

export { NORMAL, OVER };
