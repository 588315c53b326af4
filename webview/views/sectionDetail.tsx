import { Fragment, type JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import { entriesOf } from '../entries';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';
import { SectionActions } from './sectionActions';
import { Cycles, Relevance } from './sectionAdvice';
import { SectionEntries } from './sectionEntries';
import { SectionText } from './sectionText';

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
