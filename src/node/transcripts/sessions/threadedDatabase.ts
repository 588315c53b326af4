import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { JsonRecord } from '../../../core/text/jsonRecord';

/** A larger database is not read: all of it is in memory while it is. */
export const MAX_DATABASE_BYTES = 100_000_000;
/** The thread's own memory, beside the database and SQLite's. */
const MAX_THREAD_HEAP_MB = 256;
/** A database that takes longer for an answer is damaged or made to. */
const ANSWER_MS = 30_000;

/** What a thread is to read. Absolute paths. */
export interface DatabaseJob {
  readonly file: string;
  /** SQLite itself. */
  readonly wasm: string;
}

/** Messages of a session, with their parts. */
export interface SessionRecords {
  readonly records: readonly JsonRecord[];
  /** Rows that hold no JSON object. */
  readonly broken: number;
  /** Where to go on; undefined at the end. */
  readonly next: number | undefined;
}

/** Host → thread: messages of a session from a number on. */
export interface ToDatabaseThread {
  readonly session: string;
  readonly from: number;
}

/** Thread → host: its sessions first, then an answer for each question. */
export type FromDatabaseThread =
  | { readonly type: 'sessions'; readonly sessions: readonly JsonRecord[] }
  | ({ readonly type: 'records' } & SessionRecords)
  | { readonly type: 'failed'; readonly message: string };

type Answer = Exclude<FromDatabaseThread, { type: 'failed' }>;

/** An agent's database, read in a thread of its own. */
export class ThreadedDatabase {
  readonly #worker: Worker;
  #settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined;
  #ended: Error | undefined;

  private constructor(script: string, job: DatabaseJob) {
    this.#worker = new Worker(script, {
      name: 'context-budget database',
      workerData: job,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_HEAP_MB },
    });
    this.#worker.on('message', (message: FromDatabaseThread) => {
      if (message.type === 'failed') this.#settle?.reject(new Error(message.message));
      else this.#settle?.resolve(message);
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.once('exit', (code) => this.#end(new Error(`its reader ended with code ${code}`)));
  }

  /**
   * Gives the sessions to `read`, and ends the thread when that is done.
   * @param script absolute path of the bundle of `databaseThread.ts`, with `sqlite.wasm` beside it
   * @throws Error when the database cannot be read, in words that follow "because "
   */
  static async read<T>(
    script: string,
    file: string,
    signal: AbortSignal,
    read: (sessions: readonly JsonRecord[], database: ThreadedDatabase) => Promise<T>,
  ): Promise<T> {
    const database = new ThreadedDatabase(script, { file, wasm: path.join(path.dirname(script), 'sqlite.wasm') });
    const stop = (): void => void database.#worker.terminate();
    signal.addEventListener('abort', stop);
    try {
      const opened = await database.#answer();
      return await read(opened.type === 'sessions' ? opened.sessions : [], database);
    } finally {
      signal.removeEventListener('abort', stop);
      await database.#worker.terminate();
    }
  }

  async records(session: string, from: number): Promise<SessionRecords> {
    const answer = this.#answer();
    this.#worker.postMessage({ session, from } satisfies ToDatabaseThread);
    const given = await answer;
    return given.type === 'records' ? given : { records: [], broken: 0, next: undefined };
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#settle?.reject(this.#ended);
  }

  #answer(): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const timer = setTimeout(() => reject(new Error(`it gave no answer in ${ANSWER_MS / 1_000} s`)), ANSWER_MS);
      const end = (): void => clearTimeout(timer);
      this.#settle = {
        resolve: (answer) => [end(), resolve(answer)],
        reject: (error) => [end(), reject(error)],
      };
    });
  }
}
