import { Component, type JSX } from 'preact';
import type { PanelPayload } from '../../src/protocol/panel';
import { cssPercent } from '../format';
import { type GaugeSegment, type GaugeView, gaugeView } from '../gauge';
import { WARN_MARK } from '../model';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';

/** Left of this share the cap's label would run into the words on the left. */
const LEAST_CAP_LABEL_AT = 0.4;

const TIP_ID = 'gauge-tip';

function Segment(props: { readonly segment: GaugeSegment; readonly isChosen: boolean }): JSX.Element {
  const { segment, isChosen } = props;
  const kind = segment.isBeyond ? 'beyond' : (segment.priority ?? 'notes');
  return (
    <span
      class={isChosen ? `seg ${kind} on` : `seg ${kind}`}
      data-segment={segment.key}
      style={{ width: cssPercent(segment.share) }}
    />
  );
}

function Axis({ view }: { readonly view: GaugeView }): JSX.Element {
  const { capAt } = view;
  return (
    <div class="cb-axis" aria-hidden="true">
      <span class="begin">{view.used}</span>
      {capAt === undefined && (
        <span style={{ left: cssPercent(view.warnAt) }} title={WORDS.gauge.warnTitle}>
          {WARN_MARK}
        </span>
      )}
      {capAt === undefined && <span class="end">{WORDS.gauge.cap}</span>}
      {capAt !== undefined && capAt >= LEAST_CAP_LABEL_AT && (
        <span style={{ left: cssPercent(capAt) }}>{WORDS.gauge.cap}</span>
      )}
    </div>
  );
}

/** What a segment is, under its middle; never past the gauge's ends. */
function Tip({ view, index }: { readonly view: GaugeView; readonly index: number }): JSX.Element | null {
  const segment = view.segments[index];
  if (!segment) return null;
  const before = view.segments.slice(0, index).reduce((total, { share }) => total + share, 0);
  const middle = cssPercent(before + segment.share / 2);
  return (
    <div class="cb-tip" id={TIP_ID} role="tooltip" style={{ left: middle, transform: `translateX(-${middle})` }}>
      {segment.title}
    </div>
  );
}

/** The segment that a movement key leads to; undefined for other keys. */
function nextSegment(count: number, at: number, key: string): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, at + 1);
    case 'ArrowLeft':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** The key of the piece under the mouse. */
function segmentUnder(target: EventTarget | null): string | undefined {
  return target instanceof HTMLElement ? target.dataset.segment : undefined;
}

interface GaugeProps {
  readonly payload: PanelPayload | undefined;
  readonly actions: PanelActions;
}

interface GaugeState {
  /** The segment whose tooltip is shown, by key: it stays the same piece when others grow. */
  readonly chosen: string | undefined;
}

/**
 * Used tokens against the cap, one piece a section; the rows say the same to screen readers. A piece tells what it is
 * under the mouse, and for the keyboard: arrows walk along the gauge, Enter goes to the section's row, Escape hides.
 */
export class Gauge extends Component<GaugeProps, GaugeState> {
  override state: GaugeState = { chosen: undefined };

  #choose(chosen: string | undefined): void {
    if (chosen !== this.state.chosen) this.setState({ chosen });
  }

  #chooseUnder(target: EventTarget | null): void {
    const key = segmentUnder(target);
    if (key !== undefined) this.#choose(key);
  }

  #onKeyDown(event: KeyboardEvent, view: GaugeView): void {
    const at = view.segments.findIndex(({ key }) => key === this.state.chosen);
    const next = nextSegment(view.segments.length, at, event.key);
    if (next !== undefined) this.#choose(view.segments[next]?.key);
    else if (event.key === 'Escape' && at >= 0) this.#choose(undefined);
    else if (event.key === 'Enter' && at >= 0) this.#goTo(view.segments[at]);
    else return;
    event.preventDefault();
  }

  #goTo(segment: GaugeSegment | undefined): void {
    if (segment?.sectionId !== undefined) this.props.actions.goToRow(segment.sectionId);
  }

  override render({ payload }: GaugeProps, { chosen }: GaugeState): JSX.Element {
    // Same height before the first report, so that nothing moves when it comes.
    if (!payload) {
      return (
        <>
          <div class="cb-gauge est" />
          <div class="cb-axis" />
        </>
      );
    }
    const view = gaugeView(payload);
    const at = view.segments.findIndex(({ key }) => key === chosen);
    return (
      <div
        class="cb-gaugebox"
        onPointerOver={(event) => this.#chooseUnder(event.target)}
        onPointerLeave={() => this.#choose(undefined)}
      >
        {/* biome-ignore-start lint/a11y: <meter> cannot hold the split by section, whose pieces are read with the keyboard */}
        <div
          class={view.isEstimate ? 'cb-gauge est' : 'cb-gauge'}
          role="meter"
          tabIndex={0}
          data-key="gauge"
          aria-label={WORDS.gauge.label}
          aria-valuemin={0}
          aria-valuemax={view.valueMax}
          aria-valuenow={view.valueNow}
          aria-valuetext={view.valueText}
          aria-describedby={at < 0 ? undefined : TIP_ID}
          onFocus={(event) => {
            if (event.currentTarget.matches(':focus-visible')) this.#choose(view.segments[0]?.key);
          }}
          onBlur={() => this.#choose(undefined)}
          onKeyDown={(event) => this.#onKeyDown(event, view)}
          onClick={(event) => {
            const key = segmentUnder(event.target);
            this.#goTo(view.segments.find((segment) => segment.key === key));
          }}
        >
          <div class="segs" aria-hidden="true">
            {view.segments.map((segment, index) => (
              <Segment key={segment.key} segment={segment} isChosen={index === at} />
            ))}
          </div>
          <span class="mark" style={{ left: cssPercent(view.warnAt) }} />
          {view.capAt !== undefined && <span class="mark cap" style={{ left: cssPercent(view.capAt) }} />}
        </div>
        {/* biome-ignore-end lint/a11y: as above */}
        <Axis view={view} />
        {at >= 0 && <Tip view={view} index={at} />}
      </div>
    );
  }
}
