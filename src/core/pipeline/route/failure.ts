import type { SectionFailure } from '../../model/section';
import type { Status } from '../../model/status';
import type { ProcessOutcome } from '../../ports/ports';
import { cleanText } from '../../text/cleanText';
import { bytesOf } from '../../text/counts';
import { NO_WORDS, type Phrase, phrase } from '../../text/phrase';
import { toSentence } from '../../text/sentence';

/** What a section that could not be read says instead of a text. */
export interface FailureWords {
  readonly status: Status;
  /** One line: what was wrong, where. */
  readonly sentence: Phrase;
  /** Lines that follow the sentence; empty when there are none. */
  readonly detail: Phrase;
  /** A row's reason. */
  readonly reason: Phrase;
  /** True when nothing went wrong: the section was not to be run here. */
  readonly isNotRun: boolean;
}

/** At most this many last lines of stderr, each at most `MAX_STDERR_LINE_CHARS` long: enough for a stack's end. */
const MAX_STDERR_LINES = 20;
const MAX_STDERR_LINE_CHARS = 300;

function seconds(ms: number): string {
  return String(Number((ms / 1000).toFixed(1)));
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

function exitWords({ exitCode, signal }: ProcessOutcome): Phrase {
  if (exitCode !== undefined) return phrase('exit code {0}', String(exitCode));
  return signal === undefined ? phrase('no exit code') : phrase('signal {0}', signal);
}

function commandEnd(
  outcome: ProcessOutcome,
  timeoutMs: number,
): { readonly sentence: Phrase; readonly reason: Phrase } {
  const exit = exitWords(outcome);
  switch (outcome.kind) {
    case 'timedOut':
      return {
        sentence: phrase('The command was stopped after {0} ms ({1}).', timeoutMs, exit),
        reason: phrase('stopped after {0} s', seconds(timeoutMs)),
      };
    case 'flooded':
      return {
        sentence: phrase('The command was stopped because it printed too much ({0}).', exit),
        reason: phrase('too much output'),
      };
    case 'cancelled':
      return { sentence: phrase('The command was cancelled ({0}).', exit), reason: phrase('cancelled') };
    case 'notStarted':
      return {
        sentence: phrase('The command could not be started ({0}).', outcome.errorCode ?? phrase('unknown reason')),
        reason: phrase('not started'),
      };
    case 'exited':
      return { sentence: phrase('The command failed ({0}).', exit), reason: exit };
  }
}

function commandWords(outcome: ProcessOutcome, timeoutMs: number): FailureWords {
  const tail = lastLines(outcome.stderr);
  return {
    status: 'ALERT',
    ...commandEnd(outcome, timeoutMs),
    detail: tail === '' ? NO_WORDS : phrase('Last lines of its errors:\n{0}', tail),
    isNotRun: false,
  };
}

function fileWords(status: Status, sentence: Phrase, reason: Phrase): FailureWords {
  return { status, sentence, detail: NO_WORDS, reason, isNotRun: false };
}

function notRun(sentence: Phrase, reason: Phrase): FailureWords {
  return { status: 'OK', sentence, detail: NO_WORDS, reason, isNotRun: true };
}

/** Words for every way in which a section has no text of its own (DESIGN §3.2, PANEL §8). */
export function describeFailure(failure: SectionFailure): FailureWords {
  switch (failure.kind) {
    case 'command':
      return commandWords(failure.outcome, failure.timeoutMs);
    case 'missing':
      return fileWords('WARN', phrase('{0} does not exist.', failure.path), phrase('file missing'));
    case 'tooLarge':
      return fileWords(
        'WARN',
        phrase(
          '{0} was not read: it has {1}, the limit is {2}.',
          failure.path,
          bytesOf(failure.sizeBytes),
          failure.limitBytes,
        ),
        phrase('file too large'),
      );
    case 'binary':
      return fileWords('WARN', phrase('{0} was not read: it is not text.', failure.path), phrase('not text'));
    case 'unreadable':
      return fileWords(
        'ALERT',
        phrase('{0} could not be read: {1}', failure.path, failure.message),
        phrase('unreadable'),
      );
    case 'notTrusted':
      return notRun(phrase('Not run, because the folder is not trusted.'), phrase('not trusted'));
    case 'gitNotTrusted':
      return fileWords(
        'OK',
        phrase('Git was not read: the folder is not trusted, and its repository leads elsewhere or has a rare format.'),
        phrase('not read: not trusted'),
      );
    case 'notScanned':
      return fileWords('ALERT', phrase('Left out, since keys could not be looked for.'), phrase('not scanned'));
    case 'noProcesses':
      return notRun(phrase('Not run, because this host cannot run commands.'), phrase('cannot run here'));
  }
}
