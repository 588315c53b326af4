import * as vscode from 'vscode';
import type { StatusThresholds } from '../../core/config/profile';
import { AGENT_IDS, type AgentId } from '../../core/model/agent';
import type { PayloadMode } from '../../core/model/section';
import type { ObservationGrouping } from '../../core/observations/browse';
import type { WorkspacePreferences } from '../../core/workspace/workspace';
import { SECTION_SORTS, type SectionSort } from '../../protocol/panel';
import { DisposableStore } from './disposables';
import { requireTrust } from './editorError';
import { SETTINGS, SETTINGS_SECTION } from './ids';
import { statusThresholds } from './statusThresholds';

/** The user's choices in one folder; kept in VS Code's workspace state, never in files. */
interface FolderChoices {
  readonly profile?: string | undefined;
  /** What the work is about. */
  readonly task?: string | undefined;
  /** In place of a task: what changed since the main branch. */
  readonly showsChanges?: boolean | undefined;
}

/** Whose window is shown before the first word. */
interface WindowChoice {
  readonly agent?: AgentId | undefined;
  /** Undefined: the agent's own. */
  readonly model?: string | undefined;
}

const MODE_KEY = 'payloadMode';
const SORT_KEY = 'sectionSort';
const GROUPING_KEY = 'observationGrouping';
const WINDOW_KEY = 'window';
const HOME_KEY = 'readsHome';

/** Choices and settings, turned into a workspace's preferences. */
export class PreferenceStore extends DisposableStore {
  readonly #changed = this.add(new vscode.EventEmitter<void>());
  /** Fires after something changed that is only shown otherwise: the payload kind, the rows' order. */
  readonly onDidChange = this.#changed.event;
  /** Agents found on this machine; `agents/myAgents.ts` looks for them. */
  installedAgents: readonly AgentId[] = [];

  /** @param machine what holds on this machine, whatever is open */
  constructor(
    private readonly state: vscode.Memento,
    private readonly machine: vscode.Memento,
  ) {
    super();
  }

  /** Which of the two payloads panel, status bar and *Copy Payload* speak about. */
  get mode(): PayloadMode {
    return this.state.get<string>(MODE_KEY) === 'index' ? 'index' : 'expanded';
  }

  async setMode(mode: PayloadMode): Promise<void> {
    if (mode === this.mode) return;
    await this.state.update(MODE_KEY, mode);
    this.#changed.fire();
  }

  /** How the panel orders its rows. */
  get sort(): SectionSort {
    const kept = this.state.get<string>(SORT_KEY);
    return SECTION_SORTS.find((sort) => sort === kept) ?? 'size';
  }

  async setSort(sort: SectionSort): Promise<void> {
    await this.state.update(SORT_KEY, sort);
    this.#changed.fire();
  }

  /** How the Observations view puts rows together. */
  get observationGrouping(): ObservationGrouping {
    return this.state.get<string>(GROUPING_KEY) === 'task' ? 'task' : 'day';
  }

  async setObservationGrouping(grouping: ObservationGrouping): Promise<void> {
    await this.state.update(GROUPING_KEY, grouping);
  }

  /** The agent whose window is shown, one of *My Agents*, and its model. */
  windowOf(agents: readonly AgentId[]): WindowChoice {
    const kept = this.state.get<WindowChoice>(WINDOW_KEY) ?? {};
    return kept.agent !== undefined && agents.includes(kept.agent) ? kept : { agent: agents[0] };
  }

  async setWindow(choice: WindowChoice): Promise<void> {
    await this.state.update(WINDOW_KEY, choice);
    this.#changed.fire();
  }

  /** Whether what agents load from the home folder may be read; asked for once on each machine. */
  get readsHome(): boolean {
    return this.machine.get<boolean>(HOME_KEY) === true;
  }

  async setReadsHome(readsHome: boolean): Promise<void> {
    await this.machine.update(HOME_KEY, readsHome);
    this.#changed.fire();
  }

