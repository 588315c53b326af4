import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../../../../src/core/config/config';
import { makeProblem } from '../../../../../src/core/model/problem';
import type { CutRecord, ReportRequest, ReportSection } from '../../../../../src/core/model/report';
import type { CollectedSection, PayloadMode } from '../../../../../src/core/model/section';
import { buildReport } from '../../../../../src/core/pipeline/report/buildReport';
import { toJsonPayload } from '../../../../../src/core/render/json';
import { renderPayload } from '../../../../../src/core/render/renderPayload';
import { asGiven } from '../../../../../src/core/text/phrase';
import { FAKE_TOKENIZER, fakeMap, readElements } from '../../../../property/payloadArbitraries';
import { request, section } from '../../../../support/sectionBuilder';

const NO_REFS = { files: [], commands: [], urls: [] };
const MAP = fakeMap(20, 'f(a: number): void');
const REPO_MAP: Partial<CollectedSection> = {
  source: { kind: 'builtin', builtin: 'repo-map' },
  body: { kind: 'repoMap' },
};

function bullets(count: number, words = 'an entry with a few words in it'): string {
  return Array.from({ length: count }, (_, at) => `- ${at + 1} ${words}`).join('\n');
}

/** The same by age: a list of rules keeps its first entries, whatever `keep_recent` says. */
function dated(count: number, words?: string): string {
  return bullets(count, words).replaceAll(
    /^- (\d+)/gm,
    (_, at) => `- 2026-01-01 00:${String(at).padStart(2, '0')} ${at}`,
  );
}

/** One block: shown whole, or as one line. */
function prose(count: number): string {
  return `Some words.\n${'prose '.repeat(count)}`;
}

function build(each: ReportRequest, mode: PayloadMode = 'expanded') {
  const report = buildReport(each, MAP, FAKE_TOKENIZER);
  const payload = report.payloads[mode];
  const get = (id: string): ReportSection => {
    const found = payload.sections.find((candidate) => candidate.id === id);
    if (!found) throw new Error(`no section ${id}`);
    return found;
  };
  return { report, payload, get };
}

