import type { PayloadMode } from '../model/disclosure';
import type { UsageRecord, UsedSection } from './usageRecord';

/** A section that goes on under another id. */
export interface SectionRename {
  readonly from: string;
  readonly to: string;
  /** The first cycle that had the new id. */
  readonly cycle: number;
}

/** Records of other programs say nothing of the payload: they are compared among themselves. */
type Kind = PayloadMode | 'unknown';

/** A stub or an empty element says nothing about what is in it. */
function hashOf({ hash, disclosure, chars }: UsedSection): string | undefined {
  return chars > 0 && (disclosure === 'full' || disclosure === 'summary') ? hash : undefined;
}

/**
 * Follows records in the order of their cycles and tells renamed sections from new ones: an id that was never seen, whose
 * `hash` is the last one of an id that vanished with the same cycle. Where two vanished with that hash, or two came, nothing
 * is guessed. Memory grows with the number of ids, not of records.
 */
export class SectionRenames {
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
      const hash = hashOf(section);
      if (hash === undefined || added.some((other) => other !== section && hashOf(other) === hash)) return [];
      const [from, ...others] = vanished.filter((id) => this.#lastHash.get(id)?.get(kind) === hash);
      return from === undefined || others.length > 0 ? [] : [{ from, to: section.id, cycle }];
    });
  }

  #remember(sections: readonly UsedSection[], kind: Kind): void {
    for (const section of sections) {
      this.#seen.add(section.id);
      const hash = hashOf(section);
      if (hash === undefined) continue;
      const hashes = this.#lastHash.get(section.id) ?? new Map<Kind, string>();
      this.#lastHash.set(section.id, hashes.set(kind, hash));
    }
  }
}
