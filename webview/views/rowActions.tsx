import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import { ROW_ACTION_NAMES, ROW_ACTIONS, type RowAction } from '../../src/protocol/panelAction';
import { say, titleOf } from '../language';
import type { PanelActions } from '../panelActions';
import { Toolbar, type ToolbarButton } from '../ui/toolbar';
import { WORDS } from '../words';

/** Places whose buttons are an icon in the opened row, too; a narrow row has no room for them on hover. */
const ICON_PLACES: readonly string[] = ['open', 'copy'];

interface RowActionsProps {
  readonly section: ReportSection;
  readonly isOnDemand: boolean;
  /** `hover`: icons over the row. `opened`: buttons below it. */
  readonly look: 'hover' | 'opened';
  readonly actions: PanelActions;
}

/** What can be done with a section. */
export function RowActions({ section, isOnDemand, look, actions }: RowActionsProps): JSX.Element {
  const offered = ROW_ACTION_NAMES.filter((action) => ROW_ACTIONS[action].isOffered({ ...section, isOnDemand }));
  const button = (action: RowAction): ToolbarButton => {
    const { icon, tooltip, place } = ROW_ACTIONS[action];
    const label = titleOf(action);
    const isIcon = look === 'hover' || ICON_PLACES.includes(place);
    const freed =
      action === 'onDemand' ? section.tokens - section.tokensStub : action === 'exclude' ? section.tokens : 0;
    const about = [say(tooltip) || section.path, ...(freed > 0 ? [WORDS.row.frees(freed)] : [])].join(' · ');
    return {
      ...{ place, icon, label, isIcon, key: `${place} ${section.id}` },
      title: isIcon ? `${label}: ${about}` : about,
      class: look === 'hover' ? (ICON_PLACES.includes(place) ? 'tool extra' : 'tool') : isIcon ? 'sq' : undefined,
      onClick: () => actions.post({ type: 'section', action, sectionId: section.id }),
    };
  };
  return (
    <Toolbar
      class={look === 'hover' ? 'cb-hover' : 'cb-rowacts'}
      label={WORDS.row.actions(section.title)}
      buttons={offered.map(button)}
    />
  );
}
