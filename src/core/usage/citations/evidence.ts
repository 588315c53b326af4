/** What was seen in one turn of the sections of a payload: of each the strongest is kept, and what may be of several is settled last. */
import { toSentence } from '../../text/sentence';
import type { Citation } from '../usageRecord';
import type { CitableSection } from './citablePayload';
import type { NameMatch } from './nameIndex';

/**
 * What was seen, strongest first, with its kind in the log. `asked`: a handle or id that was asked for. `touched`: a path
 * or symbol read or edited. `id` and `path`: named in the reply. `keyword`, `tag`: see `findCitations.ts`.
 */
const KINDS = { asked: 'handle', touched: 'path', id: 'id', path: 'path', keyword: 'keyword', tag: 'tag' } as const;

export type Strength = keyof typeof KINDS;

/** Evidence of what a section says, not of the section. */
const OF_TEXT: ReadonlySet<Strength> = new Set(['touched', 'path', 'keyword']);

const STRENGTHS = Object.keys(KINDS) as readonly Strength[];

/** Keeps the strongest evidence for each section; of equals the first. */
export class Evidence {
  readonly #best = new Map<number, { readonly strength: Strength; readonly what: string }>();
  readonly #shared: (Pick<NameMatch, 'owners' | 'tellers' | 'name'> & { readonly strength: Strength })[] = [];

  /** @param section its number in the payload */
  add(section: number, strength: Strength, what: string): void {
    const known = this.#best.get(section);
    if (known && STRENGTHS.indexOf(known.strength) <= STRENGTHS.indexOf(strength)) return;
    this.#best.set(section, { strength, what });
  }

  /** Evidence of any of several sections: of those that have other evidence where there is one, else of the `owners`. */
  addShared({ owners, tellers, name }: NameMatch, strength: Strength): void {
    if (tellers.length > 1) this.#shared.push({ owners, tellers, name, strength });
    else for (const owner of owners) this.add(owner, strength, name);
  }

  #settleShared(): void {
    const others = new Set(this.#best.keys());
    for (const { owners, tellers, name, strength } of this.#shared) {
      const known = tellers.filter((teller) => others.has(teller));
      for (const owner of known.length > 0 ? known : owners) this.add(owner, strength, name);
    }
  }

  /** In payload order. `section`: its number there. @param firsts of each section the first one that has its text */
  citations(
    sections: readonly CitableSection[],
    firsts: readonly number[],
  ): readonly (Citation & { readonly section: number })[] {
    this.#settleShared();
    const ofText = (section: number): { readonly strength: Strength; readonly what: string } | undefined => {
      const best = this.#best.get(section);
      return best && OF_TEXT.has(best.strength) && best.what !== sections[section]?.path ? best : undefined;
    };
    return sections.flatMap(({ id }, section) => {
      const best = this.#best.get(section) ?? ofText(firsts[section] ?? section);
      return best ? [{ section, id, evidence: KINDS[best.strength], what: toSentence(best.what) }] : [];
    });
  }
}
