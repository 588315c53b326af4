/**
 * Observations of one folder under the caps of a profile: what the command line, the editor and agents ask. It decides
 * caps and limits of each layer and which files are run logs; finding rows is the store's work.
 */

import { globMatcher, MAX_GLOB_STEPS } from '../files/glob';
import { isSkippedName } from '../files/ignoreRules';
import { isUsageFile } from '../files/usageFiles';
import type { Profile } from '../model/profile';
import { type FileSource, NEVER_ABORTED, type TokenizerName } from '../ports/ports';
import type { LogRepair } from '../records/recordLog';
import { bytesOf } from '../text/counts';
import { decodeText } from '../text/decode';
import { type Phrase, phrase } from '../text/phrase';
import { formatObservationTime } from '../text/time';
import type { ObservationList, ObservationPage } from './browse';
import type { LineDates, LogProblem, UnreadLine } from './ingest/logEvent';
import type { ReadLog } from './ingest/runLog';
import type { LayerAnswer, LayerCaps } from './layers';
import { makeDraft, type ObservationInput } from './observation';
import type { AppendResult, EngineObservationStore, ObservationDetails } from './observationStore';

/** More run logs than this below one folder are data, not a log; the same of folders. */
const MAX_FILES = 20_000;
/** What is listed for all patterns together. */
const MAX_LISTED = 10 * MAX_FILES;

/** What patterns name. */
interface FoundSources {
  /** In order. */
  readonly paths: readonly string[];
  /** Patterns that were not looked for, or not everywhere: there is too much. */
  readonly cut: readonly string[];
}

/** The folder of a glob above its first wildcard. */
function baseOf(pattern: string): string {
  const names = pattern.split('/');
  const wild = names.findIndex((name) => /[*?[\]{}()!+@]/.test(name));
  return (wild < 0 ? names : names.slice(0, wild)).join('/');
}

async function listBelow(files: FileSource, base: string, signal: AbortSignal) {
  const found: string[] = [];
  const folders = [base];
  let listed = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (signal.aborted || found.length >= MAX_FILES || listed++ >= MAX_FILES) return { files: found, isCut: true };
    const read = await files.list(folder);
    if (read.kind !== 'ok') continue;
    for (const { name, kind } of read.entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder' && !isSkippedName(name)) folders.push(path);
      else if (kind === 'file') found.push(path);
    }
  }
  return { files: found, isCut: false };
}

/**
 * The files that `patterns` name. Looks where the patterns point and nowhere else, into ignored folders too: run logs are
 * often kept out of git. Links are not followed. A folder is listed once, and matching has a budget.
 */
