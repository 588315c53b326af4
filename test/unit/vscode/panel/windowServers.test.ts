import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Masking } from '../../../../src/core/secrets/masking';
import { phrase } from '../../../../src/core/text/phrase';
import type { ShownStart } from '../../../../src/core/window/loaded/measuring';
import type { KnownWindow, WindowSource } from '../../../../src/vscode/panel/panelWindow';
import { WindowServers } from '../../../../src/vscode/panel/windowServers';
import { editor } from '../../../support/fakeEditor';
import { until } from '../../../support/until.mjs';

const asked = vi.hoisted(() => ({
  showWarningMessage: vi.fn(),
  cancel: undefined as (() => void) | undefined,
  reported: [] as string[],
}));

vi.mock('vscode', async () => {
  const { editor: base } = await import('../../../support/fakeEditor');
  const nothing = () => ({ dispose: () => undefined });
  const watcher = { onDidChange: nothing, onDidCreate: nothing, onDidDelete: nothing, dispose: () => undefined };
  const token = {
    onCancellationRequested: (listener: () => void) => {
      asked.cancel = listener;
      return { dispose: () => undefined };
    },
  };
  const progress = { report: ({ message }: { message: string }) => asked.reported.push(message) };
  return {
    ...base,
    ProgressLocation: { Notification: 15 },
    window: {
      ...base.window,
      showWarningMessage: asked.showWarningMessage,
      withProgress: (_options: object, run: (...args: object[]) => unknown) => run(progress, token),
    },
    workspace: Object.assign(base.workspace, { createFileSystemWatcher: () => watcher }),
  };
});

const server = (name: string, patch: Partial<ShownStart> = {}): ShownStart => ({
  ...{ name, source: '.mcp.json', line: `run ${name} --key s3cret`, isProgram: true, cwd: '/home/jo/app' },
  ...{ names: ['TOKEN'], commandHash: `hash of ${name}` },
  ...patch,
});

const KNOWN = { window: { agent: 'codex' }, withHome: false } as unknown as KnownWindow;
const SCANNER = {
  scan: async (texts: readonly string[]) =>
    texts.map((text) => {
      const start = text.indexOf('s3cret');
      return start < 0 ? [] : [{ start, end: start + 6, label: 'key', kind: 'key' }];
    }),
};

function make(measure: WindowSource['measure'], unused: WindowSource['unused'] = async () => []) {
  const folder = { uri: { fsPath: '/home/jo/app' } };
  const log = { error: vi.fn() };
  const services = { registry: { require: async () => ({ folder }) }, log } as never;
  const source = { home: '/home/jo', homePlaces: () => [], read: async () => undefined, measure, unused };
  const servers = new WindowServers(services, new Masking(SCANNER as never), source);
  let changes = 0;
  servers.onDidChange(() => changes++);
  return { servers, log, changes: () => changes };
}

beforeEach(() => {
  vi.clearAllMocks();
  asked.reported.length = 0;
  editor.workspace.isTrusted = true;
});

