import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CollectedSection, FolderFile, Priority } from '../../src/core/model/section';
import { type Choice, chooseForms, type Fittable, type NoteState } from '../../src/core/pipeline/fit/choose';
import { cutText } from '../../src/core/pipeline/fit/cuts';
import { toFittable } from '../../src/core/pipeline/fit/fit';
import type { ContentForms } from '../../src/core/pipeline/fit/forms';
import { type MeasuredSection, measureSection } from '../../src/core/pipeline/fit/measuredSection';
import { expandedForms, indexForms } from '../../src/core/pipeline/fit/sectionForms';
import { routeSection } from '../../src/core/pipeline/route/route';
import { LineTokenCounter, type Size } from '../../src/core/tokens/lines';
import { runs } from '../support/runs';
import { section } from '../support/sectionBuilder';
import { FAKE_TOKENIZER } from './payloadArbitraries';

/** DESIGN §3.4's five properties, each over random forms, texts, alarms and both caps. */
const RUNS = runs(200, 20_000);

const PRIORITIES: readonly Priority[] = ['P0', 'P1', 'P2', 'P2', 'P3', 'P3', 'P4', 'P4'];
const GRANTED: readonly Priority[] = ['P2', 'P3', 'P4'];
const COUNTER = LineTokenCounter.over(FAKE_TOKENIZER);
const CONTEXT = {
  counter: COUNTER,
  escapeTags: (text: string) => text,
  cutText,
  map: undefined,
  mapTokens: 1,
  rowLimit: 3,
  caps: { tokens: 1500, chars: 6000 },
  hasTask: false,
  isEstimate: false,
};

/** Sizes that grow by random steps in either unit. */
const growingForms: fc.Arbitrary<ContentForms> = fc
  .record({
    first: fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 4, max: 160 })),
    steps: fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 240 })), { maxLength: 12 }),
    early: fc.option(fc.nat(12), { nil: undefined }),
  })
  .map(({ first: [tokens, chars], steps, early }) => {
    const sizes: Size[] = [{ tokens, chars }];
    for (const [more, wider] of steps) {
      const last = sizes.at(-1)!;
      sizes.push({ tokens: last.tokens + more, chars: last.chars + wider });
    }
    const count = sizes.length;
    return {
      count,
      size: (form) => sizes[form]!,
      render: (form) => `${form}`,
      shown: (form) => ({
        entries: { shown: form + 1, total: count, range: 'newest' },
        isPartial: form + 1 < count,
      }),
      ...(early === undefined ? {} : { early: Math.min(early, count - 1) }),
    };
  });

const word = fc.constantFrom('release', '发布', '数据库迁移。', 'tests', '登录', 'x', 'Promise<void>');
const text = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => words.join(' ')),
  fc
    .array(word, { minLength: 2, maxLength: 30 })
    .map((words) => words.map((each, at) => `- 2026-02-${at + 10} ${each} ${each}`).join('\n')),
  fc
    .tuple(fc.constantFrom('OK', 'WARN', 'ALERT'), word, word)
    .map(([status, a, b]) => `SUMMARY:${status}:${a}\n---\n${b}`),
);

const folder: fc.Arbitrary<readonly FolderFile[]> = fc.array(text, { minLength: 1, maxLength: 5 }).map((texts) =>
  texts.map((each, at) => {
    return { path: `m/${at}.md`, key: `${at}`, title: `T ${at}`, date: undefined, text: each, keywords: [] };
  }),
);

const sectionOf = (id: string): fc.Arbitrary<MeasuredSection> =>
  fc
    .record({
      priority: fc.constantFrom(...PRIORITIES),
      text,
      forms: fc.option(growingForms, { nil: undefined }),
      files: fc.option(folder, { nil: undefined, freq: 3 }),
      leftOut: fc.nat(2),
      early: fc.nat(3),
      isPinned: fc.boolean(),
      keepRecent: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 4 }),
    })
    .map(({ forms, text: body, files, leftOut, early, ...over }) => {
      const given = files ? { ...over, body: { kind: 'folder' as const, files, leftOut } } : over;
      const routed = routeSection(section(id, body, given satisfies Partial<CollectedSection>));
      const rule = over.keepRecent === undefined ? undefined : { kind: 'keepNewest' as const, count: over.keepRecent };
      const measured = measureSection({ ...routed, rule, ...(files ? { early } : {}) }, CONTEXT);
      return forms && !files ? { ...measured, forms, full: forms.size(forms.count - 1) } : measured;
    });

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

