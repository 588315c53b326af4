import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../../../src/core/config/config';
import type { ScoringConfig } from '../../../../src/core/model/relevance';
import type { ContextReport } from '../../../../src/core/model/report';
import type { CollectedSection, PayloadMode } from '../../../../src/core/model/section';
import { buildReport } from '../../../../src/core/pipeline/report/buildReport';
import { asGiven } from '../../../../src/core/text/phrase';
import { prefixMatch } from '../../../../src/core/usage/prefixMatch';
import type { Citation } from '../../../../src/core/usage/usageRecord';
import { LogUsageService } from '../../../../src/core/usage/usageService';
import { FAKE_TOKENIZER, fakeMap } from '../../../property/payloadArbitraries';
import { english } from '../../../support/english';
import { MemoryUsageLog } from '../../../support/memoryUsageLog';
import { request, section } from '../../../support/sectionBuilder';
import { FakeClock } from '../../../support/workspaceFakes';

const PATH = '.context-budget/usage.jsonl';
const MAP = fakeMap(5, 'f(a: number): void');
const REPO_MAP = section('repo-map', '', {
  source: { kind: 'builtin', builtin: 'repo-map' },
  body: { kind: 'repoMap' },
});
const CITED: readonly Citation[] = [{ id: 'soul', evidence: 'handle', what: 'section:soul' }];

const reportOf = (...sections: readonly CollectedSection[]): ContextReport =>
  buildReport(request(sections), MAP, FAKE_TOKENIZER);
const BASE = [section('agents', 'Rules\n', { priority: 'P0' }), section('soul', 'I am calm\n'), section('x', 'x\n')];

let log: MemoryUsageLog;
let scoring: ScoringConfig;
let service: LogUsageService;
let recorded: number;

beforeEach(() => {
  log = new MemoryUsageLog();
  scoring = DEFAULT_CONFIG.scoring;
  recorded = 0;
  const onDidRecord = () => {
    recorded++;
  };
  service = new LogUsageService({ log, path: PATH, scoring: () => scoring, clock: new FakeClock(), onDidRecord });
});

const use = (report: ContextReport, payload: PayloadMode = 'expanded') =>
  service.record(report, { payload, trigger: 'copy' });

describe('recording a payload', () => {
  it('keeps what each section cost, in the order of the payload', async () => {
    const report = reportOf(...BASE);
    expect(await service.record(report, { payload: 'expanded', trigger: 'copy', responseMs: 12 })).toBe(1);
    const [record] = (await service.records(1)).records;
    const { sections, overheadTokens, budget } = report.payloads.expanded;
    expect(record).toMatchObject({ trigger: 'copy', profile: report.profile, mode: 'baseline', payload: 'expanded' });
    expect(record?.responseMs).toBe(12);
    expect(record?.ts).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(record?.sections.map(({ id, chars, tokens }) => [id, chars, tokens])).toEqual(
      sections.map(({ id, chars, tokens }) => [id, chars, tokens]),
    );
    const sum = record?.sections.reduce((total, { tokens }) => total + tokens, overheadTokens);
    expect(sum).toBe(budget.tokens);
    expect(record?.sections.reduce((total, { chars }) => total + chars, record.overheadChars ?? 0)).toBe(budget.chars);
    expect(recorded).toBe(1);
  });

  it('orders an index as its text does: alarms first, elements last', async () => {
    const report = reportOf(REPO_MAP, section('b', 'SUMMARY:ALERT:down\n'), section('a', 'fine\n'));
    await use(report, 'index');
    const { text } = report.payloads.index;
    expect((await service.records(1)).records[0]?.sections.map(({ id }) => id)).toEqual(['b', 'a', 'repo-map']);
    expect(text.indexOf('| b |')).toBeLessThan(text.indexOf('| a |'));
    expect(text.indexOf('</context-index>')).toBeLessThan(text.indexOf('<repo-map>'));
  });

  it('says of a section that was left out that it was', async () => {
    await use(reportOf(...BASE, section('y', 'gone', { isExcluded: true })));
    const found = (await service.records(1)).records[0]?.sections.find(({ id }) => id === 'y');
    expect(found).toMatchObject({ chars: 0, tokens: 0, disclosure: 'omitted' });
    expect(found?.hash).toBeUndefined();
  });

  it('knows a section again that got another id', async () => {
    for (let at = 0; at < 10; at++)
      await service.record(reportOf(...BASE), { payload: 'expanded', trigger: 'copy', cited: CITED });
    await use(reportOf(section('spirit', 'I am calm\n'), ...BASE.filter(({ id }) => id !== 'soul')));
    const { window, problems } = await service.readWindow();
    expect(window.sections.find(({ id }) => id === 'spirit')).toMatchObject({ loaded: 11, citations: 10 });
    expect(english(problems)).toEqual([
      { path: PATH, line: undefined, why: expect.stringContaining('soul became spirit') },
    ]);
  });

  it('reads as many cycles as the config says', async () => {
    for (let at = 0; at < 12; at++) await use(reportOf(...BASE));
    scoring = { ...scoring, window: 7 };
    const window = await service.window();
    expect(window.cycles.map(({ cycle }) => cycle)).toEqual([6, 7, 8, 9, 10, 11, 12]);
    expect(window.size).toBe(7);
  });

  it('passes problems of the log on', async () => {
    log.problems = [{ path: PATH, line: 3, why: asGiven('it is not JSON') }];
    expect((await service.readWindow()).problems).toEqual(log.problems);
  });
});

