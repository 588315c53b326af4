/** Commands of the editor without an editor: `vscode` is replaced by what these tests look at. */

import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_CONFIG } from '../../../src/core/config/config';
import { makeProblem } from '../../../src/core/model/problem';
import type { Finding } from '../../../src/core/pipeline/report/finding';
import { HOOK_TARGETS, type HookTarget } from '../../../src/core/setup/hooks/hookTarget';
import { installHooks } from '../../../src/core/setup/hooks/installHooks';
import { asGiven } from '../../../src/core/text/phrase';
import { hasHooks } from '../../../src/vscode/agents/hookActions';
import { chosen, EditorError } from '../../../src/vscode/base/editorError';
import { FolderFiles } from '../../../src/vscode/base/folderFiles';
import type { CommandHandler } from '../../../src/vscode/base/ids';
import { ProblemReporter } from '../../../src/vscode/base/problems';
import { followWhatIsThere } from '../../../src/vscode/commands';
import { copyActions } from '../../../src/vscode/copy/copyActions';
import type { EditorServices } from '../../../src/vscode/copy/editorServices';
import { FileNotices } from '../../../src/vscode/instructions/fileNotices';
import { repoMapCommands } from '../../../src/vscode/map/repoMapActions';
import { mapMessage, RepoMapTree } from '../../../src/vscode/map/repoMapTree';
import { observationActions } from '../../../src/vscode/observations/observationActions';
import { ObservationTree } from '../../../src/vscode/observations/observationTree';
import { BudgetPanel } from '../../../src/vscode/panel/budgetPanel';
import { panelViewActions } from '../../../src/vscode/panel/panelViewActions';
import { sectionActions } from '../../../src/vscode/panel/sectionActions';
import { relayActions } from '../../../src/vscode/relay/relayActions';
import { diagnosticsCommands } from '../../../src/vscode/report/diagnostics';
import { workspaceActions } from '../../../src/vscode/workspaceActions';
import { editor } from '../../support/fakeEditor';
import { payloadOf, sectionOf } from '../../support/panelSnapshots';

vi.mock('vscode', async () => (await import('../../support/fakeEditor')).editor);

const root = process.cwd();

/** The services of one folder whose sections have these texts. */
function servicesWith(texts: readonly string[] = [], patch: object = {}) {
  const payload = payloadOf(texts.map((text, at) => sectionOf({ id: `s${at}`, text })));
  const report = { profile: 'default', payloads: { index: payload, expanded: payload }, problems: [] };
  const snapshot = { report, config: DEFAULT_CONFIG, problems: [], relay: undefined, progress: undefined, ...patch };
  const active = {
    folder: editor.workspace.workspaceFolders[0],
    workspace: { snapshot, unmasked: async () => report },
    whenReady: async () => snapshot,
  };
  const written = vi.fn();
  const recorded = vi.fn();
  const services = {
    context: {
      extensionUri: new editor.Uri('/ext'),
      extension: {
        packageJSON: {
          version: '1.2.3',
          dependencies: { 'js-tiktoken': '1.0' },
          contributes: {
            configuration: {
              properties: {
                'contextBudget.statusBar.warnAt': { default: 80 },
                'contextBudget.agentCuts': {},
              },
            },
          },
        },
      },
    },
    log: {
      tail: () => ["2026-01-01 [info] opened /home/jo/app/a.md and '/home/jo/Private Notes/b.md'"],
      error: vi.fn(),
      info: vi.fn(),
    },
    preferences: { mode: 'expanded', of: () => ({ tokenizer: 'o200k_base' }), sort: 'size' },
    registry: { active, require: async () => active },
    statusBar: { note: vi.fn(), clearNote: vi.fn(), done: vi.fn() },
    clipboard: { write: written, hasHeldBack: false, hasMasked: false },
    recorder: { payload: recorded },
  };
  return { services: services as unknown as EditorServices, written, recorded };
}

beforeEach(() => {
  vi.clearAllMocks();
});

