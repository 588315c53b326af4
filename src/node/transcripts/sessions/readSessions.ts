/**
 * Reads the sessions of one workspace from the agents' logs, one log after the other, in bounded memory: texts are counted
 * a batch at a time and forgotten.
 */

import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../../../core/text/hash';
import { isRecord, parseJson } from '../../../core/text/jsonRecord';
import { type LineListener, type LinePlace, LineSplitter } from '../../../core/text/lineSplitter';
import { plural } from '../../../core/text/numbers';
import { messageOf } from '../../../core/text/phrase';
import { MAX_RECORD_BYTES } from '../../../core/transcripts/recordReader';
import { SESSION_FORMATS } from '../../../core/transcripts/sessions/formats';
import type { SessionAgent, SessionEvent, SessionHead } from '../../../core/transcripts/sessions/sessionLog';
import { WorkspacePaths, type WorkspacePlace } from '../../../core/transcripts/workspacePaths';
import { standingOrders } from '../../../core/window/sessions/evidence';
import type { SessionProblem } from '../../../core/window/sessions/sessionJson';
import { type AgentSession, assembleSessions, type SessionFile } from '../../../core/window/sessions/sessions';
import { TimelineBuilder } from '../../../core/window/sessions/timeline';
import { errorCode } from '../../errorCode';
import { HOST } from '../../platform';
import { readPieces } from '../../readWhole';
import { type FoundLog, findLogs } from './findSessions';
import type { ReadLog, SessionCache } from './sessionCache';

/** Texts are counted when so many characters have come together. */
const BATCH_CHARS = 1 << 20;
/** A log that says no folder for so many bytes says none at all. */
const LARGEST_HEAD_BYTES = 4 * 1024 * 1024;
/** A document is read as a whole. */
const MAX_DOCUMENT_BYTES = 100_000_000;

/** What to read, and with what. */
export interface SessionsRequest {
  readonly agents: readonly SessionAgent[];
  readonly place: WorkspacePlace;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** Absolute; the home folder unless given. */
  readonly from?: string | undefined;
  readonly signal: AbortSignal;
  /** Exact counts, parallel to the texts. */
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>;
  /** What earlier looks at logs of this workspace came to; without it every log is read. */
  readonly cache?: SessionCache | undefined;
}

/** Sessions of the workspace, newest first, and what could not be read. */
export interface ReadSessions {
  readonly sessions: readonly AgentSession[];
  readonly problems: readonly SessionProblem[];
}

/** Reads all sessions of the workspace. Never rejects for what a file holds. */
export async function readSessions(request: SessionsRequest): Promise<ReadSessions> {
  const { agents, env, home, from, signal, place, cache } = request;
  const paths = new WorkspacePaths(place);
  const files: SessionFile[] = [];
  const problems: SessionProblem[] = [];
  for (const log of await findLogs(agents, env, home, from)) {
    if (signal.aborted) break;
    const tell = (message: string): void => void problems.push({ path: shownPath(log.path, from ?? home), message });
    const { file, broken } = (await cache?.get(log)) ?? (await readLog(log, paths, request, tell));
    if (broken > 0) tell(`${plural(broken, 'line')} could not be read.`);
    if (file) files.push(file);
  }
  if (!signal.aborted) await cache?.save(agents);
  return { sessions: assembleSessions(files), problems };
}

function shownPath(file: string, base: string): string {
  return HOST.isInside(base, file) ? `~/${HOST.portable(path.relative(base, file))}` : file;
}

/** Thrown by the reader of a log of another folder, to stop it. */
const FOREIGN = Symbol('foreign');
/** What a log of another folder comes to. */
const NOTHING: ReadLog = { file: undefined, broken: 0 };

/** What one log comes to. One that was read to its end, or is of another folder, is kept. */
async function readLog(
  log: FoundLog,
  paths: WorkspacePaths,
  request: SessionsRequest,
  tell: (message: string) => void,
): Promise<ReadLog> {
  const places = new Map<string, readonly [offset: number, bytes: number]>();
  try {
    const read = await readWhole(log, paths, request, places);
    if (!request.signal.aborted) request.cache?.put(log, read, places);
    return read;
  } catch (cause) {
    tell(`The file could not be read (${errorCode(cause) ?? messageOf(cause)}).`);
    return NOTHING;
  }
}

