/** Words of the message area, of the empty states and of the live region. */
import { listed, t } from '../language';
import { sections } from './counts';

/** Small numbers begin a sentence as words. */
const NUMBER_WORDS: Readonly<Record<number, string>> = {
  2: t('Two'),
  3: t('Three'),
  4: t('Four'),
  5: t('Five'),
  6: t('Six'),
  7: t('Seven'),
  8: t('Eight'),
  9: t('Nine'),
};

function needTokens(count: number): string {
  return t('{0} tokens', count);
}

export const MESSAGE_WORDS = {
  comma: t(', '),
  sentences: (before: string, next: string) => t('{0}. {1}', before, next),
  overTitle: t('Over budget.'),
  over: (need: string, cap: string) =>
    t(
      'The sections that are never removed (P0 and P1) need {0}; the cap is {1}. They go out whole, and all other sections are dropped.',
      need,
      cap,
    ),
  overExpanded: t('Index-only names each of them in one row.'),
  needTokens,
  needCharacters: (count: number) => t('{0} characters', count),
  shrinkFirst: t('Shrink first:'),
  configTitle: t('Config not used.'),
  configPartTitle: t('Part of the config not used.'),
  configWarningTitle: t('Config read, with a remark.'),
  problemTitle: t('Not everything was read.'),
  lastGood: t('The last good config stays in use.'),
  defaults: t('Defaults are in use.'),
  at: (path: string, line: number | undefined) =>
    line === undefined ? t('{0}: ', path) : t('{0}, line {1}: ', path, line),
  more: (count: number) => t('{0} more in the log.', count),
  openConfig: t('Open Config'),
  showLog: t('Show Log'),
  restrictedTitle: t('Restricted Mode.'),
  restricted: (names: readonly string[]) =>
    names.length === 1
      ? t('One command section was not run: {0}. Everything else is counted.', listed(names))
      : t(
          '{0} command sections were not run: {1}. Everything else is counted.',
          NUMBER_WORDS[names.length] ?? names.length,
          listed(names),
        ),
  keptInMemory: t('Usage and observations are kept in memory until you trust this folder.'),
  manageTrust: t('Manage Workspace Trust'),
} as const;

export const WELCOME_WORDS = {
  noFolder: t('No folder is open. Open one to see what its context would cost a coding agent, section by section.'),
  openFolder: t('Open Folder'),
  privacy: t('Nothing is sent anywhere: counting happens on this machine.'),
  howItWorks: t('How it works'),
  noInstructions: t(
    'Nothing here tells an agent anything yet: no AGENTS.md, CLAUDE.md, MEMORY.md or the like. The built-in sections are counted below.',
  ),
  createInstructions: t('Create AGENTS.md'),
} as const;

export const LIVE_WORDS = {
  over: (by: string) => t('Over budget by {0}', by),
  warn: (mark: string) => t('Past the {0} warning mark', mark),
  ok: t('Within budget'),
  alert: (name: string, reason: string) => t('{0}: ALERT, {1}', name, reason),
  shown: (shown: number, total: number) => t('{0} of {1} shown', shown, sections(total)),
  pinned: (name: string, is: boolean) => t(is ? '{0} pinned' : '{0} unpinned', name),
  excluded: (name: string, is: boolean) => t(is ? '{0} excluded' : '{0} included', name),
  onDemand: (name: string, is: boolean) => t(is ? '{0} on demand' : '{0} always shown', name),
  counting: t('Counting, then copying'),
  relayState: (state: string) => t('Relay: {0}', state),
  relayOver: (state: string) => t('Relay: {0} is over', state),
  relayMissing: (names: string) => t('Relay: {0} missing', names),
  relayComplete: t('Relay: no essential is missing'),
} as const;
