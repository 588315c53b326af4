import { SCORING_MODES, type ScoringMode } from '../../model/relevance';
import type { Citation, UsageRecord, UsedSection } from '../usageRecord';

/** Columns of a trend. */
const MAX_STRETCHES = 20;

/** The stretches before one more was needed and the width had to grow: where each of them went. */
type Moved = readonly number[];

/**
 * Cuts cycles into stretches of equal width, by number: cycle c is in stretch ⌊(c − 1) ÷ width⌋. The width is the
 * smallest power of two that leaves at most 20 stretches with a cycle in them, so that neither the order of the cycles
 * nor a gap in their numbers matters.
 */
class Stretches {
  #width = 1;
  /** Number of each stretch, by its place; places are given as stretches are met. */
  #keys: number[] = [];
  #places = new Map<number, number>();
  #lastKey = -1;
  #lastPlace = 0;

  get width(): number {
    return this.#width;
  }

  /** Place and number of each stretch, oldest first. */
  get inOrder(): readonly { readonly place: number; readonly firstCycle: number }[] {
    return this.#keys
      .map((key, place) => ({ place, firstCycle: key * this.#width + 1 }))
      .sort((left, right) => left.firstCycle - right.firstCycle);
  }

  /** Place of the cycle's stretch. Calls `onMove` when it had to make stretches wider for it. */
  placeOf(cycle: number, onMove: (moved: Moved) => void): number {
    const key = Math.floor((cycle - 1) / this.#width);
    if (key === this.#lastKey) return this.#lastPlace;
    let place = this.#places.get(key);
    if (place === undefined) {
      if (this.#keys.length === MAX_STRETCHES) {
        this.#widen(key, onMove);
        return this.placeOf(cycle, onMove);
      }
      place = this.#keys.push(key) - 1;
      this.#places.set(key, place);
    }
    this.#lastKey = key;
    this.#lastPlace = place;
    return place;
  }

  /** Doubles the width until there is room for one more stretch, or the new one is part of one that is there. */
  #widen(newKey: number, onMove: (moved: Moved) => void): void {
    let factor = 2;
    const at = (key: number): number => Math.floor(key / factor);
    while (new Set([...this.#keys, newKey].map(at)).size > MAX_STRETCHES) factor *= 2;
    const keys = [...new Set(this.#keys.map(at))];
    const moved = this.#keys.map((key) => keys.indexOf(at(key)));
    this.#width *= factor;
    this.#keys = keys;
    this.#places = new Map(keys.map((key, place) => [key, place]));
    this.#lastKey = -1;
    onMove(moved);
  }
}

/** In the order that phases are shown. */
export const MODES: readonly ScoringMode[] = [...SCORING_MODES.filter((mode) => mode !== 'off'), 'off'];

/** Cycles whose citations are remembered, so that one that is repeated in a later line does not count again. */
export const REMEMBERED_CYCLES = 1024;

const NEVER = -1;

/** Sums of one scoring mode. Measures are whole numbers, so that sums do not depend on the order of the records. */
export interface PhaseSums {
  cycles: number;
  chars: number;
  tokens: number;
  /** Millionths. */
  observability: number;
  observabilityCycles: number;
  responseMicros: number;
  responseCycles: number;
}

function emptyPhase(): PhaseSums {
  return {
    cycles: 0,
    chars: 0,
    tokens: 0,
    observability: 0,
    observabilityCycles: 0,
    responseMicros: 0,
    responseCycles: 0,
  };
}

/** One sum for each stretch, by its place. */
type Sums = number[];

function emptySums(): Sums {
  return new Array<number>(MAX_STRETCHES).fill(0);
}

function addAt(sums: Sums, place: number, amount: number): void {
  sums[place] = (sums[place] ?? 0) + amount;
}

function moveSums(sums: Sums, moved: Moved): void {
  const old = sums.slice();
  sums.fill(0);
  for (const [place, to] of moved.entries()) addAt(sums, to, old[place] ?? 0);
}

/** Sums of one section. Cycles are -1 for never. */
export interface SectionSums {
  readonly id: string;
  readonly chars: Sums;
  readonly loaded: Sums;
  readonly citations: Sums;
  firstLoaded: number;
  lastLoaded: number;
  lastCited: number;
  /** Hash of its content where it was met first, and last; undefined where nothing tells. */
  firstContent: string | undefined;
  lastContent: string | undefined;
}

/** A stub or an empty element says nothing of what is in it. */
function contentOf({ chars, disclosure, hash }: UsedSection): string | undefined {
  return chars > 0 && (disclosure === 'full' || disclosure === 'summary') ? hash : undefined;
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
  readonly stretches = new Stretches();
  readonly phases: readonly PhaseSums[] = MODES.map(emptyPhase);
  firstCycle = Number.POSITIVE_INFINITY;
  lastCycle = 0;

  readonly stretchCycles = emptySums();
  readonly stretchChars = emptySums();
  readonly stretchTokens = emptySums();

  /** In the order in which the log names them. */
  readonly sections = new Map<string, SectionSums>();

  /** By cycle modulo `REMEMBERED_CYCLES`: its citations. */
  readonly #cited: { cycle: number; readonly seen: Set<string> }[] = [];
  readonly #onMove = (moved: Moved): void => this.#move(moved);

  /** Adds a record. Returns false when its sections did not count, because the cycle has some already. */
  add(record: UsageRecord): boolean {
    const { cycle, sections, cited } = record;
    for (const { id } of [...sections, ...cited]) this.#sumsOf(id);
    const place = this.stretches.placeOf(cycle, this.#onMove);
    this.#cite(cycle, cited, place);
    if (sections.length === 0) {
      this.amended.add(cycle);
      return true;
    }
    if (this.cycles.has(cycle)) return false;
    this.cycles.add(cycle);
    this.firstCycle = Math.min(this.firstCycle, cycle);
    this.lastCycle = Math.max(this.lastCycle, cycle);
    this.#load(record, place);
    return true;
  }

  #sumsOf(id: string): SectionSums {
    let sums = this.sections.get(id);
    if (!sums) {
      sums = {
        id,
        chars: emptySums(),
        loaded: emptySums(),
        citations: emptySums(),
        firstLoaded: NEVER,
        lastLoaded: NEVER,
        lastCited: NEVER,
        firstContent: undefined,
        lastContent: undefined,
      };
      this.sections.set(id, sums);
    }
    return sums;
  }

  #cite(cycle: number, cited: readonly Citation[], place: number): void {
    if (cited.length === 0) return;
    const slot = cycle % REMEMBERED_CYCLES;
    const known = this.#cited[slot];
    const once = known?.cycle === cycle ? known : { cycle, seen: new Set<string>() };
    this.#cited[slot] = once;
    for (const { id, evidence, what } of cited) {
      const { size } = once.seen;
      if (once.seen.add(JSON.stringify([id, evidence, what])).size === size) continue;
      const sums = this.#sumsOf(id);
      addAt(sums.citations, place, 1);
      sums.lastCited = Math.max(sums.lastCited, cycle);
    }
  }

  #load(record: UsageRecord, place: number): void {
    const { cycle } = record;
    let chars = 0;
    let tokens = Math.round(record.overheadTokens ?? 0);
    const loaded = new Set<string>();
    for (const section of record.sections) {
      if (section.disclosure === 'omitted') continue;
      const sectionChars = Math.round(section.chars);
      chars += sectionChars;
      tokens += Math.round(section.tokens);
      const sums = this.#sumsOf(section.id);
      addAt(sums.chars, place, sectionChars);
      // A section that is there twice is loaded once.
      if (loaded.has(section.id)) continue;
      loaded.add(section.id);
      addAt(sums.loaded, place, 1);
      noteContent(sums, section, cycle);
    }
    addAt(this.stretchCycles, place, 1);
    addAt(this.stretchChars, place, chars);
    addAt(this.stretchTokens, place, tokens);
    this.#addPhase(record, chars, tokens);
  }

  #move(moved: Moved): void {
    for (const sums of [this.stretchCycles, this.stretchChars, this.stretchTokens]) moveSums(sums, moved);
    for (const { chars, loaded, citations } of this.sections.values()) {
      for (const sums of [chars, loaded, citations]) moveSums(sums, moved);
    }
  }

  #addPhase({ mode = 'baseline', observabilityScore, responseMs }: UsageRecord, chars: number, tokens: number): void {
    const phase = this.phases[MODES.indexOf(mode)];
    if (!phase) return;
    phase.cycles++;
    phase.chars += chars;
    phase.tokens += tokens;
    if (observabilityScore !== undefined) {
      phase.observability += Math.round(observabilityScore * 1e6);
      phase.observabilityCycles++;
    }
    if (responseMs !== undefined) {
      phase.responseMicros += Math.round(responseMs * 1e3);
      phase.responseCycles++;
    }
  }
}

function noteContent(sums: SectionSums, section: UsedSection, cycle: number): void {
  const content = contentOf(section);
  if (sums.firstLoaded === NEVER) sums.firstContent = content;
  sums.firstLoaded = sums.firstLoaded === NEVER ? cycle : Math.min(sums.firstLoaded, cycle);
  sums.lastLoaded = Math.max(sums.lastLoaded, cycle);
  if (content !== undefined) sums.lastContent = content;
}
