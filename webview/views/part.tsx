import type { ComponentChildren, JSX } from 'preact';
import type { PanelActions } from '../panelActions';
import type { PartId } from '../state';
import { Icon } from '../ui/icon';

/** A foldable part of the panel with a header like a view's: name, one-line summary, tools. */
export function Part(props: {
  readonly id: PartId;
  readonly title: string;
  readonly summary: string;
  readonly isFolded: boolean;
  /** In a narrow panel the summary goes while the part is open: its content says the same. */
  readonly isExtra?: boolean;
  readonly tools?: ComponentChildren;
  readonly actions: PanelActions;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { id, isFolded } = props;
  return (
    <section class="cb-part" aria-label={props.title}>
      <header>
        <h2>
          <button
            type="button"
            class="cb-fold"
            aria-expanded={!isFolded}
            onClick={() => props.actions.dispatch({ type: 'togglePart', part: id })}
          >
            <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} />
            <b>{props.title}</b>
            <span class={props.isExtra ? 'sum extra' : 'sum'} title={props.summary}>
              {props.summary}
            </span>
          </button>
        </h2>
        {props.tools}
      </header>
      {!isFolded && props.children}
    </section>
  );
}
