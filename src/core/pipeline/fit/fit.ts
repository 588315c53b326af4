/**
 * The fit stage (DESIGN §3.4): decides how every section is shown so that both caps hold on the final rendered text, and
 * says why. `sectionForms.ts` makes the forms, `choose.ts` chooses them, `render/` writes the payload.
 */

import type { Profile } from '../../model/profile';
import type { BudgetGrant, CutRecord } from '../../model/report';
import { PRIORITIES, type Priority } from '../../model/section';
import { renderElement } from '../../render/element';
import { inEnglish } from '../../text/phrase';
import { addSizes, isWithin, NO_SIZE, type Size } from '../../tokens/lines';
import { type Choice, chooseForms, type Fittable, type MeasureFrame, type NoteState } from './choose';
import { largestForm } from './forms';
import { leftOfMap } from './mapTable';
import type { MeasuredSection } from './measuredSection';
import { fileCount, type VariantWords } from './partReasons';
import { type GrantFacts, wordsOf } from './reasons';
import { dropped, isLeftOut, type SectionForms, type SectionVariant, shownOf } from './sectionForms';

/** A section as it is shown in one payload. */
export interface ChosenSection {
  readonly measured: MeasuredSection;
  readonly variant: SectionVariant;
  readonly isLeftOut: boolean;
  readonly words: VariantWords;
  /** A row of the index, with its `\n`; empty without one, as the element. */
  readonly row: string;
  /** Tags included, with its `\n`. */
  readonly element: string;
  /** The content alone, as the agent gets it. */
  readonly text: string;
}

/** One payload, fitted. */
export interface Fitted {
  readonly sections: readonly ChosenSection[];
  /** Those that were given. */
  readonly forms: readonly SectionForms[];
  readonly state: NoteState;
  /** Priority by priority. */
  readonly grants: readonly BudgetGrant[];
  /** One for each section that is cut. */
  readonly cuts: readonly CutRecord[];
}

/**
 * The forms that are not larger than `most`, its floor in any case. What a stub or a rule of a scoring mode frees stays
 * free: handed to other sections, the mode would not make the payload smaller.
 */
export function withinSize<Forms extends Pick<Fittable, 'count' | 'early' | 'size'>>(forms: Forms, most: Size): Forms {
  const last = largestForm(1, forms.count - 1, (form) => isWithin(forms.size(form), most));
  return last + 1 < forms.count ? { ...forms, count: last + 1, early: Math.min(forms.early, last) } : forms;
}

/** What the fit looks at of a section in one payload. */
export function toFittable(measured: MeasuredSection, forms: SectionForms): Fittable {
  const { section, status, mode, relevance, id } = measured;
  const { kind } = forms.variant(0);
  // Asked for each state that is tried.
  const [isOutWhenGone, isOutAtFloor] = [isLeftOut(measured, forms, -1), isLeftOut(measured, forms, 0)];
  return {
    ...forms,
    id,
    priority: section.priority,
    status,
    score: (mode === 'dynamic' ? relevance?.score : undefined) ?? 1,
    isAway: kind === 'absent' || kind === 'dropped' ? kind : undefined,
    isPartial: (form) => forms.variant(form).isPartial,
    isLeftOut: (form) => (form < 0 ? isOutWhenGone : form === 0 && isOutAtFloor),
  };
}

/** What each priority got of the caps, in the unit of the cap that binds. */
function grantFacts(items: readonly Fittable[], { forms }: Choice, caps: Size): GrantFacts {
  const used = new Map<Priority, Size>();
  for (const [at, form] of forms.entries()) {
    const item = items[at];
    if (!item || item.isAway === 'absent') continue;
    const before = used.get(item.priority) ?? NO_SIZE;
    used.set(item.priority, form < 0 ? before : addSizes(before, item.size(form)));
  }
  const all = [...used.values()].reduce(addSizes, NO_SIZE);
  const unit = all.tokens / caps.tokens >= all.chars / caps.chars ? 'tokens' : 'chars';
  return { used, unit, caps };
}

/** `P0` and `P1` are offered what is there before them, the others what their turn found. */
function grantsOf({ used, caps }: GrantFacts, offered: Choice['offered']): readonly BudgetGrant[] {
  let left = caps.tokens;
  return PRIORITIES.flatMap((priority) => {
    const size = used.get(priority);
    if (!size) return [];
    const grant = { priority, offered: Math.max(0, offered.get(priority) ?? left), used: size.tokens };
    left -= size.tokens;
    return grant;
  });
}

/** What the variant shows below its row; undefined where that is nothing. */
function contentOf({ forms }: MeasuredSection, { form, line }: SectionVariant): string | undefined {
  return form === undefined ? line : forms?.render(form);
}

