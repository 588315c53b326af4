import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import type { Definition } from '../../../../../src/core/repomap/facts/types';
import { RepoIndex } from '../../../../../src/core/repomap/index/repoIndex';
import { type ChangedLines, changedOrder } from '../../../../../src/core/repomap/ranking/changedOrder';
import { definition, facts } from '../../../../support/repoMapBuilders';

/** A class of 40 lines with methods of random sizes, one after the other, then functions. */
const layout = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 });
const hunks = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: 60 }),
    lines: fc.integer({ min: 0, max: 12 }),
    removed: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 5 },
);

it('shows the innermost definition of each changed line, each definition once and in one role', () => {
  fc.assert(
    fc.property(layout, hunks, (sizes, changed) => {
      let line = 2;
      const methods = sizes.map((size, at) => {
        const method = definition(`m${at}`, { kind: 'method', lineStart: line, lineEnd: line + size - 1, parent: 0 });
        line += size;
        return method;
      });
      const around = definition('Around', { kind: 'class', lineStart: 1, lineEnd: 40 });
      const last = definition('last', { lineStart: 45, lineEnd: 50 });
      const definitions = [around, ...methods, last];
      const index = new RepoIndex();
      index.upsert(packFacts(facts('src/a.ts', definitions)));
      const file = index.fileAt('src/a.ts');
      const order = changedOrder(index, { files: [{ path: 'src/a.ts', isNew: false, hunks: changed, removed: [] }] });
      const items = [...order.items(() => 0)];
      const shown = items.map((item) => item.index);
      expect(new Set(shown).size).toBe(shown.length);
      for (const item of items) expect(order.aboutOf?.(item)?.role).toBe('changed');
      for (const { start, lines } of changed) {
        for (let at = start; at < start + lines; at++) {
          const holders = definitions
            .map((_, each) => each)
            .filter((each) => {
              const { lineStart, lineEnd } = definitions[each] ?? around;
              return lineStart <= at && at <= lineEnd;
            });
          const inner = holders.find((each) => each > 0) ?? holders[0];
          if (inner !== undefined) expect(shown).toContain(inner);
        }
      }
      expect(items.every((item) => item.file === file)).toBe(true);
    }),
  );
});

/** The definitions of `src/a.ts` that a map of these changes shows, in its order. */
function changedIn(definitions: readonly Definition[], changed: readonly ChangedLines[]): readonly string[] {
  const index = new RepoIndex();
  index.upsert(packFacts(facts('src/a.ts', definitions)));
  const order = changedOrder(index, { files: [{ path: 'src/a.ts', isNew: false, hunks: changed, removed: [] }] });
  return [...order.items(() => 0)].map((item) => definitions[item.index]?.name ?? 'the file');
}

it('shows the innermost definition where those around it come later in the file’s list', () => {
  const definitions = [
    definition('inner', { lineStart: 4, lineEnd: 6, parent: 1 }),
    definition('middle', { lineStart: 3, lineEnd: 8, parent: 2 }),
    definition('outer', { lineStart: 1, lineEnd: 20 }),
  ];
  expect(changedIn(definitions, [{ start: 5, lines: 1, removed: 0 }])).toEqual(['inner']);
  expect(changedIn([...definitions].reverse(), [{ start: 5, lines: 1, removed: 0 }])).toEqual(['inner']);
});

it('shows what changed most first, of as much the first of the file', () => {
  const definitions = [1, 11, 21, 31].map((lineStart, at) =>
    definition('abcd'.charAt(at), { lineStart, lineEnd: lineStart + 9 }),
  );
  const hunks = [
    { start: 32, lines: 3, removed: 0 },
    { start: 22, lines: 2, removed: 0 },
    { start: 12, lines: 6, removed: 0 },
    { start: 2, lines: 3, removed: 0 },
  ];
  expect(changedIn(definitions, hunks)).toEqual(['b', 'a', 'd', 'c']);
});
