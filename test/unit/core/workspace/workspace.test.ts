import { describe, expect, it } from 'vitest';
import type { ProcessOutcome, ProcessRequest } from '../../../../src/core/ports/ports';
import { Workspace } from '../../../../src/core/workspace/workspace';
import { gitThatDeleted, makePorts, PREFERENCES, printed } from '../../../support/workspaceFakes';

/** Lets everything run that does not wait for time. */
const settle = async () => {
  for (let i = 0; i < 200; i++) await Promise.resolve();
};

const FOLDER = { 'AGENTS.md': '# Rules\n', 'src/a.ts': 'one\ntwo\nthree\nfour\n', 'src/b.ts': 'b\n', 'logo.png': 'x' };

/** A workspace whose sections are there and whose index is being made until `open` is called. */
async function indexing() {
  const ports = makePorts(FOLDER);
  let open: () => void = () => undefined;
  ports.parser.gate = new Promise((resolve) => {
    open = resolve;
  });
  const workspace = new Workspace(ports, PREFERENCES);
  workspace.start();
  await settle();
  return { ports, workspace: workspace, open };
}

describe('Workspace', () => {
  it('touches nothing until it is started', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    workspace.notify({ kind: 'files', changed: ['AGENTS.md'], removed: [] });
    workspace.update({ isTrusted: false });
    await settle();
    expect(ports.files.reads).toEqual([]);
    expect(ports.engine.requests).toEqual([]);
    expect(workspace.snapshot.state).toBe('loading');
  });

  it('opens what earlier runs stored while files are listed', async () => {
    const ports = makePorts(FOLDER);
    const first = new Workspace(ports, PREFERENCES);
    await first.whenReady();
    first.dispose();
    const again = makePorts(FOLDER);
    const order: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const list = again.files.list.bind(again.files);
    again.files.list = async (folder) => {
      await gate;
      order.push('listed');
      return list(folder);
    };
    const load = again.engine.loadIndex.bind(again.engine);
    again.engine.loadIndex = (segments) => {
      order.push('opened');
      return load(segments);
    };
    const workspace = new Workspace({ ...again, cache: ports.cache }, PREFERENCES);
    workspace.start();
    await settle();
    release();
    await workspace.whenReady();
    expect(order.slice(0, 2)).toEqual(['opened', 'listed']);
    expect(again.parser.parsed).toEqual([]);
  });

  it('shows an estimate first and an exact report once everything is counted', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    const exact: boolean[] = [];
    workspace.onDidChange((snapshot) => exact.push(snapshot.report?.payloads.expanded.budget.isExact ?? false));
    const ready = await workspace.whenReady();
    expect(exact[0]).toBe(false);
    expect(exact.at(-1)).toBe(true);
    expect(ready.progress).toBeUndefined();
    expect(ready.report?.payloads.expanded.sections.map((section) => section.id)).toEqual(['agents-md', 'repo-map']);
  });

  it('marks sections as the lists of the config say', async () => {
    const config = '{"pinned": ["memory", "agents-md"], "excluded": ["soul", "repo-map"], "on_demand": ["agents-md"]}';
    const nodes = { ...FOLDER, 'MEMORY.md': 'a', 'SOUL.md': 'b', '.context-budget/config.json': config };
    const ports = makePorts(nodes);
    const workspace = new Workspace(ports, PREFERENCES);
    const { config: inForce } = await workspace.whenReady();
    expect(inForce.onDemand).toEqual(['agents-md']);
    const flags = ports.engine.requests.at(-1)?.sections.map(({ id, isPinned, isExcluded, onDemand }) => {
      return [id, isPinned, isExcluded, onDemand];
    });
    expect(flags).toEqual([
      ['agents-md', true, false, true],
      ['memory', true, false, false],
      ['soul', false, true, false],
      ['repo-map', false, true, false],
    ]);
    // The first report, before anything is read, has the same flags.
    const first = ports.engine.requests[0]?.sections.map(({ id, isPinned }) => [id, isPinned]);
    // What turns out not to exist here (`relay`) is in that one only.
    expect(first?.filter(([id]) => id !== 'relay')).toEqual(flags?.map(([id, isPinned]) => [id, isPinned]));
  });

  it('has a relay section as long as there is a log or a ledger, ignored ones too', async () => {
    const RELAY = '.context-budget/relay.json';
    const nodes = { ...FOLDER, '.gitignore': '.context-budget/\n' };
    const ports = makePorts(nodes);
    const { files } = ports;
    const workspace = new Workspace(ports, PREFERENCES);
    const relayText = async () => {
      await workspace.whenReady();
      const body = ports.engine.requests.at(-1)?.sections.find(({ id }) => id === 'relay')?.body;
      return body?.kind === 'text' ? body.text : body?.kind;
    };
    expect(await relayText()).toBeUndefined();
    expect(ports.engine.requests.flatMap(({ sections }) => sections.map(({ id }) => id))).not.toContain('relay');
    for (const goal of ['one', 'two']) {
      files.nodes.set(RELAY, JSON.stringify({ relay_context: { goal } }));
      workspace.notify({ kind: 'files', changed: [RELAY], removed: [] });
      expect(await relayText()).toContain(`Goal: ${goal}\n`);
    }
    files.nodes.set(RELAY, '{');
    workspace.notify({ kind: 'files', changed: [RELAY], removed: [] });
    expect(await relayText()).toBe('failed');
    files.nodes.delete(RELAY);
    workspace.notify({ kind: 'files', changed: [], removed: [RELAY] });
    expect(await relayText()).toBeUndefined();
  });

  it('numbers its snapshots upwards', async () => {
    const workspace = new Workspace(makePorts(FOLDER), PREFERENCES);
    const revisions: number[] = [];
    workspace.onDidChange((snapshot) => revisions.push(snapshot.revision));
    await workspace.whenReady();
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  it('shows sections while the index is still being made', async () => {
    const { workspace, open } = await indexing();
    const { report, progress } = workspace.snapshot;
    expect(report?.payloads.expanded.sections.find((section) => section.id === 'agents-md')?.text).toBe('# Rules\n');
    expect(progress).toEqual({ done: 1, total: 2 });
    open();
    expect((await workspace.whenReady()).progress).toBeUndefined();
  });

  it('does not go back to an estimate while the index is being made: the number would jump to and fro', async () => {
    const { ports, workspace, open } = await indexing();
    ports.files.nodes.set('AGENTS.md', '# Other rules\n');
    workspace.notify({ kind: 'files', changed: ['AGENTS.md'], removed: [] });
    await settle();
    open();
    await workspace.whenReady();
    const estimates = ports.engine.requests.map(({ isEstimate }) => isEstimate ?? false);
    const counted = estimates.indexOf(false);
    expect(counted).toBeGreaterThan(0);
    expect(estimates.slice(counted).length).toBeGreaterThan(1);
    expect(estimates.slice(counted)).not.toContain(true);
  });

  it('reads and parses only the file that was saved', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    ports.files.reads.length = ports.files.lists.length = ports.parser.parsed.length = 0;
    ports.files.nodes.set('src/a.ts', 'changed\n');
    workspace.notify({ kind: 'files', changed: ['src/a.ts'], removed: [] });
    await workspace.whenReady();
    expect(ports.files.reads).toEqual(['src/a.ts']);
    expect(ports.files.lists).toEqual([]);
    expect(ports.parser.parsed).toEqual(['src/a.ts']);
  });

  it('takes in files that appear and lets go of files that vanish', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    ports.files.nodes.set('CLAUDE.md', 'new\n');
    ports.files.nodes.delete('src/b.ts');
    workspace.notify({ kind: 'files', changed: ['CLAUDE.md'], removed: ['src/b.ts'] });
    const { report } = await workspace.whenReady();
    expect(report?.payloads.expanded.sections.map((section) => section.id)).toContain('claude-md');
    expect([...ports.engine.files.keys()].sort()).toEqual(['AGENTS.md', 'CLAUDE.md', 'logo.png', 'src/a.ts']);
  });

  it('lets go of a file without a grammar that vanishes', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    ports.files.nodes.delete('logo.png');
    workspace.notify({ kind: 'files', changed: [], removed: ['logo.png'] });
    await workspace.whenReady();
    expect([...ports.engine.files.keys()].sort()).toEqual(['AGENTS.md', 'src/a.ts', 'src/b.ts']);
  });

  it('lets go of a file that vanishes while the folder is being listed', async () => {
    const ports = makePorts({ ...FOLDER, 'sub/AGENTS.md': '# Sub\n' });
    const workspace = new Workspace(ports, PREFERENCES);
    const list = ports.files.list.bind(ports.files);
    ports.files.list = async (folder) => {
      const read = await list(folder);
      if (folder === 'sub' && ports.files.nodes.delete('sub/AGENTS.md')) {
        workspace.notify({ kind: 'files', changed: [], removed: ['sub/AGENTS.md'] });
      }
      return read;
    };
    const { report } = await workspace.whenReady();
    expect(report?.payloads.expanded.sections.map((section) => section.id)).toEqual(['agents-md', 'repo-map']);
  });

  it('reads a section again when the file that its link leads to is saved', async () => {
    const config = '{"sections": [{"id": "linked", "file": "link.md"}]}';
    const ports = makePorts({
      ...FOLDER,
      '.context-budget/config.json': config,
      'notes.txt': 'old\n',
      'link.md': { linkTo: 'notes.txt' },
    });
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    ports.files.nodes.set('notes.txt', 'new\n');
    workspace.notify({ kind: 'files', changed: ['notes.txt'], removed: [] });
    const { report } = await workspace.whenReady();
    expect(report?.payloads.expanded.sections.find((section) => section.id === 'linked')?.text).toBe('new\n');
  });

  it('does not list the folder again for files that git ignores', async () => {
    const ports = makePorts({ ...FOLDER, '.gitignore': 'dist/\n' });
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    ports.files.lists.length = 0;
    workspace.notify({ kind: 'files', changed: ['dist/out.js'], removed: [] });
    await workspace.whenReady();
    expect(ports.files.lists).toEqual([]);
  });

  it('keeps the last good config when the file breaks, and says so', async () => {
    const path = '.context-budget/config.json';
    const ports = makePorts({
      ...FOLDER,
      [path]: '{"version": 1, "default_profile": "small", "profiles": {"small": {"budget_tokens": 99}}}',
    });
    const workspace = new Workspace(ports, PREFERENCES);
    expect((await workspace.whenReady()).profile).toBe('small');
    ports.files.nodes.set(path, '{"version": 1, "default_profile": ');
    workspace.notify({ kind: 'files', changed: [path], removed: [] });
    const broken = await workspace.whenReady();
    expect(broken).toMatchObject({ profile: 'small', configState: 'lastGood' });
    expect(broken.problems.map((problem) => problem.severity)).toContain('error');
    expect(ports.engine.requests.at(-1)?.profile.budgetTokens).toBe(99);
  });

  it('uses what is right of a config, and says what is wrong', async () => {
    const path = '.context-budget/config.json';
    const sections = '[{"id": "bad", "file": "/x"}, {"id": "good", "file": "a.ts"}]';
    const ports = makePorts({ ...FOLDER, [path]: `{"sections": ${sections}}` });
    const { configState, config, problems } = await new Workspace(ports, PREFERENCES).whenReady();
    expect(configState).toBe('file');
    expect(config.sections.map(({ id }) => id)).toEqual(['good']);
    expect(problems.map(({ severity }) => severity)).toEqual(['error']);
  });

  it('says which keys of the config do nothing for their section, as long as it is so', async () => {
    const path = '.context-budget/config.json';
    const ports = makePorts({ ...FOLDER, [path]: '{"on_demand": ["gone"]}' });
    const workspace = new Workspace(ports, PREFERENCES);
    const messages = async () => (await workspace.whenReady()).problems.map(({ message }) => message);
    expect(await messages()).toEqual([`${path}, line 1: on_demand names "gone", but there is no such section`]);
    for (const text of ['{"on_demand": []}', '{"on_demand": ["git"]}']) {
      ports.files.nodes.set(path, text);
      workspace.notify({ kind: 'files', changed: [path], removed: [] });
      expect(await messages()).toEqual([]);
    }
  });

  it('says that a config is too large, not that it is no text', async () => {
    const ports = makePorts({ ...FOLDER, '.context-budget/config.json': { sizeBytes: 50_000_000 } });
    const { problems } = await new Workspace(ports, PREFERENCES).whenReady();
    expect(problems.map((problem) => problem.message)).toEqual([
      '.context-budget/config.json could not be read: it has 50,000,000 bytes, the limit is 1,000,000.',
    ]);
  });

  it('does not wait for a plug-in that hangs, and takes its result in when it comes', async () => {
    const config = '{"version": 1, "sections": [{"id": "slow", "command": ["slow"]}]}';
    let finish: (outcome: ProcessOutcome) => void = () => undefined;
    const ports = makePorts(
      { ...FOLDER, '.context-budget/config.json': config },
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const workspace = new Workspace(ports, PREFERENCES);
    workspace.start();
    await settle();
    ports.clock.advance(300);
    await settle();
    const pending = () =>
      workspace.snapshot.report?.payloads.expanded.sections
        .filter((section) => section.isPending)
        .map((section) => section.id);
    expect(pending()).toEqual(['slow']);
    ports.files.nodes.set('AGENTS.md', '# Other\n');
    workspace.notify({ kind: 'files', changed: ['AGENTS.md'], removed: [] });
    await settle();
    ports.clock.advance(300);
    await settle();
    expect(
      workspace.snapshot.report?.payloads.expanded.sections.find((section) => section.id === 'agents-md')?.text,
    ).toBe('# Other\n');
    finish(printed('SUMMARY:OK:fine\n'));
    const ready = await workspace.whenReady();
    expect(ready.report?.payloads.expanded.sections.find((section) => section.id === 'slow')?.text).toBe(
      'SUMMARY:OK:fine\n',
    );
  });

  describe('a map for a task', () => {
    const HANGS = { ...FOLDER, '.context-budget/config.json': '{"sections": [{"id": "slow", "command": ["slow"]}]}' };

    it('is made while a plug-in is still running, of files as they are now', async () => {
      const ports = makePorts(HANGS, () => new Promise(() => undefined));
      const workspace = new Workspace(ports, PREFERENCES);
      workspace.start();
      expect((await workspace.map({ query: 'fix it', budgetTokens: 70 })).text).toBe('map within 70\n');
      expect(workspace.snapshot.report?.payloads.expanded.budget.isExact ?? false).toBe(false);
      ports.parser.parsed.length = 0;
      ports.files.nodes.set('src/a.ts', 'other\n');
      ports.files.nodes.set('src/new.ts', 'new\n');
      workspace.notify({ kind: 'files', changed: ['src/a.ts', 'src/new.ts'], removed: [] });
      await workspace.map({ query: 'fix it' });
      expect([...ports.parser.parsed].sort()).toEqual(['src/a.ts', 'src/new.ts']);
      expect(ports.engine.files.has('src/new.ts')).toBe(true);
    });

    it('needs no report, and begins none', async () => {
      const asked: string[] = [];
      const ports = makePorts(HANGS, async ({ argv }) => {
        asked.push(argv.join(' '));
        return printed('SUMMARY:OK:fine\n');
      });
      const workspace = new Workspace(ports, PREFERENCES);
      await workspace.map({ query: 'fix it' });
      await settle();
      expect([...ports.engine.files.keys()]).toEqual(expect.arrayContaining(['src/a.ts', 'src/b.ts']));
      expect([asked, ports.engine.requests, ports.files.reads.includes('AGENTS.md')]).toEqual([[], [], true]);
      expect(workspace.snapshot).toMatchObject({ state: 'loading', report: undefined });
      const { report } = await workspace.whenReady();
      expect(asked).toEqual(['slow']);
      expect(report?.payloads.expanded.sections.map(({ id }) => id)).toContain('slow');
    });

    it('keeps what was counted for it, and asks for that before the next process makes one', async () => {
      const first = makePorts(FOLDER);
      const workspace = new Workspace(first, PREFERENCES);
      await workspace.map({ query: 'fix it' });
      first.engine.newCounts = Uint8Array.of(1, 2, 3);
      await workspace.saveIndex();
      const next = makePorts(FOLDER);
      let known = 0;
      const buildMap = next.engine.buildMap.bind(next.engine);
      next.engine.buildMap = (request) => {
        known = next.engine.loadedCounts.length;
        return buildMap(request);
      };
      await new Workspace({ ...next, cache: first.cache }, PREFERENCES).map({ query: 'fix it' });
      expect(known).toBe(1);
      expect(next.engine.loadedCounts).toEqual([{ of: PREFERENCES.tokenizer, bytes: Uint8Array.of(1, 2, 3) }]);
      expect(next.engine.requests).toEqual([]);
    });

    it('follows changes before there is any report', async () => {
      const ports = makePorts(FOLDER);
      const workspace = new Workspace(ports, PREFERENCES);
      await workspace.map({ query: 'fix it' });
      ports.files.nodes.delete('src/b.ts');
      workspace.notify({ kind: 'files', changed: [], removed: ['src/b.ts'] });
      ports.files.nodes.set('.context-budget/config.json', '{"repo_map": {"exclude": ["src/a.ts"]}}');
      workspace.notify({ kind: 'files', changed: ['.context-budget/config.json'], removed: [] });
      await workspace.map({ query: 'fix it' });
      expect([...ports.engine.files.keys()].filter((path) => path.startsWith('src/'))).toEqual([]);
      expect(ports.engine.requests).toEqual([]);
    });

    it('is made though no report can be', async () => {
      const ports = makePorts(FOLDER);
      ports.engine.failReports = new Error('no report');
      const workspace = new Workspace(ports, PREFERENCES);
      await expect(workspace.whenCollected()).rejects.toThrow('no report');
      expect((await workspace.map({ query: 'fix it', budgetTokens: 70 })).text).toBe('map within 70\n');
    });

    it('fails when the folder cannot be listed, and is made once it can', async () => {
      const ports = makePorts(FOLDER);
      const list = ports.files.list.bind(ports.files);
      ports.files.list = () => Promise.reject(new Error('no disk'));
      const workspace = new Workspace(ports, PREFERENCES);
      await expect(workspace.map({ query: 'fix it' })).rejects.toThrow('no disk');
      await expect(workspace.whenListed()).rejects.toThrow('no disk');
      await expect(workspace.whenReady()).rejects.toThrow('no disk');
      expect(workspace.problems.concat(workspace.snapshot.problems).map(({ message }) => message)).toEqual([
        'The context could not be built: no disk. Refresh to try again.',
      ]);
      ports.files.list = list;
      workspace.refresh();
      expect((await workspace.map({ query: 'fix it', budgetTokens: 70 })).text).toBe('map within 70\n');
    });
  });

  it('says what the config is without a report', async () => {
    const nodes = { ...FOLDER, '.context-budget/config.json': '{"profiles": {"small": {"map_tokens": 99}}}' };
    const ports = makePorts(nodes);
    const workspace = new Workspace(ports, { ...PREFERENCES, profile: 'small' });
    const listed = await workspace.whenListed();
    expect([listed.profile, listed.configState, listed.config.profiles.length > 0]).toEqual(['small', 'file', true]);
    expect((await workspace.map({ query: 'fix it' })).text).toBe('map within 99\n');
    ports.files.nodes.set('.context-budget/config.json', '{"usage_log": 1}');
    workspace.notify({ kind: 'files', changed: ['.context-budget/config.json'], removed: [] });
    expect((await workspace.whenListed()).problems).toHaveLength(1);
    expect(ports.engine.requests).toEqual([]);
  });

  it('tells the engine of the task while files are listed', async () => {
    const ports = makePorts(FOLDER);
    await new Workspace(ports, { ...PREFERENCES, task: 'fix it' }).whenListed();
    expect(ports.engine.expected).toEqual(['fix it']);
    const other = makePorts(FOLDER);
    await new Workspace(other, PREFERENCES).whenListed();
    expect(other.engine.expected).toEqual([]);
  });

  it('pins and excludes at once what a plug-in said last, while it runs again', async () => {
    const sections = '"version": 1, "sections": [{"id": "slow", "command": ["slow"]}]';
    let runs = 0;
    const ports = makePorts({ ...FOLDER, '.context-budget/config.json': `{${sections}}` }, () =>
      runs++ === 0 ? Promise.resolve(printed('SUMMARY:OK:fine\n')) : new Promise(() => undefined),
    );
    const workspace = new Workspace(ports, PREFERENCES);
    const slow = () => ports.engine.requests.at(-1)?.sections.find((section) => section.id === 'slow');
    await workspace.whenReady();
    expect([slow()?.isExcluded, slow()?.body.kind]).toEqual([false, 'text']);
    workspace.refresh();
    await settle();
    ports.clock.advance(300);
    await settle();
    expect(runs).toBe(2);
    ports.files.nodes.set('.context-budget/config.json', `{${sections}, "excluded": ["slow"]}`);
    workspace.notify({ kind: 'files', changed: ['.context-budget/config.json'], removed: [] });
    await settle();
    ports.clock.advance(300);
    await settle();
    expect([slow()?.isExcluded, slow()?.body.kind]).toEqual([true, 'text']);
  });

  it('runs plug-ins again after a change in the folder', async () => {
    const config = '{"version": 1, "sections": [{"id": "ports", "command": ["ports"]}]}';
    let said = 'SUMMARY:OK:up\n';
    const ports = makePorts({ ...FOLDER, '.context-budget/config.json': config }, async () => printed(said));
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    said = 'SUMMARY:ALERT:down\n';
    ports.clock.advance(5000);
    workspace.notify({ kind: 'files', changed: ['src/a.ts'], removed: [] });
    const { report } = await workspace.whenReady();
    expect(report?.payloads.expanded.sections.find((section) => section.id === 'ports')?.text).toBe(said);
  });

  it('runs no plug-in because an observation was recorded', async () => {
    const config = '{"version": 1, "sections": [{"id": "ports", "command": ["ports"]}]}';
    let runs = 0;
    const ports = makePorts({ ...FOLDER, '.context-budget/config.json': config }, async () => {
      runs++;
      return printed('SUMMARY:OK:up\n');
    });
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    const log = '.context-budget/observations.jsonl';
    ports.clock.advance(5000);
    workspace.notify({ kind: 'files', changed: [log, `${log}.mark`], removed: [`${log}.lock`] });
    await workspace.whenReady();
    expect(runs).toBe(1);
    workspace.notify({ kind: 'files', changed: [log, 'src/a.ts'], removed: [] });
    await workspace.whenReady();
    expect(runs).toBe(2);
  });

  it('runs no plug-in in a folder that is not trusted', async () => {
    let runs = 0;
    const config = '{"version": 1, "sections": [{"id": "ports", "command": ["ports"]}]}';
    const ports = makePorts({ ...FOLDER, '.context-budget/config.json': config }, async () => printed(`${++runs}`));
    const workspace = new Workspace(ports, { ...PREFERENCES, isTrusted: false });
    await workspace.whenReady();
    expect(runs).toBe(0);
    workspace.update({ isTrusted: true });
    await workspace.whenReady();
    expect(runs).toBe(1);
  });

  it('fills an engine that lost its index again', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    const before = new Map(ports.engine.files);
    ports.engine.restart();
    await workspace.whenReady();
    expect(ports.engine.files).toEqual(before);
  });

  it('takes facts from the cache when the content is known', async () => {
    const first = makePorts(FOLDER);
    await new Workspace(first, PREFERENCES).whenReady();
    const second = { ...makePorts(FOLDER), cache: first.cache };
    await new Workspace(second, PREFERENCES).whenReady();
    expect(second.parser.parsed).toEqual([]);
    expect(second.engine.files).toEqual(first.engine.files);
  });

  it('keeps what the engine counted for the next process, which has it before its first exact report', async () => {
    const first = makePorts(FOLDER);
    first.engine.newCounts = Uint8Array.of(1, 2, 3);
    await new Workspace(first, PREFERENCES).whenReady();
    const second = { ...makePorts(FOLDER), cache: first.cache };
    const known: number[] = [];
    const build = second.engine.buildReport.bind(second.engine);
    second.engine.buildReport = (request) => {
      if (!request.isEstimate) known.push(second.engine.loadedCounts.length);
      return build(request);
    };
    await new Workspace(second, PREFERENCES).whenReady();
    expect(second.engine.loadedCounts).toEqual([{ of: 'o200k_base', bytes: Uint8Array.of(1, 2, 3) }]);
    expect(new Set(known)).toEqual(new Set([1]));
    const workspace = new Workspace(second, PREFERENCES);
    await workspace.whenReady();
    expect(second.engine.loadedCounts).toHaveLength(2);
    second.engine.restart();
    workspace.refresh();
    await workspace.whenReady();
    expect(second.engine.loadedCounts).toHaveLength(3);
  });

  it('makes one report, of everything, for who wants the complete one alone', async () => {
    const ports = makePorts(FOLDER);
    let letIn: () => void = () => undefined;
    ports.parser.gate = new Promise((resolve) => {
      letIn = resolve;
    });
    const workspace = new Workspace(ports, { ...PREFERENCES, isOneReport: true });
    const ready = workspace.whenReady();
    await workspace.whenListed();
    letIn();
    const { report } = await ready;
    expect(ports.engine.requests.map(({ isEstimate, isIndexReady }) => [isEstimate ?? false, isIndexReady])).toEqual([
      [false, true],
    ]);
    expect(report).toBeDefined();
    workspace.notify({ kind: 'files', changed: ['AGENTS.md'], removed: [] });
    await workspace.whenReady();
    expect(ports.engine.requests.length).toBeGreaterThan(1);
  });

  it('fits into the tokens that the preferences say instead of the profile', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, { ...PREFERENCES, budgetTokens: 321, maxChars: 10 ** 9 });
    await workspace.whenReady();
    const { budgetTokens, hardCapChars } = ports.engine.requests.at(-1)!.profile;
    expect([budgetTokens, hardCapChars]).toEqual([321, 30_000]);
  });

  it('says why when a report cannot be made, and recovers', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    ports.engine.failReports = new Error('out of memory');
    workspace.refresh();
    await expect(workspace.whenReady()).rejects.toThrow('out of memory');
    expect(workspace.snapshot.problems.at(-1)?.message).toContain('out of memory');
    ports.engine.failReports = undefined;
    workspace.refresh();
    expect((await workspace.whenReady()).problems).toEqual([]);
  });

  it('indexes every file of a folder with many, whatever order reads end in', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`src/file${i}.ts`, `${i}`.repeat((i * 7919) % 3000)]),
    );
    const ports = makePorts(many);
    const read = ports.files.read.bind(ports.files);
    ports.files.read = async (path, maxBytes) => {
      for (let i = path.length % 7; i > 0; i--) await Promise.resolve();
      return read(path, maxBytes);
    };
    const workspace = new Workspace(ports, PREFERENCES);
    await workspace.whenReady();
    expect(ports.engine.files.size).toBe(500);
    expect(workspace.snapshot.index.phase).toBe('ready');
  });

  it('stops indexing when asked, makes maps of what is there, and goes on later', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`src/f${i}.ts`, `let a${i} = 1\n`]));
    const ports = makePorts(files);
    let open: () => void = () => undefined;
    ports.parser.gate = new Promise((resolve) => {
      open = resolve;
    });
    const workspace = new Workspace(ports, PREFERENCES);
    const phases: string[] = [];
    const stopped = new Promise<void>((resolve) => {
      workspace.onDidChangeIndex(({ phase, total }) => {
        if (phases.at(-1) !== phase) phases.push(phase);
        if (phase !== 'parsing' || phases.length > 1) return;
        expect(total).toBe(300);
        workspace.stopIndexing();
        open();
        resolve();
      });
    });
    workspace.start();
    await stopped;
    const snapshot = await workspace.whenReady();
    expect(snapshot.index.phase).toBe('stopped');
    expect(ports.engine.requests.at(-1)?.isIndexReady).toBe(true);
    expect(ports.parser.parsed.length).toBeLessThan(300);
    workspace.notify({ kind: 'files', changed: ['src/f1.ts'], removed: [] });
    await workspace.whenReady();
    expect(ports.engine.files.size).toBeLessThan(300);
    workspace.resumeIndexing();
    expect((await workspace.whenReady()).index.phase).toBe('ready');
    expect(ports.engine.files.size).toBe(300);
    expect(phases).toEqual(['parsing', 'stopped', 'listing', 'parsing', 'ready']);
  });

  it('makes no snapshot for a tick of the index', async () => {
    const ports = makePorts({ 'a.ts': 'let a = 1\n' });
    const workspace = new Workspace(ports, PREFERENCES);
    const revisions: number[] = [];
    workspace.onDidChangeIndex(() => revisions.push(workspace.snapshot.revision));
    const { revision } = await workspace.whenReady();
    expect(revisions.length).toBeGreaterThan(0);
    expect(revisions.every((known) => known <= revision)).toBe(true);
    expect(workspace.snapshot.index).toEqual({ phase: 'ready', done: 0, total: 0 });
  });

  describe('without a task', () => {
    const EDITORS = (...paths: readonly string[]) =>
      paths.map((path, i) => ({ path, isActive: i === 0, isDirty: false, selection: undefined }));

    function working() {
      const ports = makePorts(FOLDER);
      let open = EDITORS('a.ts');
      const editor = { diagnostics: () => [], openEditors: () => open };
      const workspace = new Workspace({ ...ports, editor }, PREFERENCES);
      const show = (...paths: readonly string[]): void => {
        open = EDITORS(...paths);
        workspace.notify({ kind: 'editors' });
      };
      return { ports, workspace, show, focus: () => ports.engine.requests.at(-1)?.focusPaths };
    }

    it('maps are made for what is being worked on', async () => {
      const { workspace, focus, show } = working();
      await workspace.whenReady();
      expect(focus()).toEqual(['a.ts']);
      show('b.ts', 'a.ts');
      await workspace.whenReady();
      expect(focus()).toEqual(['a.ts', 'b.ts']);
    });

    it('a map follows a second after the last change, and only when the set of files is another', async () => {
      const { ports, workspace, focus, show } = working();
      const { mapRevision } = await workspace.whenReady();
      show('b.ts', 'a.ts');
      await workspace.map({});
      expect(focus()).toEqual(['a.ts']);
      expect(workspace.snapshot.mapRevision).toBe(mapRevision);
      ports.clock.advance(1000);
      await workspace.map({});
      expect(focus()).toEqual(['a.ts', 'b.ts']);
      expect(workspace.snapshot.mapRevision).toBeGreaterThan(mapRevision);
      const after = workspace.snapshot.mapRevision;
      show('a.ts', 'b.ts');
      expect((await workspace.whenReady()).mapRevision).toBe(after);
    });

    it('a task takes the place of what is worked on, and giving it up brings that back', async () => {
      const { ports, workspace, focus } = working();
      await workspace.whenReady();
      workspace.update({ task: '  fix the discount ' });
      expect((await workspace.whenReady()).task).toBe('  fix the discount ');
      expect(ports.engine.requests.at(-1)).toMatchObject({ query: 'fix the discount', focusPaths: [] });
      workspace.update({ task: undefined });
      expect((await workspace.whenReady()).task).toBe('');
      expect(focus()).toEqual(['a.ts']);
    });
  });

  it('leaves out of the index what the config excludes', async () => {
    const ports = makePorts({
      ...FOLDER,
      '.context-budget/config.json': '{"version": 1, "repo_map": {"exclude": ["src/b*"]}}',
    });
    await new Workspace(ports, PREFERENCES).whenReady();
    expect([...ports.engine.files.keys()]).not.toContain('src/b.ts');
    expect([...ports.engine.files.keys()]).toContain('src/a.ts');
  });

  it('stops for good when disposed', async () => {
    const ports = makePorts(FOLDER);
    const workspace = new Workspace(ports, PREFERENCES);
    workspace.start();
    workspace.dispose();
    await workspace.whenReady();
    expect(ports.engine.requests).toEqual([]);
    expect(ports.clock.waiting).toBe(0);
  });
});

