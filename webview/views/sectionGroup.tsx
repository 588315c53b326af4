import type { JSX } from 'preact';
import type { RoiClass } from '../../src/core/model/usage';
import type { PanelPayload } from '../../src/protocol/panel';
import { entriesItem, textItem } from '../entries';
import { isRowExact, type SectionGroupView } from '../model';
import { rowName } from '../names';
import type { PanelActions } from '../panelActions';
import { SectionRow } from './sectionRow';

/** The rows of one priority under a heading that says what happens to them. */
export function SectionGroup(props: {
  readonly group: SectionGroupView;
  readonly payload: PanelPayload;
  readonly openIds: readonly string[];
  readonly onDemand: readonly string[];
  readonly tabStopId: string | undefined;
  readonly largestTokens: number;
  readonly repeatedNames: ReadonlySet<string>;
  readonly roiTitles: Readonly<Record<RoiClass, string>> | undefined;
  readonly openItems: readonly string[];
  readonly actions: PanelActions;
}): JSX.Element {
  const { group, payload, openIds, tabStopId, largestTokens, actions } = props;
  const headingId = `group-${group.priority ?? 'all'}`;
  return (
    <section class="cb-group" aria-labelledby={headingId}>
      <h3 id={headingId}>
        {group.priority && <span class={`cb-swatch ${group.priority}`} aria-hidden="true" />}
        {group.priority && <b>{group.priority}</b>}
        <span class="g">{group.label}</span>
        <span class="n">{group.subtotal}</span>
      </h3>
      <ul>
        {group.sections.map((section) => (
          <SectionRow
            key={section.id}
            section={section}
            isExact={isRowExact(payload, section)}
            isOpen={openIds.includes(section.id)}
            isOnDemand={props.onDemand.includes(section.id)}
            isTabStop={section.id === tabStopId}
            name={rowName(section, props.repeatedNames)}
            barShare={Math.round((section.tokens / largestTokens) * 1000) / 1000}
            roiTitle={props.roiTitles?.[section.roiClass]}
            hasAllEntries={props.openItems.includes(entriesItem(section.id))}
            isTextToggled={props.openItems.includes(textItem(section.id))}
            actions={actions}
          />
        ))}
      </ul>
    </section>
  );
}
