import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import {
  NEVER_ABORTED,
  neverRan,
  PROGRAM_IN_FOLDER,
  type ProcessOutcome,
  type ProcessRequest,
  type ProcessRunner,
} from '../../core/ports/ports';
import { errorCode } from '../errorCode';
import { GIT_READS_ONLY, gitEnvironment } from '../git/gitEnvironment';
import { HOST } from '../platform';
import { HeadBuffer, TailBuffer } from './outputBuffers';
import { listDescendants, RUN_VARIABLE } from './processTree';
import { resolveExecutable, searchFolders } from './resolveExecutable';

/** Signals one process, or with a negative id one group. True when there was anything to signal. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // EPERM: it exists but changed its user; nothing more that we could do.
    return errorCode(error) === 'EPERM';
  }
}

/** Ends a whole tree by a program, where there are neither groups nor signals. */
function endTreeByProgram(pid: number): void {
  const command = HOST.endTree(pid, process.env);
  if (!command) return;
  spawn(command.file, command.args, { stdio: 'ignore', windowsHide: true }).on('error', () => {
    // Without that program (a trimmed Windows) at least the child itself is ended.
    signalProcess(pid, 'SIGKILL');
  });
}

/** Ends a whole tree before it returns: for the moment our own process ends. */
function endTreeNow(pid: number, run: string): void {
  const command = HOST.endTree(pid, process.env);
  if (command) {
    spawnSync(command.file, command.args, { stdio: 'ignore', windowsHide: true, timeout: 2_000 });
    return;
  }
  const descendants = listDescendants(pid, run);
  signalProcess(-pid, 'SIGKILL');
  for (const descendant of descendants) signalProcess(descendant, 'SIGKILL');
}

/** What `ProcessOutcome.stderr` promises at most. */
const STDERR_TAIL_BYTES = 16 * 1024;
/** The largest delay that `setTimeout` takes; beyond it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits of a run; tests shorten them. */
interface ProcessTimings {
  /** Between the polite signal and the one that cannot be ignored. */
  readonly killGraceMs: number;
  /** After the child has ended: how long its pipes may stay open in the hands of processes it left behind. */
  readonly pipeGraceMs: number;
}

const DEFAULT_TIMINGS: ProcessTimings = { killGraceMs: 500, pipeGraceMs: 250 };

/** A program that is talked with. */
export interface Conversation {
  /** Does nothing once it has ended. */
  write(text: string): void;
  /** Ends its whole tree; resolves when nothing of it is left. Never rejects. */
  end(): Promise<ProcessOutcome>;
  /** Settles when it has ended, by itself or not. Never rejects. */
  readonly finished: Promise<ProcessOutcome>;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/**
 * Runs child processes in one folder, without a shell. Without `input` they have no stdin. Each one leads a process group of its own, so
 * that its whole tree can be ended; `dispose` ends all of them at once, for the moment the host itself ends.
 */
export class NodeProcessRunner implements ProcessRunner {
  private readonly running = new Set<Run>();
  private isDisposed = false;

  /** `cwd` is absolute. `env` is what children inherit, beside a few settings that keep git from writing. */
  constructor(
    private readonly cwd: string,
    private readonly env: NodeJS.ProcessEnv = process.env,
    private readonly timings: ProcessTimings = DEFAULT_TIMINGS,
  ) {}

  async run(request: ProcessRequest, signal: AbortSignal = NEVER_ABORTED): Promise<ProcessOutcome> {
    const startedAt = performance.now();
    if (this.isDisposed || signal.aborted) return neverRan('cancelled');
    const name = randomUUID();
    const child = this.start(request, name);
    if (typeof child === 'string') return neverRan('notStarted', child, Math.round(performance.now() - startedAt));
    const run = new Run(child, { name, request, signal, timings: this.timings });
    this.running.add(run);
    try {
      const outcome = await run.finished;
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    } finally {
      this.running.delete(run);
    }
  }

