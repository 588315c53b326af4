/** Every state of the panel that is looked at. */
import { AGENTS, agentOf, covered } from './agentSnapshots.mjs';
import { phrase } from './phrase.mjs';
import { DUE, droppedGroup, recoveryAt, relayOf } from './relaySnapshots.mjs';
import {
  BUILTINS,
  CITED,
  CONFIG_ERROR,
  change,
  EXPANDED,
  FINDING,
  HOSTILE,
  LEFT_OUT,
  LOADING,
  NORMAL,
  NOT_RUN,
  OVER,
  snapshotOf,
  TAG,
  TOPICS,
} from './snapshots.mjs';
import { HISTORY, NEWBORN, USAGE, withAdvice, withoutHistory, YOUNG } from './usageSnapshots.mjs';
import { CATEGORIES, loaded, windowOf } from './windowSnapshots.mjs';

/** Every state of the panel: the snapshot (none: nothing arrived yet) and the view's own state. */
export const STATES = {
  normal: { snapshot: snapshotOf(NORMAL) },
  task: { snapshot: snapshotOf(NORMAL, { task: 'fix flaky login test' }) },
  // The payload was copied, and two keys of it were masked.
  masked: { snapshot: snapshotOf(NORMAL, { masked: { keys: 2, sectionIds: ['memory', 'git'] } }) },
  // A pasted issue keeps its lines, whatever is in it.
  taskLong: {
    snapshot: snapshotOf(NORMAL, {
      task: `${TAG}\n${'SessionStore.refresh fails when two workers share one database.\n'.repeat(8)}${'x'.repeat(300)}`,
    }),
  },
  finding: { snapshot: snapshotOf(NORMAL, { finding: FINDING, task: 'fix flaky login test' }) },
  // The widest finding there is, without an action.
  findingLong: {
    snapshot: snapshotOf(NORMAL, {
      finding: {
        ...FINDING,
        title: `Codex stops at line 402 of ${'packages/'.repeat(12)}AGENTS.md`,
        evidence: '19 lines are never read',
        review: { part: 'agents' },
        action: undefined,
      },
    }),
  },
  cited: { snapshot: snapshotOf(NORMAL, { cited: CITED }), ui: { openIds: ['memory'] } },
  undo: { snapshot: snapshotOf(NORMAL, { undo: { sentence: 'style-guide.md on demand: −412 tokens' } }) },
  // Eight sections keep their one line: a large MEMORY.md is never cut.
  leftOut: { snapshot: snapshotOf(LEFT_OUT) },
  // A remark below the parts: another limit would fit this text better.
  tokenLimit: { snapshot: snapshotOf(NORMAL, {}, { suggestedTokens: 15_000 }) },
  // The characters are nearer to their limit than the tokens.
  characters: { snapshot: snapshotOf(change(NORMAL, 'memory', { chars: 10_800 })) },
  open: {
    snapshot: snapshotOf(NORMAL, { usage: USAGE }),
    ui: {
      openIds: ['memory', 'claude-md', 'ci-status'],
      openItems: ['details memory', 'details claude-md', 'text ci-status'],
    },
  },
  // A folder opens to its files.
  folder: {
    snapshot: snapshotOf(change(NORMAL, 'topic-memory', TOPICS), { usage: USAGE }),
    ui: { openIds: ['topic-memory'] },
  },
  // Every part with what the usage log says, and the slider between two steps.
  advice: {
    snapshot: snapshotOf(NORMAL, withAdvice(0.3)),
    ui: { foldedParts: [] },
  },
  // The first days: the log is there, but says too little.
  young: {
    snapshot: snapshotOf(change(NORMAL, 'memory', YOUNG), {
      usage: { cycles: HISTORY.slice(0, 6), prefix: undefined, simulation: undefined, offer: undefined },
    }),
    ui: { openIds: ['memory'], openItems: ['details memory'], foldedParts: [] },
  },
  // Nothing recorded yet.
  noCycles: {
    snapshot: snapshotOf(change(NORMAL, 'memory', NEWBORN).map(withoutHistory), {
      usage: { cycles: [], prefix: undefined, simulation: undefined, offer: undefined },
    }),
    ui: { openIds: ['memory'], openItems: ['details memory'], foldedParts: [] },
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
            droppedGroup(
              `relay_context.${'f'.repeat(120)}`,
              'unknown_key',
              phrase('not one of the five essentials'),
              2,
              [TAG, ''],
            ),
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
  window: {
    snapshot: snapshotOf(NORMAL, { window: windowOf(CATEGORIES) }),
    ui: { foldedParts: ['sections'] },
  },
  windowOpen: {
    snapshot: snapshotOf(NORMAL, { window: windowOf(CATEGORIES) }),
    ui: {
      foldedParts: ['sections'],
      openItems: ['loaded mcp', 'loaded agent', 'loaded instructions', 'loaded skills', 'playwright '],
    },
  },
  // Counted whole, in a window whose size is not public.
  windowHome: {
    snapshot: snapshotOf(NORMAL, {
      window: windowOf(CATEGORIES.slice(3), { hasHome: true, model: null, windowTokens: null }),
    }),
    ui: { foldedParts: ['sections'] },
  },
  windowHostile: {
    snapshot: snapshotOf(NORMAL, {
      window: windowOf(
        [
          {
            ...CATEGORIES[2],
            items: [
              loaded(TAG + 'n'.repeat(200), 9, { items: [loaded(`\u202eevil\u202c ${'t'.repeat(300)}`, 9)] }),
              loaded(`${'deep/'.repeat(60)}${TAG}`, 0, { fate: 'unmeasured', isCertain: false, path: TAG }),
            ],
          },
        ],
        { name: 'x'.repeat(200), model: TAG },
      ),
    }),
    ui: { foldedParts: ['sections'], openItems: ['loaded mcp', `${TAG}${'n'.repeat(200)} `] },
  },
  // Everything there is at once, as the design's mock draws it.
  whole: {
    snapshot: snapshotOf(NORMAL, {
      ...withAdvice(0.3),
      task: 'fix flaky login test',
      finding: FINDING,
      undo: { sentence: 'style-guide.md on demand: −412 tokens' },
      agents: AGENTS,
      window: windowOf(CATEGORIES),
      relay: relayOf({ missing: ['latest_instruction'], view: { dropped: [], passedThrough: [] } }),
    }),
    ui: { openIds: ['memory'], openItems: ['details memory'], foldedParts: [] },
  },
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
  // Nothing but built-in sections, and none of them has any text.
  empty: {
    snapshot: snapshotOf(
      BUILTINS.map((item) => ({ ...item, tokens: 0, chars: 0, tokensFull: 0, status: 'OK', disclosure: 'omitted' })),
      { hasInstructions: false },
    ),
  },
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
      undo: { sentence: `${TAG} ${'u'.repeat(200)}` },
      usage: { ...USAGE, prefix: { ...USAGE.prefix, brokenBy: 'relay' } },
    }),
    ui: {
      openIds: ['agents-md', 'relay', 'memory'],
      openItems: ['details agents-md', 'details relay', 'details memory'],
      foldedParts: [],
    },
  },
};
