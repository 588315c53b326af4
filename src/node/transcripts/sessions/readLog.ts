/** Reads one log of the workspace: lines, one document, files of messages, or a database with many sessions. */

import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, isShallow, type JsonRecord, parseJson } from '../../../core/text/jsonRecord';
import { type LineListener, LineSplitter } from '../../../core/text/lineSplitter';
import { parseObject, textAt } from '../../../core/transcripts/jsonFields';
import { MAX_RECORD_BYTES } from '../../../core/transcripts/recordReader';
import { SESSION_FORMATS } from '../../../core/transcripts/sessions/formats';
import type { SessionHead } from '../../../core/transcripts/sessions/sessionLog';
import type { WorkspacePaths } from '../../../core/transcripts/workspacePaths';
import type { SessionFile } from '../../../core/window/sessions/sessions';
import { readPieces } from '../../readWhole';
import type { FoundLog } from './findSessions';
import { type CountTokens, LogTimeline } from './logTimeline';
import type { ReadLog } from './sessionCache';
import { MAX_DATABASE_BYTES, ThreadedDatabase } from './threadedDatabase';

/** A log that says no folder for so many bytes says none at all. */
const LARGEST_HEAD_BYTES = 4 * 1024 * 1024;
/** A document is read as a whole. */
const MAX_DOCUMENT_BYTES = 100_000_000;

/** What logs are read with. */
export interface LogRequest {
  readonly paths: WorkspacePaths;
  readonly countTokens: CountTokens;
  readonly signal: AbortSignal;
  /** Absolute path of the bundle of `databaseThread.ts`; without it databases cannot be read. */
  readonly databases?: string | undefined;
}

/** Thrown by the reader of a log of another folder, to stop it. */
const FOREIGN = Symbol('foreign');
/** What a log of another folder comes to. */
const NOTHING: ReadLog = { files: [], broken: 0 };

/** Where a person's orders stand in a log, by their hashes. */
type Places = Map<string, readonly [offset: number, bytes: number]>;

/**
 * Puts where a person's orders stand into `places`.
 * @throws for what cannot be read
 */
export async function readLog(log: FoundLog, request: LogRequest, places: Places): Promise<ReadLog> {
  if (log.isDatabase) return readDatabase(log, request);
  if (log.messages) return readStored(log, log.messages, request);
  const beside = log.beside === undefined ? undefined : await readDocument(log.beside).catch(() => undefined);
  const timeline = timelineOf(log, request, places, nameOf(log), beside);
  return SESSION_FORMATS[log.agent].form === 'document'
    ? readOne(log, timeline, request)
    : readLines(log, timeline, request);
}

function timelineOf(
  { agent, cwd }: FoundLog,
  { paths, countTokens }: LogRequest,
  places: Places,
  name: string,
  beside: JsonRecord | undefined,
): LogTimeline {
  const head: SessionHead = cwd === undefined ? {} : { cwd };
  const source = { format: SESSION_FORMATS[agent], file: { name, beside }, head };
  return new LogTimeline(source, paths, countTokens, places);
}

function nameOf(log: FoundLog): string {
  const base = path.basename(log.path).replace(/(?:\.messages)?\.[a-z]+$/, '');
  // Logs of Copilot and of Cline's tasks all have one name, in folders of theirs.
  return base === 'events' || base === 'api_conversation_history' ? path.basename(path.dirname(log.path)) : base;
}

/**
 * A list is `items` of an object.
 * @throws Error for what is neither, or nested too deep
 */
async function readDocument(file: string): Promise<JsonRecord> {
  const value = parseJson(await readFile(file, 'utf8'));
  if (!isShallow(value)) throw new Error('it is nested too deep');
  if (Array.isArray(value)) return { items: value };
  if (!isRecord(value)) throw new Error('it is no JSON object');
  return value;
}