  /**
   * Starts a program to talk with: its input stays open, and `onOutput` gets what it prints until its cap or its time is
   * used up. It is ended with its whole tree, at the latest then.
   */
  converse(request: Omit<ProcessRequest, 'input' | 'git'>, onOutput: (chunk: Uint8Array) => void): Conversation {
    const name = randomUUID();
    const child = this.isDisposed ? undefined : this.start({ ...request, input: '' }, name);
    if (child === undefined || typeof child === 'string') {
      const finished = Promise.resolve(neverRan(child === undefined ? 'cancelled' : 'notStarted', child));
      return { write: () => undefined, end: () => finished, finished };
    }
    const startedAt = performance.now();
    const ending = new AbortController();
    const run = new Run(child, { name, request, signal: ending.signal, timings: this.timings, onOutput });
    this.running.add(run);
    const finished = run.finished.then((outcome) => {
      this.running.delete(run);
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    });
    const end = (): Promise<ProcessOutcome> => {
      ending.abort();
      return finished;
    };
    return { write: (text) => run.write(text), end, finished };
  }

  /** Ends every tree before it returns; later runs are `cancelled`. */
  dispose(): void {
    this.isDisposed = true;
    for (const run of this.running) run.endNow();
  }

  /** The child, or the code of the reason why there is none. */
  private start(request: ProcessRequest, run: string): Child | string {
    const [name, ...args] = request.argv;
    const { git } = request;
    const folders = searchFolders(this.env, HOST, this.cwd);
    const program = resolveExecutable(name, folders, HOST);
    if (program === undefined) {
      const isInFolder = resolveExecutable(name, HOST.searchPath(this.env), HOST) !== undefined;
      return isInFolder ? PROGRAM_IN_FOLDER : 'ENOENT';
    }
    try {
      const options = {
        cwd: this.cwd,
        env: {
          ...(git ? gitEnvironment(this.env, folders, git) : { ...this.env, ...GIT_READS_ONLY }),
          [RUN_VARIABLE]: run,
        },
        detached: HOST.hasGroups,
        windowsHide: true,
      };
      return request.input === undefined
        ? spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
        : spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    } catch (error) {
      return errorCode(error) ?? 'UNKNOWN';
    }
  }
}

type Ending = 'timedOut' | 'flooded' | 'cancelled';

/** What a child runs under. */
interface RunTerms {
  /** Tells its processes from all others. */
  readonly name: string;
  readonly request: ProcessRequest;
  readonly signal: AbortSignal;
  readonly timings: ProcessTimings;
  /** Takes the output as it comes; the input then stays open. */
  readonly onOutput?: (chunk: Uint8Array) => void;
}

/** One child from its start to the moment nothing of it is left. */
class Run {
  /** Settles once, always, and never rejects. */
  readonly finished: Promise<Omit<ProcessOutcome, 'durationMs'>>;
  private readonly stdout: HeadBuffer;
  private readonly stderr = new TailBuffer(STDERR_TAIL_BYTES);
  private readonly timers = new Set<NodeJS.Timeout>();
  private descendants: readonly number[] = [];
  private ending: Ending | undefined;
  private exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  private readonly cancel = (): void => this.end('cancelled');
  private settle: (outcome: Omit<ProcessOutcome, 'durationMs'>) => void = () => undefined;

