import * as vscode from 'vscode';
import { CONFIG_PATH } from '../../core/config/config';
import { type ConfigChange, editConfig } from '../../core/config/configEdit';
import { formatCount } from '../../core/text/numbers';
import type { Workspace } from '../../core/workspace/workspace';
import { DisposableStore } from '../base/disposables';
import { EditorError, requireTrust } from '../base/editorError';
import type { FolderFiles } from '../base/folderFiles';
import { openDocument } from '../base/folders';
import { say, sayError } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import { tokensChanged } from './panelSnapshot';

const CONFIG_CHANGED = { kind: 'files', changed: [CONFIG_PATH], removed: [] } as const;

/** How long a change is offered to be undone. */
const UNDO_MS = 10_000;

/** An estimate is said to this many tokens. */
const ESTIMATE_UNIT = 100;

/** The last change, which can be taken back. */
interface LastChange {
  readonly workspace: Workspace;
  /** What it did: `style-guide.md on demand`. */
  readonly done: string;
  /** Tokens by which something is larger than before; undefined where that is not known. */
  readonly tokens: () => number | undefined;
  /** They are multiplied by a model's factor. */
  readonly isEstimate?: boolean;
  /** Takes it back, or rejects with why it could not. */
  readonly restore: () => Promise<void>;
}

