import { Fragment, type JSX } from 'preact';
import type { ReportSection } from '../../src/core/report/contextReport';
import { formatRowTokens, previewText } from '../model';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';
import { SectionActions } from './sectionActions';
import { Cycles, Relevance } from './sectionAdvice';

/** More than this is slow to lay out and of no use in a sidebar; Copy and Open give the rest. */
const PREVIEW_LIMIT_CHARS = 20_000;

interface DetailProps {
  readonly section: ReportSection;
  readonly isExact: boolean;
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

function AgentText({ section, isExact }: DetailProps): JSX.Element {
  const tokens = formatRowTokens(section, isExact);
  const isWhole = !isExact || section.tokensFull <= section.tokens;
  const size = isWhole ? WORDS.detail.textSize(tokens) : WORDS.detail.textSizeOf(tokens, section.tokensFull);
  const shown = previewText(section.text, PREVIEW_LIMIT_CHARS);
  return (
    <div class="span">
      <h4>
        {WORDS.detail.text} <span>{size}</span>
      </h4>
      {/* biome-ignore-start lint/a11y: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label={WORDS.detail.textLabel(section.title)} data-key={`text ${section.id}`}>
        {shown}
      </pre>
      {/* biome-ignore-end lint/a11y: as above */}
      {shown.length < section.text.length && (
        <p class="small muted">{WORDS.detail.textCut(shown.length, section.text.length)}</p>
      )}
    </div>
  );
}

/** An opened row: why it is shown as it is, its entries, its text as the agent gets it, and what can be done. */
export function SectionDetail(
  props: DetailProps & { readonly id: string; readonly isOnDemand: boolean; readonly actions: PanelActions },
): JSX.Element {
  const { id, section, isExact, isOnDemand, actions } = props;
  const { entries } = section;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <fieldset> is for form fields
    <div class="cb-detail" id={id} role="group" aria-label={WORDS.detail.label(section.title)}>
      {section.explanation !== '' && <Explanation section={section} />}
      {section.relevance && <Relevance section={section} relevance={section.relevance} />}
      {(section.usage || section.relevance) && <Cycles section={section} />}
      {entries && (
        <h4 class="span">
          {WORDS.detail.entries} <span>{WORDS.detail.entryCount(entries.shown, entries.total)}</span>
        </h4>
      )}
      {section.text !== '' && <AgentText section={section} isExact={isExact} />}
      <SectionActions section={section} isOnDemand={isOnDemand} actions={actions} />
    </div>
  );
}
