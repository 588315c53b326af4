import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Logger } from '../../core/ports/ports';
import { errorWords, inEnglish, type Phrase, phrase, type WordedError } from '../../core/text/phrase';
import {
  type JobTurns,
  type OpenJob,
  openJob,
  TranscriptError,
  type TranscriptErrorReason,
  type TranscriptJob,
} from './transcriptJob';
import type { TranscriptPosition } from './transcriptPositions';
import type { ScannedTurn } from './transcriptScan';

// The entry of the thread that reads transcripts for a host whose own thread must stay free: megabytes of JSON a look.
// One thread a job; it gives turns when it is asked for them, so that no more of them wait than the host can take.

/** Host → thread: `next` asks for a batch, `cancel` has reading end after the piece in hand. */
type ToTranscriptThread = 'next' | 'cancel';

/** Thread → host. */
type FromTranscriptThread =
  | { readonly type: 'turns'; readonly turns: readonly ScannedTurn[] }
  /** There are no more turns. */
  | { readonly type: 'end'; readonly read: ReadonlyMap<string, TranscriptPosition> }
  | { readonly type: 'failed'; readonly words: Phrase; readonly reason: TranscriptErrorReason | undefined }
  | { readonly type: 'log'; readonly level: keyof Logger; readonly message: string };

/** Turns that cross at once: few enough that taking them over is a millisecond of the host's. */
const BATCH_TURNS = 16;
const BATCH_CHARS = 200_000;

/** What came back of a call is no evidence: it need not cross. */
function withoutOutputs({ turn, fileTime }: ScannedTurn): ScannedTurn {
  return { turn: { ...turn, toolCalls: turn.toolCalls.map((call) => ({ ...call, output: '' })) }, fileTime };
}

function charsOf({ turn }: ScannedTurn): number {
  const inputs = turn.toolCalls.reduce((sum, { input }) => sum + input.length, 0);
  return turn.userText.length + turn.replyText.length + inputs;
}

/** The next turns, at least one; empty at the end. */
async function nextBatch(turns: AsyncGenerator<ScannedTurn>): Promise<readonly ScannedTurn[]> {
  const batch: ScannedTurn[] = [];
  for (let chars = 0; batch.length < BATCH_TURNS && chars < BATCH_CHARS; ) {
    const { value, done } = await turns.next();
    if (done) break;
    batch.push(withoutOutputs(value));
    chars += charsOf(value);
  }
  return batch;
}

function failure(error: unknown): FromTranscriptThread {
  return { type: 'failed', words: errorWords(error), reason: TranscriptError.is(error) ? error.reason : undefined };
}

function serve(post: (message: FromTranscriptThread) => void, job: TranscriptJob): (asked: ToTranscriptThread) => void {
  const log = (level: keyof Logger) => (message: string) => post({ type: 'log', level, message });
  const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  const reading = new AbortController();
  const source = openJob(job, reading.signal, logger);
  const turns = source.turns();
  return (asked) => {
    if (asked === 'cancel') {
      reading.abort();
      return;
    }
    nextBatch(turns).then(
      (batch) => post(batch.length > 0 ? { type: 'turns', turns: batch } : { type: 'end', read: source.read }),
      (error) => post(failure(error)),
    );
  };
}

const port = parentPort;
if (port)
  port.on(
    'message',
    serve((message) => port.postMessage(message), workerData as TranscriptJob),
  );

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
    const words = phrase('The transcript reader stopped: {0}. Reload the window.', why);
    this.#ended ??= new TranscriptError('threadLost', words, { cause });
    this.#settle?.reject(this.#ended);
  }
}

/** An error without a reason is of no class of ours, and keeps its words too. */
function errorOf({ words, reason }: Extract<Answer, { type: 'failed' }>): Error {
  if (reason !== undefined) return new TranscriptError(reason, words);
  return Object.assign(new Error(inEnglish(words)), { words }) satisfies WordedError;
}

/**
 * Reads every job in a thread of its own, which starts with the first turn that is asked for and ends with the last. Throws
 * as reading in this thread does, and an error when the thread is lost. `script` is the absolute path of this file's bundle.
 */
export function threadedJobs(script: string): OpenJob {
  return (job, signal, logger) => {
    let read: JobTurns['read'] = new Map();
    async function* turns(): AsyncGenerator<ScannedTurn> {
      const thread = new Conversation(script, job, logger);
      const tell = (): void => thread.cancel();
      if (signal.aborted) tell();
      else signal.addEventListener('abort', tell);
      try {
        for (;;) {
          const answer = await thread.ask();
          if (answer.type === 'failed') throw errorOf(answer);
          if (answer.type === 'end') {
            read = answer.read;
            return;
          }
          yield* answer.turns;
        }
      } finally {
        signal.removeEventListener('abort', tell);
        await thread.close();
      }
    }
    return {
      turns,
      get read() {
        return read;
      },
    };
  };
}