describe('citing', () => {
  it('adds to the newest cycle that nobody cited yet', async () => {
    await use(reportOf(...BASE), 'index');
    expect(await service.cite(reportOf(...BASE), CITED)).toBe(1);
    expect((await service.records(5)).records).toMatchObject([{ cycle: 1, payload: 'index', cited: CITED }]);
    expect(recorded).toBe(2);
  });

  it.each([
    ['there is none', async () => undefined, 'expanded'],
    ['the newest one is of another profile', async () => use({ ...reportOf(...BASE), profile: 'other' }), 'expanded'],
    ['the newest one was found by a reply', async () => service.cite(reportOf(...BASE), CITED), 'expanded'],
    ['that one was of an index', async () => service.cite(reportOf(...BASE), CITED, { payload: 'index' }), 'index'],
  ])('makes a cycle of the payload that there is now when %s', async (_why, before, payload) => {
    await before();
    const { length } = log.lines;
    expect(await service.cite(reportOf(...BASE), CITED)).toBe(length + 1);
    expect((await service.records(1)).records).toMatchObject([{ payload, trigger: 'cite', cited: CITED }]);
  });

  it('makes a cycle of the same payload when that was handed out and was cited', async () => {
    const before = { ...reportOf(...BASE, section('y', 'gone since\n')), queryHash: '0123456789abcdef' };
    await use(before, 'index');
    for (const cycle of [1, 2, 3]) {
      expect(await service.cite(reportOf(...BASE), cycle === 2 ? [] : CITED, { responseMs: cycle })).toBe(cycle);
      const [{ ts: _, ...newest } = { ts: '' }] = (await service.records(1)).records;
      const [{ ts: __, ...first } = { ts: '' }] = (await service.records(9)).records;
      expect(newest).toEqual({ ...first, cycle, cited: cycle === 2 ? [] : CITED, responseMs: cycle });
      expect(newest).toMatchObject({ payload: 'index', trigger: 'copy', judged: true, queryHash: before.queryHash });
    }
  });

  it('makes a cycle of the kind that the agent had when the newest one is another', async () => {
    await use(reportOf(...BASE), 'index');
    expect(await service.cite(reportOf(...BASE), CITED, { payload: 'expanded' })).toBe(2);
    expect((await service.records(9)).records).toMatchObject([
      { payload: 'index', cited: [], judged: false },
      { payload: 'expanded', trigger: 'cite', cited: CITED },
    ]);
  });

  it('makes one cycle for details that are asked for at once', async () => {
    const details = ['a', 'b', 'c'].map((what): Citation => ({ id: 'x', evidence: 'handle', what }));
    const cycles = details.map((each) => service.cite(reportOf(...BASE), [each], { isFollowUp: true }));
    expect(await Promise.all(cycles)).toEqual([1, 1, 1]);
    expect((await service.records(9)).records).toMatchObject([{ cited: details }]);
  });

  it('adds what is asked for later to the same cycle', async () => {
    await use(reportOf(...BASE), 'index');
    const more: readonly Citation[] = [{ id: 'x', evidence: 'handle', what: 'section:x' }];
    for (const cited of [CITED, more, more])
      expect(await service.cite(reportOf(...BASE), cited, { isFollowUp: true })).toBe(1);
    expect((await service.records(5)).records).toMatchObject([{ cycle: 1, cited: [...CITED, ...more] }]);
  });

  it('records a reply that cites nothing: the use is judged by it', async () => {
    await use(reportOf(...BASE));
    expect(await service.cite(reportOf(...BASE), [])).toBe(1);
    expect((await service.records(9)).records).toMatchObject([{ cycle: 1, judged: true, cited: [] }]);
  });
});

