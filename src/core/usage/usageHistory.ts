/**
 * From lines of the usage log to what they say of sections over a window of cycles. It decides what one cycle is (several
 * lines may tell of it), which section is which after a rename, and what is counted; classes and thresholds are `roi.ts`'s.
 */

import type { PayloadMode } from '../model/section';
import { ROI_CYCLES, ROI_THRESHOLDS, type RoiThresholds, type SectionUsage, type UsageWindow } from '../model/usage';
import { type Phrase, phrase } from '../text/phrase';
import { type RoiBasis, sectionRoi } from './roi';
import type { Citation, UsageRecord, UsedSection } from './usageRecord';

/** A section that goes on under another id. */
interface SectionRename {
  readonly from: string;
  readonly to: string;
  /** The first cycle that had the new id. */
  readonly cycle: number;
}

/** Records of other programs say nothing of the payload: they are compared among themselves. */
type Kind = PayloadMode | 'unknown';

/** The hash of a section's content as shown; a stub or an empty element says nothing about what is in it. */
export function contentHash({ hash, disclosure, chars }: UsedSection): string | undefined {
  return chars > 0 && (disclosure === 'full' || disclosure === 'summary') ? hash : undefined;
}

/**
 * Tells renamed sections from new ones: an id that was never seen, whose `hash` is the last one of an id that vanished with
 * the same cycle. Where two vanished with that hash, or two came, nothing is guessed.
 */
class SectionRenames {
  readonly #seen = new Set<string>();
  readonly #lastHash = new Map<string, Map<Kind, string>>();
  #previous: ReadonlySet<string> = new Set();

