import { CONFIG_PATH } from '../core/config/config';
import { isUsageFile } from '../core/files/usageFiles';
import type { ContextReport } from '../core/model/report';
import type { Disposable } from '../core/ports/ports';
import type { ToolHost } from '../core/tools/tool';
import { workspaceToolHost } from '../core/tools/toolHost';
import type { Workspace, WorkspaceSnapshot } from '../core/workspace/workspace';
import type { McpServeOptions } from '../node/mcpModule';
import { FolderState } from './folderState';

/** Files that count whether git ignores them or not. */
function unlisted({ config, report }: WorkspaceSnapshot): readonly string[] {
  const sections = report?.payloads.expanded.sections.flatMap(({ path }) => path ?? []) ?? [];
  const logs = [config.observations.path, config.usageLog, config.relay.path, config.relay.ledger];
  return [CONFIG_PATH, ...logs, ...sections];
}

/** The first answer is written before the rest begins: starting git holds this thread up for some milliseconds. */
const REST_DELAY_MS = 50;

interface Opened {
  readonly workspace: Workspace;
  readonly host: ToolHost;
  readonly dispose: () => void;
}

/** The one folder of a server: opened by the first request that needs it, looked at again by those that follow. */
export class ServedFolder implements Disposable {
  readonly #state: FolderState;
  #opening: Promise<Opened> | undefined;
  #workspace: Workspace | undefined;
  #looking: Promise<void> | undefined;
  #nextLook: Promise<void> | undefined;
  #rest: NodeJS.Timeout | undefined;
  #hasEnded = false;
  /** Milliseconds since the epoch, as file systems have it. */
  #openedMs = 0;

  constructor(private readonly options: McpServeOptions) {
    this.#state = new FolderState(options.files, options.realRoot);
  }

  get isOpen(): boolean {
    return this.#opening !== undefined;
  }

  /** The last report; undefined before something has read the folder. */
  get report(): ContextReport | undefined {
    return this.#workspace?.snapshot.report;
  }

  /** Tools over the folder as it is now. */
  async fresh(): Promise<ToolHost> {
    const isFirst = !this.#opening;
    if (isFirst) this.#openedMs = Date.now();
    this.#opening ??= this.#open();
    const { host } = await this.#opening;
    if (!isFirst) await this.look();
    return host;
  }

  /** Tells the workspace what changed, by a look that begins after the call; calls that come together share one. */
  look(): Promise<void> {
    if (!this.#looking) {
      this.#looking = this.#lookNow().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    // The one under way may have passed what changed since.
    const after = (): Promise<void> => {
      this.#nextLook = undefined;
      return this.look();
    };
    this.#nextLook ??= this.#looking.then(after, after);
    return this.#nextLook;
  }

  /** Has the workspace collect what the first answer did not need. */
  collectRest(): void {
    if (this.#hasEnded || this.#rest) return;
    this.#rest = setTimeout(() => {
      void this.#opening?.then(
        ({ workspace }) => workspace.start(),
        // It was never opened: there is nothing to collect.
        () => undefined,
      );
    }, REST_DELAY_MS);
    this.#rest.unref();
  }

  dispose(): void {
    this.#hasEnded = true;
    clearTimeout(this.#rest);
    void this.#opening?.then(
      (opened) => opened.dispose(),
      // It was never opened: there is nothing to release.
      () => undefined,
    );
  }

  async #open(): Promise<Opened> {
    const { openWorkspace, logger, profile } = this.options;
    const opened = openWorkspace();
    const { workspace } = opened;
    this.#workspace = workspace;
    if (this.#hasEnded) opened.dispose();
    // The engine starts, and loads its tokenizer, while files are listed. If it fails, the first answer says so.
    else workspace.countTokens([]).catch((error: unknown) => logger.debug(`No engine yet: ${String(error)}`));
    void workspace.whenListed().then(
      ({ profiles }) => {
        if (this.#hasEnded || profile === undefined || profiles.some(({ name }) => name === profile)) return;
        logger.warn(`Unknown profile "${profile}": using the default profile.`);
      },
      logger.error.bind(logger, 'The folder could not be read'),
    );
    const host = workspaceToolHost(workspace, { logger, recordsUsage: true });
    return { workspace, host, dispose: opened.dispose };
  }

  async #lookNow(): Promise<void> {
    if (!this.#opening || this.#hasEnded) return;
    const { workspace } = await this.#opening;
    const { snapshot } = workspace;
    const { usageLog } = snapshot.config;
    const isOwn = (path: string): boolean => path === '.context-budget' || isUsageFile(usageLog, path);
    const change = await this.#state.look(this.#openedMs, unlisted(snapshot), isOwn, snapshot.isTrusted);
    if (this.#hasEnded) return;
    const { changed, removed, isGitChanged, isUnknown } = change;
    if (isUnknown) workspace.notify({ kind: 'rescan' });
    if (changed.length + removed.length > 0) workspace.notify({ kind: 'files', changed, removed });
    if (isGitChanged) workspace.notify({ kind: 'git' });
  }
}