describe('drafts of elsewhere', () => {
  it('are recorded once', async () => {
    const draft = { ts: '2026-02-03 21:23:34', trigger: 'transcript', profile: 'default', sections: [], cited: CITED };
    const turns = ['codex:a:1', 'codex:a:2'].map((origin) => ({ ...draft, origin }));
    expect(await service.recordDrafts(turns)).toEqual([1, 2]);
    expect(await service.recordDrafts([...turns, { ...draft, origin: 'codex:a:3' }])).toEqual([3]);
    expect(await service.recordDrafts([])).toEqual([]);
    expect(recorded).toBe(2);
  });

  it('are of the mode that holds now, unless they say another', async () => {
    const draft = { ts: '2026-02-03 21:23:34', trigger: 'transcript', profile: 'default', sections: [], cited: CITED };
    scoring = { ...scoring, mode: 'dynamic' };
    await service.recordDrafts([draft, { ...draft, mode: 'static' }]);
    expect((await service.records(2)).records.map(({ mode }) => mode)).toEqual(['dynamic', 'static']);
  });
});

describe('the prompt-cache view', () => {
  const prefixOf = async (report: ContextReport) =>
    prefixMatch(report, 'expanded', (await service.records(scoring.window)).records);
  const prefix = (...sections: readonly CollectedSection[]) => prefixOf(reportOf(...sections));
  const tokensOf = (...sections: readonly CollectedSection[]) =>
    reportOf(...sections).payloads.expanded.sections.reduce((sum, { tokens }) => sum + tokens, 0);

  it('has nothing to compare with at first, nor of another kind or profile', async () => {
    expect(await prefix(...BASE)).toBeUndefined();
    await use(reportOf(...BASE), 'index');
    await use({ ...reportOf(...BASE), profile: 'other' });
    expect(await prefix(...BASE)).toBeUndefined();
  });

  it('passes over records of other programs, which say nothing of the bytes', async () => {
    await use(reportOf(...BASE));
    const line = log.lines[0]!;
    log.lines.push({ ...line, cycle: 2, sections: line.sections.map(({ hash: _hash, ...rest }) => rest) });
    expect((await prefix(...BASE))?.cycle).toBe(1);
  });

  it.each([
    ['equal', BASE, undefined, 3],
    ['changed', BASE.map((one) => (one.id === 'soul' ? section('soul', 'I am not\n') : one)), 'soul', 1],
    ['added', [...BASE, section('new', 'n\n')], 'new', 1],
    ['removed', BASE.filter(({ id }) => id !== 'soul'), 'soul', 1],
    ['removed', BASE.slice(0, 2), 'x', 2],
    ['added', [...BASE, section('z', 'z\n')], 'z', 3],
    ['changed', [BASE[0]!, section('soul', 'I am calm\n', { priority: 'P4' }), BASE[2]!], 'x', 1],
  ] as const)('says %s, by which section and how much is left', async (how, now, brokenBy, equal) => {
    await use(reportOf(...BASE));
    const match = await prefix(...now);
    const ordered = reportOf(...now).payloads.expanded;
    const tokens = ordered.sections.slice(0, equal).reduce((sum, one) => sum + one.tokens, 0);
    expect(match).toEqual({ cycle: 1, tokens, totalTokens: ordered.budget.tokens, brokenBy, how });
  });

  it('counts no token that is not the same in both texts', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const some = fc
      .subarray(names)
      .chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            fc.constantFrom('one\n', 'two\nlines\n', 'SUMMARY:OK:fine\n').map((text) => section(id, text)),
          ),
        ),
      );
    await fc.assert(
      fc.asyncProperty(some, some, async (before, now) => {
        log.lines.length = 0;
        const [old, fresh] = [reportOf(...before), reportOf(...now)];
        await use(old);
        const match = await prefixOf(fresh);
        if (before.length === 0) {
          expect(match).toBeUndefined();
          return;
        }
        const { sections, text } = fresh.payloads.expanded;
        let [chars, tokens] = [0, 0];
        for (const one of sections) {
          if (tokens >= (match?.tokens ?? 0)) break;
          chars += one.chars;
          tokens += one.tokens;
        }
        expect(tokens).toBe(match?.tokens);
        expect(old.payloads.expanded.text.startsWith(text.slice(0, chars))).toBe(true);
        expect(match?.how === 'equal').toBe(match?.brokenBy === undefined);
        if (match?.how === 'equal') expect(tokens).toBe(tokensOf(...now));
      }),
    );
  });
});
