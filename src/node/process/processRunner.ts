import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { NEVER_ABORTED, type ProcessOutcome, type ProcessRequest, type ProcessRunner } from '../../core/ports/ports';
import { neverRan } from '../../core/ports/processOutcome';
import { errorCode } from '../errorCode';
import { GIT_READS_ONLY, gitEnvironment } from '../git/gitEnvironment';
import { HeadBuffer, TailBuffer } from './outputBuffers';
import { endTreeNow, endTreeOnWindows, listDescendants, signalProcess } from './processTree';
import { resolveExecutable, searchFolders } from './resolveExecutable';

/** What `ProcessOutcome.stderr` promises at most. */
const STDERR_TAIL_BYTES = 16 * 1024;
/** The largest delay that `setTimeout` takes; beyond it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits of a run; tests shorten them. */
export interface ProcessTimings {
  /** Between the polite signal and the one that cannot be ignored. */
  readonly killGraceMs: number;
  /** After the child has ended: how long its pipes may stay open in the hands of processes it left behind. */
  readonly pipeGraceMs: number;
}

const DEFAULT_TIMINGS: ProcessTimings = { killGraceMs: 500, pipeGraceMs: 250 };

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs child processes in one folder, without a shell and without stdin. Each one leads a process group of its own, so
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
    const child = this.start(request);
    if (typeof child === 'string') return neverRan('notStarted', child, Math.round(performance.now() - startedAt));
    const run = new Run(child, request, signal, this.timings);
    this.running.add(run);
    try {
      const outcome = await run.finished;
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    } finally {
      this.running.delete(run);
    }
  }

  /** Ends every tree before it returns; later runs are `cancelled`. */
  dispose(): void {
    this.isDisposed = true;
    for (const run of this.running) run.endNow();
  }

  /** The child, or the code of the reason why there is none. */
  private start(request: ProcessRequest): Child | string {
    const [name, ...args] = request.argv;
    const { git } = request;
    const folders = searchFolders(this.env, process.platform, git && !git.isTrusted ? this.cwd : undefined);
    const program = resolveExecutable(name, folders, process.platform);
    if (program === undefined) return 'ENOENT';
    try {
      return spawn(program, args, {
        cwd: this.cwd,
        env: git ? gitEnvironment(this.env, folders, git) : { ...this.env, ...GIT_READS_ONLY },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      return errorCode(error) ?? 'UNKNOWN';
    }
  }
}

type Ending = 'timedOut' | 'flooded' | 'cancelled';

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
    request: ProcessRequest,
    private readonly signal: AbortSignal,
    private readonly timings: ProcessTimings,
  ) {
    this.stdout = new HeadBuffer(request.maxOutputBytes);
    this.finished = new Promise((resolve) => {
      this.settle = resolve;
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.stdout.push(chunk)) this.end('flooded');
    });
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    // A broken pipe ends the stream; what counts is how the process ended.
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

  /** Without waiting for anything. */
  endNow(): void {
    const { pid } = this.child;
    if (pid !== undefined) endTreeNow(pid, listDescendants(pid), process.platform);
    this.ending ??= 'cancelled';
    this.finishFromExit();
  }

  /** Begins to end the whole tree; what comes out of the pipes from here on is still kept, up to the cap. */
  private end(ending: Ending): void {
    if (this.ending !== undefined) return;
    this.ending = ending;
    this.stopWaiting();
    // Nobody reads on: a flooding child blocks on its full pipe instead of filling our memory.
    if (ending === 'flooded') this.child.stdout.pause();
    this.signalTree('SIGTERM');
    this.after(this.timings.killGraceMs, () => {
      this.signalTree('SIGKILL');
      this.after(this.timings.pipeGraceMs, () => this.finishFromExit());
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
    // Something the child left behind may hold its pipes open for ever. It is ended: nobody reads it any more.
    this.after(this.timings.pipeGraceMs, () => {
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
    if (pid === undefined || process.platform === 'win32') return false;
    return signalProcess(-pid, 0) || this.descendants.some((descendant) => signalProcess(descendant, 0));
  }

  private signalTree(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (process.platform === 'win32') {
      if (this.exit === undefined) endTreeOnWindows(pid);
      return;
    }
    this.descendants = [...new Set([...this.descendants, ...listDescendants(pid)])];
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
    this.signal.removeEventListener('abort', this.cancel);
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