describe('what a command answers', () => {
  const run = async (action: () => unknown) => {
    const log = { error: vi.fn(), info: vi.fn(), warn: vi.fn(), debug: vi.fn() };
    await new ProblemReporter(log).runAsked('Copy Unmasked…', 'copyUnmasked', action);
    return log;
  };

  it('is information, without a stack in the log, where there is nothing to be about', async () => {
    const log = await run(() => {
      throw new EditorError('nothingMasked', 'Nothing was masked in the last copy.');
    });
    expect(editor.window.showInformationMessage).toHaveBeenCalledWith(
      'Copy Unmasked: Nothing was masked in the last copy.',
    );
    expect(editor.window.showErrorMessage).not.toHaveBeenCalled();
    expect(log.error).not.toHaveBeenCalled();
    expect(log.info).toHaveBeenCalledWith('nothing to do: copyUnmasked');
  });

  it('is nothing, and not “done”, after Escape', async () => {
    const log = await run(() => chosen(undefined));
    expect(log.info.mock.calls).toEqual([['cancelled: copyUnmasked']]);
    expect(editor.window.showInformationMessage).not.toHaveBeenCalled();
  });

  it('is an error with Show Log for what failed', async () => {
    editor.window.showErrorMessage.mockResolvedValue(undefined);
    const log = await run(() => {
      throw new EditorError('config', 'It is read-only.');
    });
    expect(editor.window.showErrorMessage).toHaveBeenCalledWith('Copy Unmasked: It is read-only.', 'Show Log');
    expect(log.error).toHaveBeenCalled();
  });
});

describe('Copy Payload', () => {
  it('says that there is nothing to copy, and neither copies nor records a cycle', async () => {
    const { services, written, recorded } = servicesWith(['', '\n']);
    await expect(copyActions(services).commands['contextBudget.copyPayload']()).rejects.toMatchObject({
      reason: 'nothingToCopy',
    });
    expect(written).not.toHaveBeenCalled();
    expect(recorded).not.toHaveBeenCalled();
  });

  it('copies and records what has text', async () => {
    const { services, written, recorded } = servicesWith(['', 'Rules']);
    await copyActions(services).commands['contextBudget.copyPayload']();
    expect(written).toHaveBeenCalledOnce();
    expect(recorded).toHaveBeenCalledOnce();
  });
});

describe('what another page asks for', () => {
  it('is done in the folder that it names, whichever is active', async () => {
    const [app, lib] = [servicesWith(['a']), servicesWith(['b'])];
    const map = vi.fn(async () => ({ text: 'map', view: { filesShown: 1, filesTotal: 1 } }));
    const folder = { name: 'lib' };
    const active = { ...app.services.registry.active, folder };
    Object.assign(active, { workspace: { ...app.services.registry.active?.workspace, map } });
    const require = async (given?: unknown) => (given === folder ? active : lib.services.registry.active);
    Object.assign(lib.services.registry, { require });
    const copy = copyActions(lib.services);
    await copy.copyRepoMap('fix it', folder as never);
    expect(map).toHaveBeenCalledWith({ query: 'fix it' });
    const change = vi.fn();
    const { rowActions } = sectionActions(lib.services, { change } as never, copy);
    for (const action of ['onDemand', 'exclude'] as const) await rowActions[action]('s0', folder as never);
    expect(change.mock.calls.map((call) => call[2])).toEqual([folder, folder]);
  });
});

describe('pickers of copies', () => {
  const labels = async (command: 'copyOther' | 'moreCopyActions', hasHeldBack: boolean, hasMasked = hasHeldBack) => {
    const { services } = servicesWith(['a']);
    Object.assign(services.clipboard, { hasHeldBack, hasMasked });
    editor.window.showQuickPick.mockResolvedValueOnce(undefined);
    const run: CommandHandler = copyActions(services).commands[`contextBudget.${command}`];
    await expect(run(undefined)).rejects.toBeInstanceOf(editor.CancellationError);
    const [items] = editor.window.showQuickPick.mock.lastCall as [readonly { readonly label: string }[]];
    return items.map(({ label }) => label);
  };

  it('Copy Other… has what was masked only where something was', async () => {
    const always = ['Copy Repo Map', 'Copy Repo Map for Task…', 'Copy Timeline…', 'Copy Detail…'];
    expect(await labels('copyOther', false)).toEqual(always);
    expect(await labels('copyOther', true)).toEqual([...always, 'Copy Unmasked…', 'Show Masked Secrets…']);
    expect(await labels('copyOther', true, false)).toEqual([...always, 'Copy Unmasked…']);
  });

  it('the panel’s menu has the payloads, the others, the agent’s reply and its connection', async () => {
    const all = [
      'Copy Index Payload',
      'Copy Expanded Payload',
      'Copy Other…',
      'Record Agent Reply…',
      'Connect an Agent…',
    ];
    expect(await labels('moreCopyActions', true)).toEqual(all);
  });
});

