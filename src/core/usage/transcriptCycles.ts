/**
 * Turns of a transcript into usage drafts. Nothing of a transcript's text gets into a draft: its citations say a path, a
 * handle or keywords, its sections only sizes.
 *
 * What an agent had in its context when it answered is not in its transcript. So a draft says what is known best: the
 * elements of our payload where the user's message holds some, else the sections of the current report's expanded payload,
 * as they are now. Sizes of sections that have changed since are off by that change.
 */

import type { ContextReport, PayloadReport, ReportSection } from '../model/report';
import { elementName, RESERVED_ELEMENTS } from '../text/elements';
import { formatObservationTime } from '../text/time';
import type { AgentTurn } from '../transcripts/transcriptAdapter';
import type { Citation, UsageDraft, UsedSection } from './usageRecord';

/** What turns are measured against. */
interface TranscriptCycleOptions {
  readonly report: ContextReport;
  /** What of the expanded payload a turn cites; see `citations/`. */
  readonly cite: (turn: AgentTurn) => readonly Citation[];
  /** For turns whose transcript does not say when they were. Milliseconds since the epoch. */
  readonly fallbackTime: number;
}

/** Offsets of an element in a text that was pasted, in UTF-16 code units. */
interface PastedElement {
  readonly start: number;
  readonly end: number;
}

/** The first element of that name, at `from` or behind it. */
function pastedElement(text: string, name: string, from = 0): PastedElement | undefined {
  const open = new RegExp(`^<${name}(?:\\s[^>\\n]*)?>`, 'gm');
  open.lastIndex = from;
  const start = open.exec(text)?.index ?? -1;
  const close = `</${name}>`;
  const end = start < 0 ? -1 : text.indexOf(close, start);
  return end < 0 ? undefined : { start, end: end + close.length };
}

/**
 * What the user asked in a turn: the message without pasted elements of our payload, which are evidence when they are
 * used. Linear in the message for each section.
 */
export function taskOfTurn({ sections }: PayloadReport, { userText }: Pick<AgentTurn, 'userText'>): string {
  if (!userText.includes('</')) return userText;
  const names = [...RESERVED_ELEMENTS, ...sections.map(({ id }) => elementName(id))];
  return names.reduce((text, name) => {
    let rest = '';
    let at = 0;
    for (let found = pastedElement(text, name); found; found = pastedElement(text, name, at)) {
      rest += text.slice(at, found.start);
      at = found.end;
    }
    return rest + text.slice(at);
  }, userText);
}

function shownNow({ id, chars, tokens, disclosure, charsFull, tokensFull, priority }: ReportSection): UsedSection {
  return { id, chars, tokens, disclosure, charsFull, tokensFull, priority };
}

function asPasted(section: ReportSection, chars: number): UsedSection {
  // The newline after an element is counted with it.
  const isSame = chars === section.chars || chars + 1 === section.chars;
  const perChar = section.charsFull > 0 ? section.tokensFull / section.charsFull : 0;
  const tokens = isSame ? section.tokens : Math.round(perChar * chars);
  return { ...shownNow(section), chars: isSame ? section.chars : chars, tokens };
}

/** The sections of a turn, in payload order. */
function sectionsOfTurn(report: ContextReport, { userText }: AgentTurn): readonly UsedSection[] {
  const { sections } = report.payloads.expanded;
  const pasted = userText.includes('</')
    ? sections.flatMap((section) => {
        const found = pastedElement(userText, elementName(section.id));
        return found ? asPasted(section, found.end - found.start) : [];
      })
    : [];
  return pasted.length > 0 ? pasted : sections.filter(({ disclosure }) => disclosure !== 'omitted').map(shownNow);
}

/** One draft for each turn in which the agent did something; order is kept. */
export function transcriptCycles(turns: readonly AgentTurn[], options: TranscriptCycleOptions): readonly UsageDraft[] {
  const { report, cite, fallbackTime } = options;
  const known = new Set(report.payloads.expanded.sections.map(({ id }) => id));
  return turns
    .filter(({ replyText, toolCalls }) => replyText !== '' || toolCalls.length > 0)
    .map((turn) => ({
      ts: formatObservationTime(new Date(turn.startedAt ?? fallbackTime)),
      trigger: 'transcript',
      profile: report.profile,
      sections: sectionsOfTurn(report, turn),
      cited: cite(turn).filter(({ id }) => known.has(id)),
      payload: 'expanded' as const,
      responseMs: turn.responseMs,
      model: turn.model,
      usage: turn.usage,
      origin: turn.key,
    }));
}
