/** Every word the panel shows or speaks, by where it stands. Nothing else in `webview` but the report holds user-facing text. */
import { t } from './language';
import { LIVE_WORDS, MESSAGE_WORDS, WELCOME_WORDS } from './words/messages';
import { RELAY_WORDS } from './words/relay';
import { DETAIL_WORDS, EVIDENCE_WORDS, FILTER_WORDS, ROW_WORDS } from './words/sections';
import { FINDING_WORDS, FORM_WORDS, GAUGE_WORDS, HEADLINE_WORDS, PREFIX_WORDS, UNDO_WORDS } from './words/summary';
import { CYCLES_WORDS, HISTORY_WORDS, RELEVANCE_WORDS } from './words/usage';

export {
  ESSENTIAL_WORDS,
  EXEMPTION_WORDS,
  FACTOR_WORDS,
  GROUP_WORDS,
  MODE_WORDS,
  PRIORITY_TITLES,
  ROI_WORDS,
  SORT_WORDS,
  TRIGGER_WORDS,
} from './words/tables';

/** Numbers that may be estimates arrive formatted. */
export const WORDS = {
  productName: 'Context Budget',
  sections: t('Sections'),
  notes: t('Notes for the agent'),
  notesTitle: t('How to ask for what is not shown. With these, the rows add up to the payload.'),
  group: {
    indexTitle: t('Priorities decide what the expanded payload shows. The index payload has one line per section.'),
    usedTitle: (used: string, offered: string, priority: string): string =>
      t('{2} uses {0} of {1} available tokens', used, offered, priority),
  },
  headline: HEADLINE_WORDS,
  gauge: GAUGE_WORDS,
  finding: FINDING_WORDS,
  form: FORM_WORDS,
  undo: UNDO_WORDS,
  prefix: PREFIX_WORDS,
  filter: FILTER_WORDS,
  row: ROW_WORDS,
  evidence: EVIDENCE_WORDS,
  detail: DETAIL_WORDS,
  relevance: RELEVANCE_WORDS,
  cycles: CYCLES_WORDS,
  history: HISTORY_WORDS,
  relay: RELAY_WORDS,
  messages: MESSAGE_WORDS,
  welcome: WELCOME_WORDS,
  loading: t('Counting tokens'),
  live: LIVE_WORDS,
} as const;
