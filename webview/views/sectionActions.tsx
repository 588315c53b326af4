import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/report/contextReport';
import type { PanelToHost } from '../../src/protocol/panel';
import type { PanelActions } from '../panelActions';
import { Icon, type IconName } from '../ui/icon';
import { WORDS } from '../words';

type SectionAction = Extract<PanelToHost, { type: 'section' }>['action'];

interface ActionView {
  readonly action: SectionAction;
  readonly icon: IconName;
  readonly label: string;
  readonly title: string;
}

function actionsOf(section: ReportSection): readonly ActionView[] {
  const words = WORDS.detail;
  const pin: ActionView = section.isPinned
    ? { action: 'togglePin', icon: 'pinned', label: words.unpin, title: words.unpinTitle }
    : { action: 'togglePin', icon: 'pin', label: words.pin, title: words.pinTitle };
  const exclude: ActionView = section.isExcluded
    ? { action: 'toggleExclude', icon: 'add', label: words.include, title: words.includeTitle }
    : { action: 'toggleExclude', icon: 'exclude', label: words.exclude, title: words.excludeTitle };
  const open: readonly ActionView[] =
    section.path === undefined ? [] : [{ action: 'open', icon: 'go-to-file', label: words.open, title: section.path }];
  return [pin, exclude, ...open, { action: 'copy', icon: 'copy', label: words.copy, title: words.copyTitle }];
}

/** What can be done with a section. */
export function SectionActions(props: {
  readonly section: ReportSection;
  readonly actions: PanelActions;
}): JSX.Element {
  const { section, actions } = props;
  return (
    <div class="cb-rowacts span">
      {actionsOf(section).map((view) => (
        <button
          key={view.action}
          type="button"
          title={view.title}
          data-key={`${view.action} ${section.id}`}
          onClick={() => actions.post({ type: 'section', action: view.action, sectionId: section.id })}
        >
          <Icon name={view.icon} />
          {view.label}
        </button>
      ))}
    </div>
  );
}
