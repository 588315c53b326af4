import fc from 'fast-check';
import { createScanner, parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/core/config/config';
import { type ConfigChange, editConfig, type SectionList } from '../../src/core/config/configEdit';
import { runs } from '../support/runs';

const LISTS = ['pinned', 'excluded', 'on_demand'] as const;
const IDS = ['soul', 'git', 'ports', 'repo-map', 'topic-memory'] as const;

/** How a text is laid out: every place where blanks, comments or a trailing comma may stand draws from it. */
interface Layout {
  readonly trivia: () => string;
  readonly isLoose: () => boolean;
}

/** Texts that people write between values. A line comment always ends its line. */
const TRIVIA = [
  '',
  ' ',
  '\n  ',
  '\n\n\t',
  ' // why, [x], "y"\n',
  '/* c, ] */',
  '\n// own line\n  ',
  ' /* two\nlines */ ',
];

function render(value: unknown, layout: Layout): string {
  const { trivia, isLoose } = layout;
  const joined = (parts: readonly string[]): string => {
    const last = parts.length > 0 && isLoose() ? `,${trivia()}` : '';
    return `${trivia()}${parts.map((part) => `${part}${trivia()}`).join(`,${trivia()}`)}${last}`;
  };
  if (Array.isArray(value)) return `[${joined(value.map((item) => render(item, layout)))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  return `{${joined(entries.map(([key, item]) => `${JSON.stringify(key)}${trivia()}:${trivia()}${render(item, layout)}`))}}`;
}

const ids = fc.array(fc.constantFrom(...IDS), { maxLength: 4 });
const config = fc.record(
  {
    version: fc.constant(1),
    pinned: ids,
    sections: fc.constant([{ id: 'soul', file: 'SOUL.md', on_demand: true, 'x-unknown': [1, { a: '// no comment' }] }]),
    excluded: ids,
    scoring: fc.record(
      {
        mode: fc.constantFrom('off', 'baseline', 'static', 'dynamic'),
        threshold: fc.constantFrom(0, 0.3, 1),
        window: fc.constant(20),
      },
      { requiredKeys: [] },
    ),
    on_demand: ids,
    'x-mine': fc.constantFrom<unknown>(null, 'text /* no comment */', [], {}),
  },
  { requiredKeys: [] },
);

/** A config as text, with comments and blanks anywhere, LF or CRLF, with or without a byte order mark. */
const text = fc
  .tuple(
    config,
    fc.array(fc.nat(TRIVIA.length * 4 - 1), { minLength: 1, maxLength: 60 }),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([value, choices, loose, lineEnd, mark]) => {
    let [at, turn] = [0, 0];
    const layout = {
      trivia: () => TRIVIA[choices[at++ % choices.length] ?? 0] ?? ' ',
      isLoose: () => loose[turn++ % loose.length] ?? false,
    };
    return mark + `// top\n${render(value, layout)}\n`.replaceAll('\n', lineEnd);
  });

const listChange = fc.record({
  kind: fc.constant('list' as const),
  list: fc.constantFrom<SectionList>(...LISTS),
  sectionId: fc.constantFrom(...IDS),
  isListed: fc.boolean(),
});
const scoringChange = fc.record({
  kind: fc.constant('scoring' as const),
  mode: fc.constantFrom('off' as const, 'baseline' as const, 'static' as const, 'dynamic' as const, undefined),
  threshold: fc.constantFrom(0, 0.05, 0.3, 0.35, 1, undefined),
});
/** Several sections put on one list: none takes back what another did. */
const severalChanges = fc
  .record({
    list: fc.constantFrom<SectionList>(...LISTS),
    ids: fc.array(listChange, { maxLength: 3 }),
  })
  .map(({ list, ids }) => ({ kind: 'all' as const, changes: ids.map((each) => ({ ...each, list, isListed: true })) }));

const profileChange: fc.Arbitrary<Extract<ConfigChange, { kind: 'profile' }>> = fc.record({
  kind: fc.constant('profile' as const),
  name: fc.constant('default'),
  budgetTokens: fc.constantFrom(undefined, 1, 6000, 9000),
  agent: fc.constantFrom(undefined, 'codex' as const, 'claude-code' as const),
});

const change: fc.Arbitrary<ConfigChange> = fc.oneof(listChange, scoringChange, severalChanges, profileChange);

const RUNS = runs(100, 3000);

function read(source: string): Record<string, unknown> {
  return (parse(source.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true }) as Record<string, unknown>) ?? {};
}

