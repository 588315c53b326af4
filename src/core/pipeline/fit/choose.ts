/**
 * Which form of each section a payload takes (DESIGN §3.4): everything, if it fits; else floors and grants; else fewer
 * floors. `grants.ts` shares the room, the frame says what stands around the sections; texts and words are not known here.
 */
import { type Priority, type Status, WORST_FIRST } from '../../model/section';
import { addSizes, isWithin, NO_SIZE, type Size, subtractSizes } from '../../tokens/lines';
import { GRANTED, type Grantee, grantForms, isEssential, raiseForms } from './grants';

/** What the closing notes of a state speak of. */
export interface NoteState {
  /** `alarms`: how many are left out, and nothing else; `none`: not even that has room. */
  readonly notes: 'all' | 'alarms' | 'none';
  /** Something is not shown in full. */
  readonly isPartial: boolean;
  /** Places of the sections that the budget or their cap took away. */
  readonly gone: ReadonlySet<number>;
  /** Places of the sections that the budget leaves out; while room is granted, at most these. */
  readonly leftOut: ReadonlySet<number>;
  /** Nothing is shown at all. */
  readonly isEmpty: boolean;
  /** `P0` and `P1` alone exceed a cap. */
  readonly isOver: boolean;
}

/** Size of what stands around the sections: wrappers and closing notes. */
export type MeasureFrame = (state: NoteState) => Size;

/** A section as the fit looks at it. */
export interface Fittable extends Grantee {
  readonly id: string;
  readonly status: Status;
  /** Only mode `dynamic` has a say here. */
  readonly score: number;
  /** Whether the form is none at all: absent, or taken away by its own cap. */
  readonly isAway: 'absent' | 'dropped' | undefined;
  readonly isPartial: (form: number) => boolean;
  /** Whether the form is one line, or none (-1), because of the budget. */
  readonly isLeftOut: (form: number) => boolean;
}

/** The chosen state. */
export interface Choice {
  /** The form of each section; -1 for one that is gone. */
  readonly forms: readonly number[];
  /** Forms that were granted with `P2`. */
  readonly early: readonly number[];
  /** Tokens offered to each granted priority; empty where everything fits. */
  readonly offered: ReadonlyMap<Priority, number>;
  readonly state: NoteState;
}

const GONE: Grantee = { priority: 'P4', count: 1, early: 0, size: () => NO_SIZE };

/** Alarms that are shown although `P0` and `P1` alone exceed a cap, in tokens. */
const OVER_ALARM_TOKENS = 200;

/** Chooses forms. Cost: a few operations a section and level; nothing is rendered but notes. */
class Chooser {
  readonly #all: ReadonlySet<number>;

  constructor(
    private readonly items: readonly Fittable[],
    private readonly caps: Size,
    private readonly measureFrame: MeasureFrame,
  ) {
    this.#all = new Set(items.keys());
  }

  choose(): Choice {
    return this.#whole() ?? this.#granted() ?? this.#withoutStubs();
  }

  /** Everything, if it fits. What is partial of it, which takes time to tell, only matters to notes on what may fit. */
  #whole(): Choice | undefined {
    const tops = this.items.map(({ count }) => count - 1);
    if (!isWithin(this.#bodyOf(tops), this.caps)) return undefined;
    const isPartial = this.items.some((item, at) => item.isPartial(tops[at] ?? 0));
    const whole = this.#ifFits(tops, this.#state(this.#all, { isPartial, leftOut: this.#leftOutOf(tops) }));
    return whole && { ...whole, early: this.items.map(({ early }) => early) };
  }

  #state(shown: ReadonlySet<number>, more: Partial<NoteState>): NoteState {
    const [gone, leftOut] = [new Set<number>(), new Set<number>()];
    let isEmpty = true;
    for (const [at, { isAway, isLeftOut }] of this.items.entries()) {
      if (isAway === 'absent') continue;
      if (isLeftOut(shown.has(at) ? 0 : -1)) leftOut.add(at);
      if (isAway === 'dropped' || !shown.has(at)) gone.add(at);
      else isEmpty = false;
    }
    return { notes: 'all', isPartial: true, gone, leftOut, isEmpty, isOver: false, ...more };
  }

