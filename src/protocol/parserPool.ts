/**
 * Parsing on one or two workers. It decides how files travel in batches, what happens to a batch whose worker dies or
 * hangs, and when to give up on workers; what a file yields is `src/worker/parser`.
 */
import type { FileParser, ParseInput } from '../core/engine/parser';
import type { FileOutcome } from '../core/model/repoMap';
import { type Disposable, NEVER_ABORTED } from '../core/ports/ports';
import { encodeFacts, factsWithoutText } from '../core/repomap/facts/factsCodec';
import { partsOfOne } from '../core/text/bytes';
import { Fallback } from './fallback';
import { WorkerError } from './worker';
import { WorkerClient, type WorkerClientOptions } from './workerClient';

/** What a pool needs and how it works. */
export interface ParserPoolOptions extends Omit<WorkerClientOptions, 'mayStopWhenIdle' | 'onDidCrash'> {
  /** Default 2: two workers parsed 1.65–1.99 times as fast as one on two cores. */
  readonly workers?: number;
  /** Sources sent at once, in bytes; default 256 KiB, about 30 ms of parsing. A larger file travels alone. */
  readonly batchBytes?: number;
  /**
   * For a batch of several files; default 10,000 ms. The parser's own limit a file comes first, except in the few
   * grammars that do not let themselves be interrupted on some hostile texts.
   */
  readonly batchDeadlineMs?: number;
  /** For a file that travels alone, as the files of a batch that failed do; default 5,000 ms. */
  readonly fileDeadlineMs?: number;
  /** Makes a parser in this process, after three launches in a row have failed. */
  readonly createFallback?: (why?: WorkerError) => FileParser;
}

const DEFAULTS = { workers: 2, batchBytes: 256 * 1024, batchDeadlineMs: 10_000, fileDeadlineMs: 5_000 };
const NEWLINE = 0x0a;

function cutIntoBatches(files: readonly ParseInput[], batchBytes: number): ParseInput[][] {
  const batches: ParseInput[][] = [];
  let room = 0;
  for (const file of files) {
    const last = batches.at(-1);
    if (last && file.bytes.length <= room) last.push(file);
    else {
      batches.push([file]);
      room = batchBytes;
    }
    room -= file.bytes.length;
  }
  return batches;
}

function countLines(bytes: Uint8Array): number {
  let lines = bytes.length === 0 || bytes.at(-1) === NEWLINE ? 0 : 1;
  for (const byte of bytes) if (byte === NEWLINE) lines++;
  return lines;
}

/** Facts that say that a file was given up, in place of what the parser would have made of it. */
function giveUp(file: ParseInput, outcome: FileOutcome): Uint8Array {
  return encodeFacts(factsWithoutText(file, outcome, countLines(file.bytes)));
}

/**
 * `FileParser` over workers. A file that kills or hangs its worker is given up alone, with outcome `failed` or
 * `deadline`; all others are parsed.
 *
 * `parse` never takes the callers' bytes: it sends copies, so that a batch can be sent again. When cancelled it
 * resolves with the facts of the first files only, in order, as far as they were there. It rejects with a
 * `WorkerError` of reason `stopped` after `dispose`, and of reason `unavailable` when no worker can be launched and
 * there is no fallback.
 */
export class ParserPool implements FileParser, Disposable {
  readonly #options: ParserPoolOptions & typeof DEFAULTS;
  readonly #clients: readonly WorkerClient[];
  /** Clients without a batch, and batches that wait for a client. */
  readonly #free: WorkerClient[];
  readonly #waiting: ((client: WorkerClient) => void)[] = [];
  readonly #fallback: Fallback<FileParser>;

