/** Words of the message area, of the empty states and of the live region. */
import { listed, t } from '../language';
import { sections } from './counts';

function needTokens(count: number): string {
  return t('{0} tokens', count);
}

export const MESSAGE_WORDS = {
  sentences: (before: string, next: string) => t('{0}. {1}', before, next),
  overTitle: (need: string) => t('P0 and P1 alone need {0}.', need),
  over: t('They are never removed, so everything else is left out.'),
  tokenLimitTitle: t('The token limit is reached first.'),
  tokenLimit: (share: string, tokens: number) =>
    t('Only {0} of the characters are used. A limit of {1} would use up both limits.', share, needTokens(tokens)),
  needTokens,
  needCharacters: (count: number) => t('{0} characters', count),
  shrinkFirst: t('Shrink first:'),
  configTitle: t('Config not used.'),
  configPartTitle: t('Part of the config not used.'),
  configWarningTitle: (count: number) =>
    t(count === 1 ? 'Config loaded with {0} warning.' : 'Config loaded with {0} warnings.', count),
  problemTitle: t('Not everything was read.'),
  lastGood: t('The last good config stays in use.'),
  defaults: t('Defaults are in use.'),
  at: (path: string, line: number | undefined) =>
    line === undefined ? t('{0}: ', path) : t('{0}, line {1}: ', path, line),
  more: (count: number) => t('{0} more in the log.', count),
  openConfig: t('Open Config'),
  openAtLine: (line: number) => t('Open at Line {0}', line),
  showLog: t('Show Log'),
  restrictedTitle: t('Restricted Mode.'),
  restricted: (names: readonly string[]) =>
    t(
      names.length === 1
        ? '{0} command section was not run: {1}. Everything else is counted.'
        : '{0} command sections were not run: {1}. Everything else is counted.',
      names.length,
      listed(names),
    ),
  keptInMemory: t('Usage and observations are kept in memory until you trust this folder.'),
  manageTrust: t('Manage Workspace Trust'),
  noInstructionsTitle: t('No agent instructions found.'),
} as const;

const INSTRUCTIONS = t('An AGENTS.md tells coding agents how to work in this folder.');

export const WELCOME_WORDS = {
  noFolder: t('Open a folder to see what its context costs a coding agent, section by section.'),
  openFolder: t('Open Folder'),
  privacy: t('Counts run on this machine.'),
  howItWorks: t('How It Works'),
  instructions: INSTRUCTIONS,
  noInstructions: t('{0} {1}', MESSAGE_WORDS.noInstructionsTitle, INSTRUCTIONS),
  createInstructions: t('Create AGENTS.md'),
  alsoRead: t('Also read: CLAUDE.md, MEMORY.md and memory folders.'),
} as const;

export const LIVE_WORDS = {
  over: (by: string) => t('Over the limit by {0}', by),
  warn: (mark: string) => t('Past the {0} mark', mark),
  ok: t('Within the limit'),
  alert: (name: string, reason: string) => t('{0}: ALERT, {1}', name, reason),
  shown: (shown: number, total: number) => t('{0} of {1} shown', shown, sections(total)),
  pinned: (name: string, is: boolean) => t(is ? '{0} pinned' : '{0} unpinned', name),
  excluded: (name: string, is: boolean) => t(is ? '{0} excluded' : '{0} included', name),
  onDemand: (name: string, is: boolean) => t(is ? '{0} on demand' : '{0} no longer on demand', name),
  counting: t('Counting, then copying'),
  relayState: (state: string) => t('Relay: {0}', state),
  relayOver: (state: string) => t('Relay: {0} is over', state),
  relayMissing: (names: string) => t('Relay: {0} missing', names),
  relayComplete: t('Relay: no essential is missing'),
} as const;
