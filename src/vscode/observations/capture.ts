import * as vscode from 'vscode';
import {
  type CapturedEvent,
  CaptureGate,
  ErrorWatch,
  failedCommandEvent,
  failedTaskEvent,
  newErrorsEvent,
  type StandingError,
} from '../../core/observations/capture/capturedEvents';
import type { Logger } from '../../core/ports/ports';
import { formatObservationTime } from '../../core/text/time';
import { DisposableStore } from '../base/disposables';
import { openDocument, relativePath } from '../base/folders';
import { CAPTURE_SETTINGS, type CaptureSetting } from '../base/ids';
import { isSettingOn, onDidChangeSettings } from '../base/preferences';
import type { WorkspaceRegistry } from '../workspace/workspaceRegistry';

/** The end of an output that is kept. UTF-16 code units. */
const MAX_OUTPUT_CHARS = 64_000;
/** An error must stay in a saved file this long: typing makes others come and go. Milliseconds. */
const SETTLE_MS = 5_000;

/**
 * Records what fails in the editor as observations: terminal commands, tasks, new errors. Each kind has a setting that is
 * off by default; nothing is recorded in folders that are not trusted. It listens only while a setting is on.
 */
export class Capture extends DisposableStore {
  readonly #gate = new CaptureGate();
  #listening = new DisposableStore();

  constructor(
    private readonly registry: WorkspaceRegistry,
    private readonly logger: Logger,
  ) {
    super();
    this.add(onDidChangeSettings(['capture'], () => this.#listen()));
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#listen()));
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#listen()));
    this.add({ dispose: () => this.#listening.dispose() });
    this.#listen();
  }

  #listen(): void {
    this.#listening.dispose();
    this.#listening = new DisposableStore();
    if (!vscode.workspace.isTrusted) return;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const isOn = (setting: CaptureSetting): boolean => folders.some((folder) => isWanted(setting, folder));
    if (isOn('failedCommands')) this.#watchCommands();
    if (isOn('failedTasks')) this.#watchTasks();
    if (isOn('newErrors')) this.#watchErrors();
  }

  #watchCommands(): void {
    const outputs = new Map<vscode.TerminalShellExecution, Promise<string>>();
    this.#listening.add(
      vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
        outputs.set(execution, this.#tail(execution));
      }),
    );
    this.#listening.add(
      vscode.window.onDidEndTerminalShellExecution(async ({ execution, exitCode, shellIntegration }) => {
        const reading = outputs.get(execution);
        outputs.delete(execution);
        // 130 and 143: the user ended it, it did not fail.
        if (exitCode === undefined || exitCode === 0 || exitCode === 130 || exitCode === 143) return;
        const cwd = execution.cwd ?? shellIntegration.cwd;
        // The folder that it ran in; of a terminal that does not say, the first.
        const folder = cwd ? vscode.workspace.getWorkspaceFolder(cwd) : vscode.workspace.workspaceFolders?.[0];
        const command = execution.commandLine.value;
        if (folder && command.trim() !== '')
          await this.#record(
            'failedCommands',
            folder,
            failedCommandEvent({ command, exitCode, output: (await reading) ?? '' }),
          );
      }),
    );
  }

  /** The end of what a command prints; empty when it cannot be read. */
  async #tail(execution: vscode.TerminalShellExecution): Promise<string> {
    let tail = '';
    try {
      for await (const data of execution.read()) tail = (tail + data).slice(-MAX_OUTPUT_CHARS);
    } catch (error) {
      this.logger.debug(`the output of a command could not be read: ${String(error)}`);
    }
    return tail;
  }

  #watchTasks(): void {
    this.#listening.add(
      vscode.tasks.onDidEndTaskProcess(async ({ execution: { task }, exitCode }) => {
        if (exitCode === undefined || exitCode === 0) return;
        const scope = typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
        if (!scope) return;
        const isTest = task.group?.id === vscode.TaskGroup.Test.id;
        const event = failedTaskEvent({ name: task.name, command: commandOf(task), exitCode, isTest });
        await this.#record('failedTasks', scope, event);
      }),
    );
  }

  #watchErrors(): void {
    const watch = new ErrorWatch();
    // What a file has when it is opened is not new, however long its language's extension takes to find it.
    const opened = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    for (const [uri] of vscode.languages.getDiagnostics()) watch.learn(uri.toString(), errorsOf(uri));
    const look = (uri: vscode.Uri): void => {
      timers.delete(uri.toString());
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      const path = folder && relativePath(folder, uri);
      // What is not saved yet may be wrong for a moment; its save brings other diagnostics, or this look again.
      if (!folder || path === undefined || openDocument(uri)?.isDirty) return;
      const errors = watch.look(uri.toString(), errorsOf(uri));
      if (opened.delete(uri.toString())) return;
      if (errors.length > 0) void this.#record('newErrors', folder, newErrorsEvent({ path, errors }));
    };
    const schedule = (uri: vscode.Uri): void => {
      const key = uri.toString();
      clearTimeout(timers.get(key));
      timers.set(key, setTimeout(look, SETTLE_MS, uri));
    };
    this.#listening.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.forEach(schedule)));
    this.#listening.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => opened.add(uri.toString())));
    this.#listening.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        opened.delete(uri.toString());
        schedule(uri);
      }),
    );
    this.#listening.add({ dispose: () => timers.forEach(clearTimeout) });
  }

  async #record(setting: CaptureSetting, folder: vscode.WorkspaceFolder, { key, input }: CapturedEvent): Promise<void> {
    const now = Date.now();
    if (!isWanted(setting, folder) || !this.#gate.admit(`${folder.uri.toString()} ${key}`, now)) return;
    try {
      const { workspace } = await this.registry.open(folder);
      await workspace.whenCollected();
      await workspace.observations?.observe([
        { ...input, ts: formatObservationTime(new Date(now)), precision: 'second', timeFrom: 'clock' },
      ]);
      workspace.notify({ kind: 'observations' });
    } catch (error) {
      // It runs in the background: failures are only logged.
      this.logger.error('what failed could not be recorded', error);
    }
  }
}

function isWanted(setting: CaptureSetting, folder: vscode.WorkspaceFolder): boolean {
  return vscode.workspace.isTrusted && isSettingOn(CAPTURE_SETTINGS[setting], false, folder);
}

function errorsOf(uri: vscode.Uri): readonly StandingError[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
    .map(({ range, message, source }) => ({ line: range.start.line + 1, message, source }));
}

/** What a task runs, as far as it says; empty for tasks of extensions' own making. */
function commandOf({ execution }: vscode.Task): string {
  if (execution instanceof vscode.ShellExecution) {
    const { commandLine, command, args = [] } = execution;
    const word = (part: string | vscode.ShellQuotedString | undefined): string =>
      part === undefined ? '' : typeof part === 'string' ? part : part.value;
    return commandLine ?? [command, ...args].map(word).join(' ').trim();
  }
  return execution instanceof vscode.ProcessExecution ? [execution.process, ...execution.args].join(' ') : '';
}
