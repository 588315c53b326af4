/** `export --otlp` of the built command line, against a receiver that decodes with the definitions of the protocol. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { METRICS, type MetricName } from '../../src/core/print/exportedMetrics';
import { encodeUsage } from '../../src/core/usage/usageCodec';
import { CliWorld, createEngines } from '../support/cliWorld';
import { Receiver, valuesOf } from '../support/otlpReceiver';
import { STUDY_SECTIONS, studyDraft } from '../support/studyLog';
import { limitMs } from '../support/until.mjs';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';

const PRODUCT = path.resolve('.');
const CLI = path.join(PRODUCT, 'dist/cli.js');
const OWN_SECTION = 'acme-merger-plan';

const receivers: Receiver[] = [];
async function receive(status = 200): Promise<Receiver> {
  const receiver = await Receiver.start(status);
  receivers.push(receiver);
  return receiver;
}
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(() => expect(receivers).toEqual([]));

interface Place {
  readonly root: string;
  readonly home: string;
  readonly log: string;
}

/** Which the tests that change nothing in it share: who comes later finds its cache. */
let place: Place;
const homes: string[] = [];

beforeAll(() => {
  ensureBuilt();
  place = folder();
});
afterAll(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true, maxRetries: 10 });
});

/** A folder with a recorded week: 21 cycles a day, baseline first and then dynamic. */
function folder(): Place {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'context-budget-otlp-')));
  homes.push(home);
  const root = path.join(home, 'zebra-workspace');
  mkdirSync(path.join(root, '.context-budget'), { recursive: true });
  mkdirSync(path.join(root, '.vscode'));
  writeFileSync(path.join(root, 'CLAUDE.md'), '# Rules\n\nThe codeword is xylophone.\n');
  writeFileSync(path.join(root, 'plan.md'), 'SUMMARY:WARN:the quince is late\n---\nmore\n');
  const sections = [{ id: OWN_SECTION, file: 'plan.md', priority: 'P2' }];
  const config = { version: 1, agents: ['claude-code'], sections };
  writeFileSync(path.join(root, '.context-budget/config.json'), JSON.stringify(config));
  const lines = Array.from({ length: 147 }, (_, at) => {
    const ts = `2026-11-${String(10 + Math.floor(at / 21)).padStart(2, '0')} ${String(at % 21).padStart(2, '0')}:00:00`;
    const draft = studyDraft(at + 1, { ts, mode: at < 80 ? 'baseline' : 'dynamic', overheadTokens: 7 });
    const used = draft.sections.map((section) => ({ ...section, tokens: section.tokens + (at % 5) }));
    return encodeUsage(at + 1, { ...draft, sections: at < 80 ? used : used.slice(2) });
  });
  const log = path.join(root, '.context-budget/usage.jsonl');
  writeFileSync(log, lines.join(''));
  return { root, home, log };
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly took: number;
}

/** What a person's shell has, and nothing of this machine's user. */
function environment({ home }: Place, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const dirs = {
    CONTEXT_BUDGET_CACHE_DIR: path.join(home, 'cache'),
    CONTEXT_BUDGET_CONFIG_DIR: path.join(home, 'config'),
  };
  return { PATH: process.env.PATH, HOME: home, ...dirs, ...env };
}

/** In a process: what sends reads the variables of its own. */
function run(at: Place, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { root } = at;
  const began = Date.now();
  return new Promise<Ran>((resolve) => {
    const own = environment(at, env);
    execFile(process.execPath, [CLI, ...args, '--root', root], { env: own, cwd: root }, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, out, err, took: Date.now() - began });
    });
  });
}

/** In this process, where nothing is sent. */
async function runHere(at: Place, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const world = await CliWorld.create();
  const product = { root: PRODUCT, createEngines };
  return await world.run([...args, '--root', at.root], { cwd: at.root, env: environment(at, env), product });
}

const receiverAt = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '1500' });

