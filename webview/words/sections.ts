/** Words of the filter, of the rows and of an opened row. */
import type { PanelCitation } from '../../src/protocol/panel';
import { t } from '../language';
import { cycles } from './counts';

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
  neverUsed: t('Never used'),
  leftOut: t('Left out'),
  cut: t('Cut'),
  count: (shown: number, total: number) => t('{0} of {1}', shown, total),
  none: t('No section matches.'),
  clear: t('Clear Filter'),
} as const;

export const ROW_WORDS = {
  notRun: (why: string) => t('not run: {0}', why),
  notTrusted: t('folder is not trusted'),
  notCounted: t('not counted yet'),
  pinned: t('pinned'),
  tokens: t('tokens'),
  neverUsed: t('never used'),
  leftOut: (shown: string, full: string) => t('{0} of {1}: left out, over budget', shown, full),
  leftOutShort: (shown: string, full: string) => t('{0} of {1}: over budget', shown, full),
  ofFull: (full: string) => t('of {0}', full),
  frees: (tokens: number) => t(tokens === 1 ? 'frees up to {0} token' : 'frees up to {0} tokens', tokens),
  cutTitle: (shown: number, full: number) =>
    t('{0} of {1} tokens are shown; {2} are cut, over budget', shown, full, full - shown),
  dropped: t('left out'),
  oneLine: t('one line'),
  oneLineKept: (why: string) => t('{0}; one line kept', why),
  share: (shown: number, total: number) => t('{0} of {1}', shown, total),
  entries: (shown: number, total: number) => t('{0} of {1} entries', shown, total),
  files: (shown: number, total: number) => t('{0} of {1} files', shown, total),
  status: (status: string) => t('{0}:', status),
  cited: t('cited'),
  citedBy: (evidence: string) => t('cited: {0}', evidence),
  actions: (name: string) => t('Actions for {0}', name),
} as const;

/** What a reply had of a section: `path src/a.ts`. */
export const EVIDENCE_WORDS: Readonly<Record<PanelCitation['evidence'], (what: string) => string>> = {
  handle: (what) => t('handle {0}', what),
  id: (what) => t('id {0}', what),
  path: (what) => t('path {0}', what),
  keyword: (what) => t('keywords {0}', what),
  tag: (what) => t('tag {0}', what),
};

export const DETAIL_WORDS = {
  label: (name: string) => t('{0}, details', name),
  citedBy: (evidence: string) => t('Cited by the last recorded reply: {0}', evidence),
  details: t('Details'),
  used: (cited: number, all: number) => t('used in {0} of {1}', cited, cycles(all)),
  entries: t('Entries'),
  files: (name: string) => t('Files of {0}', name),
  ofFile: (tokens: number) => t('of {0}', tokens),
  openFile: (path: string) => t('Open: {0}', path),
  moreFiles: (files: number) => t(files === 1 ? '{0} more file' : '{0} more files', files),
  fewerFiles: t('Fewer files'),
  unlisted: (files: number) => t(files === 1 ? '{0} more file, not listed' : '{0} more files, not listed', files),
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
