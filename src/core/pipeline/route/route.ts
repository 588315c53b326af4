/**
 * Attention routing (DESIGN §3.2): decides what a source's text says about itself (its status, its sentence, its
 * detail) and what a failed source says instead. It does not decide how much of it a payload shows.
 */

import { makeProblem, type Problem } from '../../model/problem';
import type { ScoringMode, SectionRelevance } from '../../model/relevance';
import type { SecretFinding } from '../../model/report';
import type { CollectedSection, SectionFailure } from '../../model/section';
import { STATUSES, type Status } from '../../model/section';
import type { SectionUsage } from '../../model/usage';
import { PROGRAM_IN_FOLDER, type ProcessOutcome } from '../../ports/ports';
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

function failure(status: Status, sentence: Phrase, reason: Phrase, detail = NO_WORDS): FailureWords {
  return { status, sentence, detail, reason, isNotRun: false };
}

function notRun(sentence: Phrase, reason: Phrase): FailureWords {
  return { ...failure('OK', sentence, reason), isNotRun: true };
}

function commandWords(outcome: ProcessOutcome, timeoutMs: number): FailureWords {
  const tail = lastLines(outcome.stderr);
  const detail = tail === '' ? NO_WORDS : phrase('Last lines of its errors:\n{0}', tail);
  const alert = (sentence: Phrase, reason: Phrase) => failure('ALERT', sentence, reason, detail);
  const exit = exitWords(outcome);
  switch (outcome.kind) {
    case 'timedOut':
      return alert(
        phrase('The command was stopped after {0} ms ({1}).', timeoutMs, exit),
        phrase('stopped after {0} s', String(Number((timeoutMs / 1000).toFixed(1)))),
      );
    case 'flooded':
      return alert(
        phrase('The command was stopped because it printed too much ({0}).', exit),
        phrase('too much output'),
      );
    case 'cancelled':
      return alert(phrase('The command was cancelled ({0}).', exit), phrase('cancelled'));
    case 'notStarted':
      if (outcome.errorCode === PROGRAM_IN_FOLDER)
        return alert(
          phrase(
            'The program was not started: PATH finds it only inside this folder. Name it by its path, such as {0}.',
            '.venv/bin/pytest',
          ),
          phrase('program inside the folder'),
        );
      return alert(
        phrase('The command could not be started ({0}).', outcome.errorCode ?? phrase('unknown reason')),
        phrase('not started'),
      );
    case 'exited':
      return alert(phrase('The command failed ({0}).', exit), exit);
  }
}

/** Words for every way in which a section has no text of its own (DESIGN §3.2, PANEL §8). */
export function describeFailure(why: SectionFailure): FailureWords {
  switch (why.kind) {
    case 'command':
      return commandWords(why.outcome, why.timeoutMs);
    case 'missing':
      return failure('WARN', phrase('{0} does not exist.', why.path), phrase('file missing'));
    case 'noMatch':
      return why.isIgnored
        ? failure(
            'WARN',
            phrase('Every file that matches {0} is ignored by Git. Name the file itself, or track it.', why.pattern),
            phrase('only ignored files'),
          )
        : failure('WARN', phrase('No file matches {0}.', why.pattern), phrase('no file matches'));
    case 'tooLarge': {
      const size = bytesOf(why.sizeBytes);
      const words = phrase('{0} was not read: it has {1}, the limit is {2}.', why.path, size, why.limitBytes);
      return failure('WARN', words, phrase('file too large'));
    }
    case 'binary':
      return failure('WARN', phrase('{0} was not read: it is not text.', why.path), phrase('not text'));
    case 'unreadable':
      return failure('ALERT', phrase('{0} could not be read: {1}', why.path, why.message), phrase('unreadable'));
    case 'notTrusted':
      return notRun(phrase('Not run, because the folder is not trusted.'), phrase('not trusted'));
    case 'gitNotTrusted':
      return failure(
        'OK',
        phrase(
          'Git was not read: the folder is not trusted, and its repository is elsewhere or has an unusual format.',
        ),
        phrase('not read: not trusted'),
      );
    case 'notScanned':
      return failure('ALERT', phrase('Left out, because the secret scan failed.'), phrase('not scanned'));
    case 'noProcesses':
      return notRun(phrase('Not run, because this host cannot run commands.'), phrase('cannot run here'));
  }
}

/** What a section has to show; parts that it does not have are empty. */
export interface SectionContent {
  /**
   * `legacy`: no `SUMMARY` line, full text, as before there were any. `summary`: the source spoke for itself; `OK` injects
   * `sentence` alone, `WARN` and `ALERT` also the detail, or that alone where they gave no sentence. `folder`: the
   * section's files have the texts.
   */
  readonly kind: 'legacy' | 'summary' | 'folder' | 'failed' | 'notRun' | 'repoMap' | 'pending';
  readonly sentence: string;
  /** What follows the summary; the whole text for `legacy`. */
  readonly detail: string;
  /** Sentence and detail for people, where a source failed or was not run. */
  readonly words: Phrase;
  /** Reason for a row, such as `stopped after 5 s`. */
  readonly reason: Phrase;
}

