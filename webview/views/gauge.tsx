import type { JSX } from 'preact';
import type { PayloadReport } from '../../src/core/report/contextReport';
import { cssPercent } from '../format';
import { type GaugeSegment, type GaugeView, gaugeView, WARN_MARK } from '../model';
import { WORDS } from '../words';

/** Left of this share the cap's label would run into the words on the left. */
const LEAST_CAP_LABEL_AT = 0.4;

function Segment({ segment }: { readonly segment: GaugeSegment }): JSX.Element {
  const kind = segment.isBeyond ? 'beyond' : (segment.priority ?? 'notes');
  return <span class={`seg ${kind}`} style={{ width: cssPercent(segment.share) }} title={segment.title} />;
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

/** Used tokens against the cap, one piece a section; the rows say the same to screen readers. */
export function Gauge({ payload }: { readonly payload: PayloadReport | undefined }): JSX.Element {
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
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot hold the split by section */}
      <div
        class={view.isEstimate ? 'cb-gauge est' : 'cb-gauge'}
        role="meter"
        aria-label={WORDS.gauge.label}
        aria-valuemin={0}
        aria-valuemax={view.valueMax}
        aria-valuenow={view.valueNow}
        aria-valuetext={view.valueText}
      >
        <div class="segs" aria-hidden="true">
          {view.segments.map((segment) => (
            <Segment key={segment.key} segment={segment} />
          ))}
        </div>
        <span class="mark" style={{ left: cssPercent(view.warnAt) }} />
        {view.capAt !== undefined && <span class="mark cap" style={{ left: cssPercent(view.capAt) }} />}
      </div>
      <Axis view={view} />
    </>
  );
}
