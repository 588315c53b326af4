import { Fragment, type JSX } from 'preact';
import type { Factor, SectionRelevance } from '../../src/core/model/relevance';
import type { ReportSection } from '../../src/core/model/report';
import { formatScore } from '../../src/protocol/panel';
import { type ActedSection, ROW_ACTION_NAMES, ROW_ACTIONS, type RowAction } from '../../src/protocol/panelAction';
import { lastCitedSentence, SPARK, sparkCaption, sparkView } from '../charts';
import { type EntryView, entriesItem, entriesOf, FIRST_ENTRIES, MOST_ENTRIES, textItem } from '../entries';
import { cssPercent, formatEstimate } from '../format';
import { listed, say, titleOf } from '../language';
import { formatRowTokens, previewText } from '../model';
import type { PanelActions } from '../panelActions';
import { exemptionSentence, scoreCaption } from '../relevance';
import { Icon } from '../ui/icon';
import { FACTOR_WORDS, WORDS } from '../words';

function Meter({ factor }: { readonly factor: Factor }): JSX.Element {
  const { name, value, weight, why } = factor;
  const label = FACTOR_WORDS[name];
  const fact = say(why);
  const title = WORDS.relevance.weight(formatScore(weight), fact);
  return (
    <Fragment>
      <span aria-hidden="true">{label}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be drawn in the panel's colours */}
      <span
        class="f"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={value}
        aria-valuetext={listed([formatScore(value), title])}
      >
        <i style={{ width: cssPercent(value) }} />
      </span>
      <span class="n" aria-hidden="true">
        {formatScore(value)}
      </span>
      <span class="fact" aria-hidden="true" title={title}>
        {fact}
      </span>
    </Fragment>
  );
}

/** A section's score, factor by factor, and why it is never a stub where that is so. */
function Relevance(props: { readonly section: ReportSection; readonly relevance: SectionRelevance }): JSX.Element {
  const { section, relevance } = props;
  const exemption = exemptionSentence(section);
  return (
    <div>
      <h4>
        {WORDS.relevance.title} <span>{scoreCaption(section)}</span>
      </h4>
      <div class="cb-factors">
        {relevance.factors.map((factor) => (
          <Meter key={factor.name} factor={factor} />
        ))}
      </div>
      {exemption && <p class="small muted">{exemption}</p>}
    </div>
  );
}

/** A section's last cycles: what it cost and when it was cited. */
function Cycles({ section }: { readonly section: ReportSection }): JSX.Element {
  const { usage, title, relevance } = section;
  if (!usage || usage.charsPerCycle.length === 0) {
    return <p class="small muted">{WORDS.cycles.none}</p>;
  }
  const spark = sparkView(title, usage);
  return (
    <div>
      <h4>
        {WORDS.cycles.last(usage.charsPerCycle.length)} <span>{sparkCaption(usage)}</span>
      </h4>
      <svg
        class="chart"
        viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
        height={SPARK.height}
        preserveAspectRatio="none"
        role="img"
        aria-label={spark.label}
      >
        <polyline class="v" points={spark.points} />
        <line class="base" x1="0" x2={SPARK.width} y1={SPARK.lineHeight + 0.5} y2={SPARK.lineHeight + 0.5} />
        {spark.ticks.map((x) => (
          <line key={x} class="cite" x1={x} x2={x} y1={SPARK.lineHeight + 2} y2={SPARK.height} />
        ))}
      </svg>
      {/* The factor above says the same. */}
      {!relevance && <p class="small muted">{lastCitedSentence(usage)}</p>}
    </div>
  );
}

function Entry({ entry }: { readonly entry: EntryView }): JSX.Element {
  return (
    <li>
      <span title={entry.line}>{entry.title}</span>
      <span class="n">
        <span class="sr">, </span>
        {formatEstimate(entry.tokens)}
        <span class="sr"> {WORDS.row.tokens}</span>
      </span>
    </li>
  );
}

