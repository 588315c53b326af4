/**
 * The forms of a whole section in each payload, from its floor up (DESIGN §3.4): one line that it exists, or an alarm's
 * sentence, or its row in the index; then its content's, up to where the rules and its source's cap allow. `P0` and `P1`
 * have one form. It decides what may be chosen; `fit.ts` chooses.
 */
import { sourceCap } from '../../config/profile';
import type { Profile } from '../../model/profile';
import type { Disclosure, RowLimit } from '../../model/section';
import { renderElement } from '../../render/element';
import { addSizes, NO_SIZE, type Size } from '../../tokens/lines';
import { isRunLog } from '../collect/fileRules';
import type { StubRule } from '../route/route';
import { type ContentForms, type ContentShown, largestForm } from './forms';
import { isEssential } from './grants';
import { isObservations, type MeasuredSection } from './measuredSection';

/** Who made a section smaller; decides the "because" of its explanation. */
export type Cutter =
  | StubRule
  | { readonly kind: 'cap'; readonly tokens: number }
  /** The profile's limit for rows of observations. */
  | { readonly kind: 'rows'; readonly limit: RowLimit }
  /** Of an index payload without a task, a map takes no more than its share. */
  | { readonly kind: 'share' }
  | { readonly kind: 'budget' };

const BUDGET: Cutter = { kind: 'budget' };

/** One way to show a section; words and text are made only for the one that is chosen (`ChosenSection`). */
export interface SectionVariant extends Size {
  readonly kind: 'full' | 'ownSentence' | 'part' | 'map' | 'sentence' | 'stub' | 'row' | 'dropped' | 'absent';
  readonly disclosure: Disclosure;
  /** True when the handle gives more than is shown. */
  readonly isPartial: boolean;
  /** Of the section's `forms`, where one is shown. */
  readonly form?: number;
  /** Undefined where nothing was cut. */
  readonly cutter?: Cutter | undefined;
  /** The content of those that have one line. */
  readonly line?: string;
  /** In the index-only payload: what stands in the index, before the content. */
  readonly row?: string;
  /** Of a folder's `rows`, the form that stands below its row. */
  readonly rows?: number;
}

/** What a variant shows of its content, or of a folder's rows; undefined where that is nothing. */
export function shownOf({ forms, rows }: MeasuredSection, variant: SectionVariant): ContentShown | undefined {
  if (variant.form !== undefined) return forms?.shown(variant.form);
  return variant.rows === undefined ? undefined : rows?.shown(variant.rows);
}

/** A section's ways in one payload. Form 0 is its floor; neither unit falls as the form's number grows. */
export interface SectionForms {
  readonly count: number;
  /** Forms up to this one are granted with `P2`; 0 without any. */
  readonly early: number;
  size(form: number): Size;
  variant(form: number): SectionVariant;
  /** What one more than the last form would take, where a rule or the source's cap forbids it. */
  readonly beyond?: Size | undefined;
}

/** A section that is in no payload, whatever the budget: excluded, loaded by the agent, not run, empty, not counted yet. */
const ABSENT: SectionVariant = { ...NO_SIZE, kind: 'absent', disclosure: 'omitted', isPartial: false };

/** A section that was taken away. */
export function dropped(cutter: Cutter = BUDGET): SectionVariant {
  return { ...NO_SIZE, kind: 'dropped', disclosure: 'omitted', isPartial: true, cutter };
}

function isAbsent({ rule, content, isPending, isEmpty }: MeasuredSection): boolean {
  const isLeftOut = rule?.kind === 'excluded' || rule?.kind === 'loadedByAgent';
  return isLeftOut || isPending || isEmpty || content.kind === 'notRun';
}

/**
 * Whether a payload leaves a section out: only its one line, or nothing, because of the budget (`form` -1: taken away).
 * On demand, excluded, not run, a stub by its score, the sentence of an `OK` source or of an alarm are not left out, nor is
 * a folder's row in an index: only rows of its files are missing.
 */
