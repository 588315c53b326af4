import { SCORING_MODES, type ScoringMode } from '../../model/relevance';
import type { Priority } from '../../model/section';
import { ROI_CYCLES } from '../../model/usage';
import { contentHash } from '../usageHistory';
import type { Citation, UsageRecord, UsedSection } from '../usageRecord';

/** Columns of a trend. */
const MAX_STRETCHES = 20;

/** In the order that phases are shown. */
export const MODES: readonly ScoringMode[] = [...SCORING_MODES.filter((mode) => mode !== 'off'), 'off'];

/** Cycles whose citations are remembered, so that one that is repeated in a later line does not count again. */
const REMEMBERED_CYCLES = 1024;

const NEVER = -1;

/** Cycles whose rows are kept, the newest; of these the newest judged ones make the returns. */
const KEPT_ROWS = 4 * ROI_CYCLES;

/** What is known of one of the newest cycles: later lines may still say that it is judged, and how it was measured. */
export interface CycleRow {
  isJudged: boolean;
  phase: PhaseSums | undefined;
  responseMs: number | undefined;
  observabilityScore: number | undefined;
  /** Parallel: sections that it loaded, and their characters. */
  readonly loaded: SectionSums[];
  readonly chars: number[];
  /** A section for each citation. */
  readonly cited: SectionSums[];
}

/** Sums of one scoring mode. Measures are whole numbers, so that sums do not depend on the order of the records. */
export type PhaseSums = ReturnType<typeof emptyPhase>;

function emptyPhase() {
  return {
    cycles: 0,
    chars: 0,
    tokens: 0,
    /** Millionths. */
    observability: 0,
    observabilityCycles: 0,
    responseMicros: 0,
    responseCycles: 0,
  };
}

/** Sums by the number of their stretch. */
type Sums = Map<number, number>;

function addAt(sums: Sums, stretch: number, amount: number): void {
  sums.set(stretch, (sums.get(stretch) ?? 0) + amount);
}

/** Joins each two neighbouring stretches. */
function halve(sums: Sums): void {
  const old = [...sums];
  sums.clear();
  for (const [stretch, amount] of old) addAt(sums, Math.floor(stretch / 2), amount);
}

/** Sums of one section. Cycles are -1 for never. */
export type SectionSums = ReturnType<typeof emptySection>;

function emptySection(id: string) {
  return {
    id,
    chars: new Map() as Sums,
    loaded: new Map() as Sums,
    citations: new Map() as Sums,
    tokens: 0,
    firstLoaded: NEVER,
    lastLoaded: NEVER,
    lastCited: NEVER,
    priority: undefined as Priority | undefined,
    /** Hash of its content where it was met first, and last; undefined where nothing tells. */
    firstContent: undefined as string | undefined,
    lastContent: undefined as string | undefined,
  };
}

/**
 * Sums over a log, record by record, found by cycle number, so that only which line of a cycle comes first depends on
 * their order. The sections of a cycle are those of its first line that has any; distinct citations of all its lines
 * count, where no line lies between them whose cycle differs from it by a multiple of 1,024.
 */
export class UsageTally {
  readonly cycles = new Set<number>();
  /** Cycles that lines without sections belong to. */
  readonly amended = new Set<number>();
  /**
   * Cycles of a stretch: cycle c is in stretch ⌊(c − 1) ÷ width⌋. The smallest power of two that leaves at most 20
   * stretches with a cycle in them, so that neither the order of the cycles nor a gap in their numbers matters.
   */
  stretchWidth = 1;
  readonly phases: readonly PhaseSums[] = MODES.map(emptyPhase);
  firstCycle = Number.POSITIVE_INFINITY;
  lastCycle = 0;
  /** `YYYY-MM-DD HH:mm:ss` of the oldest record. */
  firstTime: string | undefined;

  readonly stretchCycles: Sums = new Map();
  readonly stretchChars: Sums = new Map();
  readonly stretchTokens: Sums = new Map();

  /** In the order in which the log names them. */
  readonly sections = new Map<string, SectionSums>();

  /** By cycle modulo `REMEMBERED_CYCLES`: its citations. */
  readonly #cited: { cycle: number; readonly seen: Set<string> }[] = [];
  #stretches = new Set<number>();
  readonly #rows = new Map<number, CycleRow>();

  /** Adds a record. Returns false when its sections did not count, because the cycle has some already. */
  add(record: UsageRecord): boolean {
    const { cycle, sections, cited, ts } = record;
    if (this.firstTime === undefined || ts < this.firstTime) this.firstTime = ts;
    for (const { id } of [...sections, ...cited]) this.#sumsOf(id);
    const stretch = this.#stretchOf(cycle);
    const row = this.#rowOf(cycle);
    if (record.judged !== false) row.isJudged = true;
    this.#cite(cycle, cited, stretch, row);
    this.#measure(row, record);
    if (sections.length === 0) {
      this.amended.add(cycle);
      return true;
    }
    if (this.cycles.has(cycle)) return false;
    this.cycles.add(cycle);
    this.firstCycle = Math.min(this.firstCycle, cycle);
    this.lastCycle = Math.max(this.lastCycle, cycle);
    this.#load(record, stretch, row);
    return true;
  }