/** Puts where a person's orders stand into `places`. @throws for what cannot be read */
async function readWhole(
  log: FoundLog,
  paths: WorkspacePaths,
  { countTokens, signal }: SessionsRequest,
  places: Map<string, readonly [offset: number, bytes: number]>,
): Promise<ReadLog> {
  const base = path.basename(log.path).replace(/(?:\.messages)?\.[a-z]+$/, '');
  // Copilot's logs all have one name, in folders of theirs.
  const name = base === 'events' ? path.basename(path.dirname(log.path)) : base;
  const head: SessionHead = log.cwd === undefined ? {} : { cwd: log.cwd };
  const pending: SessionEvent[] = [];
  let chars = 0;
  let place: LinePlace | undefined;
  const format = SESSION_FORMATS[log.agent];
  const beside = log.beside === undefined ? undefined : await readDocument(log.beside).catch(() => undefined);
  const reader = format.open(
    {
      head,
      emit: (event) => {
        if (event.kind !== 'block') return void pending.push(event);
        chars += event.text.length;
        if (event.from === 'user' && place) {
          const { offset, endOffset } = place;
          for (const order of standingOrders(event.text)) places.set(hashText(order), [offset, endOffset - offset]);
        }
        const { call } = event;
        const relative = call?.path === undefined ? undefined : paths.relative(call.path, head.cwd);
        pending.push(call && relative !== undefined ? { ...event, call: { ...call, path: relative } } : event);
      },
    },
    { name, beside: isRecord(beside) ? beside : undefined },
  );
  const builder = new TimelineBuilder();
  const flush = async (): Promise<void> => {
    const counts = await countEach(pending, countTokens);
    for (const [at, event] of pending.entries()) builder.add(event, counts[at] ?? 0);
    pending.length = 0;
    chars = 0;
  };
  let handle: FileHandle | undefined;
  let broken = 0;
  const lines = new LineSplitter(MAX_RECORD_BYTES);
  const readLine: LineListener = (text, at, isUnfinished) => {
    place = at;
    const value = text === undefined ? undefined : parseJson(text);
    if (isRecord(value)) reader.record(value);
    else if (!isUnfinished && text?.trim() !== '') broken++;
    if (head.cwd !== undefined && !paths.owns(head.cwd)) throw FOREIGN;
  };
  try {
    if (format.form === 'document') {
      if (head.cwd === undefined || !paths.owns(head.cwd)) return NOTHING;
      if (log.sizeBytes > MAX_DOCUMENT_BYTES) throw new Error(`it has more than ${MAX_DOCUMENT_BYTES / 1_000_000} MB`);
      const document = await readDocument(log.path);
      if (!isRecord(document)) throw new Error('it is no JSON object');
      reader.record(document);
      await flush();
      return { file: { agent: log.agent, name, head, timeline: builder.finish() }, broken };
    }
    handle = await open(log.path, 'r');
    let bytes = 0;
    for await (const piece of readPieces(handle, 0, Number.POSITIVE_INFINITY, signal)) {
      lines.push(piece, readLine);
      bytes += piece.length;
      if (head.cwd === undefined && bytes > LARGEST_HEAD_BYTES) return NOTHING;
      if (chars >= BATCH_CHARS) await flush();
    }
    lines.end(readLine);
    reader.end?.();
    // A log that says no folder is nobody's.
    if (head.cwd === undefined) return NOTHING;
    await flush();
    return { file: { agent: log.agent, name, head, timeline: builder.finish() }, broken };
  } catch (cause) {
    if (cause === FOREIGN) return NOTHING;
    throw cause;
  } finally {
    await handle?.close();
  }
}

/** Its value; undefined for what is no JSON. */
async function readDocument(file: string): Promise<unknown> {
  return parseJson(await readFile(file, 'utf8'));
}

async function countEach(
  events: readonly SessionEvent[],
  countTokens: SessionsRequest['countTokens'],
): Promise<readonly number[]> {
  const texts = [
    ...new Set(events.flatMap((event) => (event.kind === 'block' && event.text !== '' ? [event.text] : []))),
  ];
  if (texts.length === 0) return [];
  const counts = await countTokens(texts);
  const known = new Map(texts.map((text, at) => [text, counts[at] ?? 0]));
  return events.map((event) => (event.kind === 'block' ? (known.get(event.text) ?? 0) : 0));
}
