import type { JSX } from 'preact';
import type { Phase, UsageReport } from '../../../src/core/usage/report/usageReport';
import { metricWords } from '../../../src/protocol/reportPanel';
import { Part, Scrolling } from '../../document/part';
import { formatCount } from '../../format';
import { say } from '../../language';
import { MODE_WORDS } from '../../words/tables';
import { percentage } from '../charts';
import { COLUMN_WORDS, WORDS } from '../words';

type Metric = 'chars_mean' | 'tokens_mean' | 'observability_mean' | 'response_ms_mean';

interface Measure {
  readonly metric: Metric;
  readonly head: string;
  readonly of: (phase: Phase) => number | null;
}

const MEASURES: readonly Measure[] = [
  { metric: 'tokens_mean', head: WORDS.table.tokens, of: ({ tokensMean }) => tokensMean },
  { metric: 'chars_mean', head: COLUMN_WORDS.charsMean.head, of: ({ charsMean }) => charsMean },
  { metric: 'observability_mean', head: WORDS.table.quality, of: ({ observabilityMean }) => observabilityMean },
  { metric: 'response_ms_mean', head: WORDS.table.response, of: ({ responseMsMean }) => responseMsMean },
];

function Cell({
  phase,
  phases,
  measure,
}: {
  readonly phase: Phase;
  readonly phases: readonly Phase[];
  readonly measure: Measure;
}): JSX.Element {
  const value = measure.of(phase);
  const largest = Math.max(0, ...phases.map((each) => measure.of(each) ?? 0));
  return (
    <td class="number share">
      {value === null ? <span class="muted">{WORDS.notLogged}</span> : say(metricWords(measure.metric, value))}
      <svg class="bar" aria-hidden="true">
        <rect width={percentage(value === null || largest === 0 ? 0 : value / largest)} height="100%" />
      </svg>
    </td>
  );
}

/** The scoring modes that occur, side by side. */
export function PhasePart({ report }: { readonly report: UsageReport }): JSX.Element | null {
  const { phases } = report;
  if (phases.length === 0) return null;
  return (
    <Part id="phases" title={WORDS.parts.phases}>
      <Scrolling label={WORDS.table.scroll(WORDS.parts.phases)}>
        <table>
          <caption>{WORDS.table.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{WORDS.table.mode}</th>
              <th scope="col" class="number">
                {WORDS.table.cycles}
              </th>
              {MEASURES.map(({ metric, head }) => (
                <th key={metric} scope="col" class="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {phases.map((phase) => (
              <tr key={phase.mode}>
                <th scope="row">{MODE_WORDS[phase.mode].label}</th>
                <td class="number">{formatCount(phase.cycles)}</td>
                {MEASURES.map((measure) => (
                  <Cell key={measure.metric} phase={phase} phases={phases} measure={measure} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Part>
  );
}
