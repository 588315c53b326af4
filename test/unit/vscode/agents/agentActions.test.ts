import { beforeEach, describe, expect, it, vi } from 'vitest';
import { neverRan, type ProcessOutcome } from '../../../../src/core/ports/ports';
import { HOOK_FILES, type HookTarget } from '../../../../src/core/setup/hooks/hookTarget';
import { installHooks } from '../../../../src/core/setup/hooks/installHooks';
import { FolderFiles } from '../../../../src/vscode/base/folderFiles';

const SKILL = '---\nname: context-budget\ndescription: Finds it.\n---\nAsk small.\n';
const SKILL_PATH = '/ext/media/skills/context-budget/SKILL.md';

/** What the editor holds, and what the user does. */
const world = vi.hoisted(() => ({
  files: new Map<string, string>(),
  isTrusted: true,
  answer: undefined as string | undefined,
  asked: [] as string[],
  /** Address of the document that shows what a file would be. */
  fresh: undefined as unknown,
  clipboard: '',
  meanwhile: () => {},
}));

vi.mock('vscode', () => {
  const uri = (path: string, scheme = 'file') => ({ path, scheme, fsPath: path, toString: () => `${scheme}:${path}` });
  type FakeUri = ReturnType<typeof uri>;
  class FileSystemError extends Error {
    readonly code = 'FileNotFound';
  }
  const t = (message: string, ...values: readonly unknown[]): string =>
    message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
  return {
    FileSystemError,
    EventEmitter: class {
      readonly event = () => ({ dispose: () => {} });
      fire(): void {}
    },
    TabInputTextDiff: class {},
    ProgressLocation: { Notification: 15 },
    Uri: {
      file: uri,
      joinPath: ({ path, scheme }: FakeUri, ...more: string[]) => uri([path, ...more].join('/'), scheme),
      from: ({ scheme, path, query }: { scheme: string; path: string; query: string }) =>
        uri(`${path}?${query}`, scheme),
    },
    l10n: { t, bundle: undefined },
    env: { clipboard: { writeText: async (text: string) => void Object.assign(world, { clipboard: text }) } },
    commands: {
      executeCommand: async (_: string, __: unknown, fresh: unknown) => void Object.assign(world, { fresh }),
    },
    workspace: {
      get isTrusted() {
        return world.isTrusted;
      },
      textDocuments: [],
      fs: {
        createDirectory: async () => {},
        readFile: async ({ path }: FakeUri) => {
          const text = world.files.get(path);
          if (text === undefined) throw new FileSystemError(path);
          return new TextEncoder().encode(text);
        },
        writeFile: async ({ path }: FakeUri, bytes: Uint8Array) => {
          world.files.set(path, new TextDecoder().decode(bytes));
        },
        delete: async ({ path }: FakeUri) => void world.files.delete(path),
      },
    },
    window: {
      tabGroups: { all: [], close: async () => {} },
      showInformationMessage: async (question: string) => {
        world.asked.push(question);
        world.meanwhile();
        return world.answer;
      },
      withProgress: (_: unknown, work: (progress: unknown, token: unknown) => unknown) =>
        work({}, { onCancellationRequested: () => ({ dispose: () => {} }) }),
    },
  };
});

const { agentCommands } = await import('../../../../src/vscode/agents/agentActions');
const { hookCommands } = await import('../../../../src/vscode/agents/hookActions');
const { ChangePreview } = await import('../../../../src/vscode/base/fileChange');
const vscode = await import('vscode');

const TOOLS = '{"id":1,"result":{}}\n{"id":2,"result":{"tools":[{"name":"a"}]}}\n';

