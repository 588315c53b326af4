/** Every word the panel shows or speaks. Nothing else in `webview` holds user-facing text, so that translation is one file. */
import type { ScoringMode } from '../src/core/config/config';
import type { Exemption, FactorName } from '../src/core/relevance/relevance';
import type { Disclosure, RoiClass, Status } from '../src/core/report/contextReport';
import type { Priority } from '../src/core/sections/section';
import type { SectionSort } from '../src/protocol/panel';
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

/** Names of the scoring modes. */
export const MODE_WORDS: Readonly<Record<ScoringMode, { readonly label: string; readonly what: string }>> = {
  off: { label: 'Off', what: 'No scores; payloads as without this part.' },
  baseline: { label: 'Baseline', what: 'Measures only; payloads stay as they are.' },
  static: { label: 'Static', what: 'Fixed rules of the config: on demand, newest entries.' },
  dynamic: { label: 'Dynamic', what: 'Sections below the threshold become stubs.' },
};

export const FACTOR_WORDS: Readonly<Record<FactorName, string>> = {
  citation: 'Citation',
  trigger: 'Trigger',
  recency: 'Recency',
  size: 'Size',
};

/** Why a section is never a stub by its score. */
export const EXEMPTION_WORDS: Readonly<Record<Exemption, string>> = {
  P0: 'Never a stub, because P0 is never cut.',
  pinned: 'Never a stub, because it is pinned.',
  alarm: 'Not a stub while it warns.',
  cited: 'Not a stub, because it was cited lately.',
  triggered: 'Not a stub, because it matches the task.',
};

