import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { type Logger, NEVER_ABORTED } from '../../../core/ports/ports';
import { Masking } from '../../../core/secrets/masking';
import { maskedFindings, maskedTitles } from '../../../core/window/sessions/maskSession';
import { sessionPage, sessionRow } from '../../../core/window/sessions/sessionPage';
import { type CreateEngines, createWorkerEngines } from '../../engines';
import { openFileSource } from '../../fileSource';
import { serveJob } from '../../jobThread';
import { readFolderSessions } from './folderSessions';
import type { SessionsAnswer, SessionsJob } from './threadedSessions';

// The entry of the thread that reads sessions for a host whose own thread must stay free.

/** As the command line counts, so that both keep one cache. */
const TOKENIZER = 'o200k_base';

/** @throws Error when the folder cannot be opened; NotScanned when a finding of the wanted session cannot be masked */
export async function readJob(
  { productRoot, opened, env, agents, since, id }: SessionsJob,
  logger: Logger,
  createEngines: CreateEngines = createWorkerEngines,
): Promise<SessionsAnswer> {
  const { realRoot } = await openFileSource(opened);
  const engines = createEngines({ productRoot, logger });
  try {
    const { engine, secrets } = engines;
    const { sessions, problems } = await readFolderSessions({
      realRoot,
      opened,
      env,
      agents,
      since,
      signal: NEVER_ABORTED,
      databases: path.join(productRoot, 'dist', 'databases.js'),
      engine,
      tokenizer: TOKENIZER,
      logger,
    });
    const masking = new Masking(secrets);
    const wanted = sessions.find((session) => session.id === id);
    const pages = wanted ? [sessionPage(await maskedFindings(wanted, masking))] : [];
    return {
      sessions: await maskedTitles(sessions.map(sessionRow), masking),
      page: (await maskedTitles(pages, masking))[0],
      problems,
    };
  } finally {
    engines.dispose();
  }
}

serveJob(({ logger }) => readJob(workerData as SessionsJob, logger));
