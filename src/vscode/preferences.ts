import * as vscode from 'vscode';
import type { ObservationGrouping } from '../core/observations/browse';
import type { TokenizerName } from '../core/ports';
import type { PayloadMode } from '../core/report/contextReport';
import type { SessionPreferences } from '../core/session/session';
import { SETTINGS, SETTINGS_SECTION } from './ids';

/** What somebody chose in one folder; kept in the workspace's state, never in its files. */
interface FolderChoices {
  readonly profile: string | undefined;
  readonly pinned: readonly string[];
  readonly excluded: readonly string[];
  /** What the work is about; absent when nobody said. */
  readonly task?: string | undefined;
}

const NO_CHOICES: FolderChoices = { profile: undefined, pinned: [], excluded: [] };
const MODE_KEY = 'payloadMode';
const GROUPING_KEY = 'observationGrouping';

/** Choices and settings, turned into a session's preferences. */
export class PreferenceStore implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #modeEmitter = new vscode.EventEmitter<PayloadMode>();
  /** Fires after the panel's payload kind was switched. */
  readonly onDidChangeMode = this.#modeEmitter.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Which of the two payloads panel, status bar and *Copy Payload* speak about. */
  get mode(): PayloadMode {
    return this.#state.get<string>(MODE_KEY) === 'index' ? 'index' : 'expanded';
  }

  async setMode(mode: PayloadMode): Promise<void> {
    if (mode === this.mode) return;
    await this.#state.update(MODE_KEY, mode);
    this.#modeEmitter.fire(mode);
  }

  /** How the Observations view puts rows together. */
  get observationGrouping(): ObservationGrouping {
    return this.#state.get<string>(GROUPING_KEY) === 'task' ? 'task' : 'day';
  }

  async setObservationGrouping(grouping: ObservationGrouping): Promise<void> {
    await this.#state.update(GROUPING_KEY, grouping);
  }

  of(folder: vscode.WorkspaceFolder): SessionPreferences {
    const choices = this.#choices(folder);
    // Named even when absent: an update must be able to take the task away.
    const { task } = choices;
    return { ...choices, task, isTrusted: vscode.workspace.isTrusted, tokenizer: readTokenizer() };
  }

  async setProfile(folder: vscode.WorkspaceFolder, profile: string): Promise<void> {
    await this.#save(folder, { ...this.#choices(folder), profile });
  }

  /** Keeps the folder's task; `undefined` forgets it. */
  async setTask(folder: vscode.WorkspaceFolder, task: string | undefined): Promise<void> {
    await this.#save(folder, { ...this.#choices(folder), task });
  }

  /** Adds `sectionId` to one of the lists, or takes it out. */
  async setListed(
    folder: vscode.WorkspaceFolder,
    list: 'pinned' | 'excluded',
    sectionId: string,
    isListed: boolean,
  ): Promise<void> {
    const choices = this.#choices(folder);
    const others = choices[list].filter((id) => id !== sectionId);
    await this.#save(folder, { ...choices, [list]: isListed ? [...others, sectionId] : others });
  }

  dispose(): void {
    this.#modeEmitter.dispose();
  }

  #choices(folder: vscode.WorkspaceFolder): FolderChoices {
    return this.#state.get<FolderChoices>(keyOf(folder)) ?? NO_CHOICES;
  }

  async #save(folder: vscode.WorkspaceFolder, choices: FolderChoices): Promise<void> {
    await this.#state.update(keyOf(folder), choices);
  }
}

function keyOf(folder: vscode.WorkspaceFolder): string {
  return `folder:${folder.uri.toString()}`;
}

function readTokenizer(): TokenizerName {
  const name = vscode.workspace.getConfiguration(SETTINGS_SECTION).get<string>(SETTINGS.tokenizer);
  return name === 'cl100k_base' ? 'cl100k_base' : 'o200k_base';
}

/** False when somebody hid the status bar item. */
export function isStatusBarWanted(): boolean {
  return vscode.workspace.getConfiguration(SETTINGS_SECTION).get<boolean>(SETTINGS.statusBarVisible, true);
}