export function isLeftOut(measured: MeasuredSection, forms: SectionForms, form: number): boolean {
  if (isAbsent(measured) || measured.stub || form > 0) return false;
  if (form < 0) return true;
  const { kind, rows } = forms.variant(0);
  const isOneLine =
    kind === 'stub' || (kind === 'row' && rows === undefined) || (kind === 'sentence' && measured.status === 'OK');
  return isOneLine && forms.count > 1;
}

function oneForm(variant: SectionVariant, beyond?: Size): SectionForms {
  return { count: 1, early: 0, size: () => variant, variant: () => variant, beyond };
}

function lineVariant(
  { id, counter }: MeasuredSection,
  kind: 'ownSentence' | 'sentence' | 'stub',
  line: string,
  cutter?: Cutter,
): SectionVariant {
  const disclosure = kind === 'stub' ? 'stub' : 'summary';
  return { ...counter.measure(renderElement(id, line)), kind, disclosure, isPartial: true, cutter, line };
}

/** A content's forms up to `last`; `bound` says why no more. */
interface Range {
  readonly forms: ContentForms;
  readonly last: number;
  readonly bound: Cutter | undefined;
}

/** All forms; those of a text end where a rule keeps the newest entries alone, or where no more rows were read. */
function withinRule({ rule, section: { body } }: MeasuredSection, forms: ContentForms): Range {
  const last = forms.count - 1;
  const isRule = rule?.kind === 'keepNewest' || rule?.kind === 'keepNewestByAge';
  const bound: Cutter = { kind: rule?.kind === 'keepNewestByAge' ? 'static' : 'config' };
  const { entries, isPartial } = forms.shown(last);
  if (isRule && isPartial && entries?.range === 'newest') return { forms, last, bound };
  const limit = body.kind === 'observations' ? body.limit : undefined;
  return { forms, last, bound: limit && { kind: 'rows', limit } };
}

/** Within so many tokens, those of `base` included; `last` is -1 where nothing is. */
function withinTokens(range: Range, tokens: number, base: Size, bound: Range['bound']): Range {
  const last = largestForm(0, range.last, (form) => base.tokens + range.forms.size(form).tokens <= tokens);
  return last < range.last ? { ...range, last, bound } : range;
}

function contentVariant(measured: MeasuredSection, { forms, last, bound }: Range, form: number): SectionVariant {
  const cutter = form < last ? BUDGET : bound;
  const { isPartial } = forms.shown(form);
  const isFull = cutter === undefined && !isPartial;
  const kind = measured.map ? 'map' : isFull ? 'full' : 'part';
  return { ...forms.size(form), kind, disclosure: isFull ? 'full' : 'summary', isPartial: !isFull, form, cutter };
}

/** The forms of a content that stand above a floor: those of `range` from `first` on, measured and made. */
interface Rise {
  readonly range: Range;
  readonly first: number;
  readonly sizeOf: (form: number) => Size;
  readonly variantOf: (form: number) => SectionVariant;
}

/** The floor and the forms above it. */
function risingForms(
  { section: { priority } }: MeasuredSection,
  floor: SectionVariant,
  { range, first, sizeOf, variantOf }: Rise,
): SectionForms {
  const { forms, last } = range;
  const toContent = (form: number): number => first + form - 1;
  return {
    count: last - first + 2,
    early: priority !== 'P2' && forms.early !== undefined ? Math.max(0, Math.min(forms.early, last) - first + 1) : 0,
    size: (form) => (form === 0 ? floor : sizeOf(toContent(form))),
    variant: (form) => (form === 0 ? floor : variantOf(toContent(form))),
    beyond: beyondOf(range, sizeOf),
  };
}

function beyondOf({ forms, last }: Range, sizeOf: (form: number) => Size): Size | undefined {
  return last + 1 < forms.count ? sizeOf(last + 1) : undefined;
}

