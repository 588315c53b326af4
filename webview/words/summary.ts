/** Words of the panel's top: headline, gauge, finding, task and toolbar, undo line; and of the prompt cache. */
import { listed, t } from '../language';
import { sections } from './counts';

export const HEADLINE_WORDS = {
  total: (used: string, limit: number) => t('{0} of {1} tokens', used, limit),
  over: (tokens: number) => t('{0} over', tokens),
  alerts: (count: number) => t(count === 1 ? '{0} alert' : '{0} alerts', count),
  alertsTitle: t('Show only sections with an alert'),
  leftOut: (count: number, tokens: string) =>
    t(count === 1 ? '{0} section left out ({1} tokens)' : '{0} sections left out ({1} tokens)', count, tokens),
  leftOutShort: (count: number, tokens: string) => t('{0} left out ({1})', count, tokens),
  leftOutTitle: (tokens: number) => t('Show only sections that are left out ({0} tokens)', tokens),
  cut: (count: number, tokens: string) =>
    t(count === 1 ? '{0} section cut ({1} tokens)' : '{0} sections cut ({1} tokens)', count, tokens),
  cutShort: (count: number, tokens: string) => t('{0} cut ({1})', count, tokens),
  cutTitle: (tokens: number) => t('Show only sections that are cut ({0} tokens are not shown)', tokens),
  counting: t('counting'),
  countingProgress: (done: number, total: number) => t('counting, {0} of {1}', done, total),
  countingShort: (done: number, total: number) => t('{0} of {1}', done, total),
  countingTitle: (done: number, total: number) => t('counting, {0} of {1}', done, sections(total)),
} as const;

export const GAUGE_WORDS = {
  region: t('Payload size'),
  label: t('Payload'),
  used: (share: string) => t('{0} used', share),
  limit: t('limit'),
  /** `level` says where the mark or the limit is; characters and their share come last. */
  text: (tokens: string, limit: number, share: string, level: string, characters: string, charactersShare: string) =>
    t('{0} of {1} tokens, {2}, {3}; {4}, {5}', tokens, limit, share, level, characters, charactersShare),
  over: (tokens: number) => t('{0} tokens over the limit', tokens),
  pastMark: (mark: string) => t('past the {0} mark', mark),
  underMark: (mark: string) => t('under the {0} mark', mark),
  segment: (name: string, tokens: number, share: string) =>
    t('{0}: {1} tokens, {2} of the payload', name, tokens, share),
  smaller: (count: number) => t(count === 1 ? '{0} small section' : '{0} small sections', count),
  overhead: (tokens: number, share: string) => t('Notes to the agent: {0} tokens, {1} of the payload', tokens, share),
  estimate: t('Still counting'),
  characters: (used: string, limit: number) => t('{0} of {1} characters', used, limit),
  charactersShare: (characters: string, share: string) => t('{0} ({1})', characters, share),
  charactersOver: (characters: string, over: number) => t('{0}, {1} over', characters, over),
  what: (profile: string) => t('What Copy Payload hands over. Limit from profile {0}:', profile),
  whatIndex: (profile: string) =>
    t('What Copy Payload hands over: one line per section. Limit from profile {0}:', profile),
  change: t('Change'),
} as const;

export const FINDING_WORDS = { region: t('Finding'), review: t('Review') } as const;

export const FORM_WORDS = {
  region: t('Payload'),
  task: t('Task'),
  taskTitle: t('Sections and the repo map are ranked for this task'),
  taskPlaceholder: t('Describe your task'),
  changes: t('Changed since main'),
  changesTitle: t('Show what changed since main in the repo map, with callers and tests'),
  changesStopTitle: t('Stop showing what changed'),
  changesPlaceholder: (base: string, files: number) =>
    t(files === 1 ? 'Changed since {0}: {1} file' : 'Changed since {0}: {1} files', base, files),
  applyTask: t('Apply'),
  applyTaskTitle: t('Apply the task (Enter)'),
  profile: t('Budget profile'),
  kind: t('Payload kind'),
  index: t('Index'),
  indexTitle: t('One line per section, and the repo map; the agent asks for the full text'),
  expanded: t('Expanded'),
  expandedTitle: t('The text of the sections, as far as the limit allows'),
  copy: t('Copy Payload'),
  copyPending: t('Counting, then copying…'),
  copyNothing: t('Nothing to copy: no section has text.'),
  moreCopy: t('More copy actions'),
  moreCopyTitle: t('More Copy Actions…'),
  noteTokens: (tokens: string) => t('{0} tokens', tokens),
  noteMasked: (count: number, names: readonly string[]) =>
    names.length === 0
      ? t(count === 1 ? '{0} key masked' : '{0} keys masked', count)
      : t(count === 1 ? '{0} key masked in {1}' : '{0} keys masked in {1}', count, listed(names)),
} as const;

export const UNDO_WORDS = { undo: t('Undo') } as const;

export const PREFIX_WORDS = {
  equal: (tokens: number, cycle: number) => t('Cache: all {0} tokens reusable, as in cycle {1}', tokens, cycle),
  part: (tokens: number, total: number, cycle: number) =>
    tokens === 0
      ? t('Cache: nothing reusable')
      : t('Cache: {0} of {1} tokens reusable, as in cycle {2}', tokens, total, cycle),
  broken: {
    changed: (name: string) => t(' ({0} changed)', name),
    added: (name: string) => t(' ({0} is new)', name),
    removed: (name: string) => t(' ({0} was removed)', name),
  },
  title: t(
    'Leading tokens that are the same as in the last recorded payload of this kind, so a prompt cache can reuse them',
  ),
} as const;