describe('Tune Relevance…', () => {
  const tuned = async (argument?: unknown, command = 'tuneRelevance') => {
    const change = vi.fn();
    const { services } = servicesWith(['a']);
    const { commands } = panelViewActions(services, { change } as never);
    const run = (commands as Readonly<Record<string, CommandHandler>>)[`contextBudget.${command}`];
    await run?.(argument);
    return change.mock.calls.map(([asked, said]) => [asked, said]);
  };

  it('asks for the mode in words, then for the threshold where it matters, and writes both at once', async () => {
    editor.window.showQuickPick.mockImplementationOnce(async (items: readonly { readonly label: string }[]) => {
      expect(items.map(({ label }) => label)).toEqual(['Off', 'Measure', 'Rules', 'Automatic']);
      return items[3];
    });
    editor.window.showInputBox.mockResolvedValueOnce('0.456');
    expect(await tuned()).toEqual([
      [{ kind: 'scoring', mode: 'dynamic', threshold: 0.46 }, 'Relevance: Automatic · Threshold 0.46'],
    ]);
    editor.window.showQuickPick.mockImplementationOnce(async (items: readonly unknown[]) => items[1]);
    expect(await tuned()).toEqual([
      [{ kind: 'scoring', mode: 'baseline', threshold: undefined }, 'Relevance: Measure'],
    ]);
    expect(editor.window.showInputBox).toHaveBeenCalledOnce();
  });

  it('writes nothing where the threshold is left by Escape', async () => {
    editor.window.showQuickPick.mockImplementationOnce(async (items: readonly unknown[]) => items[3]);
    editor.window.showInputBox.mockResolvedValueOnce(undefined);
    await expect(tuned()).rejects.toBeInstanceOf(editor.CancellationError);
  });

  it('takes what a keybinding brings along, under the former ids too', async () => {
    const scoring = (mode?: string, threshold?: number) => ({ kind: 'scoring', mode, threshold });
    expect((await tuned('static', 'setScoringMode'))[0]?.[0]).toEqual(scoring('static'));
    expect((await tuned(0.4, 'setThreshold'))[0]?.[0]).toEqual(scoring(undefined, 0.4));
    expect((await tuned({ mode: 'dynamic', threshold: 0.4 }))[0]?.[0]).toEqual(scoring('dynamic', 0.4));
  });
});

describe('Change, under the gauge', () => {
  const changed = async (typed: string | undefined, budget: object = {}) => {
    const change = vi.fn();
    const report = {
      payloads: {
        expanded: { budget: { tokens: 1000, budgetTokens: 7500, chars: 4000, hardCapChars: 30_000, ...budget } },
      },
    };
    const profiles = [{ name: 'mine', budgetTokens: 7500 }];
    const { services } = servicesWith([], { report, profile: 'mine', profiles });
    editor.window.showInputBox.mockResolvedValueOnce(typed);
    await panelViewActions(services, { change } as never).panelCommands.changeLimit();
    const [options] = editor.window.showInputBox.mock.lastCall as [
      { value: string; validateInput: (text: string) => unknown },
    ];
    return { calls: change.mock.calls, options };
  };

  it('asks for a number of tokens, with the present limit, and writes it into the profile in use', async () => {
    const { calls, options } = await changed(' 9,000 ');
    expect(options.value).toBe('7500');
    expect(calls).toEqual([
      [{ kind: 'profile', name: 'mine', budgetTokens: 9000 }, 'Limit of profile mine: 9,000 tokens'],
    ]);
    expect((await changed('7500')).calls, 'as it is').toEqual([]);
    await expect(changed(undefined)).rejects.toBeInstanceOf(editor.CancellationError);
  });

  it.each(['', '0', '-5', '7.5', '7.5k', '75,00', 'many', '100000001'])('refuses %j', async (typed) => {
    const { options } = await changed('9000');
    expect(options.validateInput(typed)).toBe('Enter a whole number of tokens, such as 9000');
  });

  it('remarks where the characters of this payload reach their limit first', async () => {
    const { options } = await changed('9000');
    expect(options.validateInput('7500')).toBeUndefined();
    expect(options.validateInput('7 501')).toEqual({
      message: 'The limit of 30,000 characters is reached first. Open Config changes it.',
      severity: editor.InputBoxValidationSeverity.Info,
    });
  });
});

