import { Fragment, type JSX } from 'preact';
import type { Factor, SectionRelevance } from '../../src/core/model/relevance';
import type { ReportSection } from '../../src/core/model/report';
import { formatScore } from '../../src/protocol/panel';
import { lastCitedSentence, SPARK, sparkCaption, sparkView } from '../charts';
import { cssPercent } from '../format';
import { listed, say } from '../language';
import { exemptionSentence, scoreCaption } from '../relevance';
import { FACTOR_WORDS, WORDS } from '../words';

function Meter({ factor }: { readonly factor: Factor }): JSX.Element {
  const { name, value, weight, why } = factor;
  const label = FACTOR_WORDS[name];
  const fact = say(why);
  const title = WORDS.relevance.weight(formatScore(weight), fact);
  return (
    <Fragment>
      <span aria-hidden="true">{label}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be drawn in the panel's colours */}
      <span
        class="f"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={value}
        aria-valuetext={listed([formatScore(value), title])}
      >
        <i style={{ width: cssPercent(value) }} />
      </span>
      <span class="n" aria-hidden="true">
        {formatScore(value)}
      </span>
      <span class="fact" aria-hidden="true" title={title}>
        {fact}
      </span>
    </Fragment>
  );
}

/** A section's score, factor by factor, and why it is never a stub where that is so. */
export function Relevance(props: {
  readonly section: ReportSection;
  readonly relevance: SectionRelevance;
}): JSX.Element {
  const { section, relevance } = props;
  const exemption = exemptionSentence(section);
  return (
    <div>
      <h4>
        {WORDS.relevance.title} <span>{scoreCaption(section)}</span>
      </h4>
      <div class="cb-factors">
        {relevance.factors.map((factor) => (
          <Meter key={factor.name} factor={factor} />
        ))}
      </div>
      {exemption && <p class="small muted">{exemption}</p>}
    </div>
  );
}

/** A section's last cycles: what it cost and when it was cited. */
export function Cycles({ section }: { readonly section: ReportSection }): JSX.Element {
  const { usage, title, relevance } = section;
  if (!usage || usage.charsPerCycle.length === 0) {
    return <p class="small muted">{WORDS.cycles.none}</p>;
  }
  const spark = sparkView(title, usage);
  return (
    <div>
      <h4>
        {WORDS.cycles.last(usage.charsPerCycle.length)} <span>{sparkCaption(usage)}</span>
      </h4>
      <svg
        class="chart"
        viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
        height={SPARK.height}
        preserveAspectRatio="none"
        role="img"
        aria-label={spark.label}
      >
        <polyline class="v" points={spark.points} />
        <line class="base" x1="0" x2={SPARK.width} y1={SPARK.lineHeight + 0.5} y2={SPARK.lineHeight + 0.5} />
        {spark.ticks.map((x) => (
          <line key={x} class="cite" x1={x} x2={x} y1={SPARK.lineHeight + 2} y2={SPARK.height} />
        ))}
      </svg>
      {/* The factor above says the same. */}
      {!relevance && <p class="small muted">{lastCitedSentence(usage)}</p>}
    </div>
  );
}
