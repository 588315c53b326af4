import { Fragment, type JSX } from 'preact';
import type { Factor, SectionRelevance } from '../../src/core/model/relevance';
import type { ReportSection } from '../../src/core/model/report';
import type { RoiThresholds } from '../../src/core/model/usage';
import { formatScore, judgedCycles, MIN_CYCLES } from '../../src/protocol/panel';
import { lastCitedSentence, SPARK, sparkView, useCaption, useTitle } from '../charts';
import { detailsItem, type EntryView, entriesOf, textItem } from '../entries';
import { cssPercent } from '../format';
import { listed, say } from '../language';
import { formatRowTokens, previewText } from '../model';
import type { PanelActions } from '../panelActions';
import { exemptionSentence, scoreCaption } from '../relevance';
import { Icon } from '../ui/icon';
import { FACTOR_WORDS, WORDS } from '../words';
import { RowActions } from './rowActions';
import { SectionEntries, SectionFiles } from './sectionEntries';

function Meter({ factor }: { readonly factor: Factor }): JSX.Element {
  const { name, value, weight, why } = factor;
  const label = FACTOR_WORDS[name];
  const title = WORDS.relevance.weight(formatScore(weight), say(why));
  return (
    <Fragment>
      <span aria-hidden="true" title={title}>
        {label}
      </span>
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
    </Fragment>
  );
}

/** A section's score, factor by factor, and why a low one changes nothing where that is so. */
function Relevance(props: { readonly section: ReportSection; readonly relevance: SectionRelevance }): JSX.Element {
  const { section, relevance } = props;
  const exemption = exemptionSentence(section);
  return (
    <div>
      <h4>
        {WORDS.relevance.scoreTitle} <span>{scoreCaption(section)}</span>
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
function Cycles({
  section,
  borders,
}: {
  readonly section: ReportSection;
  readonly borders: RoiThresholds;
}): JSX.Element {
  const { usage, title } = section;
  if (!usage || usage.charsPerCycle.length === 0) {
    return <p class="small muted">{WORDS.cycles.none}</p>;
  }
  // A line of a few cycles says nothing; the caption says how many are missing.
  const lastCited = lastCitedSentence(usage);
  const spark = usage.charsPerCycle.length < MIN_CYCLES ? undefined : sparkView(title, usage);
  return (
    <div>
      <h4>
        {WORDS.cycles.use} <span title={useTitle(usage, borders)}>{useCaption(usage)}</span>
      </h4>
      {spark && (
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
      )}
      {lastCited !== undefined && <p class="small muted">{lastCited}</p>}
    </div>
  );
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
    <div>
      <h4>
        <button
          type="button"
          class="cb-more"
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

/** The explanation, with the section's handle set as code. */
function Explanation({ section }: { readonly section: ReportSection }): JSX.Element {
  const pieces = section.explanation.split(section.handle);
  return (
    <p class="explain">
      {pieces.map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <code>{section.handle}</code>}
          {piece}
        </Fragment>
      ))}
    </p>
  );
}

/** Score, use, entries and text: what explains the row to those who ask. */
function Details(props: SectionDetailProps & { readonly entries: readonly EntryView[] }): JSX.Element {
  const { section, isExact, actions, entries } = props;
  const { relevance, usage, files, text } = section;
  // Entries say what a list holds; where there are none, only the text does.
  const isTextOpen = (entries.length === 0) !== props.isTextToggled;
  return (
    <>
      {(usage || relevance) && (
        <div class="cb-two">
          {relevance && <Relevance section={section} relevance={relevance} />}
          <Cycles section={section} borders={props.borders} />
        </div>
      )}
      {!files && <SectionEntries section={section} entries={entries} hasAll={props.hasAllEntries} actions={actions} />}
      {text !== '' && <SectionText section={section} isExact={isExact} isOpen={isTextOpen} actions={actions} />}
    </>
  );
}

/** The heading that folds the details, with what most want of them. */
function DetailsFold(props: Pick<SectionDetailProps, 'section' | 'isDetailed' | 'actions'>): JSX.Element {
  const { section, isDetailed, actions } = props;
  const { usage, id } = section;
  const judged = usage ? judgedCycles(usage) : 0;
  return (
    <button
      type="button"
      class="cb-more"
      aria-expanded={isDetailed}
      data-key={`details ${id}`}
      onClick={() => actions.dispatch({ type: 'toggleItem', item: detailsItem(id) })}
    >
      <Icon name={isDetailed ? 'chevron-down' : 'chevron-right'} />
      {WORDS.detail.details}
      {judged > 0 && <span class="n">{WORDS.detail.used(usage?.citedCycles ?? 0, judged)}</span>}
    </button>
  );
}

interface SectionDetailProps {
  readonly id: string;
  readonly section: ReportSection;
  readonly isExact: boolean;
  readonly isOnDemand: boolean;
  readonly citedBy: string | undefined;
  /** Score, use, entries and text are shown, too. */
  readonly isDetailed: boolean;
  readonly hasAllEntries: boolean;
  readonly isTextToggled: boolean;
  /** The one row of the list that Tab reaches, if it is one of the folder's files. */
  readonly fileTabStop: string | undefined;
  /** Where the classes of return begin. */
  readonly borders: RoiThresholds;
  readonly actions: PanelActions;
}

/** An opened row: what can be done, what is shown and why, a folder's files; the rest is folded. */
export function SectionDetail(props: SectionDetailProps): JSX.Element {
  const { section, actions } = props;
  const { relevance, usage, text, files } = section;
  const entries = entriesOf(section);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <fieldset> is for form fields
    <div class="cb-detail" id={props.id} role="group" aria-label={WORDS.detail.label(section.title)}>
      <RowActions section={section} isOnDemand={props.isOnDemand} look="opened" actions={actions} />
      {section.explanation !== '' && <Explanation section={section} />}
      {props.citedBy !== undefined && <p class="explain">{WORDS.detail.citedBy(props.citedBy)}</p>}
      {files && (
        <SectionFiles
          section={section}
          files={files}
          hasAll={props.hasAllEntries}
          tabStop={props.fileTabStop}
          actions={actions}
        />
      )}
      {(relevance || usage || text !== '') && (
        <DetailsFold section={section} isDetailed={props.isDetailed} actions={actions} />
      )}
      {props.isDetailed && <Details {...props} entries={entries} />}
    </div>
  );
}
