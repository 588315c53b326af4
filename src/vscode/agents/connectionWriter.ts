/** Connects one thing: makes its change, shows and writes it, or copies it, and checks that it works. */
import * as vscode from 'vscode';
import { NEVER_ABORTED } from '../../core/ports/ports';
import type { Connection } from '../../core/setup/connections';
import { hookCommandLine } from '../../core/setup/hooks/hookCommandLine';
import type { HookTarget } from '../../core/setup/hooks/hookTarget';
import { installHooks } from '../../core/setup/hooks/installHooks';
import { type McpClient, McpConfigError, mcpArguments } from '../../core/setup/mcpConfig/mcpClient';
import { installServer, mcpConfigText } from '../../core/setup/mcpConfig/mcpConfigText';
import { SKILL_FILE } from '../../core/setup/skillTarget';
import { formatCount } from '../../core/text/numbers';
import { EditorError, mayWrite, requireTrust } from '../base/editorError';
import { type ChangePreview, type FileChange, makeChange } from '../base/fileChange';
import { launcherFile, readOwnText, writeLauncher } from '../base/launcherFile';
import type { EditorServices } from '../copy/editorServices';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';
import { type AgentHost, type CheckResult, checkHook, checkServer } from './connectionCheck';
import { connectedWords, failureWords, fileOf, placeOf, workingWords } from './connectionWords';
import { requireHookFolder } from './hookActions';

/** Writes connections of one window. */
export class ConnectionWriter {
  readonly #launcher: string;

  constructor(
    private readonly editor: Pick<EditorServices, 'context' | 'files' | 'log'>,
    private readonly preview: ChangePreview,
    private readonly host: AgentHost | undefined,
  ) {
    this.#launcher = launcherFile(editor.context).fsPath;
  }

  /** Text of the skill that is installed. */
  skillText(): Promise<string> {
    return readOwnText(this.editor.context.extensionUri, SKILL_FILE);
  }

  /** Connects one thing; what was done in one line, undefined when the user did not agree. @throws EditorError */
  async connect({ folder, workspace }: FolderWorkspace, connection: Connection): Promise<string | undefined> {
    if (connection.kind === 'hooks') requireHookFolder(this.editor.context, folder);
    else if (fileOf(connection) !== undefined) requireTrust();
    const change = await this.#changeOf(folder, connection);
    const copied = change ? undefined : await this.#copy(folder, connection);
    if (change && !(await this.#write(change, connection.kind))) return undefined;
    const isThere = !change || (await this.#changeOf(folder, connection).then((left) => left?.before === left?.after));
    const result = isThere
      ? await checking(connection, (signal) => this.#check(folder, connection, signal))
      : undefined;
    if (!isThere || result?.isWorking === false) {
      const why = result?.isWorking === false ? failureWords(result.why) : vscode.l10n.t('the file has changed');
      throw new EditorError(
        'notWorking',
        vscode.l10n.t('{0} was connected, but does not work: {1}', placeOf(connection), why),
      );
    }
    const done = copied ?? connectedWords(connection);
    if (!result) return done;
    const [counted = 0] = await workspace.countTokens([result.text]);
    return workingWords(connection, done, { tools: result.tools, tokens: formatCount(counted) });
  }

  /** True where the folder's file has the connection as it would be written. */
  async isConnected(folder: vscode.WorkspaceFolder, connection: Connection): Promise<boolean> {
    try {
      const change = await this.#changeOf(folder, connection);
      return change !== undefined && change.before === change.after;
    } catch (error) {
      // Said in full when it is chosen.
      this.editor.log.debug(`${connection.id} cannot be edited: ${String(error)}`);
      return false;
    }
  }

  /** The change of a file of the folder; undefined for what is copied. */
  async #changeOf(folder: vscode.WorkspaceFolder, connection: Connection): Promise<FileChange | undefined> {
    const path = fileOf(connection);
    if (path === undefined) return undefined;
    const before = await this.editor.files.read(folder, path);
    switch (connection.kind) {
      case 'hooks':
        return {
          folder,
          path,
          before,
          after: installHooks(before, connection.target, this.#programOf(connection.target)),
        };
      case 'mcp':
        return { folder, path, before, after: installServer(before, connection.client, this.#servedIn(folder)) };
      case 'skill':
        return { folder, path, before, after: await this.skillText() };
    }
  }

  async #copy(folder: vscode.WorkspaceFolder, connection: Connection): Promise<string> {
    if (connection.kind !== 'mcp') {
      await vscode.env.clipboard.writeText(await this.skillText());
      return vscode.l10n.t('Copied the agent skill');
    }
    const { client } = connection;
    const text = configText(client, this.#servedIn(folder));
    await writeLauncher(this.editor.context);
    await vscode.env.clipboard.writeText(text);
    return vscode.l10n.t('Copied the server for {0}: {1}', client.name, client.place);
  }

  /** Shows the change, asks, writes; false when the user did not agree. */
  async #write(change: FileChange, kind: Connection['kind']): Promise<boolean> {
    const isSame = change.before === change.after;
    const detail =
      change.before === undefined
        ? vscode.l10n.t('The editor behind this dialog shows the whole file.')
        : vscode.l10n.t('The editor behind this dialog shows the exact change. Nothing else in the file changes.');
    if (!isSame && !(await this.preview.isAgreed(change, vscode.l10n.t('Connect'), detail))) return false;
    // Also where it was connected before: the launcher may be gone.
    if (kind !== 'skill') await writeLauncher(this.editor.context);
    if (!isSame) await makeChange(this.editor.files, change);
    return true;
  }

  /** Undefined where nothing can be run: in Restricted Mode and in a browser. */
  async #check(
    folder: vscode.WorkspaceFolder,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<CheckResult | undefined> {
    if (connection.kind === 'skill' || !this.host || !mayWrite()) return undefined;
    const root = folder.uri.fsPath;
    const processes = this.host.openProcesses(root);
    try {
      if (connection.kind === 'hooks') {
        const { target } = connection;
        const line = hookCommandLine(this.#programOf(target), 'SessionStart', target.agent);
        return await checkHook(processes, this.host.shellCall(line), { agent: target.agent, root }, signal);
      }
      const { version } = this.editor.context.extension.packageJSON as { readonly version: string };
      return await checkServer(processes, ['node', ...mcpArguments(this.#servedIn(folder))], version, signal);
    } finally {
      processes.dispose();
    }
  }

  #programOf({ scope }: HookTarget) {
    // Hooks of this machine go through a file that survives updates; shared ones must say nothing of this machine.
    return scope === 'shared' ? ({ kind: 'package' } as const) : ({ kind: 'file', path: this.#launcher } as const);
  }

  #servedIn(folder: vscode.WorkspaceFolder) {
    if (folder.uri.scheme !== 'file' || this.editor.context.extensionUri.scheme !== 'file') {
      throw new EditorError('noServer', vscode.l10n.t('MCP needs a folder on disk; this one is virtual.'));
    }
    return { script: this.#launcher, root: folder.uri.fsPath };
  }
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
