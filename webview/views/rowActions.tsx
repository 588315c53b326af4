import { Component, type JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import { ROW_ACTION_NAMES, ROW_ACTIONS, type RowAction } from '../../src/protocol/panelAction';
import { say, titleOf } from '../language';
import type { PanelActions } from '../panelActions';
import { Icon } from '../ui/icon';
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

interface RowActionsState {
  /** The place that Tab reaches. */
  readonly at: string | undefined;
}

/** What can be done with a section: a toolbar of one tab stop, in which → and ← move. */
export class RowActions extends Component<RowActionsProps, RowActionsState> {
  override state: RowActionsState = { at: undefined };

  readonly #onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll('button')].filter((each) => each.offsetWidth > 0);
    const at = buttons.findIndex((each) => each.matches(':focus'));
    buttons.at((at + step) % buttons.length)?.focus();
  };

  override render({ section, isOnDemand, look, actions }: RowActionsProps, { at }: RowActionsState): JSX.Element {
    const offered = ROW_ACTION_NAMES.filter((action) => ROW_ACTIONS[action].isOffered({ ...section, isOnDemand }));
    const stop = offered.find((action) => ROW_ACTIONS[action].place === at) ?? offered[0];
    const button = (action: RowAction): JSX.Element => {
      const { icon, tooltip, place } = ROW_ACTIONS[action];
      const label = titleOf(action);
      const isIcon = look === 'hover' || ICON_PLACES.includes(place);
      const freed =
        action === 'onDemand' ? section.tokens - section.tokensStub : action === 'exclude' ? section.tokens : 0;
      const about = [say(tooltip) || section.path, ...(freed > 0 ? [WORDS.row.frees(freed)] : [])].join(' · ');
      return (
        <button
          key={place}
          type="button"
          class={look === 'hover' ? (ICON_PLACES.includes(place) ? 'tool extra' : 'tool') : isIcon ? 'sq' : undefined}
          aria-label={isIcon ? label : undefined}
          title={isIcon ? `${label}: ${about}` : about}
          tabIndex={action === stop ? 0 : -1}
          data-key={`${place} ${section.id}`}
          onFocus={() => this.setState({ at: place })}
          onClick={() => actions.post({ type: 'section', action, sectionId: section.id })}
        >
          <Icon name={icon} />
          {!isIcon && label}
        </button>
      );
    };
    return (
      <div
        class={look === 'hover' ? 'cb-hover' : 'cb-rowacts'}
        role="toolbar"
        aria-label={WORDS.row.actions(section.title)}
        onKeyDown={this.#onKeyDown}
      >
        {offered.map(button)}
      </div>
    );
  }
}