  #bodyOf(forms: readonly number[]): Size {
    let [tokens, chars] = [0, 0];
    for (const [at, form] of forms.entries()) {
      const size = form < 0 ? undefined : this.items[at]?.size(form);
      tokens += size?.tokens ?? 0;
      chars += size?.chars ?? 0;
    }
    return { tokens, chars };
  }

  #ifFits(forms: readonly number[], state: NoteState): Choice | undefined {
    const body = this.#bodyOf(forms);
    if (!isWithin(body, this.caps) || !isWithin(addSizes(body, this.measureFrame(state)), this.caps)) return undefined;
    return { forms, early: [], offered: new Map(), state };
  }

  #floorsOf(shown: ReadonlySet<number>): readonly number[] {
    return this.items.map((_, at) => (shown.has(at) ? 0 : -1));
  }

  /** First who gets what remains: the best score, then by id. */
  #order(places: Iterable<number>): readonly number[] {
    const { items } = this;
    return [...places].sort((left, right) => {
      const [a, b] = [items[left], items[right]];
      if (!a || !b) return 0;
      return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
    });
  }

  /**
   * Floors, grants, remainder. Undefined where the floors do not fit. At the floors most sections are left out; where in
   * the end none is, the room of the note that counts them is granted as well.
   */
  #granted(): Choice | undefined {
    const state = this.#state(this.#all, {});
    const floors = this.#floorsOf(this.#all);
    if (!this.#ifFits(floors, state)) return undefined;
    const granted = this.#grantedBeside(state, this.#all);
    if (state.leftOut.size === 0 || granted.state.leftOut.size > 0) return granted;
    const more = this.#grantedBeside({ ...state, leftOut: new Set() }, this.#all);
    return this.#leftOutOf(more.forms).size > 0 ? granted : more;
  }

  /**
   * Grants to those that are `shown` what their floors and the notes leave; both fit. Each grant leaves fewer sections out:
   * what shorter notes free goes out as the remainder does.
   */
  #grantedBeside(state: NoteState, shown: ReadonlySet<number>): Choice {
    const grantees = this.items.map((item, at) => (shown.has(at) ? item : GONE));
    const order = this.#order(shown);
    const formsOf = (granted: readonly number[]): readonly number[] =>
      granted.map((form, at) => (shown.has(at) ? form : -1));
    let { leftOut } = state;
    let room = subtractSizes(this.caps, this.measureFrame(state));
    const granted = grantForms(grantees, order, this.caps, room);
    let forms = formsOf(granted.forms);
    while (leftOut.size > 0) {
      const fewer = this.#leftOutOf(forms);
      if (fewer.size === leftOut.size) break;
      leftOut = fewer;
      const more = subtractSizes(this.caps, this.measureFrame({ ...state, leftOut }));
      // No more room than before: a further round would change nothing.
      if (isWithin(more, room)) break;
      room = more;
      forms = formsOf(raiseForms(grantees, order, forms, room));
    }
    return { ...granted, forms, state: { ...state, leftOut } };
  }

  /** Those that the forms leave out: with a bound, the largest form of a section may be its one line. */
  #leftOutOf(forms: readonly number[]): ReadonlySet<number> {
    return new Set(
      this.items.flatMap(({ isAway, isLeftOut }, at) => (isAway !== 'absent' && isLeftOut(forms[at] ?? 0) ? [at] : [])),
    );
  }

  /**
   * Stubs go: `P4`, then `P3`, then `P2`, first those that the remainder would have gone to last. What they leave is for the
   * stubs among them that fit; the shown sections share the rest.
   */
  #withoutStubs(): Choice {
    const kept = new Set<number>();
    for (const [at, item] of this.items.entries())
      if (isEssential(item.priority) || item.isAway !== undefined || item.status !== 'OK') kept.add(at);
    const stubs = GRANTED.flatMap((priority) =>
      this.#order([...this.items.keys()].filter((at) => !kept.has(at) && this.items[at]?.priority === priority)),
    );
    // Notes name what had to go; but notes on nothing are worth less than a stub.
    for (const notes of ['all', 'none'] as const) {
      const shown = this.#withStubs(kept, stubs, notes);
      if (shown.size > kept.size) return this.#grantedBeside(this.#state(shown, { notes }), shown);
    }
    const keep = (notes: NoteState['notes']): Choice | undefined => {
      const state = this.#state(kept, { notes });
      return this.#ifFits(this.#floorsOf(kept), state) && this.#grantedBeside(state, kept);
    };
    return keep('all') ?? keep('none') ?? this.#withoutAlarms(stubs);
  }

  /** Those that are `kept` and, in order, each of the stubs that still fits, beside notes on the others. */
  #withStubs(kept: ReadonlySet<number>, stubs: readonly number[], notes: NoteState['notes']): ReadonlySet<number> {
    const shown = new Set([...kept, ...stubs]);
    const sizeOf = (at: number): Size => this.items[at]?.size(0) ?? NO_SIZE;
    let body = this.#bodyOf(this.#floorsOf(shown));
    const left = (): Size => subtractSizes(this.caps, addSizes(body, this.measureFrame(this.#state(shown, { notes }))));
    // All that fit up to the first that doesn't are found from the end: notes are measured for few of them.
    let count = stubs.length;
    for (; count > 0 && !(isWithin(body, this.caps) && isWithin(NO_SIZE, left())); count--) {
      const at = stubs[count - 1] ?? -1;
      shown.delete(at);
      body = subtractSizes(body, sizeOf(at));
    }
    let room = left();
    for (const at of stubs.slice(count)) {
      if (!isWithin(sizeOf(at), room)) continue;
      const before = { body, room };
      shown.add(at);
      body = addSizes(body, sizeOf(at));
      room = left();
      if (isWithin(NO_SIZE, room)) continue;
      shown.delete(at);
      ({ body, room } = before);
    }
    return shown;
  }

  /**
   * Alarms give way: whole sentences, ALERT before WARN, as long as they fit; a line that counts the rest, if that fits.
   * What then is left is for the `stubs` that fit, and for grants.
   */
  #withoutAlarms(stubs: readonly number[]): Choice {
    const shown = new Set<number>();
    for (const [at, { priority, isAway }] of this.items.entries())
      if (isEssential(priority) || isAway !== undefined) shown.add(at);
    const essential = this.#floorsOf(shown);
    const isOver = !this.#ifFits(essential, this.#state(shown, { notes: 'none' }));
    const alarmTokens = (): number => this.#bodyOf(this.#floorsOf(shown)).tokens - this.#bodyOf(essential).tokens;
    const fits = (notes: 'alarms' | 'none'): boolean => {
      if (!isOver) return this.#ifFits(this.#floorsOf(shown), this.#state(shown, { notes })) !== undefined;
      const line = notes === 'none' ? 0 : this.measureFrame(this.#state(shown, { notes })).tokens;
      return alarmTokens() + line <= OVER_ALARM_TOKENS;
    };
    const alarms = WORST_FIRST.filter((status) => status !== 'OK').flatMap((status) =>
      [...this.items.keys()].filter((at) => !shown.has(at) && this.items[at]?.status === status),
    );
    for (const at of alarms) {
      shown.add(at);
      if (!fits('none')) shown.delete(at);
    }
    if (isOver) {
      const state = this.#state(shown, { isOver });
      return { forms: this.#floorsOf(shown), early: [], offered: new Map(), state };
    }
    const notes = fits('alarms') ? 'alarms' : 'none';
    const all = this.#withStubs(shown, stubs, notes);
    return this.#grantedBeside(this.#state(all, { notes }), all);
  }
}

/** Chooses a form of every section, so that with the frame both caps hold, unless `P0` and `P1` alone exceed one. */
export function chooseForms(items: readonly Fittable[], caps: Size, measureFrame: MeasureFrame): Choice {
  return new Chooser(items, caps, measureFrame).choose();
}
