import type { Exemption, ScoringMode, SectionRelevance } from '../../model/relevance';
import type { Priority, Status } from '../../model/section';
import { NO_SIZE, type Size } from '../../tokens/lines';
import type { UsageRecord, UsedSection } from '../../usage/usageRecord';

/** A section that was cited in one of the last so many cycles is shown, whatever its score: it came back. */
const CITED_CYCLES = 3;

/** Whether a section came back by being cited. */
export function isCitedLately(cyclesSinceCited: number | undefined): boolean {
  return cyclesSinceCited !== undefined && cyclesSinceCited < CITED_CYCLES;
}

/** What may keep a section from being a stub, besides its score. */
export interface ExemptionFacts {
  readonly priority: Priority;
  readonly isPinned: boolean;
  readonly status: Status;
  /** 0 for the newest cycle. */
  readonly cyclesSinceCited: number | undefined;
  /** It matches the task strongly. */
  readonly isTriggered: boolean;
}

/** Why a section is never a stub by its score (DESIGN §3.3): the strongest reason, undefined when there is none. */
export function exemptionOf(facts: ExemptionFacts): Exemption | undefined {
  // Instructions are followed, not cited.
  if (facts.priority === 'P0' || facts.priority === 'P1') return facts.priority;
  if (facts.isPinned) return 'pinned';
  if (facts.status !== 'OK') return 'alarm';
  if (isCitedLately(facts.cyclesSinceCited)) return 'cited';
  return facts.isTriggered ? 'triggered' : undefined;
}

/**
 * What mode `dynamic` makes of a section: a stub when nothing exempts it, ten cycles have loaded it and its score is
 * below the threshold. Without that history nothing is hidden: a section that was not shown could not be cited.
 */
export function verdictOf({
  score,
  threshold,
  hasEnoughData,
  exemption,
}: Pick<SectionRelevance, 'score' | 'threshold' | 'hasEnoughData' | 'exemption'>): SectionRelevance['verdict'] {
  return exemption === undefined && hasEnoughData && score < threshold ? 'stub' : 'kept';
}

/**
 * Usage records as tables, one row a cycle and one column a section, so that many settings can be tried on them. Cell
 * `(cycle, section)` is at `cycle · columns + section`.
 */
export interface UsageTrace {
  readonly columns: number;
  /** The records' own numbers, oldest first. */
  readonly cycles: readonly number[];
  /** 1 where the payload had the section, in any disclosure but `omitted`. */
  readonly loaded: Uint8Array;
  /** Size as shown; of one that the mode hid, what it would have been (`textSize`). 0 where it was not loaded. */
  readonly chars: Float64Array;
  readonly tokens: Float64Array;
  /** Size as logged. */
  readonly loggedChars: Float64Array;
  readonly loggedTokens: Float64Array;
  /** Citations that a stub would have lost, and those that were asked for by handle. */
  readonly citations: Uint16Array;
  readonly asked: Uint16Array;
  /** Per cycle: sections that were not asked about, and what stands around sections. */
  readonly others: readonly Size[];
  /** Per cycle: citations of such sections. */
  readonly otherCitations: readonly number[];
  /** Per cycle: an index-only payload, in which every section is one row already. */
  readonly isIndex: readonly boolean[];
}

function isShown({ disclosure }: UsedSection): boolean {
  return disclosure === 'full' || disclosure === 'summary';
}

/**
 * Size without the scoring mode: as logged where the section was shown, or where the mode hides nothing and the budget left
 * it out. Of a hidden one what it was when it was last shown, else its full size, which the caps may not have allowed.
 */
function textSize(used: UsedSection, mode: ScoringMode | undefined, known: Size | undefined): Size {
  const { chars, tokens, charsFull = 0, tokensFull = 0 } = used;
  if (isShown(used) || mode === undefined || mode === 'baseline' || mode === 'off') return { chars, tokens };
  const text = known ?? { chars: charsFull, tokens: tokensFull };
  return { chars: Math.max(text.chars, chars), tokens: Math.max(text.tokens, tokens) };
}

/** Reads `records`, oldest first, for the sections of `ids`. Cost: records times sections. */
export function traceUsage(records: readonly UsageRecord[], ids: readonly string[]): UsageTrace {
  const columns = ids.length;
  const columnOf = new Map(ids.map((id, at) => [id, at]));
  const cells = records.length * columns;
  const trace = {
    columns,
    cycles: records.map(({ cycle }) => cycle),
    loaded: new Uint8Array(cells),
    chars: new Float64Array(cells),
    tokens: new Float64Array(cells),
    loggedChars: new Float64Array(cells),
    loggedTokens: new Float64Array(cells),
    citations: new Uint16Array(cells),
    asked: new Uint16Array(cells),
    isIndex: records.map(({ payload }) => payload === 'index'),
  };
  const known = new Map<number, Size>();
  const others = records.map((record, row) => {
    let rest: Size = { chars: record.overheadChars ?? 0, tokens: record.overheadTokens ?? 0 };
    for (const used of record.sections) {
      const column = columnOf.get(used.id);
      if (used.disclosure === 'omitted') continue;
      if (column === undefined) {
        rest = { chars: rest.chars + used.chars, tokens: rest.tokens + used.tokens };
        continue;
      }
      const at = row * columns + column;
      const size = textSize(used, record.mode, known.get(column));
      if (isShown(used) && record.payload !== 'index') known.set(column, size);
      trace.loaded[at] = 1;
      [trace.chars[at], trace.tokens[at]] = [size.chars, size.tokens];
      [trace.loggedChars[at], trace.loggedTokens[at]] = [used.chars, used.tokens];
    }
    return record.sections.length === 0 ? NO_SIZE : rest;
  });
  const otherCitations = records.map(({ cited }, row) => {
    let count = 0;
    for (const { id, evidence } of cited) {
      const column = columnOf.get(id);
      if (column === undefined) count++;
      else {
        const table = evidence === 'handle' ? trace.asked : trace.citations;
        table[row * columns + column] = (table[row * columns + column] ?? 0) + 1;
      }
    }
    return count;
  });
  return { ...trace, others, otherCitations };
}
