import * as vscode from 'vscode';
import { OFFERED_AGENTS } from '../../core/agents/agentTable';
import { NEVER_ABORTED } from '../../core/ports/ports';
import { type Connection, connectionsById, connectionsOf, OTHER_AGENT_CONNECTIONS } from '../../core/setup/connections';
import { hookCommandLine } from '../../core/setup/hooks/hookCommandLine';
import { type HookTarget, hookAgentName, hookForm } from '../../core/setup/hooks/hookTarget';
import { installHooks } from '../../core/setup/hooks/installHooks';
import { type McpClient, McpConfigError, mcpArguments } from '../../core/setup/mcpConfig/mcpClient';
import { installServer, mcpConfigText } from '../../core/setup/mcpConfig/mcpConfigText';
import { SKILL_FILE } from '../../core/setup/skillTarget';
import { formatCount } from '../../core/text/numbers';
import { listTools } from '../../core/tools/toolCatalog';
import { EditorError, mayWrite, requireTrust } from '../base/editorError';
import { type ChangePreview, type FileChange, makeChange } from '../base/fileChange';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { listed } from '../base/language';
import { launcherFile, readOwnText, writeLauncher } from '../base/launcherFile';
import type { EditorServices } from '../copy/editorServices';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';
import { type AgentHost, type CheckResult, checkHook, checkServer, skillListing } from './connectionCheck';
import { type Costs, detailOf, failureWords, fileOf, kindWords, placeOf } from './connectionWords';
import { requireHookFolder } from './hookActions';

