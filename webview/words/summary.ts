/** Words of the summary: headline, gauge, characters, prompt-cache prefix. */
import type { Priority } from '../../src/core/model/section';
import { t } from '../language';
import { cycles, sections } from './counts';

export const HEADLINE_WORDS = {
  total: (used: string, cap: number) => t('{0} of {1} tokens', used, cap),
  over: (tokens: number) => t('{0} over budget', tokens),
  alerts: (count: number) => t(count === 1 ? '{0} alert' : '{0} alerts', count),
  alertsTitle: t('Show only sections with an alert'),
  earnNothing: (count: number) => t(count === 1 ? '{0} section earns nothing' : '{0} sections earn nothing', count),
  earnNothingTitle: (window: number) => t('Show only sections with no citation in {0}', cycles(window)),
  counting: t('counting'),
  countingProgress: (done: number, total: number) => t('counting, {0} of {1}', done, sections(total)),
  countingShort: (done: number, total: number) => t('counting, {0} of {1}', done, total),
} as const;

export const GAUGE_WORDS = {
  label: t('Token budget'),
  used: (share: string) => t('{0} used', share),
  cap: t('cap'),
  warnTitle: t('Warning mark'),
  text: (used: string, cap: number, share: string, level: string) =>
    t('{0} of {1} tokens, {2}, {3}', used, cap, share, level),
  over: (tokens: number) => t('{0} tokens over the cap', tokens),
  pastMark: (mark: string) => t('past the {0} warning mark', mark),
  underMark: (mark: string) => t('under the {0} warning mark', mark),
  segment: (name: string, priority: Priority, tokens: number, share: string) =>
    t('{0}, {1}: {2} tokens, {3} of the payload', name, priority, tokens, share),
  smaller: (count: number) => t(count === 1 ? '{0} small section' : '{0} small sections', count),
  overhead: (tokens: number, share: string) => t('Notes: {0} tokens, {1} of the payload', tokens, share),
  estimate: t('Still counting'),
} as const;

export const CHARACTERS_WORDS = {
  label: t('Character cap'),
  used: (used: string, cap: number) => t('{0} of {1} characters', used, cap),
  over: (characters: number) => t(', {0} over', characters),
} as const;

export const PREFIX_WORDS = {
  equal: (tokens: number, cycle: number) => t('Prompt cache: all {0} tokens as in cycle {1}', tokens, cycle),
  part: (tokens: number, total: number, cycle: number) =>
    t('Prompt cache: {0} of {1} tokens as in cycle {2}', tokens, total, cycle),
  broken: {
    changed: (name: string) => t('; broken by {0}', name),
    added: (name: string) => t('; broken by {0}, which is new', name),
    removed: (name: string) => t('; broken by {0}, which is gone', name),
  },
  none: t('No earlier payload of this kind and profile to compare with'),
  title: t("What a provider's prompt cache can keep from the last recorded payload of this kind"),
} as const;