describe('expanded payload', () => {
  it('injects one sentence of an OK source and all of an alarm', () => {
    const { payload, get } = build(
      request([
        section('ports', 'SUMMARY:OK:All 4 ports UP\n---\n80 up\n443 up'),
        section('ci', 'SUMMARY:ALERT:Build is red\n---\ntest a failed\ntest b failed'),
        section('disk', 'SUMMARY:WARN:\n---\n# Disk 91% full\nof 2 TB'),
      ]),
    );
    // Without a sentence of its own its first line is said once, and stands for it in rows.
    expect(payload.text).toContain('<disk>\n# Disk 91% full\nof 2 TB\n</disk>\n');
    expect(get('disk').summary).toBe('Disk 91% full');
    expect(payload.text).toContain('<ports>All 4 ports UP</ports>\n');
    expect(payload.text).toContain('<ci>\nBuild is red\ntest a failed\ntest b failed\n</ci>\n');
    expect(get('ports')).toMatchObject({ disclosure: 'summary', reason: 'status OK', status: 'OK' });
    expect(get('ports').tokensFull).toBeGreaterThan(get('ports').tokens);
    expect(get('ports').explanation).toMatch(
      /^Shown as one sentence: its source reports OK\. \d+ tokens more: the agent can ask for section:ports\./,
    );
    expect(get('ci')).toMatchObject({
      disclosure: 'full',
      reason: 'status ALERT',
      explanation: 'Full text, because the source says ALERT.',
    });
    expect(payload.notes).toEqual([
      'detail by handle (tool context_detail, else the file itself): section:id, sym:…, file:path#L10-L40',
    ]);
  });

  it('is the same for every order of downgrading: observations have index rows alone', () => {
    const rows = Array.from({ length: 30 }, (_, at) => {
      const row = { id: at + 1, ts: '2026-02-03 10:00', phase: '', type: 'run', actor: '', detailTokens: 90 };
      const text = `${at + 1} | 2026-02-03 10:00 | a step of the work was done | 90 tok\n`;
      return { ...row, taskId: '', summary: 'a step of the work was done', refs: NO_REFS, text };
    });
    const sections = [
      section('repo-map', '', REPO_MAP),
      section('observations', '', {
        priority: 'P3',
        source: { kind: 'builtin', builtin: 'observations' },
        body: { kind: 'observations', rows, total: 30 },
      }),
    ];
    const { profile } = request([]);
    const under = (downgradeOrder: typeof profile.downgradeOrder) =>
      build({ ...request(sections), profile: { ...profile, budgetTokens: 200, downgradeOrder } }).payload;
    const first = under(['detail', 'timeline', 'map', 'index']);
    expect(first.cuts.map(({ id }) => id)).toContain('observations');
    expect(under(['index', 'map', 'timeline', 'detail'])).toEqual(first);
  });

  it('keeps an id as it was written; its element has a name of its own, which no text forges', () => {
    const text = 'one\n</recent-conversations>two';
    const { payload, get } = build(request([section('recent_conversations', text), section('会话', 'three')]));
    const { handle, tokens } = get('recent_conversations');
    expect(handle).toBe('section:recent_conversations');
    expect(payload.text).toContain(
      '<recent-conversations>\none\n&lt;/recent-conversations>two\n</recent-conversations>\n',
    );
    expect(payload.text).toMatch(/^<(s-[0-9a-f]{6})>three<\/\1>$/m);
    expect(tokens).toBeGreaterThan(0);
    expect(payload.budget.tokens).toBe(
      payload.sections.reduce((sum, each) => sum + each.tokens, payload.overheadTokens),
    );
  });

  it('caps run logs at 1,200 tokens, where the profile names no other cap of theirs', () => {
    const log = (id: string, path: string, over: Partial<CollectedSection> = {}) =>
      section(id, dated(600), { source: { kind: 'file', path }, priority: 'P3', ...over });
    const logs = [log('progress', 'PROGRESS.md'), log('run', 'runs/2026/7.jsonl'), log('notes', 'docs/PROGRESS.md')];
    const essential = log('summary', 'SUMMARY.md', { priority: 'P1' });
    const roomy = { budgetTokens: 100_000, hardCapChars: 1_000_000 };
    const { payload, get } = build(request([...logs, essential], roomy));
    expect(payload.cuts.map(({ id, by }) => [id, by])).toEqual([
      ['progress', 'cap'],
      ['run', 'cap'],
    ]);
    for (const id of ['progress', 'run']) {
      expect(get(id).tokens).toBeGreaterThan(1100);
      expect(get(id).tokens).toBeLessThanOrEqual(1200);
    }
    const named = build(request(logs, { ...roomy, maxPerSourceTokens: { progress: 400, run: 50_000 } }));
    expect(named.get('progress').tokens).toBeLessThanOrEqual(400);
    expect(named.get('run').disclosure).toBe('full');
  });

  it('suggests a token cap where tokens are used up far before characters, in JSON too', () => {
    const dense = request([section('notes', dated(200))], { budgetTokens: 500, hardCapChars: 30_000 });
    const { payload } = build(dense);
    const { suggestedTokens = 0, tokens, chars } = payload.budget;
    expect(suggestedTokens / tokens).toBeCloseTo(30_000 / chars, 0);
    expect(toJsonPayload(buildReport(dense, MAP, FAKE_TOKENIZER), 'expanded').budget).toMatchObject({
      suggested_budget_tokens: suggestedTokens,
    });
    expect(build({ ...dense, isEstimate: true }).payload.budget).not.toHaveProperty('suggestedTokens');
    const even = request([section('notes', dated(200))], { budgetTokens: 500, hardCapChars: Math.ceil(chars * 1.2) });
    expect(build(even).payload.budget).not.toHaveProperty('suggestedTokens');
  });

  describe('a folder', () => {
    const files = ['a', 'b', 'c'].map((key) => ({
      ...{ path: `m/${key}.md`, key, title: `Topic ${key}`, date: '2026-02-03', keywords: [] },
      text: `# Topic ${key}\n${bullets(10)}\n`,
    }));
    const topics = section('topics', '', {
      source: { kind: 'files', pattern: 'm/*.md' },
      body: { kind: 'folder', files, leftOut: 2 },
    });

    it('shows its files as far as there is room, and says which', () => {
      const whole = build(request([topics])).get('topics');
      expect(whole).toMatchObject({ entries: { shown: 3, total: 5 }, summary: '5 files, newest 2026-02-03: Topic a' });
      expect(whole.files?.map(({ handle, shown }) => [handle, shown])).toEqual([
        ['section:topics/a', 'full'],
        ['section:topics/b', 'full'],
        ['section:topics/c', 'full'],
      ]);
      const { payload, get } = build(request([topics], { budgetTokens: 300 }));
      expect(get('topics')).toMatchObject({
        disclosure: 'summary',
        files: [{ shown: 'entries' }, { shown: 'row' }, {}],
      });
      expect(payload.budget.tokens).toBeLessThanOrEqual(300);
      expect(whole.explanation).toBe('Full text of every file that was read.');
      expect(get('topics').reason).toMatch(/^1 of 5 files, 1 in part: P2 got \d+ of 300 tokens$/);
      expect(payload.cuts[0]).toMatchObject({ id: 'topics', leftOut: { files: 4, entries: expect.any(Number) } });
      const rows = build(request([topics], { budgetTokens: 150 })).get('topics');
      expect(rows.reason).toMatch(/^one line for [1-3] of 5 files: P2 got \d+ of 150 tokens$/);
    });

    it('says how many rows an index has room for', () => {
      const { payload, get } = build(request([topics], { budgetTokens: 175 }), 'index');
      const { files = [], reason, explanation } = get('topics');
      expect([1, 2]).toContain(files.length);
      expect(reason).toMatch(new RegExp(`^${files.length} of 5 files: P2 got \\d+ of 175 tokens$`));
      expect(explanation).toContain('the best-ranked');
      expect(payload.cuts[0]?.leftOut).toEqual({ files: 5 - files.length });
    });

    it('counts files without a row where the rows end, and all of them in its stub', () => {
      const more = /^… (\d+) more files?: section:topics$/m;
      const { payload } = build(request([topics], { budgetTokens: 175 }), 'index');
      const rows = payload.text.match(/^Topic /gm)?.length ?? 0;
      expect(Number(more.exec(payload.text)?.[1])).toBe(5 - rows);
      const stubs = build(request([{ ...topics, onDemand: true }])).payload;
      expect(stubs.text).toMatch(/<topics>5 files \| ~\d+ tok \| section:topics<\/topics>/);
      const listed = { ...topics, body: { kind: 'folder' as const, files, leftOut: 0 } };
      const all = build(request([listed]), 'index').payload.text;
      expect(all).toContain('Topic c |');
      expect(all).not.toMatch(more);
    });

    it('shares the rows of an index among all folders, the best files first', () => {
      const folder = (id: string, words: readonly string[]) => {
        const own = words.map((word, at) => ({
          ...{ path: `${id}/${at}.md`, key: `${at}`, title: `${id} ${at}`, date: undefined, keywords: [] },
          text: `- About ${word}.\n`,
        }));
        return section(id, '', { priority: 'P4', body: { kind: 'folder', files: own, leftOut: 0 } });
      };
      const both = [folder('one', ['tea', 'cake', 'deploys']), folder('two', ['milk', 'deploys', 'deploys of code'])];
      const asked = (indexTokens: number, query: string) =>
        build({ ...request(both, { indexTokens }), query }, 'index').payload.text.match(/^(?:one|two) \d/gm);
      expect(asked(100, 'deploys')).toEqual(['one 2', 'two 1', 'two 2']);
      expect(asked(70, 'deploys of code')).toEqual(['one 2', 'two 2']);
      expect(asked(10, 'deploys')).toBeNull();
      expect(asked(1000, 'deploys')).toHaveLength(6);
    });

    it('grants its best files for a task with P2, and says so', () => {
      const deploy = files.map((file) => (file.key === 'c' ? { ...file, keywords: ['deploy'] } : file));
      const low = section('topics', '', { priority: 'P4', body: { kind: 'folder', files: deploy, leftOut: 0 } });
      const asked = {
        ...request([section('list', dated(40), { priority: 'P3' }), low], { budgetTokens: 600 }),
        query: 'deploy',
      };
      const { get } = build(asked);
      expect(get('topics').files?.[0]).toMatchObject({ path: 'm/c.md', shown: 'full' });
      expect(get('topics').explanation).toContain('Its files that fit the task or focus best are included with P2.');
    });

    it('is a row in an index, and below it rows of its files within the layer of rows', () => {
      const { payload, get } = build(request([topics]), 'index');
      expect(payload.text.split('\n').slice(1, 6)).toEqual([
        expect.stringMatching(/^OK \| topics \| 5 files, newest 2026-02-03: Topic a \| ~\d+ tok \| section:topics$/),
        expect.stringMatching(/^Topic a \| 2026-02-03 \| ~\d+ tok \| section:topics\/a$/),
        expect.stringMatching(/^Topic b /),
        expect.stringMatching(/^Topic c /),
        '… 2 more files: section:topics',
      ]);
      expect(get('topics').files?.map(({ shown }) => shown)).toEqual(['row', 'row', 'row']);
      const { payload: small } = build(request([topics], { indexTokens: 60 }), 'index');
      expect(small.text).toContain('Topic a |');
      expect(small.text).toMatch(/… [34] more files: section:topics/);
      expect(build(request([{ ...topics, onDemand: true }]), 'index').payload.text).not.toContain('Topic b |');
    });

    it('has its files in JSON and XML', () => {
      const report = buildReport(request([topics]), MAP, FAKE_TOKENIZER);
      const first = toJsonPayload(report, 'index').sections[0]?.files?.[0];
      expect(first).toEqual({
        ...{ path: 'm/a.md', title: 'Topic a', date: '2026-02-03', tokens: expect.any(Number) },
        ...{ handle: 'section:topics/a', shown: 'row' },
      });
      expect(renderPayload(report, 'index', 'xml')).toContain('<file path="m/a.md" title="Topic a" date="2026-02-03"');
    });
  });

  it('says nothing when everything is there in full', () => {
    const { payload } = build(request([section('a', 'text'), section('b', 'SUMMARY:OK:fine')]));
    expect(payload.text).toBe('<a>text</a>\n<b>fine</b>\n');
    expect(payload).toMatchObject({ notes: [], overheadTokens: 0, cuts: [] });
    expect(payload.budget).toMatchObject({ status: 'OK', isExact: true, downgradeApplied: [] });
  });

  it('gives the map one row in the index where the config shows it on demand', () => {
    const map = section('repo-map', '', { ...REPO_MAP, onDemand: true });
    const { payload, get } = build(request([map]), 'index');
    expect(payload.text).toContain('section:repo-map');
    expect(payload.text).not.toContain('<repo-map>');
    expect(get('repo-map')).toMatchObject({ reason: 'on demand', disclosure: 'stub' });
    expect(build(request([{ ...map, isPinned: true }]), 'index').payload.text).toContain('<repo-map>');
  });

  it('keeps to the newest observations in the index too, as the config says', () => {
    const rows = [3, 2, 1].map((id) => ({
      ...{ id, type: 'event', taskId: '', ts: '2026-02-03 10:00:00', actor: '', phase: '', summary: 'fixed' },
      ...{ refs: { files: [], commands: [], urls: [] }, detailTokens: 5, text: `${id} | 2026-02-03 | fixed\n` },
    }));
    const body = { kind: 'observations', rows, total: 3 } as const;
    const observations = section('observations', '', {
      source: { kind: 'builtin', builtin: 'observations' },
      body,
      keepRecent: 1,
    });
    const { payload, get } = build(request([observations]), 'index');
    expect(payload.text).toContain('3 | 2026-02-03 | fixed');
    expect(payload.text).not.toContain('2 | 2026-02-03 | fixed');
    expect(get('observations').reason).toBe('newest 1 of 3');
    const many = build(request([{ ...observations, body: { ...body, total: 300 } }]), 'index').get('observations');
    expect(many.reason).toBe('newest 1 of 300');
    expect(many.explanation).toMatch(
      /the newest 1 of 300 entries, because of the config\. The agent can ask for section:observations/,
    );
    const onDemand = { ...observations, keepRecent: undefined, onDemand: true };
    expect(build(request([onDemand]), 'index').payload.text).not.toContain('3 | 2026-02-03 | fixed');
  });

  it('orders sections by priority, then id', () => {
    const { payload } = build(
      request([
        section('z', 'z'),
        section('a', 'a', { priority: 'P4' }),
        section('m', 'm', { priority: 'P0' }),
        section('b', 'b'),
      ]),
    );
    expect(readElements(payload.text).map(({ name }) => name)).toEqual(['m', 'b', 'z', 'a']);
  });

  it('gives each kind of section the short words of the panel', () => {
    const { get } = build(
      request([
        section('agents-md', 'text', { priority: 'P0' }),
        section('soul', 'text', { priority: 'P1' }),
        section('claude-md', 'text', { priority: 'P1', isPinned: true }),
        section('git', 'text', { note: asGiven('2 behind main') }),
        section('readme', 'text', { priority: 'P4' }),
        section('memory', dated(41), { keepRecent: 12 }),
        section('run-logs', 'text', { isExcluded: true }),
        section('topic', 'long text '.repeat(50), { onDemand: true, title: 'memory/topics' }),
        section('ci', '', { body: { kind: 'failed', failure: { kind: 'notTrusted' } } }),
        section('late', '', { body: { kind: 'pending' } }),
        section('void', ' \n '),
        section('repo-map', '', REPO_MAP),
      ]),
    );
    const reasons = [
      'agents-md',
      'soul',
      'claude-md',
      'git',
      'readme',
      'memory',
      'run-logs',
      'topic',
      'ci',
      'late',
      'void',
      'repo-map',
    ];
    expect(reasons.map((id) => [id, get(id).reason, get(id).disclosure])).toEqual([
      ['agents-md', 'always full', 'full'],
      ['soul', 'always kept', 'full'],
      ['claude-md', 'pinned', 'full'],
      ['git', '2 behind main', 'full'],
      ['readme', 'in full', 'full'],
      ['memory', 'newest 12 of 41', 'summary'],
      ['run-logs', 'excluded', 'omitted'],
      ['topic', 'on demand', 'stub'],
      ['ci', 'not trusted', 'omitted'],
      ['late', 'counting', 'omitted'],
      ['void', 'empty', 'omitted'],
      ['repo-map', '20 of 60 files', 'summary'],
    ]);
    expect(get('memory').entries).toEqual({ shown: 12, total: 41 });
    expect(get('memory').text).toContain(' 41 an entry');
    expect(get('memory').text).not.toContain(' 29 an entry');
    expect(get('memory').text).toMatch(/… older entries: section:memory\n$/);
    expect(get('memory').explanation).toMatch(
      /^Shows the newest 12 of 41 entries, because of the config\. 29 more \(\d+ tokens\): the agent can ask for section:memory\.$/,
    );
    expect(get('topic').text).toMatch(/^memory\/topics \| ~\d+ tok \| section:topic$/);
    expect(get('ci').isNotRun).toBe(true);
    expect(get('late').isPending).toBe(true);
  });

  it('logs what the config and the user took away, once each', () => {
    const { payload } = build(
      request([
        section('memory', dated(41), { keepRecent: 12 }),
        section('run-logs', 'text', { isExcluded: true }),
        section('topic', 'long text '.repeat(50), { onDemand: true }),
      ]),
    );
    expect(payload.cuts.map(({ id, by, reason, dropped }) => [id, by, reason, dropped])).toEqual([
      ['memory', 'rule', 'newest 12 of 41', '29 of 41 entries'],
      ['run-logs', 'rule', 'excluded', 'the whole section'],
      ['topic', 'rule', 'on demand', 'the text'],
    ]);
    expect(payload.cuts[0]).toMatchObject({ leftOut: { entries: 29 }, tokens: expect.any(Number) });
    expect(payload.budget.downgradeApplied).toEqual([]);
  });

  it('names sections that were not run', () => {
    const body = { kind: 'failed', failure: { kind: 'notTrusted' } } as const;
    const { payload } = build(
      request([section('ports', '', { body }), section('ci', '', { body }), section('a', 'x')]),
    );
    expect(payload.text).toBe('<a>x</a>\n<context-notes>not run (not trusted): ci, ports</context-notes>\n');
  });

  it('is inexact while a section or the index is pending', () => {
    const pending = request([section('a', '', { body: { kind: 'pending' } })]);
    expect(build(pending).payload.budget.isExact).toBe(false);
    const noIndex = { ...request([section('repo-map', '', REPO_MAP)]), isIndexReady: false };
    expect(build(noIndex).payload.budget.isExact).toBe(false);
    expect(build(noIndex).get('repo-map')).toMatchObject({ isPending: true, reason: 'counting', tokens: 0 });
    expect(build(noIndex).payload.repoMap).toBeUndefined();
  });

  it('says whether nothing was counted, or only what is pending was not', () => {
    const sections = [section('a', 'x'), section('b', '', { body: { kind: 'pending' } })];
    const { budget } = build({ ...request(sections), isEstimate: true }).payload;
    expect(budget).toMatchObject({ isExact: false, isEstimate: true });
    expect(build(request(sections)).payload.budget).not.toHaveProperty('isEstimate');
  });

  it('shows the failure of a plug-in as an alarm', () => {
    const outcome = {
      kind: 'timedOut',
      exitCode: 143,
      signal: undefined,
      stdout: '',
      stderr: 'no route\n',
      errorCode: undefined,
      durationMs: 5001,
    } as const;
    const { get } = build(
      request([
        section('ci', '', { body: { kind: 'failed', failure: { kind: 'command', outcome, timeoutMs: 5000 } } }),
      ]),
    );
    expect(get('ci')).toMatchObject({ status: 'ALERT', reason: 'stopped after 5 s', disclosure: 'full' });
    expect(get('ci').explanation).toBe(
      'ALERT: The command was stopped after 5,000 ms (exit code 143). Last lines of its errors:\nno route',
    );
  });
});

