/** Words for the values of the snapshot: statuses, forms, classes, modes. */

import type { Exemption, FactorName, ScoringMode } from '../../src/core/model/relevance';
import type { Priority } from '../../src/core/model/section';
import type { RoiClass, RoiThresholds } from '../../src/core/model/usage';
import type { EssentialKey } from '../../src/core/relay/relayContext';
import type { RelayTrigger } from '../../src/core/relay/triggers';
import { ENOUGH_EVIDENCE, type SectionSort } from '../../src/protocol/panel';
import { t } from '../language';

/** What the fit does for the sections of each priority. */
export const GROUP_WORDS: Readonly<Record<Priority, string>> = {
  P0: t('always full'),
  P1: t('always kept'),
  P2: t('cut last'),
  P3: t('cut second'),
  P4: t('cut first'),
};

const changeIn = (sentence: string): string => t('{0} Change it with “priority” in the config.', sentence);

/** What a priority means, for the hover of a group's heading. */
export const PRIORITY_TITLES: Readonly<Record<Priority, string>> = {
  P0: changeIn(t('Priority P0: always shown in full, even over the limit. On Demand has no effect.')),
  P1: changeIn(t('Priority P1: shown in full, even over the limit, unless it is on demand or has its own limit.')),
  P2: changeIn(t('Priority P2: gets what P0 and P1 leave of the limit.')),
  P3: changeIn(t('Priority P3: gets what P2 leaves of the limit.')),
  P4: changeIn(t('Priority P4: gets what P3 leaves of the limit.')),
};

/** What a section returned for its size, in words; the contract's own words are for the JSON. */
export const ROI_WORDS: Readonly<
  Record<RoiClass, { readonly label: string; readonly title: (borders: RoiThresholds) => string }>
> = {
  WASTE: {
    label: t('Hardly used'),
    title: ({ waste }) => t('Under {0} citations per 1,000 characters', String(waste)),
  },
  LOW: {
    label: t('Rarely used'),
    title: ({ waste, med }) => t('{0} to {1} citations per 1,000 characters', String(waste), String(med)),
  },
  'MED+': { label: t('Used'), title: ({ med }) => t('Over {0} citations per 1,000 characters', String(med)) },
  'no data': {
    label: t('no data'),
    title: () => t('Fewer than {0} judged cycles and {1} citations', ENOUGH_EVIDENCE.cycles, ENOUGH_EVIDENCE.citations),
  },
};

/** Names of the scoring modes. */
export const MODE_WORDS: Readonly<Record<ScoringMode, { readonly label: string; readonly what: string }>> = {
  off: { label: t('Off'), what: t('No scores; payloads stay as they are') },
  baseline: { label: t('Measure'), what: t('Track usage, change nothing') },
  static: {
    label: t('Rules'),
    what: t('Apply the fixed rules of the config: some sections on demand, only newest entries'),
  },
  dynamic: { label: t('Automatic'), what: t('Show one line of each section that scores below the threshold') },
};

export const FACTOR_WORDS: Readonly<Record<FactorName, string>> = {
  citation: t('Citations'),
  trigger: t('Task match'),
  recency: t('Recency'),
  size: t('Size'),
};

/** Why a low score does not make one line of a section. */
export const EXEMPTION_WORDS: Readonly<Record<Exemption, string>> = {
  P0: t('Always full, because it is P0.'),
  P1: t('Always kept, because it is P1.'),
  pinned: t('Always included, because it is pinned.'),
  alarm: t('Kept while its status is WARN or ALERT.'),
  cited: t('Kept, because it was cited recently.'),
  triggered: t('Kept, because it matches the task.'),
};

export const ESSENTIAL_WORDS: Readonly<Record<EssentialKey, string>> = {
  goal: t('Goal'),
  constraints: t('Constraints'),
  latest_instruction: t('Latest instruction'),
  current_blockers: t('Current blockers'),
  controller_route_summary: t('Controller route'),
};

/** What makes compaction due. */
export const TRIGGER_WORDS: Readonly<Record<RelayTrigger['kind'], string>> = {
  length: t('Length'),
  repeated_status: t('Repeated status'),
  new_instruction: t('New instruction'),
  recovery: t('Recovery'),
};

/** Orders of the rows, and what stands above them where it is not the priority. */
export const SORT_WORDS: Readonly<Record<SectionSort, { readonly title: string; readonly group: string }>> = {
  size: { title: t('Sort: Size within Priority'), group: '' },
  payload: { title: t('Sort: Payload Order'), group: '' },
  return: { title: t('Sort: Use'), group: t('least used first') },
  name: { title: t('Sort: Name'), group: t('by name') },
};
