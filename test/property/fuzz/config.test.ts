/** Config files that nobody should write: the reader never throws, and gives nothing that leaves the folder. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Config, DEFAULT_CONFIG, parseConfig } from '../../../src/core/config/config';
import { type ConfigChange, ConfigEditError, editConfig } from '../../../src/core/config/configEdit';
import { SECTION_ID } from '../../../src/core/text/elements';
import { isSafePath } from '../../../src/core/text/safePath';
import { limitMs } from '../../support/until.mjs';
import { countInput, damagedText, damagedValue, FUZZ_LIMIT, fuzzing, HOSTILE_TEXTS, tellInputs, within } from './fuzz';

/** Every key of a config, each with a value that is right. */
const WHOLE = {
  version: 1,
  default_profile: 'mine',
  profiles: {
    mine: {
      agent: 'codex',
      budget_tokens: 5000,
      hard_cap_chars: 20_000,
      index_tokens: 900,
      timeline_tokens: 800,
      detail_tokens: 1500,
      map_tokens: 1500,
      max_per_source_tokens: { observations: 900, soul: 300 },
      top_k: { index: 30, timeline: 20, detail: 5 },
      downgrade_order: ['detail', 'map'],
    },
    default: { budget_tokens: 9000 },
  },
  sections: [
    { id: 'soul', file: 'memory/SOUL.md', priority: 'P1', keywords: ['kind'] },
    { id: 'notes', files: 'docs/**/*.md', keep_recent: 5, on_demand: true },
    { id: 'ports', command: ['node', '-e', '1'], timeout_ms: 900 },
    { id: 'git', builtin: 'git' },
  ],
  pinned: ['soul'],
  excluded: ['ports'],
  on_demand: ['notes'],
  agents: ['codex', 'claude-code'],
  scoring: {
    mode: 'static',
    threshold: 0.4,
    weights: { citation: 0.4, trigger: 0.3, recency: 0.2, size: 0.1 },
    window: 40,
    static_rules: { on_demand: ['P4'], keep_recent: 10, conversations: 2 },
  },
  observations: { path: '.context-budget/events.jsonl', sources: ['runs/**/*.json'] },
  relay: { path: 'relay.json', ledger: 'ledger.json', max_tokens: 8000 },
  usage_log: '.context-budget/used.jsonl',
  repo_map: { include: ['src/**'], exclude: ['**/*.min.js'], max_file_bytes: 500_000 },
  check: { rules: {}, limits: { total: 5000, section: { soul: 900 }, agent: { codex: 3000 } } },
  session_start: { changes: true, orientation_tokens: 200, alarms: false, instructions: true, index: false },
};

const text = damagedText(
  fc
    .tuple(damagedValue(WHOLE), fc.constantFrom(0, 1, 2), fc.constantFrom('', '\uFEFF', '// why\n'))
    .map(([value, indent, head]) => head + JSON.stringify(value, null, indent)),
);
/** Nesting, and lists of many items. */
const heavy = fc.constantFrom(
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
  `{"version":1,"sections":[${'{"id":"a","file":"b"},'.repeat(20_000)}]}`,
  `{"version":1,"sections":[${Array.from({ length: 3000 }, (_, at) => `{"id":"s${at}","file":7}`).join(',')}]}`,
  `{"version":1,${Array.from({ length: 20_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
  `{"version":1,"pinned":["${'x'.repeat(2_000_000)}"]}`,
);

const change: fc.Arbitrary<ConfigChange> = fc.oneof(
  fc.record({
    kind: fc.constant('list' as const),
    list: fc.constantFrom('pinned' as const, 'excluded' as const, 'on_demand' as const),
    sectionId: fc.constantFrom('soul', 'notes', ...HOSTILE_TEXTS.filter((id) => SECTION_ID.test(id))),
    isListed: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('scoring' as const), mode: fc.constantFrom('off' as const, 'dynamic' as const) }),
  fc.record({
    kind: fc.constant('profile' as const),
    name: fc.constantFrom('mine', 'default'),
    budgetTokens: fc.constant(4321),
  }),
);

/** Paths and globs that are read or written because the config names them. */
function pathsOf({ sections, observations, relay, usageLog, repoMap }: Config): readonly string[] {
  const own = sections.flatMap(({ source }) =>
    source.kind === 'file' ? [source.path] : source.kind === 'files' ? [source.pattern] : [],
  );
  const records = [observations.path, ...observations.sources, relay.path, relay.ledger, usageLog];
  return [...own, ...records, ...repoMap.include, ...repoMap.exclude];
}

function numbersOf(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

/** What holds of every config that is in force. */
function check(config: Config): void {
  expect(pathsOf(config).filter((path) => !isSafePath(path))).toEqual([]);
  expect(numbersOf(config).filter((number) => !Number.isFinite(number) || number < 0)).toEqual([]);
  const names = config.profiles.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain(config.defaultProfile);
  for (const profile of config.profiles) {
    expect(profile.budgetTokens).toBeGreaterThan(0);
    expect(profile.hardCapChars).toBeGreaterThan(0);
  }
  const ids = config.sections.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !SECTION_ID.test(id))).toEqual([]);
  for (const { source } of config.sections)
    if (source.kind === 'command') {
      expect(source.argv[0]).not.toBe('');
      expect(source.argv.join('')).not.toContain('\0');
    }
  // Plain data: it goes to a worker.
  expect(structuredClone(config)).toEqual(config);
}

describe('a config file of any content', () => {
  afterAll(() => tellInputs('config'));

  it('is read without an error, into something that holds, or refused by line', FUZZ_LIMIT, () => {
    expect(parseConfig(JSON.stringify(WHOLE)).problems).toEqual([]);
    fc.assert(
      fc.property(
        fc.oneof({ weight: 400, arbitrary: text }, { weight: 1, arbitrary: heavy }),
        change,
        (source, edit) => {
          countInput();
          const { config, problems } = within(limitMs(), () => parseConfig(source));
          const lines = source.split(/\r\n|\r|\n/).length;
          for (const { message, line } of problems) {
            expect(line).toBeGreaterThan(0);
            expect(line).toBeLessThanOrEqual(lines);
            expect(message.length).toBeGreaterThan(20);
          }
          if (config) check(config);
          else expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
          expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('version');
          try {
            const edited = within(limitMs(), () => editConfig(source, edit));
            const after = parseConfig(edited);
            expect(after.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
            check(after.config ?? DEFAULT_CONFIG);
          } catch (error) {
            if (!ConfigEditError.is(error)) throw error;
          }
        },
      ),
      fuzzing(75, 3000),
    );
  });
});
