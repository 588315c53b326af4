import { access, appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { measureBlocking } from './blocking';
import type { TestHost } from './host';
import { EXTENSION_ID, root } from './support';

const fileOf = (relative: string): string => path.join(root(), relative);

/** The path of our script, which is the end of its URL: other extensions have a `dist/extension.js` too. */
export function extensionScript(): string {
  const extension = vscode.extensions.getExtension(EXTENSION_ID);
  if (!extension) throw new Error(`${EXTENSION_ID} is not installed`);
  return path.join(extension.extensionPath, 'dist', 'extension.js');
}

/** The extension host of a desktop or a remote machine. */
export const NODE_HOST: TestHost = {
  has: new Set(['processes'] as const),
  write: async (relative, text) => {
    await mkdir(path.dirname(fileOf(relative)), { recursive: true });
    await writeFile(fileOf(relative), text);
  },
  append: (relative, text) => appendFile(fileOf(relative), text),
  readText: (relative) => readFile(fileOf(relative), 'utf8'),
  exists: (relative) =>
    access(fileOf(relative)).then(
      () => true,
      () => false,
    ),
  remove: (relative) => rm(fileOf(relative), { force: true }),
  measureBlocking: (work) => measureBlocking(extensionScript(), work),
};