export async function listSources(
  files: FileSource,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<FoundSources> {
  const found = new Set<string>();
  const cut: string[] = [];
  const listings = new Map<string, Awaited<ReturnType<typeof listBelow>>>();
  const meter = { steps: 0 };
  let listed = 0;
  for (const pattern of new Set(patterns)) {
    const base = baseOf(pattern);
    if (base === pattern) {
      const read = await files.read(pattern, 0);
      if (read.kind === 'ok' || read.kind === 'tooLarge') found.add(pattern);
      continue;
    }
    if (listed >= MAX_LISTED || meter.steps >= MAX_GLOB_STEPS) {
      cut.push(pattern);
      continue;
    }
    const listing = listings.get(base) ?? (await listBelow(files, base, signal));
    if (!listings.has(base)) listed += 1 + listing.files.length;
    listings.set(base, listing);
    const matches = globMatcher(pattern, { meter });
    for (const path of listing.files) if (meter.steps < MAX_GLOB_STEPS && matches(path)) found.add(path);
    if (listing.isCut || meter.steps >= MAX_GLOB_STEPS) cut.push(pattern);
  }
  return { paths: [...found].sort(), cut };
}

/** What holds for each question. */
export interface ObservationSettings {
  readonly profile: Profile;
  readonly tokenizer: TokenizerName;
  /** Globs of run logs. */
  readonly sources: readonly string[];
  /** Path of the usage log, which is no run log whatever the globs say. */
  readonly usageLog?: string | undefined;
}

/** What an index may be asked. */
export interface IndexOptions {
  readonly query?: string | undefined;
  readonly taskId?: string | undefined;
  /** Rows at most; the profile's `topK.index` by default. The token caps hold anyway. */
  readonly limit?: number | undefined;
  readonly isUnmasked?: boolean | undefined;
}

/** What a timeline may be asked: around an id, or of a task. */
export interface TimelineOptions {
  readonly around: { readonly id: number } | { readonly taskId: string };
  /** Rows at most; the profile's `topK.timeline` by default. */
  readonly window?: number | undefined;
  readonly isUnmasked?: boolean | undefined;
}

/** A run log that was read. */
export interface IngestedFile {
  readonly path: string;
  /** Events in it, and how many of those were new. */
  readonly entries: number;
  readonly added: number;
  /** Lines with text, and how many of those are neither an event's nor a heading or the like. */
  readonly lines: number;
  readonly unread: number;
  readonly firstUnread: UnreadLine | undefined;
}

/** Days of a file's lines by git blame; none where the folder is not trusted or git cannot say. */
export type ReadBlame = (path: string, signal: AbortSignal) => Promise<ReadonlyMap<number, string>>;

/** What ingesting gave. */
export interface IngestResult {
  readonly files: readonly IngestedFile[];
  readonly ids: readonly number[];
  readonly problems: readonly LogProblem[];
  readonly repairs: readonly LogRepair[];
  /** Named files that could not be read, and why. */
  readonly unreadable: readonly { readonly path: string; readonly why: Phrase }[];
}

/** A run log and when it was last written. */
interface LogText {
  readonly text: string;
  readonly modifiedMs: number | undefined;
}

/** A run log above this is not read by agents either. Bytes. */
const MAX_LOG_BYTES = 20_000_000;

export class ObservationService {
  /** `settings` are asked for with each question, since config and profile may change. */
  constructor(
    readonly store: EngineObservationStore,
    private readonly files: FileSource,
    private readonly settings: () => ObservationSettings,
    private readonly readBlame?: ReadBlame,
  ) {}

  index({ query, taskId, limit, isUnmasked }: IndexOptions = {}): Promise<LayerAnswer> {
    const { profile, tokenizer } = this.settings();
    const caps = capsOf(profile, profile.indexTokens);
    return this.store.index({ query, taskId, limit: limit ?? profile.topK.index, caps, tokenizer, isUnmasked });
  }

  /** Rejects with an `ObservationError` `unknown` when there is no such id or task. */
  timeline({ around, window, isUnmasked }: TimelineOptions): Promise<LayerAnswer> {
    const { profile, tokenizer } = this.settings();
    const caps = capsOf(profile, profile.timelineTokens);
    return this.store.timeline({ around, window: window ?? profile.topK.timeline, caps, tokenizer, isUnmasked });
  }

  /** Texts of ids, whole and unmasked: for a person, or for callers that mask them. */
  details(ids: readonly number[]): Promise<ObservationDetails> {
    return this.store.detail(ids, this.settings().tokenizer);
  }

  /** Rows of a group or of a search for people to leaf through; no caps. */
  list(list: ObservationList): Promise<ObservationPage> {
    return this.store.list(list, this.settings().tokenizer);
  }

  /** Records events; rejects with an `ObservationError` when one is none or they cannot be written. */
  observe(inputs: readonly ObservationInput[]): Promise<AppendResult> {
    return this.store.append(inputs.map(makeDraft));
  }

  /** The run logs that there are, by the config's globs, in order of their paths. */
  async sources(): Promise<readonly string[]> {
    return (await this.#sources(NEVER_ABORTED)).paths;
  }

  /** Takes what is new from run logs: the named ones, else all of the config. Running it twice adds nothing. */
  async ingest(paths?: readonly string[], signal: AbortSignal = NEVER_ABORTED): Promise<IngestResult> {
    const wanted = paths ? { paths, cut: [] } : await this.#sources(signal);
    const files: IngestedFile[] = [];
    const ids: number[] = [];
    const problems: LogProblem[] = [];
    const repairs: LogRepair[] = [];
    const unreadable: { path: string; why: Phrase }[] = wanted.cut.map((path) => ({
      path,
      why: phrase('there are too many files or globs to check all of them'),
    }));
    for (const path of wanted.paths) {
      if (signal.aborted) break;
      const read = await this.#read(path);
      if ('why' in read) {
        unreadable.push({ path, why: read.why });
        continue;
      }
      const first = await this.store.readLog(path, read.text);
      const log = first.undated === 0 ? first : await this.#readDated(path, read, signal);
      const added = await this.store.appendUnknown(log.drafts);
      const { lines, unread, firstUnread } = log;
      files.push({ path, entries: log.drafts.length, added: added.ids.length, lines, unread, firstUnread });
      ids.push(...added.ids);
      problems.push(...log.problems);
      repairs.push(...added.repairs);
    }
    return { files, ids, problems, repairs, unreadable };
  }

  async #sources(signal: AbortSignal): Promise<FoundSources> {
    const { sources, usageLog } = this.settings();
    const found = await listSources(this.files, sources, signal);
    if (usageLog === undefined) return found;
    return { ...found, paths: found.paths.filter((path) => !isUsageFile(usageLog, path)) };
  }

  /** Reads a log once more with days for those of its entries that have none. */
  async #readDated(path: string, { text, modifiedMs }: LogText, signal: AbortSignal): Promise<ReadLog> {
    const blame = (await this.readBlame?.(path, signal)) ?? new Map<number, string>();
    const file = modifiedMs === undefined ? undefined : formatObservationTime(new Date(modifiedMs)).slice(0, 10);
    const dates: LineDates = { blame, file };
    return this.store.readLog(path, text, dates);
  }

  async #read(path: string): Promise<LogText | { readonly why: Phrase }> {
    const read = await this.files.read(path, MAX_LOG_BYTES);
    switch (read.kind) {
      case 'missing':
        return { why: phrase('there is no such file') };
      case 'unreadable':
        return { why: read.message };
      case 'tooLarge':
        return { why: phrase('it has {0}, the limit is {1}', bytesOf(read.sizeBytes), MAX_LOG_BYTES) };
      case 'ok': {
        const decoded = decodeText(read.bytes);
        return decoded.kind === 'text'
          ? { text: decoded.text, modifiedMs: read.modifiedMs }
          : { why: phrase('it is not text') };
      }
    }
  }
}

function capsOf(profile: Profile, layerTokens: number): LayerCaps {
  return { tokens: Math.min(layerTokens, profile.budgetTokens), chars: profile.hardCapChars };
}
