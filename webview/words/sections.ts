/** Words of the form above the sections, of the filter, of the rows and of an opened row. */
import { listed, t } from '../language';

export const FORM_WORDS = {
  task: t('Task'),
  taskTitle: t('Sections and the repo map are scored against this'),
  taskPlaceholder: t('What is the agent about to do?'),
  setTask: t('Set Task…'),
  editTask: t('Edit Task'),
  clearTask: t('Clear Task'),
  profile: t('Profile'),
  profileTitle: t('Whose caps apply'),
  payload: t('Payload'),
  index: t('Index-only'),
  indexTitle: t('Names, summaries and handles; the agent asks for the rest'),
  expanded: t('Expanded'),
  expandedTitle: t('Summaries opened up, as far as the budget goes'),
  copy: t('Copy Payload'),
  copyPending: t('Counting, then copying…'),
  moreCopy: t('More copy actions'),
  moreCopyTitle: t('More Copy Actions…'),
  noteTokens: (tokens: string) => t('{0} tokens', tokens),
  noteMasked: (count: number, names: readonly string[]) =>
    names.length === 0
      ? t(count === 1 ? '{0} key masked' : '{0} keys masked', count)
      : t(count === 1 ? '{0} key masked in {1}' : '{0} keys masked in {1}', count, listed(names)),
  noteOmitted: (count: number) => t(count === 1 ? '{0} section left out' : '{0} sections left out', count),
} as const;

export const FILTER_WORDS = {
  button: t('Filter sections'),
  buttonTitle: t('Filter (Ctrl+F)'),
  field: t('Filter sections by name or reason'),
  placeholder: t('Filter by name or reason'),
  close: t('Close filter'),
  closeTitle: t('Close (Escape)'),
  showOnly: t('Show only'),
  alerts: t('Alerts'),
  warnings: t('Warnings'),
  earnNothing: t('Earn nothing'),
  omitted: t('Omitted'),
  count: (shown: number, total: number) => t('{0} of {1}', shown, total),
  none: t('No section matches.'),
  clear: t('Clear Filter'),
} as const;

export const ROW_WORDS = {
  notRun: t('not run'),
  counting: t('counting'),
  notCounted: t('not counted yet'),
  pinned: t('pinned'),
  tokens: t('tokens'),
  return: t('return'),
} as const;

export const DETAIL_WORDS = {
  label: (name: string) => t('{0}, details', name),
  entries: t('Entries'),
  moreEntries: (entries: number) => t('{0} more', entries),
  fewerEntries: t('Fewer'),
  entriesInText: (entries: number) => t('{0} more in the text', entries),
  entryCount: (shown: number, total: number) => t('{0} of {1}', shown, total),
  text: t('Text'),
  textLabel: (name: string) => t('{0}, text', name),
  textSize: (tokens: string) => t('{0} tokens', tokens),
  textSizeOf: (tokens: string, full: number) => t('{0} of {1} tokens', tokens, full),
  textCut: (shown: number, total: number) =>
    t('The first {0} of {1} characters are shown here. Copy takes all of them.', shown, total),
} as const;
