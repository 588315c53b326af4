import { isRecord } from '../../core/text/jsonRecord';
import { toOneLine } from '../../core/text/sentence';
import { ToolError } from '../../core/tools/tool';

/** The argument that every tool has here besides its own: the editor may have several folders open. */
export const FOLDER_ARGUMENT = 'folder';

/** A tool's arguments without the folder, and the folder's name. */
interface FolderInput {
  readonly folderName: string | undefined;
  readonly input: unknown;
}

/** Takes the folder out of the arguments. @throws ToolError `input` when it is no text */
export function splitFolder(given: unknown): FolderInput {
  if (!isRecord(given) || !(FOLDER_ARGUMENT in given)) return { folderName: undefined, input: given };
  const { [FOLDER_ARGUMENT]: folderName, ...input } = given;
  if (folderName !== undefined && typeof folderName !== 'string')
    throw new ToolError('input', 'The call was not understood: folder must be a string.');
  return { folderName: folderName || undefined, input };
}

interface Named {
  readonly name: string;
}

function namesOf(folders: readonly Named[]): string {
  return folders.map(({ name }) => toOneLine(name)).join(', ');
}

/**
 * The folder a call is about: the one of that name, else the active one.
 * @throws ToolError when there is none, or when the name fits none or several
 */
export function pickFolder<T extends Named>(
  folders: readonly T[],
  active: T | undefined,
  folderName: string | undefined,
): T {
  const first = active ?? folders[0];
  if (!first) throw new ToolError('unavailable', 'No folder is open in the editor.');
  if (folderName === undefined) return first;
  const [found, ...others] = folders.filter(({ name }) => name === folderName);
  if (!found) throw new ToolError('unknown', `No folder here has this name. Open are: ${namesOf(folders)}.`);
  if (others.length === 0) return found;
  if (found.name === first.name) return first;
  throw new ToolError('input', 'Several folders have this name: leave folder out for the active one.');
}

/** The line above an answer that says which folder it is about, where several are open; empty else. Ends with `\n`. */
export function folderLine(folders: readonly Named[], folder: Named): string {
  if (folders.length < 2) return '';
  const others = folders.filter((each) => each !== folder);
  return `folder ${toOneLine(folder.name)} (others: ${namesOf(others)})\n`;
}
