import path from 'node:path';
import type { Observation } from '../../core/observations/observation';
import { decodeObservation } from '../../core/observations/observationCodec';
import { observationFacts } from '../../core/observations/relayFacts';
import type { LogCursor } from '../../core/records/recordLog';
import { mergeFacts } from '../../core/relay/factsInput';
import { plural } from '../../core/text/numbers';
import type { RelayFacts } from '../../core/transcripts/relayFacts';
import { errorCode } from '../../node/errorCode';
import { JsonlObservationLog } from '../../node/records/fileLogs';
import { readTranscriptFacts } from '../../node/transcriptFacts';
import { CliError } from '../cliError';
import type { CliContext } from '../context';
import { readFolderConfig } from '../folderConfig';
import { openWorkFolder, type WorkFolder } from '../workFolder';

/** Where facts are to be taken from. */
export interface FactOptions {
  readonly transcript?: string;
  readonly observations?: boolean;
}

/** Whether facts are asked for. */
export function wantsFacts({ transcript, observations }: FactOptions): boolean {
  return transcript !== undefined || observations === true;
}

async function transcriptFacts(context: CliContext, { realRoot }: WorkFolder, given: string): Promise<RelayFacts> {
  const { cwd } = context.io;
  const label = `--transcript ${given}`;
  try {
    const opened = path.resolve(cwd, context.options.root ?? cwd);
    const facts = await readTranscriptFacts(path.resolve(cwd, given), false, realRoot, opened);
    if (facts) return facts;
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : 'it could not be read';
    throw new CliError('usage', `${label}: ${why}.`, { cause });
  }
  const known = 'Claude Code, Codex, Copilot Chat (an export) or Aider';
  throw new CliError('usage', `${label}: it is no transcript of ${known}.`);
}

/** All observations of the folder's log, in its order; lines that are none are counted on stderr. */
async function readObservations(context: CliContext, { files, realRoot }: WorkFolder): Promise<readonly Observation[]> {
  const { config } = await readFolderConfig(context, files);
  const { path: logPath } = config.observations;
  const log = new JsonlObservationLog({ realRoot, path: logPath });
  const observations: Observation[] = [];
  let bad = 0;
  let cursor: LogCursor | undefined;
  for (let hasMore = true; hasMore; ) {
    const read = await log.follow(cursor);
    for (const line of new TextDecoder().decode(read.bytes).split('\n')) {
      if (line.trim() === '') continue;
      const decoded = decodeObservation(line);
      if (decoded.kind === 'ok') observations.push(decoded.observation);
      else bad++;
    }
    ({ cursor, hasMore } = read);
  }
  if (bad > 0) context.logger.warn(`${logPath}: ${plural(bad, 'line')} passed over, no observation.`);
  return observations;
}

/** What the transcript and the observations show. Throws a usage error for a transcript that cannot be used. */
export async function readFacts(context: CliContext, { transcript, observations }: FactOptions): Promise<RelayFacts> {
  const folder = await openWorkFolder(context);
  const places: RelayFacts[] = [];
  if (transcript !== undefined) places.push(await transcriptFacts(context, folder, transcript));
  if (observations) places.push(observationFacts(await readObservations(context, folder)));
  return mergeFacts(places);
}
