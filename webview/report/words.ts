/** Every word that the report's page shows or speaks, besides those it shares with the CLI. */
import type { RoiClass } from '../../src/core/report/contextReport';
import type { SectionReturn, UsageReport } from '../../src/core/usage/report/usageReport';
import { formatCount, formatShare } from '../format';
import type { SectionSort, SortColumn } from './sortSections';

export const COLUMN_WORDS: Readonly<Record<SortColumn, { readonly head: string; readonly title: string }>> = {
  roiClass: { head: 'Class', title: 'WASTE under 0.5, LOW up to 2, MED+ over 2, unless the config says otherwise' },
  id: { head: 'Section', title: 'The section’s id' },
  loaded: { head: 'Loaded', title: 'Cycles that loaded it' },
  cited: { head: 'Cited', title: 'Citations in all cycles' },
  charsMean: { head: 'Characters', title: 'Mean characters of a cycle that loaded it' },
  share: { head: 'Share', title: 'Of the characters of all sections' },
  roi: { head: 'ROI', title: 'Return: citations per 1,000 characters' },
  lastCitedCycle: { head: 'Last cited', title: 'The last cycle that cited it' },
};

function range(values: readonly number[]): string {
  return `lowest ${formatCount(Math.min(...values))}, highest ${formatCount(Math.max(...values))}`;
}

export const WORDS = {
  title: 'Usage report',
  copy: 'Copy as Markdown',
  showLog: 'Show Log',
  parts: {
    classes: 'Classes',
    sections: 'Sections',
    phases: 'Phases side by side',
    targets: 'Targets against the baseline',
    history: 'History',
    problems: 'What is odd in the log',
  },
  states: {
    loading: 'Reading the usage log',
    noFolder: 'No folder is open. Open one to see which sections of its context earn their place.',
    noLog: 'Usage of this folder is not recorded: its files cannot be written here.',
    failedTitle: 'The usage log was not read.',
  },
  table: {
    trend: 'Trend',
    trendTitle: 'Return over the whole log, oldest first',
    verdict: 'Verdict',
    sections: 'Sections',
    citations: 'Citations',
    never: 'never',
    none: 'None',
    mode: 'Mode',
    cycles: 'Cycles',
    tokens: 'Tokens',
    quality: 'Decision quality',
    response: 'Response time',
    measure: 'Measure',
    askedFor: 'Asked for',
    baseline: 'Baseline',
    target: 'Target',
    actual: 'Actual',
    change: 'Change',
    result: 'Result',
    caption: 'Means per cycle',
    scroll: (part: string) => `${part}, table`,
  },
  noTargets: 'Targets are measured once the scoring mode is static or dynamic.',
  notLogged: 'not logged',
  sorted: ({ column, isDescending }: SectionSort) =>
    `Sorted by ${COLUMN_WORDS[column].head}, ${isDescending ? 'descending' : 'ascending'}`,
  trend: ({ id, trend }: SectionReturn): string => {
    const values = trend.flatMap((value) => value ?? []);
    const last = values.at(-1);
    if (last === undefined) return `${id}: no return yet`;
    return `Return of ${id}: lowest ${Math.min(...values).toFixed(2)}, highest ${Math.max(...values).toFixed(2)}, last ${last.toFixed(2)}`;
  },
  classShare: (roiClass: RoiClass, share: number) => `${roiClass} ${formatShare(share)}`,
  classChart: (classes: UsageReport['classes']) =>
    `Share of all characters by class: ${classes.map(({ roiClass, share }) => `${roiClass} ${formatShare(share)}`).join(', ')}`,
  history: ({ history }: UsageReport): string => {
    const chars = history.map(({ charsMean }) => Math.round(charsMean));
    const [first, last] = [history[0], history.at(-1)];
    if (!first || !last) return '';
    const cycles = `cycles ${formatCount(first.firstCycle)} to ${formatCount(last.lastCycle)}`;
    return `Characters a cycle, ${cycles}: ${range(chars)}, last ${formatCount(chars.at(-1) ?? 0)}`;
  },
  stretch: (firstCycle: number, lastCycle: number, chars: number) => {
    const cycles =
      firstCycle === lastCycle
        ? `Cycle ${formatCount(firstCycle)}`
        : `Cycles ${formatCount(firstCycle)} to ${formatCount(lastCycle)}`;
    return `${cycles}: ${formatCount(Math.round(chars))} characters`;
  },
  historyCaption: 'Characters a cycle',
  updated: 'Report updated',
} as const;
