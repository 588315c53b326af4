import { MIN_CYCLES } from '../../model/usage';
import { type Phrase, phrase } from '../../text/phrase';
import type { LogFinding } from './usageReport';
import type { SectionSums } from './usageTally';

/** One section under all the names it had. */
export interface SectionGroup {
  /** Its newest name. */
  readonly id: string;
  /** The newest first. */
  readonly spans: readonly SectionSums[];
}

interface Rename {
  readonly from: SectionSums;
  readonly to: SectionSums;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * A section goes on as another when that one first came after it was gone, with the content that it had last. Where two
 * could be meant, nothing is guessed.
 */
function findRenames(spans: readonly SectionSums[]): readonly Rename[] {
  const couldFollow = (from: SectionSums, to: SectionSums): boolean =>
    from.lastLoaded > 0 && to.firstLoaded > from.lastLoaded;
  const byContent = groupBy(spans, ({ lastContent }) => lastContent);
  const pairs = spans.flatMap((to) => {
    if (to.firstContent === undefined) return [];
    const found = (byContent.get(to.firstContent) ?? []).filter((from) => couldFollow(from, to));
    const [from] = found;
    return from && found.length === 1 ? [{ from, to }] : [];
  });
  const followers = groupBy(pairs, ({ from }) => from);
  return pairs.filter(({ from }) => followers.get(from)?.length === 1);
}

function groupsOf(spans: readonly SectionSums[], renames: readonly Rename[]): readonly SectionGroup[] {
  const followed = new Set(renames.map(({ from }) => from));
  const beforeOf = new Map(renames.map(({ from, to }) => [to, from]));
  return spans
    .filter((span) => !followed.has(span))
    .map((span) => {
      const own = [span];
      for (let before = beforeOf.get(span); before; before = beforeOf.get(before)) own.push(before);
      return { id: span.id, spans: own };
    });
}

function finding(kind: LogFinding['kind'], words: Phrase): LogFinding {
  return { kind, count: 1, line: undefined, words };
}

/** Which sections are one under several names, and what should be known of sections. `lastCycle` is the log's. */
export function findOddSections(
  spans: readonly SectionSums[],
  lastCycle: number,
): { readonly groups: readonly SectionGroup[]; readonly findings: readonly LogFinding[] } {
  const renames = findRenames(spans);
  const renamed = new Set(renames.map(({ from }) => from));
  const isGone = (span: SectionSums): boolean =>
    span.lastLoaded > 0 && lastCycle - span.lastLoaded >= MIN_CYCLES && !renamed.has(span);
  return {
    groups: groupsOf(spans, renames),
    findings: [
      ...renames.map(({ from, to }) =>
        finding('renamed', phrase('{0} became {1} in cycle {2}: same content', from.id, to.id, to.firstLoaded)),
      ),
      ...spans
        .filter(isGone)
        .map(({ id, lastLoaded }) =>
          finding('vanished', phrase('{0} was last loaded in cycle {1}; earlier cycles still count', id, lastLoaded)),
        ),
      ...spans
        .filter(({ lastLoaded }) => lastLoaded < 0)
        .map(({ id }) => finding('unloaded', phrase('{0} is cited, but no cycle loaded it', id))),
    ],
  };
}