/** Comments in their order, found by the library's scanner. */
function comments(source: string): readonly string[] {
  const bare = source.replace(/^\uFEFF/, '');
  const scanner = createScanner(bare, false);
  const found: string[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const value = bare.substr(scanner.getTokenOffset(), scanner.getTokenLength());
    if (value.startsWith('//') || value.startsWith('/*')) found.push(value.replace(/\r$/, ''));
  }
  return found;
}

/** What the file should hold after the change, by the change's meaning alone. */
function expected(before: Record<string, unknown>, asked: ConfigChange): Record<string, unknown> {
  if (asked.kind === 'all') return asked.changes.reduce(expected, before);
  const after = structuredClone(before);
  if (asked.kind === 'scoring') {
    const scoring = { ...(after.scoring as object) } as Record<string, unknown>;
    if (asked.mode !== undefined && (scoring.mode ?? 'baseline') !== asked.mode) scoring.mode = asked.mode;
    if (asked.threshold !== undefined && (scoring.threshold ?? 0.3) !== asked.threshold)
      scoring.threshold = asked.threshold;
    return Object.keys(scoring).length > 0 || 'scoring' in after ? { ...after, scoring } : after;
  }
  if (asked.kind === 'profile') {
    const { budgetTokens, agent } = asked;
    if (budgetTokens === undefined && agent === undefined) return after;
    const profiles = after.profiles as Record<string, object> | undefined;
    const own = { ...profiles?.default, ...(budgetTokens && { budget_tokens: budgetTokens }), ...(agent && { agent }) };
    return { ...after, profiles: { ...profiles, default: own } };
  }
  const { list, sectionId, isListed } = asked;
  const listed = (after[list] as string[] | undefined) ?? [];
  if (isListed) {
    if (!listed.includes(sectionId)) after[list] = [...listed, sectionId];
    return after;
  }
  if (list in after) after[list] = listed.filter((id) => id !== sectionId);
  if (list === 'on_demand' && sectionId === 'soul')
    for (const section of (after.sections as { on_demand: boolean }[] | undefined) ?? []) section.on_demand = false;
  return after;
}

/** A change that repeats a default beside another one is written too: values are what counts there. */
function settled(value: Record<string, unknown>): unknown {
  const scoring = (value.scoring ?? {}) as Record<string, unknown>;
  // An emptied list is gone, unless a comment stands in it.
  const filled = Object.entries(value).filter(
    ([key, list]) => !LISTS.some((each) => each === key) || String(list) !== '',
  );
  return { ...Object.fromEntries(filled), scoring: { mode: 'baseline', threshold: 0.3, ...scoring } };
}

describe('a change of the config', () => {
  it('is in the file, and nothing else is different', () => {
    fc.assert(
      fc.property(text, change, (source, asked) => {
        const edited = editConfig(source, asked);
        expect(settled(read(edited))).toEqual(settled(expected(read(source), asked)));
        expect(parseConfig(edited).config).toBeDefined();
      }),
      RUNS,
    );
  });

  it('leaves every comment, in its order, the byte order mark and the kind of line end', () => {
    fc.assert(
      fc.property(text, change, (source, asked) => {
        const edited = editConfig(source, asked);
        expect(comments(edited)).toEqual(comments(source));
        expect(edited.startsWith('\uFEFF')).toBe(source.startsWith('\uFEFF'));
        if (source.includes('\r\n')) expect(/[^\r]\n/.test(edited)).toBe(false);
        else expect(edited.includes('\r')).toBe(false);
      }),
      RUNS,
    );
  });

  it('adds to the bytes of the file and takes none away, when a section goes on a list', () => {
    fc.assert(
      fc.property(text, listChange, (source, asked) => {
        const edited = editConfig(source, { ...asked, isListed: true });
        let at = 0;
        for (const character of edited) if (character === source[at]) at++;
        const blankList = /\[\s+\]/.test(source);
        expect(at === source.length || blankList).toBe(true);
      }),
      RUNS,
    );
  });

  it('undone gives the same bytes where the list had something', () => {
    fc.assert(
      fc.property(text, listChange, (source, { list, sectionId }) => {
        const before = read(source)[list] as readonly string[] | undefined;
        fc.pre(before !== undefined && before.length > 0 && !before.includes(sectionId));
        fc.pre(!(list === 'on_demand' && sectionId === 'soul') && !/\[\s+\]/.test(source));
        const put = editConfig(source, { kind: 'list', list, sectionId, isListed: true });
        expect(editConfig(put, { kind: 'list', list, sectionId, isListed: false })).toBe(source);
      }),
      RUNS,
    );
  });

  it('said twice changes nothing the second time', () => {
    fc.assert(
      fc.property(text, change, (source, asked) => {
        const once = editConfig(source, asked);
        expect(editConfig(once, asked)).toBe(once);
      }),
      runs(25, 500),
    );
  });
});
