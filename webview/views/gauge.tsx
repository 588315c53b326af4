import { Component, createRef, type JSX } from 'preact';
import type { PanelPayload } from '../../src/protocol/panel';
import { cssPercent } from '../format';
import { type GaugeSegment, type GaugeView, gaugeView } from '../gauge';
import { WARN_MARK } from '../model';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';

/** Left of this share the limit's label would run into the words on the left. */
const LEAST_LIMIT_LABEL_AT = 0.4;

function Segment(props: { readonly segment: GaugeSegment; readonly isLit: boolean }): JSX.Element {
  const { segment, isLit } = props;
  const kind = segment.isBeyond ? 'beyond' : (segment.priority ?? 'notes');
  return (
    <span
      class={isLit ? `seg ${kind} hit` : `seg ${kind}`}
      data-section={segment.sectionId}
      style={{ width: cssPercent(segment.share) }}
      title={segment.title}
    />
  );
}

function Axis({ view }: { readonly view: GaugeView }): JSX.Element {
  const { limitAt, warnAt } = view;
  const hasLabel = limitAt === undefined || limitAt >= LEAST_LIMIT_LABEL_AT;
  return (
    <div class="cb-axis" aria-hidden="true">
      <span>{view.used}</span>
      {hasLabel && (
        <span class="at" style={{ left: cssPercent(limitAt ?? warnAt) }}>
          {limitAt === undefined ? WARN_MARK : WORDS.gauge.limit}
        </span>
      )}
    </div>
  );
}

/** The section whose row is under the mouse or has the focus. */
function sectionAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest('.cb-row')?.querySelector<HTMLElement>('[data-row]')?.dataset.row;
}

interface GaugeProps {
  readonly payload: PanelPayload | undefined;
  readonly actions: PanelActions;
}

interface GaugeState {
  readonly lit: string | undefined;
}

/**
 * Used tokens against the limit, one piece a section: a click on it goes to the section's row, and the row under the
 * mouse or with the focus lights its piece. Screen readers get the sum here; the rows say the rest.
 */
export class Gauge extends Component<GaugeProps, GaugeState> {
  override state: GaugeState = { lit: undefined };
  readonly #meter = createRef<HTMLDivElement>();
  readonly #listeners = new AbortController();

  override componentDidMount(): void {
    const panel = this.#meter.current?.closest('.cb');
    for (const type of ['pointerover', 'focusin'] as const) {
      panel?.addEventListener(type, ({ target }) => this.#light(sectionAt(target)), this.#listeners);
    }
    panel?.addEventListener('pointerleave', () => this.#light(undefined), this.#listeners);
  }

  override componentWillUnmount(): void {
    this.#listeners.abort();
  }

  #light(lit: string | undefined): void {
    if (lit !== this.state.lit) this.setState({ lit });
  }

  #onClick(event: MouseEvent): void {
    const sectionId = event.target instanceof HTMLElement ? event.target.dataset.section : undefined;
    if (sectionId !== undefined) this.props.actions.goToRow(sectionId);
  }

  override render({ payload }: GaugeProps, { lit }: GaugeState): JSX.Element {
    // Same height before the first report, so that nothing moves when it comes.
    if (!payload) {
      return (
        <>
          <div class="cb-gauge est" ref={this.#meter} />
          <div class="cb-axis" />
        </>
      );
    }
    const view = gaugeView(payload);
    return (
      <>
        {/* biome-ignore-start lint/a11y: <meter> cannot hold the split by section; what a click does, the rows do for the keyboard */}
        <div
          ref={this.#meter}
          class={view.isEstimate ? 'cb-gauge est' : 'cb-gauge'}
          role="meter"
          aria-label={WORDS.gauge.label}
          aria-valuemin={0}
          aria-valuemax={view.valueMax}
          aria-valuenow={view.valueNow}
          aria-valuetext={view.valueText}
          title={view.title}
          onClick={(event) => this.#onClick(event)}
        >
          <div class="segs" aria-hidden="true">
            {view.segments.map((segment) => (
              <Segment key={segment.key} segment={segment} isLit={lit !== undefined && segment.sectionId === lit} />
            ))}
          </div>
          <span class="mark" style={{ left: cssPercent(view.warnAt) }} />
          {view.limitAt !== undefined && <span class="mark cap" style={{ left: cssPercent(view.limitAt) }} />}
        </div>
        {/* biome-ignore-end lint/a11y: as above */}
        <Axis view={view} />
      </>
    );
  }
}
