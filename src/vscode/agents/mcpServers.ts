import * as vscode from 'vscode';
import { mcpArguments } from '../../core/setup/mcpConfig/mcpClient';
import { ContextKeys } from '../base/contextKeys';
import { DisposableStore } from '../base/disposables';
import { mayWrite } from '../base/editorError';
import { MCP_PROVIDER, SETTINGS } from '../base/ids';
import { cliFile, type ExtensionPlaces } from '../base/launcherFile';
import { isSettingOn, onDidChangeSettings } from '../base/preferences';

/** What runs the server. */
export interface McpRuntime {
  /** The editor's own Node: a user need not have one, and its PATH need not be right. */
  readonly nodePath: string;
  readonly version: string;
}

/**
 * Offers the editor an MCP server a folder on a disk, where `contextBudget.mcp.enabled` says so. The language model tools
 * are then hidden (`when` in the manifest): they are the same ones, and an agent that was given both would pay for both.
 */
export class McpServers
  extends DisposableStore
  implements vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition>
{
  readonly #keys = new ContextKeys();
  readonly #emitter = this.add(new vscode.EventEmitter<void>());
  readonly onDidChangeMcpServerDefinitions = this.#emitter.event;

  constructor(
    private readonly places: ExtensionPlaces,
    private readonly runtime: McpRuntime,
  ) {
    super();
    const changed = (): void => {
      this.#tell();
      this.#emitter.fire();
    };
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(changed));
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(changed));
    this.add(onDidChangeSettings([SETTINGS.mcpEnabled, SETTINGS.mcpTrust], changed));
  }

  /** Registers the provider; nothing where the editor knows none. */
  register(): void {
    const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
    if (typeof lm?.registerMcpServerDefinitionProvider !== 'function') return;
    this.add(lm.registerMcpServerDefinitionProvider(MCP_PROVIDER, this));
    this.#tell();
  }

  provideMcpServerDefinitions(): vscode.McpStdioServerDefinition[] {
    if (!isSettingOn(SETTINGS.mcpEnabled, false)) return [];
    const script = cliFile(this.places).fsPath;
    const isTrusted = vscode.workspace.isTrusted && isSettingOn(SETTINGS.mcpTrust, false);
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    return folders.map(({ name, uri }) => {
      const label = folders.length > 1 ? `Context Budget (${name})` : 'Context Budget';
      // A server that the user's agent starts may write; this one may do what the editor may.
      const args = [...mcpArguments({ script, root: uri.fsPath, isTrusted, mayWrite: mayWrite() })];
      // On the desktop the editor's Node is Electron, which has to be told; a remote server's needs not, and ignores it.
      const env = { ELECTRON_RUN_AS_NODE: '1' };
      const { nodePath, version } = this.runtime;
      const server = new vscode.McpStdioServerDefinition(label, nodePath, args, env, version);
      server.cwd = uri;
      return server;
    });
  }

  #tell(): void {
    this.#keys.set('hasServer', this.provideMcpServerDefinitions().length > 0);
  }
}
