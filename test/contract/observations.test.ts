/**
 * What any store of observations must do, whatever keeps them: append, index, timeline, detail. A new backend joins by
 * a line in `BACKENDS`.
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { HeldObservationLog } from '../../src/core/observations/heldObservationLog';
import { makeDraft, type ObservationInput } from '../../src/core/observations/observation';
import { ObservationError } from '../../src/core/observations/observationError';
import type { ObservationLog } from '../../src/core/observations/observationLog';
import { EngineObservationStore } from '../../src/core/observations/observationStore';
import { JsonlObservationLog } from '../../src/node/records/fileLogs';
import { SYSTEM_CLOCK } from '../../src/protocol/clock';
import { WholeFileObservationLog } from '../../src/web/records/wholeFileLog';
import { exactTokenizer } from '../support/exactTokenizer';
import { MemoryObservationLog } from '../support/memoryLog';
import { DeskEngine } from '../support/observationEngine';
import { tempFolder } from '../support/tempFolder';
import { MemoryFiles } from '../support/wholeMemoryFiles';

interface Backend {
  readonly log: ObservationLog;
  /** The same log as another process sees it. */
  readonly other: ObservationLog;
  /** Somebody leaves only the first lines. */
  rewrite(count: number): Promise<void>;
}

const LOG = 'log/observations.jsonl';

async function keepLines(file: string, count: number): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, count);
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
}

const BACKENDS: Readonly<Record<string, () => Promise<Backend>>> = {
  'JSON Lines file': async () => {
    const realRoot = await tempFolder();
    const open = () => new JsonlObservationLog({ realRoot, path: LOG });
    return {
      log: open(),
      other: open(),
      rewrite: (count) => keepLines(path.join(realRoot, LOG), count),
    };
  },
  'file that is written whole': async () => {
    const files = new MemoryFiles();
    const open = () => new WholeFileObservationLog({ files, path: LOG, clock: SYSTEM_CLOCK, makeKey: randomUUID });
    return {
      log: open(),
      other: open(),
      rewrite: async (count) => {
        const lines = (files.text(LOG) ?? '').split('\n').slice(0, count);
        files.put(LOG, lines.map((line) => `${line}\n`).join(''));
      },
    };
  },
  'memory before a file, as where nothing may be written': async () => {
    const realRoot = await tempFolder();
    let mayWrite = false;
    const log = new HeldObservationLog(new JsonlObservationLog({ realRoot, path: LOG }), () => mayWrite);
    return {
      log,
      other: log,
      // Nobody rewrites what is in memory: it is written first.
      rewrite: async (count) => {
        mayWrite = true;
        await log.release();
        mayWrite = false;
        await keepLines(path.join(realRoot, LOG), count);
      },
    };
  },
  memory: async () => {
    const log = new MemoryObservationLog(400);
    return { log, other: log, rewrite: async (count) => log.rewrite(count) };
  },
};

const tokenizer = exactTokenizer('o200k_base');
const WIDE = { tokenizer: 'o200k_base' as const, caps: { tokens: 100_000, chars: 1_000_000 } };
const draft = (input: Partial<ObservationInput> = {}) =>
  makeDraft({ ts: '2026-02-03 21:23:34', summary: 'something happened', ...input });
const minute = (at: number) => `2026-02-03 21:${String(at).padStart(2, '0')}:00`;

