import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import { type EntryView, entriesItem, FIRST_ENTRIES, MOST_ENTRIES } from '../entries';
import { formatCount, formatEstimate } from '../format';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';

/** What a list or a folder has, one line each: of a file that is not shown whole, how much of it. */
function Entry({ entry }: { readonly entry: EntryView }): JSX.Element {
  const { file, title, tokens } = entry;
  const size = file === undefined ? formatEstimate(tokens) : formatCount(tokens);
  const part = file === 'row' ? WORDS.detail.lineOf(tokens) : file === 'entries' ? WORDS.detail.partOf(tokens) : size;
  return (
    <li>
      <span title={entry.line}>{title}</span>
      <span class="n">
        <span class="sr">, </span>
        {part}
        <span class="sr"> {WORDS.row.tokens}</span>
      </span>
    </li>
  );
}

/** The entries or files that a section shows: the first few, all of them on asking. */
export function SectionEntries(props: {
  readonly section: ReportSection;
  readonly entries: readonly EntryView[];
  readonly hasAll: boolean;
  readonly actions: PanelActions;
}): JSX.Element | null {
  const { section, entries, hasAll, actions } = props;
  const counts = section.entries;
  if (!counts) return null;
  const shown = entries.slice(0, hasAll ? MOST_ENTRIES : FIRST_ENTRIES);
  const rest = entries.slice(shown.length);
  const isLong = entries.length > FIRST_ENTRIES;
  return (
    <div>
      <h4>
        {section.files ? WORDS.detail.files(section.title) : WORDS.detail.entries}{' '}
        <span>{WORDS.detail.entryCount(counts.shown, counts.total)}</span>
      </h4>
      {shown.length > 0 && (
        <ul class="cb-entries">
          {shown.map((entry, index) => (
            <Entry key={index} entry={entry} />
          ))}
          {isLong && (
            <li>
              <button
                type="button"
                class="link"
                aria-expanded={hasAll}
                data-key={`entries ${section.id}`}
                onClick={() => actions.dispatch({ type: 'toggleItem', item: entriesItem(section.id) })}
              >
                {hasAll ? WORDS.detail.fewerEntries : WORDS.detail.moreEntries(rest.length)}
              </button>
              {rest.length > 0 && (
                <span class="n">{hasAll ? WORDS.detail.entriesInText(rest.length) : formatEstimate(sumOf(rest))}</span>
              )}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function sumOf(entries: readonly EntryView[]): number {
  return entries.reduce((total, { tokens }) => total + tokens, 0);
}
