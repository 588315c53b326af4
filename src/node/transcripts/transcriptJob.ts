/**
 * What reading transcripts is asked for, as plain data, so that it can be done in this thread (`openJob`) or in another
 * (`ThreadedTurns`). Either way the same code reads.
 */

import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../core/ports/ports';
import { phrase, wordedErrorClass } from '../../core/text/phrase';
import { adapterOf } from '../../core/transcripts/adapters';
import type { TranscriptAdapter } from '../../core/transcripts/transcriptAdapter';
import { WorkspacePaths, type WorkspacePlace } from '../../core/transcripts/workspacePaths';
import { errorCode } from '../errorCode';
import { openNamed, readAt, readPieces } from '../readWhole';
import { type TranscriptPosition, TranscriptPositions } from './transcriptPositions';
import { type ScannedTurn, TranscriptScan, type TranscriptScanRequest, type TurnSource } from './transcriptScan';

/** Why a named transcript cannot be read; `threadLost`: the thread that reads transcripts is gone. */
export type TranscriptErrorReason = 'unreadable' | 'unknownFormat' | 'otherFolder' | 'threadLost';

/** A failure of reading transcripts, in words for the user. */
export class TranscriptError extends wordedErrorClass<TranscriptErrorReason>('TranscriptError') {}

const HEAD_BYTES = 64 * 1024;

/**
 * All turns of one named file: an export, or a session that lies elsewhere. Throws a `TranscriptError` for a file that is
 * not there, is no transcript, or says that it is of another folder. Positions are not kept.
 */
async function* namedTurns({ file, place, label = path.basename(file) }: NamedJob): AsyncGenerator<ScannedTurn> {
  const paths = new WorkspacePaths(place);
  let handle: FileHandle | undefined;
  try {
    handle = await openNamed(file);
    const { mtimeMs: fileTime } = await handle.stat();
    const fileName = path.basename(file).replace(/\.[a-z]+$/, '');
    const reader = (await adapterFor(handle, file, label, paths)).open({ paths, fileName });
    for await (const piece of readPieces(handle)) for (const turn of reader.push(piece)) yield { turn, fileTime };
    const { turns, end } = reader.end();
    for (const turn of end.open ? [...turns, end.open] : turns) yield { turn, fileTime };
  } catch (cause) {
    const code = errorCode(cause);
    if (TranscriptError.is(cause) || code === undefined) throw cause;
    throw new TranscriptError('unreadable', phrase('{0} cannot be read ({1}).', label, code), { cause });
  } finally {
    await handle?.close();
  }
}

async function adapterFor(
  handle: FileHandle,
  file: string,
  label: string,
  paths: WorkspacePaths,
): Promise<TranscriptAdapter> {
  const head = (await readAt(handle, 0, HEAD_BYTES)).toString('utf8');
  const adapter = adapterOf(file, head);
  if (!adapter) {
    throw new TranscriptError(
      'unknownFormat',
      phrase(
        '{0} is not a readable transcript. Choose a .jsonl of Claude Code or Codex, the .json of VS Code’s “Chat: Export Chat…”, or .aider.chat.history.md.',
        label,
      ),
    );
  }
  const folder = adapter.folderOf(head);
  if (folder !== undefined && !paths.owns(folder)) {
    throw new TranscriptError(
      'otherFolder',
      phrase('{0} is a session of another folder: open that folder, or set it with --root.', label),
    );
  }
  return adapter;
}

/** `file` is absolute; `label` names it in messages. */
interface NamedJob {
  readonly kind: 'file';
  readonly file: string;
  readonly place: WorkspacePlace;
  readonly label?: string | undefined;
}

/** Sessions at the agents' own places, or one named file. */
export type TranscriptJob =
  | {
      readonly kind: 'scan';
      readonly request: Omit<TranscriptScanRequest, 'cancel'>;
      /** The workspace's own folder below the user's caches. Absolute. */
      readonly positionsFolder: string;
    }
  | NamedJob;

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
  return { read: new Map(), turns: () => namedTurns(job) };
};
