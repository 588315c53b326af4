/**
 * Attention routing (DESIGN §3.2): decides what a source's text says about itself (its status, its sentence, its
 * detail) and what a failed source says instead. It does not decide how much of it a payload shows.
 */

import { makeProblem, type Problem } from '../../model/problem';
import type { CollectedSection, SectionFailure } from '../../model/section';
import { STATUSES, type Status } from '../../model/section';
import type { ProcessOutcome } from '../../ports/ports';
import { bytesOf } from '../../text/counts';
import { inEnglish, NO_WORDS, type Phrase, phrase, sentences } from '../../text/phrase';
import { cleanText, firstLineOf, toOneLine, toSentence } from '../../text/sentence';

/** What a section that could not be read says instead of a text. */
interface FailureWords {
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

/** What a routed section has to show. */
export type RoutedContent =
  /** No `SUMMARY` line: full text, as before there were any. */
  | { readonly kind: 'legacy'; readonly text: string }
  /** The source spoke for itself; `OK` injects `sentence` alone, `WARN` and `ALERT` also the detail. */
  | { readonly kind: 'summary'; readonly sentence: string; readonly detail: string }
  /** The source failed; `reason` is a row's reason, such as `stopped after 5 s`. */
  | {
      readonly kind: 'failed';
      readonly sentence: string;
      readonly detail: string;
      /** Sentence and detail, for people. */
      readonly words: Phrase;
      readonly reason: Phrase;
    }
  | { readonly kind: 'notRun'; readonly sentence: string; readonly words: Phrase; readonly reason: Phrase }
  | { readonly kind: 'repoMap' }
  | { readonly kind: 'pending' };

/** A section with the status it gave itself. */
export interface RoutedSection {
  readonly section: CollectedSection;
  readonly status: Status;
  readonly content: RoutedContent;
}

/** The routed section, and what the user should know about its first line. */
interface RouteResult {
  readonly routed: RoutedSection;
  readonly problem: Problem | undefined;
}

/** `SUMMARY:<STATUS>` and, after another colon, the sentence, which may hold colons itself. */
const SUMMARY_LINE = /^\s*(SUMMARY)\s*:\s*([A-Za-z][\w-]*)\s*(?::(.*))?$/i;

/** Trims blank lines before and white space after, so that the first line of a content is one. */
function trimContent(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/** What follows a line `---`; without one, everything; lines before it are kept, since dropping them would lose them. */
function detailOf(rest: string): string {
  const trimmed = trimContent(rest);
  const [first = '', ...others] = trimmed.split('\n');
  return first.trim() === '---' ? trimContent(others.join('\n')) : trimmed;
}

function unknownStatus(section: CollectedSection, word: string): Problem {
  const where = section.path ?? section.title;
  const words = phrase(
    '{0}: the SUMMARY line\'s status must be OK, WARN or ALERT, but is "{1}". The text is used whole.',
    where,
    word,
  );
  const kind = section.source.kind === 'command' ? 'plugin' : 'file';
  return makeProblem(kind, 'warning', words, { path: section.path, line: 1 });
}

function routeText(section: CollectedSection, raw: string): RouteResult {
  const text = cleanText(raw);
  const firstEnd = text.indexOf('\n');
  const firstLine = firstEnd < 0 ? text : text.slice(0, firstEnd);
  const match = SUMMARY_LINE.exec(firstLine);
  const word = match?.[2] ?? '';
  const status = STATUSES.find((known) => known === word.toUpperCase());
  if (!match || !status) {
    // Prose may start with `Summary: note: …`; only the exact word means the protocol.
    const routed: RoutedSection = { section, status: 'OK', content: { kind: 'legacy', text: trimContent(text) } };
    return { routed, problem: match?.[1] === 'SUMMARY' ? unknownStatus(section, word) : undefined };
  }
  const detail = detailOf(firstEnd < 0 ? '' : text.slice(firstEnd + 1));
  // An empty sentence still needs one line to inject: the detail's first, else the bare status.
  const sentence = toOneLine(match[3] ?? '') || firstLineOf(detail) || status;
  return { routed: { section, status, content: { kind: 'summary', sentence, detail } }, problem: undefined };
}

/** Routes one collected section. Cost is linear in its text. */
export function routeSection(section: CollectedSection): RouteResult {
  const { body } = section;
  switch (body.kind) {
    case 'text':
      return routeText(section, body.text);
    case 'observations': {
      const text = body.rows
        .map((row) => row.text)
        .join('')
        .trimEnd();
      return { routed: { section, status: 'OK', content: { kind: 'legacy', text } }, problem: undefined };
    }
    case 'failed': {
      const failure = describeFailure(body.failure);
      const { status, reason, isNotRun } = failure;
      const sentence = inEnglish(failure.sentence);
      const words = sentences(failure.sentence, failure.detail);
      const content: RoutedContent = isNotRun
        ? { kind: 'notRun', sentence, words, reason }
        : { kind: 'failed', sentence, detail: inEnglish(failure.detail), words, reason };
      return { routed: { section, status, content }, problem: undefined };
    }
    case 'repoMap':
    case 'pending':
      return { routed: { section, status: 'OK', content: { kind: body.kind } }, problem: undefined };
  }
}
