import * as vscode from 'vscode';
import { LAUNCHER_NAME, launcherText } from '../../core/setup/hooks/hookCommandLine';

/** Where the extension lies, and where it may keep a file of its own across updates. */
export interface ExtensionPlaces {
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
}

/** The command line of this installation, whose folder changes with each update. */
export function cliFile({ extensionUri }: ExtensionPlaces): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'cli.js');
}

/** A text that ships with the extension; `path` is below its folder. */
export async function readOwnText(extensionUri: vscode.Uri, path: string): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, path)));
}

/** A file that other programs may name: it stays where it is and finds the extension after updates. */
export function launcherFile({ globalStorageUri }: ExtensionPlaces): vscode.Uri {
  return vscode.Uri.joinPath(globalStorageUri, LAUNCHER_NAME);
}

/** Rewrites the launcher with the extension's present folder. */
export async function writeLauncher(places: ExtensionPlaces): Promise<void> {
  await vscode.workspace.fs.createDirectory(places.globalStorageUri);
  const text = launcherText(cliFile(places).fsPath);
  await vscode.workspace.fs.writeFile(launcherFile(places), new TextEncoder().encode(text));
}
