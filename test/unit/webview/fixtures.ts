import type { BudgetSummary, PayloadReport, ReportSection } from '../../../src/core/report/contextReport';
import type { PanelSnapshot } from '../../../src/protocol/panel';

/** A section with every field filled in, so that a test names only what it is about. */
export function sectionOf(patch: Partial<ReportSection> & { readonly id: string }): ReportSection {
  return {
    title: patch.id,
    priority: 'P2',
    status: 'OK',
    summary: '',
    disclosure: 'full',
    reason: 'never removed',
    explanation: '',
    chars: 400,
    tokens: 100,
    charsFull: 400,
    tokensFull: 100,
    handle: `section:${patch.id}`,
    text: 'text',
    source: { kind: 'builtin', builtin: 'git' },
    path: undefined,
    entries: undefined,
    isPinned: false,
    isExcluded: false,
    isNotRun: false,
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
      truncated: false,
      downgradeApplied: [],
      isExact: true,
      ...budget,
    },
    overheadTokens: 0,
    sections,
    repoMap: undefined,
    notes: [],
    cuts: [],
    text: '',
    ...patch,
  };
}

/** A snapshot of an open, trusted folder. */
export function snapshotOf(payload: PayloadReport | undefined, patch: Partial<PanelSnapshot> = {}): PanelSnapshot {
  return {
    state: 'ready',
    folderName: 'acme-shop',
    mode: 'index',
    profile: 'default',
    profiles: ['default'],
    task: '',
    payload,
    progress: undefined,
    isTrusted: true,
    hasInstructions: true,
    problems: [],
    configState: 'file',
    ...patch,
  };
}
