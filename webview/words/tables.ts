/** Words for the values of the snapshot: statuses, forms, classes, modes. */

import type { Exemption, FactorName, ScoringMode } from '../../src/core/model/relevance';
import type { Disclosure, Priority } from '../../src/core/model/section';
import type { RoiClass, RoiThresholds } from '../../src/core/model/usage';
import type { EssentialKey } from '../../src/core/relay/relayContext';
import type { RelayTrigger } from '../../src/core/relay/triggers';
import { MIN_CYCLES, type SectionSort } from '../../src/protocol/panel';
import { t } from '../language';

/** What happens to the sections of each priority when space is short. */
export const GROUP_WORDS: Readonly<Record<Priority, string>> = {
  P0: t('never cut'),
  P1: t('never removed'),
  P2: t('cut last'),
  P3: t('cut second'),
  P4: t('cut first'),
};

export const DISCLOSURE_WORDS: Readonly<Record<Disclosure, string>> = {
  full: t('full'),
  summary: t('summary'),
  stub: t('stub'),
  omitted: t('omitted'),
};

/** Classes with data are words of the contract, the same in every language. */
export const ROI_WORDS: Readonly<
  Record<RoiClass, { readonly label: string; readonly title: (borders: RoiThresholds) => string }>
> = {
  WASTE: {
    label: 'WASTE',
    title: ({ waste }) => t('Return: under {0} citations per 1,000 characters', String(waste)),
  },
  LOW: {
    label: 'LOW',
    title: ({ waste, med }) => t('Return: {0} to {1} citations per 1,000 characters', String(waste), String(med)),
  },
  'MED+': { label: 'MED+', title: ({ med }) => t('Return: over {0} citations per 1,000 characters', String(med)) },
  'no data': { label: t('no data'), title: () => t('Fewer than {0} cycles loaded this section', MIN_CYCLES) },
};

/** Names of the scoring modes. */
export const MODE_WORDS: Readonly<Record<ScoringMode, { readonly label: string; readonly what: string }>> = {
  off: { label: t('Off'), what: t('No scores; payloads as without this part.') },
  baseline: { label: t('Baseline'), what: t('Measures only; payloads stay as they are.') },
  static: { label: t('Static'), what: t('Fixed rules of the config: on demand, newest entries.') },
  dynamic: { label: t('Dynamic'), what: t('Sections below the threshold become stubs.') },
};

export const FACTOR_WORDS: Readonly<Record<FactorName, string>> = {
  citation: t('Citation'),
  trigger: t('Trigger'),
  recency: t('Recency'),
  size: t('Size'),
};

/** Why a section is never a stub by its score. */
export const EXEMPTION_WORDS: Readonly<Record<Exemption, string>> = {
  P0: t('Never a stub, because P0 is never cut.'),
  pinned: t('Never a stub, because it is pinned.'),
  alarm: t('Not a stub while it warns.'),
  cited: t('Not a stub, because it was cited lately.'),
  triggered: t('Not a stub, because it matches the task.'),
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
  status: { title: t('Sort: Status'), group: t('worst status first') },
  return: { title: t('Sort: Return'), group: t('lowest return first') },
  name: { title: t('Sort: Name'), group: t('by name') },
};
