import * as vscode from 'vscode';
import { HOOK_FILES } from '../core/setup/hooks/hookTarget';
import { panelActionOf } from '../protocol/panel';
import type { PanelCommand } from '../protocol/panelAction';
import { ContextKeys } from './base/contextKeys';
import {
  COMMAND_IDS,
  COMMANDS,
  type CommandHandler,
  type CommandId,
  LISTED_AS,
  type PanelCommandHandlers,
  SETTINGS_SECTION,
  type UNLISTED_COMMANDS,
} from './base/ids';
import type { PreferenceStore } from './base/preferences';
import type { ProblemReporter } from './base/problems';
import type { EditorServices } from './copy/editorServices';
import type { PanelMessageHandler } from './panel/budgetPanel';
import type { ConfigActions } from './panel/configWriter';
import type { panelViewActions } from './panel/panelViewActions';
import type { sectionActions } from './panel/sectionActions';
import type { taskActions } from './panel/taskActions';
import type { windowActions } from './panel/windowActions';
import { isRelayLog, type relayActions } from './relay/relayActions';
import { INSTRUCTIONS_PATH, type workspaceActions } from './workspaceActions';

/** How long after a key press the text of an editor is looked at, so that typing does not wait for it. */
const TYPING_MS = 300;

/** The features that messages of the panel are for. */
interface PanelFeatures {
  readonly config: ConfigActions;
  readonly section: ReturnType<typeof sectionActions>;
  readonly task: ReturnType<typeof taskActions>;
  readonly view: ReturnType<typeof panelViewActions>;
  readonly window: ReturnType<typeof windowActions>;
  readonly workspace: ReturnType<typeof workspaceActions>;
  readonly relay: ReturnType<typeof relayActions>;
}

/** Registers every command of `ids.ts`; failures are told under the command's title. */
export function registerCommands(
  handlers: Readonly<Record<CommandId, CommandHandler>>,
  problems: ProblemReporter,
  titleOf: (command: CommandId) => string,
): vscode.Disposable {
  const registered = COMMAND_IDS.map((command) =>
    vscode.commands.registerCommand(command, (argument: unknown) =>
      problems.runAsked(titleOf(listedCommand(command)), command, () => handlers[command](argument)),
    ),
  );
  return vscode.Disposable.from(...registered);
}

/** The command itself, or for one that the manifest does not have the one that it is told as. */
function listedCommand(command: CommandId): CommandId {
  const listed: Readonly<Partial<Record<CommandId, CommandId>>> = LISTED_AS;
  return listed[command] ?? command;
}

/**
 * Tells VS Code what commands and the walkthrough can be about, whichever view is visible: masked keys, a relay log, hooks,
 * no `AGENTS.md`, a task, an index that is being made.
 */
