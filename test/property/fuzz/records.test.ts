/** Logs of records that a folder ships: writers lose nothing and touch nothing else, readers give whole rows. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDraft } from '../../../src/core/observations/observation';
import { decodeObservation, encodeObservation } from '../../../src/core/observations/observationCodec';
import { EngineObservationStore } from '../../../src/core/observations/observationStore';
import { LineTokenCounter } from '../../../src/core/tokens/lines';
import { aggregateUsage } from '../../../src/core/usage/report/usageAggregator';
import { encodeUsage } from '../../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../../src/core/usage/usageRecord';
import { JsonlObservationLog, UsageLogFile } from '../../../src/node/records/fileLogs';
import { exactTokenizer } from '../../support/exactTokenizer';
import { DeskEngine } from '../../support/observationEngine';
import { keptFolder } from './folder';
import { countInput, damagedText, damagedValue, FUZZ_LIMIT, fuzzing, HOSTILE_TEXTS, tellInputs } from './fuzz';

const TS = '2026-02-03 21:23:34';
const GIT_CONFIG = '[core]\n\trepositoryformatversion = 0\n';
const OBSERVATION = JSON.parse(
  encodeObservation(
    7,
    makeDraft({ ts: TS, summary: 'shipped', taskId: 'T1', actor: 'me', phase: 'verify', detail: 'd' }),
  ),
) as object;
const DRAFT: UsageDraft = {
  ts: TS,
  trigger: 'copy',
  profile: 'default',
  sections: [{ id: 'soul', chars: 1000, tokens: 250, disclosure: 'full', priority: 'P1', hash: '00ff00ff00ff00ff' }],
  cited: [{ id: 'soul', evidence: 'path', what: 'memory/SOUL.md' }],
  mode: 'static',
  payload: 'expanded',
  overheadTokens: 10,
  responseMs: 900,
  observabilityScore: 0.5,
};
const USAGE = JSON.parse(encodeUsage(7, DRAFT)) as object;

/** Numbers of records: usual ones, and those that make numbering hard. */
const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) },
  fc.constantFrom(0, -3, 1.5, 2 ** 52 - 1, 2 ** 52, 2 ** 53 - 1, 2 ** 53, 1e300, '7', null),
);

/** A log as bytes: whole records, nearly whole ones, anything, and often a last line without its end. */
function logOf(record: object, key: string): fc.Arbitrary<Uint8Array> {
  const whole = number.map((value) => JSON.stringify({ ...record, [key]: value }));
  const changed = damagedValue(record).map((value) => JSON.stringify(value));
  const line = fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 4, arbitrary: changed },
    { weight: 3, arbitrary: damagedText(whole) },
    fc.constantFrom('', '{}', '[]', 'null', '[core] fsmonitor = "x"', '['.repeat(5000), ...HOSTILE_TEXTS),
  );
  const lines = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\n', '\r\n'), fc.boolean())
    .map(([all, end, isEnded]) => new TextEncoder().encode(all.join(end) + (isEnded ? end : '')));
  return fc.oneof({ weight: 9, arbitrary: lines }, fc.uint8Array({ maxLength: 600 }));
}

const side = fc.option(
  fc.oneof(
    fc.constantFrom('7', '9007199254740993', '-1', '{}', '[core] fsmonitor = "x"\n'),
    fc.string({ maxLength: 40 }),
  ),
  { nil: undefined },
);

let root = '';

/** Lays a log and its side files into the folder, without what was there. */
async function lay(name: string, bytes: Uint8Array, mark: string | undefined, torn: string | undefined): Promise<void> {
  await rm(path.join(root, '.context-budget'), { recursive: true, force: true });
  await mkdir(path.join(root, '.context-budget'));
  const write = (ending: string, content: string | Uint8Array) => writeFile(path.join(root, name + ending), content);
  await write('', bytes);
  if (mark !== undefined) await write('.mark', mark);
  if (torn !== undefined) await write('.torn', torn);
}

