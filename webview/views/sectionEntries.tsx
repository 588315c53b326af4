import type { JSX } from 'preact';
import type { ReportSection, ShownFile } from '../../src/core/model/report';
import { type EntryView, entriesItem, FIRST_ENTRIES, MOST_ENTRIES } from '../entries';
import { formatCount, formatEstimate } from '../format';
import { repeatedFileNames, rowName } from '../names';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';

/** Lists the entries that a section shows: the first few, all of them on asking. */
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
        {WORDS.detail.entries} <span>{WORDS.detail.entryCount(counts.shown, counts.total)}</span>
      </h4>
      {shown.length > 0 && (
        <ul class="cb-entries">
          {shown.map((entry, index) => (
            <li key={index}>
              <span title={entry.line}>{entry.title}</span>
              <span class="n">
                <span class="sr">, </span>
                {formatEstimate(entry.tokens)}
                <span class="sr"> {WORDS.row.tokens}</span>
              </span>
            </li>
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
                <span class="n">
                  {hasAll
                    ? WORDS.detail.entriesInText(rest.length)
                    : formatEstimate(sumOf(rest, ({ tokens }) => tokens))}
                </span>
              )}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function sumOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}

/** A row of an opened folder: a button among the section rows, by the same keys. */
function FileRow(props: {
  readonly id: string;
  readonly sectionId: string;
  readonly isTabStop: boolean;
  readonly name: string;
  /** Told where another file has the same name. */
  readonly folder?: string;
  readonly title?: string;
  /** Tokens in full, where less is shown. */
  readonly tokensFull: number | undefined;
  readonly tokens: number | undefined;
  readonly isExpanded?: boolean;
  readonly actions: PanelActions;
  readonly onClick: () => void;
}): JSX.Element {
  const { id, sectionId, name, folder, title, tokensFull, tokens, isExpanded, actions } = props;
  return (
    <li class="cb-file">
      <button
        type="button"
        title={title}
        data-row={id}
        data-key={`file ${sectionId} ${id}`}
        aria-expanded={isExpanded}
        tabIndex={props.isTabStop ? 0 : -1}
        onClick={props.onClick}
        onFocus={() => actions.dispatch({ type: 'focusRow', sectionId: id })}
        onKeyDown={(event) => actions.onRowKey(id, event, sectionId)}
      >
        <span class="base">
          <bdi>{name}</bdi>
        </span>
        {folder && (
          <span class="dir">
            <span class="sr">, </span>
            <bdi>{folder}</bdi>
          </span>
        )}
        {tokens !== undefined && (
          <>
            <span class="why">
              {tokensFull !== undefined && (
                <>
                  <span class="sr">, </span>
                  {WORDS.detail.ofFile(tokensFull)}
                </>
              )}
            </span>
            <span class="tok">
              <span class="sr">, </span>
              {formatCount(tokens)}
              <span class="sr"> {WORDS.row.tokens}</span>
            </span>
          </>
        )}
      </button>
    </li>
  );
}

/** A file's own name, with its folder where another one has the same. */
function fileName(path: string, repeated: ReadonlySet<string>): { readonly name: string; readonly folder?: string } {
  const { main, rest, isFolder } = rowName({ title: path, path }, repeated);
  return isFolder ? { name: rest, folder: main } : { name: main };
}

const shownTokens = ({ tokensShown }: ShownFile): number => tokensShown;
const fullTokens = ({ tokens }: ShownFile): number => tokens;

/** Lists the files of a folder, best first, with what is shown of each: the first few, all of them on asking. */
export function SectionFiles(props: {
  readonly section: ReportSection;
  readonly files: readonly ShownFile[];
  readonly hasAll: boolean;
  /** The one row of the whole list that Tab reaches, if it is one of these. */
  readonly tabStop: string | undefined;
  readonly actions: PanelActions;
}): JSX.Element | null {
  const { section, files, hasAll, tabStop, actions } = props;
  if (files.length === 0) return null;
  const shown = files.slice(0, hasAll ? MOST_ENTRIES : FIRST_ENTRIES);
  const rest = files.slice(shown.length);
  const unlisted = (section.entries?.total ?? 0) - files.length + (hasAll ? rest.length : 0);
  const more = entriesItem(section.id);
  const repeated = repeatedFileNames(files.map(({ path }) => ({ title: path, path })));
  return (
    <ul class="cb-files" aria-label={WORDS.detail.files(section.title)}>
      {shown.map(({ handle, path, tokens, tokensShown, shown: part }) => (
        <FileRow
          key={handle}
          id={handle}
          sectionId={section.id}
          isTabStop={handle === tabStop}
          {...fileName(path, repeated)}
          title={WORDS.detail.openFile(path)}
          tokensFull={part === 'full' ? undefined : tokens}
          tokens={tokensShown}
          actions={actions}
          onClick={() => actions.post({ type: 'openFile', path, line: 1 })}
        />
      ))}
      {files.length > FIRST_ENTRIES && (
        <FileRow
          key={more}
          id={more}
          sectionId={section.id}
          isTabStop={more === tabStop}
          name={hasAll ? WORDS.detail.fewerFiles : WORDS.detail.moreFiles(rest.length)}
          tokensFull={hasAll ? undefined : sumOf(rest, fullTokens)}
          tokens={hasAll ? undefined : sumOf(rest, shownTokens)}
          isExpanded={hasAll}
          actions={actions}
          onClick={() => actions.dispatch({ type: 'toggleItem', item: more })}
        />
      )}
      {unlisted > 0 && <li class="cb-unlisted muted">{WORDS.detail.unlisted(unlisted)}</li>}
    </ul>
  );
}
