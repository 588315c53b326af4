/**
 * Attention routing (DESIGN §3.2): decides what a source's text says about itself (its status, its sentence, its
 * detail) and what a failed source says instead. It does not decide how much of it a payload shows.
 */

import type { Problem } from '../../model/problem';
import { makeProblem } from '../../model/problem';
import type { CollectedSection } from '../../model/section';
import { STATUSES, type Status } from '../../model/status';
import { cleanText } from '../../text/cleanText';
import { inEnglish, type Phrase, phrase, sentences } from '../../text/phrase';
import { firstLineOf, toOneLine } from '../../text/sentence';
import { describeFailure } from './failure';

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
export interface RouteResult {
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
