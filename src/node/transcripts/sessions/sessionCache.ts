/**
 * What logs of one workspace came to, kept so that a log which did not change is not read again. Kept are numbers, names
 * (of files, programs, tools, servers and models), ids, positions and hashes; a sentence that a finding quotes is kept as
 * its place in the log and its hash, and read from there; so is the title.
 */
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Logger } from '../../../core/ports/ports';
import { hashText } from '../../../core/text/hash';
import { isRecord, parseJson } from '../../../core/text/jsonRecord';
import type { SessionAgent, SessionHead } from '../../../core/transcripts/sessions/sessionLog';
import { standingOrders } from '../../../core/window/sessions/evidence';
import type { Finding } from '../../../core/window/sessions/sessionData';
import type { SessionFile } from '../../../core/window/sessions/sessions';
import { titleIn } from '../../../core/window/sessions/sessionTitle';
import { writeFileAtomic } from '../../atomicFile';
import { codeOrUnknown, errorCode } from '../../errorCode';
import { readAt } from '../../readWhole';
import type { FoundLog } from './findSessions';

/** Change it with what is kept, or with what readers make of a log. */
const LAYOUT = 10;
/** A cache that says more is none of ours. */
const MAX_BYTES = 256 * 1024 * 1024;
/** A log that was written within this time before it was found may change again within one tick of its file's clock. */
const SETTLED_MS = 2_000;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Where sentences stand in a log, by their hashes: bytes before their record, and of it. */
export type SentencePlaces = ReadonlyMap<string, readonly [offset: number, bytes: number]>;

/** What a log came to. */
export interface ReadLog {
  /** Empty for a log that is not of the workspace; a database holds many. */
  readonly files: readonly SessionFile[];
  /** Lines, rows or files that could not be read. */
  readonly broken: number;
  /** The first of these lines, from 1. */
  readonly firstBroken?: number | undefined;
}

/** A text of a log. Without a place it is in the document beside. */
interface TextPlace {
  readonly hash: string;
  readonly place?: readonly [offset: number, bytes: number] | undefined;
}

type KeptFinding = Omit<Finding, 'what'> & { readonly what: string | TextPlace };

type KeptFile = Omit<SessionFile, 'timeline' | 'title'> & {
  readonly title?: TextPlace | undefined;
  readonly timeline: Omit<SessionFile['timeline'], 'findings' | 'promptTimes'> & {
    readonly findings: readonly KeptFinding[];
    readonly promptTimes: readonly (number | null)[];
  };
};

interface KeptLog {
  readonly agent: SessionAgent;
  readonly stamp: string;
  readonly broken: number;
  readonly firstBroken?: number | undefined;
  readonly files: readonly KeptFile[];
}

/** Open one for each look, ask and tell it of every log, then `save` it. Never rejects. */
export class SessionCache {
  readonly #kept = new Map<string, KeptLog>();
  #known: ReadonlyMap<string, KeptLog> = new Map();
  #isChanged = false;

  /**
   * @param file absolute, in the user's caches
   * @param key whatever the results depend on beside the logs: another one makes all of it void
   */
  private constructor(
    private readonly file: string,
    private readonly key: string,
    private readonly nowMs: number,
    private readonly logger: Logger,
  ) {}

  static async open(file: string, key: string, nowMs: number, logger: Logger): Promise<SessionCache> {
    const cache = new SessionCache(file, hashText(key), nowMs, logger);
    try {
      const text = await decompress(await readFile(file), { maxOutputLength: MAX_BYTES });
      cache.#known = cache.#parsed(parseJson(text.toString('utf8')));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        logger.debug(`Sessions are read from their start: their cache cannot be read (${codeOrUnknown(error)})`);
    }
    return cache;
  }

  /** What the log came to when it was as it is now; undefined when that is not known. */
  async get(log: FoundLog): Promise<ReadLog | undefined> {
    const name = hashText(log.path);
    const kept = this.#known.get(name);
    if (kept?.stamp !== hashText(log.stamp)) return undefined;
    const files: SessionFile[] = [];
    for (const each of kept.files) {
      const file = await restored(each, log);
      if (!file) return undefined;
      files.push(file);
    }
    this.#kept.set(name, kept);
    return { files, broken: kept.broken, firstBroken: kept.firstBroken };
  }

  /** Keeps what is known of a log that is not looked at. */
  leave(log: FoundLog): void {
    const name = hashText(log.path);
    const kept = this.#known.get(name);
    if (kept) this.#kept.set(name, kept);
  }

