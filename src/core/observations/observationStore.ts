/**
 * The store of observations as everything else sees it: append, index, timeline, detail. Behind it stand a log that
 * keeps them (`observationLog.ts`) and an engine that reads and searches them in a worker (`observationQueries.ts`); the
 * store keeps the second up to date with the first and survives the loss of either's memory.
 */

import type { DetailSource } from '../model/detail';
import type { TokenizerName } from '../ports/ports';
import type { LogCursor, LogRepair } from '../records/recordLog';
import { phrase } from '../text/phrase';
import type { ObservationGrouping, ObservationGroups, ObservationList, ObservationPage } from './browse';
import type { LineDates } from './ingest/logEvent';
import type { ReadLog } from './ingest/runLog';
import type { LayerAnswer, LayerCaps } from './layers';
import type { ObservationDraft } from './observation';
import { ObservationError } from './observationError';
import type { BookState, LineProblem, ObservationFeed } from './observationIndex';
import type { ObservationLog } from './observationLog';

/** How rows are counted and how much they may cost. */
interface LayerRequest {
  readonly tokenizer: TokenizerName;
  readonly caps: LayerCaps;
  /** The caller asked for texts without masks. */
  readonly isUnmasked?: boolean | undefined;
}

/** Rows newest first, or best match first with a query. */
interface IndexRequest extends LayerRequest {
  readonly query?: string | undefined;
  readonly taskId?: string | undefined;
  /** At most this many rows. */
  readonly limit: number;
}

/** Rows in time order around one, or the newest of a task. */
interface TimelineRequest extends LayerRequest {
  readonly around: { readonly id: number } | { readonly taskId: string };
  /** At most this many rows. */
  readonly window: number;
}

/** Found texts in the order asked for, and ids that lead nowhere. */
export interface ObservationDetails {
  readonly items: readonly ObservationDetail[];
  readonly unknown: readonly number[];
}

/** A text with the row that stands for it where the text does not fit. */
export interface ObservationDetail {
  readonly source: DetailSource;
  readonly row: LayerAnswer['rows'][number];
}

/** How the log stands. */
interface ObservationStats {
  readonly total: number;
  /** Lines that are no observations: the first of them, and how many. */
  readonly problems: readonly LineProblem[];
  readonly problemCount: number;
  /** Bytes of the log that were passed over, since it is too large; lines of problems are counted without them. */
  readonly unreadBytes: number;
}

/** What an engine tells of what it was fed. */
type FedStats = Omit<ObservationStats, 'unreadBytes'>;

/** What an engine is asked, by kind, and what it answers. */
interface ObservationCalls {
  index(asked: IndexRequest): LayerAnswer;
  /** Undefined where there is no such id or no row of that task. */
  timeline(asked: TimelineRequest): LayerAnswer | undefined;
  detail(asked: { readonly ids: readonly number[]; readonly tokenizer: TokenizerName }): ObservationDetails;
  stats(asked: object): FedStats;
  groups(asked: { readonly by: ObservationGrouping; readonly limit: number }): ObservationGroups;
  list(asked: ObservationList & { readonly tokenizer: TokenizerName }): ObservationPage;
  /** Takes a slice more into the search index. */
  prepareSearch(asked: object): undefined;
  /** What a run log holds. */
  readLog(asked: { readonly path: string; readonly text: string; readonly dates?: LineDates | undefined }): ReadLog;
  /** Which of the drafts of one run log are new. */
  unknownOf(asked: { readonly drafts: readonly ObservationDraft[] }): readonly ObservationDraft[];
}

type Kind = keyof ObservationCalls;

export type ObservationQuestion<K extends Kind = Kind> = {
  [P in K]: { readonly kind: P } & Parameters<ObservationCalls[P]>[0];
}[K];

type AnswerTo<Q extends ObservationQuestion> = ReturnType<ObservationCalls[Q['kind']]>;

/** What it answers; or that it has to be asked again. */
export type ObservationAnswer =
  | { readonly kind: 'answered'; readonly value: AnswerTo<ObservationQuestion> }
  /** The search index took a slice in and lacks `left` observations: ask again, so that others have their turn between. */
  | { readonly kind: 'preparing'; readonly left: number }
  /** It has not read as far as the asker. */
  | { readonly kind: 'behind' };

/** A question, and how far the asker has read. */
export interface ObservationInquiry {
  readonly at: BookState;
  readonly question: ObservationQuestion;
}

/** The part of an engine that reads and searches observations. */
export interface ObservationEngine {
  /** False when the lines do not follow what was read: feed from the start. */
  feedObservations(feed: ObservationFeed): Promise<boolean>;
  askObservations(asked: ObservationInquiry): Promise<ObservationAnswer>;
}

/** What appending gave. */
export interface AppendResult {
  readonly ids: readonly number[];
  /** What killed writers had left, repaired on the way. */
  readonly repairs: readonly LogRepair[];
}

/** More than this was fed, since the log grew meanwhile: it is read again, and only its end. Twice what a log gives at once. */
const MAX_FED_BYTES = 1 << 27;

/** A race that is lost so often is no race. */
const MAX_TRIES = 50;

