/**
 * What reading transcripts is asked for, as plain data, so that it can be done in this thread (`openJob`) or in another
 * (`ThreadedTurns`). Either way the same code reads.
 */

import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../core/ports/ports';
import { phrase, wordedErrorClass } from '../../core/text/phrase';
import { adapterOf } from '../../core/transcripts/adapters';
import type { AgentTurn, TranscriptAdapter } from '../../core/transcripts/transcriptAdapter';
import { WorkspacePaths, type WorkspacePlace } from '../../core/transcripts/workspacePaths';
import { errorCode } from '../errorCode';
import { readAt } from '../readWhole';
import { type TranscriptPosition, TranscriptPositions } from './transcriptPositions';
import { type ScannedTurn, TranscriptScan, type TranscriptScanRequest, type TurnSource } from './transcriptScan';

/** Why a named transcript cannot be read; `threadLost`: the thread that reads transcripts is gone. */
export type TranscriptErrorReason = 'unreadable' | 'unknownFormat' | 'otherFolder' | 'threadLost';

/** A failure of reading transcripts, in words for the user. */
export class TranscriptError extends wordedErrorClass<TranscriptErrorReason>('TranscriptError') {}

const HEAD_BYTES = 64 * 1024;
const PIECE_BYTES = 64 * 1024;

/** All turns of one named file: an export, or a session that lies elsewhere. Positions are not kept. */
class NamedTranscript implements TurnSource {
  readonly #paths: WorkspacePaths;

  /** `file` is absolute; `label` names it in messages. */
  constructor(
    private readonly file: string,
    place: WorkspacePlace,
    private readonly label = path.basename(file),
  ) {
    this.#paths = new WorkspacePaths(place);
  }

  /** Throws a `TranscriptError` for a file that is not there, is no transcript, or says that it is of another folder. */
  async *turns(): AsyncGenerator<ScannedTurn> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.file, 'r');
      const { mtimeMs } = await handle.stat();
      const adapter = await this.#adapter(handle);
      for await (const turn of this.#read(handle, adapter)) yield { turn, fileTime: mtimeMs };
    } catch (cause) {
      const code = errorCode(cause);
      if (TranscriptError.is(cause) || code === undefined) throw cause;
      throw new TranscriptError('unreadable', phrase('{0} cannot be read ({1}).', this.label, code), { cause });
    } finally {
      await handle?.close();
    }
  }

  async #adapter(handle: FileHandle): Promise<TranscriptAdapter> {
    const head = (await readAt(handle, 0, HEAD_BYTES)).toString('utf8');
    const adapter = adapterOf(this.file, head);
    if (!adapter) {
      throw new TranscriptError(
        'unknownFormat',
        phrase(
          '{0} is no transcript that can be read: name a .jsonl of Claude Code or Codex, the .json of VS Code’s “Chat: Export Chat…”, or .aider.chat.history.md.',
          this.label,
        ),
      );
    }
    const folder = adapter.folderOf(head);
    if (folder !== undefined && !this.#paths.owns(folder)) {
      throw new TranscriptError(
        'otherFolder',
        phrase('{0} is a session of another folder: open that one, or name it with --root.', this.label),
      );
    }
    return adapter;
  }

  async *#read(handle: FileHandle, adapter: TranscriptAdapter): AsyncGenerator<AgentTurn> {
    const fileName = path.basename(this.file).replace(/\.[a-z]+$/, '');
    const reader = adapter.open({ paths: this.#paths, fileName });
    const buffer = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      yield* reader.push(buffer.subarray(0, bytesRead));
    }
    const { turns, end } = reader.end();
    yield* turns;
    if (end.open) yield end.open;
  }
}

/** Sessions at the agents' own places, or one named file. */
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