/** *Connect an Agent…*: what can be connected, what it costs, the exact change, and a check that it works. */
export function agentCommands(editor: EditorServices, preview: ChangePreview, host: AgentHost | undefined) {
  const { context, registry, statusBar, log, files } = editor;
  const launcher = launcherFile(context).fsPath;
  const ownSkill = (): Promise<string> => readOwnText(context.extensionUri, SKILL_FILE);

  function programOf({ scope }: HookTarget) {
    // Hooks of this machine go through a file that survives updates; shared ones must say nothing of this machine.
    return scope === 'shared' ? ({ kind: 'package' } as const) : ({ kind: 'file', path: launcher } as const);
  }

  function servedIn(folder: vscode.WorkspaceFolder) {
    if (folder.uri.scheme !== 'file' || context.extensionUri.scheme !== 'file') {
      throw new EditorError('noServer', vscode.l10n.t('MCP needs a folder on disk; this one is virtual.'));
    }
    return { script: launcher, root: folder.uri.fsPath };
  }

  /** The change of a file of the folder; undefined for what is copied. */
  async function changeOf(folder: vscode.WorkspaceFolder, connection: Connection): Promise<FileChange | undefined> {
    const path = fileOf(connection);
    if (path === undefined) return undefined;
    const before = await files.read(folder, path);
    switch (connection.kind) {
      case 'hooks':
        return { folder, path, before, after: installHooks(before, connection.target, programOf(connection.target)) };
      case 'mcp':
        return { folder, path, before, after: installServer(before, connection.client, servedIn(folder)) };
      case 'skill':
        return { folder, path, before, after: await ownSkill() };
    }
  }

  async function copyConnection(folder: vscode.WorkspaceFolder, connection: Connection): Promise<string> {
    if (connection.kind !== 'mcp') {
      await vscode.env.clipboard.writeText(await ownSkill());
      return vscode.l10n.t('Copied the agent skill');
    }
    const { client } = connection;
    const text = configText(client, servedIn(folder));
    await writeLauncher(context);
    await vscode.env.clipboard.writeText(text);
    return vscode.l10n.t('Copied the server for {0}: {1}', client.name, client.place);
  }

  /** Shows the change, asks, writes; false when the user did not agree. */
  async function writeConnection(change: FileChange, kind: Connection['kind']): Promise<boolean> {
    const isSame = change.before === change.after;
    const detail =
      change.before === undefined
        ? vscode.l10n.t('The editor behind this dialog shows the whole file.')
        : vscode.l10n.t('The editor behind this dialog shows the exact change. Nothing else in the file changes.');
    if (!isSame && !(await preview.isAgreed(change, vscode.l10n.t('Connect'), detail))) return false;
    // Also where it was connected before: the launcher may be gone.
    if (kind !== 'skill') await writeLauncher(context);
    if (!isSame) await makeChange(files, change);
    return true;
  }

  /** Undefined where nothing can be run: in Restricted Mode and in a browser. */
  async function check(
    folder: vscode.WorkspaceFolder,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<CheckResult | undefined> {
    if (connection.kind === 'skill' || !host || !mayWrite()) return undefined;
    const root = folder.uri.fsPath;
    const processes = host.openProcesses(root);
    try {
      if (connection.kind === 'hooks') {
        const { target } = connection;
        const line = hookCommandLine(programOf(target), 'SessionStart', target.agent);
        return await checkHook(processes, host.shellCall(line), { agent: target.agent, root }, signal);
      }
      const { version } = context.extension.packageJSON as { readonly version: string };
      return await checkServer(processes, ['node', ...mcpArguments(servedIn(folder))], version, signal);
    } finally {
      processes.dispose();
    }
  }

  /** Connects one thing; what was done in one line, undefined when the user did not agree. @throws EditorError */
  async function connect(active: FolderWorkspace, connection: Connection): Promise<string | undefined> {
    const { folder, workspace } = active;
    if (connection.kind === 'hooks') requireHookFolder(context, folder);
    else if (fileOf(connection) !== undefined) requireTrust();
    const change = await changeOf(folder, connection);
    const copied = change ? undefined : await copyConnection(folder, connection);
    if (change && !(await writeConnection(change, connection.kind))) return undefined;
    const isThere = !change || (await changeOf(folder, connection).then((left) => left?.before === left?.after));
    const result = isThere ? await checking(connection, (signal) => check(folder, connection, signal)) : undefined;
    const place = placeOf(connection);
    const written =
      connection.kind === 'skill'
        ? vscode.l10n.t('Skill installed: {0}', place)
        : vscode.l10n.t('Connected: {0}', place);
    if (!isThere || result?.isWorking === false) {
      const why = result?.isWorking === false ? failureWords(result.why) : vscode.l10n.t('the file has changed');
      throw new EditorError('notWorking', vscode.l10n.t('{0} was connected, but does not work: {1}', place, why));
    }
    if (!result) return copied ?? written;
    const [counted = 0] = await workspace.countTokens([result.text]);
    const tokens = formatCount(counted);
    if (connection.kind === 'hooks') {
      const { agent } = connection.target;
      const { trustCommand } = hookForm(agent);
      return trustCommand === undefined
        ? vscode.l10n.t('Hooks work: {0} adds {1} tokens to a session', place, tokens)
        : vscode.l10n.t(
            'Hooks work: {0} adds {1} tokens to a session once you trust it in {2} ({3})',
            place,
            tokens,
            hookAgentName(agent),
            trustCommand,
          );
    }
    const answers = vscode.l10n.t('the server answers with {0} tools, {1} tokens', result.tools, tokens);
    return vscode.l10n.t('{0}; {1}', copied ?? written, answers);
  }

  async function costsIn({ workspace }: FolderWorkspace): Promise<Costs> {
    const [skill, { config }] = await Promise.all([ownSkill(), workspace.whenReady()]);
    const [mcp = 0, listing = 0, whole = 0] = await workspace.countTokens([
      JSON.stringify(listTools()),
      skillListing(skill),
      skill,
    ]);
    return {
      hooks: formatCount(config.sessionStart.orientationTokens),
      mcp: formatCount(mcp),
      skill: formatCount(listing),
      skillInUse: formatCount(whole),
    };
  }

  /** Two questions: whose, and what. */
  async function pickConnections(active: FolderWorkspace): Promise<readonly Connection[]> {
    const { agentsInUse } = await active.whenReady();
    const isOffered = (connection: Connection): boolean => host !== undefined || connection.kind === 'skill';
    const agents = OFFERED_AGENTS.map((rules) => ({
      label: rules.product ?? rules.name,
      description: agentsInUse.includes(rules.agent) ? vscode.l10n.t('one of your agents') : '',
      connections: connectionsOf(rules).filter(isOffered),
    }));
    const other = { label: vscode.l10n.t('Any other agent'), description: '', connections: OTHER_AGENT_CONNECTIONS };
    const items = [...agents.filter(({ description }) => description), ...agents.filter((each) => !each.description)];
    const title = vscode.l10n.t('Connect an Agent');
    const placeHolder = mayWrite()
      ? vscode.l10n.t('Select an agent; you review each change')
      : vscode.l10n.t('Restricted Mode: you can copy texts, but nothing is written or run');
    const picked = await vscode.window.showQuickPick(
      [...items, { ...other, connections: other.connections.filter(isOffered) }].filter(
        ({ connections }) => connections.length > 0,
      ),
      { title, placeHolder },
    );
    if (!picked) return [];
    const costs = await costsIn(active);
    const rows = await Promise.all(
      picked.connections.map(async (connection) => ({
        connection,
        label: kindWords(connection),
        description: (await isConnected(active.folder, connection))
          ? vscode.l10n.t('{0} · connected', placeOf(connection))
          : placeOf(connection),
        detail: detailOf(connection, costs),
      })),
    );
    const chosen = await vscode.window.showQuickPick(rows, {
      title: vscode.l10n.t('Connect {0}', picked.label),
      placeHolder: vscode.l10n.t('Choose what to connect; you review each change before it is written'),
      canPickMany: true,
    });
    return (chosen ?? []).map(({ connection }) => connection);
  }

  async function isConnected(folder: vscode.WorkspaceFolder, connection: Connection): Promise<boolean> {
    try {
      const change = await changeOf(folder, connection);
      return change !== undefined && change.before === change.after;
    } catch (error) {
      // Said in full when it is chosen.
      log.debug(`${connection.id} cannot be edited: ${String(error)}`);
      return false;
    }
  }

  return {
    /** Asks for agent and connections, or takes ids of connections from a keybinding (`hooks:…`, `mcp:…`, `skill:…`). */
    [COMMANDS.connectAgent]: async (given) => {
      const active = await registry.require();
      const asked = Array.isArray(given) ? connectionsById(given) : await pickConnections(active);
      const done: string[] = [];
      try {
        for (const connection of asked) {
          const line = await connect(active, connection);
          if (line !== undefined) done.push(line);
        }
      } finally {
        // What was done before one failed is said too.
        if (done.length > 0) statusBar.done(listed(done));
      }
    },
  } satisfies CommandHandlers;
}

function configText(client: McpClient, served: { readonly script: string; readonly root: string }): string {
  try {
    return mcpConfigText(client, served);
  } catch (error) {
    if (!McpConfigError.is(error)) throw error;
    throw new EditorError(
      'badPath',
      vscode.l10n.t(
        'A path has characters that no shell can pass safely. Choose an agent whose configuration is a file.',
      ),
    );
  }
}

function checking<T>(connection: Connection, work: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  if (connection.kind === 'skill') return work(NEVER_ABORTED);
  const title = vscode.l10n.t('Checking {0}', placeOf(connection));
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, (_, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return work(controller.signal);
  });
}
