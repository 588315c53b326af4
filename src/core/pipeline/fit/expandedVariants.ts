import { sourceCap } from '../../config/profile';
import type { Profile } from '../../model/profile';
import { renderElement, renderSentence, renderStub } from '../../render/element';
import type { LineTokenCounter } from '../../tokens/lines';
import type { ScoredSection, StubRule } from '../score/score';
import { mapFormCounts } from './mapTable';
import { isObservations, type MeasuredSection, measure } from './measuredSection';
import {
  type Cutter,
  wordsAbsent,
  wordsDropped,
  wordsEntries,
  wordsFull,
  wordsMap,
  wordsOwnSentence,
  wordsSentence,
  wordsStub,
} from './reasons';
import {
  type FitUnit,
  type FormWords,
  NO_CONTENT,
  NO_SIZE,
  type SectionVariant,
  type VariantContent,
} from './sectionVariant';

/** The newest entries of a list. A class without closures: the ladder makes one for every entry it drops. */
class EntryForm implements SectionVariant {
  readonly tokens: number;
  readonly chars: number;
  readonly disclosure = 'summary';
  readonly isPartial = true;
  readonly itemsShown: number;
  readonly #facts: MeasuredSection;
  readonly #cutter: Cutter;

  constructor(facts: MeasuredSection, count: number, cutter: Cutter) {
    const { tokens, chars } = facts.entries?.measure(count) ?? NO_SIZE;
    this.tokens = tokens;
    this.chars = chars;
    this.itemsShown = count;
    this.#facts = facts;
    this.#cutter = cutter;
  }