/** Orders of the rows, and what stands above them where it is not the priority. */
export const SORT_WORDS: Readonly<Record<SectionSort, { readonly title: string; readonly group: string }>> = {
  size: { title: 'Sort: Size within Priority', group: '' },
  payload: { title: 'Sort: Payload Order', group: '' },
  return: { title: 'Sort: Return', group: 'lowest return first' },
  name: { title: 'Sort: Name', group: 'by name' },
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
    earnNothing: (count: number) =>
      count === 1 ? '1 section earns nothing' : `${formatCount(count)} sections earn nothing`,
    earnNothingTitle: (window: number) => `Show only sections with no citation in ${plural(window, 'cycle', 'cycles')}`,
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

  prefix: {
    equal: (tokens: number, cycle: number) =>
      `All ${formatCount(tokens)} tokens of sections as in cycle ${formatCount(cycle)}`,
    part: (tokens: number, total: number, cycle: number) =>
      `${formatCount(tokens)} of ${formatCount(total)} leading tokens as in cycle ${formatCount(cycle)}`,
    broken: {
      changed: (name: string) => `; broken by ${name}`,
      added: (name: string) => `; broken by ${name}, which is new`,
      removed: (name: string) => `; broken by ${name}, which is gone`,
    },
    title: "What a provider's prompt cache can keep from the last recorded payload of this kind",
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
    earnNothing: 'Earn nothing',
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
    onDemand: 'On Demand',
    onDemandTitle: 'Show one line with a handle; the agent asks for the rest',
    alwaysShow: 'Always Show',
    alwaysShowTitle: 'Take off the on-demand list',
    exclude: 'Exclude',
    excludeTitle: 'Leave out of every payload',
    include: 'Include',
    includeTitle: 'Take back into the payloads',
    open: 'Open',
    copy: 'Copy',
    copyTitle: 'Copy this section as the agent gets it',
  },

  relevance: {
    title: 'Relevance',
    score: (score: string, threshold: string) => `${score}, stub below ${threshold}`,
    noData: (score: string, missing: string) => `${score}, ${missing}`,
    missingData: 'not enough data',
    weight: (weight: string, why: string) => `weight ${weight}: ${why}`,
    summary: (mode: string, threshold: string) => `${mode}, below ${threshold}`,
    mode: 'Mode',
    threshold: 'Threshold',
    thresholdTitle: 'Sections that score less become stubs in mode Dynamic',
    use: 'Use This Threshold',
    inUse: 'Threshold in Use',
    useTitle: 'Write this threshold to the config',
    otherMode: (mode: string) => `In mode ${mode} the threshold cuts nothing; this is what Dynamic would do.`,
    inForce: 'Payloads follow this threshold.',
    otherThreshold: (threshold: string) => `Payloads follow ${threshold} until then.`,
    missing: (cycles: number, needed: number) =>
      `not enough data: ${formatCount(cycles)} of ${plural(needed, 'cycle', 'cycles')}`,
    cost: (cycles: number, before: number, after: number, change: string) =>
      `Last ${plural(cycles, 'cycle', 'cycles')}: ${formatCount(before)} → ${formatCount(after)} tokens a cycle (${change})`,
    kept: (kept: number, total: number) => `${formatCount(kept)} of ${plural(total, 'citation', 'citations')} kept`,
    noCitations: 'no citation to lose',
    lost: (names: string) => `; lost: ${names}`,
    stubs: (names: string) => `Stubs: ${names}`,
    noStubs: 'No section becomes a stub',
    more: (count: number) => `${formatCount(count)} more`,
    valueText: (threshold: string, after: number, kept: string) =>
      `${threshold}: ${formatCount(after)} tokens a cycle, ${kept}`,
    offerTitle: (cycles: number) => `${formatCount(cycles)} cycles recorded.`,
    offer: (mode: string, what: string) => `Mode ${mode} can follow: ${what}`,
    offerEffect: (before: number, after: number, change: string, kept: string) =>
      `A cycle would have cost ${formatCount(after)} instead of ${formatCount(before)} tokens (${change}), with ${kept}.`,
    useMode: (mode: string) => `Use ${mode}`,
    notNow: 'Not Now',
  },

  cycles: {
    last: (count: number) => `Last ${plural(count, 'cycle', 'cycles')}`,
    caption: (citations: number, roi: string) => `${plural(citations, 'citation', 'citations')}, ROI ${roi}`,
    captionNoRoi: (citations: number) => plural(citations, 'citation', 'citations'),
    none: 'History starts with the first recorded cycle.',
    lastCited: (cycle: number, ago: number) =>
      ago === 0
        ? `Last cited in cycle ${formatCount(cycle)}, the newest`
        : `Last cited in cycle ${formatCount(cycle)}, ${plural(ago, 'cycle', 'cycles')} ago`,
    neverCited: (cycles: number) => `Not cited in ${plural(cycles, 'cycle', 'cycles')}`,
    chart: (name: string, count: number, lowest: number, highest: number, now: number, cited: number) =>
      `Characters of ${name} in the last ${plural(count, 'cycle', 'cycles')}: ${formatCount(lowest)} to ${formatCount(highest)}, now ${formatCount(now)}; cited in ${formatCount(cited)} of them`,
  },

  history: {
    title: 'History',
    range: (lowest: number, highest: number) => `${formatCount(lowest)} to ${formatCount(highest)} tokens`,
    none: 'no cycle yet',
    cap: (cap: number) => `cap ${formatCount(cap)}`,
    cycle: 'cycle',
    axis: (from: number, mark: string) => `from ${formatCount(from)}, dotted ${mark}`,
    chart: (first: number, last: number, lowest: number, highest: number, newest: number) =>
      `Tokens per cycle, cycles ${formatCount(first)} to ${formatCount(last)}: lowest ${formatCount(lowest)}, highest ${formatCount(highest)}, last ${formatCount(newest)}.`,
    neverOver: (cap: number) => `Never over the cap of ${formatCount(cap)}.`,
    over: (times: number, cap: number) => `Over the cap of ${formatCount(cap)} in ${plural(times, 'cycle', 'cycles')}.`,
    empty: 'No cycle recorded yet. A cycle is one use of a payload: copy one, or let an agent ask for one.',
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
    onDemand: (name: string, is: boolean) => `${name} ${is ? 'on demand' : 'always shown'}`,
    counting: 'Counting, then copying',
  },
} as const;