/** What is left of a section whose source's cap has no room for its content: the first line within it, else nothing. */
function cappedLine(measured: MeasuredSection, cap: number): SectionVariant {
  const cutter: Cutter = { kind: 'cap', tokens: cap };
  const { section, status, sentenceLine, stubLine } = measured;
  const sentence = lineVariant(measured, 'sentence', sentenceLine, cutter);
  const stub = section.isPinned ? sentence : lineVariant(measured, 'stub', stubLine, cutter);
  const lines = status === 'OK' && !isEssential(measured.section.priority) ? [stub] : [sentence, stub];
  const fitting = lines.find(({ tokens }) => tokens <= cap);
  // `P1` is never removed: its smallest line stays even over the cap.
  if (isEssential(measured.section.priority)) return fitting ?? (stub.tokens < sentence.tokens ? stub : sentence);
  return fitting ?? dropped(cutter);
}

/** An `OK` source says its one sentence alone. */
function ownSentenceForms(measured: MeasuredSection): ContentForms {
  const { id, ownSentence, counter } = measured;
  const size = counter.measure(renderElement(id, ownSentence));
  return { count: 1, size: () => size, render: () => ownSentence, shown: () => ({ isPartial: true }) };
}

function isAtLeast(size: Size, floor: Size): boolean {
  return size.tokens >= floor.tokens && size.chars >= floor.chars;
}

function isSmaller(size: Size, than: Size): boolean {
  return size.tokens < than.tokens && size.chars < than.chars;
}

/** Tokens of a section of run logs where the profile names no cap: their events are observations (DESIGN §3.4). */
const RUN_LOG_TOKENS = 1200;

/** Tokens that a section's element may have, whatever the budget; undefined without a cap. */
export function capOf({ id, section: { source, priority } }: MeasuredSection, profile: Profile): number | undefined {
  const byDefault = isRunLog(source) && !isEssential(priority) ? RUN_LOG_TOKENS : undefined;
  return sourceCap(profile, id) ?? byDefault;
}

/** The forms of a section in the expanded payload. `cap`: tokens of its source, which `P0` does not heed. */
export function expandedForms(measured: MeasuredSection, cap?: number): SectionForms {
  const { status, content, section, forms, stub } = measured;
  if (isAbsent(measured) || !forms) return oneForm(ABSENT);
  const saysItself = status === 'OK' && content.kind === 'summary' && content.detail !== '';
  const free = withinRule(measured, saysItself ? ownSentenceForms(measured) : forms);
  const variantOf = (range: Range, form: number): SectionVariant =>
    saysItself ? lineVariant(measured, 'ownSentence', measured.ownSentence) : contentVariant(measured, range, form);
  if (stub) {
    const line = lineVariant(measured, 'stub', measured.stubLine, stub);
    // What is shorter than its own stub is shown: hiding it would save nothing.
    if (isSmaller(line, free.forms.size(free.last)) && (cap === undefined || line.tokens <= cap)) return oneForm(line);
  }
  const isFree = cap === undefined || section.priority === 'P0';
  const range = isFree ? free : withinTokens(free, cap, NO_SIZE, { kind: 'cap', tokens: cap });
  if (range.last < 0) {
    const line = cappedLine(measured, cap ?? 0);
    const isShorter = isEssential(measured.section.priority) && free.forms.size(0).tokens <= line.tokens;
    if (!isShorter) return oneForm(line, free.forms.size(0));
    const least = { ...free, last: 0, bound: free.last === 0 ? free.bound : line.cutter };
    return oneForm(variantOf(least, 0), beyondOf(least, least.forms.size));
  }
  if (isEssential(measured.section.priority))
    return oneForm(variantOf(range, range.last), beyondOf(range, range.forms.size));
  const isSaid = status !== 'OK' || section.isPinned;
  const floor = isSaid
    ? lineVariant(measured, 'sentence', measured.sentenceLine, BUDGET)
    : lineVariant(measured, 'stub', measured.stubLine, BUDGET);
  const first = largestForm(0, range.last, (form) => !isAtLeast(range.forms.size(form), floor)) + 1;
  if (first > range.last) return oneForm(variantOf(range, range.last), beyondOf(range, range.forms.size));
  return risingForms(measured, floor, {
    range,
    first,
    sizeOf: range.forms.size,
    variantOf: (form) => variantOf(range, form),
  });
}