  #sumsOf(id: string): SectionSums {
    const sums = this.sections.get(id) ?? emptySection(id);
    this.sections.set(id, sums);
    return sums;
  }

  /** The newest `ROI_CYCLES` judged cycles whose sections are known. */
  get judged(): readonly CycleRow[] {
    const rows = [...this.#rows].filter(([, { phase, isJudged }]) => phase && isJudged);
    return rows
      .sort(([left], [right]) => left - right)
      .slice(-ROI_CYCLES)
      .map(([, row]) => row);
  }

  #rowOf(cycle: number): CycleRow {
    const known = this.#rows.get(cycle);
    if (known) return known;
    const row: CycleRow = {
      isJudged: false,
      phase: undefined,
      responseMs: undefined,
      observabilityScore: undefined,
      loaded: [],
      chars: [],
      cited: [],
    };
    this.#rows.set(cycle, row);
    if (this.#rows.size > 2 * KEPT_ROWS) {
      const old = [...this.#rows.keys()].sort((left, right) => right - left).slice(KEPT_ROWS);
      for (const each of old) this.#rows.delete(each);
    }
    return row;
  }

  /** A measure counts once a cycle: that of the first line that has it. */
  #measure(row: CycleRow, { responseMs, observabilityScore }: UsageRecord): void {
    if (responseMs !== undefined && row.responseMs === undefined) {
      row.responseMs = responseMs;
      if (row.phase) addMeasures(row.phase, { responseMs });
    }
    if (observabilityScore !== undefined && row.observabilityScore === undefined) {
      row.observabilityScore = observabilityScore;
      if (row.phase) addMeasures(row.phase, { observabilityScore });
    }
  }

  #cite(cycle: number, cited: readonly Citation[], stretch: number, row: CycleRow): void {
    if (cited.length === 0) return;
    const slot = cycle % REMEMBERED_CYCLES;
    const known = this.#cited[slot];
    const once = known?.cycle === cycle ? known : { cycle, seen: new Set<string>() };
    this.#cited[slot] = once;
    for (const { id, evidence, what } of cited) {
      const { size } = once.seen;
      if (once.seen.add(JSON.stringify([id, evidence, what])).size === size) continue;
      const sums = this.#sumsOf(id);
      addAt(sums.citations, stretch, 1);
      row.cited.push(sums);
      sums.lastCited = Math.max(sums.lastCited, cycle);
    }
  }

  #load(record: UsageRecord, stretch: number, row: CycleRow): void {
    const { cycle } = record;
    let chars = Math.round(record.overheadChars ?? 0);
    let tokens = Math.round(record.overheadTokens ?? 0);
    const loaded = new Set<string>();
    for (const section of record.sections) {
      if (section.disclosure === 'omitted') continue;
      const sectionChars = Math.round(section.chars);
      chars += sectionChars;
      const sectionTokens = Math.round(section.tokens);
      tokens += sectionTokens;
      const sums = this.#sumsOf(section.id);
      sums.tokens += sectionTokens;
      addAt(sums.chars, stretch, sectionChars);
      row.loaded.push(sums);
      row.chars.push(sectionChars);
      // A section that is there twice is loaded once.
      if (loaded.has(section.id)) continue;
      loaded.add(section.id);
      addAt(sums.loaded, stretch, 1);
      noteContent(sums, section, cycle);
    }
    addAt(this.stretchCycles, stretch, 1);
    addAt(this.stretchChars, stretch, chars);
    addAt(this.stretchTokens, stretch, tokens);
    const phase = this.phases[MODES.indexOf(record.mode ?? 'baseline')];
    if (!phase) return;
    phase.cycles++;
    phase.chars += chars;
    phase.tokens += tokens;
    row.phase = phase;
    addMeasures(phase, row);
  }

  /** Stretches with a line in them, oldest first. */
  get stretches(): readonly number[] {
    return [...this.#stretches].sort((left, right) => left - right);
  }

  /** The stretch of a cycle; makes all stretches wider when there is one too many. */
  #stretchOf(cycle: number): number {
    this.#stretches.add(Math.floor((cycle - 1) / this.stretchWidth));
    while (this.#stretches.size > MAX_STRETCHES) {
      this.stretchWidth *= 2;
      this.#stretches = new Set([...this.#stretches].map((stretch) => Math.floor(stretch / 2)));
      for (const sums of [this.stretchCycles, this.stretchChars, this.stretchTokens]) halve(sums);
      for (const { chars, loaded, citations } of this.sections.values()) [chars, loaded, citations].forEach(halve);
    }
    return Math.floor((cycle - 1) / this.stretchWidth);
  }
}

function addMeasures(
  phase: PhaseSums,
  { observabilityScore, responseMs }: Pick<UsageRecord, 'observabilityScore' | 'responseMs'>,
): void {
  if (observabilityScore !== undefined) {
    phase.observability += Math.round(observabilityScore * 1e6);
    phase.observabilityCycles++;
  }
  if (responseMs !== undefined) {
    phase.responseMicros += Math.round(responseMs * 1e3);
    phase.responseCycles++;
  }
}

function noteContent(sums: SectionSums, section: UsedSection, cycle: number): void {
  const content = contentHash(section);
  if (sums.firstLoaded === NEVER) sums.firstContent = content;
  if (cycle >= sums.lastLoaded) sums.priority = section.priority;
  sums.firstLoaded = sums.firstLoaded === NEVER ? cycle : Math.min(sums.firstLoaded, cycle);
  sums.lastLoaded = Math.max(sums.lastLoaded, cycle);
  if (content !== undefined) sums.lastContent = content;
}
