import { describe, expect, it } from 'vitest';
import { chooseForms, type Fittable, type NoteState } from '../../../../../src/core/pipeline/fit/choose';

const FRAME = { tokens: 20, chars: 80 };

function item(id: string, tokens: number, over: Partial<Fittable>): Fittable {
  return {
    ...{ id, priority: 'P0', status: 'OK', score: 1, count: 1, early: 0, isAway: undefined },
    ...{ isPartial: () => false, isLeftOut: (form) => form < 0, size: () => ({ tokens, chars: 4 * tokens }) },
    ...over,
  };
}

function growing(id: string, sizes: readonly number[], over: Partial<Fittable>): Fittable {
  const size = (form: number) => ({ tokens: sizes[form] ?? 0, chars: 4 * (sizes[form] ?? 0) });
  return item(id, 0, { count: sizes.length, size, isLeftOut: (form) => form < 1, ...over });
}

it('grants what stubs that had to go leave to those that stay', () => {
  const items = [
    growing('a', [10, 14, 40], { priority: 'P2' }),
    growing('b', [10, 12], { priority: 'P3' }),
    growing('c', [30, 90], { priority: 'P4' }),
  ];
  const formsWith = (tokens: number) => chooseForms(items, { tokens, chars: 10_000 }, () => FRAME).forms;
  expect([40, 44, 46, 69].map(formsWith)).toEqual([
    [0, 0, -1],
    [1, 0, -1],
    [1, 1, -1],
    [1, 1, -1],
  ]);
  expect(formsWith(70)).toEqual([0, 0, 0]);
});

describe('where the floors do not fit', () => {
  const stubs = [
    growing('a', [50, 90], { priority: 'P2' }),
    growing('b', [10, 15], { priority: 'P3' }),
    growing('c', [20, 90], { priority: 'P3' }),
    growing('d', [10, 15], { priority: 'P4' }),
  ];
  const alarms = [growing('e', [30, 35], { priority: 'P2', status: 'ALERT' }), ...stubs.slice(1)];
  const cases: readonly [string, readonly Fittable[], number, readonly number[]][] = [
    ['a stub that does not fit takes none away that does', stubs, 69, [-1, 1, 0, 0]],
    ['those of higher priority come first', stubs, 40, [-1, 0, -1, 0]],
    ['what no stub can use is granted', stubs, 35, [-1, 1, -1, -1]],
    ['an alarm comes before stubs', alarms, 60, [0, 0, -1, -1]],
    ['a stub may have what is too small for the alarm', alarms, 48, [-1, 1, -1, 0]],
  ];
  it.each(cases)('%s', (_, items, tokens, forms) => {
    expect(chooseForms(items, { tokens, chars: 10_000 }, () => FRAME).forms).toEqual(forms);
  });
});

it.each<[string, readonly (readonly number[])[], number, readonly number[]]>([
  [
    'none is left out',
    [
      [10, 20],
      [10, 20, 40],
    ],
    60,
    [1, 2],
  ],
  [
    'fewer are left out',
    [
      [10, 20],
      [10, 20, 40],
      [10, 100],
    ],
    80,
    [1, 2, 0],
  ],
  [
    'so many are left out',
    [
      [10, 40],
      [10, 50],
    ],
    49,
    [0, 0],
  ],
])('hands out what the notes leave in the end: %s', (_, sizes, tokens, forms) => {
  const items = sizes.map((each, at) => growing(`s${at}`, each, { priority: 'P2' }));
  const measure = ({ leftOut }: NoteState) => ({ tokens: 10 * leftOut.size, chars: 0 });
  const choice = chooseForms(items, { tokens, chars: 10_000 }, measure);
  expect([choice.forms, [...choice.state.leftOut]]).toEqual([
    forms,
    forms.flatMap((form, at) => (form === 0 ? [at] : [])),
  ]);
});

it('shows alarms up to 200 tokens of their own when P0 alone exceeds a cap, whatever stands around them', () => {
  const formsWith = (tokens: number) => {
    const items = [item('rules', 500, {}), item('tests', tokens, { priority: 'P2', status: 'ALERT' })];
    return chooseForms(items, { tokens: 100, chars: 10_000 }, () => FRAME).forms;
  };
  expect(formsWith(200)).toEqual([0, 0]);
  expect(formsWith(201)).toEqual([0, -1]);
});