function flow(outcome: Partial<ProcessOutcome> = { stdout: TOOLS }) {
  const ran: (readonly string[])[] = [];
  const preview = new ChangePreview();
  const notes: string[] = [];
  const logged: unknown[] = [];
  const active = {
    folder: { uri: vscode.Uri.file('/w'), name: 'w', index: 0 },
    workspace: { countTokens: async () => [7] },
  };
  const editor = {
    context: {
      extensionUri: vscode.Uri.file('/ext'),
      globalStorageUri: vscode.Uri.file('/store'),
      extension: { packageJSON: { version: '1.0.0' } },
    },
    registry: { require: async () => active },
    statusBar: { done: (note: string) => notes.push(note) },
    log: { debug: () => {}, error: (_: string, error: unknown) => logged.push(error) },
    files: new FolderFiles(undefined),
  };
  const host = {
    home: '/home',
    shellCall: (line: string) => ['sh', '-c', line] as const,
    openProcesses: () => ({
      run: async ({ argv }: { argv: readonly string[] }) => {
        ran.push(argv);
        return { ...neverRan('cancelled'), kind: 'exited' as const, exitCode: 0, ...outcome };
      },
      dispose: () => {},
    }),
  };
  const commands = agentCommands(editor as unknown as Parameters<typeof agentCommands>[0], preview, host);
  const { 'contextBudget.removeHooks': removeHooks } = hookCommands(editor as never, preview);
  const connect = (...ids: string[]) => commands['contextBudget.connectAgent'](ids);
  return { connect, removeHooks, notes, logged, ran, preview };
}

beforeEach(() => {
  world.files.clear();
  world.files.set(SKILL_PATH, SKILL);
  Object.assign(world, { isTrusted: true, answer: 'Connect', asked: [], clipboard: '', meanwhile: () => {} });
});

const CURSOR = '/w/.cursor/mcp.json';
const LAUNCHER = '/store/context-budget.cjs';

describe('Connect an Agent…', () => {
  it('writes a server after it was shown and agreed to, starts it as written, and says what it answers', async () => {
    const { connect, notes, ran, preview } = flow();
    let shown = '';
    world.meanwhile = () => {
      shown = preview.provideTextDocumentContent(
        world.fresh as Parameters<typeof preview.provideTextDocumentContent>[0],
      );
    };
    await connect('mcp:cursor');
    expect(shown).toBe(world.files.get(CURSOR));
    expect(world.asked).toEqual(['Create .cursor/mcp.json?']);
    const { command, args } = JSON.parse(world.files.get(CURSOR) ?? '').mcpServers['context-budget'];
    expect(ran).toEqual([[command, ...args]]);
    expect(args).toEqual([LAUNCHER, 'mcp', '--root', '/w']);
    expect(world.files.has(LAUNCHER)).toBe(true);
    expect(notes).toEqual(['Connected: .cursor/mcp.json; the server answers with 1 tools, 7 tokens']);
  });

  it('writes and runs nothing without a yes', async () => {
    world.answer = undefined;
    const { connect, notes, ran } = flow();
    await connect('mcp:cursor', 'hooks:.claude/settings.local.json', 'skill:.claude/skills/context-budget/SKILL.md');
    expect(world.asked.length).toBe(3);
    expect([...world.files.keys()]).toEqual([SKILL_PATH]);
    expect([notes, ran]).toEqual([[], []]);
  });

  it('asks nothing where it is connected, repairs the launcher and checks again', async () => {
    await flow().connect('mcp:cursor');
    world.files.delete(LAUNCHER);
    world.asked.length = 0;
    const { connect, notes } = flow();
    await connect('mcp:cursor');
    expect(world.asked).toEqual([]);
    expect(world.files.has(LAUNCHER)).toBe(true);
    expect(notes[0]).toContain('the server answers');
  });

  it("runs the hook's own line, and says what it adds to a session", async () => {
    const { connect, notes, ran } = flow({ stdout: '<context-index>\n' });
    await connect('hooks:.claude/settings.local.json');
    const written = JSON.parse(world.files.get('/w/.claude/settings.local.json') ?? '');
    expect(ran).toEqual([['sh', '-c', written.hooks.SessionStart[0].hooks[0].command]]);
    expect(notes).toEqual(['Hooks work: .claude/settings.local.json adds 7 tokens to a session']);
  });

  it('says what else Codex needs before it runs a hook', async () => {
    const stdout = JSON.stringify({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: '<context-index>\n' },
    });
    const { connect, notes } = flow({ stdout });
    await connect('hooks:.codex/hooks.json');
    expect(notes).toEqual([
      'Hooks work: .codex/hooks.json adds 7 tokens to a session once you trust it in Codex (/hooks)',
    ]);
  });

  it('says why something does not work, and what was connected before it', async () => {
    const broken = flow({ exitCode: 127, stderr: 'node: not found\n' });
    await expect(broken.connect('mcp:generic')).rejects.toThrow(
      'mcp.json was connected, but does not work: node: not found',
    );
    expect(broken.notes).toEqual([]);
    // What a server says is no answer of a hook of VS Code.
    const { connect, notes } = flow();
    await expect(connect('hooks:.github/hooks/context-budget.local.json', 'mcp:cursor')).rejects.toThrow(
      '.github/hooks/context-budget.local.json was connected, but does not work: no valid answer (exit code 0)',
    );
    expect(notes).toEqual(['Connected: .cursor/mcp.json; the server answers with 1 tools, 7 tokens']);
  });

  it('leaves a file alone that changed while it was shown', async () => {
    world.meanwhile = () => void world.files.set(CURSOR, '{}');
    await expect(flow().connect('mcp:cursor')).rejects.toThrow('.cursor/mcp.json has changed since');
    expect(world.files.get(CURSOR)).toBe('{}');
  });

  it.each([
    ['hooks:.claude/settings.local.json', /Hooks are programs/],
    ['mcp:cursor', /nothing is written into it/],
    ['skill:.claude/skills/context-budget/SKILL.md', /nothing is written into it/],
  ])('refuses %s in Restricted Mode', async (id, told) => {
    world.isTrusted = false;
    const { connect, ran } = flow();
    await expect(connect(id)).rejects.toThrow(told);
    expect([[...world.files.keys()], ran, world.asked]).toEqual([[SKILL_PATH], [], []]);
  });

  it('copies in Restricted Mode, and runs nothing', async () => {
    world.isTrusted = false;
    const { connect, notes, ran } = flow();
    await connect('mcp:generic');
    expect(JSON.parse(world.clipboard).mcpServers['context-budget'].command).toBe('node');
    await connect('skill:copy');
    expect(world.clipboard).toBe(SKILL);
    expect(notes).toEqual(['Copied the server for mcpServers: mcp.json', 'Copied the agent skill']);
    expect(ran).toEqual([]);
  });
});

