import { Component, type JSX } from 'preact';
import { Icon, type IconName } from './icon';

export interface ToolbarButton {
  /** Buttons of one place take each other's, one at a time. */
  readonly place: string;
  readonly icon: IconName;
  readonly label: string;
  readonly title: string;
  /** The icon alone; the label is its name then. */
  readonly isIcon: boolean;
  readonly class?: string | undefined;
  readonly key: string;
  readonly onClick: () => void;
}

interface ToolbarProps {
  readonly class: string;
  /** Its name. */
  readonly label: string;
  readonly buttons: readonly ToolbarButton[];
}

interface ToolbarState {
  /** The place that Tab reaches. */
  readonly at: string | undefined;
}

/** Buttons of one row: one tab stop, in which → and ← move. */
export class Toolbar extends Component<ToolbarProps, ToolbarState> {
  override state: ToolbarState = { at: undefined };

  readonly #onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll('button')].filter((each) => each.offsetWidth > 0);
    const at = buttons.findIndex((each) => each.matches(':focus'));
    buttons.at((at + step) % buttons.length)?.focus();
  };

  override render({ class: looks, label: name, buttons }: ToolbarProps, { at }: ToolbarState): JSX.Element {
    const stop = buttons.find(({ place }) => place === at) ?? buttons[0];
    return (
      <div class={looks} role="toolbar" aria-label={name} onKeyDown={this.#onKeyDown}>
        {buttons.map((button) => {
          const { place, icon, label, title, isIcon } = button;
          return (
            <button
              key={place}
              type="button"
              class={button.class}
              aria-label={isIcon ? label : undefined}
              title={title}
              tabIndex={button === stop ? 0 : -1}
              data-key={button.key}
              onFocus={() => this.setState({ at: place })}
              onClick={button.onClick}
            >
              <Icon name={icon} />
              {!isIcon && label}
            </button>
          );
        })}
      </div>
    );
  }
}
