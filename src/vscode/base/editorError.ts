import * as vscode from 'vscode';
import { errorClass } from '../../core/text/phrase';

/** Whether anything may be written into the folders of the window: in Restricted Mode what is recorded stays in memory. */
export function mayWrite(): boolean {
  return vscode.workspace.isTrusted;
}

/** Opens the editor in which the user sees and changes trust. */
export async function manageTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Call before writing into a folder. @throws EditorError `untrusted` in Restricted Mode */
export function requireTrust(): void {
  if (mayWrite()) return;
  throw new EditorError(
    'untrusted',
    vscode.l10n.t('This folder is not trusted, so nothing is written into it. Trust the folder first.'),
  );
}

/**
 * The answer to a question; none means that it was left by Escape, so that nothing is done.
 * @throws vscode.CancellationError, which the problem reporter takes without a word
 */
export function chosen<T>(answer: T | undefined): T {
  if (answer === undefined) throw new vscode.CancellationError();
  return answer;
}

/** Why something that was asked for cannot be done. */
type EditorErrorReason =
  | 'noFolder'
  | 'noReport'
  | 'unknownSection'
  | 'noDetail'
  | 'noObservations'
  | 'noRunLogs'
  | 'unreadableLog'
  | 'noUsageLog'
  /** The host runs on no machine where agents leave transcripts. */
  | 'noTranscripts'
  /** None of the agents whose transcripts may be read is one whose turns can be. */
  | 'noTurns'
  /** The config could not be read or written. */
  | 'config'
  | 'untrusted'
  /** It cannot be said what changed. */
  | 'noChanges'
  /** Agents run hooks in folders on a disk only. */
  | 'noHooks'
  | 'notText'
  | 'changed'
  | 'emptyReply'
  | 'notScanned'
  | 'nothingMasked'
  | 'nothingToCopy'
  /** Neither the folder nor the active editor has one. */
  | 'noRelayLog'
  | 'noSource'
  /** Agents start servers in folders on a disk only. */
  | 'noServer'
  /** A path that no shell takes safely. */
  | 'badPath'
  /** What was connected to an agent fails its check. */
  | 'notWorking';

/** An expected failure of the editor layer; its message is localised for the user. */
export class EditorError extends errorClass<EditorErrorReason>('EditorError') {}

/** Reasons that are no failure: there is nothing there that the command could be about. */
const NOTHING_THERE: readonly EditorErrorReason[] = [
  'nothingMasked',
  'nothingToCopy',
  'noRelayLog',
  'noRunLogs',
  'noTurns',
  'noChanges',
  'emptyReply',
];

/** Whether a command had nothing to do, which is told as information and logged without a stack. */
export function isNothingThere(error: unknown): error is EditorError {
  return EditorError.is(error) && NOTHING_THERE.some((reason) => EditorError.is(error, reason));
}