describe('Open Config', () => {
  it('opens at the line of the first error', async () => {
    const at = { path: '.context-budget/config.json', line: 6 };
    const problems = [
      makeProblem('config', 'warning', asGiven('odd'), { ...at, line: 2 }),
      makeProblem('config', 'error', asGiven('wrong'), at),
    ];
    const { services } = servicesWith([], { problems });
    await workspaceActions(services).commands['contextBudget.openConfig']();
    const [uri, options] = editor.window.showTextDocument.mock.lastCall ?? [];
    expect(uri.path).toBe('/home/jo/app/.context-budget/config.json');
    expect(options.selection.line).toBe(5);
  });
});

describe('How it works', () => {
  it('opens a file that is in the package, where file names are case-sensitive', async () => {
    // @ts-expect-error: this part of the library has no types
    const { createDefaultProcessors, processFiles, readManifest } = await import('@vscode/vsce/out/package.js');
    const options = { cwd: root, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false };
    const allowed = readFileSync('.vscodeignore', 'utf8')
      .split('\n')
      .flatMap((line) => /^!([^*]+)$/.exec(line)?.[1] ?? []);
    const given = allowed
      .filter((file) => existsSync(file))
      .map((file) => ({ path: `extension/${file}`, localPath: file }));
    const processors = createDefaultProcessors(await readManifest(root), options);
    const packed: readonly { readonly path: string }[] = await processFiles(processors, given);
    const files = new Set(packed.map(({ path }) => path.replace(/^extension/, '/ext')));
    expect(files.size).toBeGreaterThan(10);
    const readFrom = (there: (path: string) => boolean) =>
      editor.workspace.fs.readFile.mockImplementation(async ({ path }) => {
        if (!there(path)) throw new editor.FileSystemError('FileNotFound');
        return new Uint8Array([1]);
      });
    const opened = async () => {
      await workspaceActions(servicesWith().services).panelCommands.howItWorks();
      return editor.commands.executeCommand.mock.lastCall?.[1].path;
    };
    readFrom((path) => files.has(path));
    expect(files).toContain(await opened());
    readFrom((path) => path === '/ext/README.md');
    expect(await opened()).toBe('/ext/README.md');
  });
});

describe('relay commands', () => {
  it('say that there is no log instead of asking for a file', async () => {
    const { services } = servicesWith();
    const { commands } = relayActions(services);
    for (const run of [commands['contextBudget.compactRelay'], commands['contextBudget.copyRelaySummary']])
      await expect(run(undefined)).rejects.toMatchObject({ reason: 'noRelayLog' });
  });

  it('say why there is no summary of a log that cannot be read', async () => {
    const relay = { kind: 'failed', path: '.context-budget/relay.json', message: asGiven('it is not text.') };
    const { services, written } = servicesWith([], { relay });
    const { commands } = relayActions(services);
    await expect(commands['contextBudget.copyRelaySummary'](undefined)).rejects.toMatchObject({
      reason: 'unreadableLog',
      message: '.context-budget/relay.json could not be read: it is not text.',
    });
    expect(written).not.toHaveBeenCalled();
  });
});

