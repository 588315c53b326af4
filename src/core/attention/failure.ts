import type { ProcessOutcome } from '../ports';
import type { Status } from '../report/contextReport';
import { formatCount, plural } from '../report/words';
import type { SectionFailure } from '../sections/section';
import { toSentence } from './sentence';
import { cleanText } from './text';

/** What a section that could not be read says instead of a text. */
export interface FailureWords {
  readonly status: Status;
  /** One line: what was wrong, where. */
  readonly sentence: string;
  /** Lines that follow the sentence; empty when there are none. */
  readonly detail: string;
  /** A row's reason. */
  readonly reason: string;
  /** True when nothing went wrong: the section was not to be run here. */
  readonly isNotRun: boolean;
}

/** At most this many last lines of stderr, each at most `MAX_STDERR_LINE_CHARS` long: enough for a stack's end. */
const MAX_STDERR_LINES = 20;
const MAX_STDERR_LINE_CHARS = 300;

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}

function lastLines(stderr: string): string {
  const lines = cleanText(stderr)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines
    .slice(-MAX_STDERR_LINES)
    .map((line) => (line.length > MAX_STDERR_LINE_CHARS ? toSentence(line, MAX_STDERR_LINE_CHARS) : line.trimEnd()))
    .join('\n');
}

function exitWords({ exitCode, signal }: ProcessOutcome): string {
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  return signal === undefined ? 'no exit code' : `signal ${signal}`;
}

function commandEnd(
  outcome: ProcessOutcome,
  timeoutMs: number,
): { readonly sentence: string; readonly reason: string } {
  const exit = exitWords(outcome);
  switch (outcome.kind) {
    case 'timedOut':
      return {
        sentence: `The command was stopped after ${formatCount(timeoutMs)} ms (${exit}).`,
        reason: `stopped after ${seconds(timeoutMs)}`,
      };
    case 'flooded':
      return { sentence: `The command was stopped because it printed too much (${exit}).`, reason: 'too much output' };
    case 'cancelled':
      return { sentence: `The command was cancelled (${exit}).`, reason: 'cancelled' };
    case 'notStarted':
      return {
        sentence: `The command could not be started (${outcome.errorCode ?? 'unknown reason'}).`,
        reason: 'not started',
      };
    case 'exited':
      return { sentence: `The command failed (${exit}).`, reason: exit };
  }
}

function commandWords(outcome: ProcessOutcome, timeoutMs: number): FailureWords {
  const tail = lastLines(outcome.stderr);
  return {
    status: 'ALERT',
    ...commandEnd(outcome, timeoutMs),
    detail: tail === '' ? '' : `Last lines of its errors:\n${tail}`,
    isNotRun: false,
  };
}

function fileWords(status: Status, sentence: string, reason: string): FailureWords {
  return { status, sentence, detail: '', reason, isNotRun: false };
}

function notRun(sentence: string, reason: string): FailureWords {
  return { status: 'OK', sentence, detail: '', reason, isNotRun: true };
}

/** Words for every way in which a section has no text of its own (DESIGN §3.2, PANEL §8). */
export function describeFailure(failure: SectionFailure): FailureWords {
  switch (failure.kind) {
    case 'command':
      return commandWords(failure.outcome, failure.timeoutMs);
    case 'missing':
      return fileWords('WARN', `${failure.path} does not exist.`, 'file missing');
    case 'tooLarge':
      return fileWords(
        'WARN',
        `${failure.path} was not read: it has ${plural(failure.sizeBytes, 'byte')}, the limit is ${formatCount(failure.limitBytes)}.`,
        'file too large',
      );
    case 'binary':
      return fileWords('WARN', `${failure.path} was not read: it is not text.`, 'not text');
    case 'unreadable':
      return fileWords('ALERT', `${failure.path} could not be read: ${toSentence(failure.message)}`, 'unreadable');
    case 'notTrusted':
      return notRun('Not run, because the folder is not trusted.', 'not trusted');
    case 'noProcesses':
      return notRun('Not run, because this host cannot run commands.', 'cannot run here');
  }
}
