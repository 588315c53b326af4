/**
 * Reads what is new in the transcripts of one workspace: newest files first, new bytes alone, one turn at a time. What of
 * it is kept is the caller's business, and so is keeping how far was read (`read`).
 */
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../core/ports/ports';
import { ADAPTERS } from '../../core/transcripts/adapters';
import type { AgentName, AgentTurn, TranscriptEnd } from '../../core/transcripts/transcriptAdapter';
import { WorkspacePaths, type WorkspacePlace } from '../../core/transcripts/workspacePaths';
import { errorCode } from '../errorCode';
import { readAt, readPieces } from '../readWhole';
import type { AgentFolders } from './agentFolders';
import { type FoundTranscript, findTranscripts } from './findTranscripts';
import type { TranscriptPosition, TranscriptPositions } from './transcriptPositions';

/** What to read. */
export interface TranscriptScanRequest {
  readonly agents: readonly AgentName[];
  readonly place: WorkspacePlace;
  readonly folders: AgentFolders;
  readonly nowMs: number;
  /** Turns and files before are left out. Milliseconds since the epoch; 30 days back unless given. */
  readonly since?: number | undefined;
  /** Read also what was read before. */
  readonly isAfresh?: boolean | undefined;
  /** No further file is begun once so much was read. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A finished turn, with the time of its file for turns that do not say theirs. */
export interface ScannedTurn {
  readonly turn: AgentTurn;
  readonly fileTime: number;
}

/** Whatever gives turns of the workspace. */
export interface TurnSource {
  /** Can be asked once. */
  turns(): AsyncGenerator<ScannedTurn>;
}

/** What was read, for the log. */
interface TranscriptCounts {
  files: number;
  bytes: number;
  turns: number;
  brokenLines: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 30;
const MAX_FILES = 200;
/** Enough to tell a file's folder: mostly the first, after long instructions or snapshots the second. */
const LARGEST_HEAD_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES: readonly number[] = [64 * 1024, LARGEST_HEAD_BYTES];
/** An agent that wrote nothing for so long is done with its turn, or it was ended. */
const IDLE_MS = 10 * 60 * 1000;

/** One look at the transcripts of a workspace. */
export class TranscriptScan implements TurnSource {
  readonly counts: TranscriptCounts = { files: 0, bytes: 0, turns: 0, brokenLines: 0 };
  readonly #paths: WorkspacePaths;
  readonly #since: number;
  readonly #read = new Map<string, TranscriptPosition>();

  constructor(
    private readonly request: TranscriptScanRequest,
    private readonly positions: TranscriptPositions,
    private readonly logger: Logger,
  ) {
    this.#paths = new WorkspacePaths(request.place);
    this.#since = request.since ?? request.nowMs - DEFAULT_DAYS * DAY_MS;
  }