  constructor(options: ParserPoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#fallback = new Fallback(options.createFallback);
    const size = Math.max(1, this.#options.workers);
    this.#clients = Array.from({ length: size }, () => new WorkerClient(options));
    // The first client is taken first, so that light use starts one worker only.
    this.#free = [...this.#clients].reverse();
  }

  async parse(files: readonly ParseInput[], signal: AbortSignal = NEVER_ABORTED): Promise<readonly Uint8Array[]> {
    const batches = cutIntoBatches(files, this.#options.batchBytes);
    const results = await Promise.all(batches.map((batch) => this.#runBatch(batch, signal)));
    const facts: Uint8Array[] = [];
    for (const [i, result] of results.entries()) {
      facts.push(...result);
      if (result.length < (batches[i]?.length ?? 0)) break;
    }
    return facts;
  }

  prepare(): void {
    // One worker: few files need no second. What goes wrong is told when there is something to parse.
    this.#free
      .at(-1)
      ?.call('parse', [])
      .catch(() => {});
  }

  release(): void {
    for (const client of this.#free) client.stop();
  }

  /** Ends all workers; pending calls reject with reason `stopped`. */
  dispose(): void {
    for (const client of this.#clients) client.dispose();
  }

  /** Facts of a prefix of the batch: of all its files unless cancelled. */
  async #runBatch(batch: readonly ParseInput[], signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const client = await this.#take();
    try {
      return await this.#parseOn(client, batch, signal);
    } catch (error) {
      if (WorkerError.is(error, 'cancelled')) return [];
      throw error;
    } finally {
      this.#giveBack(client);
    }
  }

  async #parseOn(
    client: WorkerClient,
    batch: readonly ParseInput[],
    signal: AbortSignal,
  ): Promise<readonly Uint8Array[]> {
    const isOne = batch.length === 1;
    try {
      const { batchDeadlineMs, fileDeadlineMs } = this.#options;
      return await this.#send(client, batch, signal, isOne ? fileDeadlineMs : batchDeadlineMs);
    } catch (error) {
      if (!isFaultOfInput(error)) throw error;
      // A worker may die of what it parsed before, but a file that was alone took its time by itself.
      if (isOne && WorkerError.is(error, 'deadline')) return batch.map((file) => giveUp(file, 'deadline'));
    }
    const facts: Uint8Array[] = [];
    for (const file of batch) {
      const one = await this.#parseAlone(client, file, signal);
      if (!one) break;
      facts.push(one);
    }
    return facts;
  }

  /** Facts of a file of a failed batch; `undefined` when cancelled. */
  async #parseAlone(client: WorkerClient, file: ParseInput, signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      const [facts] = await this.#send(client, [file], signal, this.#options.fileDeadlineMs);
      return facts;
    } catch (error) {
      if (WorkerError.is(error, 'cancelled')) return undefined;
      if (!isFaultOfInput(error)) throw error;
      return giveUp(file, WorkerError.is(error, 'deadline') ? 'deadline' : 'failed');
    }
  }

  #send(
    client: WorkerClient,
    batch: readonly ParseInput[],
    signal: AbortSignal,
    deadlineMs: number,
  ): Promise<readonly Uint8Array[]> {
    const send = (): Promise<readonly Uint8Array[]> => {
      // Copies, moved: the originals serve a retry, and may be views of a buffer that others use.
      const copies = partsOfOne(
        batch.map(({ bytes }) => bytes),
        Uint8Array,
      );
      const files = batch.map((file, at) => ({ ...file, bytes: copies[at] as Uint8Array }));
      return client.call('parse', files, { signal, deadlineMs });
    };
    return this.#fallback.callOr(client, send, (parser) => this.#here(() => parser.parse(batch, signal)));
  }

  /** In this process a dead parser can only be replaced by another one; its batch is then tried file by file. */
  async #here<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      this.#fallback.renew();
      throw new WorkerError('failed', 'parse: the parser in this process failed.', { cause });
    }
  }

  #take(): Promise<WorkerClient> {
    const client = this.#free.pop();
    return client ? Promise.resolve(client) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(client: WorkerClient): void {
    const next = this.#waiting.shift();
    if (next) next(client);
    else this.#free.push(client);
  }
}

function isFaultOfInput(error: unknown): boolean {
  return WorkerError.is(error, 'crashed') || WorkerError.is(error, 'deadline') || WorkerError.is(error, 'failed');
}
