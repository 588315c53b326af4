/** Usage as lines to append, whatever keeps the log; which of them are wanted, a log decides by what it has. */
import type { LineMaker } from '../records/recordKind';
import { decodeUsage, encodeUsage } from './usageCodec';
import type { Citation, UsageDraft } from './usageRecord';

/** A cycle to append. */
export interface UsageLine extends LineMaker {
  /** Which turn of which transcript it is; one that is recorded is not recorded again. */
  readonly origin: string | undefined;
}

/** A line for each draft, in order. */
export function usageLines(drafts: readonly UsageDraft[]): readonly UsageLine[] {
  return drafts.map((draft) => ({
    addsTo: undefined,
    origin: draft.origin,
    make: (cycle) => encodeUsage(cycle, draft),
  }));
}

/** Whether a log must be asked what it has before `lines` are appended. */
export function haveOrigins(lines: readonly UsageLine[]): boolean {
  return lines.some(({ origin }) => origin !== undefined);
}

/** `lines` without those whose origin is `known`, or that of a line before. */
export function unrecordedLines(lines: readonly UsageLine[], known: Iterable<string>): readonly UsageLine[] {
  const seen = new Set(known);
  return lines.filter(({ origin }) => {
    if (origin === undefined) return true;
    const isNew = !seen.has(origin);
    seen.add(origin);
    return isNew;
  });
}

/** Citations as a line that adds to a recorded cycle. */
export function citationLine(cycle: number, profile: string, ts: string, cited: readonly Citation[]): LineMaker {
  const draft: UsageDraft = { ts, trigger: 'cite', profile, sections: [], cited };
  return { addsTo: cycle, make: (number) => encodeUsage(number, draft) };
}

/** The origin of a recorded line; undefined where it has none or is no record. */
export function originOf(line: string): string | undefined {
  // Most records have none, and parsing is what costs.
  const decoded = line.includes('"origin"') ? decodeUsage(line) : undefined;
  return decoded?.kind === 'ok' ? decoded.record.origin : undefined;
}
