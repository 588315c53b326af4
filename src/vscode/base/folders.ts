import * as vscode from 'vscode';

/** What `read` gives of a file or folder; undefined where there is none. Other errors of VS Code's file systems pass. */
export async function unlessMissing<T>(read: () => Thenable<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** Path of `uri` inside `folder` with `/` between segments, or undefined when it is the folder itself or elsewhere. */
export function relativePath(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string | undefined {
  if (uri.scheme !== folder.uri.scheme || uri.authority !== folder.uri.authority) return undefined;
  const root = folder.uri.path.endsWith('/') ? folder.uri.path : `${folder.uri.path}/`;
  return uri.path.startsWith(root) && uri.path.length > root.length ? uri.path.slice(root.length) : undefined;
}

type Place = Pick<vscode.WorkspaceFolder, 'uri'>;

/** Where a path of a folder is; the empty path is the folder itself. */
export function uriIn({ uri }: Place, path: string): vscode.Uri {
  return path === '' ? uri : vscode.Uri.joinPath(uri, path);
}

/** Opens a file below a folder as a preview, with the cursor on a line from 1. */
export async function openAtLine({ uri }: Place, path: string, line: number): Promise<void> {
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(uri, path), { selection, preview: true });
}

/** The document of a file while VS Code has one, in an editor or not. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((open) => !open.isClosed && open.uri.toString() === uri.toString());
}

/** The workspace folder of the active editor, if it is in one. */
export function folderOfActiveEditor(): vscode.WorkspaceFolder | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && vscode.workspace.getWorkspaceFolder(uri);
}

/** True when more than one folder is open, so that a folder's name says something. */
export function isMultiRoot(): boolean {
  return (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
}
