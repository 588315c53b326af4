import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const undos: (() => unknown)[] = [];

/** Has `undo` run after the test that is running, last come first. */
export function afterTest(undo: () => unknown): void {
  undos.push(undo);
}

/** Runs what the test left to undo. `setup.ts` hooks it into each file: files share a process, and with it this module. */
export async function undoAll(): Promise<void> {
  for (const undo of undos.splice(0).reverse()) await undo();
}

/** A folder by its real path, with `files` in it, removed after the test. */
export async function tempFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'context-budget-test-')));
  afterTest(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}
