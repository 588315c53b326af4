import type { SectionSource } from '../../model/section';
import { neverRan, type ProcessOutcome, type ProcessRunner } from '../../ports/ports';
import { Limiter } from '../../text/limiter';
import { normalizePath } from '../../text/safePath';

/** Output above this is a flood (DESIGN §3.2). Bytes. */
const MAX_COMMAND_OUTPUT_BYTES = 1_000_000;

/** Plug-ins at once: enough that one that hangs holds up none of a usual handful, few enough for a small machine. */
const CONCURRENCY = 4;

type CommandSource = Extract<SectionSource, { readonly kind: 'command' }>;

interface Entry {
  last: ProcessOutcome | undefined;
  isStale: boolean;
  running: Promise<ProcessOutcome> | undefined;
}

/**
 * Runs perception plug-ins and keeps their last outcome. A command runs when it has none yet, on refresh, and when a
 * file that its arguments name changes (its own script, a file it is given). What other changes mean for it is its
 * caller's to decide (`workspace/reading/commandThrottle.ts`): plug-ins look at ports, services and build servers, and may cost seconds.
 */
export class CommandRunner {
  private readonly entries = new Map<string, Entry>();
  private readonly limiter = new Limiter(CONCURRENCY);
  private runningCount = 0;

  /** `onActivity` is told when the first of several commands starts and when the last one has ended. */
  constructor(
    private readonly processes: ProcessRunner,
    private readonly onActivity: (isRunning: boolean) => void = () => undefined,
  ) {}

  /** The last outcome if it still counts, else a new one; `undefined` when cancelled before there ever was one. */
  async run(source: CommandSource, signal: AbortSignal): Promise<ProcessOutcome | undefined> {
    const key = JSON.stringify([source.argv, source.timeoutMs]);
    const entry = this.entries.get(key) ?? { last: undefined, isStale: true, running: undefined };
    this.entries.set(key, entry);
    while (!entry.isStale) {
      if (!entry.running) return entry.last;
      const shared = await entry.running;
      if (shared.kind !== 'cancelled') return shared;
      // Another caller cancelled the shared run. The entry is stale, so it runs again here.
      if (signal.aborted) return entry.last;
    }
    return this.start(entry, source, signal);
  }

  /** Everything runs again. */
  expireAll(): void {
    for (const entry of this.entries.values()) entry.isStale = true;
  }

  /** Runs again what names one of `paths` in its arguments, as `x`, `./x` or `--option=x`. */
  expireNaming(paths: ReadonlySet<string>): void {
    for (const [key, entry] of this.entries) {
      const [argv] = JSON.parse(key) as [readonly string[], number];
      if (argv.some((argument) => namesOne(argument, paths))) entry.isStale = true;
    }
  }

  private async start(entry: Entry, source: CommandSource, signal: AbortSignal): Promise<ProcessOutcome | undefined> {
    if (this.runningCount++ === 0) this.onActivity(true);
    const running = this.limiter.run(() => this.runNow(source, signal));
    entry.isStale = false;
    entry.running = running;
    const outcome = await running;
    if (--this.runningCount === 0) this.onActivity(false);
    const isCurrent = entry.running === running;
    if (isCurrent) entry.running = undefined;
    if (outcome.kind === 'cancelled') {
      if (isCurrent) entry.isStale = true;
      return entry.last;
    }
    if (isCurrent) entry.last = outcome;
    return outcome;
  }

  private async runNow({ argv, timeoutMs }: CommandSource, signal: AbortSignal): Promise<ProcessOutcome> {
    if (signal.aborted) return neverRan('cancelled');
    try {
      return await this.processes.run({ argv, timeoutMs, maxOutputBytes: MAX_COMMAND_OUTPUT_BYTES }, signal);
    } catch {
      // A runner that throws breaks its contract; one plug-in must not take the others with it.
      return neverRan('notStarted');
    }
  }
}

function namesOne(argument: string, paths: ReadonlySet<string>): boolean {
  const candidates = [argument, argument.slice(argument.indexOf('=') + 1)];
  return candidates.some((candidate) => paths.has(normalizePath(candidate.replaceAll('\\', '/'))));
}
