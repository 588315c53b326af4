/** The sessions of one folder with all that finding, reading and keeping them takes: for the CLI and for the editor. */
import path from 'node:path';
import { version } from '../../../../package.json';
import type { ContextEngine } from '../../../core/engine/engine';
import type { Logger, TokenizerName } from '../../../core/ports/ports';
import { SYSTEM_CLOCK } from '../../../protocol/clock';
import { cacheName, homeFolder, isInWorkspace, userFolders } from '../../userFolders';
import { workspacePlace } from '../workspaceTranscripts';
import { type ReadSessions, readSessions, type SessionsRequest } from './readSessions';
import { SessionCache, sessionCacheFile } from './sessionCache';

interface FolderSessionsRequest
  extends Pick<SessionsRequest, 'agents' | 'env' | 'from' | 'shownFrom' | 'since' | 'signal' | 'databases'> {
  readonly realRoot: string;
  /** The folder as it was opened, which may be a link to it. */
  readonly opened: string;
  readonly engine: Pick<ContextEngine, 'countTokens'>;
  readonly tokenizer: TokenizerName;
  readonly logger: Logger;
}

/** Sessions of the folder, as far as they can be read. */
export async function readFolderSessions({
  realRoot,
  opened,
  engine,
  tokenizer,
  logger,
  ...request
}: FolderSessionsRequest): Promise<ReadSessions> {
  const { env, from } = request;
  const home = homeFolder(env);
  const place = await workspacePlace(realRoot, opened, home);
  const cacheFile = sessionCacheFile(path.join(userFolders(env).caches, cacheName(realRoot)), from ?? home);
  const key = JSON.stringify([version, tokenizer, place]);
  // What lies in the folder may have come with it.
  const isSafe = !(await isInWorkspace(realRoot, cacheFile));
  return readSessions({
    ...request,
    place,
    home,
    cache: isSafe ? await SessionCache.open(cacheFile, key, SYSTEM_CLOCK.now(), logger) : undefined,
    countTokens: (texts) => engine.countTokens({ texts, tokenizer }),
  });
}
