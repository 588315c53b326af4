import * as vscode from 'vscode';
import { agentName } from '../../core/agents/agentTable';
import type { ConfigChange, SectionList } from '../../core/config/configEdit';
import type { Finding } from '../../core/pipeline/report/finding';
import { formatCount } from '../../core/text/numbers';
import { ROW_ACTION_NAMES, type RowAction, type RowCommand, rowCommand } from '../../protocol/panelAction';
import { EditorError } from '../base/editorError';
import { openAtLine } from '../base/folders';
import { COMMANDS, type CommandHandler, type CommandHandlers } from '../base/ids';
import type { CopyActions } from '../copy/copyActions';
import type { EditorServices } from '../copy/editorServices';
import { requireReport, requireSection } from '../workspace/workspaceRegistry';
import type { ConfigActions } from './configWriter';

/** Scheme of the read-only documents that show a section without a file of its own. */
export const SECTION_SCHEME = 'context-budget';

/** An action on a section of the active folder, unless another folder is given. */
type ForSection = (sectionId: string, folder?: vscode.WorkspaceFolder) => Promise<void>;

/** A command that needs a section: what was given without one is left alone. */
function withSection(act: ForSection): CommandHandler {
  return async (argument) => {
    const sectionId = sectionIdOf(argument);
    if (sectionId !== undefined) await act(sectionId);
  };
}

function rowCommands(actions: Readonly<Record<RowAction, ForSection>>) {
  const entries = ROW_ACTION_NAMES.map((action) => [rowCommand(action), withSection(actions[action])]);
  return Object.fromEntries(entries) as Readonly<Record<RowCommand, CommandHandler>>;
}

/** What can be done with one row of the panel. */
export function sectionActions({ preferences, registry }: EditorServices, config: ConfigActions, copy: CopyActions) {
  /** What each action of a row does, asked for by its button or by its command. */
  const rowActions: Readonly<Record<RowAction, ForSection>> = {
    pin: (id, folder) => setListed('pinned', id, true, folder),
    unpin: (id, folder) => setListed('pinned', id, false, folder),
    exclude: (id, folder) => setListed('excluded', id, true, folder),
    include: (id, folder) => setListed('excluded', id, false, folder),
    onDemand: (id, folder) => setListed('on_demand', id, true, folder),
    alwaysShow: (id, folder) => setListed('on_demand', id, false, folder),
    open,
    copy: copy.copySection,
  };

  const commands = {
    ...rowCommands(rowActions),
    [COMMANDS.copySectionHandle]: withSection((id) => copy.copyHandle(id)),
  } satisfies CommandHandlers;

  /** Puts a section on a list of the config, or takes it off, and says so. */
  async function setListed(
    list: SectionList,
    sectionId: string,
    isListed: boolean,
    folder?: vscode.WorkspaceFolder,
  ): Promise<void> {
    const { workspace } = await registry.require(folder);
    const { title } = requireSection(requireReport(workspace.snapshot), preferences.mode, sectionId);
    await config.change({ kind: 'list', list, sectionId, isListed }, sentence(list, title, isListed), folder);
  }

  /** Makes the change that the finding offers; one that asks for a choice opens it. */
  async function applyFinding({ action }: Finding): Promise<void> {
    if (!action) return;
    const { change } = action;
    if (!change) await vscode.commands.executeCommand(COMMANDS.chooseAgents);
    else if (change.kind === 'list') await setListed(change.list, change.sectionId, change.isListed);
    else await config.change(change, doneWords(change));
  }

  /** Opens the section's file; a section without one opens as a read-only document with its text. */
  async function open(sectionId: string, within?: vscode.WorkspaceFolder): Promise<void> {
    const { folder, workspace } = await registry.require(within);
    const { path } = requireSection(requireReport(workspace.snapshot), preferences.mode, sectionId);
    const uri = path
      ? vscode.Uri.joinPath(folder.uri, path)
      : vscode.Uri.from({ scheme: SECTION_SCHEME, path: `/${sectionId}`, query: folder.uri.toString() });
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Opens a file of the folder with the cursor on a 1-based line; the file's last one where it has fewer. */
  async function openAt(path: string, line: number): Promise<void> {
    await openAtLine((await registry.require()).folder, path, line);
  }

  async function provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const active = registry.all.find(({ folder }) => folder.uri.toString() === uri.query);
    if (!active) throw new EditorError('noFolder', vscode.l10n.t('The folder of this section is no longer open.'));
    const section = requireSection(requireReport(await active.whenReady()), 'expanded', uri.path.slice(1));
    if (section.disclosure === 'full') return section.text;
    const { items } = await active.workspace.detail([section.handle]);
    return items.length === 0 ? section.text : items.map((item) => item.text).join('\n');
  }

  return { commands, rowActions, applyFinding, openAt, provideTextDocumentContent };
}

/** What a change did that is not of one section alone. */
export function doneWords(change: Exclude<ConfigChange, { kind: 'list' }>): string {
  if (change.kind === 'all')
    return change.changes.length === 1
      ? vscode.l10n.t('1 section on demand')
      : vscode.l10n.t('{0} sections on demand', change.changes.length);
  if (change.kind === 'profile') {
    const { name, agent, budgetTokens = 0 } = change;
    return agent
      ? vscode.l10n.t('Profile {0} leaves out what {1} loads itself', name, agentName(agent))
      : vscode.l10n.t('Limit of profile {0}: {1} tokens', name, formatCount(budgetTokens));
  }
  if (change.mode === 'static') return vscode.l10n.t('Switched to Rules');
  if (change.mode === 'dynamic') return vscode.l10n.t('Switched to Automatic');
  return vscode.l10n.t('Threshold {0}', (change.threshold ?? 0).toFixed(2));
}

function sentence(list: SectionList, title: string, isListed: boolean): string {
  switch (list) {
    case 'pinned':
      return isListed ? vscode.l10n.t('{0} pinned', title) : vscode.l10n.t('{0} unpinned', title);
    case 'excluded':
      return isListed ? vscode.l10n.t('{0} excluded', title) : vscode.l10n.t('{0} included', title);
    case 'on_demand':
      return isListed ? vscode.l10n.t('{0} on demand', title) : vscode.l10n.t('{0} no longer on demand', title);
  }
}

/** The section's id in what a menu of the panel hands to a command (`data-vscode-context`), or in a plain argument. */
function sectionIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null || !('sectionId' in argument)) return undefined;
  return typeof argument.sectionId === 'string' ? argument.sectionId : undefined;
}
