/**
 * What the editor saw, as observations: failed commands, failed tasks, new errors. It decides what is written and takes
 * secrets out of it; what is worth recording is `captureGate.ts`, and how it is seen the editor's business.
 */
import { toOneLine } from '../../text/sentence';
import type { ObservationInput } from '../observation';
import { keyLines } from './keyLines';
import { redactSecrets } from './redact';

/** A command of a terminal that ended with another code than 0. */
export interface FailedCommand {
  readonly command: string;
  readonly exitCode: number;
  readonly output: string;
}

/** A task whose process ended with another code than 0. */
export interface FailedTask {
  readonly name: string;
  readonly command: string;
  readonly exitCode: number;
  readonly isTest: boolean;
}

/** Errors that appeared in one file. */
export interface NewErrors {
  readonly path: string;
  readonly errors: readonly { readonly line: number; readonly message: string; readonly source: string | undefined }[];
}

/** What is recorded, and what tells it from others. */
export interface CapturedEvent {
  /** The same for the same failure. */
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
  const line = toOneLine(command);
  return line.length > COMMAND_CHARS ? `${line.slice(0, COMMAND_CHARS - 1)}…` : line;
}

/** A failed command: its exit code and the error's key lines. */
export function failedCommandEvent({ command, exitCode, output }: FailedCommand): CapturedEvent {
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
export function failedTaskEvent({ name, command, exitCode, isTest }: FailedTask): CapturedEvent {
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
export function newErrorsEvent({ path, errors }: NewErrors): CapturedEvent {
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