  /** Finished turns that were not read before. Files that cannot be read are logged. */
  async *turns(): AsyncGenerator<ScannedTurn> {
    const { agents, place, folders, signal, isAfresh, maxBytes = Number.POSITIVE_INFINITY } = this.request;
    const limits = { since: this.#since, maxFiles: MAX_FILES };
    const found = await findTranscripts(agents, place, folders, limits);
    const known = await this.positions.load();
    for (const file of found) {
      if (signal?.aborted || this.counts.bytes >= maxBytes) return;
      const before = known.get(file.path);
      if (before) this.#read.set(file.path, before);
      if (before?.isForeign) continue;
      const isSame = before?.sizeBytes === file.sizeBytes && before.mtimeMs === file.mtimeMs;
      // An open turn gets old without another byte.
      if (!isAfresh && isSame && !(before.hasOpen && this.#isIdle(file))) continue;
      yield* this.#file(file, isAfresh ? undefined : before);
    }
  }

  /** How far was read, by absolute path, as of now. */
  get read(): ReadonlyMap<string, TranscriptPosition> {
    return this.#read;
  }

  async *#file(file: FoundTranscript, before: TranscriptPosition | undefined): AsyncGenerator<ScannedTurn> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file.path, 'r');
      if (await this.#isOwn(handle, file)) yield* this.#newTurns(handle, file, before);
    } catch (error) {
      const why = errorCode(error);
      if (why === undefined) throw error;
      if (why !== 'ENOENT') this.logger.warn(`A transcript of ${file.agent} cannot be read: ${why}`);
    } finally {
      await handle?.close();
    }
  }

  async #isOwn(handle: FileHandle, { agent, path: name, sizeBytes, mtimeMs }: FoundTranscript): Promise<boolean> {
    const adapter = ADAPTERS[agent];
    let head = '';
    let folder: string | undefined;
    for (const headBytes of HEAD_BYTES) {
      head = (await readAt(handle, 0, Math.min(headBytes, sizeBytes))).toString('utf8');
      folder = adapter.folderOf(head);
      if (folder !== undefined || headBytes >= sizeBytes) break;
    }
    // Aider's history lies in the folder itself and says none.
    const isOwn = folder === undefined ? agent === 'aider' : this.#paths.owns(folder);
    // A session that has only begun may still say its folder.
    const isForeign = !isOwn && (folder !== undefined || sizeBytes >= LARGEST_HEAD_BYTES);
    if (isForeign) this.#read.set(name, { sizeBytes, mtimeMs, isForeign, hasOpen: false });
    return isOwn && (folder !== undefined || adapter.isTranscript(name, head));
  }

  #isIdle({ mtimeMs }: FoundTranscript): boolean {
    return this.request.nowMs - mtimeMs >= IDLE_MS;
  }

  async *#newTurns(
    handle: FileHandle,
    file: FoundTranscript,
    before: TranscriptPosition | undefined,
  ): AsyncGenerator<ScannedTurn> {
    const adapter = ADAPTERS[file.agent];
    const canResume = adapter.isAppendOnly && before?.resume && before.resume.offset <= file.sizeBytes;
    const resume = canResume ? before.resume : undefined;
    const fileName = path.basename(file.path).replace(/\.[a-z]+$/, '');
    const reader = adapter.open({ paths: this.#paths, fileName, resume });
    this.counts.files++;
    const { signal } = this.request;
    // What is written while we read is for the next time.
    for await (const piece of readPieces(handle, resume?.offset, file.sizeBytes, signal)) {
      this.counts.bytes += piece.length;
      for (const turn of reader.push(piece)) yield* this.#give(turn, file);
    }
    // Cancelling takes effect between two pieces; a piece's records take a millisecond or two.
    if (signal?.aborted) return;
    const { turns, end } = reader.end();
    for (const turn of turns) yield* this.#give(turn, file);
    const isOver = end.isAnswered || this.#isIdle(file);
    if (end.open && isOver) yield* this.#give(end.open, file);
    this.#tell(file, end);
    // An open turn that was given is read again, from its start, when the file grows.
    const hasOpen = end.open !== undefined && !isOver;
    const { sizeBytes, mtimeMs } = file;
    const goesOn = adapter.isAppendOnly ? end.resume : undefined;
    this.#read.set(file.path, { sizeBytes, mtimeMs, isForeign: false, hasOpen, resume: goesOn });
  }

  *#give(turn: AgentTurn, { mtimeMs }: FoundTranscript): Generator<ScannedTurn> {
    if (turn.startedAt !== undefined && turn.startedAt < this.#since) return;
    this.counts.turns++;
    yield { turn, fileTime: mtimeMs };
  }

  #tell({ agent }: FoundTranscript, { broken, brokenCount, skipped, foreignTurns }: TranscriptEnd): void {
    this.counts.brokenLines += brokenCount;
    const lines = broken.slice(0, 5).map(({ line, why }) => `line ${line}: ${why}`);
    if (lines.length > 0) this.logger.warn(`A transcript of ${agent} has broken records: ${lines.join('; ')}`);
    const kinds = [...skipped].map(([kind, count]) => `${count} ${kind}`).join(', ');
    this.logger.debug(
      `Read a transcript of ${agent}; passed over: ${kinds || 'nothing'}; other folders: ${foreignTurns}`,
    );
  }
}
