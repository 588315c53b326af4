import type { ContextReport } from '../model/report';
import type { PayloadMode } from '../model/section';
import { payloadOrder, usedSection } from './usageDraft';
import type { UsageRecord, UsedSection } from './usageRecord';
import type { PrefixMatch } from './usageService';

function shown(sections: readonly UsedSection[]): readonly UsedSection[] {
  return sections.filter(({ disclosure }) => disclosure !== 'omitted');
}

/** True for a record that says enough to compare its bytes. */
function hasHashes({ sections }: UsageRecord): boolean {
  const there = shown(sections);
  return there.length > 0 && there.every(({ hash }) => hash !== undefined);
}

/**
 * How many leading tokens of a report's payload equal those of the newest of `records` with the same kind and profile, and
 * what broke the prefix; undefined without such a record. Providers keep a prompt's prefix in a cache for some minutes; a
 * section that differs makes everything after it cost in full again. Linear.
 */
export function prefixMatch(
  { profile, payloads }: ContextReport,
  mode: PayloadMode,
  records: readonly UsageRecord[],
): PrefixMatch | undefined {
  const isAlike = (record: UsageRecord): boolean => record.payload === mode && record.profile === profile;
  const record = records.findLast((each) => isAlike(each) && hasHashes(each));
  if (!record) return undefined;
  const now = shown(payloadOrder(payloads[mode]).map(usedSection));
  const before = shown(record.sections);
  const firstOther = now.findIndex(({ id, hash }, at) => before[at]?.id !== id || before[at]?.hash !== hash);
  const equal = firstOther < 0 ? now.length : firstOther;
  return {
    cycle: record.cycle,
    tokens: now.slice(0, equal).reduce((sum, { tokens }) => sum + tokens, 0),
    totalTokens: payloads[mode].budget.tokens,
    ...breakAt(now, before, equal),
  };
}

function breakAt(
  now: readonly UsedSection[],
  before: readonly UsedSection[],
  at: number,
): Pick<PrefixMatch, 'brokenBy' | 'how'> {
  const [here, there] = [now[at]?.id, before[at]?.id];
  const isIn = (sections: readonly UsedSection[], id: string): boolean => sections.some((section) => section.id === id);
  if (there !== undefined && !isIn(now, there)) return { brokenBy: there, how: 'removed' };
  if (here !== undefined && !isIn(before, here)) return { brokenBy: here, how: 'added' };
  // The same id with another text, or another order.
  return here === undefined ? { brokenBy: undefined, how: 'equal' } : { brokenBy: here, how: 'changed' };
}
