/** Every word the panel shows or speaks. Nothing else in `webview` holds user-facing text, so that translation is one file. */
import type { Disclosure, RoiClass, Status } from '../src/core/report/contextReport';
import type { Priority } from '../src/core/sections/section';
import { formatCount } from './format';

const NUMBER_WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** What happens to the sections of each priority when space is short. */
export const GROUP_WORDS: Readonly<Record<Priority, string>> = {
  P0: 'never cut',
  P1: 'never removed',
  P2: 'cut last',
  P3: 'cut second',
  P4: 'cut first',
};

export const STATUS_WORDS: Readonly<Record<Status, string>> = { OK: 'OK', WARN: 'WARN', ALERT: 'ALERT' };

export const DISCLOSURE_WORDS: Readonly<Record<Disclosure, string>> = {
  full: 'full',
  summary: 'summary',
  stub: 'stub',
  omitted: 'omitted',
};

export const ROI_WORDS: Readonly<Record<RoiClass, { readonly label: string; readonly title: string }>> = {
  WASTE: { label: 'WASTE', title: 'Return: under 0.5 citations per 1,000 characters' },
  LOW: { label: 'LOW', title: 'Return: 0.5 to 2 citations per 1,000 characters' },
  'MED+': { label: 'MED+', title: 'Return: over 2 citations per 1,000 characters' },
  'no data': { label: 'no data', title: 'Fewer than 10 cycles loaded this section' },
};

