import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObservationRow } from '../../src/core/model/observation';
import type { CollectedSection } from '../../src/core/model/section';
import { readRunLog } from '../../src/core/observations/ingest/runLog';
import { makeDraft } from '../../src/core/observations/observation';
import { decodeObservation, encodeObservation } from '../../src/core/observations/observationCodec';
import { EngineObservationStore } from '../../src/core/observations/observationStore';
import { buildReport } from '../../src/core/pipeline/report/buildReport';
import { buildDetail } from '../../src/core/render/detail';
import { toSummary } from '../../src/core/text/sentence';
import { isObservationTime } from '../../src/core/text/time';
import { LineTokenCounter } from '../../src/core/tokens/lines';
import { anyText } from '../support/anyText';
import { exactTokenizer } from '../support/exactTokenizer';
import { IS_LONG } from '../support/extent.mjs';
import { MemoryObservationLog } from '../support/memoryLog';
import { DeskEngine } from '../support/observationEngine';
import { runs, some } from '../support/runs';
import { capsArbitrary, requestOf } from './payloadArbitraries';

const exact = exactTokenizer('o200k_base');
const tokenizer = new LineTokenCounter(exact);

/** What logs hold, and what nobody should write into one: the pieces of rows, tags, controls, halves of pairs. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  anyText({ maxLength: 30 }),
  fc.constantFrom(
    ...[
      '修复并行隔离：忽略缓存目录',
      '👩‍👩‍👧‍👦',
      '🇩🇪🇫🇷',
      'e\u0301\u0323',
      '\ud83d',
      '\udc00',
      '\u0000',
      '\u001b[31m',
      '\u2028',
    ],
    ...['\n', '\r\n', ' | ', '</detail>', '<context-notes>', '// comment', '   ', '\u200b', '\ufeff', 'a'.repeat(300)],
    ...['/\n/', '\n\n\n', '한국어', 'テスト', 'สวัสดี', '```', '~85 tok'],
  ),
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const label = fc.oneof(fc.constant(''), fc.constantFrom('T1', 'T2', 'verify'), text);
const two = (value: number) => String(value).padStart(2, '0');
const time = fc
  .tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 59 }))
  .map(([day, minute]) => `2026-02-${two(day)} 10:${two(minute)}:00`);
const draft = fc
  .record({ ts: time, summary: text, taskId: label, actor: label, phase: label, detail: text })
  .map((input) => makeDraft({ ...input, summary: toSummary(input.summary) === '' ? 'x' : input.summary }));
const caps = fc.record({
  tokens: fc.oneof(fc.integer({ min: 20, max: 120 }), fc.integer({ min: 20, max: 3000 })),
  chars: fc.oneof(fc.constant(30_000), fc.integer({ min: 20, max: 2000 })),
});

const ROW =
  /^\d+ \| (?:\d{4}-\d{2}-\d{2} \d{2}:\d{2}|~?\d{4}-\d{2}-\d{2}) \| [^|\n\r]+ \| [^|\n\r]+ \| [^|\n\r]+ \| ~\d+ tok\n$/;

describe('observations', () => {
  it('never have a summary of more than 120 units, of two lines, or cut inside a grapheme', () => {
    const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(text, (given) => {
        const summary = toSummary(given);
        expect(summary.length).toBeLessThanOrEqual(120);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that there is none is the point.
        expect(summary).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
        expect(() => encodeURIComponent(summary)).not.toThrow();
        const whole = toSummary(given, 100_000);
        if (summary === whole) return;
        const kept = summary.slice(0, -1);
        expect(whole.startsWith(kept)).toBe(true);
        const ends = new Set([...graphemes.segment(whole)].map(({ index }) => index));
        const rest = whole.slice(kept.length).match(/^\s*/)?.[0].length ?? 0;
        expect([kept.length, kept.length + rest].some((end) => ends.has(end))).toBe(true);
      }),
      runs(20, 500),
    );
  });

  it('are the same after they were written and read', () => {
    fc.assert(
      fc.property(draft, fc.integer({ min: 1 }), (each, id) => {
        const line = encodeObservation(id, each);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(decodeObservation(line.slice(0, -1))).toEqual({ kind: 'ok', observation: { id, ...each } });
      }),
      runs(15, 300),
    );
  });

  it('never cost more than their caps, in any layer, and no row is ever broken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(draft, { minLength: 1, maxLength: 25 }),
        caps,
        fc.integer({ min: 1, max: 30 }),
        text,
        async (drafts, limits, count, query) => {
          const store = new EngineObservationStore(new MemoryObservationLog(2000), new DeskEngine(tokenizer));
          await store.append(drafts);
          const common = { tokenizer: 'o200k_base', caps: limits } as const;
          const id = 1 + (count % drafts.length);
          for (const layer of [
            await store.index({ ...common, limit: count }),
            await store.index({ ...common, limit: count, query }),
            await store.timeline({ ...common, around: { id }, window: count }),
          ]) {
            expect(exact.count(layer.text)).toBe(layer.tokens);
            expect(layer.tokens).toBeLessThanOrEqual(limits.tokens);
            expect(layer.text.length).toBeLessThanOrEqual(limits.chars);
            expect(layer.rows.map((row) => row.text).join('')).toBe(layer.text);
            for (const row of layer.rows) expect(row.text).toMatch(ROW);
            const isCut = layer.rows.length < Math.min(count, layer.total);
            expect(layer.downgradeApplied.length > 0).toBe(isCut);
          }
          const { items } = await store.detail(
            drafts.map((_, at) => at + 1),
            'o200k_base',
          );
          const sources = items.map(({ source, row }) => ({ ...source, row: row.text }));
          const budget = { budgetTokens: limits.tokens, hardCapChars: limits.chars };
          const detail = buildDetail(
            {
              tokenizer: 'o200k_base',
              detailTokens: Math.ceil(limits.tokens / 2),
              ...budget,
              maxItems: 5,
              items: sources,
            },
            tokenizer,
          );
          expect(exact.count(detail.text)).toBe(detail.tokens);
          expect(detail.tokens).toBeLessThanOrEqual(limits.tokens);
          expect(detail.text.length).toBeLessThanOrEqual(limits.chars);
          const named = [...detail.items.map(({ handle }) => handle), ...detail.asRows, ...detail.omitted];
          expect([...named].sort()).toEqual(sources.map(({ handle }) => handle).sort());
        },
      ),
      runs(8, 120),
    );
  });

  it('keep both payloads within their caps as a section, and show in JSON the rows that the text has', async () => {
    const section = (rows: readonly ObservationRow[]): CollectedSection => ({
      id: 'observations',
      title: 'observations',
      priority: 'P3',
      source: { kind: 'builtin', builtin: 'observations' },
      keepRecent: undefined,
      onDemand: false,
      keywords: [],
      isDiscovered: true,
      body: { kind: 'observations', rows, total: rows.length },
      path: undefined,
      note: undefined,
      isPinned: false,
      isExcluded: false,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 20 }), capsArbitrary, async (drafts, limits) => {
        const store = new EngineObservationStore(new MemoryObservationLog(), new DeskEngine(tokenizer));
        await store.append(drafts);
        const wide = { tokenizer: 'o200k_base' as const, caps: { tokens: 1e6, chars: 1e7 } };
        const { rows } = await store.index({ ...wide, limit: 100 });
        const maxPerSourceTokens = { observations: limits.mapTokens };
        const report = buildReport(requestOf([section(rows)], { ...limits, maxPerSourceTokens }), undefined, tokenizer);
        for (const { budget, observations = [], text: whole } of Object.values(report.payloads)) {
          expect(exact.count(whole)).toBe(budget.tokens);
          expect(budget.tokens).toBeLessThanOrEqual(limits.budgetTokens);
          expect(whole.length).toBeLessThanOrEqual(limits.hardCapChars);
          // One row alone stands between its tags.
          const inText = [...whole.matchAll(/^(?:<observations>)?(\d+) \| /gm)];
          expect(inText.map(([, id]) => Number(id))).toEqual(observations.map(({ id }) => id));
          expect(observations).toEqual(rows.slice(0, observations.length));
        }
      }),
      runs(10, 150),
    );
  });

  it('hold a line of a megabyte within the caps', async () => {
    const store = new EngineObservationStore(new MemoryObservationLog(), new DeskEngine(tokenizer));
    await store.append([
      makeDraft({ ts: '2026-02-03 10:00:00', summary: 'big 大', detail: '数据 data '.repeat(100_000) }),
    ]);
    const caps = { tokens: 60, chars: 30_000 };
    const layer = await store.index({ tokenizer: 'o200k_base', caps, limit: 5 });
    expect(layer.rows).toHaveLength(1);
    const [item] = (await store.detail([1], 'o200k_base')).items;
    const request = { tokenizer: 'o200k_base' as const, detailTokens: 60, budgetTokens: 60, hardCapChars: 30_000 };
    const detail = buildDetail({ ...request, items: [{ ...item!.source, row: item!.row.text }] }, tokenizer);
    expect(detail.tokens).toBeLessThanOrEqual(60);
    expect(detail.text).toContain('characters');
  });

  it('come out of any text that is called a log, and every one is sound', () => {
    const cell = fc.oneof(text, time, fc.constantFrom('2026-02-03', '-', 'PASS', '`a | b`', 'T1'));
    const line = fc.oneof(
      text,
      fc.array(cell, { minLength: 1, maxLength: 8 }).map((cells) => `| ${cells.join(' | ')} |`),
      fc.constantFrom(
        '| 时间 | 任务 | 结果 |',
        '|---|---|---|',
        '## 2026-02-09',
        '- [2026-02-09] did it',
        '```',
        '[12:00:01] (me) x',
        ...[
          '# 1.2',
          '> - [ ] TASK-1',
          '**Done:**',
          'Done:',
          '  - [x] a/b.ts:1',
          'Feb 30, 2026',
          '2月31日',
          '---',
          '====',
        ],
        ...[
          '[02-06] x',
          '2026-02-03T25:61:00+99:00 x',
          '1770163940 x',
          '<!--',
          '{"ts": 1e12, "tasks": [{}]}',
          '- **A**: ',
        ],
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom('P.md', 'a.json', 'b.jsonl'), (lines, name) => {
        const source = lines.join('\n');
        const dates = { blame: new Map([[1, '2026-02-03']]), file: '2026-02-09' };
        const log = readRunLog(name, source, dates);
        const { drafts, problems } = log;
        const count = source.split('\n').length;
        for (const each of drafts) {
          expect(isObservationTime(each.ts)).toBe(true);
          expect(each.summary.length).toBeLessThanOrEqual(120);
          expect(Number(/#L(\d+)$/.exec(each.refs.files[0] ?? '')?.[1])).toBeLessThanOrEqual(count);
        }
        for (const problem of problems) expect(problem.line).toBeLessThanOrEqual(count);
        expect(log.undated).toBe(0);
        expect(log.unread).toBeLessThanOrEqual(log.lines);
        expect(log.firstUnread?.line ?? 0).toBeLessThanOrEqual(count);
        for (const each of drafts)
          expect(decodeObservation(encodeObservation(1, each).trimEnd())).toMatchObject({ observation: each });
        expect(readRunLog(name, source, dates)).toEqual(log);
      }),
      runs(15, 300),
    );
  });

  it('come out of long hostile lines in time that is linear', () => {
    const pieces = [
      'a/',
      'a.',
      '1-',
      '2026-02-',
      '`',
      '**',
      '[',
      '(',
      '| ',
      '- ',
      '# ',
      '>',
      ' ',
      '~',
      ':',
      'Feb ',
      '12:',
      '月1',
      '=== ',
      '✅ ',
      '計',
      '{"a":',
    ];
    for (const piece of some(pieces, 5)) {
      for (const [start, join] of [
        ['', ''],
        ['- 2026-02-03 ', ''],
        ['## 2026-02-03 ', ''],
        ['', '\n'],
      ] as const) {
        const source = start + Array.from({ length: IS_LONG ? 60_000 : 20_000 }, () => piece).join(join);
        // Quadratic time would take minutes, more than this test has.
        expect(readRunLog('P.md', source)).toHaveProperty('problems');
      }
    }
  }, 120_000);
});
