import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A folder by its real path, with `files` in it, kept for all tests of a file and removed after them. */
export async function keptFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'context-budget-fuzz-')));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

const made: string[] = [];

afterAll(async () => {
  // A run that is cut off by its time limit leaves an input that still writes.
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});
