/** Words of the Relay part. */
import { t } from '../language';

function essentials(count: number): string {
  return t(count === 1 ? '{0} essential' : '{0} essentials', count);
}

export const RELAY_WORDS = {
  title: t('Relay'),
  separator: t('; '),
  count: (present: number, total: number) => t('{0} of {1}', present, essentials(total)),
  inRecovery: (state: string, count: string) => t('{0} · {1}', state, count),
  unreadable: t('not readable'),
  present: t(', present'),
  missing: t(', missing'),
  missingText: t('missing, not in the ledger either'),
  none: t('none'),
  fromLedger: t('From the ledger'),
  cut: (chars: number) => t(chars === 1 ? '{0} more character in the log.' : '{0} more characters in the log.', chars),
  since: (when: string) => t('since {0}', when),
  seenSince: (when: string) => t('seen since {0}', when),
  forwardOnly: t('Only report, forward and copy. Do not take over the work.'),
  warning: t('The work continues. Inform the controller.'),
  alarms: t('Health alarms'),
  triggers: t('Triggers'),
  due: (size: string) => t('compaction needed · {0}', size),
  notDue: (size: string) => t('no compaction needed · {0}', size),
  size: (tokens: string, limit: number) => t('{0} of {1} tokens', tokens, limit),
  drops: t('Compaction drops'),
  dropCount: (count: number) => t(count === 1 ? '{0} entry' : '{0} entries', count),
  dropsNothing: t('nothing'),
  droppedWord: t('dropped'),
  blank: t('no text'),
  moreEntries: (count: number) => t('{0} more', count),
  rule: (what: string, words: string) => t('{0}: {1}', what, words),
  sentence: (words: string) => t('{0}.', words),
  trigger: (name: string) => t('{0}:', name),
  passed: (keys: string) => t('Kept unchanged: {0}', keys),
  compact: t('Compact Relay Context'),
  compactTitle: t('Open the compacted log beside this one; no file is changed'),
  copySummary: t('Copy Relay Summary'),
  copySummaryTitle: t('Copy at most ten lines to forward: goal, constraints, instruction, blockers, who acts next'),
  copyPrompt: t('Copy Observer Relay Prompt'),
  copyPromptTitle: t('Copy a prompt for a window that only observes and forwards'),
  open: t('Open'),
} as const;
