/** A profile: a named set of caps for one kind of agent. The config schema (`config/schema.ts`) validates into this shape. */
import type { Profile } from '../model/profile';
import type { CutRecord } from '../model/report';
import { type Status, WARN_SHARE } from '../model/section';
import { ROI_THRESHOLDS } from '../model/usage';
import { phrase } from '../text/phrase';

/**
 * Where a folder keeps its relay context, and when its log is due: 8,000 tokens are a little more than the default
 * profile's whole payload (7,500).
 */
export const RELAY_DEFAULTS = {
  path: '.context-budget/relay.json',
  ledger: '.context-budget/ledger.json',
  maxTokens: 8000,
} as const;

/** What else a config file may leave out. */
export const DEFAULTS = {
  scoring: {
    mode: 'baseline',
    threshold: 0.3,
    weights: { citation: 0.4, trigger: 0.3, recency: 0.2, size: 0.1 },
    window: 50,
    roiThresholds: ROI_THRESHOLDS,
    staticRules: { onDemand: ['P4'], keepRecent: 20, conversations: 3 },
  },
  observations: {
    path: '.context-budget/observations.jsonl',
    sources: ['PROGRESS.md', 'SUMMARY.md', 'runs/**/*.json', 'runs/**/*.jsonl'],
  },
  usageLog: '.context-budget/usage.jsonl',
  maxFileBytes: 1_000_000,
} as const;

/** DESIGN §5.1's default profile. */
export const DEFAULT_PROFILE: Profile = {
  name: 'default',
  description: phrase('For any agent: a balanced share of everything.'),
  budgetTokens: 7500,
  hardCapChars: 30_000,
  indexTokens: 1200,
  timelineTokens: 800,
  detailTokens: 1500,
  mapTokens: 1500,
  maxPerSourceTokens: { observations: 1200 },
  topK: { index: 40, timeline: 20, detail: 5 },
  downgradeOrder: ['detail', 'timeline', 'map', 'index'],
};

/**
 * Profiles that ship beside the default one, for agents that plan, write and check. Each
 * moves tokens to the layer its agent reads most; the sums stay near the default's, the writer's aside.
 */
const ROLE_PROFILES: readonly Profile[] = [
  {
    ...DEFAULT_PROFILE,
    name: 'planner',
    description: phrase('For an agent that plans: many rows of what happened and a wide map, short details.'),
    indexTokens: 1800,
    timelineTokens: 1200,
    detailTokens: 1000,
    mapTokens: 2000,
    maxPerSourceTokens: { observations: 1800 },
    topK: { index: 60, timeline: 30, detail: 5 },
    downgradeOrder: ['detail', 'map', 'timeline', 'index'],
  },
  {
    ...DEFAULT_PROFILE,
    name: 'implementer',
    description: phrase('For an agent that writes code: a large map and long details, few rows of history.'),
    budgetTokens: 9000,
    hardCapChars: 36_000,
    indexTokens: 600,
    timelineTokens: 600,
    detailTokens: 2500,
    mapTokens: 2500,
    maxPerSourceTokens: { observations: 600 },
    topK: { index: 20, timeline: 15, detail: 8 },
    downgradeOrder: ['timeline', 'index', 'detail', 'map'],
  },
  {
    ...DEFAULT_PROFILE,
    name: 'verifier',
    description: phrase('For an agent that checks: what led to a result and its evidence in full, a small map.'),
    budgetTokens: 6000,
    hardCapChars: 24_000,
    indexTokens: 1000,
    timelineTokens: 1500,
    detailTokens: 2000,
    mapTokens: 600,
    maxPerSourceTokens: { observations: 1000 },
    topK: { index: 30, timeline: 40, detail: 8 },
    downgradeOrder: ['map', 'index', 'timeline', 'detail'],
  },
];

/** All profiles of the product, the default first. */
export const BUILTIN_PROFILES: readonly Profile[] = [DEFAULT_PROFILE, ...ROLE_PROFILES];

/**
 * The profile with other caps for the whole: at most `maxChars` characters where its own cap is higher, and `budgetTokens`
 * in place of its own.
 */
export function withCaps(
  profile: Profile,
  {
    maxChars = profile.hardCapChars,
    budgetTokens = profile.budgetTokens,
  }: { readonly maxChars?: number | undefined; readonly budgetTokens?: number | undefined },
): Profile {
  return { ...profile, budgetTokens, hardCapChars: Math.min(maxChars, profile.hardCapChars) };
}

/** `maxPerSourceTokens` of one section; ids such as `constructor` find nothing that was not configured. */
export function sourceCap(profile: Profile, sectionId: string): number | undefined {
  return Object.hasOwn(profile.maxPerSourceTokens, sectionId) ? profile.maxPerSourceTokens[sectionId] : undefined;
}

/** Where a budget's status changes, as shares of a cap: 0.8 is 80 %. */
export interface StatusThresholds {
  /** `WARN` from here on. */
  readonly warnShare: number;
  /** `ALERT` above it, since a payload of exactly its cap fits. */
  readonly alertShare: number;
}

/** The thresholds of every report (DESIGN §3.4). */
export const STATUS_THRESHOLDS: StatusThresholds = { warnShare: WARN_SHARE, alertShare: 1 };

/** The status of so much of one cap. */
export function shareStatus(share: number, { warnShare, alertShare }: StatusThresholds = STATUS_THRESHOLDS): Status {
  if (share > alertShare) return 'ALERT';
  return share >= warnShare ? 'WARN' : 'OK';
}

/** `OK`, `WARN` from the first threshold of either cap, `ALERT` above the second; 80 % and 100 % unless given (DESIGN §3.4). */
export function budgetStatus(
  size: { readonly tokens: number; readonly chars: number },
  caps: Pick<Profile, 'budgetTokens' | 'hardCapChars'>,
  thresholds?: StatusThresholds,
): Status {
  return shareStatus(Math.max(size.tokens / caps.budgetTokens, size.chars / caps.hardCapChars), thresholds);
}

/** Of a payload's caps, in shares: tokens bind from here on, and below this share of its characters a text is dense. */
const BINDS_FROM = 0.9;
const IS_DENSE_BELOW = 0.7;

/**
 * The token cap, in place of the profile's, that holds as much text as its character cap does, by the characters a token
 * that this payload has: at most that, with two digits that count. Undefined unless the token cap binds a payload that
 * leaves something out at under 70 % of the character cap, as Chinese does (DESIGN §3.4).
 */
export function measuredTokenCap(
  { tokens, chars }: { readonly tokens: number; readonly chars: number },
  { budgetTokens, hardCapChars }: Pick<Profile, 'budgetTokens' | 'hardCapChars'>,
  cuts: readonly Pick<CutRecord, 'by'>[],
): number | undefined {
  const isBinding =
    tokens > budgetTokens || (tokens >= BINDS_FROM * budgetTokens && cuts.some(({ by }) => by === 'budget'));
  if (!isBinding || chars === 0 || chars >= IS_DENSE_BELOW * hardCapChars) return undefined;
  const measured = (tokens / chars) * hardCapChars;
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(measured)) - 1);
  return Math.floor(measured / digit) * digit;
}
