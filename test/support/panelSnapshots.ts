import type { BudgetSummary, PayloadReport, ReportSection } from '../../src/core/model/report';
import type { SectionUsage } from '../../src/core/model/usage';
import { asGiven, NO_WORDS } from '../../src/core/text/phrase';
import type { PanelEffect, PanelSnapshot } from '../../src/protocol/panel';

/** A section with every field filled in, so that a test names only what it is about. */
export function sectionOf(patch: Partial<ReportSection> & { readonly id: string }): ReportSection {
  return {
    title: patch.id,
    priority: 'P2',
    status: 'OK',
    summary: '',
    disclosure: 'full',
    reason: 'always kept',
    explanation: '',
    words: { reason: asGiven('always kept'), explanation: NO_WORDS },
    chars: 400,
    tokens: 100,
    charsFull: 400,
    tokensFull: 100,
    tokensStub: 20,
    handle: `section:${patch.id}`,
    text: 'text',
    source: { kind: 'builtin', builtin: 'git' },
    path: undefined,
    entries: undefined,
    isPinned: false,
    isExcluded: false,
    isNotRun: false,
    isLeftOut: false,
    isPending: false,
    citations: 0,
    roi: null,
    roiClass: 'no data',
    score: null,
    relevance: undefined,
    usage: undefined,
    ...patch,
  };
}

/** A section's history with every field filled in. */
export function usageOf(patch: Partial<SectionUsage> = {}): SectionUsage {
  return {
    id: 'a',
    loaded: 50,
    citedCycles: 8,
    citations: 8,
    charsMean: 2732,
    return: { judged: 50, citations: 8, roi: 2.93, interval: [1.7, 4.76], roiClass: 'MED+', isUncertain: false },
    citedEntries: [],
    lastCitedCycle: 719,
    cyclesSinceCited: 1,
    charsPerCycle: [],
    citationsPerCycle: [],
    ...patch,
  };
}

/** What a simulated threshold did. */
export function effectOf(patch: Partial<PanelEffect> = {}): PanelEffect {
  return {
    tokensBefore: 6120,
    tokensAfter: 3870,
    citationsTotal: 147,
    citationsKept: 142,
    lost: [],
    stubbed: [],
    ...patch,
  };
}

/** A payload around sections; its totals are their sums unless the test says otherwise. */
export function payloadOf(
  sections: readonly ReportSection[],
  budget: Partial<BudgetSummary> = {},
  patch: Partial<PayloadReport> = {},
): PayloadReport {
  return {
    mode: 'index',
    budget: {
      budgetTokens: 7500,
      tokens: sections.reduce((total, section) => total + section.tokens, 0) + (patch.overheadTokens ?? 0),
      tokenizer: 'o200k_base',
      hardCapChars: 30_000,
      chars: sections.reduce((total, section) => total + section.chars, 0),
      status: 'OK',
      downgradeApplied: [],
      isExact: true,
      ...budget,
    },
    overheadTokens: 0,
    sections,
    leftOut: {
      sections: sections.filter(({ isLeftOut }) => isLeftOut).length,
      tokens: sections.reduce((sum, { isLeftOut, tokensFull }) => sum + (isLeftOut ? tokensFull : 0), 0),
    },
    repoMap: undefined,
    notes: [],
    cuts: [],
    secrets: [],
    text: '',
    ...patch,
  };
}

/** A snapshot of an open, trusted folder. */
export function snapshotOf(payload: PayloadReport | undefined, patch: Partial<PanelSnapshot> = {}): PanelSnapshot {
  return {
    state: 'ready',
    scoring: { mode: 'baseline', threshold: 0.3, window: 50, roiThresholds: { waste: 0.5, med: 2 } },
    onDemand: [],
    sort: 'size',
    usage: undefined,
    relay: undefined,
    agents: undefined,
    agentNames: [],
    window: undefined,
    isWindowPending: false,
    finding: undefined,
    undo: undefined,
    folderName: 'acme-shop',
    folderUri: 'file:///acme-shop',
    mode: 'index',
    profile: 'default',
    profiles: ['default'],
    task: '',
    changes: undefined,
    payload,
    masked: undefined,
    cited: [],
    progress: undefined,
    isTrusted: true,
    hasInstructions: true,
    problems: [],
    configState: 'file',
    ...patch,
  };
}