describe('ContextSession.detail', () => {
  it('serves sections, symbols and line ranges, and names what it does not know', async () => {
    const workspace = new Workspace(makePorts(FOLDER), PREFERENCES);
    const answer = await workspace.detail([
      'section:agents-md',
      'sym:00000001',
      'file:src/a.ts#L1-L1',
      'sym:ffffffff',
      'file:../secret',
      'section:no',
      '12',
    ]);
    expect(answer.items.map((item) => item.text)).toEqual(['# Rules\n', 'two\nthree', 'one\n']);
    expect(answer.unknown).toEqual(['sym:ffffffff', 'file:../secret', 'section:no', '12']);
  });

  it('finds a file whose path holds a number sign', async () => {
    const ports = makePorts({ ...FOLDER, 'src/C#/a.cs': 'one\ntwo\n' });
    const answer = await new Workspace(ports, PREFERENCES).detail(['file:src/C#/a.cs', 'file:src/C#/a.cs#L2-L2']);
    expect(answer.items.map((item) => item.text)).toEqual(['one\ntwo\n', 'two\n']);
    expect(answer.unknown).toEqual([]);
  });

  it('takes a blank line for a line, and what is behind the last for none', async () => {
    const ports = makePorts({ ...FOLDER, 'src/blank.ts': 'one\n\nthree\n' });
    const handles = ['#L2', '#L2-L3', '#L4', '#L3-L2'].map((lines) => `file:src/blank.ts${lines}`);
    const answer = await new Workspace(ports, PREFERENCES).detail(handles);
    expect(answer.items.map((item) => item.text)).toEqual(['\n', '\nthree\n']);
    expect(answer.unknown).toEqual(['file:src/blank.ts#L4', 'file:src/blank.ts#L3-L2']);
  });

  it('gives lines of a file without waiting for the symbol index', async () => {
    const ports = makePorts(FOLDER);
    // Never opened: an answer that waits for the index never comes.
    ports.parser.gate = new Promise(() => undefined);
    const workspace = new Workspace(ports, PREFERENCES);
    const answer = await workspace.detail(['file:src/a.ts#L2-L3']);
    expect(answer.items.map(({ text }) => text)).toEqual(['two\nthree\n']);
    workspace.dispose();
  });

  it('gives the text of a section without waiting for the symbol index, where it has one of its own', async () => {
    const ports = makePorts(FOLDER);
    ports.parser.gate = new Promise(() => undefined);
    const workspace = new Workspace(ports, PREFERENCES);
    const answer = await workspace.detail(['section:agents-md', 'section:none']);
    expect(answer.items.map(({ handle }) => handle)).toEqual(['section:agents-md']);
    expect(answer.unknown).toEqual(['section:none']);
    workspace.dispose();
  });

  it('serves a file of a folder, lines of it, and the rows of all by the folder itself', async () => {
    const ports = makePorts({
      ...FOLDER,
      'memory/topics/cron.md': '# Cron\n- 2026-02-03 fixed\n',
      'memory/topics/deep/tea.md': 'one\ntwo\n',
    });
    ports.parser.gate = new Promise(() => undefined);
    const workspace = new Workspace(ports, PREFERENCES);
    const folder = 'section:memory-topics';
    const handles = [
      `${folder}/cron`,
      `${folder}/deep/tea#L2`,
      folder,
      `${folder}#L2`,
      `${folder}/none`,
      'section:a/b',
    ];
    const answer = await workspace.detail(handles);
    const tea = `tea | - | ~8 tok | ${folder}/deep/tea\n`;
    expect(answer.items.map(({ handle, title, text }) => [handle, title, text])).toEqual([
      [`${folder}/cron`, 'memory/topics/cron.md', '# Cron\n- 2026-02-03 fixed\n'],
      [`${folder}/deep/tea#L2`, 'memory/topics/deep/tea.md', 'two\n'],
      [folder, 'memory-topics', `Cron | 2026-02-03 | ~26 tok | ${folder}/cron\n${tea}`],
      [`${folder}#L2`, 'memory-topics', tea],
    ]);
    expect(answer.unknown).toEqual([`${folder}/none`, 'section:a/b']);
    workspace.dispose();
  });

  it('expands the map section within the detail cap', async () => {
    const answer = await new Workspace(makePorts(FOLDER), PREFERENCES).detail(['section:repo-map']);
    expect(answer.items[0]?.text).toBe('map within 1440\n');
  });

  it('finds citations of the payload as it is now, for each turn', async () => {
    const workspace = new Workspace(makePorts(FOLDER), PREFERENCES);
    const turns = ['one', 'two'].map((replyText) => ({ replyText, toolCalls: [] }));
    expect(await workspace.findCitations(turns)).toEqual([
      [{ id: 'agents-md', evidence: 'tag', what: 'one' }],
      [{ id: 'agents-md', evidence: 'tag', what: 'two' }],
    ]);
    expect(await workspace.findCitations([], await workspace.payloadGiven('index'))).toEqual([]);
  });

  it('says how many instruction files are not read, for agents and stale paths together once', async () => {
    const files = Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`p${at}/AGENTS.md`, 'Be short.']));
    const workspace = new Workspace(makePorts(files), PREFERENCES);
    const told = async () =>
      (await workspace.whenReady()).problems.filter(({ message }) => message.endsWith(' left out.'));
    expect(await told()).toMatchObject([{ message: '301 instruction files found; 300 are read, 1 left out.' }]);
    workspace.update({ hasStalePaths: true });
    expect(await told()).toHaveLength(1);
  });

  it('says nothing of missing paths that an ignore rule names', async () => {
    const gone = ['src/lib/gone.ts', 'src/lib/ignored.ts'];
    const text = gone.map((path) => `See \`${path}\`.\n`).join('');
    const files = makePorts({ 'AGENTS.md': text, '.gitignore': 'ignored.ts\n', 'src/lib/a.ts': 'export {};\n' });
    const ports = { ...files, processes: { run: (request: ProcessRequest) => gitThatDeleted(request, gone) } };
    const { notices } = await new Workspace(ports, { ...PREFERENCES, hasStalePaths: true }).whenReady();
    expect(notices.filter(({ kind }) => kind === 'stalePath').map(({ line }) => line)).toEqual([1]);
  });

  it('looks for stale paths only while the preferences want them', async () => {
    const gone = 'src/lib/gone.ts';
    const files = makePorts({ 'AGENTS.md': `See \`${gone}\`.\n`, 'src/lib/a.ts': 'export {};\n' });
    const run = (request: ProcessRequest) => gitThatDeleted(request, [gone]);
    const ports = { ...files, processes: { run } };
    const workspace = new Workspace(ports, PREFERENCES);
    const stalePaths = async () => {
      const { notices } = await workspace.whenReady();
      return notices.filter(({ kind }) => kind === 'stalePath').map(({ path, line }) => `${path}:${line}`);
    };
    expect(await stalePaths()).toEqual([]);
    expect(ports.files.reads).not.toContain(gone);
    workspace.update({ hasStalePaths: true });
    expect(await stalePaths()).toEqual(['AGENTS.md:1']);
    expect(ports.files.reads).toContain(gone);
    workspace.update({ hasStalePaths: false });
    expect(await stalePaths()).toEqual([]);
    workspace.update({ hasStalePaths: true });
    expect(await stalePaths()).toEqual(['AGENTS.md:1']);
    workspace.update({ isTrusted: false });
    expect(await stalePaths()).toEqual([]);
  });
});
