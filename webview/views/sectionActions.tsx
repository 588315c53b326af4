import type { JSX } from 'preact';
import type { SectionList } from '../../src/core/config/configEdit';
import type { ReportSection } from '../../src/core/model/report';
import type { PanelToHost } from '../../src/protocol/panel';
import type { PanelActions } from '../panelActions';
import { Icon, type IconName } from '../ui/icon';
import { WORDS } from '../words';

type SectionMessage = Extract<PanelToHost, { type: 'section' | 'setListed' }>;

interface ActionView {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  /** The longest label that the button may have: its neighbours stay where they are when it is pressed. */
  readonly widest: string;
  readonly title: string;
  readonly message: SectionMessage;
}

/** A button that puts the section on a list of the config, or takes it off. */
function listAction(
  { id }: ReportSection,
  list: SectionList,
  isListed: boolean,
  on: readonly [IconName, string, string],
  off: readonly [IconName, string, string],
): ActionView {
  const [icon, label, title] = isListed ? on : off;
  const widest = on[1].length > off[1].length ? on[1] : off[1];
  return {
    key: list,
    icon,
    label,
    widest,
    title,
    message: { type: 'setListed', list, sectionId: id, isListed: !isListed },
  };
}

function actionsOf(section: ReportSection, isOnDemand: boolean): readonly ActionView[] {
  const { id, path, isPinned, isExcluded } = section;
  const words = WORDS.detail;
  const open: ActionView = {
    key: 'open',
    icon: 'go-to-file',
    label: words.open,
    widest: words.open,
    title: path ?? '',
    message: { type: 'section', action: 'open', sectionId: id },
  };
  const copy: ActionView = {
    key: 'copy',
    icon: 'copy',
    label: words.copy,
    widest: words.copy,
    title: words.copyTitle,
    message: { type: 'section', action: 'copy', sectionId: id },
  };
  return [
    listAction(
      section,
      'pinned',
      isPinned,
      ['pinned', words.unpin, words.unpinTitle],
      ['pin', words.pin, words.pinTitle],
    ),
    listAction(
      section,
      'excluded',
      isExcluded,
      ['add', words.include, words.includeTitle],
      ['exclude', words.exclude, words.excludeTitle],
    ),
    listAction(
      section,
      'on_demand',
      isOnDemand,
      ['unfold', words.alwaysShow, words.alwaysShowTitle],
      ['fold', words.onDemand, words.onDemandTitle],
    ),
    ...(path === undefined ? [] : [open]),
    copy,
  ];
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
      {actionsOf(section, isOnDemand).map((view) => (
        <button
          key={view.key}
          type="button"
          title={view.title}
          data-key={`${view.key} ${section.id}`}
          onClick={() => actions.post(view.message)}
        >
          <Icon name={view.icon} />
          <span class="label" data-widest={view.widest}>
            {view.label}
          </span>
        </button>
      ))}
    </div>
  );
}
