import { CitedOnce } from './citedOnce';
import { CycleSet } from './cycleSet';
import { MAX_STRETCHES, type Moved, Stretches } from './stretches';
import { MODES, type UsageLine } from './usageLine';

/** Cycles whose citations are remembered, so that one that is told again, in a later line, does not count again. */
export const REMEMBERED_CYCLES = 1024;

const FIRST_SECTIONS = 64;
const NEVER = -1;

/** Sums of one scoring mode. */
export interface PhaseSums {
  cycles: number;
  chars: number;
  tokens: number;
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

/** One kind of sum: a number for each stretch of each section. */
type Sums = Float64Array<ArrayBuffer>;

function moveSums(sums: Sums, count: number, moved: Moved): void {
  const old = new Float64Array(MAX_STRETCHES);
  for (let first = 0; first < count * MAX_STRETCHES; first += MAX_STRETCHES) {
    old.set(sums.subarray(first, first + MAX_STRETCHES));
    sums.fill(0, first, first + MAX_STRETCHES);
    for (const [place, to] of moved.entries()) {
      sums[first + to] = (sums[first + to] as number) + (old[place] as number);
    }
  }
}

/**
 * Sums over a log, line by line. They are of whole numbers and found by cycle number, so that only what is said of
 * lines (`clock`, which line of a cycle comes first) depends on their order. The sections of a cycle are those of its
 * first line that has any; distinct citations of all its lines count,
 * where no line lies between them whose cycle is told by a multiple of 1,024 from it.
 */
export class UsageTally {
  readonly cycles = new CycleSet();
  /** Cycles that lines without sections belong to. */
  readonly amended = new CycleSet();
  readonly stretches = new Stretches();
  readonly phases: readonly PhaseSums[] = MODES.map(emptyPhase);
  firstCycle = Number.POSITIVE_INFINITY;
  lastCycle = 0;

  /** By place of the stretch. */
  readonly stretchCycles: Sums = new Float64Array(MAX_STRETCHES);
  readonly stretchChars: Sums = new Float64Array(MAX_STRETCHES);
  readonly stretchTokens: Sums = new Float64Array(MAX_STRETCHES);

  /** By section × 20 + place. */
  chars: Sums = new Float64Array(FIRST_SECTIONS * MAX_STRETCHES);
  loaded: Sums = new Float64Array(FIRST_SECTIONS * MAX_STRETCHES);
  citations: Sums = new Float64Array(FIRST_SECTIONS * MAX_STRETCHES);

  /** By section; cycles, -1 for none. */
  firstLoaded = new Float64Array(FIRST_SECTIONS).fill(NEVER);
  lastLoaded = new Float64Array(FIRST_SECTIONS).fill(NEVER);
  lastCited = new Float64Array(FIRST_SECTIONS).fill(NEVER);
  /** By section × 4: fingerprint of the content where it was met first, then where it was met last. */
  hashes = new Int32Array(FIRST_SECTIONS * 4);

  /** By section: the line that loaded it last. */
  #loadedIn = new Float64Array(FIRST_SECTIONS);
  #line = 0;
  readonly #cited = Array.from({ length: REMEMBERED_CYCLES }, () => new CitedOnce());
  readonly #onMove = (moved: Moved): void => this.#move(moved);
  #capacity = FIRST_SECTIONS;

