import { toSentence } from '../../text/sentence';
import type { Citation, EvidenceKind } from '../usageRecord';
import type { CitableSection } from './citablePayload';

/** What was seen, strongest first; several kinds are written alike in the log. */
const STRENGTHS = ['asked', 'touched', 'id', 'path', 'keyword', 'tag'] as const;

/**
 * `asked`: a handle or id that was asked for. `touched`: a path or symbol read or edited. `id` and `path`: named in the
 * reply. `keyword`, `tag`: see `findCitations.ts`.
 */
export type Strength = (typeof STRENGTHS)[number];

const KINDS: Readonly<Record<Strength, EvidenceKind>> = {
  asked: 'handle',
  touched: 'path',
  id: 'id',
  path: 'path',
  keyword: 'keyword',
  tag: 'tag',
};

/** Keeps the strongest evidence for each section; of equals the first. */
export class Evidence {
  readonly #best = new Map<number, { readonly strength: Strength; readonly what: string }>();

  /** @param section its number in the payload */
  add(section: number, strength: Strength, what: string): void {
    const known = this.#best.get(section);
    if (known && STRENGTHS.indexOf(known.strength) <= STRENGTHS.indexOf(strength)) return;
    this.#best.set(section, { strength, what });
  }

  /** In payload order. */
  citations(sections: readonly CitableSection[]): readonly Citation[] {
    return sections.flatMap(({ id }, at) => {
      const best = this.#best.get(at);
      return best ? [{ id, evidence: KINDS[best.strength], what: toSentence(best.what) }] : [];
    });
  }
}
