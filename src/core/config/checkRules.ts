/** The rules of `check` (DESIGN §5.6): one row a rule, with its default level; `core/check` applies them. */
import type { AgentId } from '../model/agent';
import { type Phrase, phrase } from '../text/phrase';

export const CHECK_LEVELS = ['error', 'warning', 'note', 'off'] as const;

/** How bad a finding of a rule is; `off`: the rule is not applied. */
export type CheckLevel = (typeof CHECK_LEVELS)[number];

interface RuleRow {
  readonly level: CheckLevel;
  /** What a finding says, in one sentence. */
  readonly words: Phrase;
}

/** In the order of the findings. */
export const CHECK_RULES = {
  config: { level: 'error', words: phrase('The config has an error or a key without effect.') },
  unmeasured: { level: 'error', words: phrase('A section or a file could not be measured.') },
  'over-cap': { level: 'error', words: phrase('Sections that are always shown exceed a limit of the profile.') },
  'total-limit': { level: 'error', words: phrase('The payload exceeds check.limits.total.') },
  'section-limit': { level: 'error', words: phrase('A section exceeds its limit in check.limits.section.') },
  'agent-limit': {
    level: 'error',
    words: phrase('What an agent loads before the first word exceeds its limit in check.limits.agent.'),
  },
  increase: { level: 'error', words: phrase('The payload grew more than --max-increase allows.') },
  'agent-cut': { level: 'warning', words: phrase('An agent stops reading an instruction file before its end.') },
  'skill-cut': { level: 'warning', words: phrase('An agent cuts or drops the description of a skill.') },
  'stale-path': { level: 'note', words: phrase('An instruction file names a path that Git deleted or renamed.') },
  secret: { level: 'error', words: phrase('A text of the payload contains what looks like a secret.') },
  'relay-essential': { level: 'error', words: phrase('The relay log lacks an essential.') },
} as const satisfies Readonly<Record<string, RuleRow>>;

export type CheckRule = keyof typeof CHECK_RULES;

export const CHECK_RULE_IDS = Object.keys(CHECK_RULES) as readonly CheckRule[];

/** The config's `check`. Limits are in tokens. */
export interface CheckConfig {
  readonly rules: Readonly<Record<CheckRule, CheckLevel>>;
  readonly limits: {
    readonly total: number | undefined;
    readonly section: Readonly<Record<string, number>>;
    readonly agent: Readonly<Partial<Record<AgentId, number>>>;
  };
}

/** Every rule at its default level, and no limit. */
export const DEFAULT_CHECK: CheckConfig = {
  rules: Object.fromEntries(Object.entries(CHECK_RULES).map(([rule, { level }]) => [rule, level])) as Record<
    CheckRule,
    CheckLevel
  >,
  limits: { total: undefined, section: {}, agent: {} },
};
