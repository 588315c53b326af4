import { Worker } from 'node:worker_threads';
import type { Logger } from '../../core/ports/ports';
import type { WordedError } from '../../core/text/errorWords';
import { inEnglish, type Phrase, phrase } from '../../core/text/phrase';
import { TranscriptError } from './transcriptError';
import type { JobTurns, OpenJob, TranscriptJob } from './transcriptJob';
import type { TranscriptPosition } from './transcriptPositions';
import type { ScannedTurn } from './transcriptScan';
import type { FromTranscriptThread, ToTranscriptThread } from './transcriptThread';

type Answer = Exclude<FromTranscriptThread, { type: 'log' }>;

/** The thread's end of the conversation: one question, one answer. */
class Conversation {
  readonly #worker: Worker;
  #settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void } | undefined;
  #ended: Error | undefined;

  constructor(script: string, job: TranscriptJob, logger: Logger) {
    this.#worker = new Worker(script, {
      name: 'context-budget transcripts',
      workerData: job,
      env: {},
      execArgv: [],
    });
    this.#worker.on('message', (message: FromTranscriptThread) => {
      if (message.type === 'log') logger[message.level](message.message);
      else this.#settle?.resolve(message);
    });
    this.#worker.on('error', (cause) => this.#fail(phrase('it failed ({0})', String(cause)), cause));
    this.#worker.once('exit', (code) => this.#fail(phrase('it ended with code {0}', String(code))));
  }

  /** Rejects when the thread is not there any more. */
  ask(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      if (this.#ended) reject(this.#ended);
      else this.#post('next');
    });
  }

  cancel(): void {
    this.#post('cancel');
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: ToTranscriptThread): void {
    this.#worker.postMessage(message);
  }

  #fail(why: Phrase, cause?: unknown): void {
    const words = phrase('The thread that reads transcripts is gone: {0}. Reload the window.', why);
    this.#ended ??= new TranscriptError('threadLost', words, { cause });
    this.#settle?.reject(this.#ended);
  }
}

/** Turns that a thread of their own reads; it starts with the first that is asked for and ends with the last. */
class ThreadedTurns implements JobTurns {
  read: ReadonlyMap<string, TranscriptPosition> = new Map();

  constructor(
    private readonly script: string,
    private readonly job: TranscriptJob,
    private readonly signal: AbortSignal,
    private readonly logger: Logger,
  ) {}

  /** Throws as reading in this thread does, and an error when the thread is lost. */
  async *turns(): AsyncGenerator<ScannedTurn> {
    const thread = new Conversation(this.script, this.job, this.logger);
    const tell = (): void => thread.cancel();
    if (this.signal.aborted) tell();
    else this.signal.addEventListener('abort', tell);
    try {
      for (;;) {
        const answer = await thread.ask();
        if (answer.type === 'failed') throw errorOf(answer);
        if (answer.type === 'end') {
          this.read = answer.read;
          return;
        }
        yield* answer.turns;
      }
    } finally {
      this.signal.removeEventListener('abort', tell);
      await thread.close();
    }
  }
}

/** An error without a reason is nobody's in particular; it keeps its words all the same. */
function errorOf({ words, reason }: Extract<Answer, { type: 'failed' }>): Error {
  if (reason !== undefined) return new TranscriptError(reason, words);
  return Object.assign(new Error(inEnglish(words)), { words }) satisfies WordedError;
}

/** Reads every job in a thread of its own. `script` is the absolute path of the bundle of `transcriptThread.ts`. */
export function threadedJobs(script: string): OpenJob {
  return (job, signal, logger) => new ThreadedTurns(script, job, signal, logger);
}