/** Changes of a folder's config by a click. */
export class ConfigActions extends DisposableStore {
  readonly #writer: ConfigWriter;
  readonly #changed = this.add(new vscode.EventEmitter<void>());
  /** Fires when there is another line to undo, or none any more. */
  readonly onDidChangeUndo = this.#changed.event;
  #last: LastChange | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly editor: EditorServices) {
    super();
    this.#writer = new ConfigWriter(editor.files);
    this.add({ dispose: () => clearTimeout(this.#timer) });
  }

  /**
   * Writes `change` and says `done` once it holds; the workspace reads the config again at once, and for some seconds the
   * change can be undone. In the active folder unless another is given. See {@link ConfigWriter.write} for what it throws.
   */
  async change(change: ConfigChange, done: string, where?: vscode.WorkspaceFolder): Promise<void> {
    const { folder, workspace } = await this.editor.registry.require(where);
    const { report } = workspace.snapshot;
    const { outcome, edit } = await this.#writer.write(folder, change);
    const tokens = (): number | undefined =>
      tokensChanged(report, workspace.snapshot.report, this.editor.preferences.mode);
    const restore = async (): Promise<void> => {
      if (edit) await this.#writer.restore(edit);
      workspace.notify(CONFIG_CHANGED);
    };
    this.offerUndo(edit && { workspace, done, tokens, restore });
    if (outcome === 'written') workspace.notify(CONFIG_CHANGED);
    if (outcome === 'unsaved') void this.#offerToSave(vscode.Uri.joinPath(folder.uri, CONFIG_PATH));
    else this.editor.announce(done);
  }

  /**
   * Takes the last change back while it is offered; else nothing.
   * @throws EditorError `changed` when the config says something else meanwhile; see {@link ConfigWriter.write} for more
   */
  async undo(): Promise<void> {
    const last = this.#last;
    if (!last) return;
    this.forgetUndo();
    await last.restore();
    this.editor.announce(vscode.l10n.t('Undone: {0}', last.done));
  }

  /** Something else is done: the last change is no longer offered. */
  forgetUndo(): void {
    if (this.#last) this.offerUndo(undefined);
  }

  /** What the last change in this workspace did, with the tokens that it saved once they are counted. */
  undoLine(workspace: Workspace): { readonly sentence: string } | undefined {
    const last = this.#last;
    if (last?.workspace !== workspace) return undefined;
    const tokens = last.tokens();
    if (tokens === undefined) return { sentence: last.done };
    const sign = tokens < 0 ? '−' : '+';
    if (last.isEstimate) {
      const size = Math.round(Math.abs(tokens) / ESTIMATE_UNIT) * ESTIMATE_UNIT;
      return { sentence: vscode.l10n.t('{0}: about {1} tokens', last.done, `${sign}${formatCount(size)}`) };
    }
    const signed = `${sign}${formatCount(Math.abs(tokens))}`;
    const isOne = Math.abs(tokens) === 1;
    return {
      sentence: isOne
        ? vscode.l10n.t('{0}: {1} token', last.done, signed)
        : vscode.l10n.t('{0}: {1} tokens', last.done, signed),
    };
  }

  /** Offers for some seconds to take a change back that is done already; undefined: nothing more is offered. */
  offerUndo(last: LastChange | undefined): void {
    clearTimeout(this.#timer);
    this.#last = last;
    if (last) this.#timer = setTimeout(() => this.forgetUndo(), UNDO_MS);
    this.#changed.fire();
  }

  async #offerToSave(uri: vscode.Uri): Promise<void> {
    const save = vscode.l10n.t('Save');
    const text = vscode.l10n.t(
      '{0} has unsaved changes, including this one. It takes effect when you save the file.',
      CONFIG_PATH,
    );
    if ((await vscode.window.showInformationMessage(text, save)) !== save) return;
    await openDocument(uri)?.save();
  }
}

/** Tries of an edit, and the time between them: typing changes the text every 100 ms or so. */
const MAX_TRIES = 4;
const RETRY_MS = 60;

/** A text of a config that was put in the place of another; `before` is undefined where there was no file. */
interface ConfigEdit {
  readonly folder: vscode.WorkspaceFolder;
  readonly before: string | undefined;
  readonly after: string;
}

/** What became of a change. */
interface ConfigWrite {
  /** `unchanged`: the file says so already. `unsaved`: it is in an editor, among unsaved changes. */
  readonly outcome: 'written' | 'unchanged' | 'unsaved';
  /** Undefined where nothing had to be changed. */
  readonly edit: ConfigEdit | undefined;
}

/**
 * Writes changes into a folder's config, one after the other: into its document where that has unsaved work, which stays
 * unsaved and can be undone, else into the file, which open editors follow.
 */
export class ConfigWriter {
  #queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly files: FolderFiles) {}

  /**
   * Applies `change` after all earlier ones.
   * @throws ConfigEditError when the config is broken; EditorError `config` when it cannot be read or written, `untrusted`
   * in Restricted Mode
   */
  write(folder: vscode.WorkspaceFolder, change: ConfigChange): Promise<ConfigWrite> {
    return this.#next(() => applyChange(this.files, folder, change));
  }

  /**
   * Puts back what was there before `edit`, after all earlier changes; a file that was not there goes.
   * @throws EditorError `changed` when the config is no longer as the edit left it; as `write` for the rest
   */
  restore(edit: ConfigEdit): Promise<void> {
    return this.#next(() => restore(this.files, edit));
  }

  #next<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => {
      requireTrust();
      return run();
    });
    // A change that failed is its caller's matter; the next one goes on.
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

async function restore(files: FolderFiles, { folder, before, after }: ConfigEdit): Promise<void> {
  const document = openDocument(vscode.Uri.joinPath(folder.uri, CONFIG_PATH));
  const isDirty = document?.isDirty === true;
  if ((isDirty ? document.getText() : await readText(files, folder)) !== after)
    throw new EditorError('changed', vscode.l10n.t('{0} changed meanwhile, so it was not modified.', CONFIG_PATH));
  if (isDirty) {
    if (!(await replaceIn(document, after, before ?? ''))) throw notWritten();
  } else await writeText(files, folder, before);
}

async function applyChange(
  files: FolderFiles,
  folder: vscode.WorkspaceFolder,
  change: ConfigChange,
): Promise<ConfigWrite> {
  const document = openDocument(vscode.Uri.joinPath(folder.uri, CONFIG_PATH));
  if (document?.isDirty) return editDocument(folder, document, change);
  // A document without changes follows its file by itself. To save it would fail where it lags behind the file, as one
  // does that VS Code keeps for a while after its editor was closed.
  return editFile(files, folder, change);
}

/** Puts the change beside the work that is not saved yet. */
async function editDocument(
  folder: vscode.WorkspaceFolder,
  document: vscode.TextDocument,
  change: ConfigChange,
): Promise<ConfigWrite> {
  for (let tries = 1; ; tries++) {
    const before = document.getText();
    const after = editConfig(before, change, say);
    if (after === before) return { outcome: 'unsaved', edit: undefined };
    if (await replaceIn(document, before, after)) return { outcome: 'unsaved', edit: { folder, before, after } };
    if (tries === MAX_TRIES) throw notWritten();
    // The editor refuses a change to a text that has changed meanwhile; what it is now is on its way to us.
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Whether the editor took the change. */
function replaceIn(document: vscode.TextDocument, before: string, after: string): Thenable<boolean> {
  const { start, end, content } = difference(before, after);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
  return vscode.workspace.applyEdit(edit);
}

async function editFile(
  files: FolderFiles,
  folder: vscode.WorkspaceFolder,
  change: ConfigChange,
): Promise<ConfigWrite> {
  const before = await readText(files, folder);
  const after = editConfig(before ?? '', change, say);
  if (after === before) return { outcome: 'unchanged', edit: undefined };
  await writeText(files, folder, after);
  return { outcome: 'written', edit: { folder, before, after } };
}

/** Writes the whole file, or deletes it for `undefined`. */
async function writeText(files: FolderFiles, folder: vscode.WorkspaceFolder, text: string | undefined): Promise<void> {
  try {
    await files.write(folder, CONFIG_PATH, text);
  } catch (error) {
    throw notWritten(error);
  }
}

/** The file's text with its byte order mark; undefined where there is no file. */
async function readText(files: FolderFiles, folder: vscode.WorkspaceFolder): Promise<string | undefined> {
  try {
    return await files.read(folder, CONFIG_PATH);
  } catch (error) {
    if (EditorError.is(error, 'notText')) throw failed(error.message);
    throw failed(vscode.l10n.t('{0} could not be read: {1}', CONFIG_PATH, sayError(error)), error);
  }
}

function notWritten(error?: unknown): EditorError {
  const isReadOnly = error instanceof vscode.FileSystemError && error.code === 'NoPermissions';
  return error === undefined || isReadOnly
    ? failed(
        vscode.l10n.t(
          '{0} could not be written: the folder or file is read-only, or another program is writing it. Nothing was changed.',
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
