import * as vscode from 'vscode';
import { MCP_CLIENTS, type McpClient, McpConfigError, mcpClient } from '../../core/setup/mcpConfig/mcpClient';
import { mcpConfigText } from '../../core/setup/mcpConfig/mcpConfigText';
import { SKILL_FILE, SKILL_TARGETS } from '../../core/setup/skillTarget';
import { EditorError, requireTrust } from '../base/editorError';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { launcherFile, readOwnText, writeLauncher } from '../base/launcherFile';
import type { EditorServices } from '../copy/editorServices';
import { type HookPreview, makeChange, readSettings } from './hookFiles';

/** Lets other agents know of the server, and teaches them how to use it. */
export function agentCommands({ context, registry, statusBar }: EditorServices, preview: HookPreview) {
  function configText(client: McpClient, root: string): string {
    try {
      return mcpConfigText(client, { script: launcherFile(context).fsPath, root });
    } catch (error) {
      if (!McpConfigError.is(error)) throw error;
      throw new EditorError(
        'badPath',
        vscode.l10n.t('A path has characters that no shell takes safely. Choose a form that is a file.'),
      );
    }
  }

  return {
    /** Copies what an agent's list of MCP servers needs; asks whose, or takes the name from a keybinding. */
    [COMMANDS.copyMcpConfig]: async (given) => {
      const { folder } = await registry.require();
      if (folder.uri.scheme !== 'file' || context.extensionUri.scheme !== 'file') {
        throw new EditorError(
          'noServer',
          vscode.l10n.t('Agents start the server in folders on a disk; this one is on none.'),
        );
      }
      const client = mcpClient(given) ?? (await pickClient());
      if (!client) return;
      const text = configText(client, folder.uri.fsPath);
      await writeLauncher(context);
      await vscode.env.clipboard.writeText(text);
      statusBar.done(vscode.l10n.t('Copied the server for {0}: {1}', client.name, client.place));
    },
    /** Copies the skill, for agents that keep such texts elsewhere. */
    [COMMANDS.copySkill]: async () => {
      await vscode.env.clipboard.writeText(await readOwnText(context.extensionUri, SKILL_FILE));
      statusBar.done(vscode.l10n.t('Copied the agent skill'));
    },
    /** Puts the skill where agents look for skills, after showing the file; asks where, or takes the path. */
    [COMMANDS.installSkill]: async (given) => {
      const { folder } = await registry.require();
      requireTrust();
      const path = SKILL_TARGETS.find((target) => target.path === given)?.path ?? (await pickSkillPath());
      if (path === undefined) return;
      const uri = vscode.Uri.joinPath(folder.uri, path);
      const before = await readSettings(uri, path);
      const change = { uri, path, before, after: await readOwnText(context.extensionUri, SKILL_FILE) };
      if (change.before === change.after) return statusBar.done(vscode.l10n.t('The skill is installed already'));
      const detail = vscode.l10n.t('The editor behind this shows the whole file.');
      if (!(await preview.isAgreed(change, vscode.l10n.t('Install'), detail))) return;
      await makeChange(change);
      statusBar.done(vscode.l10n.t('Skill installed: {0}', path));
    },
  } satisfies CommandHandlers;
}

async function pickClient(): Promise<McpClient | undefined> {
  const items = MCP_CLIENTS.map((client) => {
    const { id, name, place, isPerUser } = client;
    const label = id === 'generic' ? vscode.l10n.t('Any other client') : name;
    const detail = isPerUser
      ? { detail: vscode.l10n.t('One list for all folders: the server is named after this one.') }
      : {};
    return { client, label, description: place, ...detail };
  });
  const title = vscode.l10n.t('Copy MCP Configuration');
  const placeHolder = vscode.l10n.t(
    'Who will start the server; the text names paths of this machine and needs Node 20',
  );
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.client;
}

async function pickSkillPath(): Promise<string | undefined> {
  const items = SKILL_TARGETS.map(({ path, agents }) => ({ path, label: path, description: agents }));
  const title = vscode.l10n.t('Install Agent Skill');
  const placeHolder = vscode.l10n.t('Where agents look for skills; the file is shown before it is written');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.path;
}