  /** Takes the next record; records without sections say nothing. */
  take({ cycle, payload, sections }: UsageRecord): readonly SectionRename[] {
    if (sections.length === 0) return [];
    const kind: Kind = payload ?? 'unknown';
    const ids = new Set(sections.map(({ id }) => id));
    const vanished = [...this.#previous].filter((id) => !ids.has(id));
    const added = sections.filter(({ id }) => this.#seen.size > 0 && !this.#seen.has(id));
    const renames = vanished.length === 0 ? [] : this.#match(vanished, added, kind, cycle);
    this.#remember(sections, kind);
    this.#previous = ids;
    return renames;
  }

  #match(
    vanished: readonly string[],
    added: readonly UsedSection[],
    kind: Kind,
    cycle: number,
  ): readonly SectionRename[] {
    return added.flatMap((section) => {
      const hash = contentHash(section);
      if (hash === undefined || added.some((other) => other !== section && contentHash(other) === hash)) return [];
      const [from, ...others] = vanished.filter((id) => this.#lastHash.get(id)?.get(kind) === hash);
      return from === undefined || others.length > 0 ? [] : [{ from, to: section.id, cycle }];
    });
  }

  #remember(sections: readonly UsedSection[], kind: Kind): void {
    for (const section of sections) {
      this.#seen.add(section.id);
      const hash = contentHash(section);
      if (hash === undefined) continue;
      const hashes = this.#lastHash.get(section.id) ?? new Map<Kind, string>();
      this.#lastHash.set(section.id, hashes.set(kind, hash));
    }
  }
}

/** Citations that are not there yet, in order; each distinct `{id, evidence, what}` of a cycle counts once, whatever its entry. */
function distinct(cited: readonly Citation[]): readonly Citation[] {
  const known = new Set<string>();
  return cited.filter(({ id, evidence, what }) => {
    const key = JSON.stringify([id, evidence, what]);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

function merge(first: UsageRecord, later: UsageRecord): UsageRecord {
  // What makes a cycle stays as it was recorded; a line that adds citations may come before it in a file put together by hand.
  const [base, other] = first.sections.length === 0 && later.sections.length > 0 ? [later, first] : [first, later];
  // A second record of a cycle is no reply to it; two that say nothing of it leave it as it is.
  const isJoined = other.judged !== false && base.judged !== undefined;
  return {
    ...other,
    ...base,
    ...(isJoined ? { judged: true } : {}),
    cited: distinct([...first.cited, ...later.cited]),
  };
}

/** Lines of one cycle become one record; in the order of cycles. Linear but for the order. */
export function mergeUsage(lines: Iterable<UsageRecord>): readonly UsageRecord[] {
  const byCycle = new Map<number, UsageRecord>();
  for (const line of lines) {
    const known = byCycle.get(line.cycle);
    byCycle.set(line.cycle, known ? merge(known, line) : { ...line, cited: distinct(line.cited) });
  }
  return [...byCycle.values()].sort((left, right) => left.cycle - right.cycle);
}

/** Seconds from `earlier` to `later`, both `YYYY-MM-DD HH:mm:ss`; the clock's own jumps are not known. */
export function secondsBetween(earlier: string, later: string): number {
  const momentOf = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);
  return (momentOf(later) - momentOf(earlier)) / 1000;
}

/** Times at which the clock went back; told once, however often it did. */
function clockFacts(all: readonly UsageRecord[]): readonly Phrase[] {
  // A turn of a transcript has its own time, and is recorded when it is read.
  const records = all.filter(({ origin }) => origin === undefined);
  const backwards = records.flatMap((record, at) => {
    const before = records[at - 1];
    // Times are written so that they sort as text.
    return before && record.ts < before.ts ? [{ record, by: secondsBetween(record.ts, before.ts) }] : [];
  });
  const [first] = backwards;
  if (!first) return [];
  const { by, record } = first;
  const rest = backwards.length - 1;
  if (rest === 0)
    return [
      phrase(
        'the clock went back by {0} s at cycle {1}; cycles keep the order in which they were recorded',
        by,
        record.cycle,
      ),
    ];
  return [
    phrase(
      rest === 1
        ? 'the clock went back by {0} s at cycle {1}, and {2} more time since; cycles keep the order in which they were recorded'
        : 'the clock went back by {0} s at cycle {1}, and {2} more times since; cycles keep the order in which they were recorded',
      by,
      record.cycle,
      rest,
    ),
  ];
}

/** What one section did, by the place of the cycle in the window. */
interface Tally {
  readonly charsPerCycle: number[];
  readonly citationsPerCycle: number[];
  /** Hashes of cited entries, the newest last. */
  readonly citedEntries: Set<string>;
  loaded: number;
}

const NOTHING_JUDGED: RoiBasis = { cycles: 0, citations: 0, chars: 0 };

/** Of the cycles that loaded it: what was cited without being there says nothing of its size. */
function basisOf({ charsPerCycle, citationsPerCycle, loaded }: Tally): RoiBasis {
  const citations = citationsPerCycle.filter((_, at) => (charsPerCycle[at] ?? 0) > 0);
  return { cycles: loaded, citations: sumOf(citations), chars: sumOf(charsPerCycle) };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function addAt(values: number[], at: number, amount: number): void {
  values[at] = (values[at] ?? 0) + amount;
}

function usageOf(
  id: string,
  tally: Tally,
  cycles: readonly number[],
  judged: Tally | undefined,
  thresholds: RoiThresholds,
): SectionUsage {
  const { charsPerCycle, citationsPerCycle, loaded } = tally;
  const citations = sumOf(citationsPerCycle);
  const charsMean = loaded === 0 ? 0 : sumOf(charsPerCycle) / loaded;
  const last = citationsPerCycle.findLastIndex((count) => count > 0);
  return {
    id,
    loaded,
    citedCycles: citationsPerCycle.filter((count) => count > 0).length,
    citations,
    charsMean,
    return: sectionRoi(judged ? basisOf(judged) : NOTHING_JUDGED, thresholds),
    citedEntries: [...(judged?.citedEntries ?? [])].reverse(),
    lastCitedCycle: cycles[last],
    cyclesSinceCited: last < 0 ? undefined : cycles.length - 1 - last,
    charsPerCycle,
    citationsPerCycle,
  };
}

function totals({ cycle, sections, overheadTokens = 0, overheadChars = 0 }: UsageRecord) {
  const shown = sections.filter(isLoaded);
  return {
    cycle,
    chars: sumOf([overheadChars, ...shown.map(({ chars }) => chars)]),
    tokens: sumOf([overheadTokens, ...shown.map(({ tokens }) => tokens)]),
  };
}

function isLoaded({ disclosure }: UsedSection): boolean {
  return disclosure !== 'omitted';
}

/** Sections by the id that they have now. */
class Tallies {
  readonly #tallies = new Map<string, Tally>();
  readonly #renamed = new Map<string, string>();

  constructor(private readonly count: number) {}

  rename(from: string, to: string): void {
    const tally = this.#tallies.get(from);
    this.#tallies.delete(from);
    if (tally) this.#tallies.set(to, tally);
    this.#renamed.set(from, to);
  }

  take(at: number, { sections, cited }: UsageRecord): void {
    const loaded = new Set<string>();
    for (const section of sections.filter(isLoaded)) {
      const tally = this.#of(section.id);
      if (!loaded.has(section.id)) tally.loaded++;
      loaded.add(section.id);
      addAt(tally.charsPerCycle, at, section.chars);
    }
    const present = new Set(sections.map(({ id }) => id));
    for (const { id, entry } of cited) {
      const tally = this.#of(this.#nowOf(id, present));
      addAt(tally.citationsPerCycle, at, 1);
      if (entry === undefined) continue;
      tally.citedEntries.delete(entry);
      tally.citedEntries.add(entry);
    }
  }

  of(id: string): Tally | undefined {
    return this.#tallies.get(id);
  }

  /** By id; ids sort by their code units, the same everywhere. */
  usage(cycles: readonly number[], judged: Tallies, thresholds: RoiThresholds): readonly SectionUsage[] {
    return [...this.#tallies]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([id, tally]) => usageOf(id, tally, cycles, judged.of(id), thresholds));
  }

  #of(id: string): Tally {
    const zeros = () => new Array<number>(this.count).fill(0);
    const tally = this.#tallies.get(id) ?? {
      charsPerCycle: zeros(),
      citationsPerCycle: zeros(),
      citedEntries: new Set(),
      loaded: 0,
    };
    this.#tallies.set(id, tally);
    return tally;
  }

  /** Who cites a section by its old id means the new one, unless a section has that id again. */
  #nowOf(id: string, present: ReadonlySet<string>): string {
    let now = id;
    const passed = new Set<string>();
    while (!present.has(now) && !passed.has(now)) {
      passed.add(now);
      now = this.#renamed.get(now) ?? now;
    }
    return now;
  }
}

/** Sections of these records, and those that were renamed on the way. */
function tally(records: readonly UsageRecord[]): {
  readonly tallies: Tallies;
  readonly renames: readonly SectionRename[];
} {
  const tallies = new Tallies(records.length);
  const watch = new SectionRenames();
  const renames: SectionRename[] = [];
  for (const [at, record] of records.entries()) {
    for (const rename of watch.take(record)) {
      tallies.rename(rename.from, rename.to);
      renames.push(rename);
    }
    tallies.take(at, record);
  }
  return { tallies, renames };
}

/**
 * The newest `size` of `records` (merged, in the order of cycles) as a window; returns are those of the newest
 * `ROI_CYCLES` judged ones of all that are given (`readForWindow`). A renamed section keeps its history under
 * its new id; one that vanished is kept as it was. `facts` are what is odd about the records, each once. Linear.
 */
export function usageHistory(
  records: readonly UsageRecord[],
  size: number,
  thresholds: RoiThresholds = ROI_THRESHOLDS,
): { readonly window: UsageWindow; readonly facts: readonly Phrase[] } {
  const newest = records.slice(-size);
  const judged = records.filter((record) => record.judged !== false).slice(-ROI_CYCLES);
  const { tallies, renames } = tally(newest);
  const facts = renames.map(({ from, to, cycle }) =>
    phrase('the section {0} became {1} in cycle {2}: same content', from, to, cycle),
  );
  const cycles = newest.map(({ cycle }) => cycle);
  const sections = tallies.usage(cycles, tally(judged).tallies, thresholds);
  return { window: { size, cycles: newest.map(totals), sections }, facts: [...clockFacts(newest), ...facts] };
}