/** What an append must leave: every whole line, the torn one somewhere, and nothing else changed. */
async function checkKept(name: string, before: Uint8Array, tornBefore: string, isWritten: boolean): Promise<Buffer> {
  const after = await readFile(path.join(root, name));
  const end = Buffer.from(before).lastIndexOf(10) + 1;
  if (isWritten) {
    expect(after.subarray(0, end).equals(before.subarray(0, end))).toBe(true);
    const rest = Buffer.from(before.subarray(end));
    const isCompleted = after.subarray(end, before.length).equals(rest);
    const torn = await readFile(path.join(root, `${name}.torn`)).catch(() => Buffer.alloc(0));
    expect(torn.subarray(0, Buffer.byteLength(tornBefore)).toString()).toBe(tornBefore);
    if (!isCompleted) expect(torn.includes(rest)).toBe(true);
  } else expect(after.equals(before)).toBe(true);
  expect(await readFile(path.join(root, '.git/config'), 'utf8')).toBe(GIT_CONFIG);
  expect(await readFile(path.join(root, 'AGENTS.md'), 'utf8')).toBe('# Rules\n');
  return after;
}

/** What `work` gives; undefined when it was refused in words of ours. */
async function unlessRefused<T>(name: 'ObservationError' | 'UsageError', work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== name) throw error;
    expect(error.message).not.toContain(root);
    return undefined;
  }
}

/** Numbers of a report or a row that are none. */
function oddNumbers(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(oddNumbers) : [];
}

describe('a log of any content', () => {
  beforeAll(async () => {
    root = await keptFolder({ '.git/config': GIT_CONFIG, 'AGENTS.md': '# Rules\n' });
  });
  afterAll(() => tellInputs('records'));

  it('takes an observation with a number of its own, or is left as it is', FUZZ_LIMIT, async () => {
    const name = '.context-budget/observations.jsonl';
    const tokenizer = new LineTokenCounter(exactTokenizer('o200k_base'));
    await fc.assert(
      fc.asyncProperty(logOf(OBSERVATION, 'id'), side, side, async (bytes, mark, torn) => {
        countInput();
        await lay(name, bytes, mark, torn);
        const log = new JsonlObservationLog({ realRoot: root, path: name });
        const known = new TextDecoder()
          .decode(bytes)
          .split('\n')
          .map((line) => decodeObservation(line));
        const ids = new Set(known.flatMap((line) => (line.kind === 'ok' ? [line.observation.id] : [])));
        const draft = makeDraft({ ts: TS, summary: 'mine' });
        const outcome = await unlessRefused('ObservationError', log.append([draft]));
        const after = await checkKept(name, bytes, torn ?? '', outcome !== undefined);
        if (outcome?.kind === 'appended') {
          const [id = 0] = outcome.ids;
          expect(Number.isSafeInteger(id) && id > 0).toBe(true);
          expect(ids.has(id)).toBe(false);
          expect(after.toString().endsWith(encodeObservation(id, draft))).toBe(true);
        }
        const store = new EngineObservationStore(log, new DeskEngine(tokenizer));
        const caps = { tokens: 400, chars: 2000 };
        const index = await unlessRefused(
          'ObservationError',
          store.index({ tokenizer: 'o200k_base', caps, limit: 20 }),
        );
        for (const row of index?.rows ?? []) expect(row.text).toMatch(/^[^\n\r\u2028]+\n$/);
        expect(index === undefined || index.text.length <= caps.chars).toBe(true);
        await unlessRefused('ObservationError', store.detail([1, 7, 2 ** 53 - 1], 'o200k_base'));
      }),
      fuzzing(30, 800),
    );
  });

  it('takes a cycle with a number of its own, or is left as it is, and is reported', FUZZ_LIMIT, async () => {
    const name = '.context-budget/usage.jsonl';
    await fc.assert(
      fc.asyncProperty(logOf(USAGE, 'cycle'), side, side, async (bytes, mark, torn) => {
        countInput();
        await lay(name, bytes, mark, torn);
        const log = new UsageLogFile({ realRoot: root, path: name });
        const before = await unlessRefused('UsageError', log.readNewest(1000));
        const cycles = new Set(before?.records.map(({ cycle }) => cycle));
        const outcome = await unlessRefused('UsageError', log.append([DRAFT]));
        await checkKept(name, bytes, torn ?? '', outcome !== undefined);
        if (outcome) {
          const [cycle = 0] = outcome.cycles;
          expect(Number.isSafeInteger(cycle) && cycle > 0).toBe(true);
          expect(cycles.has(cycle)).toBe(false);
          await log.amend(cycle, { ts: TS, profile: 'default', cited: DRAFT.cited });
          const read = await log.readNewest(1000);
          expect(read.records.some((record) => record.cycle === cycle)).toBe(true);
        }
        const report = await unlessRefused('UsageError', aggregateUsage(log.readAll()));
        expect(oddNumbers(report)).toEqual([]);
      }),
      fuzzing(30, 800),
    );
  });
});
