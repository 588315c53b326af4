/**
 * What the editor saw, as observations: failed commands, failed tasks, new errors. It decides what is worth recording,
 * and masks secrets in it.
 */
import { cleanText, ellipsize, toOneLine } from '../../text/sentence';
import type { ObservationInput } from '../observation';
import { redactSecrets } from './redact';

/** An error as it stands in a file now. */
export interface StandingError {
  readonly line: number;
  readonly message: string;
  readonly source: string | undefined;
}

/**
 * Tells new errors from those that stood before, file by file. Lines move while one types, so an error is known by its
 * source and message; all errors of a file that was never looked at are new.
 */
export class ErrorWatch {
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** Takes the errors of a file as they are, without calling any of them new. */
  learn(path: string, errors: readonly StandingError[]): void {
    this.#known.set(path, new Set(errors.map(keyOf)));
  }

  /** Errors that did not stand when the file was looked at before; those that are gone may be new again. */
  look(path: string, errors: readonly StandingError[]): readonly StandingError[] {
    const known = this.#known.get(path) ?? new Set<string>();
    if (errors.length === 0) this.#known.delete(path);
    else this.learn(path, errors);
    return errors.filter((error) => !known.has(keyOf(error)));
  }
}

function keyOf({ message, source }: StandingError): string {
  return `${source ?? ''}\n${message}`;
}

/** Time in which equal failures are recorded once, in milliseconds. */
const REPEAT_MS = 15 * 60 * 1000;
/** At most so many records in `WINDOW_MS`: a watcher that fails all day must not fill the log. */
const MAX_IN_WINDOW = 20;
const WINDOW_MS = 10 * 60 * 1000;
/** Keys that are remembered. */
const MAX_KEYS = 500;

/** Decides which of the captured events are recorded: none twice within a quarter of an hour, at most 20 in ten minutes. */
export class CaptureGate {
  /** When a key was admitted last, the oldest first. */
  readonly #admitted = new Map<string, number>();
  #recent: readonly number[] = [];
  #dropped = 0;

  /** Events that were not admitted for being too many. */
  get dropped(): number {
    return this.#dropped;
  }

  /** True when the event is to be recorded. `nowMs` never goes back. */
  admit(key: string, nowMs: number): boolean {
    const before = this.#admitted.get(key);
    if (before !== undefined && nowMs - before < REPEAT_MS) return false;
    this.#recent = this.#recent.filter((at) => nowMs - at < WINDOW_MS);
    if (this.#recent.length >= MAX_IN_WINDOW) {
      this.#dropped++;
      return false;
    }
    this.#recent = [...this.#recent, nowMs];
    this.#admitted.delete(key);
    this.#admitted.set(key, nowMs);
    for (const oldest of this.#admitted.keys()) {
      if (this.#admitted.size <= MAX_KEYS) break;
      this.#admitted.delete(oldest);
    }
    return true;
  }
}

/** A line that says what went wrong, in the words of compilers, test runners and shells. */
const TELLING =
  /\b(?:error|errors|err!|fail(?:ed|ure|ures|s)?|fatal|panic(?:ked)?|exception|traceback|assert(?:ion)?\w*|undefined|unresolved|cannot|can't|could not|not found|no such|denied|refused|timed? ?out|expected|mismatch|segmentation fault|killed)\b|[A-Z]\w*(?:Error|Exception)\b|^\s*(?:✖|✗|×|❌|●|E\s{2,}|-->|✕)|错误|錯誤|失败|失敗|异常/iu;

/** Lines kept. */
const MAX_LINES = 12;
/** Of which the last of the output, telling or not: many tools end with the reason. */
const LAST_LINES = 3;
/** UTF-16 code units of a line. */
const MAX_LINE_CHARS = 300;

/** The lines of an output that say why it failed, in order, each once; the last ones always. Colours are taken out. */
export function keyLines(output: string): readonly string[] {
  const lines = cleanText(output)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
  const lastFrom = lines.length - LAST_LINES;
  const kept = new Set<string>();
  const last = lines.slice(Math.max(0, lastFrom));
  for (const line of lines.slice(0, Math.max(0, lastFrom))) {
    if (kept.size >= MAX_LINES - LAST_LINES) break;
    if (TELLING.test(line.slice(0, MAX_LINE_CHARS))) kept.add(ellipsize(line, MAX_LINE_CHARS));
  }
  for (const line of last) kept.add(ellipsize(line, MAX_LINE_CHARS));
  return [...kept];
}

/** What is recorded, and what tells it from others. */
export interface CapturedEvent {
  /** Equal for equal failures. */
  readonly key: string;
  readonly input: Omit<ObservationInput, 'ts'>;
}

/** Who records what the editor sees. */
const ACTOR = 'editor';
/** UTF-16 code units of a command in a summary: the reason should still fit. */
const COMMAND_CHARS = 60;
/** Errors of one file that are written down; the others are counted. */
const MAX_ERRORS = 10;

function shortCommand(command: string): string {
  return ellipsize(toOneLine(command), COMMAND_CHARS);
}

/** A failed command: its exit code and the error's key lines. */
export function failedCommandEvent(failed: { command: string; exitCode: number; output: string }): CapturedEvent {
  const { command, exitCode, output } = failed;
  const safe = redactSecrets(command);
  const lines = keyLines(redactSecrets(output));
  const why = lines.find((line) => /error|fail|错误|失败/iu.test(line)) ?? lines.at(-1);
  const head = `${shortCommand(safe)} failed with exit code ${exitCode}`;
  return {
    key: `command:${exitCode}:${safe}`,
    input: {
      actor: ACTOR,
      phase: 'run',
      type: 'command',
      summary: why === undefined ? head : `${head}: ${toOneLine(why)}`,
      detail: [head, ...lines].join('\n'),
      commands: [safe],
    },
  };
}

/** A failed task; one of the group *test* is a test run. */
export function failedTaskEvent(failed: {
  name: string;
  command: string;
  exitCode: number;
  isTest: boolean;
}): CapturedEvent {
  const { name, command, exitCode, isTest } = failed;
  const [safe, safeName] = [redactSecrets(command), redactSecrets(name)];
  const what = isTest ? 'Test task' : 'Task';
  return {
    key: `task:${exitCode}:${safeName}`,
    input: {
      actor: ACTOR,
      phase: isTest ? 'test' : 'run',
      type: 'task',
      summary: `${what} ${shortCommand(safeName)} failed with exit code ${exitCode}`,
      commands: safe === '' ? [] : [safe],
    },
  };
}

/** New errors of one file. */
export function newErrorsEvent({ path, errors }: { path: string; errors: readonly StandingError[] }): CapturedEvent {
  const rows = errors.map(({ line, message, source }) => {
    const from = source === undefined ? '' : ` (${source})`;
    return `${path}:${line}: ${toOneLine(redactSecrets(message))}${from}`;
  });
  const [first] = errors;
  const count = errors.length === 1 ? '1 new error' : `${errors.length} new errors`;
  const rest = rows.length - MAX_ERRORS;
  return {
    key: `errors:${path}:${errors.map(({ message }) => message).join('\n')}`,
    input: {
      actor: ACTOR,
      phase: 'edit',
      type: 'diagnostics',
      summary: `${count} in ${path}: ${toOneLine(redactSecrets(first?.message ?? ''))}`,
      detail: [...rows.slice(0, MAX_ERRORS), ...(rest > 0 ? [`… ${rest} more`] : [])].join('\n'),
      files: [first ? `${path}#L${first.line}` : path],
    },
  };
}