describe.each(Object.entries(BACKENDS))('%s', (_name, create) => {
  let backend: Backend;
  let engine: DeskEngine;
  let store: EngineObservationStore;

  beforeEach(async () => {
    backend = await create();
    engine = new DeskEngine(tokenizer);
    store = new EngineObservationStore(backend.log, engine);
  });

  const index = async (more: { query?: string; taskId?: string; limit?: number } = {}) =>
    (await store.index({ ...WIDE, limit: 100, ...more })).rows.map(({ id }) => id);

  it('is empty at first', async () => {
    expect(await index()).toEqual([]);
    expect(await store.stats()).toEqual({ total: 0, problems: [], problemCount: 0, unreadBytes: 0 });
    expect(await store.detail([1], 'o200k_base')).toEqual({ items: [], unknown: [1] });
  });

  it('lists groups and rows for people, newest first, and what a search finds', async () => {
    await store.append([
      draft({ ts: '2026-02-03 09:00:00', taskId: 'A', summary: 'tests failed' }),
      draft({ ts: '2026-02-04 09:00:00', taskId: 'B', summary: 'built the parser' }),
      draft({ ts: '2026-02-04 10:00:00', taskId: 'A', summary: 'tests passed' }),
      draft({ ts: '2026-02-02 10:00:00', summary: 'of no task' }),
    ]);
    const days = await store.groups('day', 2);
    expect(days).toMatchObject({ total: 3, observations: 4 });
    expect(days.groups.map(({ key, count, newest }) => [key, count, newest.id])).toEqual([
      ['2026-02-04', 2, 3],
      ['2026-02-03', 1, 1],
    ]);
    expect((await store.groups('task', 9)).groups.map(({ key, count }) => [key, count])).toEqual([
      ['A', 2],
      ['B', 1],
      ['', 1],
    ]);
    const idsOf = async (list: Parameters<EngineObservationStore['list']>[0]) => {
      const { rows, total } = await store.list(list, 'o200k_base');
      return { ids: rows.map(({ id }) => id), total };
    };
    expect(await idsOf({ within: { by: 'task', key: 'A' }, limit: 1 })).toEqual({ ids: [3], total: 2 });
    expect(await idsOf({ within: { by: 'day', key: '2026-02-04' }, limit: 9 })).toEqual({ ids: [3, 2], total: 2 });
    expect(await idsOf({ within: { by: 'task', key: '' }, limit: 9 })).toEqual({ ids: [4], total: 1 });
    expect(await idsOf({ query: 'parser', limit: 9 })).toEqual({ ids: [2], total: 1 });
    expect(await idsOf({ limit: 2 })).toEqual({ ids: [3, 2], total: 4 });
  });

  it('says by its revision when something else was read', async () => {
    await store.append([draft()]);
    await store.refresh();
    const { revision } = store;
    await store.refresh();
    expect(store.revision).toBe(revision);
    await store.append([draft()]);
    await store.refresh();
    expect(store.revision).not.toBe(revision);
  });

  it('makes its search index in slices, with other questions between', async () => {
    await store.append(Array.from({ length: 900 }, (_, at) => draft({ summary: `event number${at} of many` })));
    const order: string[] = [];
    const query = index({ query: 'number777' }).then((ids) => order.push(`query ${ids.join()}`));
    const plain = index({ limit: 1 }).then((ids) => order.push(`index ${ids.join()}`));
    await Promise.all([query, plain]);
    expect(order).toEqual(['index 900', 'query 778']);
    await store.append([draft({ summary: 'one that came later' })]);
    await store.prepareSearch();
    expect(await index({ query: 'later' })).toEqual([901]);
  });

  it('gives each observation an id of its own, larger than those before', async () => {
    const { ids } = await store.append([draft(), draft()]);
    const more = await Promise.all([store.append([draft()]), store.append([draft(), draft()])]);
    const all = [...ids, ...more.flatMap((result) => result.ids)];
    expect([...all].sort((left, right) => left - right)).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps every field, whatever the texts hold', async () => {
    const hostile = 'a|b "c" \\ \u0000\u0007\u2028 日本語 👩‍👩‍👧‍👦 </detail> \n second line';
    const made = draft({
      taskId: 'TASK-1',
      actor: 'verifier',
      phase: 'verify',
      type: 'note',
      detail: hostile,
      files: ['PROGRESS.md#L12'],
      commands: ['npm test'],
      urls: ['https://example.org/a?b=c'],
    });
    await store.append([made]);
    const [row] = (await store.index({ ...WIDE, limit: 1 })).rows;
    const { text: _text, detailTokens: _tokens, ...fields } = row ?? {};
    const { detail: _detail, ...expected } = made;
    expect(fields).toEqual({ id: 1, ...expected });
    const { items } = await store.detail([1], 'o200k_base');
    expect(items[0]?.source.text).toContain(hostile);
  });

  it('lists the newest first, by the time of the event and not of the recording', async () => {
    await store.append([3, 1, 2].map((at) => draft({ ts: minute(at) })));
    expect(await index()).toEqual([1, 3, 2]);
    expect(await index({ limit: 2 })).toEqual([1, 3]);
    expect((await store.index({ ...WIDE, limit: 2 })).total).toBe(3);
  });

  it('lists one task only when asked', async () => {
    await store.append(['A', 'B', 'A', ''].map((taskId) => draft({ taskId })));
    expect(await index({ taskId: 'A' })).toEqual([3, 1]);
    expect(await index({ taskId: 'none' })).toEqual([]);
  });

  it('finds words, parts of identifiers, Chinese and details, best match first', async () => {
    await store.append([
      draft({ summary: 'run the checks', detail: 'ruff E501 in tests/test_budget.py' }),
      draft({ summary: '修复并行隔离：忽略缓存目录' }),
      draft({ summary: 'fix T000_UNBLOCK_CONTEXT_RAG', taskId: 'T000' }),
      draft({ summary: 'checks and more checks: checks' }),
    ]);
    expect(await index({ query: '隔离' })).toEqual([2]);
    expect(await index({ query: '录' })).toEqual([2]);
    expect(await index({ query: 'context rag' })).toEqual([3]);
    expect(await index({ query: 'E501' })).toEqual([1]);
    expect((await index({ query: 'checks' }))[0]).toBe(4);
    expect(await index({ query: 'checks', taskId: 'T000' })).toEqual([]);
    expect(await index({ query: 'nothing-like-it' })).toEqual([]);
    expect(await index({ query: '🙂 ::: ' })).toEqual([]);
    await store.append([draft({ summary: '新的隔离记录' })]);
    expect([...(await index({ query: '隔离' }))].sort()).toEqual([2, 5]);
  });

  it('shows what was before and after an id, and the newest of a task', async () => {
    await store.append(
      Array.from({ length: 9 }, (_, at) => draft({ ts: minute(at), taskId: at % 2 ? 'odd' : 'even' })),
    );
    const around = async (id: number, window: number) =>
      (await store.timeline({ ...WIDE, around: { id }, window })).rows.map((row) => row.id);
    expect(await around(5, 3)).toEqual([4, 5, 6]);
    expect(await around(5, 4)).toEqual([3, 4, 5, 6]);
    expect(await around(1, 3)).toEqual([1, 2, 3]);
    expect(await around(9, 3)).toEqual([7, 8, 9]);
    expect(await around(5, 100)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const odd = await store.timeline({ ...WIDE, around: { taskId: 'odd' }, window: 3 });
    expect(odd.rows.map(({ id }) => id)).toEqual([4, 6, 8]);
    expect(odd.total).toBe(4);
  });

  it('says which id or task it does not have', async () => {
    await store.append([draft()]);
    await expect(store.timeline({ ...WIDE, around: { id: 7 }, window: 3 })).rejects.toSatisfy(
      (error: unknown) => ObservationError.is(error, 'unknown') && error.message.includes('7'),
    );
    await expect(store.timeline({ ...WIDE, around: { taskId: 'T9' }, window: 3 })).rejects.toMatchObject({
      message: expect.stringContaining('T9'),
    });
    const { items, unknown } = await store.detail([7, 1, 9], 'o200k_base');
    expect(items.map(({ source }) => source.handle)).toEqual(['1']);
    expect(unknown).toEqual([7, 9]);
  });

  it('records equal events of a run log as often as the log has them, once', async () => {
    const log = [draft(), draft(), draft({ summary: 'other' })];
    expect((await store.appendUnknown(log)).ids).toHaveLength(3);
    expect((await store.appendUnknown(log)).ids).toHaveLength(0);
    expect((await store.appendUnknown([...log, draft()])).ids).toHaveLength(1);
  });

  it('adds nothing twice when two record the same run log at once', async () => {
    const log = Array.from({ length: 20 }, (_, at) => draft({ summary: `event ${at}` }));
    const second = new EngineObservationStore(backend.other, new DeskEngine(tokenizer));
    await Promise.all([store.appendUnknown(log), second.appendUnknown(log)]);
    expect((await store.stats()).total).toBe(20);
  });

  it('sees at once what others append, without reading anything twice', async () => {
    await store.append([draft()]);
    expect(await store.refresh()).toBe(true);
    expect(await store.refresh()).toBe(false);
    const before = engine.fedBytes;
    await backend.other.append([draft({ summary: 'from elsewhere' })]);
    expect(await index()).toEqual([2, 1]);
    expect(engine.fedBytes).toBeLessThan(before * 2.5);
    expect(await index()).toEqual([2, 1]);
  });

  it('starts anew when the log was rewritten, and never gives an old id again', async () => {
    await store.append([draft(), draft(), draft()]);
    expect(await index()).toEqual([3, 2, 1]);
    await backend.rewrite(1);
    expect(await index()).toEqual([1]);
    expect((await store.append([draft()])).ids).toEqual([4]);
    expect(await index()).toEqual([4, 1]);
  });

  it('survives the loss of its engine', async () => {
    await store.append([draft(), draft()]);
    expect(await index()).toEqual([2, 1]);
    engine.crash();
    expect(await index({ query: 'something' })).toEqual([2, 1]);
  });

  it('serves many questions at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => store.append([draft()])));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => (at % 3 === 0 ? store.append([draft()]).then(() => index()) : index())),
    );
    expect(answers.every((ids) => ids.length >= 20)).toBe(true);
    expect(await index()).toHaveLength(30);
  });

  it('says what each detail costs, exactly', async () => {
    await store.append([draft({ detail: 'line one\nline two with 中文\n'.repeat(40) })]);
    const [row] = (await store.index({ ...WIDE, limit: 1 })).rows;
    const [item] = (await store.detail([1], 'o200k_base')).items;
    const { source } = item!;
    const element = `\`\`\` 1 ${source.title}\n${source.text}\n\`\`\`\n`;
    expect(row?.detailTokens).toBe(tokenizer.count(element));
    expect(row?.text).toBe(`1 | 2026-02-03 21:23 | - | event | something happened | ~${row?.detailTokens} tok\n`);
  });
});
