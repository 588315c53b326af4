/**
 * A symbol cache that was made elsewhere: in an image, a prebuild or an earlier CI job, for the same files at any path.
 * Only segments are taken, which go by path in the folder and content. Left behind are stamps of files, which belong to
 * one disk, and what was counted and scanned for secrets, which only this user's own runs decide.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CacheStore, Logger } from '../core/ports/ports';
import { SEGMENT_VERSION } from '../core/repomap/index/segment';
import { messageOf } from '../core/text/phrase';
import { MAX_BYTES } from '../core/workspace/symbolCache/indexCache';
import { writeFileAtomic } from './atomicFile';
import { errorCode } from './errorCode';
import { HOST } from './platform';
import { isInWorkspace } from './userFolders';

const VARIABLE = 'CONTEXT_BUDGET_PREBUILT_CACHE';

/** What a prebuilt cache is for. */
interface PrebuiltFor {
  /** The folder's own packs; absolute. */
  readonly own: string;
  readonly realRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
}

function isSegment(name: string): boolean {
  return name.startsWith(`${SEGMENT_VERSION}-`) && name.endsWith('.pack');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Segments of the folder that the variable names: a folder's cache, or the parent of such as `CONTEXT_BUDGET_CACHE_DIR` is. */
async function segmentsIn(prebuilt: string): Promise<readonly string[]> {
  const names = await namesIn(prebuilt);
  const folders = names.filter((name) => /^[0-9a-f]{16}$/.test(name));
  const below = await Promise.all(
    folders.map(async (folder) => (await namesIn(path.join(prebuilt, folder))).map((name) => path.join(folder, name))),
  );
  return [...names, ...below.flat()]
    .filter((file) => isSegment(path.basename(file)))
    .map((file) => path.join(prebuilt, file));
}

/** Copies the segments unless the folder has some already. What is not as it was written is found when it is read. */
async function takeSegments({ own, realRoot, env, logger }: PrebuiltFor): Promise<void> {
  const prebuilt = HOST.fullPath(env[VARIABLE]);
  if (prebuilt === undefined) return;
  // It came with the folder, which could so say what its own symbols are.
  if (await isInWorkspace(realRoot, prebuilt)) {
    logger.warn(`${VARIABLE} is ignored: it names a folder of the workspace`);
    return;
  }
  if ((await namesIn(own)).some(isSegment)) return;
  let room = MAX_BYTES;
  const taking = (await segmentsIn(prebuilt)).map(async (file) => {
    const found = await stat(file);
    if (!found.isFile() || found.size > room) return;
    room -= found.size;
    // A pack that only its maker may read doesn't keep the others away.
    const bytes = await readFile(file).catch((cause: unknown) => {
      const why = errorCode(cause) ?? messageOf(cause);
      logger.warn(`${VARIABLE}: ${path.basename(file)} could not be read (${why})`);
    });
    if (bytes) await writeFileAtomic(path.join(own, path.basename(file)), bytes, false);
  });
  await Promise.all(taking);
}

/** `store`, filled from the prebuilt cache before it is first listed. Without the variable it is `store` itself. */
export function withPrebuilt(store: CacheStore, what: PrebuiltFor): CacheStore {
  if (HOST.fullPath(what.env[VARIABLE]) === undefined) return store;
  let taking: Promise<void> | undefined;
  const take = (): Promise<void> => {
    taking ??= takeSegments(what).catch((cause: unknown) => {
      what.logger.warn(`${VARIABLE} could not be read (${errorCode(cause) ?? messageOf(cause)}); this costs time only`);
    });
    return taking;
  };
  return {
    makeId: () => store.makeId(),
    list: async () => {
      await take();
      return store.list();
    },
    readHead: (name) => store.readHead(name),
    readBody: (name) => store.readBody(name),
    save: (name, head, body) => store.save(name, head, body),
    remove: (names) => store.remove(names),
  };
}