  constructor(
    private readonly child: Child,
    private readonly terms: RunTerms,
  ) {
    const { request, signal, onOutput } = terms;
    this.stdout = new HeadBuffer(request.maxOutputBytes);
    this.finished = new Promise((resolve) => {
      this.settle = resolve;
    });
    child.stdout.on('data', (chunk: Buffer) => {
      const isWithin = this.stdout.push(chunk);
      if (!isWithin) this.end('flooded');
      else if (this.ending === undefined) onOutput?.(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    // A broken pipe ends the stream; what counts is how the process ended.
    child.stdin?.on('error', () => child.stdin?.destroy());
    if (!onOutput) child.stdin?.end(request.input);
    child.stdout.on('error', () => child.stdout.destroy());
    child.stderr.on('error', () => child.stderr.destroy());
    child.on('error', (error) => {
      // After the start the same event tells of a signal that could not be sent; `exit` still comes then.
      if (child.pid === undefined) this.finish(neverRan('notStarted', errorCode(error) ?? 'UNKNOWN'));
    });
    child.on('exit', (code, signal) => this.onExit(code, signal));
    child.on('close', () => this.onClose());
    this.after(Math.min(request.timeoutMs, MAX_TIMER_MS), () => this.end('timedOut'));
    signal.addEventListener('abort', this.cancel);
  }

  write(text: string): void {
    // What it starts and leaves behind is found while it is still its child.
    const { pid } = this.child;
    if (pid !== undefined && HOST.hasGroups)
      this.descendants = [...new Set([...this.descendants, ...listDescendants(pid, this.terms.name)])];
    if (this.child.stdin?.writable) this.child.stdin.write(text);
  }

  /** Without waiting for anything. */
  endNow(): void {
    const { pid } = this.child;
    if (pid !== undefined) endTreeNow(pid, this.terms.name);
    this.ending ??= 'cancelled';
    this.finishFromExit();
  }

  /** Begins to end the whole tree; what comes out of the pipes from here on is still kept, up to the cap. */
  private end(ending: Ending): void {
    if (this.ending !== undefined) return;
    this.ending = ending;
    this.stopWaiting();
    // Reading stops: a flooding child blocks on its full pipe instead of filling our memory.
    if (ending === 'flooded') this.child.stdout.pause();
    this.signalTree('SIGTERM');
    this.after(this.terms.timings.killGraceMs, () => {
      this.signalTree('SIGKILL');
      this.after(this.terms.timings.pipeGraceMs, () => this.finishFromExit());
    });
  }

  private onExit(code: number | null, signal: string | null): void {
    this.exit = { code, signal };
    if (this.ending !== undefined) {
      // A flooded pipe is paused and never tells that it closed.
      if (this.ending === 'flooded' && !this.isTreeAlive()) this.finishFromExit();
      return;
    }
    this.stopWaiting();
    // Something the child left behind may hold its pipes open for ever. It is ended: it is not read any more.
    this.after(this.terms.timings.pipeGraceMs, () => {
      this.signalTree('SIGKILL');
      this.finishFromExit();
    });
  }

  private onClose(): void {
    // While a tree is being ended, closed pipes do not tell that it is gone: a grandchild may have none of them.
    if (this.ending !== undefined && this.isTreeAlive()) return;
    this.finishFromExit();
  }

  private isTreeAlive(): boolean {
    const { pid } = this.child;
    if (pid === undefined || !HOST.hasGroups) return false;
    return signalProcess(-pid, 0) || this.descendants.some((descendant) => signalProcess(descendant, 0));
  }

  private signalTree(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (!HOST.hasGroups) {
      if (this.exit === undefined) endTreeByProgram(pid);
      return;
    }
    this.descendants = [...new Set([...this.descendants, ...listDescendants(pid, this.terms.name)])];
    signalProcess(-pid, signal);
    for (const descendant of this.descendants) signalProcess(descendant, signal);
  }

  private finishFromExit(): void {
    this.finish({
      kind: this.ending ?? 'exited',
      exitCode: this.exit?.code ?? undefined,
      signal: this.exit?.signal ?? undefined,
      stdout: this.stdout.text(),
      stderr: this.stderr.text(),
      errorCode: undefined,
    });
  }

  private finish(outcome: Omit<ProcessOutcome, 'durationMs'>): void {
    this.stopWaiting();
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    // A tree that even SIGKILL has not ended yet (stuck in the kernel) must not keep our own process alive.
    this.child.unref();
    this.settle(outcome);
  }

  private after(delayMs: number, callback: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      callback();
    }, delayMs);
    this.timers.add(timer);
  }

  private stopWaiting(): void {
    this.terms.signal.removeEventListener('abort', this.cancel);
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
