import * as vscode from 'vscode';
import { AGENT_TABLE } from '../../core/agents/agentTable';
import { AGENT_WINDOWS } from '../../core/agents/agentWindows';
import type { AgentId } from '../../core/model/agent';
import type { Masking } from '../../core/secrets/masking';
import { formatCount } from '../../core/text/numbers';
import type { FailedMeasurement, ShownStart } from '../../core/window/loaded/measuring';
import { DisposableStore } from '../base/disposables';
import { chosen, EditorError, mayWrite, requireTrust } from '../base/editorError';
import { SETTINGS, SETTINGS_SECTION } from '../base/ids';
import { listed } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import type { KnownWindow, WindowSource } from './panelWindow';

/** Files of the folder with agents' servers, switches and other settings: none of them need be part of a payload. */
function watchedFiles(): readonly string[] {
  const lists = Object.values(AGENT_WINDOWS).flatMap(
    ({
      mcp,
      skills,
      subagents,
      instructionSettings,
    }): readonly (readonly { readonly path: string }[] | undefined)[] => [
      ...[mcp?.files, mcp?.switches, mcp?.offLists],
      ...[skills?.offLists, subagents?.offLists, instructionSettings],
    ],
  );
  const paths = lists.flatMap((rules) => rules?.map(({ path }) => path) ?? []);
  return [...new Set(paths.filter((path) => !path.startsWith('~/')))];
}

/** Sessions tell over days what is not used. */
const UNUSED_MS = 60 * 60_000;
const NONE: ReadonlySet<string> = new Set();

/** Whether the user lets the agent's transcripts be read; a workspace cannot. */
function mayRead(agent: AgentId): boolean {
  const reader = AGENT_TABLE.find((row) => row.agent === agent)?.transcripts?.reader;
  const value: unknown = vscode.workspace.getConfiguration(SETTINGS_SECTION).get(SETTINGS.transcripts);
  return reader !== undefined && Array.isArray(value) && value.includes(reader);
}

/** MCP servers of the shown window: measures them on request, and remembers until the window closes which gave no figure. */
export class WindowServers extends DisposableStore {
  readonly #changed = this.add(new vscode.EventEmitter<void>());
  /** Fires when the window is to be read again. */
  readonly onDidChange = this.#changed.event;
  /** What the panel was told last. */
  shown: KnownWindow | undefined;
  #failed: readonly FailedMeasurement[] = [];
  readonly #unused = new Map<string, { readonly names: ReadonlySet<string>; readonly readMs: number }>();

  /** @param source undefined where there are no files of a machine */
  constructor(
    private readonly editor: EditorServices,
    private readonly masking: Masking,
    readonly source: WindowSource | undefined,
  ) {
    super();
    if (!source) return;
    const watcher = this.add(vscode.workspace.createFileSystemWatcher(`**/{${watchedFiles().join(',')}}`));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.add(event(() => this.refresh()));
  }

  /** Another list whenever the window is to be read again. */
  get failed(): readonly FailedMeasurement[] {
    return this.#failed;
  }

  refresh(): void {
    this.#failed = [...this.#failed];
    this.#changed.fire();
  }

  /**
   * Shows what is started, and once the user agreed starts one server after the other. Cancelling ends the one that runs and
   * leaves the others alone.
   * @throws EditorError `untrusted`; vscode.CancellationError when the user did not agree
   */
  async measure(servers: readonly ShownStart[], { window, withHome }: KnownWindow): Promise<void> {
    requireTrust();
    const { source } = this;
    const { folder } = await this.editor.registry.require();
    if (!source || servers.length === 0) return;
    const verb = vscode.l10n.t('Measure');
    const detail = await this.#shown(servers);
    chosen(await vscode.window.showWarningMessage(questionOf(servers), { modal: true, detail }, verb));
    const title = vscode.l10n.t('Measuring MCP servers');
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, async (progress, token) => {
      const ending = new AbortController();
      const listening = token.onCancellationRequested(() => ending.abort());
      try {
        for (const shown of servers) {
          if (ending.signal.aborted) return;
          progress.report({ message: shown.name, increment: 100 / servers.length });
          const input = { agent: window.agent, withHome, shown };
          const reason = await source.measure(folder.uri.fsPath, input, ending.signal);
          if (ending.signal.aborted) return;
          this.#keep(shown, reason);
        }
      } finally {
        listening.dispose();
        this.refresh();
      }
    });
  }

  /**
   * Servers that the agent's sessions in this folder had and never called, as known now; read at most once an hour, and only
   * where the user lets the agent's transcripts be read. Never throws.
   */
  unusedIn(folderPath: string, agent: AgentId): ReadonlySet<string> {
    const key = `${agent} ${folderPath}`;
    const known = this.#unused.get(key);
    if (!this.source || !mayWrite() || !mayRead(agent)) return NONE;
    if (known && Date.now() - known.readMs < UNUSED_MS) return known.names;
    this.#unused.set(key, { names: known?.names ?? NONE, readMs: Date.now() });
    this.source.unused(folderPath, agent).then(
      (names) => {
        this.#unused.set(key, { names: new Set(names), readMs: Date.now() });
        this.#changed.fire();
      },
      (error: unknown) => this.editor.log.error('The use of MCP servers could not be read', error),
    );
    return known?.names ?? NONE;
  }

  #keep(shown: ShownStart, reason: FailedMeasurement['reason'] | undefined): void {
    const { name, source, commandHash } = shown;
    const others = this.#failed.filter((each) => each.name !== name || each.source !== source);
    this.#failed = reason ? [...others, { name, source, commandHash, reason }] : others;
  }

  /** Command lines with what looks like a key masked. @throws EditorError `notScanned` */
  async #shown(servers: readonly ShownStart[]): Promise<string> {
    const blocks = servers.map(startLines);
    const masks = await this.masking.masksFor(blocks);
    return blocks
      .map((block) => {
        const text = masks(block)?.text;
        if (text === undefined)
          throw new EditorError('notScanned', vscode.l10n.t('The command line could not be scanned for keys.'));
        return text;
      })
      .join('\n\n');
  }
}

function questionOf(servers: readonly ShownStart[]): string {
  const [first, ...others] = servers;
  if (others.length > 0)
    return vscode.l10n.t('Start {0} MCP servers to count their tools?', formatCount(servers.length));
  const name = first?.name ?? '';
  return first?.isProgram === false
    ? vscode.l10n.t('Ask the MCP server {0} for its tools?', name)
    : vscode.l10n.t('Start the MCP server {0} to count its tools?', name);
}

function startLines({ name, source, line, isProgram, cwd, names }: ShownStart): string {
  return [
    vscode.l10n.t('{0}, from {1}:', name, source),
    line,
    ...(isProgram ? [vscode.l10n.t('Folder: {0}', cwd)] : []),
    ...(names.length === 0
      ? []
      : [isProgram ? vscode.l10n.t('Variables: {0}', listed(names)) : vscode.l10n.t('Headers: {0}', listed(names))]),
  ].join('\n');
}