async function readOne(log: FoundLog, timeline: LogTimeline, { paths }: LogRequest): Promise<ReadLog> {
  const { head } = timeline;
  const isForeign = (): boolean => head.cwd !== undefined && !paths.owns(head.cwd);
  if (isForeign()) return NOTHING;
  if (log.sizeBytes > MAX_DOCUMENT_BYTES) throw new Error(`it has more than ${MAX_DOCUMENT_BYTES / 1_000_000} MB`);
  timeline.record(await readDocument(log.path));
  if (head.cwd === undefined || isForeign()) return NOTHING;
  return { files: [await timeline.finish()], broken: 0 };
}

async function readLines(log: FoundLog, timeline: LogTimeline, { paths, signal }: LogRequest): Promise<ReadLog> {
  const { head } = timeline;
  let handle: FileHandle | undefined;
  let broken = 0;
  let firstBroken: number | undefined;
  const lines = new LineSplitter(MAX_RECORD_BYTES);
  const readLine: LineListener = (text, at, isUnfinished) => {
    const record = text === undefined ? undefined : parseObject(text);
    if (record) timeline.record(record, at);
    else if (!isUnfinished && text?.trim() !== '') {
      broken++;
      firstBroken ??= at.line;
    }
    if (head.cwd !== undefined && !paths.owns(head.cwd)) throw FOREIGN;
  };
  try {
    handle = await open(log.path, 'r');
    let bytes = 0;
    for await (const piece of readPieces(handle, 0, Number.POSITIVE_INFINITY, signal)) {
      lines.push(piece, readLine);
      bytes += piece.length;
      if (head.cwd === undefined && bytes > LARGEST_HEAD_BYTES) return NOTHING;
      await timeline.rest();
    }
    lines.end(readLine);
    // A log that names no folder belongs to no workspace.
    return head.cwd === undefined ? NOTHING : { files: [await timeline.finish()], broken, firstBroken };
  } catch (cause) {
    if (cause === FOREIGN) return NOTHING;
    throw cause;
  } finally {
    await handle?.close();
  }
}

/** A session whose messages, and the parts of each, are files. */
async function readStored(log: FoundLog, messages: readonly string[], request: LogRequest): Promise<ReadLog> {
  const session = await readDocument(log.path);
  if (!isOwn(session, request.paths)) return NOTHING;
  const timeline = timelineOf(log, request, new Map(), nameOf(log), session);
  const parts = path.resolve(log.path, '..', '..', '..', 'part');
  let broken = 0;
  const read = (file: string): Promise<JsonRecord | undefined> =>
    readDocument(file).catch(() => {
      broken++;
      return undefined;
    });
  for (const file of messages) {
    if (request.signal.aborted) break;
    const message = await read(file);
    if (!message) continue;
    const folder = path.join(parts, path.basename(file, '.json'));
    // A message may have no parts yet.
    const names = await readdir(folder).catch((): string[] => []);
    const own = await Promise.all(names.sort().map((name) => read(path.join(folder, name))));
    timeline.record({ ...message, parts: own.filter((part) => part !== undefined) });
    await timeline.rest();
  }
  return { files: [await timeline.finish()], broken };
}

function isOwn(session: JsonRecord, paths: WorkspacePaths): boolean {
  const folder = textAt(session, 'directory');
  return folder !== undefined && paths.owns(folder);
}

async function readDatabase(log: FoundLog, request: LogRequest): Promise<ReadLog> {
  const { databases, signal, paths } = request;
  if (databases === undefined) throw new Error('databases are not read here');
  if (log.sizeBytes > MAX_DATABASE_BYTES) throw new Error(`it has more than ${MAX_DATABASE_BYTES / 1_000_000} MB`);
  return ThreadedDatabase.read(databases, log.path, signal, async (sessions, database) => {
    const files: SessionFile[] = [];
    let broken = 0;
    for (const session of sessions.filter((each) => isOwn(each, paths))) {
      const id = textAt(session, 'id') ?? '';
      const timeline = timelineOf(log, request, new Map(), id, session);
      for (let from: number | undefined = 0; from !== undefined; ) {
        const read = await database.records(id, from);
        for (const record of read.records) timeline.record(record);
        await timeline.rest();
        broken += read.broken;
        from = read.next;
      }
      files.push(await timeline.finish());
    }
    return { files, broken };
  });
}
