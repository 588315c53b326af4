import type * as vscode from 'vscode';
import type { FolderFiles } from '../base/folderFiles';
import type { LogChannel } from '../base/log';
import type { PreferenceStore } from '../base/preferences';
import type { StatusBar } from '../status/statusBar';
import type { WorkspaceRegistry } from '../workspace/workspaceRegistry';
import type { LastReply } from './lastReply';
import type { MaskedClipboard } from './maskedClipboard';
import type { UsageRecorder } from './usageRecorder';

/** What commands of every feature work with; made once, in `extension.ts`. */
export interface EditorServices {
  readonly context: vscode.ExtensionContext;
  readonly log: LogChannel;
  readonly files: FolderFiles;
  readonly preferences: PreferenceStore;
  readonly registry: WorkspaceRegistry;
  readonly statusBar: StatusBar;
  readonly clipboard: MaskedClipboard;
  readonly recorder: UsageRecorder;
  readonly lastReply: LastReply;
  /** Has screen readers say `text`, if the Budget panel is visible. */
  announce(text: string): void;
}