describe('Copy Diagnostics', () => {
  it('has versions, changed settings, the age of the agent table and the log, without paths of elsewhere', async () => {
    const { services, written } = servicesWith();
    await diagnosticsCommands(services)['contextBudget.copyDiagnostics']();
    const [{ text, secrets }] = written.mock.lastCall as [{ text: string; secrets?: unknown }];
    // Without findings of its own the clipboard looks for keys.
    expect(secrets).toBeUndefined();
    expect(text).toContain('- Extension: 1.2.3\n- Editor: Editor 1.200.0 (desktop');
    expect(text).toContain(`- Node: ${process.versions.node}\n- Tokenizer: o200k_base (js-tiktoken 1.0)`);
    expect(text).toMatch(/- Agent table: .*2026/);
    expect(text).toContain('### Settings that differ from the default\n- `contextBudget.statusBar.warnAt`: `60`\n');
    expect(text).not.toContain('agentCuts');
    expect(text).toContain("opened app/a.md and '<path>'");
    expect(text).not.toContain('/home/jo');
  });
});

describe('what the palette can be about', () => {
  /** Emitters of the editor and of ours, and the keys that were told last. */
  function follow() {
    const on = () => {
      const { event, fire } = new editor.EventEmitter();
      return { event, fire };
    };
    const [changed, indexed, copied, active, settings, wrote] = [on(), on(), on(), on(), on(), on()];
    editor.window.onDidChangeActiveTextEditor.mockImplementation(active.event);
    const opened = vi.mocked(editor.workspace.onDidOpenTextDocument);
    const typed = vi.mocked(editor.workspace.onDidChangeTextDocument);
    editor.workspace.createFileSystemWatcher.mockReturnValue({
      ...{ onDidCreate: settings.event, onDidChange: settings.event, onDidDelete: settings.event },
    });
    const clipboard = { hasHeldBack: false, hasMasked: false, onDidCopy: copied.event };
    const snapshot: { state: string; relay?: unknown } = { state: 'ready' };
    Object.assign(snapshot, { task: '', index: { phase: 'listing' } });
    const registry = {
      active: { folder: {}, workspace: { snapshot } },
      onDidChange: changed.event,
      onDidChangeIndex: indexed.event,
    };
    const hooks = vi.fn(async () => false);
    const files = { onDidWrite: wrote.event };
    const services = { clipboard, files, registry } as unknown as EditorServices;
    followWhatIsThere(services, hooks);
    const key = (name: string) =>
      editor.commands.executeCommand.mock.calls.findLast(([, told]) => told === `contextBudget.${name}`)?.[2];
    const [[open], [type]] = [opened.mock.lastCall, typed.mock.lastCall] as [
      [(document: unknown) => void],
      [(event: unknown) => void],
    ];
    return { changed, indexed, copied, active, settings, wrote, clipboard, snapshot, hooks, key, open, type };
  }

  it('is what was masked in the last copy', () => {
    const { clipboard, copied, key } = follow();
    for (const [hasHeldBack, hasMasked] of [
      [true, true],
      [true, false],
      [false, false],
    ]) {
      Object.assign(clipboard, { hasHeldBack, hasMasked });
      copied.fire();
      expect([key('hasHeldBack'), key('hasMasked')]).toEqual([hasHeldBack, hasMasked]);
    }
  });

  it('is a relay log of the folder, or of the active editor', () => {
    const { active, changed, key, snapshot } = follow();
    const show = (text: string, languageId = 'json') => {
      editor.window.activeTextEditor = { document: { languageId, getText: () => text } };
      active.fire();
    };
    const log = '{ "relay_context": {} }';
    show('{ "name": "relay_context" }');
    expect(key('hasRelay')).toBe(false);
    show(log);
    expect(key('hasRelay')).toBe(true);
    show(log, 'plaintext');
    expect(key('hasRelay')).toBe(false);
    Object.assign(snapshot, { relay: { path: 'relay.json' } });
    changed.fire();
    expect(key('hasRelay')).toBe(true);
    editor.window.activeTextEditor = undefined;
  });

  it('is a relay log whose editor was active before it had its text or its language', async () => {
    const { active, key, open, type } = follow();
    const document = { languageId: 'plaintext', getText: () => '' };
    editor.window.activeTextEditor = { document };
    active.fire();
    const expectSoon = (has: boolean) => vi.waitFor(() => expect(key('hasRelay')).toBe(has));
    Object.assign(document, { languageId: 'json' });
    open(document);
    Object.assign(document, { getText: () => '{ "relay_context": {} }' });
    type({ document });
    await expectSoon(true);
    Object.assign(document, { languageId: 'plaintext' });
    type({ document: {} });
    open(document);
    await expectSoon(false);
    editor.window.activeTextEditor = undefined;
  });

  it('is a task, or what changed in place of one, whichever view is visible', () => {
    const { changed, key, snapshot } = follow();
    for (const [task, changes, has] of [
      [' ', undefined, false],
      ['fix it', undefined, true],
      ['', { base: undefined, files: 0 }, true],
      ['', undefined, false],
    ] as const) {
      Object.assign(snapshot, { task, changes });
      changed.fire();
      expect(key('hasTask')).toBe(has);
    }
  });

  it('is how far the index is, whichever view is visible', () => {
    const { changed, indexed, key, snapshot } = follow();
    expect(key('indexState')).toBe('running');
    for (const [tell, phase, state] of [
      [indexed, 'stopped', 'stopped'],
      [indexed, 'parsing', 'running'],
      [changed, 'ready', 'ready'],
    ] as const) {
      Object.assign(snapshot, { index: { phase } });
      tell.fire();
      expect(key('indexState')).toBe(state);
    }
  });

  it('is an AGENTS.md that is there', () => {
    const { changed, key, snapshot } = follow();
    for (const [path, has] of [
      ['docs/AGENTS.md', false],
      ['AGENTS.md', true],
    ] as const) {
      Object.assign(snapshot, { agents: [{ files: [] }, { files: [{ path }] }] });
      changed.fire();
      expect(key('hasAgentsFile')).toBe(has);
    }
  });

  it('is hooks that the editor itself has written, whatever watchers see', async () => {
    const { changed, hooks, key, wrote } = follow();
    changed.fire();
    await vi.waitFor(() => expect(key('hasHooks')).toBe(false));
    hooks.mockResolvedValue(true);
    wrote.fire('AGENTS.md');
    expect(hooks).toHaveBeenCalledOnce();
    wrote.fire(HOOK_TARGETS[0]?.path);
    await vi.waitFor(() => expect(key('hasHooks')).toBe(true));
  });

  it('is hooks, looked for once a folder is counted and when settings of agents change', async () => {
    const { changed, hooks, key, settings, snapshot } = follow();
    snapshot.state = 'loading';
    changed.fire();
    expect(hooks).not.toHaveBeenCalled();
    snapshot.state = 'ready';
    changed.fire();
    changed.fire();
    await vi.waitFor(() => expect(key('hasHooks')).toBe(false));
    expect(hooks).toHaveBeenCalledOnce();
    hooks.mockResolvedValue(true);
    settings.fire();
    await vi.waitFor(() => expect(key('hasHooks')).toBe(true));
  });

  it('is hooks that are written during a count, whichever look ends first', async () => {
    const { changed, hooks, key, settings, snapshot } = follow();
    changed.fire();
    await vi.waitFor(() => expect(key('hasHooks')).toBe(false));
    snapshot.state = 'loading';
    settings.fire();
    let endFirst: (has: boolean) => void = () => undefined;
    hooks.mockReturnValueOnce(new Promise((resolve) => (endFirst = resolve))).mockResolvedValue(true);
    snapshot.state = 'ready';
    changed.fire();
    settings.fire();
    await vi.waitFor(() => expect(key('hasHooks')).toBe(true));
    endFirst(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(key('hasHooks')).toBe(true);
  });
});

describe('the finding that asks for the user’s agents', () => {
  it('lets them be chosen', async () => {
    const { services } = servicesWith();
    const config = { change: vi.fn() };
    const action = { label: asGiven('Choose Agents…'), change: undefined };
    await sectionActions(services, config as never, copyActions(services)).applyFinding({ action } as Finding);
    expect(editor.commands.executeCommand.mock.calls).toEqual([['contextBudget.chooseAgents']]);
    expect(config.change).not.toHaveBeenCalled();
  });
});

describe('the walkthrough’s first step', () => {
  it('is done when the panel has shown what a folder costs, not when it was opened', () => {
    const nothing = () => ({ dispose: () => undefined });
    const counted = { state: 'ready', profiles: [], task: '', hasInstructions: true, agentsInUse: [] };
    const { services } = servicesWith(['a'], counted);
    const { active } = services.registry;
    const registry = { active: undefined as unknown, activeFolder: undefined, onDidChange: nothing, want: nothing };
    const clipboard = { onDidCopy: nothing, maskedIn: nothing };
    const all = { registry, clipboard, lastReply: { onDidChange: nothing, citedIn: () => [] } };
    const preferences = { ...services.preferences, onDidChange: nothing };
    const config = { onDidChangeUndo: nothing, undoLine: () => undefined } as never;
    const servers = { onDidChange: nothing, failed: [] } as never;
    const own = { ...services, ...all, preferences } as never;
    const panel = new BudgetPanel(own, async () => undefined, String, config, servers);
    let say: (message: unknown) => void = () => undefined;
    const webview = {
      cspSource: 'self',
      asWebviewUri: String,
      postMessage: vi.fn(),
      onDidReceiveMessage: (listener: typeof say) => {
        say = listener;
      },
    };
    const view = { visible: true, webview, onDidChangeVisibility: nothing, onDidDispose: nothing };
    panel.resolveWebviewView(view as never);
    const isDone = () =>
      editor.commands.executeCommand.mock.calls.some(([, key]) => key === 'contextBudget.hasShownBudget');
    say({ type: 'ready' });
    expect(webview.postMessage).toHaveBeenCalledOnce();
    expect(isDone()).toBe(false);
    registry.active = active;
    say({ type: 'ready' });
    expect(isDone()).toBe(true);
  });
});

describe('hooks of a folder', () => {
  const HOOKS = '.claude/settings.local.json';
  const [folder] = editor.workspace.workspaceFolders;
  const target = HOOK_TARGETS.find(({ path }) => path === HOOKS) as HookTarget;
  const installed = installHooks(undefined, target, { kind: 'package' });

  it.each([
    ['are found', { type: 1, size: 500 }, installed, true],
    ['are not in settings of others', { type: 1, size: 500 }, '{ "hooks": {} }', false],
    ['are not looked for in what is no JSON', { type: 1, size: 500 }, 'context-budget {', false],
    ['are not looked for behind a link', { type: 65, size: 500 }, installed, false],
    ['are not waited for at a pipe', { type: 0, size: 0 }, installed, false],
    ['are not looked for in a large file', { type: 1, size: 2_000_000 }, installed, false],
  ])('%s', async (_, stat, text, expected) => {
    const isIt = ({ path }: { readonly path: string }) => path.endsWith(HOOKS);
    const only = async <T>(uri: { readonly path: string }, value: T): Promise<T> => {
      if (!isIt(uri)) throw new editor.FileSystemError('FileNotFound');
      return value;
    };
    editor.workspace.fs.stat.mockImplementation((uri) => only(uri, stat));
    editor.workspace.fs.readFile.mockImplementation((uri) => only(uri, new TextEncoder().encode(text)));
    expect(await hasHooks(new FolderFiles(undefined), folder as never)).toBe(expected);
  });
});

describe('notices of cuts', () => {
  it('are information for minor ones, whatever the setting says of the others', () => {
    const set = vi.fn();
    editor.languages.createDiagnosticCollection.mockReturnValue({ set, delete: vi.fn(), dispose: vi.fn() });
    const notice = { kind: 'agentCut', path: 'AGENTS.md', columns: undefined, message: asGiven('cut') };
    const notices = [
      { ...notice, line: 3 },
      { ...notice, line: 9, isMinor: true },
    ];
    const { event, fire } = new editor.EventEmitter();
    const [folder] = editor.workspace.workspaceFolders;
    const registry = { all: [{ folder, workspace: { snapshot: { notices } } }], onDidChange: event };
    const levels = (level: string) => {
      set.mockClear();
      const settings = vi.spyOn(editor.workspace, 'getConfiguration').mockReturnValue({ get: () => level as never });
      new FileNotices(registry as never);
      fire();
      settings.mockRestore();
      return set.mock.calls.at(-1)?.[1].map(({ severity }: { readonly severity: number }) => severity);
    };
    const { Warning, Information } = editor.DiagnosticSeverity;
    expect(levels('warning')).toEqual([Warning, Information]);
    expect(levels('information')).toEqual([Information, Information]);
    expect(levels('off')).toEqual([]);
  });
});

describe('a filter', () => {
  /** A tree that is visible or not, and its filter's command. */
  function filtered(which: 'filterRepoMap' | 'searchObservations', visible: boolean) {
    const { services } = servicesWith();
    const { event } = new editor.EventEmitter();
    editor.window.createTreeView.mockReturnValue({ visible, onDidChangeVisibility: event, dispose: () => undefined });
    const on = { onDidChange: event, onDidChangeIndex: event, want: () => undefined };
    const registry = { active: undefined, activeFolder: undefined, ...on } as never;
    if (which === 'filterRepoMap') {
      const tree = new RepoMapTree(registry, services.log);
      return { tree, filter: repoMapCommands(services, tree)[`contextBudget.${which}`] as CommandHandler };
    }
    const tree = new ObservationTree(registry, services.preferences, services.log);
    return { tree, filter: observationActions(services, tree).commands[`contextBudget.${which}`] as CommandHandler };
  }

  it.each([
    ['filterRepoMap', 'contextBudget.repoMap.focus'],
    ['searchObservations', 'contextBudget.observations.focus'],
  ] as const)('of %s is seen: its view is opened before it is asked for', async (which, command) => {
    const shown = () => editor.commands.executeCommand.mock.calls.filter(([id]) => id === command);
    const { tree, filter } = filtered(which, false);
    await filter('discount');
    expect(tree.filter).toBe('discount');
    expect(shown()).toEqual([[command, { preserveFocus: true }]]);
    await filtered(which, true).filter('discount');
    expect(shown()).toHaveLength(1);
    editor.window.createInputBox.mockImplementationOnce(() => {
      expect(shown()).toHaveLength(2);
      const leave = { onDidHide: (hidden: () => void) => hidden() };
      return { ...leave, onDidChangeValue: vi.fn(), onDidAccept: vi.fn(), show: vi.fn(), dispose: vi.fn() };
    });
    await expect(filtered(which, false).filter(undefined)).rejects.toBeInstanceOf(editor.CancellationError);
    expect(editor.window.createInputBox).toHaveBeenCalledOnce();
  });
});

describe('above the repo map', () => {
  it('stands how much of it the payload has room for, where that is less', () => {
    const map = { view: { filesShown: 41, filesTotal: 60, symbolsTotal: 300 }, tokens: 1497, budgetTokens: 1500 };
    const message = (tokens: number) => {
      const payload = payloadOf([sectionOf({ id: 'repo-map', tokens })]);
      const snapshot = {
        task: 'fix it',
        index: { phase: 'ready', done: 60, total: 60 },
        report: { payloads: { expanded: payload } },
      };
      return mapMessage(snapshot as never, map as never, '', false);
    };
    expect(message(718)).toBe(
      '41 of 60 files, 1,497 of 1,500 tokens. Only 718 of these tokens fit into the payload: all sections share its limit.',
    );
    expect(message(1497)).toBe('41 of 60 files, 1,497 of 1,500 tokens.');
    Object.assign(map, { match: { isMatch: false, known: [], unknown: ['zzzzqqq'], nearest: {} } });
    expect(message(1497)).toBe(
      '41 of 60 files, 1,497 of 1,500 tokens. Nothing here matches the task, so the map is an overview of the folder.',
    );
  });
});
