import type { JSX } from 'preact';
import type { ScoringMode } from '../../src/core/model/relevance';
import {
  formatThreshold,
  MIN_CYCLES,
  type PanelSimulation,
  type PanelSnapshot,
  type PanelUsage,
  SCORING_MODES,
} from '../../src/protocol/panel';
import type { PanelActions } from '../panelActions';
import { effectView, keptWords, pointAt, relevanceSummary, sectionNames } from '../relevance';
import type { PanelState } from '../state';
import { Icon } from '../ui/icon';
import { MODE_WORDS, WORDS } from '../words';
import { Part } from './part';

/** One step of the slider; the host simulates these. */
const THRESHOLD_STEP = 0.05;

function ModeSelect(props: { readonly mode: ScoringMode; readonly actions: PanelActions }): JSX.Element {
  const { mode, actions } = props;
  const choose = (name: string): void => {
    const chosen = SCORING_MODES.find((known) => known === name);
    if (chosen) actions.post({ type: 'setScoringMode', mode: chosen });
  };
  return (
    <>
      <label for="scoring-mode">{WORDS.relevance.mode}</label>
      <span class="cb-selectbox">
        <select
          id="scoring-mode"
          class="cb-select"
          aria-describedby="scoring-what"
          value={mode}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {SCORING_MODES.map((each) => (
            <option key={each} value={each}>
              {MODE_WORDS[each].label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
      <p class="what small muted" id="scoring-what">
        {MODE_WORDS[mode].what}
      </p>
    </>
  );
}

function Slider(props: {
  readonly threshold: number;
  readonly valueText: string;
  readonly actions: PanelActions;
}): JSX.Element {
  const { threshold, valueText, actions } = props;
  return (
    <>
      <label for="threshold">{WORDS.relevance.threshold}</label>
      <span class="cb-slider">
        <input
          id="threshold"
          type="range"
          min={0}
          max={1}
          step={THRESHOLD_STEP}
          value={threshold}
          title={WORDS.relevance.thresholdTitle}
          aria-valuetext={valueText}
          onInput={(event) =>
            actions.dispatch({ type: 'draftThreshold', threshold: event.currentTarget.valueAsNumber })
          }
        />
        <output for="threshold" aria-hidden="true">
          {formatThreshold(threshold)}
        </output>
      </span>
    </>
  );
}

/** Writes the slider's place to the config. It stays focusable where there is nothing to write. */
function UseButton(props: {
  readonly threshold: number;
  readonly isInForce: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { threshold, isInForce, actions } = props;
  return (
    <button
      type="button"
      class="act"
      aria-disabled={isInForce}
      title={WORDS.relevance.useTitle}
      onClick={() => {
        if (!isInForce) actions.post({ type: 'setThreshold', threshold });
      }}
    >
      {isInForce ? WORDS.relevance.inUse : WORDS.relevance.use}
    </button>
  );
}

/** What payloads follow now. */
function forceSentence({ mode, threshold }: PanelSnapshot['scoring'], chosen: number): string {
  if (mode !== 'dynamic') return WORDS.relevance.otherMode(MODE_WORDS[mode].label);
  return chosen === threshold ? WORDS.relevance.inForce : WORDS.relevance.otherThreshold(formatThreshold(threshold));
}

function Simulation(props: {
  readonly snapshot: PanelSnapshot;
  readonly simulation: PanelSimulation;
  readonly threshold: number;
  readonly actions: PanelActions;
}): JSX.Element | null {
  const { snapshot, simulation, threshold, actions } = props;
  const { scoring } = snapshot;
  const point = pointAt(simulation, threshold);
  if (!point) return null;
  const view = effectView(point, simulation.cycles, sectionNames(snapshot));
  const valueText = WORDS.relevance.valueText(formatThreshold(threshold), point.tokensAfter, keptWords(point));
  return (
    <>
      <Slider threshold={threshold} valueText={valueText} actions={actions} />
      <div class="result small">
        <p title={view.cost}>{view.cost}</p>
        <p title={view.citations}>{view.citations}</p>
        <p class="muted" title={view.stubsTitle}>
          {view.stubs}
        </p>
      </div>
      <div class="use">
        <UseButton threshold={threshold} isInForce={threshold === scoring.threshold} actions={actions} />
        <p class="small muted">{forceSentence(scoring, threshold)}</p>
      </div>
    </>
  );
}

/** How scoring works and what a threshold would have done, from the recorded cycles. */
export function RelevancePart(props: {
  readonly state: PanelState;
  readonly snapshot: PanelSnapshot;
  readonly usage: PanelUsage;
  readonly actions: PanelActions;
}): JSX.Element {
  const { state, snapshot, usage, actions } = props;
  const threshold = state.draftThreshold ?? snapshot.scoring.threshold;
  return (
    <Part
      id="relevance"
      title={WORDS.relevance.title}
      summary={relevanceSummary(snapshot)}
      isFolded={state.ui.foldedParts.includes('relevance')}
      actions={actions}
    >
      <div class="cb-form cb-scoring">
        <ModeSelect mode={snapshot.scoring.mode} actions={actions} />
        {usage.simulation ? (
          <Simulation snapshot={snapshot} simulation={usage.simulation} threshold={threshold} actions={actions} />
        ) : (
          <p class="what small muted">
            {WORDS.relevance.missing(Math.min(usage.cycles.length, MIN_CYCLES), MIN_CYCLES)}
          </p>
        )}
      </div>
    </Part>
  );
}