function cutterName(cutter: SectionVariant['cutter']): CutRecord['by'] {
  switch (cutter?.kind) {
    case 'budget':
    case 'cap':
    case 'rows':
    case 'share':
      return cutter.kind;
    default:
      return 'rule';
  }
}

/** What a cut leaves out of a map, of a folder's files, or of a text. */
function leftOutOf(measured: MeasuredSection, variant: SectionVariant): Required<CutRecord['leftOut']> {
  const { forms, map } = measured;
  if (map) {
    const { files, symbols } = leftOfMap(map, variant.form);
    return { files, entries: symbols, lines: 0 };
  }
  const shown = shownOf(measured, variant);
  // Of a section with one line at most, all entries; all lines where it has none.
  const whole = forms?.shown(forms.count - 1);
  const all = whole?.entries?.total ?? 0;
  const none = { entries: all, lines: all > 0 ? 0 : (whole?.lines?.total ?? 0) };
  const { entries, lines } = shown ? (shown.left ?? { entries: 0, lines: 0 }) : none;
  // In an index a row is all there is of a file.
  const opened = (shown?.files ?? []).filter((file) => variant.rows !== undefined || file.shown !== 'row');
  return { entries, lines, files: fileCount(measured) - opened.length };
}

function toRecord(
  { measured, variant, words }: Pick<ChosenSection, 'measured' | 'variant' | 'words'>,
  next: Size | undefined,
): CutRecord {
  const { id, full } = measured;
  const { entries, files, lines } = leftOutOf(measured, variant);
  return {
    id,
    by: cutterName(variant.cutter),
    tokensFull: full.tokens,
    charsFull: full.chars,
    tokens: variant.tokens,
    chars: variant.chars,
    leftOut: {
      ...(entries > 0 ? { entries } : {}),
      ...(files > 0 ? { files } : {}),
      ...(lines > 0 ? { lines } : {}),
    },
    ...(next ? { nextTokens: next.tokens } : {}),
    reason: inEnglish(words.reason),
    dropped: inEnglish(words.dropped),
  };
}

/** Whether less is shown than there is to show: not the sentence of an `OK` source, nor a row of the index. */
function isCut({ rule }: MeasuredSection, { kind, cutter, row }: SectionVariant): boolean {
  if (rule?.kind === 'excluded') return true;
  return cutter !== undefined && (row === undefined || kind !== 'stub');
}

/**
 * Chooses a form of every section, and words for it. `plain`: the same sections fitted with nothing hidden by the
 * scoring mode; they bound each of these.
 */
export function fitSections(
  sections: readonly MeasuredSection[],
  allForms: readonly SectionForms[],
  profile: Profile,
  measureFrame: MeasureFrame,
  plain: Fitted | undefined,
): Fitted {
  const caps = { tokens: profile.budgetTokens, chars: profile.hardCapChars };
  const items = sections.flatMap((measured, at) => {
    const forms = allForms[at];
    if (!forms) return [];
    const item = toFittable(measured, forms);
    const most = plain?.sections[at]?.variant;
    return [most ? withinSize(item, most) : item];
  });
  const choice = chooseForms(items, caps, measureFrame);
  const facts = grantFacts(items, choice, caps);
  const cuts: CutRecord[] = [];
  const chosen = sections.map((measured, at): ChosenSection => {
    const forms = allForms[at];
    const form = choice.forms[at] ?? -1;
    const variant = (form < 0 ? undefined : forms?.variant(form)) ?? dropped();
    const isOut = choice.state.leftOut.has(at);
    const isLast = forms !== undefined && form + 1 >= forms.count;
    const next = isLast ? forms.beyond : forms?.size(form + 1);
    const words = wordsOf(measured, variant, {
      ...facts,
      next: variant.cutter?.kind === 'budget' ? next : undefined,
      isOver: choice.state.isOver,
      isLeftOut: isOut,
      isEarly: form > 0 && choice.offered.size > 0 && (choice.early[at] ?? 0) > 0,
    });
    if (isCut(measured, variant)) cuts.push(toRecord({ measured, variant, words }, next));
    const row = (variant.row ?? '') + (variant.rows === undefined ? '' : (measured.rows?.render(variant.rows) ?? ''));
    const content = contentOf(measured, variant);
    const common = { measured, variant, isLeftOut: isOut, words, row };
    if (content === undefined) return { ...common, element: '', text: row.trimEnd() };
    return { ...common, element: renderElement(measured.id, content), text: row + content };
  });
  return { sections: chosen, forms: allForms, state: choice.state, grants: grantsOf(facts, choice.offered), cuts };
}

/** One text a cut of the budget or of a source's cap, in the order of the cuts. */
export function downgradesOf(cuts: readonly CutRecord[]): readonly string[] {
  return cuts.flatMap(({ by, id, reason }) => (by === 'rule' ? [] : `${reason}: ${id}`));
}
