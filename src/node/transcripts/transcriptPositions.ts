import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../core/ports/ports';
import { isRecord } from '../../core/text/jsonRecord';
import type { ResumePoint } from '../../core/transcripts/transcriptAdapter';
import { writeFileAtomic } from '../atomicFile';
import { errorCode } from '../errorCode';

/** How far a file was read. */
export interface TranscriptPosition {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** It belongs to another folder, which does not change. */
  readonly isForeign: boolean;
  /** Its last turn was not over, and was not given out. */
  readonly hasOpen: boolean;
  /** Absent for files that are read as a whole. */
  readonly resume?: ResumePoint | undefined;
}

/** Positions of files that were last written longer ago are forgotten: they are not looked at any more. */
const KEPT_MS = 60 * 24 * 60 * 60 * 1000;
const NAME = 'transcripts.json';
const VERSION = 1;

/**
 * How far the transcripts of one workspace were read, in the user's own cache folder and never in the workspace. Losing it
 * costs reading again: what was recorded is known by its origin.
 */
export class TranscriptPositions {
  readonly #file: string;

  /** `folder` is the workspace's own below the user's caches. Absolute. */
  constructor(
    folder: string,
    private readonly logger: Logger,
  ) {
    this.#file = path.join(folder, NAME);
  }

  /** By absolute path; empty when there is none or it is damaged. Never rejects. */
  async load(): Promise<ReadonlyMap<string, TranscriptPosition>> {
    try {
      return parse(await readFile(this.#file, 'utf8'));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.logger.debug(`Transcripts are read from their start: their positions cannot be read (${String(error)})`);
      return new Map();
    }
  }

  /** Keeps `read` beside what is known of other files, as of `nowMs`. Never rejects. */
  async add(read: ReadonlyMap<string, TranscriptPosition>, nowMs: number): Promise<void> {
    const positions = [...(await this.load()), ...read].filter(([, { mtimeMs }]) => mtimeMs >= nowMs - KEPT_MS);
    const text = `${JSON.stringify({ version: VERSION, files: Object.fromEntries(positions) })}\n`;
    try {
      await writeFileAtomic(this.#file, text);
    } catch (error) {
      this.logger.warn(`How far transcripts were read could not be kept: ${errorCode(error) ?? String(error)}`);
    }
  }
}

function parse(text: string): ReadonlyMap<string, TranscriptPosition> {
  const value: unknown = JSON.parse(text);
  const { version, files } = isRecord(value) ? value : {};
  if (version !== VERSION || !isRecord(files)) return new Map();
  return new Map(Object.entries(files).filter((entry): entry is [string, TranscriptPosition] => isPosition(entry[1])));
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isPosition(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { sizeBytes, mtimeMs, isForeign, hasOpen, resume } = value;
  const isKnown =
    isCount(sizeBytes) && typeof mtimeMs === 'number' && typeof isForeign === 'boolean' && typeof hasOpen === 'boolean';
  return isKnown && (resume === undefined || isResume(resume));
}

function isResume(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { offset, line, turns, session, cwd, model } = value;
  const isText = (field: unknown): boolean => field === undefined || typeof field === 'string';
  return isCount(offset) && isCount(line) && isCount(turns) && [session, cwd, model].every(isText);
}