  words(): FormWords {
    return wordsEntries(this.#facts, this.itemsShown, this.#cutter);
  }

  content(): VariantContent {
    return elementContent(this.#facts.id, this.#facts.entries?.render(this.itemsShown) ?? '');
  }
}

function elementContent(id: string, text: string): VariantContent {
  return { row: '', element: renderElement(id, text), text };
}

/** The forms of one section in the expanded payload; made lazily, since most are never asked for. */
class ExpandedForms {
  readonly #facts: MeasuredSection;
  readonly #counter: LineTokenCounter;

  constructor(facts: MeasuredSection, counter: LineTokenCounter) {
    this.#facts = facts;
    this.#counter = counter;
  }

  full(): SectionVariant {
    const facts = this.#facts;
    return {
      ...facts.full,
      disclosure: 'full',
      isPartial: false,
      itemsShown: facts.entries?.total,
      words: () => wordsFull(facts),
      content: () => this.#element(facts.text),
    };
  }

  /** What `OK` injects: the sentence alone. */
  ownSentence(sentence: string): SectionVariant {
    const facts = this.#facts;
    const form = this.#line('summary', sentence, () => wordsOwnSentence(facts, facts.full.tokens - form.tokens));
    return form;
  }

  sentence(cutter: Cutter): SectionVariant {
    const { id, cell, scored, full } = this.#facts;
    const line = renderSentence({ id, cell, status: scored.status, tokensFull: full.tokens });
    return this.#line('summary', line, () => wordsSentence(this.#facts, cutter));
  }

  /** In the modes that make stubs by relevance, a stub says when the section was cited last. */
  stub(cutter: Cutter): SectionVariant {
    const { id, titleCell, stubCell, full, scored } = this.#facts;
    const isRelevance = scored.mode === 'static' || scored.mode === 'dynamic';
    const line = isRelevance
      ? renderStub(id, stubCell, full.tokens, scored.usage?.lastCitedCycle)
      : renderStub(id, titleCell, full.tokens);
    return this.#line('stub', line, () => wordsStub(this.#facts, cutter));
  }

  *entries(below: number, cutter: Cutter): Generator<SectionVariant> {
    yield* this.entriesDownTo(1, below, cutter);
  }

  *entriesDownTo(least: number, below: number, cutter: Cutter): Generator<SectionVariant> {
    for (let count = below - 1; count >= least; count--) yield this.entryForm(count, cutter);
  }

  entryForm(count: number, cutter: Cutter): SectionVariant {
    return new EntryForm(this.#facts, count, cutter);
  }

  *maps(counts: Iterable<number>, cutter: Cutter): Generator<SectionVariant> {
    for (const count of counts) yield this.mapForm(count, cutter);
  }

  mapForm(count: number, cutter: Cutter | undefined): SectionVariant {
    const facts = this.#facts;
    const render = (): ReturnType<NonNullable<MeasuredSection['map']>['render']> =>
      facts.map?.render(count) ?? { text: '', view: { filesTotal: 0, filesShown: 0, symbolsTotal: 0, items: [] } };
    const view = render().view;
    const isWhole = cutter === undefined && view.filesShown === view.filesTotal;
    return {
      ...(facts.map?.measure(count) ?? NO_SIZE),
      disclosure: isWhole ? 'full' : 'summary',
      isPartial: !isWhole,
      itemsShown: count,
      words: () => wordsMap(facts, count, cutter),
      content: () => this.#element(render().text),
      view: () => view,
    };
  }

  gone(cutter: Cutter): SectionVariant {
    return absent((isOver) => wordsDropped(this.#facts, cutter, isOver), true);
  }

  #line(disclosure: 'summary' | 'stub', line: string, words: () => FormWords): SectionVariant {
    const size = measure(this.#counter, renderElement(this.#facts.id, line));
    return { ...size, disclosure, isPartial: true, itemsShown: undefined, words, content: () => this.#element(line) };
  }

  #element(text: string): VariantContent {
    return elementContent(this.#facts.id, text);
  }
}

function absent(words: (isOver: boolean) => FormWords, isPartial: boolean): SectionVariant {
  return { ...NO_SIZE, disclosure: 'omitted', isPartial, itemsShown: 0, words, content: () => NO_CONTENT };
}

/** A section that is in no payload, whatever the budget: excluded, loaded by the agent, not run, empty, not counted yet. */
export function absentForm(facts: MeasuredSection): SectionVariant {
  return absent(() => wordsAbsent(facts), false);
}

/** Whether `absentForm` is all there is to show. */
export function isAbsent({ scored, isPending, isEmpty }: MeasuredSection): boolean {
  const isLeftOut = scored.rule?.kind === 'excluded' || scored.rule?.kind === 'loadedByAgent';
  return isLeftOut || isPending || isEmpty || scored.content.kind === 'notRun';
}

/** What the ladder sees of a score: nothing, unless the mode is `dynamic`. */
export function ladderScore({ mode, score }: ScoredSection): number | null {
  return mode === 'dynamic' ? score : null;
}

interface Start {
  readonly form: SectionVariant;
  readonly isCutByRule: boolean;
}

/** How many of the newest entries a rule leaves, and who says so; undefined when it leaves all. */
function newestByRule({
  scored,
  entries,
}: MeasuredSection): { readonly count: number; readonly by: Cutter } | undefined {
  const { rule, section } = scored;
  if (!entries || (rule?.kind !== 'keepNewest' && rule?.kind !== 'keepNewestByAge')) return undefined;
  if (rule.count >= entries.total) return undefined;
  if (rule.kind === 'keepNewest') return { count: rule.count, by: { kind: 'config' } };
  const isByAge = entries.isDated || section.source.kind === 'files' || isObservations(section.source);
  // The line that says what is missing may cost more than a short entry: then nothing would be saved.
  const isSmaller = entries.measure(rule.count).tokens < entries.full.tokens;
  return isByAge && isSmaller ? { count: rule.count, by: { kind: 'static' } } : undefined;
}

function unstubbedForm(facts: MeasuredSection, forms: ExpandedForms): Start {
  const { status, content } = facts.scored;
  const uncut = (form: SectionVariant): Start => ({ form, isCutByRule: false });
  if (facts.map) return uncut(forms.mapForm(facts.map.size, undefined));
  if (status === 'OK' && content.kind === 'summary' && content.detail !== '')
    return uncut(forms.ownSentence(facts.ownSentence ?? facts.cell));
  const newest = newestByRule(facts);
  return newest ? { form: forms.entryForm(newest.count, newest.by), isCutByRule: true } : uncut(forms.full());
}

function stubCutter(stub: StubRule): Cutter {
  switch (stub.kind) {
    case 'onDemand':
      return { kind: 'config' };
    case 'static':
      return { kind: 'static' };
    case 'lowScore':
      return { kind: 'score', score: stub.score, threshold: stub.threshold };
  }
}

function startForm(facts: MeasuredSection, forms: ExpandedForms): Start {
  const { rule, stub } = facts.scored;
  if (isAbsent(facts)) return { form: absentForm(facts), isCutByRule: rule?.kind === 'excluded' };
  const text = unstubbedForm(facts, forms);
  if (!stub) return text;
  const line = forms.stub(stubCutter(stub));
  // What is shorter than its own stub is shown: hiding it would save nothing.
  return line.tokens < text.form.tokens && line.chars < text.form.chars ? { form: line, isCutByRule: true } : text;
}

function* cappedForms(
  facts: MeasuredSection,
  forms: ExpandedForms,
  start: SectionVariant,
  cutter: Cutter,
): Generator<SectionVariant> {
  const { section } = facts.scored;
  const isList = facts.entries !== undefined && start.itemsShown !== undefined;
  if (isList) yield* forms.entries(start.itemsShown ?? 0, cutter);
  if (facts.map) yield* forms.maps(mapFormCounts(facts.map.size, 1), cutter);
  yield forms.sentence(cutter);
  if (!section.isPinned) yield forms.stub(cutter);
  if (section.priority !== 'P1') yield forms.gone(cutter);
}

/** The ladder's view of one section of the expanded payload. */
export function createExpandedUnit(facts: MeasuredSection, profile: Profile, counter: LineTokenCounter): FitUnit {
  const { scored, id, map, entries } = facts;
  const forms = new ExpandedForms(facts, counter);
  const { form: start, isCutByRule } = startForm(facts, forms);
  const budget: Cutter = { kind: 'budget' };
  const cap: Cutter = { kind: 'cap', tokens: sourceCap(profile, id) ?? 0 };
  const gone = forms.gone(budget);
  return {
    id,
    priority: scored.section.priority,
    status: scored.status,
    score: ladderScore(scored),
    full: facts.full,
    start,
    isCutByRule,
    capped: () => cappedForms(facts, forms, start, cap),
    downgrades: map
      ? { map: ({ itemsShown = 0 }) => forms.maps(mapFormCounts(itemsShown, Math.ceil(map.size / 2)), budget) }
      : isObservations(scored.section.source) && entries
        ? { index: ({ itemsShown = 0 }) => forms.entriesDownTo(Math.ceil(entries.total / 2), itemsShown, budget) }
        : {},
    fewerEntries: ({ itemsShown }) => (entries && itemsShown !== undefined ? forms.entries(itemsShown, budget) : []),
    lastForms: function* ({ itemsShown = 0 }) {
      if (scored.status !== 'OK') yield forms.sentence(budget);
      else {
        if (map) yield* forms.maps(mapFormCounts(itemsShown, 1), budget);
        yield gone;
      }
    },
    gone,
  };
}