  put(log: FoundLog, { files, broken, firstBroken }: ReadLog, places: SentencePlaces): void {
    if (log.mtimeMs > this.nowMs - SETTLED_MS) return;
    const kept = files.flatMap((file) => withoutTexts(file, places) ?? []);
    // A sentence without a place (all of a database are) could only be kept as text.
    if (kept.length < files.length) return;
    const entry = { agent: log.agent, stamp: hashText(log.stamp), broken, firstBroken, files: kept };
    this.#kept.set(hashText(log.path), entry);
    this.#isChanged = true;
  }

  /** Forgets logs of `agents` that were neither asked for nor told. */
  async save(agents: readonly SessionAgent[]): Promise<void> {
    const others = [...this.#known].filter(([name, { agent }]) => !agents.includes(agent) && !this.#kept.has(name));
    const logs = [...others, ...this.#kept];
    if (!this.#isChanged && logs.length === this.#known.size) return;
    try {
      const text = JSON.stringify({ layout: LAYOUT, key: this.key, logs: Object.fromEntries(logs) });
      await writeFileAtomic(this.file, await compress(text), false);
    } catch (error) {
      this.logger.debug(`What sessions came to could not be kept (${codeOrUnknown(error)})`);
    }
  }

  #parsed(value: unknown): ReadonlyMap<string, KeptLog> {
    const { layout, key, logs } = isRecord(value) ? value : {};
    if (layout !== LAYOUT || key !== this.key || !isRecord(logs)) return new Map();
    return new Map(Object.entries(logs).filter((entry): entry is [string, KeptLog] => isKeptLog(entry[1])));
  }
}

/** The name of the cache of logs below `base`, in the workspace's cache folder. */
export function sessionCacheFile(cacheFolder: string, base: string): string {
  return path.join(cacheFolder, `sessions-${hashText(base)}.json.gz`);
}

/** Checks the shape only: a file whose checksum is right was written by us. */
function isKeptLog(value: unknown): boolean {
  if (!isRecord(value) || typeof value.stamp !== 'string' || typeof value.broken !== 'number') return false;
  return Array.isArray(value.files) && value.files.every(isKeptFile);
}

function isKeptFile(value: unknown): boolean {
  const { head, timeline } = isRecord(value) ? value : {};
  if (!isRecord(head) || !isRecord(timeline)) return false;
  const { requests, findings, promptTimes, servers, calledServers } = timeline;
  return [requests, findings, promptTimes, servers, calledServers].every(Array.isArray);
}

function withoutTexts({ head, timeline, title, ...file }: SessionFile, places: SentencePlaces): KeptFile | undefined {
  const { cwd: _, ...kept }: SessionHead = head;
  const findings: KeptFinding[] = [];
  for (const finding of timeline.findings) {
    if (finding.rule !== 'lost-instruction') findings.push(finding);
    else {
      const hash = hashText(finding.what);
      const place = places.get(hash);
      if (!place) return undefined;
      findings.push({ ...finding, what: { hash, place } });
    }
  }
  const promptTimes = timeline.promptTimes.map((time) => time ?? null);
  const hash = title === undefined ? undefined : hashText(title);
  const named = hash === undefined ? {} : { title: { hash, place: places.get(hash) } };
  return { ...file, ...named, head: kept, timeline: { ...timeline, findings, promptTimes } };
}

/** Undefined when a sentence is not where it was. */
async function restored(file: KeptFile, log: FoundLog): Promise<SessionFile | undefined> {
  const findings: Finding[] = [];
  for (const finding of file.timeline.findings) {
    const { what } = finding;
    const text = typeof what === 'string' ? what : await textOf(log, what, standingOrders);
    if (text === undefined) return undefined;
    // In its old place among the fields: the JSON shows their order.
    findings.push({ ...finding, what: text });
  }
  const title = file.title && (await textOf(log, file.title, (text) => [titleIn(text) ?? '']));
  if (file.title && title === undefined) return undefined;
  const promptTimes = file.timeline.promptTimes.map((time) => time ?? undefined);
  return { ...file, title, timeline: { ...file.timeline, findings, promptTimes } };
}

/** The text of that hash among those that `partsOf` finds where it is; undefined when there is none any more. */
async function textOf(
  log: FoundLog,
  { hash, place }: TextPlace,
  partsOf: (text: string) => readonly string[],
): Promise<string | undefined> {
  try {
    const record = parseJson(place ? await recordAt(log.path, place) : await readFile(log.beside ?? '', 'utf8'));
    for (const text of textsIn(record)) {
      const found = partsOf(text).find((part) => hashText(part) === hash);
      if (found !== undefined) return found;
    }
  } catch {
    // The log is gone or another one: it is read from its start.
  }
  return undefined;
}

async function recordAt(log: string, [offset, bytes]: readonly [offset: number, bytes: number]): Promise<string> {
  const handle = await open(log, 'r');
  try {
    return (await readAt(handle, offset, bytes)).toString('utf8');
  } finally {
    await handle.close();
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
