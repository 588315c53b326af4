/** Why a section is shown in part: entries of a list, files of a folder, symbols of a map, the start of a text. */
import type { ShownFile } from '../../model/report';
import { filesOf, linesOf, tokensOf } from '../../text/counts';
import { NO_WORDS, type Phrase, phrase, sentences } from '../../text/phrase';
import { isWholeView, mapShareWords } from './mapTable';
import type { MeasuredSection } from './measuredSection';
import type { Cutter } from './sectionForms';

/** For the row, the opened row and the log. */
export interface VariantWords {
  /** What is shown and, where the budget decided, what its priority got: `newest 12 of 41: P3 got 1,150 of 7,500 tokens`. */
  readonly reason: Phrase;
  readonly explanation: Phrase;
  /** What is left out, such as `29 of 41 entries`. */
  readonly dropped: Phrase;
}

const THE_REST = phrase('the rest of the text');

export function because(cutter: Cutter): Phrase {
  switch (cutter.kind) {
    case 'config':
      return phrase('the config');
    case 'static':
      return phrase('mode Rules');
    case 'score':
      return phrase('its score');
    case 'cap':
      return phrase('{0} ({1})', 'max_per_source_tokens', cutter.tokens);
    case 'rows':
      return phrase('{0} ({1})', cutter.limit.setting, cutter.limit.value);
    case 'share':
      return phrase('the limit of a map without a task');
    case 'budget':
      return phrase('the budget');
  }
}

export function askFor(facts: MeasuredSection): Phrase {
  return phrase('The agent can ask for {0} ({1}).', facts.handle, tokensOf(facts.full.tokens));
}

/** Some of a list's entries or of a folder's files, or some of a text. */
export function wordsPart(facts: MeasuredSection, form: number, cutter: Cutter): VariantWords {
  const { forms, handle, section } = facts;
  const { entries, lines, files } = forms?.shown(form) ?? {};
  const missingTokens = facts.full.tokens - (forms?.size(form).tokens ?? 0);
  if (files) return wordsFiles(facts, files, cutter);
  // Fixed text comes before dated entries, and one entry may be all there is.
  if (!entries || !isSome(entries)) {
    if (lines && isSome(lines)) return wordsLines(facts, lines, cutter);
    return {
      reason: phrase('first part'),
      explanation: sentences(phrase('Only the first part, because of {0}.', because(cutter)), askFor(facts)),
      dropped: THE_REST,
    };
  }
  const { shown, total } = entries;
  const missing = total - shown;
  const range = phrase(entries.range === 'first' ? 'first {0} of {1}' : 'newest {0} of {1}', shown, total);
  const other = phrase(
    '{0} more ({1}): the agent can ask for {2}.',
    missing,
    tokensOf(Math.max(0, missingTokens)),
    handle,
  );
  return {
    // Its note says what else was not read.
    reason: cutter.kind === 'rows' ? (section.note ?? range) : withCap(range, cutter),
    explanation: sentences(
      phrase('Shows the {1} entries, because of {0}.', because(cutter), range),
      isMeasured(facts) ? other : askFor(facts),
    ),
    dropped: phrase('{0} of {1}', missing, phrase('{0} entries', total)),
  };
}

/** Some, neither none nor all: only that says what is shown. */
function isSome({ shown, total }: { readonly shown: number; readonly total: number }): boolean {
  return shown > 0 && shown < total;
}

function wordsLines(
  facts: MeasuredSection,
  { shown, total }: { readonly shown: number; readonly total: number },
  cutter: Cutter,
): VariantWords {
  const share = phrase('{0} of {1}', shown, linesOf(total));
  return {
    reason: withCap(share, cutter),
    explanation: sentences(phrase('Shows {1}, because of {0}.', because(cutter), share), askFor(facts)),
    dropped: phrase('{0} of {1}', total - shown, linesOf(total)),
  };
}

/** Whether the full size is that of all there is: of many observations only the newest are measured. */
function isMeasured({ section: { body } }: MeasuredSection): boolean {
  if (body.kind !== 'observations') return true;
  const older = (body.older ?? '').split('\n').length - 1;
  return body.rows.length + older === body.total;
}

/** Of a folder, those that were not read included. */
export function fileCount({ section: { body } }: MeasuredSection): number {
  return body.kind === 'folder' ? body.files.length + body.leftOut : 0;
}

/** `3 of 41 files, 1 in part`, where the others are rows or counted. */
function wordsFiles(facts: MeasuredSection, files: readonly ShownFile[], cutter: Cutter): VariantWords {
  const open = files.filter(({ shown }) => shown !== 'row').length;
  const parts = files.filter(({ shown }) => shown === 'entries').length;
  const total = fileCount(facts);
  const opened = phrase('{0} of {1}', open, filesOf(total));
  const share = parts > 0 ? phrase('{0}, {1} in part', opened, parts) : opened;
  const reason = open === 0 ? phrase('one line for {0} of {1}', files.length, filesOf(total)) : share;
  const why =
    open === total
      ? phrase('Shows {1}, because of {0}.', because(cutter), share)
      : phrase('Text of {1}; one line for each other file, because of {0}.', because(cutter), share);
  return {
    reason: withCap(reason, cutter),
    explanation: sentences(why, askFor(facts)),
    dropped: open < total ? phrase('{0} of {1}', total - open, filesOf(total)) : THE_REST,
  };
}

/** Of an index, `12 of 41 files`, each with one row. */
export function wordsFileRows(facts: MeasuredSection, rows: number, cutter: Cutter): VariantWords {
  const total = fileCount(facts);
  const listed = facts.rows?.shown(rows).files?.length ?? 0;
  const share = phrase('{0} of {1}', listed, filesOf(total));
  const why =
    listed === 0
      ? phrase('One line, because {0} has no room for the text.', because(cutter))
      : phrase('Shows the best-ranked {1}, because of {0}.', because(cutter), share);
  return {
    reason: withCap(share, cutter),
    explanation: sentences(why, askFor(facts)),
    dropped: phrase('{0} of {1}', total - listed, filesOf(total)),
  };
}

function withCap(shown: Phrase, cutter: Cutter): Phrase {
  if (cutter.kind === 'share') return phrase('{0}: no task', shown);
  return cutter.kind === 'cap' ? phrase('{0}: limit of {1} tokens', shown, cutter.tokens) : shown;
}

function whyMap(share: Phrase, cutter: Cutter | undefined): Phrase {
  const handles = phrase('Each symbol has a handle for its source.');
  const why = cutter
    ? phrase('Shows the best-ranked {1}, because of {0}.', because(cutter), share)
    : phrase('Shows the best-ranked {0}: the map has its own limit.', share);
  return sentences(why, handles);
}

/** The best-ranked items of the map; `cutter` is undefined for the map's own budget. */
export function wordsMap({ map }: MeasuredSection, form: number, cutter: Cutter | undefined): VariantWords {
  const view = map?.view(form);
  const share = view ? mapShareWords(view) : NO_WORDS;
  const isWhole = view !== undefined && isWholeView(view) && cutter === undefined;
  const full = map?.view(map.count - 1);
  const lost = (full?.filesShown ?? 0) - (view?.filesShown ?? 0);
  return {
    reason: cutter ? withCap(share, cutter) : share,
    explanation: isWhole ? phrase('The map shows all {0}.', filesOf(view.filesTotal)) : whyMap(share, cutter),
    dropped:
      lost > 0 ? phrase('{0} of {1}', lost, filesOf(full?.filesShown ?? 0)) : phrase('the lowest-ranked symbols'),
  };
}