  /** Makes room for sections numbered below `count`. */
  reserve(count: number): void {
    if (count <= this.#capacity) return;
    while (this.#capacity < count) this.#capacity *= 2;
    const capacity = this.#capacity;
    const wider = (sums: Sums): Sums => {
      const all = new Float64Array(capacity * MAX_STRETCHES);
      all.set(sums);
      return all;
    };
    const longer = (cycles: Sums): Sums => {
      const all = new Float64Array(capacity).fill(NEVER);
      all.set(cycles);
      return all;
    };
    this.chars = wider(this.chars);
    this.loaded = wider(this.loaded);
    this.citations = wider(this.citations);
    this.firstLoaded = longer(this.firstLoaded);
    this.lastLoaded = longer(this.lastLoaded);
    this.lastCited = longer(this.lastCited);
    this.#loadedIn = longer(this.#loadedIn);
    const hashes = new Int32Array(capacity * 4);
    hashes.set(this.hashes);
    this.hashes = hashes;
  }

  /**
   * Adds a line, whose sections must have room.
   * @returns false when its sections did not count, because the cycle has some already
   */
  add(line: UsageLine): boolean {
    const { cycle } = line;
    const place = this.stretches.placeOf(cycle, this.#onMove);
    this.#cite(line, place);
    if (line.sectionCount === 0) {
      this.amended.add(cycle);
      return true;
    }
    if (!this.cycles.add(cycle)) return false;
    if (cycle < this.firstCycle) this.firstCycle = cycle;
    if (cycle > this.lastCycle) this.lastCycle = cycle;
    this.#load(line, place);
    return true;
  }

  #cite({ cycle, cited, citedCount, evidenceA, evidenceB }: UsageLine, place: number): void {
    const { citations, lastCited } = this;
    const once = this.#cited[cycle % REMEMBERED_CYCLES];
    once?.begin(cycle);
    for (let at = 0; at < citedCount; at++) {
      const section = cited[at] as number;
      if (!once?.add(section, evidenceA[at] as number, evidenceB[at] as number)) continue;
      const index = section * MAX_STRETCHES + place;
      citations[index] = (citations[index] as number) + 1;
      if (cycle > (lastCited[section] as number)) lastCited[section] = cycle;
    }
  }

  #load(line: UsageLine, place: number): void {
    this.#line++;
    let totalChars = 0;
    let totalTokens = line.overheadTokens;
    for (let at = 0; at < line.sectionCount; at++) {
      if (line.isLoaded[at] === 0) continue;
      const section = line.sections[at] as number;
      const chars = line.chars[at] as number;
      totalChars += chars;
      totalTokens += line.tokens[at] as number;
      const index = section * MAX_STRETCHES + place;
      this.chars[index] = (this.chars[index] as number) + chars;
      // A section that is there twice is loaded once.
      if (this.#note(line, at, section)) this.loaded[index] = (this.loaded[index] as number) + 1;
    }
    this.stretchCycles[place] = (this.stretchCycles[place] as number) + 1;
    this.stretchChars[place] = (this.stretchChars[place] as number) + totalChars;
    this.stretchTokens[place] = (this.stretchTokens[place] as number) + totalTokens;
    this.#addPhase(line, totalChars, totalTokens);
  }

  /** @returns false when the same line has loaded it already */
  #note({ cycle, hashA, hashB }: UsageLine, at: number, section: number): boolean {
    if (this.#loadedIn[section] === this.#line) return false;
    this.#loadedIn[section] = this.#line;
    const { firstLoaded, lastLoaded, hashes } = this;
    const a = hashA[at] as number;
    const b = hashB[at] as number;
    const first = firstLoaded[section] as number;
    if (first === NEVER) {
      hashes[section * 4] = a;
      hashes[section * 4 + 1] = b;
    }
    if (first === NEVER || cycle < first) firstLoaded[section] = cycle;
    if (cycle > (lastLoaded[section] as number)) lastLoaded[section] = cycle;
    if (a !== 0 || b !== 0) {
      hashes[section * 4 + 2] = a;
      hashes[section * 4 + 3] = b;
    }
    return true;
  }

  #move(moved: Moved): void {
    for (const sums of [this.stretchCycles, this.stretchChars, this.stretchTokens]) moveSums(sums, 1, moved);
    for (const sums of [this.chars, this.loaded, this.citations]) moveSums(sums, this.#capacity, moved);
  }

  #addPhase({ mode, observability, responseMicros }: UsageLine, chars: number, tokens: number): void {
    const phase = this.phases[mode];
    if (!phase) return;
    phase.cycles++;
    phase.chars += chars;
    phase.tokens += tokens;
    if (observability >= 0) {
      phase.observability += observability;
      phase.observabilityCycles++;
    }
    if (responseMicros >= 0) {
      phase.responseMicros += responseMicros;
      phase.responseCycles++;
    }
  }
}
