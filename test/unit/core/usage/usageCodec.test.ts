import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../../src/core/text/phrase';
import { decodeUsage, encodeUsage } from '../../../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../../../src/core/usage/usageRecord';

const DRAFT: UsageDraft = {
  ts: '2026-02-03 21:23:34',
  trigger: 'copy',
  profile: 'default',
  sections: [
    {
      id: 'soul',
      chars: 120,
      tokens: 30,
      disclosure: 'full',
      charsFull: 120,
      tokensFull: 30,
      hash: '0123456789abcdef',
    },
    { id: 'ports', chars: 20, tokens: 5, disclosure: 'summary' },
  ],
  cited: [{ id: 'soul', evidence: 'handle', what: 'section:soul' }],
  mode: 'baseline',
  payload: 'expanded',
  overheadTokens: 12,
  overheadChars: 48,
  responseMs: 900,
  observabilityScore: 0.8,
  origin: 'codex:a:1',
};
const MINIMAL = '{"schema_version":"usage.v1","cycle":3,"ts":"2026-02-03 21:23:34"}';

describe('usage lines', () => {
  it('reads a line behind a byte order mark', () => {
    expect(decodeUsage(`\uFEFF${MINIMAL}`)).toMatchObject({ kind: 'ok', record: { cycle: 3 } });
  });

  it('keeps what the map showed, the hash of the task and what was judged, and reads old lines as before', () => {
    const draft: UsageDraft = {
      ...DRAFT,
      sections: [{ id: 'soul', chars: 1, tokens: 1, disclosure: 'full', priority: 'P1' }],
      cited: [{ id: 'soul', evidence: 'keyword', what: 'x', entry: 'abcd' }],
      map: { paths: ['src/a.ts'], names: ['retryUpload'] },
      queryHash: '00ff',
      judged: false,
    };
    expect(decodeUsage(encodeUsage(7, draft))).toEqual({ kind: 'ok', record: { cycle: 7, ...draft } });
    const many = Array.from({ length: 300 }, (_, at) => `src/${at}.ts`);
    const long = decodeUsage(encodeUsage(7, { ...draft, map: { paths: many, names: many } }));
    expect(long).toMatchObject({ record: { map: { paths: { length: 200 }, names: { length: 200 } } } });
    const old = decodeUsage(MINIMAL);
    for (const key of ['map', 'queryHash', 'judged']) expect(old).not.toHaveProperty(`record.${key}`);
  });

  it.each([
    ['all of them', { input: 10, cacheRead: 3, cacheWrite: 2, output: 5 }],
    ['some of them', { input: 10, output: 5 }],
    ['none', undefined],
  ])('keeps the model and the tokens of a transcript, where it says %s', (_, usage) => {
    const draft: UsageDraft = { ...DRAFT, model: 'claude-x', ...(usage ? { usage } : {}) };
    expect(decodeUsage(encodeUsage(7, draft))).toEqual({ kind: 'ok', record: { cycle: 7, ...draft } });
  });

  it('writes them by the names of the format, and reads wrong ones as absent', () => {
    const usage = { input: 10, cacheRead: 3, cacheWrite: 2, output: 5 };
    expect(JSON.parse(encodeUsage(7, { ...DRAFT, model: 'claude-x', usage }))).toMatchObject({
      model: 'claude-x',
      usage: { input: 10, cache_read: 3, cache_write: 2, output: 5 },
    });
    const wrong = `${MINIMAL.slice(0, -1)},"model":5,"usage":{"input":-1,"output":"many"}}`;
    for (const key of ['model', 'usage']) expect(decodeUsage(wrong)).not.toHaveProperty(`record.${key}`);
  });

  it('has its keys in one order, so that equal records are equal bytes', () => {
    expect(encodeUsage(7, DRAFT)).toBe(
      '{"schema_version":"usage.v1","cycle":7,"ts":"2026-02-03 21:23:34","trigger":"copy","profile":"default",' +
        '"mode":"baseline","payload":"expanded","sections":[' +
        '{"id":"soul","chars":120,"tokens":30,"disclosure":"full","chars_full":120,"tokens_full":30,"hash":"0123456789abcdef"},' +
        '{"id":"ports","chars":20,"tokens":5,"disclosure":"summary"}],' +
        '"cited":[{"id":"soul","evidence":"handle","what":"section:soul"}],' +
        '"overhead_tokens":12,"overhead_chars":48,"response_ms":900,"observability_score":0.8,"origin":"codex:a:1"}\n',
    );
  });

  it('leaves out what has no value', () => {
    const {
      mode: _m,
      payload: _p,
      overheadTokens: _o,
      overheadChars: _c,
      responseMs: _r,
      observabilityScore: _s,
      origin: _g,
      ...bare
    } = DRAFT;
    const keys = Object.keys(JSON.parse(encodeUsage(1, { ...bare, mode: undefined })));
    expect(keys).toEqual(['schema_version', 'cycle', 'ts', 'trigger', 'profile', 'sections', 'cited']);
  });

  it('keeps texts of others on one line of at most 120 characters', () => {
    const cited = [{ id: 'soul', evidence: 'keyword' as const, what: `lease\n\u0007takeover ${'x'.repeat(500)}` }];
    const line = encodeUsage(1, { ...DRAFT, trigger: 'fix\nthe\tbug', cited });
    const { trigger, cited: read } = JSON.parse(line);
    expect(trigger).toBe('fix the bug');
    expect(read[0].what).toMatch(/^lease takeover x+…$/);
    expect(read[0].what.length).toBeLessThanOrEqual(120);
  });

  it('reads what other programs leave out', () => {
    expect(decodeUsage(MINIMAL)).toEqual({
      kind: 'ok',
      record: { cycle: 3, ts: '2026-02-03 21:23:34', trigger: '', profile: '', sections: [], cited: [] },
    });
    const line = `${MINIMAL.slice(0, -1)},"sections":[{"id":"a","chars":9,"tokens":2}],"cited":[{"id":"a","evidence":"tag"}]}`;
    expect(decodeUsage(line)).toMatchObject({
      record: {
        sections: [{ id: 'a', chars: 9, tokens: 2, disclosure: 'full' }],
        cited: [{ id: 'a', evidence: 'tag', what: '' }],
      },
    });
  });

  it('passes over unknown keys, and values of optional keys that make no sense', () => {
    const line = `${MINIMAL.slice(0, -1)},"mode":"turbo","payload":7,"response_ms":-1,"observability_score":"high","later":{"x":1}}`;
    const decoded = decodeUsage(line);
    expect(decoded.kind === 'ok' && Object.keys(decoded.record).sort()).toEqual(
      ['cited', 'cycle', 'profile', 'sections', 'trigger', 'ts'].sort(),
    );
  });

  it.each([
    ['{"schema_version":"usage.v1","cyc', 'it is not JSON'],
    ['[1]', 'it is not an object'],
    [MINIMAL.replace('usage.v1', 'usage.v2'), 'schema_version must be "usage.v1"'],
    [MINIMAL.replace('3', '0'), 'cycle must be a whole number of at least 1'],
    [MINIMAL.replace('3', '1.5'), 'cycle must be a whole number of at least 1'],
    [MINIMAL.replace('02-03', '02-31'), 'ts must be YYYY-MM-DD HH:mm:ss'],
    [MINIMAL.replace('}', ',"sections":{}}'), 'sections must be a list'],
    [MINIMAL.replace('}', ',"sections":[{"chars":1}]}'), 'sections[0] must have an id'],
    [
      MINIMAL.replace('}', ',"sections":[{"id":"a","chars":1,"tokens":1},{"id":"b","chars":-1,"tokens":1}]}'),
      'sections[1].chars must be a number of at least 0',
    ],
    [MINIMAL.replace('}', ',"sections":[{"id":"a","chars":1}]}'), 'sections[0].tokens must be a number of at least 0'],
    [MINIMAL.replace('}', ',"cited":[{"evidence":"id"}]}'), 'cited[0] must have an id'],
    [
      MINIMAL.replace('}', ',"cited":[{"id":"a","evidence":"hunch"}]}'),
      'cited[0].evidence must be one of handle, id, path, keyword, tag',
    ],
  ])('says why %s is no record', (line, why) => {
    const decoded = decodeUsage(line);
    expect(decoded.kind === 'malformed' && inEnglish(decoded.why)).toBe(why);
  });

  it('reads back what it wrote, and never throws', () => {
    const amount = fc.nat(1_000_000);
    const name = fc.string({ minLength: 1, maxLength: 20 });
    const section = fc.record(
      {
        id: name,
        chars: amount,
        tokens: amount,
        disclosure: fc.constantFrom('full' as const, 'summary' as const, 'stub' as const, 'omitted' as const),
        charsFull: amount,
        tokensFull: amount,
        hash: name,
      },
      { requiredKeys: ['id', 'chars', 'tokens', 'disclosure'] },
    );
    const what = fc.stringMatching(/^[a-z0-9:/.]{1,100}$/);
    const evidence = fc.constantFrom('handle' as const, 'id' as const, 'path' as const, 'keyword' as const);
    const draft: fc.Arbitrary<UsageDraft> = fc.record(
      {
        ts: fc.constant('2026-02-03 21:23:34'),
        trigger: what,
        profile: name,
        sections: fc.array(section, { maxLength: 5 }),
        cited: fc.array(fc.record({ id: name, evidence, what }), { maxLength: 5 }),
        mode: fc.constantFrom('off' as const, 'dynamic' as const),
        payload: fc.constantFrom('index' as const, 'expanded' as const),
        overheadTokens: amount,
        responseMs: amount,
        observabilityScore: fc.double({ min: 0, max: 100, noNaN: true }),
        origin: name,
      },
      { requiredKeys: ['ts', 'trigger', 'profile', 'sections', 'cited'] },
    );
    fc.assert(
      fc.property(draft, fc.integer({ min: 1 }), (made, cycle) => {
        const line = encodeUsage(cycle, made);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(decodeUsage(line.slice(0, -1))).toEqual({
          kind: 'ok',
          record: JSON.parse(JSON.stringify({ cycle, ...made })),
        });
      }),
    );
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => decodeUsage(text).kind !== undefined));
  });
});
