import * as vscode from 'vscode';
import { CONFIG_PATH } from '../../core/config/config';
import { type ConfigChange, editConfig } from '../../core/config/configEdit';
import { EditorError, requireTrust } from '../base/editorError';
import { openDocument, unlessMissing } from '../base/folders';
import { say, sayError } from '../base/language';
import type { EditorServices } from '../copy/editorServices';

/** Changes of the active folder's config by a click. */
export class ConfigActions {
  readonly #writer = new ConfigWriter();

  constructor(private readonly editor: EditorServices) {}

  /**
   * Writes `change` and says `done` once it holds; the workspace reads the config again at once. See
   * {@link ConfigWriter.write} for what it throws.
   */
  async change(change: ConfigChange, done: string): Promise<void> {
    const { folder, workspace } = await this.editor.registry.require();
    const outcome = await this.#writer.write(folder, change);
    if (outcome === 'written') workspace.notify({ kind: 'files', changed: [CONFIG_PATH], removed: [] });
    if (outcome === 'unsaved') void this.#offerToSave(vscode.Uri.joinPath(folder.uri, CONFIG_PATH));
    else this.editor.announce(done);
  }

  async #offerToSave(uri: vscode.Uri): Promise<void> {
    const save = vscode.l10n.t('Save');
    const text = vscode.l10n.t(
      '{0} has changes that are not saved; what you chose is among them and holds once the file is saved.',
      CONFIG_PATH,
    );
    if ((await vscode.window.showInformationMessage(text, save)) !== save) return;
    await openDocument(uri)?.save();
  }
}

/** Tries of an edit, and the time between them: typing changes the text every 100 ms or so. */
const MAX_TRIES = 4;
const RETRY_MS = 60;

/** What became of a change. */
type ConfigWriteOutcome =
  /** It is in the file. */
  | 'written'
  /** The file says so already. */
  | 'unchanged'
  /** It is in an editor, among unsaved changes. */
  | 'unsaved';

/**
 * Writes changes into a folder's config, one after the other: into its document where that has unsaved work, which stays
 * unsaved and can be undone, else into the file, which open editors follow.
 */
export class ConfigWriter {
  #queue: Promise<unknown> = Promise.resolve();

  /**
   * Applies `change` after all earlier ones.
   * @throws ConfigEditError when the config is broken; EditorError `config` when it cannot be read or written, `untrusted`
   * in Restricted Mode
   */
  write(folder: vscode.WorkspaceFolder, change: ConfigChange): Promise<ConfigWriteOutcome> {
    const uri = vscode.Uri.joinPath(folder.uri, CONFIG_PATH);
    const written = this.#queue.then(() => {
      requireTrust();
      return applyChange(uri, change);
    });
    // A change that failed is its caller's matter; the next one goes on.
    this.#queue = written.catch(() => undefined);
    return written;
  }
}

async function applyChange(uri: vscode.Uri, change: ConfigChange): Promise<ConfigWriteOutcome> {
  const document = openDocument(uri);
  if (document?.isDirty) return editDocument(document, change);
  // A document without changes follows its file by itself. To save it would fail where it lags behind the file, as one
  // does that VS Code keeps for a while after its editor was closed.
  return editFile(uri, await readText(uri), change);
}

/** Puts the change beside the work that is not saved yet. */
async function editDocument(document: vscode.TextDocument, change: ConfigChange): Promise<ConfigWriteOutcome> {
  for (let tries = 1; ; tries++) {
    const before = document.getText();
    const after = editConfig(before, change, say);
    if (after === before) return 'unsaved';
    const { start, end, content } = difference(before, after);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
    if (await vscode.workspace.applyEdit(edit)) return 'unsaved';
    if (tries === MAX_TRIES) throw notWritten();
    // The editor refuses a change to a text that has changed meanwhile; what it is now is on its way to us.
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function editFile(uri: vscode.Uri, before: string, change: ConfigChange): Promise<ConfigWriteOutcome> {
  const after = editConfig(before, change, say);
  if (after === before) return 'unchanged';
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
  } catch (error) {
    throw notWritten(error);
  }
  return 'written';
}

/** The file's text with its byte order mark; empty where there is no file. */
async function readText(uri: vscode.Uri): Promise<string> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await unlessMissing(() => vscode.workspace.fs.readFile(uri));
  } catch (error) {
    throw failed(vscode.l10n.t('{0} could not be read: {1}', CONFIG_PATH, sayError(error)), error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw failed(vscode.l10n.t('{0} is not UTF-8 text and was left alone.', CONFIG_PATH));
  }
}

function notWritten(error?: unknown): EditorError {
  const isReadOnly = error instanceof vscode.FileSystemError && error.code === 'NoPermissions';
  return error === undefined || isReadOnly
    ? failed(
        vscode.l10n.t(
          '{0} could not be written: the folder or the file is read-only, or somebody else is writing it. Nothing was changed.',
          CONFIG_PATH,
        ),
      )
    : failed(vscode.l10n.t('{0} could not be written: {1}', CONFIG_PATH, sayError(error)), error);
}

function failed(message: string, cause?: unknown): EditorError {
  return new EditorError('config', message, { cause });
}

/** The one piece in which two texts differ, so that cursors and folds elsewhere stay where they are. */
function difference(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly content: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { start, end: before.length - same, content: after.slice(start, after.length - same) };
}
