import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import { type ActedSection, ROW_ACTION_NAMES, ROW_ACTIONS, type RowAction } from '../../src/protocol/panelAction';
import { say, titleOf } from '../language';
import type { PanelActions } from '../panelActions';
import { Icon } from '../ui/icon';

/** The longest label that a place may have: its neighbours stay where they are when its button is pressed. */
function widestAt(place: string): string {
  const labels = ROW_ACTION_NAMES.filter((action) => ROW_ACTIONS[action].place === place).map(titleOf);
  return labels.reduce((longest, label) => (label.length > longest.length ? label : longest));
}

function offered(section: ActedSection): readonly RowAction[] {
  return ROW_ACTION_NAMES.filter((action) => ROW_ACTIONS[action].isOffered(section));
}

/** What can be done with a section. */
export function SectionActions(props: {
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
