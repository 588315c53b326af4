/**
 * Snapshots as a host sends them. The numbers of `normal` are those of the design's mock, so that pictures compare one
 * to one: 16 sections, 6,120 of 7,500 tokens, 21,034 of 30,000 characters, two alerts.
 */
import { phrase } from './phrase.mjs';
import { CITATIONS, RELEVANCE, ROI_THRESHOLDS, usageOf } from './usageSnapshots.mjs';

// [title, id, priority, status, disclosure, tokens, chars, tokensFull, reason, roiClass, extra]
const ROWS = [
  ['AGENTS.md', 'agents-md', 'P0', 'OK', 'full', 1164, 4548, 1164, 'always full', 'LOW', { path: 'AGENTS.md' }],
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
  ['memory/SOUL.md', 'soul', 'P1', 'OK', 'full', 236, 961, 236, 'always kept', 'LOW', { path: 'memory/SOUL.md' }],
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
    'Shows the newest 12 of 41 entries, because of the config. 29 more (1,608 tokens): the agent can ask for section:memory.',
  'topic-memory':
    'One line, because its score of 0.14 is below the threshold of 0.30. Last cited in cycle 512. The agent can ask for section:topic-memory (2,180 tokens).',
  'ci-status':
    'ALERT, because the command was stopped after 5,000 ms (exit code 143). Last lines of its errors:\ncurl: (28) Operation timed out after 4,900 ms\nci-status: no answer from the build server',
};

/** What the core says a reason from, as far as the panel tells such words apart. */
function wordsOf(reason) {
  const [, range, shown, total] = /^(newest |)([\d,]+) of ([\d,]+)( files)?$/.exec(reason) ?? [];
  const [, score, threshold] = /^score ([\d.]+)(?: < ([\d.]+))?$/.exec(reason) ?? [];
  if (score !== undefined)
    return threshold === undefined ? phrase('score {0}', score) : phrase('score {0} < {1}', score, threshold);
  if (range === undefined) return phrase(reason);
  const [first, all] = [shown, total].map((text) => Number(text.replace(',', '')));
  return reason.endsWith(' files')
    ? phrase('{0} of {1}', first, phrase('{0} files', all))
    : phrase('newest {0} of {1}', first, all);
}

function section([title, id, priority, status, disclosure, tokens, chars, tokensFull, reason, roiClass, extra = {}]) {
  return {
    id,
    title,
    priority,
    status,
    summary: `${title} in one sentence`,
    disclosure,
    reason,
    words: { reason: wordsOf(reason), explanation: phrase('') },
    explanation: EXPLANATIONS[id] ?? `Shown ${disclosure}: ${reason}. The agent can ask for section:${id}.`,
    chars,
    tokens,
    charsFull: tokensFull * 4,
    tokensFull,
    tokensStub: 20,
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
    isLeftOut: false,
    isPending: false,
    citations: CITATIONS[id] ?? 0,
    roi: usageOf(id, chars, roiClass)?.return.roi ?? null,
    roiClass,
    score: RELEVANCE[id]?.score ?? null,
    relevance: RELEVANCE[id],
    usage: usageOf(id, chars, roiClass),
    ...extra,
  };
}

export const NORMAL = ROWS.map(section);
const sum = (sections, key) => sections.reduce((total, item) => total + item[key], 0);
const withWords = (patch) =>
  patch.reason === undefined ? patch : { ...patch, words: { reason: wordsOf(patch.reason), explanation: phrase('') } };
export const change = (sections, id, patch) =>
  sections.map((item) => (item.id === id ? { ...item, ...withWords(patch) } : item));

/** A whole snapshot around some sections. */
export function snapshotOf(sections, patch = {}, budgetPatch = {}) {
  const [tokens, chars] = [sum(sections, 'tokens'), sum(sections, 'chars')];
  const status = tokens > 7500 || chars > 30000 ? 'ALERT' : tokens >= 6000 || chars >= 24000 ? 'WARN' : 'OK';
  return {
    state: 'ready',
    folderName: 'acme-shop',
    folderUri: 'file:///acme-shop',
    mode: 'index',
    profile: 'default',
    profiles: ['default', 'planner', 'implementer', 'verifier'],
    task: '',
    changes: undefined,
    payload: {
      mode: patch.mode ?? 'index',
      budget: {
        budgetTokens: 7500,
        tokens,
        tokenizer: 'o200k_base',
        hardCapChars: 30000,
        chars,
        status,
        downgradeApplied: [],
        isExact: true,
        ...budgetPatch,
      },
      overheadTokens: 0,
      sections,
      leftOut: {
        sections: sections.filter(({ isLeftOut }) => isLeftOut).length,
        tokens: sum(
          sections.filter(({ isLeftOut }) => isLeftOut),
          'tokensFull',
        ),
      },
      repoMap: undefined,
      notes: [],
      cuts: [],
      secrets: [],
      text: '',
    },
    masked: undefined,
    cited: [],
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
    agentNames: [],
    isWindowPending: false,
    finding: undefined,
    undo: undefined,
    ...patch,
  };
}