function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** All other microcopy, by where it stands. Numbers that may be estimates arrive formatted. */
export const WORDS = {
  productName: 'Context Budget',
  summary: 'Summary',
  sections: 'Sections',

  headline: {
    total: (used: string, cap: number) => `${used} of ${formatCount(cap)} tokens`,
    over: (tokens: number) => `${formatCount(tokens)} over budget`,
    alerts: (count: number) => plural(count, 'alert', 'alerts'),
    alertsTitle: 'Show only sections with an alert',
    counting: 'counting',
    countingProgress: (done: number, total: number) =>
      `counting, ${formatCount(done)} of ${plural(total, 'section', 'sections')}`,
    countingShort: (done: number, total: number) => `counting, ${formatCount(done)} of ${formatCount(total)}`,
  },

  gauge: {
    label: 'Token budget',
    used: (share: string) => `${share} used`,
    cap: 'cap',
    warnTitle: 'Warning mark',
    text: (used: string, cap: number, share: string, level: string) =>
      `${used} of ${formatCount(cap)} tokens, ${share}, ${level}`,
    over: (tokens: number) => `${formatCount(tokens)} tokens over the cap`,
    pastMark: (mark: string) => `past the ${mark} warning mark`,
    underMark: (mark: string) => `under the ${mark} warning mark`,
    segment: (name: string, priority: Priority, tokens: number, share: string) =>
      `${name}, ${priority}: ${formatCount(tokens)} tokens, ${share} of the payload`,
    smaller: (count: number) => plural(count, 'small section', 'small sections'),
    overhead: (tokens: number, share: string) => `Notes: ${formatCount(tokens)} tokens, ${share} of the payload`,
    estimate: 'Still counting',
  },

  characters: {
    label: 'Character cap',
    used: (used: string, cap: number) => `${used} of ${formatCount(cap)} characters`,
    over: (characters: number) => `, ${formatCount(characters)} over`,
  },

  form: {
    task: 'Task',
    taskTitle: 'The repo map is ranked for this',
    setTask: 'Set Task…',
    setTaskTitle: 'Say what the agent is about to do: the repo map is ranked for it',
    editTask: 'Edit Task',
    clearTask: 'Clear Task',
    profile: 'Profile',
    profileTitle: 'Whose caps apply',
    payload: 'Payload',
    index: 'Index-only',
    indexTitle: 'Names, summaries and handles; the agent asks for the rest',
    expanded: 'Expanded',
    expandedTitle: 'Summaries opened up, as far as the budget goes',
    copy: 'Copy Payload',
    copyPending: 'Counting, then copying…',
    moreCopy: 'More copy actions',
    moreCopyTitle: 'More Copy Actions…',
    noteTokens: (tokens: string) => `${tokens} tokens`,
    noteOmitted: (count: number) => `${plural(count, 'section', 'sections')} left out`,
  },

  filter: {
    button: 'Filter sections',
    buttonTitle: 'Filter (Ctrl+F)',
    field: 'Filter sections by name or reason',
    placeholder: 'Filter by name or reason',
    close: 'Close filter',
    closeTitle: 'Close (Escape)',
    showOnly: 'Show only',
    alerts: 'Alerts',
    warnings: 'Warnings',
    omitted: 'Omitted',
    count: (shown: number, total: number) => `${formatCount(shown)} of ${formatCount(total)}`,
    none: 'No section matches.',
    clear: 'Clear Filter',
  },

  row: {
    notRun: 'not run',
    counting: 'counting',
    notCounted: 'not counted yet',
    pinned: 'pinned',
    tokens: 'tokens',
    return: 'return',
  },

  detail: {
    label: (name: string) => `${name}, details`,
    entries: 'Entries',
    entryCount: (shown: number, total: number) => `${formatCount(shown)} of ${formatCount(total)}`,
    text: 'Text',
    textLabel: (name: string) => `${name}, text`,
    textSize: (tokens: string) => `${tokens} tokens`,
    textSizeOf: (tokens: string, full: number) => `${tokens} of ${formatCount(full)} tokens`,
    textCut: (shown: number, total: number) =>
      `The first ${formatCount(shown)} of ${formatCount(total)} characters are shown here. Copy takes all of them.`,
    pin: 'Pin',
    pinTitle: 'Never a stub, whatever its score',
    unpin: 'Unpin',
    unpinTitle: 'Let its score decide again',
    exclude: 'Exclude',
    excludeTitle: 'Leave out of every payload',
    include: 'Include',
    includeTitle: 'Take back into the payloads',
    open: 'Open',
    copy: 'Copy',
    copyTitle: 'Copy this section as the agent gets it',
  },

  messages: {
    overTitle: 'Over budget.',
    over: (need: string) =>
      `P0 and P1 alone need ${need}. They are never removed, so the payload goes out whole and all other sections are dropped.`,
    needTokens: (count: number) => `${formatCount(count)} tokens`,
    needCharacters: (count: number) => `${formatCount(count)} characters`,
    shrinkFirst: 'Shrink first:',
    configTitle: 'Config not used.',
    configWarningTitle: 'Config read, with a remark.',
    problemTitle: 'Not everything was read.',
    lastGood: 'The last good config stays in use.',
    defaults: 'Defaults are in use.',
    at: (path: string, line: number | undefined) => (line === undefined ? `${path}: ` : `${path}, line ${line}: `),
    more: (count: number) => `${formatCount(count)} more in the log.`,
    openConfig: 'Open Config',
    showLog: 'Show Log',
    restrictedTitle: 'Restricted Mode.',
    restricted: (names: readonly string[]) => {
      const count = NUMBER_WORDS[names.length] ?? formatCount(names.length);
      const subject = names.length === 1 ? 'command section was' : 'command sections were';
      return `${count} ${subject} not run: ${names.join(', ')}. Everything else is counted.`;
    },
    manageTrust: 'Manage Workspace Trust',
  },

  welcome: {
    noFolder: 'No folder is open. Open one to see what its context would cost a coding agent, section by section.',
    openFolder: 'Open Folder',
    privacy: 'Nothing is sent anywhere: counting happens on this machine.',
    howItWorks: 'How it works',
    noInstructions:
      'Nothing here tells an agent anything yet: no AGENTS.md, CLAUDE.md, MEMORY.md or the like. The built-in sections are counted below.',
    createInstructions: 'Create AGENTS.md',
  },

  loading: 'Counting tokens',

  live: {
    over: (by: string) => `Over budget by ${by}`,
    warn: (mark: string) => `Past the ${mark} warning mark`,
    ok: 'Within budget',
    alert: (name: string, reason: string) => `${name}: ALERT, ${reason}`,
    shown: (shown: number, total: number) => `${formatCount(shown)} of ${plural(total, 'section', 'sections')} shown`,
    pinned: (name: string, is: boolean) => `${name} ${is ? 'pinned' : 'unpinned'}`,
    excluded: (name: string, is: boolean) => `${name} ${is ? 'excluded' : 'included'}`,
    counting: 'Counting, then copying',
  },
} as const;