  of(folder: vscode.WorkspaceFolder): WorkspacePreferences {
    // Named even when absent: an update must be able to take the task away.
    const { profile, task, showsChanges } = this.#choices(folder);
    const stalePaths = vscode.workspace.getConfiguration(SETTINGS_SECTION, folder).get(SETTINGS.stalePaths, 'off');
    const hasStalePaths = stalePaths !== 'off';
    const named = vscode.workspace.getConfiguration(SETTINGS_SECTION).get<string>(SETTINGS.tokenizer);
    const tokenizer = named === 'cl100k_base' ? 'cl100k_base' : 'o200k_base';
    const { installedAgents } = this;
    const agents = chosenAgents(folder);
    return {
      profile,
      task,
      showsChanges,
      isTrusted: vscode.workspace.isTrusted,
      tokenizer,
      hasStalePaths,
      agents,
      installedAgents,
    };
  }

  async setProfile(folder: vscode.WorkspaceFolder, profile: string): Promise<void> {
    await this.#save(folder, { profile });
  }

  /** Keeps the folder's task, in place of what changed; `undefined` forgets both. */
  async setTask(folder: vscode.WorkspaceFolder, task: string | undefined): Promise<void> {
    await this.#save(folder, { task, showsChanges: undefined });
  }

  /** Keeps what changed since the main branch in place of a task. */
  async setChanges(folder: vscode.WorkspaceFolder): Promise<void> {
    await this.#save(folder, { task: undefined, showsChanges: true });
  }

  #choices(folder: vscode.WorkspaceFolder): FolderChoices {
    return this.state.get<FolderChoices>(keyOf(folder)) ?? {};
  }

  async #save(folder: vscode.WorkspaceFolder, changed: FolderChoices): Promise<void> {
    await this.state.update(keyOf(folder), { ...this.#choices(folder), ...changed });
  }
}

function keyOf(folder: vscode.WorkspaceFolder): string {
  return `folder:${folder.uri.toString()}`;
}

/** *My Agents* as the user chose them; empty where they are detected. Unknown names in the setting count for nothing. */
export function chosenAgents(folder: vscode.WorkspaceFolder): readonly AgentId[] {
  const given: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION, folder).get(SETTINGS.agents);
  return Array.isArray(given) ? AGENT_IDS.filter((id) => given.includes(id)) : [];
}

/** Calls `run` after a change of one of the settings: names of `SETTINGS`, or what several begin with. */
export function onDidChangeSettings(names: readonly string[], run: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${SETTINGS_SECTION}.${name}`))) run();
  });
}

/**
 * Writes a setting where it has a value already, else for the user, so that what is written comes into force.
 * @throws EditorError `untrusted` for a file of the folder
 */
export async function writeSetting(name: string, value: unknown, folder?: vscode.WorkspaceFolder): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION, folder);
  const known = settings.inspect(name);
  let target = vscode.ConfigurationTarget.Global;
  if (known?.workspaceFolderValue !== undefined) target = vscode.ConfigurationTarget.WorkspaceFolder;
  else if (known?.workspaceValue !== undefined) target = vscode.ConfigurationTarget.Workspace;
  if (target !== vscode.ConfigurationTarget.Global) requireTrust();
  await settings.update(name, value, target);
}

/** A setting that is on or off, as it holds in `folder`. */
export function isSettingOn(name: string, fallback: boolean, folder?: vscode.WorkspaceFolder): boolean {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION, folder).get<boolean>(name, fallback);
}

/** False when the user hid the status bar item. */
export function isStatusBarWanted(): boolean {
  return isSettingOn(SETTINGS.statusBarVisible, true);
}

/** Where the status bar's item turns to a warning, and where to an alert. */
export function readStatusThresholds(): StatusThresholds {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return statusThresholds(settings.get(SETTINGS.statusBarWarnAt), settings.get(SETTINGS.statusBarAlertAt));
}
