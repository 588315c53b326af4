import { describe, expect, it } from 'vitest';
import { phrase } from '../../../../src/core/text/phrase';
import { UsageError } from '../../../../src/core/usage/usageRecord';
import { Workspace } from '../../../../src/core/workspace/workspace';
import { MemoryUsageLog } from '../../../support/memoryUsageLog';
import { makePorts, PREFERENCES, printed } from '../../../support/workspaceFakes';

const LOG = '.context-budget/usage.jsonl';
const CONFIG = '.context-budget/config.json';
const FOLDER = { 'AGENTS.md': '# Rules\n', 'src/a.ts': 'one\n' };
const settle = async () => {
  for (let i = 0; i < 200; i++) await Promise.resolve();
};

function open(files: Readonly<Record<string, string>> = FOLDER, run?: Parameters<typeof makePorts>[1]) {
  const logs = new Map<string, MemoryUsageLog>();
  const openUsageLog = (path: string) => {
    const log = logs.get(path) ?? new MemoryUsageLog();
    logs.set(path, log);
    return log;
  };
  const ports = { ...makePorts(files, run), openUsageLog };
  const logAt = (path = LOG) => openUsageLog(path);
  return { ports, logAt, workspace: new Workspace(ports, PREFERENCES) };
}

const config = (value: unknown) => ({ ...FOLDER, [CONFIG]: JSON.stringify({ version: 1, ...(value as object) }) });
const draft = { ts: '2026-02-03 21:23:34', trigger: 'copy', profile: 'default', cited: [] };
const loaded = (id: string) => ({ ...draft, sections: [{ id, chars: 8, tokens: 2, disclosure: 'full' as const }] });

async function record(workspace: Workspace): Promise<number | undefined> {
  const { report } = await workspace.whenReady();
  // The fake engine's payloads have no more than ids.
  return report && workspace.usage?.recordDrafts([loaded('agents-md')]).then(([cycle]) => cycle);
}