export function followWhatIsThere(
  { clipboard, files, registry }: Pick<EditorServices, 'clipboard' | 'files' | 'registry'>,
  hooksIn: (folder: vscode.WorkspaceFolder) => Promise<boolean>,
): vscode.Disposable {
  const keys = new ContextKeys();
  const editor = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const isOpen = document !== undefined && isRelayLog(document);
    keys.set('hasRelay', isOpen || registry.active?.workspace.snapshot.relay !== undefined);
  };
  let looked: vscode.WorkspaceFolder | undefined;
  let looks = 0;
  const hooks = (): void => {
    const { active } = registry;
    looked = undefined;
    // Only after the first report, so that nothing is read before a view shows it. Changes during a count are counted after it.
    if (active?.workspace.snapshot.state !== 'ready') return;
    looked = active.folder;
    const look = ++looks;
    // Of two looks the later one tells, whichever ends first.
    void hooksIn(active.folder).then((has) => look === looks && keys.set('hasHooks', has));
  };
  const index = (): void => {
    const phase = registry.active?.workspace.snapshot.index.phase ?? 'ready';
    keys.set('indexState', phase === 'ready' || phase === 'stopped' ? phase : 'running');
  };
  const folder = (): void => {
    editor();
    index();
    const { task = '', changes } = registry.active?.workspace.snapshot ?? {};
    keys.set('hasTask', task.trim() !== '' || changes !== undefined);
    const files = registry.active?.workspace.snapshot.agents?.flatMap((agent) => agent.files) ?? [];
    keys.set(
      'hasAgentsFile',
      files.some(({ path }) => path === INSTRUCTIONS_PATH),
    );
    if (registry.active?.folder !== looked) hooks();
  };
  index();
  const settings = vscode.workspace.createFileSystemWatcher(`**/{${HOOK_FILES.map(({ path }) => path).join(',')}}`);
  const masked = (): void => {
    keys.set('hasHeldBack', clipboard.hasHeldBack);
    keys.set('hasMasked', clipboard.hasMasked);
  };
  // A file may get its text or its language only after its editor is active.
  let typed: ReturnType<typeof setTimeout> | undefined;
  const text = (document: vscode.TextDocument): void => {
    if (document !== vscode.window.activeTextEditor?.document) return;
    clearTimeout(typed);
    typed = setTimeout(editor, TYPING_MS);
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(editor),
    vscode.workspace.onDidOpenTextDocument(text),
    vscode.workspace.onDidChangeTextDocument(({ document }) => text(document)),
    new vscode.Disposable(() => clearTimeout(typed)),
    registry.onDidChange(folder),
    registry.onDidChangeIndex(index),
    ...[settings, settings.onDidCreate(hooks), settings.onDidChange(hooks), settings.onDidDelete(hooks)],
    files.onDidWrite((path) => HOOK_FILES.some((target) => target.path === path) && hooks()),
    clipboard.onDidCopy(masked),
  );
}

/** Turns the panel's messages into the same actions that the commands run. */
export function panelMessageHandler(
  features: PanelFeatures,
  preferences: PreferenceStore,
  problems: ProblemReporter,
): PanelMessageHandler {
  const panel = vscode.l10n.t('Budget panel');
  const own: OwnCommands = {
    ...features.workspace.panelCommands,
    ...features.view.panelCommands,
    ...features.task.panelCommands,
    ...features.window.panelCommands,
    ...features.relay.panelCommands,
  };
  return async (message, { finding, window }) => {
    await problems.runAsked(panel, `panel ${panelActionOf(message)}`, async () => {
      switch (message.type) {
        case 'setMode':
          return preferences.setMode(message.mode);
        case 'setProfile':
          return features.workspace.setProfile(message.profile);
        case 'command': {
          const run = own[message.command];
          return run ? run() : vscode.commands.executeCommand(`${SETTINGS_SECTION}.${message.command}`);
        }
        case 'section':
          return features.section.rowActions[message.action](message.sectionId);
        case 'window':
          return window && features.window.rowActions[message.action](message.key, window);
        case 'openFile':
          return features.section.openAt(message.path, message.line);
        case 'setTask':
          return features.task.takeTyped(message.task);
        case 'copyFor':
          await features.task.takeTyped(message.task);
          return vscode.commands.executeCommand(COMMANDS.copyPayload);
        case 'setScoringMode':
          return features.view.setScoring({ mode: message.mode });
        case 'setThreshold':
          return features.view.setScoring({ threshold: message.threshold });
        case 'applyFinding':
          if (finding?.action?.row)
            return window && features.window.rowActions[finding.action.row.action](finding.action.row.key, window);
          return finding && features.section.applyFinding(finding);
        case 'undo':
          return features.config.undo();
      }
    });
  };
}

/** Commands of the panel that have no command of their own, or mean the folder's own log. */
type OwnCommands = PanelCommandHandlers &
  Readonly<Record<Exclude<PanelCommand, keyof typeof COMMANDS | keyof typeof UNLISTED_COMMANDS>, () => unknown>>;
