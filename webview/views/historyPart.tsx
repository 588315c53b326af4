import type { JSX } from 'preact';
import type { CycleTotals } from '../../src/core/model/usage';
import { type HistoryView, historyView, PLOT } from '../charts';
import { WARN_MARK } from '../model';
import type { PanelActions } from '../panelActions';
import type { UiState } from '../state';
import { WORDS } from '../words';
import { Part } from './part';

/** Height of the line of text above the plot, where the cap's label may stand. */
const LABEL_PX = 14;

function Chart({ view }: { readonly view: HistoryView }): JSX.Element {
  const { width, height } = PLOT;
  return (
    <div class="cb-history">
      <div class="plot">
        <span class="tag" style={{ top: `${LABEL_PX + view.capY}px` }} aria-hidden="true">
          {view.cap}
        </span>
        <svg
          class="chart"
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          preserveAspectRatio="none"
          role="img"
          aria-label={view.label}
        >
          <line class="base" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
          <line class="warnline" x1="0" x2={width} y1={view.warnY} y2={view.warnY} />
          <line class="cap" x1="0" x2={width} y1={view.capY} y2={view.capY} />
          <polyline class="v" points={view.points} />
        </svg>
      </div>
      <div class="foot" aria-hidden="true">
        <span>
          <span class="unit">{WORDS.history.cycle} </span>
          {view.first}
        </span>
        <span>{view.axis}</span>
        <span>{view.last}</span>
      </div>
    </div>
  );
}

/** Tokens per cycle against the cap. */
export function HistoryPart(props: {
  readonly cycles: readonly CycleTotals[];
  readonly budgetTokens: number;
  readonly ui: UiState;
  readonly actions: PanelActions;
}): JSX.Element {
  const { cycles, budgetTokens, ui, actions } = props;
  const view = historyView(cycles, budgetTokens, WARN_MARK);
  return (
    <Part
      id="history"
      title={WORDS.history.title}
      summary={view ? view.range : WORDS.history.none}
      isFolded={ui.foldedParts.includes('history')}
      isExtra
      actions={actions}
    >
      {view ? <Chart view={view} /> : <p class="cb-none small muted">{WORDS.history.empty}</p>}
    </Part>
  );
}
