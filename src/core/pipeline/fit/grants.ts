/**
 * Grants (DESIGN §3.4): who gets how much of the room, priority by priority from the top. Within one, the room is shared
 * by water-filling, so that the largest section gives first and small ones stay whole; what remains goes out in order.
 * It knows forms and sizes alone, neither texts nor words.
 */
import { PRIORITIES, type Priority } from '../../model/section';
import { addSizes, isWithin, NO_SIZE, type Size, subtractSizes } from '../../tokens/lines';
import { largestForm } from './forms';

/** A section as far as the grants look at it. Form 0 is its floor; neither unit falls as the form's number grows. */
export interface Grantee {
  readonly priority: Priority;
  readonly count: number;
  /** Forms up to this one are granted with `P2`, which the section has not itself; 0 without any. */
  readonly early: number;
  size(form: number): Size;
}

/** Priorities that are granted, in this order. */
export const GRANTED: readonly Priority[] = ['P2', 'P3', 'P4'];

/** What the grants came to. */
interface Grants {
  /** The form of each section. */
  readonly forms: readonly number[];
  /** Those that were granted with `P2`, whatever the section's priority. */
  readonly early: readonly number[];
  /** Tokens that each priority's sections could have had together. */
  readonly offered: ReadonlyMap<Priority, number>;
}

/** Whether a section of the priority is shown whole, and no grant is made for it. */
export function isEssential(priority: Priority): boolean {
  return !GRANTED.includes(priority);
}

/** A section in one round. */
interface Member {
  readonly at: number;
  readonly grantee: Grantee;
  /** The largest form of this round. */
  readonly last: number;
  form: number;
}

function totalOf(members: readonly Member[], formOf: (member: Member, at: number) => number): Size {
  let [tokens, chars] = [0, 0];
  for (const [at, member] of members.entries()) {
    const size = member.grantee.size(formOf(member, at));
    tokens += size.tokens;
    chars += size.chars;
  }
  return { tokens, chars };
}

/** A member whose form is not found yet: `low` is part of a choice that fits, `high` of one that does not. */
interface Span {
  readonly member: Member;
  low: number;
  high: number;
  /** At the level that is tried. */
  form: number;
}

/** Raises the level while everything fits: halves between one that fits and one that does not, at last form by form. */
function fill(members: readonly Member[], caps: Size, room: Size): void {
  const levelOf = ({ grantee }: Member, form: number): number => {
    const { tokens, chars } = grantee.size(form);
    return Math.max(tokens / caps.tokens, chars / caps.chars);
  };
  const isAll = isWithin(
    totalOf(members, ({ last }) => last),
    room,
  );
  if (isAll) {
    for (const member of members) member.form = member.last;
    return;
  }
  let spans = members.map((member): Span => ({ member, low: member.form, high: member.last, form: member.form }));
  let left = room;
  let low = 0;
  let high = spans.reduce((most, { member, high: form }) => Math.max(most, levelOf(member, form)), 0);
  /** Takes out those whose form is found. */
  const settle = (): void => {
    for (const { member, low: form, high: above } of spans) {
      if (form < above) continue;
      member.form = form;
      left = subtractSizes(left, member.grantee.size(form));
    }
    spans = spans.filter((span) => span.low < span.high);
  };
  const tryLevel = (level: number): boolean => {
    let [tokens, chars] = [0, 0];
    for (const span of spans) {
      let [least, most] = [span.low, span.high];
      while (least < most) {
        const middle = (least + most + 1) >> 1;
        if (levelOf(span.member, middle) <= level) least = middle;
        else most = middle - 1;
      }
      span.form = least;
      const size = span.member.grantee.size(least);
      tokens += size.tokens;
      chars += size.chars;
    }
    const fits = isWithin({ tokens, chars }, left);
    for (const span of spans) span[fits ? 'low' : 'high'] = span.form;
    if (fits) low = level;
    else high = level;
    settle();
    return fits;
  };
  settle();
  for (;;) {
    const next = spans.reduce((least, span) => Math.min(least, levelOf(span.member, span.low + 1)), high);
    const middle = (low + high) / 2;
    // Below `next` nothing changes. Where that is the very next level, it decides.
    if (next >= high) break;
    if (middle > next) tryLevel(middle);
    else if (!tryLevel(next)) break;
  }
  for (const { member, low: form } of spans) member.form = form;
}

/** In order, each takes its largest form that still fits. */
function giveRest(members: readonly Member[], room: Size): void {
  let left = subtractSizes(
    room,
    totalOf(members, ({ form }) => form),
  );
  for (const member of members) {
    const { grantee, form, last } = member;
    const own = addSizes(left, grantee.size(form));
    member.form = largestForm(form + 1, last, (larger) => isWithin(grantee.size(larger), own));
    left = subtractSizes(own, grantee.size(member.form));
  }
}

/**
 * Chooses the form of each section. `order`: the places of the sections, first those that the remainder goes to first.
 * `room` is for all sections together, and all floors fit it. Cost: some dozen passes over the sections of a priority, each
 * with a few sizes asked for.
 */
export function grantForms(grantees: readonly Grantee[], order: readonly number[], caps: Size, room: Size): Grants {
  const forms = grantees.map(() => 0);
  const early = grantees.map(() => 0);
  const offered = new Map<Priority, number>();
  let used = grantees.reduce((sum, each) => addSizes(sum, each.size(0)), NO_SIZE);
  for (const priority of GRANTED) {
    const members = order.flatMap((at): readonly Member[] => {
      const grantee = grantees[at];
      const form = forms[at] ?? 0;
      if (grantee?.priority === priority) return [{ at, grantee, last: grantee.count - 1, form }];
      return grantee && priority === 'P2' && grantee.early > 0 ? [{ at, grantee, last: grantee.early, form }] : [];
    });
    if (members.length === 0) continue;
    const others = subtractSizes(
      used,
      totalOf(members, ({ form }) => form),
    );
    const ownFloors = members.filter(({ grantee }) => grantee.priority !== priority);
    offered.set(priority, room.tokens - others.tokens - totalOf(ownFloors, ({ form }) => form).tokens);
    const share = subtractSizes(room, others);
    fill(members, caps, share);
    giveRest(members, share);
    used = addSizes(
      others,
      totalOf(members, ({ form }) => form),
    );
    for (const { at, form, grantee } of members) {
      forms[at] = form;
      if (grantee.priority !== priority) early[at] = form;
    }
  }
  return { forms, early, offered };
}

/** Raises forms that were granted where there is more room in the end: from the top and in order, as the remainder goes out. */
export function raiseForms(
  grantees: readonly Grantee[],
  order: readonly number[],
  forms: readonly number[],
  room: Size,
): readonly number[] {
  const members = PRIORITIES.flatMap((priority) =>
    order.flatMap((at): readonly Member[] => {
      const grantee = grantees[at];
      return grantee?.priority === priority ? [{ at, grantee, last: grantee.count - 1, form: forms[at] ?? 0 }] : [];
    }),
  );
  giveRest(members, room);
  const raised = [...forms];
  for (const { at, form } of members) raised[at] = form;
  return raised;
}
