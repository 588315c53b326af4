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
export type EditorErrorReason =
  | 'noFolder'
  | 'noReport'
  | 'unknownSection'
  | 'noDetail'
  /** The folder cannot keep observations. */
  | 'noObservations'
  | 'noRunLogs'
  | 'unreadableLog'
  /** The folder cannot keep a usage log. */
  | 'noUsageLog'
  /** The folder is on no machine where agents leave transcripts. */
  | 'noTranscripts'
  /** The config could not be read or written. */
  | 'config'
  /** Nothing is written into folders that are not trusted. */
  | 'untrusted'
  /** There are no hooks where there is no disk. */
  | 'noHooks'
  | 'notText'
  /** A file is not what was shown any more. */
  | 'changed'
  | 'emptyReply'
  /** Secrets could not be looked for. */
  | 'notScanned'
  /** The last copy had no secrets. */
  | 'nothingMasked'
  /** A finding is in no file. */
  | 'noSource'
  /** No agent can start a server in a folder that is on no disk. */
  | 'noServer'
  /** A path that no shell takes safely. */
  | 'badPath';

/** An expected failure of the editor layer; its message is localised for the user. */
export class EditorError extends errorClass<EditorErrorReason>('EditorError') {}