const items: fc.Arbitrary<readonly Fittable[]> = fc
  .record({
    sections: fc.subarray(IDS, { minLength: 1 }).chain((ids) => fc.tuple(...ids.map(sectionOf))),
    scores: fc.array(fc.constantFrom(0.1, 0.5, 1), { minLength: 9, maxLength: 9 }),
    isIndex: fc.boolean(),
    cap: fc.option(fc.integer({ min: 5, max: 200 }), { nil: undefined, freq: 5 }),
  })
  .map(({ sections, scores, isIndex, cap }) =>
    sections.map((each, at) => {
      const own = at === 0 ? cap : undefined;
      const forms = isIndex ? indexForms(each, own, { rows: 300, map: undefined }) : expandedForms(each, own);
      return { ...toFittable(each, forms), score: scores[at]! };
    }),
  );

const caps = fc.oneof(
  fc.record({ tokens: fc.integer({ min: 1, max: 120 }), chars: fc.integer({ min: 1, max: 600 }) }),
  fc.record({ tokens: fc.integer({ min: 60, max: 1500 }), chars: fc.integer({ min: 200, max: 6000 }) }),
);

/** As large as real notes are, and growing with what they speak of. */
function frameOf({ notes, isPartial, gone, leftOut, isEmpty }: NoteState): Size {
  const frame = isEmpty ? 0 : 4;
  if (notes === 'none') return { tokens: frame, chars: frame * 4 };
  const names = Math.min(5, gone.size) * 3 + (gone.size > 0 ? 6 : 0);
  const tokens = notes === 'alarms' ? 12 + names : (isPartial ? 25 : 0) + (leftOut.size > 0 ? 14 : 0) + names;
  return { tokens: frame + tokens, chars: (frame + tokens) * 4 };
}

function sumOf(all: readonly Fittable[], formOf: (at: number, item: Fittable) => number): Size {
  return all.reduce(
    (sum, item, at) => {
      const form = formOf(at, item);
      const { tokens, chars } = form < 0 ? { tokens: 0, chars: 0 } : item.size(form);
      return { tokens: sum.tokens + tokens, chars: sum.chars + chars };
    },
    { tokens: 0, chars: 0 },
  );
}

const isWithin = (size: Size, most: Size): boolean => size.tokens <= most.tokens && size.chars <= most.chars;
const minus = (a: Size, b: Size): Size => ({ tokens: a.tokens - b.tokens, chars: a.chars - b.chars });
const plus = (a: Size, b: Size): Size => ({ tokens: a.tokens + b.tokens, chars: a.chars + b.chars });

const isEssential = ({ priority }: Fittable): boolean => !GRANTED.includes(priority);

/** What the forms, with the notes that they need, leave of the caps; below 0 where they exceed them. */
function roomOf(all: readonly Fittable[], most: Size, forms: readonly number[], state: NoteState): Size {
  const places = (is: (item: Fittable, form: number) => boolean): ReadonlySet<number> =>
    new Set([...all.keys()].filter((at) => all[at]!.isAway !== 'absent' && is(all[at]!, forms[at]!)));
  const gone = places(({ isAway }, form) => isAway === 'dropped' || form < 0);
  const leftOut = places(({ isLeftOut }, form) => isLeftOut(form));
  const used = sumOf(all, (at) => forms[at]!);
  const isEmpty = all.every(({ isAway }, at) => isAway !== undefined || forms[at]! < 0);
  return minus(most, plus(used, frameOf({ ...state, gone, leftOut, isEmpty })));
}

const hasRoom = (room: Size, size: Size = { tokens: 0, chars: 0 }): boolean => isWithin(size, room);

/** Whether a section's next form fits into what the forms leave. What is shown first has more around it than it has itself. */
function hasNext(
  all: readonly Fittable[],
  most: Size,
  forms: readonly number[],
  at: number,
  state: NoteState,
): boolean {
  const [item, form] = [all[at]!, forms[at]!];
  const step = minus(item.size(form + 1), form < 0 ? { tokens: 0, chars: 0 } : item.size(form));
  const isWhole = hasRoom(roomOf(all, most, forms.with(at, form + 1), state));
  return isWhole && hasRoom(roomOf(all, most, forms, state), step);
}

/** Whether every floor has its place beside the notes: only then there is something to grant. */
function holdsFloors(all: readonly Fittable[], most: Size, { state }: Choice): boolean {
  const full: NoteState = { ...state, notes: 'all', isPartial: true, isOver: false };
  return hasRoom(
    roomOf(
      all,
      most,
      all.map(() => 0),
      full,
    ),
  );
}

