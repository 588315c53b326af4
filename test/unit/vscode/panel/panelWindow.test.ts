import { describe, expect, it } from 'vitest';
import { inEnglish, phrase } from '../../../../src/core/text/phrase';
import type { ReadWindow, ShownStart } from '../../../../src/core/window/loaded/measuring';
import type { WindowItem } from '../../../../src/core/window/loaded/windowReport';
import {
  PanelWindowReader,
  panelWindow,
  rowEdits,
  rowItem,
  rowName,
  unmeasuredPrograms,
  type WindowInput,
  windowServers,
} from '../../../../src/vscode/panel/panelWindow';
import { RecordingLogger } from '../../../support/recordingLogger';
import { until } from '../../../support/until.mjs';

function row(patch: Partial<WindowItem> & Pick<WindowItem, 'id' | 'kind'>): WindowItem {
  const base = { source: '.mcp.json', line: 3, tokens: 10, tokensFull: 10, fate: 'loaded' as const };
  return { ...base, certain: true, exact: true, reason: '', ...patch };
}

function windowOf(items: readonly WindowItem[], servers: readonly ShownStart[] = []): ReadWindow {
  const facts = { agent: 'codex' as const, name: 'Codex', asOf: '', source: '', model: null, windowTokens: 272_000 };
  return { window: { ...facts, factor: undefined, notRead: [], items }, servers };
}

const INPUT: WindowInput = {
  agent: 'codex',
  model: undefined,
  withHome: false,
  coverage: undefined,
  failed: [],
  count: async (texts) => texts.map((text) => text.length),
};

describe('what the panel shows of a window', () => {
  it('has the tools of a server below it, also where names have slashes, and two servers of a name apart', () => {
    const server = 'a/b';
    const { categories } = panelWindow(
      windowOf([
        row({ id: 'mcp:a/b/x/y', kind: 'mcp', server }),
        row({ id: 'mcp:a/b#instructions', kind: 'mcp', server, tokens: 5 }),
        row({ id: 'mcp:a/b', kind: 'mcp', server, source: '~/.codex/config.toml', fate: 'shadowed', tokens: 0 }),
      ]),
      true,
      inEnglish,
    );
    expect(
      categories[0]?.items.map(({ name, tokens, fate, path, items }) => [
        ...[name, tokens, fate, path],
        items.map((tool) => tool.name),
      ]),
    ).toEqual([
      ['a/b', 15, 'loaded', '.mcp.json', ['x/y', 'instructions']],
      ['a/b', 0, 'shadowed', '~/.codex/config.toml', []],
    ]);
  });

  it('counts a server that was not measured as not exact', () => {
    const items = [row({ id: 'mcp:s', kind: 'mcp', server: 's', fate: 'unmeasured', tokens: 0 })];
    const { isExact, categories } = panelWindow(windowOf(items), false, inEnglish);
    expect([isExact, categories[0]?.isExact, categories[0]?.items[0]?.fate]).toEqual([false, false, 'unmeasured']);
  });
});

describe('actions of the rows', () => {
  const start = (name: string, isProgram: boolean): ShownStart => ({
    ...{ name, source: '.mcp.json', line: name, isProgram, cwd: '/f', names: [], commandHash: name },
  });
  const unmeasured = (server: string) =>
    row({ id: `mcp:${server}`, kind: 'mcp', server, fate: 'unmeasured', tokens: 0, why: phrase('not measured') });

  it('measure all programs without a figure at once, and what is reached by its address only by its own row', () => {
    const servers = [start('a', true), start('b', true), start('web', false)];
    const measured = row({ id: 'mcp:b/t', kind: 'mcp', server: 'b' });
    const read = windowOf([unmeasured('a'), measured, unmeasured('web')], servers);
    const [mcp] = panelWindow(read, false, inEnglish).categories;
    expect(mcp?.actions).toEqual(['measure']);
    expect(unmeasuredPrograms(mcp?.items ?? [], servers).map(({ name }) => name)).toEqual(['a']);
    expect(mcp?.items.map(({ name, why, actions }) => [name, why, actions])).toEqual([
      ['a', 'not measured', ['measure', 'open']],
      ['b', undefined, ['measure', 'open']],
      ['web', 'not measured', ['measure', 'open']],
    ]);
    const web = windowOf([unmeasured('web')], servers);
    expect(panelWindow(web, false, inEnglish).categories[0]?.actions).toEqual([]);
  });

  it('change settings where one is known: of a server by its row with all its tokens, of a tool by its own', () => {
    const edit = { path: '.gemini/settings.json', format: 'json' as const, keys: ['mcp', 'excluded'], item: 's' };
    const tool = { kind: 'mcp' as const, server: 's', serverEdits: { disable: edit } };
    const { window, servers } = windowOf([
      row({ ...tool, id: 'mcp:s/a', edits: { disable: { ...edit, item: 'a' } } }),
      row({ ...tool, id: 'mcp:s/b', tokens: 5, edits: {} }),
    ]);
    const [server] = panelWindow({ window, servers }, false, inEnglish).categories[0]?.items ?? [];
    expect(server?.actions).toEqual(['measure', 'disable', 'open']);
    expect(server?.items.map(({ actions }) => actions)).toEqual([['disable'], []]);
    expect(rowEdits(window, server?.key ?? '')).toEqual({ edits: { disable: edit }, tokens: 15 });
    expect(rowEdits(window, 'mcp:s/a .mcp.json')).toEqual({ edits: { disable: { ...edit, item: 'a' } }, tokens: 10 });
    expect([rowName(window, server?.key ?? ''), rowName(window, 'mcp:s/a .mcp.json')]).toEqual(['s', 'a']);
    expect(rowEdits(window, 'gone')).toEqual({ edits: {}, tokens: 0 });
  });

  it('tell the finding of measured servers, and of those that no session called, by the names of logs', () => {
    const disable = { path: 'a', format: 'json' as const, keys: ['off'], item: 'my.db' };
    const read = windowOf([
      row({ id: 'mcp:my.db/t', kind: 'mcp', server: 'my.db', tokens: 700, serverEdits: { disable } }),
      row({ id: 'mcp:my.db/u', kind: 'mcp', server: 'my.db', tokens: 300, serverEdits: { disable } }),
      row({ id: 'mcp:used/t', kind: 'mcp', server: 'used', tokens: 9 }),
      unmeasured('late'),
    ]);
    const known = { ...read, withHome: false, panel: panelWindow(read, false, inEnglish) };
    const base = { key: 'server .mcp.json my.db', name: 'my.db', tokens: 1000, actions: ['disable'] };
    expect(windowServers(known, new Set(['my_db']))).toEqual([
      { ...base, isUnused: true },
      { key: 'server .mcp.json used', name: 'used', tokens: 9, actions: [], isUnused: false },
    ]);
  });

  it('open the file of a server, a skill and a file, and nothing of the agent itself', () => {
    const items = [
      row({ id: 'agent:prompt', kind: 'agent', source: 'Codex CLI 1' }),
      row({ id: 'mcp:s', kind: 'mcp', server: 's', fate: 'disabled' }),
      row({ id: 'skill:k', kind: 'skills', source: '~/.codex/skills/k/SKILL.md', line: 3 }),
    ];
    const read = windowOf(items);
    const rows = panelWindow(read, true, inEnglish).categories.flatMap((each) => each.items);
    expect(rows.map(({ actions }) => actions)).toEqual([[], ['open'], ['open']]);
    expect(rows.map(({ key }) => rowItem(read.window, key)?.id)).toEqual(['agent:prompt', 'mcp:s', 'skill:k']);
  });
});