/** Caps that hold in the index-only payload alone. */
interface IndexLimits {
  /** Rows of files that the section may have. */
  readonly rows: number;
  /** Tokens of the map, its row included; undefined where a task asks for all of it. */
  readonly map: number | undefined;
}

/** What goes below a section's row, if anything: a map, observations, the files of a folder. */
function listBelow(measured: MeasuredSection, { rows, map }: IndexLimits): Range | undefined {
  const { forms, section, stub, rowSize } = measured;
  if (!forms || stub?.kind === 'config') return undefined;
  if (measured.map || isObservations(section.source)) {
    const range = withinRule(measured, forms);
    return measured.map && map !== undefined ? withinTokens(range, map, rowSize, { kind: 'share' }) : range;
  }
  return measured.rows && { forms: measured.rows, last: Math.min(rows, measured.rows.count - 1), bound: undefined };
}

/**
 * How many rows of files each section may have in an index: those of the best files of all folders within so many tokens
 * together, the lines that count the others included.
 */
export function rowLimits(sections: readonly MeasuredSection[], tokens: number): readonly number[] {
  const limits = sections.map(() => 0);
  const places = sections
    .flatMap((each, at) => {
      const { rows, places: own = [], stub } = each;
      const most = isAbsent(each) || stub?.kind === 'config' || !rows ? 0 : rows.count - 1;
      return own.slice(0, most).map((place) => ({ at, place }));
    })
    .sort((a, b) => a.place - b.place);
  let used = 0;
  for (const { at } of places) {
    const { rows } = sections[at] ?? {};
    const count = (limits[at] ?? 0) + 1;
    used += (rows?.size(count).tokens ?? 0) - (rows?.size(count - 1).tokens ?? 0);
    if (used > tokens) break;
    limits[at] = count;
  }
  return limits;
}

/** The forms of a section in the index-only payload: a row and, for some, a list below it. */
export function indexForms(measured: MeasuredSection, cap: number | undefined, limits: IndexLimits): SectionForms {
  if (isAbsent(measured)) return oneForm(ABSENT);
  const { row, rowSize, ownSentence, section, stub } = measured;
  const disclosure = ownSentence === '' ? 'stub' : 'summary';
  const line: SectionVariant = { ...rowSize, kind: 'row', disclosure, isPartial: true, row };
  const isList = measured.map !== undefined || isObservations(section.source);
  if (isList && stub?.kind === 'config') return oneForm({ ...line, kind: 'stub', cutter: stub });
  const below = listBelow(measured, limits);
  if (!below || below.last < 0) return oneForm(line);
  const isFree = cap === undefined || section.priority === 'P0';
  const range = isFree ? below : withinTokens(below, cap, rowSize, { kind: 'cap', tokens: cap });
  if (range.last < 0) return oneForm(line, addSizes(rowSize, range.forms.size(0)));
  const sizeOf = (form: number): Size => addSizes(rowSize, range.forms.size(form));
  const variantOf = (form: number): SectionVariant =>
    measured.rows
      ? { ...line, ...sizeOf(form), rows: form, cutter: form < range.last ? BUDGET : range.bound }
      : { ...contentVariant(measured, range, form), ...sizeOf(form), disclosure: 'summary', isPartial: true, row };
  if (isEssential(measured.section.priority)) return oneForm(variantOf(range.last), beyondOf(range, sizeOf));
  // No rows of files are the floor.
  const [floor, first] = measured.rows ? [variantOf(0), 1] : [line, 0];
  return risingForms(measured, floor, { range, first, sizeOf, variantOf });
}
