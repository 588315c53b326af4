import { sourceCap } from '../../config/profile';
import type { Profile } from '../../model/profile';
import { renderElement, renderRow } from '../../render/element';
import type { LineTokenCounter } from '../../tokens/lines';
import { absentForm, isAbsent, ladderScore } from './expandedVariants';
import { mapFormCounts } from './mapTable';
import { isObservations, type MeasuredSection, measure } from './measuredSection';
import { type Cutter, wordsDropped, wordsEntries, wordsMap, wordsRow, wordsStub } from './reasons';
import { type FitUnit, NO_CONTENT, NO_SIZE, type SectionVariant } from './sectionVariant';

/** The forms of one section in the index-only payload: its row and, for a map, its element. */
class IndexForms {
  readonly #facts: MeasuredSection;
  readonly #row: string;
  readonly #rowTokens: number;

  constructor(facts: MeasuredSection, counter: LineTokenCounter) {
    this.#facts = facts;
    const { id, cell, scored, full } = facts;
    this.#row = renderRow({ id, cell, status: scored.status, tokensFull: full.tokens });
    this.#rowTokens = measure(counter, this.#row).tokens;
  }

  row(): SectionVariant {
    const facts = this.#facts;
    const hasOwnSentence = facts.ownSentence !== undefined;
    return {
      tokens: this.#rowTokens,
      chars: this.#row.length,
      disclosure: hasOwnSentence ? 'summary' : 'stub',
      isPartial: true,
      itemsShown: undefined,
      words: () => wordsRow(facts),
      content: () => ({ row: this.#row, element: '', text: this.#row.trimEnd() }),
    };
  }

  *maps(counts: Iterable<number>, cutter: Cutter): Generator<SectionVariant> {
    for (const count of counts) yield this.withMap(count, cutter);
  }

  /** The row and the map's best `count` items. */
  withMap(count: number, cutter: Cutter | undefined): SectionVariant {
    const facts = this.#facts;
    const size = facts.map?.measure(count) ?? NO_SIZE;
    const rendered = facts.map?.render(count);
    return {
      ...this.row(),
      tokens: this.#rowTokens + size.tokens,
      chars: this.#row.length + size.chars,
      disclosure: 'summary',
      itemsShown: count,
      words: () => wordsMap(facts, count, cutter),
      content: () => {
        const text = rendered?.text ?? '';
        return { row: this.#row, element: renderElement(facts.id, text), text: this.#row + text };
      },
      ...(rendered && { view: () => rendered.view }),
    };
  }

  *lists(below: number, least: number, cutter: Cutter): Generator<SectionVariant> {
    for (let count = below - 1; count >= least; count--) yield this.withList(count, cutter);
  }

  /** The row and the newest `count` observations; all of them without a cutter. */
  withList(count: number, cutter: Cutter | undefined): SectionVariant {
    const facts = this.#facts;
    const { entries } = facts;
    const size = cutter ? (entries?.measure(count) ?? NO_SIZE) : facts.full;
    return {
      ...this.row(),
      tokens: this.#rowTokens + size.tokens,
      chars: this.#row.length + size.chars,
      disclosure: 'summary',
      itemsShown: count,
      words: () => (cutter ? wordsEntries(facts, count, cutter) : wordsRow(facts)),
      content: () => {
        const text = cutter ? (entries?.render(count) ?? '') : facts.text;
        return { row: this.#row, element: renderElement(facts.id, text), text: this.#row + text };
      },
    };
  }

  gone(cutter: Cutter): SectionVariant {
    return {
      ...NO_SIZE,
      disclosure: 'omitted',
      isPartial: true,
      itemsShown: undefined,
      words: (isOver) => wordsDropped(this.#facts, cutter, isOver),
      content: () => NO_CONTENT,
    };
  }
}

const CONFIG: Cutter = { kind: 'config' };

/** What goes below a section's row, if anything: a map, or so many observations. */
function bodyOf({ scored, map, entries }: MeasuredSection): { readonly map: typeof map; readonly listSize: number } {
  const { stub, rule, section } = scored;
  if (stub?.kind === 'onDemand') return { map: undefined, listSize: 0 };
  const total = isObservations(section.source) ? (entries?.total ?? 1) : 0;
  return { map, listSize: rule?.kind === 'keepNewest' ? Math.min(rule.count, total) : total };
}

function startForm(facts: MeasuredSection, forms: IndexForms): SectionVariant {
  const { map, listSize } = bodyOf(facts);
  if (isAbsent(facts)) return absentForm(facts);
  if (map) return forms.withMap(map.size, undefined);
  if (listSize > 0) return forms.withList(listSize, listSize < (facts.entries?.total ?? 1) ? CONFIG : undefined);
  const isList = facts.map !== undefined || isObservations(facts.scored.section.source);
  return isList ? { ...forms.row(), words: () => wordsStub(facts, CONFIG) } : forms.row();
}

/** The ladder's view of one section of the index-only payload. */
export function createIndexUnit(facts: MeasuredSection, profile: Profile, counter: LineTokenCounter): FitUnit {
  const { scored, id } = facts;
  const { map, listSize } = bodyOf(facts);
  const forms = new IndexForms(facts, counter);
  const budget: Cutter = { kind: 'budget' };
  const cap: Cutter = { kind: 'cap', tokens: sourceCap(profile, id) ?? 0 };
  const gone = forms.gone(budget);
  return {
    id,
    priority: scored.section.priority,
    status: scored.status,
    score: ladderScore(scored),
    full: facts.full,
    start: startForm(facts, forms),
    isCutByRule: scored.rule?.kind === 'excluded',
    capped: function* () {
      if (!map && listSize === 0) return;
      if (map) yield* forms.maps(mapFormCounts(map.size, 1), cap);
      else yield* forms.lists(listSize, 1, cap);
      yield forms.row();
    },
    downgrades: map
      ? { map: ({ itemsShown = 0 }) => forms.maps(mapFormCounts(itemsShown, Math.ceil(map.size / 2)), budget) }
      : listSize > 0
        ? { index: ({ itemsShown = 0 }) => forms.lists(itemsShown, Math.ceil(listSize / 2), budget) }
        : {},
    fewerEntries: ({ itemsShown = 0 }) => (listSize > 0 ? forms.lists(itemsShown, 1, budget) : []),
    lastForms: function* ({ itemsShown = 0 }) {
      if (map) yield* forms.maps(mapFormCounts(itemsShown, 1), budget);
      if (map || listSize > 0) yield forms.row();
      // An alarm's row is its one sentence and handle already.
      if (scored.status === 'OK') yield gone;
    },
    gone,
  };
}
