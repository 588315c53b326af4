import * as vscode from 'vscode';
import { CONFIG_PATH } from '../core/config/config';
import { starterConfig } from '../core/config/starterConfig';
import type { Problem } from '../core/model/problem';
import type { Profile } from '../core/model/profile';
import { formatCount } from '../core/text/numbers';
import { chosen, manageTrust } from './base/editorError';
import { openAtLine, unlessMissing } from './base/folders';
import { COMMANDS, type CommandHandlers, type PanelCommandHandlers } from './base/ids';
import { say } from './base/language';
import type { EditorServices } from './copy/editorServices';
import { requireReport } from './workspace/workspaceRegistry';

export const INSTRUCTIONS_PATH = 'AGENTS.md';

/** What can be done with the folder as a whole. */
export function workspaceActions({ context, preferences, registry }: EditorServices) {
  const commands = {
    /** Lets the user choose among the config's profiles. */
    [COMMANDS.switchProfile]: async () => {
      const { workspace } = await registry.require();
      const { profile: current, profiles } = workspace.snapshot;
      const items = profiles.map((profile) => profileItem(profile, current));
      const title = vscode.l10n.t('Switch Profile');
      const placeHolder = vscode.l10n.t('Select a budget profile');
      const { label } = chosen(await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDetail: true }));
      await setProfile(label);
    },
    [COMMANDS.refresh]: async () => (await registry.require()).workspace.refresh(),
    /** Opens the config, at the line of its first error; where there is none, an unsaved draft with what is in force now. */
    [COMMANDS.openConfig]: async () => {
      const active = await registry.require();
      const line = errorLine(active.workspace.snapshot.problems);
      if (line !== undefined) return openAtLine(active.folder, CONFIG_PATH, line);
      await openOrDraft(vscode.Uri.joinPath(active.folder.uri, CONFIG_PATH), async () => {
        const report = requireReport(await active.whenReady());
        return starterConfig(active.workspace.definitions(report), say);
      });
    },
    /** Opens AGENTS.md, or an unsaved draft of it. */
    [COMMANDS.createInstructions]: async () => {
      const { folder } = await registry.require();
      await openOrDraft(vscode.Uri.joinPath(folder.uri, INSTRUCTIONS_PATH), () =>
        Promise.resolve(instructionsDraft(folder.name)),
      );
    },
    [COMMANDS.stopIndexing]: async () => (await registry.require()).workspace.stopIndexing(),
    [COMMANDS.resumeIndexing]: async () => (await registry.require()).workspace.resumeIndexing(),
  } satisfies CommandHandlers;

  const panelCommands = {
    openFolder: async () => {
      await vscode.commands.executeCommand('vscode.openFolder');
    },
    manageTrust,
    howItWorks: async () => {
      await vscode.commands.executeCommand('markdown.showPreview', await findReadme(context.extensionUri));
    },
  } satisfies PanelCommandHandlers;

  async function setProfile(profile: string): Promise<void> {
    const { folder, workspace } = await registry.require();
    await preferences.setProfile(folder, profile);
    workspace.update(preferences.of(folder));
  }

  return { commands, panelCommands, setProfile };
}

/** Packaging writes the name of README.md in small letters, and file systems may tell the two apart. */
async function findReadme(root: vscode.Uri): Promise<vscode.Uri> {
  const packaged = vscode.Uri.joinPath(root, 'readme.md');
  // Read, not looked up: a web host says of every file of an extension that it is there.
  const isThere = (await unlessMissing(() => vscode.workspace.fs.readFile(packaged))) !== undefined;
  return isThere ? packaged : vscode.Uri.joinPath(root, 'README.md');
}

/** The line of the first error in the config, if one has a line. */
function errorLine(problems: readonly Problem[]): number | undefined {
  return problems.find(({ kind, severity, path, line }) => {
    return kind === 'config' && severity === 'error' && path === CONFIG_PATH && line !== undefined;
  })?.line;
}

/** A profile with its caps, and what it is for. */
function profileItem(
  { name, description, budgetTokens, hardCapChars }: Profile,
  current: string,
): vscode.QuickPickItem {
  const caps = vscode.l10n.t('{0} tokens, {1} characters', formatCount(budgetTokens), formatCount(hardCapChars));
  return {
    label: name,
    description: name === current ? vscode.l10n.t('current · {0}', caps) : caps,
    ...(description === undefined ? {} : { detail: say(description) }),
  };
}

async function openOrDraft(uri: vscode.Uri, draft: () => Promise<string>): Promise<void> {
  if (await unlessMissing(() => vscode.workspace.fs.stat(uri))) {
    await vscode.window.showTextDocument(uri);
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
  const editor = await vscode.window.showTextDocument(document);
  if (document.getText() !== '') return;
  const text = await draft();
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
}

function instructionsDraft(folderName: string): string {
  return [
    `# ${folderName}`,
    '',
    vscode.l10n.t('What an agent must know before it touches this project, in as few words as possible.'),
    '',
    `## ${vscode.l10n.t('Commands')}`,
    '',
    `- ${vscode.l10n.t('Build:')} `,
    `- ${vscode.l10n.t('Test:')} `,
    '',
    `## ${vscode.l10n.t('Rules')}`,
    '',
    '- ',
    '',
  ].join('\n');
}