describe('the fit', () => {
  it('holds per-source caps whatever the budget: newest entries, else one line, else nothing', () => {
    const text = `First sentence of it.\n\n${'more prose '.repeat(100)}`;
    const caps = { memory: 60, soul: 40, topic: 16, agents: 1, bye: 1 };
    const { payload, get } = build(
      request(
        [
          section('memory', dated(40)),
          section('soul', text, { priority: 'P1' }),
          section('topic', text),
          section('agents', text, { priority: 'P0' }),
          section('bye', text, { priority: 'P4' }),
        ],
        { maxPerSourceTokens: caps },
      ),
    );
    expect(get('memory').reason).toMatch(/^newest \d of 40: limit of 60 tokens$/);
    expect(get('memory').tokens).toBeLessThanOrEqual(60);
    expect(get('soul')).toMatchObject({ disclosure: 'summary', reason: '2 of 3 lines: limit of 40 tokens' });
    expect(get('soul').text).toBe('First sentence of it.\n\n… section:soul#L3\n');
    expect(get('topic')).toMatchObject({ disclosure: 'stub', reason: 'limit of 16 tokens' });
    expect(get('agents')).toMatchObject({ disclosure: 'full', reason: 'always full' });
    expect(get('bye')).toMatchObject({ disclosure: 'omitted', reason: 'left out' });
    expect(payload.cuts.every(({ by }) => by === 'cap')).toBe(true);
    expect(payload.budget.downgradeApplied).toContain('left out: bye');
  });

  const log = `# Notes\n\n${bullets(30)}\n\n## Log\n\n${dated(5)}\n`;
  const oneFile = { path: 'm/a.md', key: 'a', title: 'A', date: undefined, keywords: [], text: bullets(40) };
  const oneFolder: Partial<CollectedSection> = { body: { kind: 'folder', files: [oneFile], leftOut: 0 } };
  it.each<[string, CollectedSection, RegExp, CutRecord['leftOut']]>([
    ['fixed text', section('a', log), /^\d+ of 40 lines: P2/, { entries: 5, lines: expect.any(Number) }],
    [
      'prose',
      section('a', 'Some words that stand on a line.\n\n'.repeat(60)),
      /^\d+ of 119 lines: P2/,
      { lines: expect.any(Number) },
    ],
    ['one line', section('a', 'A sentence of it. '.repeat(60)), /^first part: P2/, { lines: 1 }],
    ['the last file', section('a', '', oneFolder), /^1 of 1 file, 1 in part: P2/, { entries: expect.any(Number) }],
  ])('says of what it cuts how much is shown and what is missing: %s', (_, each, reason, leftOut) => {
    const report = buildReport(request([each], { budgetTokens: 250 }), MAP, FAKE_TOKENIZER);
    const [cut] = report.payloads.expanded.cuts;
    expect(cut?.reason).toMatch(reason);
    expect(cut?.leftOut).toEqual(leftOut);
    expect(JSON.stringify(report.payloads.expanded.sections)).not.toContain('each other file');
    for (const [unit, count] of Object.entries(cut?.leftOut ?? {}))
      expect(renderPayload(report, 'expanded', 'xml')).toContain(`${unit}_left_out="${count}"`);
  });

  it('keeps a higher priority whole while a lower one gives', () => {
    const sections = [section('high', dated(40)), section('low', dated(40), { priority: 'P4' })];
    const whole = build(request(sections)).payload.budget.tokens;
    const { payload, get } = build(request(sections, { budgetTokens: Math.floor(whole * 0.75) }));
    expect(get('high').disclosure).toBe('full');
    expect(get('low').reason).toMatch(/^newest \d+ of 40: P4 got \d+ of [\d,]+ tokens$/);
    const [cut] = payload.cuts;
    expect(cut).toMatchObject({
      id: 'low',
      by: 'budget',
      tokensFull: get('low').tokensFull,
      tokens: get('low').tokens,
    });
    expect(cut?.leftOut.entries).toBe(40 - (get('low').entries?.shown ?? 0));
    expect(get('low').explanation).toContain(`The next longer version costs ${cut?.nextTokens} tokens instead of`);
    const grants = payload.budget.grants ?? [];
    expect(grants.map(({ priority }) => priority)).toEqual(['P2', 'P4']);
    expect(grants[1]).toMatchObject({ used: get('low').tokens });
    expect((grants[1]?.offered ?? 0) - get('low').tokens).toBeLessThan((cut?.nextTokens ?? 0) - get('low').tokens);
  });

  it('lets the largest section of a priority give first', () => {
    const sections = [section('big', dated(40)), section('small', dated(10))];
    const whole = build(request(sections)).payload.budget.tokens;
    const slightly = build(request(sections, { budgetTokens: whole - 40 }));
    expect(slightly.get('big').reason).toMatch(/^newest 3\d of 40/);
    expect(slightly.get('small').disclosure).toBe('full');
    const much = build(request(sections, { budgetTokens: Math.floor(whole / 4) }));
    expect(much.get('small').reason).toMatch(/^newest \d of 10/);
    expect(Math.abs(much.get('big').tokens - much.get('small').tokens)).toBeLessThan(40);
  });

  it('keeps the first entries of built-in lists, which are in order of importance, and of lists without dates', () => {
    const diagnostics = section('diagnostics', bullets(30), { source: { kind: 'builtin', builtin: 'diagnostics' } });
    const { get } = build(request([diagnostics], { budgetTokens: 120 }));
    expect(get('diagnostics').reason).toMatch(/^first \d+ of 30/);
    expect(get('diagnostics').text).toMatch(/^- 1 /);
    expect(get('diagnostics').text).toMatch(/\n… section:diagnostics#L\d+\n$/);
    const rules = build(request([section('rules', bullets(30))], { budgetTokens: 120 })).get('rules');
    expect(rules.reason).toMatch(/^first \d+ of 30/);
    expect(rules.text).toMatch(/^- 1 /);
  });

  it('uses what a reference that does not fit leaves for the lists beside it', () => {
    const sections = [
      section('reference', prose(6000), { priority: 'P4' }),
      section('log', dated(60), { priority: 'P4' }),
      section('progress', dated(60), { priority: 'P3' }),
    ];
    const { payload, get } = build(request(sections, { budgetTokens: 2800 }));
    expect(get('progress').disclosure).toBe('full');
    expect(get('reference').disclosure).not.toBe('full');
    expect(payload.budget.tokens).toBeGreaterThan(2800 * 0.95);
  });

  it('says in characters what a priority got where these bind', () => {
    const { payload, get } = build(request([section('log', dated(40))], { hardCapChars: 900 }));
    expect(payload.budget.chars).toBeLessThanOrEqual(900);
    expect(get('log').reason).toMatch(/^newest \d+ of 40: P2 got \d+ of 900 characters$/);
    expect(get('log').explanation).toMatch(/costs [\d,]+ characters instead of/);
  });

  it('lets stubs go when the floors do not fit: P4, then P3, then P2; the last by id first', () => {
    const sections = [
      section('p2', prose(40)),
      section('p3', prose(40), { priority: 'P3' }),
      section('p4-a', prose(60), { priority: 'P4' }),
      section('p4-b', prose(60), { priority: 'P4' }),
      section('p1', prose(40), { priority: 'P1' }),
    ];
    const order: string[] = [];
    for (let budgetTokens = 300; budgetTokens > 90; budgetTokens -= 5) {
      const { payload } = build(request(sections, { budgetTokens }));
      for (const { id, disclosure } of [...payload.sections].reverse())
        if (disclosure === 'omitted' && !order.includes(id)) order.push(id);
    }
    expect(order).toEqual(['p4-b', 'p4-a', 'p3', 'p2']);
  });

  it('says why a section was dropped and keeps its handle', () => {
    const sections = [
      section('p1', prose(40), { priority: 'P1' }),
      section('p2', prose(60)),
      section('p4', prose(60), { priority: 'P4', title: 'memory/topics/deployments/archive.md' }),
    ];
    const { report, payload, get } = build(request(sections, { budgetTokens: 200 }));
    expect(get('p2').disclosure).toBe('stub');
    expect(get('p4')).toMatchObject({
      disclosure: 'omitted',
      reason: 'left out, over budget',
      handle: 'section:p4',
      tokens: 0,
      text: '',
    });
    expect(get('p4').explanation).toMatch(
      /^Left out: the limit is used up\. The agent can ask for section:p4 \(\d+ tokens\)\. P4 got 0 of 200 tokens\. The next/,
    );
    expect(payload.budget.downgradeApplied).toContain('left out, over budget: p4');
    expect(payload.notes).toContain('dropped to fit: section:p4');
    const tokens = get('p2').tokensFull + get('p4').tokensFull;
    expect(payload.notes).toContain(`2 sections left out (${tokens} tokens): ask by handle`);
    expect(toJsonPayload(report, 'expanded').notes).toEqual(payload.notes);
    expect(payload.cuts.at(-1)).toMatchObject({ id: 'p4', chars: 0, tokens: 0, dropped: 'the whole section' });
  });

  it('keeps the sentence of an alarm before any stub, and counts alarms that have no room', () => {
    const alarm = section('ci', `SUMMARY:ALERT:Build is red\n---\n${'log line '.repeat(60)}`, { priority: 'P4' });
    const sections = [section('p2', prose(40)), alarm];
    const shrunk = build(request(sections, { budgetTokens: 230 }));
    expect(shrunk.get('ci')).toMatchObject({ disclosure: 'summary' });
    expect(shrunk.get('ci').text).toMatch(/^ALERT \| Build is red \| ~\d+ tok \| section:ci$/);
    expect(shrunk.get('p2').disclosure).toBe('full');
    const tight = build(request(sections, { budgetTokens: 30 }));
    expect(tight.get('p2').disclosure).toBe('omitted');
    expect(tight.get('ci').text).toMatch(/^ALERT/);
    const more = [
      alarm,
      { ...alarm, id: 'disk' },
      section('net', 'SUMMARY:WARN:slow\n---\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17'),
    ];
    const one = build(request(more, { budgetTokens: 42 }));
    expect(one.get('ci').text).toMatch(/^ALERT/);
    expect(one.get('disk').disclosure).toBe('omitted');
    expect(one.payload.notes).toEqual(['2 more alarms']);
    const tighter = build(request(sections, { budgetTokens: 5 }));
    expect(tighter.payload.text).toBe('');
    expect(tighter.payload.budget.status).toBe('OK');
    expect(tighter.payload.cuts.filter(({ id }) => id === 'ci')).toHaveLength(1);
  });

  it('shrinks the map to its best-ranked part before it is one line', () => {
    const sections = [section('repo-map', '', REPO_MAP), section('p0', prose(20), { priority: 'P0' })];
    const { payload, get } = build(request(sections, { budgetTokens: 190 }));
    expect(get('repo-map').reason).toMatch(/^[1-9] of 60 files: P2 got \d+ of 190 tokens$/);
    expect(payload.repoMap?.items[0]?.rank).toBe(1);
    expect(build(request(sections, { budgetTokens: 65 })).get('repo-map').disclosure).not.toBe('summary');
  });

  describe('counts what the map leaves out of what it would show in full', () => {
    /** All symbols of `MAP` in one file. */
    const single: typeof MAP = {
      ...MAP,
      render(count) {
        const { text, view } = MAP.render(count);
        const items = [{ path: 'src/f.ts', rank: 1, symbols: view.items.flatMap(({ symbols }) => symbols) }];
        return { text, view: { ...view, filesShown: 1, items } };
      },
    };
    it.each<[string, typeof MAP, number, (shown: number) => CutRecord['leftOut']]>([
      ['files', MAP, 190, (shown) => ({ files: 20 - shown })],
      ['all files', MAP, 65, () => ({ files: 20 })],
      ['symbols of a file that it shows', single, 190, (shown) => ({ entries: 20 - shown })],
    ])('%s', (_, map, budgetTokens, leftOut) => {
      const sections = [section('repo-map', '', REPO_MAP), section('p0', prose(20), { priority: 'P0' })];
      const { expanded } = buildReport(request(sections, { budgetTokens }), map, FAKE_TOKENIZER).payloads;
      const cut = expanded.cuts.find(({ id }) => id === 'repo-map');
      const symbols = expanded.repoMap?.items.flatMap((file) => file.symbols) ?? [];
      expect(cut?.leftOut).toEqual(leftOut(symbols.length));
    });
  });

  it('delivers P0 and P1 whole when they alone exceed a cap, and names what to shrink', () => {
    const sections = [
      section('agents-md', bullets(100), { priority: 'P0', title: 'AGENTS.md' }),
      section('memory', bullets(150), { priority: 'P1', title: 'MEMORY.md' }),
      section('ci', 'SUMMARY:ALERT:red\n---\nlog'),
      section('p4', 'text', { priority: 'P4' }),
    ];
    const { payload, get } = build(request(sections, { budgetTokens: 1000 }));
    expect(get('agents-md')).toMatchObject({ disclosure: 'full', entries: { shown: 100, total: 100 } });
    expect(get('memory')).toMatchObject({ disclosure: 'full', entries: { shown: 150, total: 150 } });
    expect(get('p4')).toMatchObject({
      reason: 'left out, over budget',
      explanation: 'Left out: P0 and P1 alone use the whole limit. The agent can ask for section:p4 (8 tokens).',
    });
    // Up to 200 tokens of alarms go with them.
    expect(get('ci').text).toMatch(/red/);
    expect(payload.budget).toMatchObject({ status: 'ALERT' });
    const needed = get('agents-md').tokens + get('memory').tokens;
    const format = (count: number): string => count.toLocaleString('en-US');
    expect(payload.notes[0]).toBe(
      `over budget: P0 and P1 alone need ${format(needed)} of 1,000 tokens; shrink first: ` +
        `MEMORY.md ${format(get('memory').tokens)}, AGENTS.md ${format(get('agents-md').tokens)}`,
    );
    const byChars = build(request(sections, { hardCapChars: 2000 }));
    expect(byChars.payload.notes[0]).toMatch(/^over budget: P0 and P1 alone need [\d,]+ of 2,000 characters;/);
  });

  it('gives up the notes rather than P0 and P1', () => {
    const sections = [section('p0', prose(20), { priority: 'P0' }), section('p4', prose(20), { priority: 'P4' })];
    const alone = build(request([sections[0]!])).payload.budget.tokens;
    const { payload } = build(request(sections, { budgetTokens: alone }));
    expect(payload.budget).toMatchObject({ tokens: alone, status: 'WARN' });
    expect(payload.notes).toEqual([]);
  });

  it('warns from 80 % of either cap', () => {
    const sections = [section('a', 'x'.repeat(100))];
    const { tokens, chars } = build(request(sections)).payload.budget;
    const status = (profile: Parameters<typeof request>[1]) => build(request(sections, profile)).payload.budget.status;
    expect(status({ budgetTokens: tokens * 2 })).toBe('OK');
    expect(status({ budgetTokens: Math.floor(tokens / 0.8) })).toBe('WARN');
    expect(status({ hardCapChars: Math.floor(chars / 0.8) })).toBe('WARN');
    expect(status({ hardCapChars: chars })).toBe('WARN');
  });
});

describe('what is left out', () => {
  const text = 'prose '.repeat(200);
  const long = bullets(60);
  const big = { p1: section('rules', prose(40), { priority: 'P1' }), p4: { priority: 'P4' } as const };
  const files = Array.from({ length: 9 }, (_, at) => ({
    ...{ path: `m/${at}.md`, key: `${at}`, title: `Topic ${at}`, date: undefined, keywords: [] },
    text: long,
  }));
  const folder = section('topics', '', {
    source: { kind: 'files', pattern: 'm/*.md' },
    body: { kind: 'folder', files, leftOut: 0 },
    priority: 'P4',
  });
  const ok = 'SUMMARY:OK:All 4 ports UP\n---\n80 up';
  const alarm = `SUMMARY:ALERT:Build is red\n---\n${'log line '.repeat(60)}`;
  // Room for the instructions and some lines, so that every P4 keeps its one line at most.
  const scarce = 175;

  it.each<[string, CollectedSection, number, boolean]>([
    ['a text with its one line', section('a', text, big.p4), scarce, true],
    ['a folder with its one line', folder, 130, true],
    ['a pinned text with its one sentence', section('a', text, { ...big.p4, isPinned: true }), scarce, true],
    ['nothing of a text', section('a', text, big.p4), 120, true],
    ['nothing of an alarm', section('a', alarm, big.p4), 100, true],
    ['the sentence of an alarm', section('a', alarm, big.p4), scarce, false],
    ['the sentence of an OK source', section('a', ok, big.p4), scarce, false],
    ['a text in part', section('a', long, big.p4), 400, false],
    ['a text in full', section('a', text, big.p4), 7500, false],
    ['a text on demand', section('a', text, { ...big.p4, onDemand: true }), scarce, false],
    ['a text on demand that is gone', section('a', text, { ...big.p4, onDemand: true }), 120, false],
    ['an excluded text', section('a', text, { ...big.p4, isExcluded: true }), scarce, false],
    ['an excluded text, over the limit', section('a', text, { ...big.p4, isExcluded: true }), 20, false],
    ['an empty text', section('a', '', big.p4), scarce, false],
    ['P1, whatever the limit', section('a', text, { priority: 'P1' }), 20, false],
  ])('%s', (_, each, budgetTokens, isLeftOut) => {
    const { payload, get } = build(request([big.p1, each], { budgetTokens }));
    expect(get(each.id).isLeftOut).toBe(isLeftOut);
    if (each.isExcluded) expect(get(each.id).reason).toBe('excluded');
    const isCut = !isLeftOut && payload.cuts.some(({ id, by }) => id === each.id && by === 'budget');
    expect(get(each.id).isCut, 'shown in part for want of room').toBe(isCut || undefined);
    const { tokensFull } = get(each.id);
    expect(payload.leftOut).toEqual(isLeftOut ? { sections: 1, tokens: tokensFull } : { sections: 0, tokens: 0 });
  });

  it('is not what a source, its cap or a score keeps small', () => {
    const capped = request([section('a', text, big.p4)], { maxPerSourceTokens: { a: 20 } });
    expect(build(capped).get('a')).toMatchObject({ disclosure: 'stub', isLeftOut: false });
    const rules = { onDemand: ['P4' as const], keepRecent: 20, conversations: 3 };
    const scoring = { ...DEFAULT_CONFIG.scoring, mode: 'static' as const, staticRules: rules };
    const stubbed = { ...request([section('a', text, big.p4)]), scoring };
    expect(build(stubbed).get('a')).toMatchObject({ disclosure: 'stub', isLeftOut: false });
  });

  it('is no map that shows fewer files than it may: it fills the room it gets, and is not cut', () => {
    const map = section('repo-map', '', REPO_MAP);
    const roomy = build(request([big.p1, map], { budgetTokens: 7500 })).get('repo-map');
    let tight = roomy;
    for (let budgetTokens = 600; tight.tokens === roomy.tokens || tight.isLeftOut; budgetTokens -= 20) {
      expect(budgetTokens, 'some limit shows a part of the map').toBeGreaterThan(100);
      tight = build(request([big.p1, map], { budgetTokens })).get('repo-map');
    }
    expect(tight.tokens).toBeLessThan(tight.tokensFull);
    expect([tight.isLeftOut, tight.isCut]).toEqual([false, undefined]);
  });

  it('is in an index what has no row, or a map without a line; a folder’s row is there, and its files are cut', () => {
    const map = section('repo-map', '', REPO_MAP);
    const roomy = build(request([map, folder, section('a', prose(60), big.p4)]), 'index');
    expect(roomy.payload.leftOut).toEqual({ sections: 0, tokens: 0 });
    const scarceRows = request([map, folder, section('a', prose(60), big.p4)], { budgetTokens: 110 });
    const { payload, get } = build(scarceRows, 'index');
    expect([get('repo-map').isLeftOut, get('topics').isLeftOut, get('a').isLeftOut]).toEqual([true, false, false]);
    expect(payload.leftOut).toEqual({ sections: 1, tokens: get('repo-map').tokensFull });
    const [cut] = payload.cuts.filter(({ id }) => id === 'topics');
    expect(cut).toMatchObject({ by: 'budget', leftOut: { files: 9 }, tokens: get('topics').tokens });
    expect(get('topics').reason).toMatch(/^0 of 9 files: P4 got \d+ of 110 tokens$/);
    expect(get('topics').explanation).toMatch(/^One line, because the budget has no room/);
    const without = { ...scarceRows, profile: { ...scarceRows.profile, indexTokens: 0 } };
    expect(build(without, 'index').payload.cuts, 'no rows of files to cut').toEqual([]);
  });
});

describe('index payload', () => {
  const sections = [
    section('agents-md', '# Rules\n\nBe kind.', { priority: 'P0' }),
    section('ports', 'SUMMARY:OK:All 4 ports UP\n---\n80 up'),
    section('ci', 'SUMMARY:ALERT:Build | is red\n---\nlog', { priority: 'P3' }),
    section('disk', 'SUMMARY:WARN:Disk 91 %', { priority: 'P4' }),
    section('repo-map', '', REPO_MAP),
  ];

  it('has one row a section, alarms first, then the map and no text', () => {
    const { payload, get } = build(request(sections), 'index');
    const [index, map, notes] = readElements(payload.text);
    expect(index?.content.split('\n').map((row) => row.replace(/~\d+/, '~N'))).toEqual([
      'ALERT | ci | Build ¦ is red | ~N tok | section:ci',
      'WARN | disk | Disk 91 % | ~N tok | section:disk',
      'OK | agents-md | Rules | ~N tok | section:agents-md',
      'OK | ports | All 4 ports UP | ~N tok | section:ports',
      'OK | repo-map | 20 of 60 files, 20 of 20 symbols, best ranked first | ~N tok | section:repo-map',
    ]);
    expect(map?.name).toBe('repo-map');
    expect(notes?.content).toBe(
      'index-only; detail by handle (tool context_detail, else the file itself): section:id, sym:…, file:path#L10-L40',
    );
    expect(payload.text).not.toContain('Be kind');
    expect(get('ports')).toMatchObject({ disclosure: 'summary', reason: 'status OK' });
    expect(get('agents-md')).toMatchObject({ disclosure: 'stub', reason: 'index line' });
    expect(get('agents-md').text).toMatch(/^OK \| agents-md \| Rules/);
    expect(payload.cuts).toEqual([]);
  });

  it('drops rows of the lowest priority first and keeps alarms to the last', () => {
    const many = [
      ...Array.from({ length: 30 }, (_, at) => section(`p4-${at}`, 'text', { priority: 'P4' })),
      ...Array.from({ length: 30 }, (_, at) => section(`p3-${at}`, 'text', { priority: 'P3' })),
      ...sections,
    ];
    const { payload } = build(request(many, { budgetTokens: 900 }), 'index');
    expect(payload.budget.tokens).toBeLessThanOrEqual(900);
    const shown = payload.sections.filter(({ disclosure }) => disclosure !== 'omitted').map(({ id }) => id);
    expect(shown).toEqual(expect.arrayContaining(['agents-md', 'ci', 'disk', 'ports', 'repo-map']));
    expect(shown.filter((id) => id.startsWith('p4'))).toEqual([]);
    expect(shown.filter((id) => id.startsWith('p3')).length).toBeGreaterThan(0);
    expect(payload.notes.at(-1)).toMatch(/^dropped to fit: .*, \d+ more$/);
  });
});

describe('the words of a task that the index knows', () => {
  const match = { isMatch: true, known: ['ports'], unknown: ['zebra'], nearest: { zebra: [] } };
  const all = [section('soul', prose(30), { priority: 'P0' }), section('repo-map', '', REPO_MAP)];
  it.each([20, 7500])('are told whether or not the map has room: %i tokens', (budgetTokens) => {
    const each = { ...request(all, { budgetTokens }), query: 'ports zebra' };
    const report = buildReport(each, { ...MAP, match }, FAKE_TOKENIZER);
    for (const mode of ['index', 'expanded'] as const) {
      const { isMatch: _, ...words } = match;
      expect(toJsonPayload(report, mode).match).toEqual(words);
    }
  });
});

describe('the share of a map in an index payload', () => {
  const map = { ...fakeMap(200, 'f(a: number): Promise<void>') };
  const of = (count: number, query?: string) => {
    const rows = Array.from({ length: count }, (_, at) => section(`row-${at}`, `What section ${at} is about`));
    const each = {
      ...request([section('repo-map', '', REPO_MAP), ...rows], { mapTokens: 3000 }),
      ...(query ? { query } : {}),
    };
    const { budget, sections, cuts } = buildReport(each, map, FAKE_TOKENIZER).payloads.index;
    return { cut: cuts[0], all: budget.tokens, map: sections.find(({ id }) => id === 'repo-map')! };
  };

  it('is at most a third without a task, or 500 tokens', () => {
    const few = of(3);
    expect(few.map.tokens).toBeLessThanOrEqual(500);
    expect(few.map.tokens).toBeGreaterThan(450);
    expect(few.map.explanation).toContain('without a task');
    expect(few.map.reason).toMatch(/^\d+ of 600 files: no task$/);
    expect(few.cut?.nextTokens).toBeGreaterThan(500);
    const many = of(120);
    expect(many.map.tokens).toBeGreaterThan(500);
    expect(many.map.tokens).toBeLessThanOrEqual(many.all / 3);
    expect(many.map.tokens).toBeGreaterThan(many.all / 3 - 60);
  });

  it('is its own budget with one', () => {
    expect(of(3, 'fix the login').map.tokens).toBeGreaterThan(1500);
  });
});

describe('buildReport', () => {
  it('passes problems on and adds unknown status words', () => {
    const problem = makeProblem('config', 'error', asGiven('broken'), { line: 6 });
    const each = { ...request([section('a', 'SUMMARY:FINE:x')]), problems: [problem] };
    const report = buildReport(each, undefined, FAKE_TOKENIZER);
    expect(report.problems).toEqual([problem, expect.objectContaining({ kind: 'file', severity: 'warning' })]);
    expect(report.profile).toBe('default');
  });

  it('does not mind ids that are words of the language', () => {
    const { get } = build(request([section('constructor', bullets(10)), section('valueof', 'x')]));
    expect(get('constructor').disclosure).toBe('full');
  });
});