/** The store of observations over a log and an engine. */
export class EngineObservationStore {
  #cursor: LogCursor | undefined;
  #state: BookState = { generation: 0, offset: 0 };
  #unreadBytes = 0;
  /** One reading or question at a time: lines reach the engine in order, and a question sees what was read for it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: ObservationLog,
    private readonly engine: ObservationEngine,
    private readonly maxFedBytes = MAX_FED_BYTES,
  ) {}

  /** Records all drafts; resolves when they are on disk, with their ids. Rejects with an `ObservationError`. */
  async append(drafts: readonly ObservationDraft[]): Promise<AppendResult> {
    const outcome = await this.log.append(drafts);
    return outcome.kind === 'appended' ? outcome : { ids: [], repairs: [] };
  }

  /** Reads a run log in the engine, off the caller's thread. */
  readLog(path: string, text: string, dates?: LineDates): Promise<ReadLog> {
    return this.#ask({ kind: 'readLog', path, text, dates });
  }

  /** Records those drafts of one run log that are not recorded yet; running it twice adds nothing. */
  async appendUnknown(drafts: readonly ObservationDraft[]): Promise<AppendResult> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { value, cursor } = await this.#askAt({ kind: 'unknownOf', drafts });
      if (value.length === 0) return { ids: [], repairs: [] };
      const outcome = await this.log.append(value, cursor);
      if (outcome.kind === 'appended') return outcome;
    }
    throw new ObservationError('locked', phrase('Other programs are recording, so nothing was added. Try again.'));
  }

  index(request: IndexRequest): Promise<LayerAnswer> {
    return this.#ask({ kind: 'index', ...request });
  }

  /** Rejects with an `ObservationError` `unknown` when there is no such id or no row of that task. */
  async timeline(request: TimelineRequest): Promise<LayerAnswer> {
    const layer = await this.#ask({ kind: 'timeline', ...request });
    if (layer) return layer;
    const { around } = request;
    const words =
      'id' in around
        ? phrase('No observation has the id {0}. Run "context-budget index" to list observations.', String(around.id))
        : phrase('No observation has the task {0}. Run "context-budget index" to list observations.', around.taskId);
    throw new ObservationError('unknown', words);
  }

  /** Texts of the asked ids; unknown ones are named. */
  detail(ids: readonly number[], tokenizer: TokenizerName): Promise<ObservationDetails> {
    return this.#ask({ kind: 'detail', ids, tokenizer });
  }

  async stats(): Promise<ObservationStats> {
    return { ...(await this.#ask({ kind: 'stats' })), unreadBytes: this.#unreadBytes };
  }

  /** The first groups, newest first, at most `limit`; no caps. */
  groups(by: ObservationGrouping, limit: number): Promise<ObservationGroups> {
    return this.#ask({ kind: 'groups', by, limit });
  }

  /** The first rows of a group or of a search, whatever they cost. */
  list(list: ObservationList, tokenizer: TokenizerName): Promise<ObservationPage> {
    return this.#ask({ kind: 'list', tokenizer, ...list });
  }

  /** Makes the search index before the first search, in slices; questions asked meanwhile go between. */
  async prepareSearch(): Promise<void> {
    await this.#ask({ kind: 'prepareSearch' });
  }

  /** Changes whenever something else was read. */
  get revision(): string {
    return `${this.#state.generation}:${this.#state.offset}`;
  }

  /** Bytes of the log that were passed over, as far as it was read. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Takes in what was appended since; true when there was anything. The other methods do so themselves. */
  refresh(): Promise<boolean> {
    return this.#inTurn(() => this.#readOn());
  }

  async #ask<Q extends ObservationQuestion>(question: Q): Promise<AnswerTo<Q>> {
    return (await this.#askAt(question)).value;
  }

  /** Asks as of now, and tells where the log was read to; an engine that makes its search index is asked again. */
  async #askAt<Q extends ObservationQuestion>(question: Q) {
    for (;;) {
      const { answer, cursor } = await this.#askOnce(question);
      // An engine answers what it was asked.
      if (answer.kind === 'answered') return { value: answer.value as AnswerTo<Q>, cursor };
    }
  }

  /** An engine that lost its memory is filled again. */
  #askOnce(question: ObservationQuestion) {
    return this.#inTurn(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        await this.#readOn();
        const answer = await this.engine.askObservations({ at: this.#state, question });
        if (answer.kind !== 'behind' && this.#cursor) return { answer, cursor: this.#cursor };
        this.#forget();
      }
      throw new ObservationError('unreadable', phrase('The observation index keeps failing. Reload the window.'));
    });
  }

  /** Runs after what was asked before, whether that failed or not. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }

  #forget(): void {
    this.#cursor = undefined;
    this.#state = { generation: this.#state.generation + 1, offset: 0 };
  }

  async #readOn(): Promise<boolean> {
    let hasNews = false;
    let isAnew = false;
    for (;;) {
      const read = await this.log.follow(this.#cursor);
      if (!read.isReset && !isAnew && this.#state.offset + read.bytes.length > this.maxFedBytes) {
        isAnew = true;
        this.#forget();
        continue;
      }
      if (read.isReset) {
        this.#state = { generation: this.#state.generation + 1, offset: 0 };
        this.#unreadBytes = 0;
      }
      this.#unreadBytes += read.unreadBytes ?? 0;
      if (read.isReset || read.bytes.length > 0) {
        hasNews = true;
        const { generation, offset } = this.#state;
        if (!(await this.engine.feedObservations({ from: this.#state, bytes: read.bytes }))) {
          this.#forget();
          continue;
        }
        this.#state = { generation, offset: offset + read.bytes.length };
      }
      this.#cursor = read.cursor;
      if (!read.hasMore) return hasNews;
    }
  }
}