export const NOT_RUN = {
  status: 'OK',
  disclosure: 'omitted',
  tokens: 0,
  chars: 0,
  text: '',
  reason: 'not trusted',
  isNotRun: true,
};

export const OVER = NORMAL.map((item) => {
  const big = {
    'agents-md': { tokens: 4870, chars: 18960, tokensFull: 4870 },
    memory: { tokens: 2310, chars: 8930, disclosure: 'full', reason: 'always kept' },
    'claude-md': { tokens: 618, chars: 2380, tokensFull: 618, isPinned: false, reason: 'always kept' },
  }[item.id];
  if (item.priority === 'P0' || item.priority === 'P1') return { ...item, ...(big && withWords(big)) };
  return {
    ...item,
    tokens: 0,
    chars: 0,
    text: '',
    disclosure: 'omitted',
    isLeftOut: !item.isExcluded,
    reason: item.isExcluded ? 'excluded' : 'dropped',
  };
});

const TOPIC_FILES = [
  ['hn-cron.md', 1105, 'full', 1116],
  ['login-flake.md', 1240, 'entries', 131],
  ['redis-pool.md', 884, 'row', 10],
  ['release-train.md', 823, 'row', 11],
  ['signing-keys.md', 642, 'row', 10],
  [`${'deep/'.repeat(30)}notes.md`, 98, 'row', 12],
  ['tea.md', 41, 'row', 9],
];

/** A folder of topic files: one in full, one in part, the others one line each. */
export const TOPICS = {
  tokens: 1290,
  chars: 5100,
  disclosure: 'summary',
  reason: '2 of 14 files',
  entries: { shown: 7, total: 14 },
  files: TOPIC_FILES.map(([name, tokens, shown, tokensShown]) => ({
    path: `memory/topics/${name}`,
    title: name,
    date: undefined,
    tokens,
    tokensShown,
    handle: `section:topic-memory/${name}`,
    shown,
  })),
};

/** A memory that is never cut takes the limit: of the lowest priorities only the line of each section is left. */
export const LEFT_OUT = change(NORMAL, 'memory', { tokens: 2100, chars: 8200, disclosure: 'full', reason: '' }).map(
  (item) =>
    ['P3', 'P4'].includes(item.priority) && !item.isExcluded
      ? {
          ...item,
          tokens: 20,
          chars: 76,
          status: 'OK',
          disclosure: 'stub',
          isLeftOut: true,
          reason: 'left out, over budget',
        }
      : item,
);

// Counting: the last seven sections still hold estimates, one of them not even that.
export const LOADING = NORMAL.map((item, index) =>
  index < 9 ? item : { ...item, isPending: true, status: 'OK', disclosure: 'full', reason: '' },
);

export const EXPANDED = change(
  change(change(NORMAL, 'observations', { tokens: 1196, chars: 4106, reason: '5 in detail, 24 listed' }), 'ports', {
    tokens: 391,
    chars: 1480,
    disclosure: 'full',
    reason: 'expanded',
  }),
  'progress',
  { tokens: 752, chars: 2980, reason: 'newest 20 of 36' },
);

export const TAG = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>&lt;b&gt;';

// Names, reasons and texts as an attacker or an unlucky repository would write them: tags, no blanks, very long, RTL.
export const HOSTILE = [
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
      'always kept',
      'no data',
    ];
    const history = { ...usageOf('memory', tokens * 4, 'LOW'), id: `nested-${index}` };
    return section([...row, { path: title, usage: history, relevance: RELEVANCE.memory }]);
  });
}

export const CONFIG_ERROR = {
  kind: 'config',
  severity: 'error',
  message: 'profiles.default.budget_tokens must be a whole number of at least 1, but is "7.5k".',
  path: '.context-budget/config.json',
  line: 6,
};

/** What the host recommends, as the design's mock words it. */
export const FINDING = {
  key: 'save rules PROGRESS.md style-guide.md',
  title: 'Save 1,276 tokens (−18%)',
  evidence: '56 of 56 citations kept',
  review: { show: 'neverUsed' },
  action: { label: 'Apply' },
};

/** What a reply cited: beside a pin, beside a reason, of a folder, by words too long for any row, and of a section left out. */
export const CITED = [
  { id: 'claude-md', evidence: 'tag', what: '[ctx:claude-md]' },
  { id: 'memory', evidence: 'path', what: 'src/a.ts' },
  { id: 'git', evidence: 'handle', what: 'section:git' },
  { id: 'topic-memory', evidence: 'keyword', what: 'lease, takeover, refresh, worker, '.repeat(3) },
  { id: 'diagnostics', evidence: 'id', what: 'src/prices.ts:41' },
];

export const BUILTINS = NORMAL.filter((item) => ['repo-map', 'diagnostics', 'git', 'open-editors'].includes(item.id));