/** The entries a section shows: the newest few, all of them on asking. */
function SectionEntries(props: {
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
    <div class="span">
      <h4>
        {WORDS.detail.entries} <span>{WORDS.detail.entryCount(counts.shown, counts.total)}</span>
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

/** More than this is slow to lay out and of no use in a sidebar; Copy and Open give the rest. */
const PREVIEW_LIMIT_CHARS = 20_000;

function sizeOf(section: ReportSection, isExact: boolean): string {
  const tokens = formatRowTokens(section, isExact);
  const isWhole = !isExact || section.tokensFull <= section.tokens;
  return isWhole ? WORDS.detail.textSize(tokens) : WORDS.detail.textSizeOf(tokens, section.tokensFull);
}

function Preview({ section }: { readonly section: ReportSection }): JSX.Element {
  const shown = previewText(section.text, PREVIEW_LIMIT_CHARS);
  return (
    <>
      {/* biome-ignore-start lint/a11y: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label={WORDS.detail.textLabel(section.title)} data-key={`text ${section.id}`}>
        {shown}
      </pre>
      {/* biome-ignore-end lint/a11y: as above */}
      {shown.length < section.text.length && (
        <p class="small muted">{WORDS.detail.textCut(shown.length, section.text.length)}</p>
      )}
    </>
  );
}

/** The section's text as the agent gets it, behind a heading that folds it. */
function SectionText(props: {
  readonly section: ReportSection;
  readonly isExact: boolean;
  readonly isOpen: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { section, isExact, isOpen, actions } = props;
  return (
    <div class="span">
      <h4>
        <button
          type="button"
          class="cb-turn"
          aria-expanded={isOpen}
          data-key={`fold ${section.id}`}
          onClick={() => actions.dispatch({ type: 'toggleItem', item: textItem(section.id) })}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          {WORDS.detail.text}
          <span class="n">{sizeOf(section, isExact)}</span>
        </button>
      </h4>
      {isOpen && <Preview section={section} />}
    </div>
  );
}

/** The longest label that a place may have: its neighbours stay where they are when its button is pressed. */
function widestAt(place: string): string {
  const labels = ROW_ACTION_NAMES.filter((action) => ROW_ACTIONS[action].place === place).map(titleOf);
  return labels.reduce((longest, label) => (label.length > longest.length ? label : longest));
}

function offered(section: ActedSection): readonly RowAction[] {
  return ROW_ACTION_NAMES.filter((action) => ROW_ACTIONS[action].isOffered(section));
}

/** What can be done with a section. */
function SectionActions(props: {
  readonly section: ReportSection;
  readonly isOnDemand: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { section, isOnDemand, actions } = props;
  return (
    <div class="cb-rowacts span">
      {offered({ ...section, isOnDemand }).map((action) => {
        const { icon, tooltip, place } = ROW_ACTIONS[action];
        return (
          <button
            key={place}
            type="button"
            title={say(tooltip) || section.path}
            data-key={`${place} ${section.id}`}
            onClick={() => actions.post({ type: 'section', action, sectionId: section.id })}
          >
            <Icon name={icon} />
            <span class="label" data-widest={widestAt(place)}>
              {titleOf(action)}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The explanation, with the section's handle set as code. */
function Explanation({ section }: { readonly section: ReportSection }): JSX.Element {
  const pieces = section.explanation.split(section.handle);
  return (
    <p class="small span explain">
      {pieces.map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <code>{section.handle}</code>}
          {piece}
        </Fragment>
      ))}
    </p>
  );
}

/** An opened row: why it is shown as it is, its entries, its text as the agent gets it, and what can be done. */
export function SectionDetail(props: {
  readonly id: string;
  readonly section: ReportSection;
  readonly isExact: boolean;
  readonly isOnDemand: boolean;
  readonly hasAllEntries: boolean;
  readonly isTextToggled: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { id, section, isExact, actions } = props;
  const entries = entriesOf(section);
  // Entries say what a list holds; where there are none, only the text does.
  const isTextOpen = (entries.length === 0) !== props.isTextToggled;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <fieldset> is for form fields
    <div class="cb-detail" id={id} role="group" aria-label={WORDS.detail.label(section.title)}>
      {section.explanation !== '' && <Explanation section={section} />}
      {section.relevance && <Relevance section={section} relevance={section.relevance} />}
      {(section.usage || section.relevance) && <Cycles section={section} />}
      <SectionEntries section={section} entries={entries} hasAll={props.hasAllEntries} actions={actions} />
      {section.text !== '' && <SectionText section={section} isExact={isExact} isOpen={isTextOpen} actions={actions} />}
      <SectionActions section={section} isOnDemand={props.isOnDemand} actions={actions} />
    </div>
  );
}
