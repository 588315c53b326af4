import type { JSX } from 'preact';
import type { PanelSnapshot } from '../../src/protocol/panel';
import { headlineView } from '../model';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';

/** The one line that says how it stands; its alert part filters the rows. */
export function Headline(props: { readonly snapshot: PanelSnapshot; readonly actions: PanelActions }): JSX.Element {
  const view = headlineView(props.snapshot);
  const { dispatch } = props.actions;
  return (
    <h2 class="cb-headline">
      <span>
        {view.total && <strong>{view.total}</strong>}
        {view.over && <span class="is-alert">{view.over}</span>}
        {view.counting && <span class="muted long">{view.counting}</span>}
        {view.countingShort && <span class="muted short">{view.countingShort}</span>}
        {view.alerts && (
          <button
            type="button"
            title={WORDS.headline.alertsTitle}
            onClick={() => dispatch({ type: 'showOnly', kind: 'alerts' })}
          >
            {view.alerts}
          </button>
        )}
        {view.earnNothing && (
          <button
            type="button"
            title={WORDS.headline.earnNothingTitle(props.snapshot.scoring.window)}
            onClick={() => dispatch({ type: 'showOnly', kind: 'earnNothing' })}
          >
            {view.earnNothing}
          </button>
        )}
      </span>
    </h2>
  );
}
