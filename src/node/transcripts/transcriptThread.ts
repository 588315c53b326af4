/**
 * The entry of the thread that reads transcripts for a host whose own thread must stay free: megabytes of JSON a look.
 * One thread a job; it gives turns when it is asked for them, so that no more of them wait than the host can take.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Logger } from '../../core/ports/ports';
import { errorWords } from '../../core/text/errorWords';
import type { Phrase } from '../../core/text/phrase';
import { TranscriptError, type TranscriptErrorReason } from './transcriptError';
import { openJob, type TranscriptJob } from './transcriptJob';
import type { TranscriptPosition } from './transcriptPositions';
import type { ScannedTurn } from './transcriptScan';

/** Host → thread: `next` asks for a batch, `cancel` has reading end after the piece in hand. */
export type ToTranscriptThread = 'next' | 'cancel';

/** Thread → host. */
export type FromTranscriptThread =
  | { readonly type: 'turns'; readonly turns: readonly ScannedTurn[] }
  /** There are no more turns. */
  | { readonly type: 'end'; readonly read: ReadonlyMap<string, TranscriptPosition> }
  | { readonly type: 'failed'; readonly words: Phrase; readonly reason: TranscriptErrorReason | undefined }
  | { readonly type: 'log'; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string };

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
  const log =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string): void =>
      post({ type: 'log', level, message });
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
