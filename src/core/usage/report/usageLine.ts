/** One line of a usage log as the report needs it; filled again and again, so that a long log leaves no garbage. */
import type { ScoringMode } from '../../config/config';

/** In the order that phases are shown. */
export const MODES: readonly ScoringMode[] = ['baseline', 'static', 'dynamic', 'off'];

/** Larger sizes are no sizes: a trillion. Sums of a billion of them stay exact enough to be compared. */
export const MAX_AMOUNT = 1e12;

/** Sums of measures are of whole numbers, so that they do not depend on the order of the records. */
const MILLIONTHS = 1e6;

type Numbers = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

function doubled<T extends Numbers>(array: T, create: new (length: number) => T): T {
  const larger = new create(array.length * 2);
  larger.set(array);
  return larger;
}

/** What one line says, numbers only. Arrays hold `sectionCount` and `citedCount` items, then rests of other lines. */
export class UsageLine {
  cycle = 0;
  /** `YYYYMMDDHHmmss` as a number, which orders like the time. */
  time = 0;
  /** Index in `MODES`. */
  mode = 0;
  /** It was made elsewhere, such as a transcript's turn: its time says nothing of when it was written. */
  hasOrigin = false;
  overheadTokens = 0;
  /** Thousandths of a millisecond; -1 where not logged. */
  responseMicros = -1;
  /** Millionths; -1 where not logged. */
  observability = -1;

  sectionCount = 0;
  /** Index in `SectionNames`. */
  sections = new Int32Array(64);
  chars = new Float64Array(64);
  tokens = new Float64Array(64);
  /** 1 where it was loaded, 0 for `omitted`. */
  isLoaded = new Uint8Array(64);
  /** Two halves of a fingerprint of `hash`; both 0 without one, and where it says nothing of the content (a stub). */
  hashA = new Int32Array(64);
  hashB = new Int32Array(64);

  citedCount = 0;
  /** Index in `SectionNames`. */
  cited = new Int32Array(64);
  /** Fingerprint of evidence and what was seen, in two halves: tells citations of a cycle apart. */
  evidenceA = new Int32Array(64);
  evidenceB = new Int32Array(64);

  /** Back to a line that says nothing. */
  clear(): void {
    this.cycle = 0;
    this.time = 0;
    this.mode = 0;
    this.hasOrigin = false;
    this.overheadTokens = 0;
    this.responseMicros = -1;
    this.observability = -1;
    this.sectionCount = 0;
    this.citedCount = 0;
  }

  setResponseMs(milliseconds: number): void {
    this.responseMicros = Math.round(milliseconds * 1000);
  }

  setObservability(score: number): void {
    this.observability = Math.round(score * MILLIONTHS);
  }

  addSection(section: number, chars: number, tokens: number, isLoaded: boolean, hashA: number, hashB: number): void {
    const at = this.sectionCount++;
    if (at === this.sections.length) this.#growSections();
    this.sections[at] = section;
    this.chars[at] = chars;
    this.tokens[at] = tokens;
    this.isLoaded[at] = isLoaded ? 1 : 0;
    this.hashA[at] = hashA;
    this.hashB[at] = hashB;
  }

  addCitation(section: number, evidenceA: number, evidenceB: number): void {
    const at = this.citedCount++;
    if (at === this.cited.length) {
      this.cited = doubled(this.cited, Int32Array);
      this.evidenceA = doubled(this.evidenceA, Int32Array);
      this.evidenceB = doubled(this.evidenceB, Int32Array);
    }
    this.cited[at] = section;
    this.evidenceA[at] = evidenceA;
    this.evidenceB[at] = evidenceB;
  }

  #growSections(): void {
    this.sections = doubled(this.sections, Int32Array);
    this.chars = doubled(this.chars, Float64Array);
    this.tokens = doubled(this.tokens, Float64Array);
    this.isLoaded = doubled(this.isLoaded, Uint8Array);
    this.hashA = doubled(this.hashA, Int32Array);
    this.hashB = doubled(this.hashB, Int32Array);
  }
}
