import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import type { Clock, Disposable } from '../core/ports/ports';
import { formatCount } from '../core/text/numbers';
import type { Workspace } from '../core/workspace/workspace';
import { errorCode } from '../node/errorCode';

/** One command's life: what it opened is released at its end, or at once when it is interrupted. */
export class Lifetime implements Disposable {
  private readonly owned: Disposable[] = [];
  private readonly end = new AbortController();
  /** Fires at the end. */
  readonly signal: AbortSignal = this.end.signal;

  /** Takes over `thing`; after the end it is released at once. */
  own<T extends Disposable>(thing: T): T {
    if (this.signal.aborted) thing.dispose();
    else this.owned.push(thing);
    return thing;
  }

  /** Releases everything, last first; later calls do nothing. */
  dispose(): void {
    if (this.signal.aborted) return;
    this.end.abort();
    for (const thing of this.owned.splice(0).reverse()) thing.dispose();
  }
}

/** What ends sooner needs no progress. */
const QUIET_MS = 1_000;
/** Often enough to look alive. */
const REFRESH_MS = 100;
/** Carriage return, and the rest of the line erased (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows a workspace's progress as one line that rewrites itself, from a second after the start until it is disposed.
 * Writes nothing where the output is no terminal.
 */
export function showProgress(workspace: Workspace, output: CliOutput, clock: Clock): Disposable {
  if (!output.isTerminal) return { dispose: () => undefined };
  let shown = '';
  let timer = clock.schedule(tick, QUIET_MS);
  function tick(): void {
    const line = describe(workspace);
    if (line !== shown) output.write(`${CLEAR_LINE}${line} …`);
    shown = line;
    timer = clock.schedule(tick, REFRESH_MS);
  }
  return {
    dispose: () => {
      timer.dispose();
      if (shown !== '') output.write(CLEAR_LINE);
      shown = '';
    },
  };
}

function describe({ snapshot: { index, progress } }: Workspace): string {
  const { phase, done, total } = index;
  if (phase === 'scanning' || phase === 'parsing')
    return `${phase === 'scanning' ? 'Scanning' : 'Indexing'}: ${formatCount(done)} of ${formatCount(total)} files`;
  return progress ? `Reading: ${formatCount(progress.done)} of ${formatCount(progress.total)} sections` : 'Working';
}

/** JSON as commands print it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Where text goes. */
export interface CliOutput {
  readonly isTerminal: boolean;
  /** Never throws; a reader that went away is no error. */
  write(text: string): void;
  /** Resolves when everything written so far has left the process, or its reader is gone. */
  flush(): Promise<void>;
}

/** The world of a command: streams, folder, environment, interrupts. Tests give one in memory. */
export interface CliIo {
  /** Carries the result alone. */
  readonly stdout: CliOutput;
  readonly stderr: CliOutput;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** True when a person can be asked. */
  readonly canAsk: boolean;
  /** Asks on stderr, so that stdout stays the result's; the answer without its line end, `undefined` at the end of input. */
  ask(question: string): Promise<string | undefined>;
  /** All of stdin. */
  readInput(): Promise<Uint8Array>;
  /** Stdin and stdout for a protocol: from here on nothing else reaches stdout. Absent where there are none. */
  streams?(): { readonly input: Readable; readonly output: Writable };
  /** Ctrl-C, a closed terminal, or a polite end from outside. */
  onInterrupt(listener: () => void): Disposable;
}

/** A stream of the process as `CliOutput`. */
export class StreamOutput implements CliOutput {
  private isClosed = false;
  /** When the last text has left; all before it have then. */
  private written: Promise<void> = Promise.resolve();
  private readonly closed: Promise<void>;

  constructor(
    private readonly stream: Writable & { readonly isTTY?: boolean },
    onFailure: (error: Error) => void,
  ) {
    this.closed = new Promise((resolve) => {
      stream.on('error', (error) => {
        this.isClosed = true;
        resolve();
        // `head` and the like read what they need and go: the rest is not wanted. A full disk is another matter.
        const code = errorCode(error);
        if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') onFailure(error);
      });
    });
  }

  get isTerminal(): boolean {
    return this.stream.isTTY === true;
  }

  write(text: string): void {
    if (this.isClosed || text === '') return;
    this.written = new Promise((resolve) => this.stream.write(text, () => resolve()));
  }

  flush(): Promise<void> {
    return Promise.race([this.written, this.closed]);
  }
}

/**
 * For a process that is waited for from its first moment. On a warm cache of 2,000 files the first map of the MCP server
 * takes a sixth less time with them, `map --query` an eighth (`npm run bench -- mcp`; Node 20):
 * - workers begin with a heap that need not be collected while it fills;
 * - functions are optimized after four times as much work as by default (67,584 bytes of bytecode in Node 20): most run for
 *   some milliseconds, and compiling them takes the other processor for longer than it saves. Later versions of V8 don't
 *   know the flag, and say so on stderr;
 * - each is optimized without what it calls: a tenth less processor time for `map --query` on a warm cache of 13,000 files,
 *   and no more for indexing them. Not measured with later versions, which have another compiler between.
 */
const HEAP_FLAG = '--initial-heap-size=64';
const EARLY_FLAGS = { names: ['--interrupt-budget=264000', '--no-turbo-inlining'], lastV8: 11 };

/** Sets V8's flags for a quick start; nothing else depends on them. Electron may have frozen its flags, and is left alone. */
export function startQuickly(
  setFlag: (flag: string) => void = setFlagsFromString,
  { electron, v8 }: NodeJS.ProcessVersions = process.versions,
): void {
  if (electron !== undefined) return;
  setFlag(HEAP_FLAG);
  if (Number.parseInt(v8, 10) <= EARLY_FLAGS.lastV8) for (const name of EARLY_FLAGS.names) setFlag(name);
}

const INTERRUPTS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The process's own world. `onFailure` hears of output that could not be written. */
export function processIo(onFailure: (error: Error) => void): CliIo {
  return {
    stdout: new StreamOutput(process.stdout, onFailure),
    stderr: new StreamOutput(process.stderr, () => {
      // There is no place left to say it.
    }),
    cwd: currentFolder(),
    env: process.env,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    ask,
    readInput,
    streams: claimStreams,
    onInterrupt: (listener) => {
      for (const signal of INTERRUPTS) process.on(signal, listener);
      return {
        dispose: () => {
          for (const signal of INTERRUPTS) process.off(signal, listener);
        },
      };
    },
  };
}

/** Also when it was removed under our feet: opening it then says so in words. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return process.env.PWD ?? '/';
  }
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Takes stdout away from all other code: what a library or a worker prints goes to stderr, and breaks no protocol. */
function claimStreams(): { readonly input: Readable; readonly output: Writable } {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => write(chunk, (error) => done(error)),
  });
  stdout.on('error', (error) => output.destroy(error));
  stdout.on('close', () => output.destroy());
  return { input: stdin, output };
}

async function ask(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // With a terminal readline takes Ctrl-C for itself.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