/** Each says what does not hold by an assertion of its own. */
const PROPERTIES: Readonly<Record<string, (all: readonly Fittable[], most: Size, factor: number) => void>> = {
  '(1) never exceeds a cap, unless P0 and P1 alone do; these stay': (all, most) => {
    const { forms, state } = chooseForms(all, most, frameOf);
    const essentials = sumOf(all, (_, item) => (isEssential(item) ? 0 : -1));
    for (const [at, item] of all.entries()) if (isEssential(item)) expect(forms[at]).toBe(0);
    if (!state.isOver) expect(hasRoom(roomOf(all, most, forms, state))).toBe(true);
    else {
      const frame = frameOf({ ...state, notes: 'none' });
      expect(isWithin(plus(essentials, frame), most)).toBe(false);
      expect(sumOf(all, (at) => forms[at]!).tokens - essentials.tokens).toBeLessThanOrEqual(200);
    }
  },
  '(2) gives no lower priority what the next form of a higher one needs': (all, most) => {
    const choice = chooseForms(all, most, frameOf);
    if (!holdsFloors(all, most, choice)) return;
    for (const [at, item] of all.entries()) {
      const form = choice.forms[at]!;
      if (form + 1 >= item.count || isEssential(item)) continue;
      // What was granted with P2 is none of a lower priority.
      const above = all.map((other, place) =>
        other.priority > item.priority ? choice.early[place]! : choice.forms[place]!,
      );
      expect(hasNext(all, most, above, at, choice.state)).toBe(false);
    }
  },
  '(3) leaves no room in which a larger form fits': (all, most) => {
    const { forms, state } = chooseForms(all, most, frameOf);
    if (state.isOver) return;
    const hasFloors = holdsFloors(all, most, { forms, state, early: [], offered: new Map() });
    for (const [at, item] of all.entries()) {
      const form = forms[at]!;
      if (hasFloors) expect(form).toBeGreaterThanOrEqual(0);
      if (form + 1 >= item.count || item.isAway !== undefined) continue;
      expect(hasNext(all, most, forms, at, state)).toBe(false);
    }
  },
  '(4) uses more of larger caps, at the first priority whose choice differs': (all, most, factor) => {
    const small = chooseForms(all, most, frameOf);
    if (!holdsFloors(all, most, small)) return;
    const large = chooseForms(
      all,
      { tokens: Math.floor(most.tokens * factor), chars: Math.floor(most.chars * factor) },
      frameOf,
    );
    const differs = (priority: Priority): boolean =>
      all.some((item, at) => item.priority === priority && small.forms[at] !== large.forms[at]);
    const first = GRANTED.find(differs);
    if (first === undefined) return;
    const usedOf = ({ forms, early }: Choice): number => {
      const used = sumOf(all, (at, { priority }) => (priority <= first ? forms[at]! : (early[at] ?? 0)));
      return Math.max(used.tokens / most.tokens, used.chars / most.chars);
    };
    expect(usedOf(large)).toBeGreaterThanOrEqual(usedOf(small) - 1e-9);
  },
  '(5) is the same for the same input, in whatever order it comes': (all, most) => {
    const { forms, state } = chooseForms(all, most, frameOf);
    const again = chooseForms(all, most, frameOf);
    expect([again.forms, again.state]).toEqual([forms, state]);
    if (state.notes !== 'all' || state.isOver) return;
    expect([...chooseForms([...all].reverse(), most, frameOf).forms].reverse()).toEqual(forms);
  },
  'takes nothing away that has room once all below it gave way: stubs from P4 on, then WARN, then ALERT': (
    all,
    most,
  ) => {
    const { forms, state } = chooseForms(all, most, frameOf);
    if (state.isOver) return;
    const ranks = ['ALERT', 'WARN', ...GRANTED];
    const rankOf = (item: Fittable): number =>
      isEssential(item) || item.isAway !== undefined
        ? -1
        : ranks.indexOf(item.status === 'OK' ? item.priority : item.status);
    for (const [at, item] of all.entries()) {
      if (forms[at]! >= 0 || item.isAway !== undefined) continue;
      const rank = rankOf(item);
      const above = all.map((other, place) => (rankOf(other) <= rank ? Math.min(0, forms[place]!) : -1));
      expect(hasNext(all, most, above, at, state)).toBe(false);
    }
  },
};

describe('a fit', () => {
  // One run for all: making the cases takes longer than looking at them.
  it('has its five properties', () => {
    fc.assert(
      fc.property(items, caps, fc.constantFrom(1.25, 1.5, 2, 3), (all, most, factor) => {
        for (const holds of Object.values(PROPERTIES)) holds(all, most, factor);
      }),
      RUNS,
    );
  });
});
