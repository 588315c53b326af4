/** Every word that the report's page shows or speaks, besides those it shares with the CLI. */
import type { RoiClass } from '../../src/core/model/usage';
import type { SectionReturn, UsageReport } from '../../src/core/usage/report/usageReport';
import { formatShare } from '../format';
import { listed, t } from '../language';
import { ROI_WORDS } from '../words/tables';
import type { SectionSort, SortColumn } from './sortSections';

export const COLUMN_WORDS: Readonly<Record<SortColumn, { readonly head: string; readonly title: string }>> = {
  roiClass: {
    head: t('Class'),
    title: t('Hardly used under 0.5, rarely used up to 2, used over 2, unless the config says otherwise'),
  },
  id: { head: t('Section'), title: t('Its name in the panel; hover a row for its id') },
  loaded: { head: t('Loaded'), title: t('Cycles whose payload contained it') },
  cited: { head: t('Cited'), title: t('Citations in all cycles') },
  tokensMean: { head: t('Tokens'), title: t('Average tokens in the cycles that loaded it') },
  charsMean: { head: t('Characters'), title: t('Average characters in the cycles that loaded it') },
  share: { head: t('Share'), title: t('Share of the characters of all sections') },
  roi: { head: t('ROI'), title: t('Citations per 1,000 characters') },
  lastCitedCycle: { head: t('Last cited'), title: t('The last cycle that cited it') },
};

function classShare(roiClass: RoiClass, share: number): string {
  return `${ROI_WORDS[roiClass].label} ${formatShare(share)}`;
}

export const WORDS = {
  title: t('Usage report'),
  copy: t('Copy as Markdown'),
  showLog: t('Show Log'),
  parts: {
    classes: t('Classes'),
    sections: t('Sections'),
    phases: t('Scoring modes side by side'),
    targets: t('Targets against the baseline'),
    history: t('History'),
    problems: t('Log problems'),
  },
  states: {
    loading: t('Reading the usage log'),
    noFolder: t('No folder is open. Open one to see which sections agents use.'),
    noLog: t('Usage is not recorded: this folder is read-only here.'),
    failedTitle: t('The usage log was not read.'),
  },
  table: {
    trend: t('Trend'),
    trendTitle: t('ROI over the whole log, oldest first'),
    verdict: t('Verdict'),
    sections: t('Sections'),
    citations: t('Citations'),
    never: t('never'),
    mode: t('Mode'),
    cycles: t('Cycles'),
    tokens: t('Tokens'),
    quality: t('Decision quality'),
    response: t('Response time'),
    measure: t('Metric'),
    askedFor: t('Requirement'),
    baseline: t('Baseline'),
    target: t('Target'),
    actual: t('Actual'),
    change: t('Change'),
    result: t('Result'),
    caption: t('Averages per cycle'),
    scroll: (part: string) => t('{0}, table', part),
  },
  noTargets: t('Targets are measured once the mode is Rules or Automatic.'),
  notLogged: t('not logged'),
  finding: (text: string) => t('{0}.', text),
  sorted: ({ column, isDescending }: SectionSort) =>
    t(isDescending ? 'Sorted by {0}, descending' : 'Sorted by {0}, ascending', COLUMN_WORDS[column].head),
  trend: (name: string, trend: SectionReturn['trend']): string => {
    const values = trend.flatMap((value) => value ?? []);
    const last = values.at(-1);
    if (last === undefined) return t('{0}: no ROI yet', name);
    const [lowest, highest] = [Math.min(...values), Math.max(...values)];
    return t(
      'ROI of {0}: lowest {1}, highest {2}, last {3}',
      name,
      lowest.toFixed(2),
      highest.toFixed(2),
      last.toFixed(2),
    );
  },
  classShare,
  classChart: (classes: UsageReport['classes']) =>
    t(
      'Share of all characters by class: {0}',
      listed(classes.map(({ roiClass, share }) => classShare(roiClass, share))),
    ),
  history: ({ history }: UsageReport): string => {
    const chars = history.map(({ charsMean }) => Math.round(charsMean));
    const [first, last] = [history[0], history.at(-1)];
    if (!first || !last) return '';
    return t(
      'Characters per cycle, cycles {0} to {1}: lowest {2}, highest {3}, last {4}',
      first.firstCycle,
      last.lastCycle,
      Math.min(...chars),
      Math.max(...chars),
      chars.at(-1) ?? 0,
    );
  },
  stretch: (firstCycle: number, lastCycle: number, chars: number) =>
    firstCycle === lastCycle
      ? t('Cycle {0}: {1} characters', firstCycle, Math.round(chars))
      : t('Cycles {0} to {1}: {2} characters', firstCycle, lastCycle, Math.round(chars)),
  historyCaption: t('Characters per cycle'),
  updated: t('Report updated'),
} as const;