describe('export --otlp', () => {
  it('sends the totals of report --json, with the time at which the log begins', async () => {
    const receiver = await receive();
    const env = { ...receiverAt(receiver.url), OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer t' };
    const { code, out, err } = await run(place, ['export', '--otlp', '--with-names'], env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Sent \d+ numbers to http:\/\/127\.0\.0\.1:\d+\/v1\/metrics\.\n$/);
    expect(receiver.requests[0]).toMatchObject({
      url: '/v1/metrics',
      type: 'application/x-protobuf',
      authorization: 'Bearer t',
    });
    const { byName, metrics } = valuesOf(receiver.decoded());
    const report = JSON.parse((await runHere(place, ['report', '--json'])).out);
    expect(report.cycles).toBe(147);

    const totals = (name: MetricName, label: string) =>
      Object.fromEntries((byName.get(name) ?? []).map(({ of, value }) => [of[label], value]));
    type Row = Record<string, number> & { id: string; mode: string };
    const sections = (total: (row: Row) => number) =>
      Object.fromEntries((report.sections as Row[]).map((row) => [row.id, total(row)]));
    const phases = (total: (row: Row) => number) =>
      Object.fromEntries((report.phases as Row[]).map((row) => [row.mode, total(row)]));
    const usage = (last: string, label: string) => totals(`context_budget.usage.${last}` as MetricName, label);
    const id = 'context_budget.section.id';
    const mode = 'context_budget.scoring.mode';
    expect(Object.keys(usage('section.loads', id))).toHaveLength(STUDY_SECTIONS.length);
    expect(usage('section.loads', id)).toEqual(sections(({ loaded = 0 }) => loaded));
    expect(usage('section.citations', id)).toEqual(sections(({ cited = 0 }) => cited));
    expect(usage('section.characters', id)).toEqual(
      sections(({ loaded = 0, chars_mean = 0 }) => Math.round(loaded * chars_mean)),
    );
    expect(usage('section.tokens', id)).toEqual(
      sections(({ loaded = 0, tokens_mean = 0 }) => Math.round(loaded * tokens_mean)),
    );
    expect(usage('cycles', mode)).toEqual({ baseline: 80, dynamic: 67 });
    expect(usage('cycles', mode)).toEqual(phases(({ cycles = 0 }) => cycles));
    expect(usage('tokens', mode)).toEqual(
      phases(({ cycles = 0, tokens_mean = 0 }) => Math.round(cycles * tokens_mean)),
    );
    const [first] = byName.get('context_budget.usage.cycles') ?? [];
    expect(first?.start).toBe(Date.parse('2026-11-10T00:00:00'));

    // Every metric is one of the table, in its unit and kind.
    for (const { name, unit, sum } of metrics) {
      expect(METRICS[name as MetricName]).toMatchObject({ unit, kind: sum ? 'sum' : 'gauge' });
      if (sum) expect(sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 });
    }
    const own = (byName.get('context_budget.section.tokens') ?? []).filter(({ of }) => of[id] === OWN_SECTION);
    expect(own.map(({ of }) => of['context_budget.section.status'])).toEqual(['WARN', 'WARN']);
    const budget = JSON.parse((await runHere(place, ['budget', '--json'])).out).budget;
    const payload = byName.get('context_budget.payload.tokens') ?? [];
    expect(payload.find(({ of }) => of['context_budget.payload.mode'] === 'expanded')?.value).toBe(budget.tokens);
    const window = JSON.parse((await runHere(place, ['window', '--agent', 'claude-code', '--json'])).out).agents[0];
    const loaded = (byName.get('context_budget.window.tokens') ?? []).reduce((all, { value }) => all + value, 0);
    expect(loaded).toBe(window.loaded_tokens);
  });

  it('sends no text, and no name that is not everybody’s unless it may', async () => {
    const receiver = await receive();
    await run(place, ['export', '--otlp'], { ...receiverAt(receiver.url), OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    const text = receiver.requests[0]?.body.toString() ?? '';
    expect(JSON.parse(text).resourceMetrics).toHaveLength(1);
    expect(text).toContain('claude-md');
    for (const word of [OWN_SECTION, 'zebra', 'xylophone', 'quince', 'plan.md', place.home, hostname()])
      expect(text).not.toContain(word);
    const dry = await runHere(place, ['export', '--otlp', '--dry-run', '--json', '--with-names']);
    expect(dry.out).toContain(OWN_SECTION);
    expect(dry.out).not.toMatch(/xylophone|quince|plan\.md/);
    expect(JSON.parse(dry.out)).toMatchObject({ version: 'export.v1', sent: false });
  });

  it('takes the receiver from no file of the folder', async () => {
    const own = folder();
    const trap = await receive();
    const variables = `OTEL_EXPORTER_OTLP_ENDPOINT=${trap.url}\nOTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${trap.url}\n`;
    for (const name of ['.env', '.env.local', '.envrc', '.context-budget/.env'])
      writeFileSync(path.join(own.root, name), variables);
    const setting = { 'contextBudget.telemetry.otlp.endpoint': trap.url, 'otel.exporter.otlp.endpoint': trap.url };
    writeFileSync(path.join(own.root, '.vscode/settings.json'), JSON.stringify(setting));
    const config = { version: 1, otlp: { endpoint: trap.url }, telemetry: { otlp: { endpoint: trap.url } } };
    writeFileSync(path.join(own.root, '.context-budget/config.json'), JSON.stringify(config));
    const named = await receive();
    const { err } = await run(own, ['export', '--otlp'], receiverAt(named.url));
    expect(err).toContain('otlp');
    expect(named.requests).toHaveLength(1);
    const { out } = await runHere(own, ['export', '--otlp', '--dry-run', '--json']);
    expect(JSON.parse(out).endpoint).toBe('http://localhost:4318/v1/metrics');
    expect(trap.requests).toEqual([]);
  });

  it('ends soon with a message when the receiver is down, never answers or refuses, and loses nothing', async () => {
    const before = readFileSync(place.log, 'utf8');
    const took: number[] = [];
    for (const [status, why] of [
      ['down', /ECONNREFUSED/],
      [0, /did not take the metrics/],
      [400, /HTTP 400/],
    ] as const) {
      const gone = await receive(status === 'down' ? 200 : status);
      if (status === 'down') await gone.stop();
      const failed = await run(place, ['export', '--otlp'], receiverAt(gone.url));
      expect(failed).toMatchObject({ code: 1, out: '' });
      expect(failed.err).toMatch(why);
      expect(failed.err).toContain(gone.url);
      expect(readFileSync(place.log, 'utf8')).toBe(before);
      took.push(failed.took);
    }
    const receiver = await receive();
    const sent = await run(place, ['export', '--otlp'], receiverAt(receiver.url));
    expect(sent.code).toBe(0);
    expect(Math.max(...took)).toBeLessThan(sent.took + limitMs());
    const cycles = valuesOf(receiver.decoded()).byName.get('context_budget.usage.cycles') ?? [];
    expect(cycles.reduce((all, { value }) => all + value, 0)).toBe(147);
  });

  it('names a variable that it cannot follow, shows no password, and can be turned off', async () => {
    const receiver = await receive();
    const export_ = (env: NodeJS.ProcessEnv) =>
      runHere(place, ['export', '--otlp'], { ...receiverAt(receiver.url), ...env });
    expect(await export_({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('OTEL_EXPORTER_OTLP_PROTOCOL must be one of: http/protobuf, http/json'),
    });
    expect(await export_({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toMatchObject({ code: 2 });
    expect(await export_({ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' })).toMatchObject({ code: 2 });
    expect(await export_({ OTEL_SDK_DISABLED: 'true' })).toMatchObject({ code: 0, out: '' });
    expect(await export_({ OTEL_METRICS_EXPORTER: 'none' })).toMatchObject({ code: 0, out: '' });
    expect(await runHere(place, ['export'])).toMatchObject({ code: 2 });
    const endpoint = 'http://me:hunter2@127.0.0.1:9/?key=hunter3';
    const secret = await run(place, ['export', '--otlp'], receiverAt(endpoint));
    expect(secret).toMatchObject({ code: 1 });
    expect(secret.err).not.toMatch(/hunter/);
    expect(receiver.requests).toEqual([]);
  });
});

/** The name that Prometheus gives a metric by default (OpenTelemetry's specification of compatibility). */
function prometheusName(name: string, { kind, unit }: { readonly kind: string; readonly unit: string }): string {
  const ofUnit = unit === 's' ? '_seconds' : unit === '1' ? '_ratio' : '';
  return `${name.replaceAll('.', '_')}${ofUnit}${kind === 'sum' ? '_total' : ''}`;
}

describe('docs/telemetry.md', () => {
  it('lists every metric as it is sent', () => {
    const rows = Object.entries(METRICS).map(
      ([name, { kind, unit, description }]) => `| \`${name}\` | ${kind} | \`${unit}\` | ${description} |`,
    );
    const listed = readFileSync('docs/telemetry.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `context_budget.'));
    expect(listed).toEqual(rows);
  });

  it('has a dashboard that asks for metrics and labels that are sent', () => {
    const { panels } = JSON.parse(readFileSync('docs/otlp-dashboard.json', 'utf8'));
    const asked: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    );
    const labels = [...readFileSync('src/core/print/exportedMetrics.ts', 'utf8').matchAll(/'([\w.]+)': (?:'|\w)/g)]
      .map(([, label = '']) => label)
      .filter((label) => !(label in METRICS));
    const names = new Set(Object.entries(METRICS).map(([name, metric]) => prometheusName(name, metric)));
    const known = new Set([...names, ...labels.map((label) => label.replaceAll('.', '_'))]);
    const used = asked.flatMap((expr) => expr.match(/\b(?:context_budget|gen_ai)_\w+/g) ?? []);
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
    for (const expr of asked) expect((expr.match(/\w+/g) ?? []).some((word) => names.has(word))).toBe(true);
  });
});
