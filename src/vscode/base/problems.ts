import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';
import { EditorError, isNothingThere, manageTrust } from './editorError';
import { COMMANDS } from './ids';
import { sayError } from './language';

/**
 * The one place where errors become text for people (CONVENTIONS, Errors): runs what the user asked for, and on failure
 * logs the error and shows one message with *Show Log*, or with what would help. Background work logs only.
 */
export class ProblemReporter {
  constructor(private readonly logger: Logger) {}

  /**
   * Runs `action`; `label` is the command's title, already localised. Never rejects. What was done goes to the log
   * under `name`, which holds nothing of what the action was about.
   */
  async runAsked<T>(label: string, name: string, action: () => T | Promise<T>): Promise<T | undefined> {
    try {
      const result = await action();
      this.logger.info(`done: ${name}`);
      return result;
    } catch (error) {
      if (error instanceof vscode.CancellationError) {
        this.logger.info(`cancelled: ${name}`);
        return undefined;
      }
      if (isNothingThere(error)) {
        this.logger.info(`nothing to do: ${name}`);
        void vscode.window.showInformationMessage(messageOf(label, error));
        return undefined;
      }
      this.logger.error(`${label} failed`, error);
      void this.#show(label, error);
      return undefined;
    }
  }

  /** Runs one part of the activation, so that a failure of one contribution leaves the others working. */
  contribute(name: string, create: () => void): void {
    try {
      create();
    } catch (error) {
      this.logger.error(`${name} could not be set up`, error);
    }
  }

  async #show(label: string, error: unknown): Promise<void> {
    const showLog = vscode.l10n.t('Show Log');
    const failed = messageOf(label, error);
    if (EditorError.is(error, 'untrusted')) {
      const trust = vscode.l10n.t('Manage Workspace Trust');
      if ((await vscode.window.showErrorMessage(failed, trust)) === trust) await manageTrust();
      return;
    }
    if ((await vscode.window.showErrorMessage(failed, showLog)) === showLog)
      await vscode.commands.executeCommand(COMMANDS.showLog);
  }
}

function messageOf(label: string, error: unknown): string {
  // A title that asks for more ends in an ellipsis, which says nothing here.
  return vscode.l10n.t('{0}: {1}', label.replace(/…$/, ''), sayError(error));
}
