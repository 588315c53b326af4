import type { ProcessOutcome, ProcessRequest, ProcessRunner } from '../../../../../src/core/ports/ports';

const EXITED: ProcessOutcome = {
  kind: 'exited',
  exitCode: 0,
  signal: undefined,
  stdout: '',
  stderr: '',
  errorCode: undefined,
  durationMs: 1,
};

/** An outcome that differs from a quiet success in `changes`. */
export function outcome(changes: Partial<ProcessOutcome> = {}): ProcessOutcome {
  return { ...EXITED, ...changes };
}

type Answer = Partial<ProcessOutcome> | Promise<Partial<ProcessOutcome>>;

/** Processes that do not exist: `answer` says how each ends, and every request is kept. */
export class FakeProcesses implements ProcessRunner {
  readonly requests: ProcessRequest[] = [];
  running = 0;
  mostRunning = 0;

  constructor(private readonly answer: (argv: readonly string[], signal: AbortSignal | undefined) => Answer) {}

  async run(request: ProcessRequest, signal?: AbortSignal): Promise<ProcessOutcome> {
    this.requests.push(request);
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    try {
      return outcome(await this.answer(request.argv, signal));
    } finally {
      this.running--;
    }
  }

  /** How often a program ran whose arguments hold `word`. */
  count(word: string): number {
    return this.requests.filter(({ argv }) => argv.includes(word)).length;
  }
}