describe('the usage log of a workspace', () => {
  it('is not there where the host keeps none', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    expect(workspace.usage).toBeUndefined();
    expect(ports.engine.requests.at(-1)).not.toHaveProperty('usage');
  });

  it('gives the engine its window, the scoring of the config, and the trigger', async () => {
    const { ports, logAt, workspace } = open(config({ scoring: { window: 10, mode: 'dynamic' } }));
    await logAt().append(Array.from({ length: 12 }, () => loaded('a')));
    workspace.update({ trigger: 'heartbeat' });
    await workspace.whenReady();
    expect(ports.engine.requests.at(-1)).toMatchObject({
      scoring: { mode: 'dynamic', window: 10 },
      usage: { size: 10 },
      trigger: 'heartbeat',
    });
    expect(ports.engine.requests.at(-1)?.usage?.cycles.map(({ cycle }) => cycle)).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    expect(logAt().reads).toBe(1);
  });

  it('holds nobody up: the first report is there before the log is read, the exact one has it', async () => {
    const { ports, logAt, workspace } = open();
    let go: () => void = () => undefined;
    logAt().gate = new Promise((resolve) => {
      go = resolve;
    });
    await logAt().append([loaded('agents-md')]);
    workspace.start();
    await settle();
    expect(workspace.snapshot.report?.payloads.expanded.sections.map(({ text }) => text)).toContain('# Rules\n');
    expect(ports.engine.requests.every(({ usage }) => usage === undefined)).toBe(true);
    go();
    await workspace.whenReady();
    expect(ports.engine.requests.at(-1)?.usage?.cycles).toHaveLength(1);
  });

  it('is not read in mode off, but can be recorded to', async () => {
    const { ports, logAt, workspace } = open(config({ scoring: { mode: 'off' } }));
    expect(await record(workspace)).toBe(1);
    await workspace.whenReady();
    expect(logAt().reads).toBe(0);
    expect(ports.engine.requests.at(-1)?.usage).toBeUndefined();
  });

  it('makes a new report when something was recorded, here or by others', async () => {
    const { ports, logAt, workspace } = open();
    await record(workspace);
    expect((await workspace.whenReady()).revision).toBeGreaterThan(1);
    expect(ports.engine.requests.at(-1)?.usage?.cycles).toHaveLength(1);
    await logAt().append([loaded('agents-md')]);
    workspace.notify({ kind: 'files', changed: [LOG], removed: [] });
    await workspace.whenReady();
    expect(ports.engine.requests.at(-1)?.usage?.cycles).toHaveLength(2);
  });

  it('is not read again for what is no matter of it', async () => {
    const { logAt, workspace } = open();
    await workspace.whenReady();
    workspace.notify({ kind: 'files', changed: ['src/a.ts'], removed: [] });
    workspace.update({ task: 'other' });
    await workspace.whenReady();
    expect(logAt().reads).toBe(1);
    workspace.refresh();
    await workspace.whenReady();
    expect(logAt().reads).toBe(2);
  });

  it('follows the path and the window of the config', async () => {
    const { ports, logAt, workspace } = open();
    await logAt('other/log.jsonl').append([loaded('x')]);
    await workspace.whenReady();
    ports.files.nodes.set(CONFIG, '{"version": 1, "usage_log": "other/log.jsonl"}');
    workspace.notify({ kind: 'files', changed: [CONFIG], removed: [] });
    await workspace.whenReady();
    expect(ports.engine.requests.at(-1)?.usage?.sections.map(({ id }) => id)).toEqual(['x']);
  });

  it('says what is wrong with the log, and goes on', async () => {
    const { logAt, workspace } = open();
    logAt().problems = [{ path: LOG, line: 3, why: phrase('it is not JSON') }];
    expect((await workspace.whenReady()).problems).toMatchObject([
      {
        kind: 'file',
        severity: 'warning',
        message: `${LOG}, line 3: skipped, not a usage record: it is not JSON.`,
        path: LOG,
        line: 3,
      },
    ]);
    logAt().failure = new UsageError('notALog', phrase('{0} is outside the folder. Choose a file inside it.', LOG));
    workspace.refresh();
    const { report, problems } = await workspace.whenReady();
    expect(report).toBeDefined();
    expect(problems.map(({ message, severity }) => [severity, message])).toEqual([
      ['warning', `${LOG} is outside the folder. Choose a file inside it.`],
    ]);
    logAt().failure = undefined;
    logAt().problems = [];
    workspace.refresh();
    expect((await workspace.whenReady()).problems).toEqual([]);
  });

  it('has no part in the context: no section, no map, no plug-in is run for it, the folder is not listed again', async () => {
    let runs = 0;
    const sections = [
      { id: 'ports', command: ['ports'] },
      { id: 'logs', files: '.context-budget/*.jsonl' },
    ];
    const files = { ...config({ sections, observations: { sources: ['.context-budget/*.jsonl'] } }), [LOG]: '{}\n' };
    const old = '.context-budget/usage.000001.jsonl';
    const all = { ...files, [old]: '{}\n', '.context-budget/observations.jsonl': 'seen\n' };
    const { ports, workspace } = open(all, async () => printed(`SUMMARY:OK:${++runs}\n`));
    const { report } = await workspace.whenReady();
    expect(report?.payloads.expanded.sections.find(({ id }) => id === 'logs')?.text).toContain('seen');
    expect(report?.payloads.expanded.sections.find(({ id }) => id === 'logs')?.text).not.toContain('{}');
    expect([...ports.engine.files.keys()]).not.toContain(LOG);
    expect([...ports.engine.files.keys()]).not.toContain(old);
    ports.files.lists.length = ports.files.reads.length = 0;
    ports.clock.advance(10_000);
    const changed = [LOG, `${LOG}.mark`, `${LOG}.lock`, '.context-budget/usage.000002.jsonl'];
    workspace.notify({ kind: 'files', changed, removed: [`${LOG}.lock`] });
    await workspace.whenReady();
    expect(runs).toBe(1);
    expect([ports.files.lists, ports.files.reads]).toEqual([[], []]);
  });
});
