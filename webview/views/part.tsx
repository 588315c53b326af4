import type { ComponentChildren, JSX } from 'preact';
import type { PanelActions } from '../panelActions';
import type { PartId } from '../state';
import { Icon } from '../ui/icon';

/** The id of a part's header button, for those who move the focus there. */
export function partButtonId(part: PartId): string {
  return `part-${part}`;
}

/** A foldable part of the panel with a header like a view's: name, one-line summary, tools. */
export function Part(props: {
  readonly id: PartId;
  readonly title: string;
  readonly summary: string;
  readonly isFolded: boolean;
  readonly tools?: ComponentChildren;
  readonly actions: PanelActions;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { id, isFolded } = props;
  // A narrow panel has room for the count of the sections alone.
  const isCount = id === 'sections';
  return (
    <section class="cb-part" aria-label={props.title}>
      <header>
        <h2>
          <button
            type="button"
            id={partButtonId(id)}
            class="cb-fold"
            aria-expanded={!isFolded}
            onClick={() => props.actions.dispatch({ type: 'togglePart', part: id })}
          >
            <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} />
            <b>{props.title}</b>
            <span class={isCount ? 'sum cnt' : 'sum'} title={props.summary}>
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