describe('measuring servers in the editor', () => {
  it('asks first, with command lines, folder and names of variables, what looks like a key masked', async () => {
    const measure = vi.fn(async () => undefined);
    const { servers } = make(measure);
    asked.showWarningMessage.mockResolvedValue(undefined);
    await expect(servers.measure([server('github')], KNOWN)).rejects.toBeInstanceOf(editor.CancellationError);
    expect(measure).not.toHaveBeenCalled();
    const [question, { modal, detail }, verb] = asked.showWarningMessage.mock.lastCall as [string, never, string];
    expect([question, modal, verb]).toEqual(['Start the MCP server github to count its tools?', true, 'Measure']);
    const lines = (detail as string).split('\n');
    expect(lines[0]).toBe('github, from .mcp.json:');
    expect(lines[1]).toMatch(/^run github --key (?!s3cret)/);
    expect(lines.slice(2)).toEqual(['Folder: /home/jo/app', 'Variables: TOKEN']);
  });

  it('says that a server is asked, not started, which has an address', async () => {
    const { servers } = make(async () => undefined);
    asked.showWarningMessage.mockResolvedValue('Measure');
    await servers.measure([server('web', { isProgram: false, line: 'https://x.test', names: ['X-Key'] })], KNOWN);
    const [question, { detail }] = asked.showWarningMessage.mock.lastCall as [string, { detail: string }];
    expect(question).toBe('Ask the MCP server web for its tools?');
    expect(detail).toBe('web, from .mcp.json:\nhttps://x.test\nHeaders: X-Key');
  });

  it('measures one after the other, keeps why one gave no figure, and forgets it once there is one', async () => {
    const failed = phrase('it did not finish within {0} s', 60);
    const measure = vi.fn<WindowSource['measure']>(async (_folder, { shown }) =>
      shown.name === 'a' ? failed : undefined,
    );
    const { servers, changes } = make(measure);
    asked.showWarningMessage.mockResolvedValue('Measure');
    await servers.measure([server('a'), server('b')], KNOWN);
    expect(asked.reported).toEqual(['a', 'b']);
    expect(servers.failed).toEqual([{ name: 'a', source: '.mcp.json', commandHash: 'hash of a', reason: failed }]);
    expect(changes()).toBe(1);
    measure.mockResolvedValue(undefined);
    await servers.measure([server('a')], KNOWN);
    expect([servers.failed, changes()]).toEqual([[], 2]);
  });

  it('ends the one that runs and starts no other when it is cancelled, which is no failure', async () => {
    const signals: AbortSignal[] = [];
    const { servers } = make(async (_folder, _input, signal) => {
      signals.push(signal);
      asked.cancel?.();
      return phrase('cancelled');
    });
    asked.showWarningMessage.mockResolvedValue('Measure');
    await servers.measure([server('a'), server('b')], KNOWN);
    expect([signals.length, signals[0]?.aborted, servers.failed]).toEqual([1, true, []]);
  });

  it('starts nothing in Restricted Mode', async () => {
    const measure = vi.fn(async () => undefined);
    const { servers } = make(measure);
    editor.workspace.isTrusted = false;
    await expect(servers.measure([server('a')], KNOWN)).rejects.toMatchObject({ reason: 'untrusted' });
    expect([measure, asked.showWarningMessage].map((each) => each.mock.calls.length)).toEqual([0, 0]);
  });
});

describe('servers that no session called', () => {
  const mayRead = (agents: readonly string[]) =>
    vi.spyOn(editor.workspace, 'getConfiguration').mockReturnValue({ get: () => agents as never });

  it('are looked for once, where the agent’s transcripts may be read', async () => {
    const unused = vi.fn(async () => ['db']);
    const { servers, changes } = make(async () => undefined, unused);
    mayRead([]);
    expect([...servers.unusedIn('/f', 'codex')]).toEqual([]);
    mayRead(['claude-code', 'codex']);
    expect([...servers.unusedIn('/f', 'codex'), ...servers.unusedIn('/f', 'codex')]).toEqual([]);
    await until('it is read', () => changes() === 1);
    expect([...servers.unusedIn('/f', 'codex')]).toEqual(['db']);
    expect([...servers.unusedIn('/f', 'cursor')]).toEqual([]);
    editor.workspace.isTrusted = false;
    expect([...servers.unusedIn('/f', 'codex')]).toEqual([]);
    expect(unused.mock.calls).toEqual([['/f', 'codex']]);
  });

  it('are none where logs cannot be read, which is logged', async () => {
    mayRead(['codex']);
    const { servers, log } = make(
      async () => undefined,
      () => Promise.reject(new Error('gone')),
    );
    servers.unusedIn('/f', 'codex');
    await until('it is logged', () => log.error.mock.calls.length === 1);
    expect([...servers.unusedIn('/f', 'codex')]).toEqual([]);
  });
});
