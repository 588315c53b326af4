/**
 * The lock of a log, as a file beside it, understood by the Node hosts (`src/node/records/recordLock.ts`): they wait while it is
 * there, and this waits for theirs. A host that writes files whole cannot make a file only if there is none, so two that
 * come within the same few milliseconds may both believe that they hold it; a log looks again before it writes.
 */
import type { Clock } from '../../core/ports/ports';
import type { HeldLock } from '../../core/records/recordStore';
import type { WholeFiles } from './wholeFiles';

/** Until `acquireFileLock` gives up, as the Node hosts do. Milliseconds. */
const PATIENCE_MS = 30_000;
/** A holder that has not let go for so long is gone: an append takes milliseconds. */
const ABANDONED_MS = 15_000;
const WAIT_MS = 50;
/** Stands where a Node host writes its machine's name: no process number of another machine means anything. */
const HOST_NAME = 'web-extension-host';

/** Waits for the lock and holds it; `undefined` when others held it for all of 30 s. Rejects as `files` do. */
export async function acquireFileLock(
  files: WholeFiles,
  path: string,
  clock: Clock,
  makeKey: () => string,
): Promise<HeldLock | undefined> {
  const deadline = clock.now() + PATIENCE_MS;
  let holder = '';
  let since = clock.now();
  for (;;) {
    const found = await textOf(files, path);
    if (found === undefined || (found === holder && clock.now() - since >= ABANDONED_MS)) {
      const record = JSON.stringify({ pid: 0, host: HOST_NAME, key: makeKey() });
      await files.write(path, new TextEncoder().encode(record));
      if ((await textOf(files, path)) === record) return { release: () => release(files, path, record) };
    } else if (found !== holder) {
      holder = found;
      since = clock.now();
    }
    if (clock.now() >= deadline) return undefined;
    await new Promise<void>((resolve) => clock.schedule(resolve, WAIT_MS));
  }
}

async function release(files: WholeFiles, path: string, record: string): Promise<void> {
  // Somebody may have taken us for gone.
  if ((await textOf(files, path)) === record) await files.remove(path);
}

async function textOf(files: WholeFiles, path: string): Promise<string | undefined> {
  const bytes = await files.read(path);
  return bytes && new TextDecoder().decode(bytes);
}