/** What a fixed rule does to a section, before any budget. */
export type SectionRule =
  | { readonly kind: 'excluded' }
  /** The profile's agent has it by itself. */
  | { readonly kind: 'loadedByAgent' }
  | { readonly kind: 'keepNewest'; readonly count: number; readonly cited?: readonly string[] }
  /** Mode `static`: holds for lists whose entries have an age. `cited`: `entryHash` of entries that stay beside them. */
  | { readonly kind: 'keepNewestByAge'; readonly count: number; readonly cited?: readonly string[] };

/** Why a section is one line instead of its text, unless asked for. */
export type StubRule =
  /** On demand by the config. */
  | { readonly kind: 'config' }
  /** Mode `static`: its priority is on demand. */
  | { readonly kind: 'static' }
  /** Mode `dynamic`: it scores too little. */
  | { readonly kind: 'score'; readonly score: number; readonly threshold: number };

/** A masked secret, with what stands for it: a payload that shows less may not show it. */
export interface MaskedSecretPlace extends SecretFinding {
  readonly mask: string;
}

/** A section with what it says of itself (route) and what follows from its relevance and the rules (score). */
export interface ScoredSection {
  readonly section: CollectedSection;
  readonly status: Status;
  readonly content: SectionContent;
  /** What the user should know about its first line. */
  readonly problem: Problem | undefined;
  /** `off` until it is scored. */
  readonly mode: ScoringMode;
  /** Undefined in mode `off`. */
  readonly relevance: SectionRelevance | undefined;
  /** Its history, in every mode; undefined when no cycle of the window had it. */
  readonly usage: SectionUsage | undefined;
  readonly rule: SectionRule | undefined;
  readonly stub: StubRule | undefined;
  /** How many of a folder's first files are granted with `P2`; absent where none is. */
  readonly early?: number;
  /** Where each file of a folder stands among those of all folders; absent for others. Ascending. */
  readonly places?: readonly number[];
  /** What the mask stage replaced in it; absent where that was nothing. */
  readonly secrets?: readonly MaskedSecretPlace[];
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
    '{0}: the SUMMARY line\'s status must be OK, WARN or ALERT, but is "{1}". The full text is used.',
    where,
    word,
  );
  const kind = section.source.kind === 'command' ? 'plugin' : 'file';
  return makeProblem(kind, 'warning', words, { path: section.path, line: 1 });
}

/** A section that is not scored yet. */
function routed(
  section: CollectedSection,
  status: Status,
  content: Partial<SectionContent> & Pick<SectionContent, 'kind'>,
  problem?: Problem,
): ScoredSection {
  const said = { sentence: '', detail: '', words: NO_WORDS, reason: NO_WORDS, ...content };
  const unscored = { mode: 'off', relevance: undefined, usage: undefined, rule: undefined, stub: undefined } as const;
  return { section, status, content: said, problem, ...unscored };
}

function routeText(section: CollectedSection, raw: string): ScoredSection {
  const text = cleanText(raw);
  const firstEnd = text.indexOf('\n');
  const match = SUMMARY_LINE.exec(firstEnd < 0 ? text : text.slice(0, firstEnd));
  const word = match?.[2] ?? '';
  const status = STATUSES.find((known) => known === word.toUpperCase());
  if (!match || !status) {
    // Prose may start with `Summary: note: …`; only the exact word means the protocol.
    const problem = match?.[1] === 'SUMMARY' ? unknownStatus(section, word) : undefined;
    return routed(section, 'OK', { kind: 'legacy', detail: trimContent(text) }, problem);
  }
  const detail = detailOf(firstEnd < 0 ? '' : text.slice(firstEnd + 1));
  // Where no sentence is given, an OK source needs one line to inject; an alarm's detail is shown whole and needs none.
  const isShown = status !== 'OK' && detail !== '';
  const sentence = toOneLine(match[3] ?? '') || (isShown ? '' : firstLineOf(detail) || status);
  return routed(section, status, { kind: 'summary', sentence, detail });
}

/** Routes one collected section. Cost is linear in its text. */
export function routeSection(section: CollectedSection): ScoredSection {
  const { body } = section;
  switch (body.kind) {
    case 'text':
      return routeText(section, body.text);
    case 'observations': {
      const lines = body.rows.map(({ text }) => text);
      return routed(section, 'OK', { kind: 'legacy', detail: lines.join('').trimEnd() });
    }
    case 'failed': {
      const { status, sentence, detail, reason, isNotRun } = describeFailure(body.failure);
      return routed(section, status, {
        kind: isNotRun ? 'notRun' : 'failed',
        sentence: inEnglish(sentence),
        detail: inEnglish(detail),
        words: sentences(sentence, detail),
        reason,
      });
    }
    case 'folder':
    case 'repoMap':
    case 'pending':
      return routed(section, 'OK', { kind: body.kind });
  }
}