describe('reading the window for the panel', () => {
  function start(read: (input: WindowInput) => Promise<ReadWindow | undefined>) {
    const state = { reads: 0, told: 0 };
    const source = {
      home: '/home/jo',
      homePlaces: () => [],
      measure: async () => undefined,
      unused: async () => [],
      read: async (_folder: string, input: WindowInput) => {
        state.reads++;
        return read(input);
      },
    };
    const logger = new RecordingLogger();
    return { state, logger, reader: new PanelWindowReader(source, logger, inEnglish, () => state.told++) };
  }

  it('reads once a report, tells when it is read, and keeps what is known meanwhile', async () => {
    const { state, reader } = start(async () => windowOf([]));
    const [owner, first, second] = [{}, {}, {}];
    expect(reader.get(owner, '/f', undefined, INPUT)).toBeUndefined();
    expect(state.reads).toBe(0);
    expect(reader.get(owner, '/f', first, INPUT)).toBeUndefined();
    await until('it is read', () => state.told === 1);
    expect(reader.get(owner, '/f', first, INPUT)?.panel.name).toBe('Codex');
    expect(reader.get(owner, '/f', second, INPUT)?.panel.name).toBe('Codex');
    await until('it is read again', () => state.told === 2);
    expect(state.reads).toBe(2);
    expect(reader.get(owner, '/f', second, { ...INPUT, model: 'gpt-5.5' })).toBeUndefined();
  });

  it('keeps what is known of each owner, and is pending until its first answer, whatever that is', async () => {
    const { state, reader } = start(async ({ agent }) => (agent === INPUT.agent ? windowOf([]) : undefined));
    const [one, other, report] = [{}, {}, {}];
    expect(reader.isPending(one, INPUT)).toBe(true);
    for (const owner of [one, other]) reader.get(owner, '/f', report, INPUT);
    await until('both are read', () => state.told === 2);
    for (const owner of [one, other]) expect(reader.get(owner, '/f', report, INPUT)?.panel.name).toBe('Codex');
    expect([state.reads, reader.isPending(one, INPUT)]).toEqual([2, false]);
    const unknown: WindowInput = { ...INPUT, agent: 'zed' };
    reader.get(one, '/f', report, unknown);
    expect(reader.isPending(one, unknown)).toBe(true);
    await until('nothing is known of it', () => state.told === 3);
    expect([reader.get(one, '/f', report, unknown), reader.isPending(one, unknown)]).toEqual([undefined, false]);
  });

  it('counts a text once, as long as it stays', async () => {
    const counted: string[] = [];
    const count = async (texts: readonly string[]) => {
      counted.push(...texts);
      return texts.map((text) => text.length);
    };
    const sizes: (readonly number[])[] = [];
    const { state, reader } = start(async (input) => {
      sizes.push(await input.count(['aa', 'b', 'aa']));
      return windowOf([]);
    });
    const owner = {};
    reader.get(owner, '/f', {}, { ...INPUT, count });
    await until('it is read', () => state.told === 1);
    reader.get(owner, '/f', {}, { ...INPUT, count });
    await until('it is read again', () => state.told === 2);
    expect(counted).toEqual(['aa', 'b']);
    expect(sizes).toEqual([
      [2, 1, 2],
      [2, 1, 2],
    ]);
  });

  it('logs what cannot be read, and is absent', async () => {
    const { state, reader, logger } = start(() => Promise.reject(new Error('gone')));
    const [owner, report] = [{}, {}];
    reader.get(owner, '/f', report, INPUT);
    await until('it is told', () => state.told === 1);
    expect(reader.get(owner, '/f', report, INPUT)).toBeUndefined();
    expect(logger.lines).toEqual(['error: What the agent loads could not be read for the panel']);
  });
});
