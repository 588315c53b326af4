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
  /** The config could not be read or written. */
  | 'config'
  | 'untrusted'
  /** Agents run hooks in folders on a disk only. */
  | 'noHooks'
  | 'notText'
  | 'changed'
  | 'emptyReply'
  | 'notScanned'
  | 'nothingMasked'
  | 'noSource'
  /** Agents start servers in folders on a disk only. */
  | 'noServer'
  /** A path that no shell takes safely. */
  | 'badPath';

/** An expected failure of the editor layer; its message is localised for the user. */
export class EditorError extends errorClass<EditorErrorReason>('EditorError') {}