describe('Remove Agent Hooks', () => {
  const [first, second, third] = HOOK_FILES as readonly [HookTarget, HookTarget, HookTarget];
  const file = ({ path }: HookTarget) => `/w/${path}`;

  beforeEach(() => {
    world.answer = 'Remove';
    for (const target of [first, second, third])
      world.files.set(file(target), installHooks(undefined, target, { kind: 'package' }));
  });

  it('takes them out of the other files where one cannot be edited, and says which', async () => {
    world.files.set(file(second), '{ "hooks": ');
    const { removeHooks, notes } = flow();
    await expect(removeHooks()).rejects.toMatchObject({ reason: 'badFile' });
    expect(notes).toEqual([`Hooks removed: ${first.path}, ${third.path}`]);
    expect([...world.files.keys()]).toEqual([SKILL_PATH, file(second)]);
  });

  it('says what it removed where files change before they are written', async () => {
    world.meanwhile = () => {
      if (world.asked.length > 1) for (const each of [second, third]) world.files.set(file(each), '{}');
    };
    const { removeHooks, notes, logged } = flow();
    await expect(removeHooks()).rejects.toMatchObject({ reason: 'changed' });
    expect(notes).toEqual([`Hooks removed: ${first.path}`]);
    expect(logged).toMatchObject([{ reason: 'changed' }]);
  });

  it('says that there are none', async () => {
    for (const target of [first, second, third]) world.files.delete(file(target));
    const { removeHooks, notes } = flow();
    await removeHooks();
    expect(notes).toEqual(['No hooks of Context Budget found']);
  });
});
