/**
 * What reading transcripts is asked for, as plain data, so that it can be done in this thread (`openJob`) or in another
 * (`ThreadedTurns`). Either way the same code reads.
 */
import type { Logger } from '../../core/ports/ports';
import type { WorkspacePlace } from '../../core/transcripts/workspacePaths';
import { NamedTranscript } from './namedTranscript';
import { type TranscriptPosition, TranscriptPositions } from './transcriptPositions';
import { TranscriptScan, type TranscriptScanRequest, type TurnSource } from './transcriptScan';

/** Sessions at the agents' own places, or one file that somebody named. */
export type TranscriptJob =
  | {
      readonly kind: 'scan';
      readonly request: Omit<TranscriptScanRequest, 'cancel'>;
      /** The workspace's own folder below the user's caches. Absolute. */
      readonly positionsFolder: string;
    }
  | {
      readonly kind: 'file';
      /** Absolute. */
      readonly file: string;
      readonly place: WorkspacePlace;
      /** Names the file in messages. */
      readonly label?: string | undefined;
    };

/** Turns, and once they are asked for how far their files were read. */
export interface JobTurns extends TurnSource {
  /** By absolute path; empty for a named file. */
  readonly read: ReadonlyMap<string, TranscriptPosition>;
}

/** Opens a job; nothing is read before its turns are asked for. */
export type OpenJob = (job: TranscriptJob, signal: AbortSignal, logger: Logger) => JobTurns;

/** Reads in this thread. */
export const openJob: OpenJob = (job, signal, logger) => {
  if (job.kind === 'scan') {
    const positions = new TranscriptPositions(job.positionsFolder, logger);
    return new TranscriptScan({ ...job.request, signal }, positions, logger);
  }
  const named = new NamedTranscript(job.file, job.place, job.label);
  return { read: new Map(), turns: () => named.turns() };
};
