/**
 * The composition root for hosts in a browser: no files but those that VS Code reads, no processes, no threads but web
 * workers. Together with `src/web` and `src/worker/webEntry.ts` it is checked against a worker's types alone.
 */

import * as vscode from 'vscode';
import { type AssetSource, checkAssetName, type Logger } from '../core/ports/ports';
import { SYSTEM_CLOCK } from '../protocol/clock';
import { startBlobWorker } from '../web/blobWorker';
import { createWebEngines } from '../web/engines';
import { activateExtension, type ExtensionApi } from './extension';
import { openVirtualFolder } from './workspace/workspaceLogs';
import type { WorkspaceFactory } from './workspace/workspaceRegistry';

/**
 * Reads the extension's own files from wherever the host keeps them: a disk, a server, the web. Each is read once,
 * although every worker asks for it: packed, they are 5 MB with all grammars.
 */
class ExtensionAssetSource implements AssetSource {
  readonly #known = new Map<string, Promise<Uint8Array>>();

  /** @param root the extension's own address */
  constructor(private readonly root: vscode.Uri) {}

  async read(name: string): Promise<Uint8Array> {
    checkAssetName(name);
    const known = this.#known.get(name);
    // A copy in a buffer of its own: the caller may transfer it to a worker.
    if (known) return (await known).slice();
    const reading = Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.root, name)));
    this.#known.set(name, reading);
    try {
      return (await reading).slice();
    } catch (error) {
      this.#known.delete(name);
      throw error;
    }
  }
}

/** One processor stays free for the page; browsers may tell fewer than there are. */
const PARSER_WORKERS = Math.max(1, Math.min(2, navigator.hardwareConcurrency - 1));

/** Called by VS Code. Registers and returns; nothing is read, parsed or started here. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
  return activateExtension(context, (log) => ({ workspaces: webWorkspaces(context, log) }));
}

function webWorkspaces({ extensionUri }: vscode.ExtensionContext, logger: Logger): WorkspaceFactory {
  const clock = SYSTEM_CLOCK;
  const assets = new ExtensionAssetSource(extensionUri);
  const host = { assets, clock, logger, parserWorkers: PARSER_WORKERS, startWorker: startBlobWorker };
  // Its engine and parser are never asked, and so never start: folders have their own.
  const shared = createWebEngines(host);
  return {
    secrets: { scan: (texts) => shared.secrets.scan(texts), dispose: () => shared.dispose() },
    open: async (folder, editor, preferences) =>
      openVirtualFolder(folder, createWebEngines(host), { clock, logger, editor, cache: undefined }, preferences),
  };
}
