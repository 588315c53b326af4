import * as vscode from 'vscode';
import { AGENT_TRACES, agentsWithTraces } from '../../core/agents/agentsInUse';
import { agentName, OFFERED_AGENTS } from '../../core/agents/agentTable';
import { AGENT_IDS } from '../../core/model/agent';
import { DisposableStore } from '../base/disposables';
import { mayWrite } from '../base/editorError';
import { COMMANDS, type CommandHandlers, SETTINGS } from '../base/ids';
import { listed } from '../base/language';
import { chosenAgents, writeSetting } from '../base/preferences';
import type { EditorServices } from '../copy/editorServices';

/** Places below the home folder that some agent makes for itself. */
const HOMES = AGENT_IDS.flatMap((id) => AGENT_TRACES[id]?.homes ?? []);

/** *My Agents*: looks for agents on this machine, and lets the user choose. */
export class MyAgents extends DisposableStore {
  #homes: ReadonlySet<string> = new Set();
  readonly commands = { [COMMANDS.chooseAgents]: () => this.#choose() } satisfies CommandHandlers;

  /** @param home the user's home folder; undefined in a browser */
  constructor(
    private readonly editor: Pick<EditorServices, 'preferences' | 'registry' | 'statusBar'>,
    private readonly home: string | undefined,
  ) {
    super();
    this.#apply();
    this.add(vscode.extensions.onDidChange(() => this.#apply()));
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.look()));
  }

  /** Looks into the home folder, where the window is trusted. Never rejects. */
  async look(): Promise<void> {
    if (this.home === undefined || !mayWrite()) return;
    const root = vscode.Uri.file(this.home);
    const found = await Promise.all(HOMES.map(async (path) => ((await isThere(root, path)) ? [path] : [])));
    this.#homes = new Set(found.flat());
    this.#apply();
  }

  #apply(): void {
    const { preferences, registry } = this.editor;
    const found = [
      ...agentsWithTraces('extensions', (id) => vscode.extensions.getExtension(id) !== undefined),
      ...agentsWithTraces('homes', (path) => this.#homes.has(path)),
    ];
    const installed = AGENT_IDS.filter((id) => found.includes(id));
    if (installed.join() === preferences.installedAgents.join()) return;
    preferences.installedAgents = installed;
    registry.updatePreferences();
  }

  async #choose(): Promise<void> {
    const { preferences, registry, statusBar } = this.editor;
    const { folder, whenReady } = await registry.require();
    const { agentsInUse, config } = await whenReady();
    const chosen = chosenAgents(folder);
    const ticked = chosen.length > 0 ? chosen : agentsInUse;
    const items = OFFERED_AGENTS.map(({ agent, name }) => ({
      agent,
      label: name,
      description: preferences.installedAgents.includes(agent) ? vscode.l10n.t('found on this machine') : '',
      picked: ticked.includes(agent),
    }));
    const placeHolder =
      config.agents.length > 0
        ? vscode.l10n.t('In this folder the config decides: {0}', listed(config.agents.map(agentName)))
        : vscode.l10n.t('Agents you use; if none is selected, they are detected');
    const title = vscode.l10n.t('Choose Agents');
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
    if (!picked) return;
    const now = AGENT_IDS.filter((id) => picked.some(({ agent }) => agent === id));
    const isSame = now.join() === AGENT_IDS.filter((id) => ticked.includes(id)).join();
    if (!isSame) await writeSetting(SETTINGS.agents, now.length > 0 ? now : undefined, folder);
    const names = now.length > 0 ? listed(now.map(agentName)) : vscode.l10n.t('detected');
    statusBar.done(vscode.l10n.t('My agents: {0}', names));
  }
}

async function isThere(root: vscode.Uri, path: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(root, path));
    return true;
  } catch {
    // Not there or out of reach: that agent was not found.
    return false;
  }
}
