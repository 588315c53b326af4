import type { JSX } from 'preact';
import type { Target, UsageReport } from '../../../src/core/usage/report/usageReport';
import { formatChange, formatMetric, METRIC_WORDS, metWord, TARGET_WORDS } from '../../../src/protocol/reportPanel';
import { Icon } from '../../ui/icon';
import { WORDS } from '../words';
import { Part, Scrolling } from './part';

function Result({ target }: { readonly target: Target }): JSX.Element {
  const style = target.met === null ? 'muted' : target.met ? 'met' : 'missed';
  return (
    <span class={`result ${style}`}>
      {target.met === null ? null : <Icon name={target.met ? 'check' : 'close'} />}
      {metWord(target)}
    </span>
  );
}

function Row({ target }: { readonly target: Target }): JSX.Element {
  const { metric } = target;
  return (
    <tr>
      <th scope="row">{METRIC_WORDS[metric]}</th>
      <td>{TARGET_WORDS[metric]}</td>
      <td class="number">{formatMetric(metric, target.baseline)}</td>
      <td class="number">{formatMetric(metric, target.target)}</td>
      <td class="number">{formatMetric(metric, target.actual)}</td>
      <td class="number">{formatChange(target)}</td>
      <td>
        <Result target={target} />
      </td>
    </tr>
  );
}

/** What scoring was to reach against the baseline, once there is something to measure. */
export function TargetPart({ report }: { readonly report: UsageReport }): JSX.Element | null {
  const { targets } = report;
  if (targets.length === 0) return null;
  if (targets.every(({ met }) => met === null))
    return (
      <Part id="targets" title={WORDS.parts.targets}>
        <p class="muted">{WORDS.noTargets}</p>
      </Part>
    );
  const { measure, askedFor, baseline, target, actual, change, result } = WORDS.table;
  return (
    <Part id="targets" title={WORDS.parts.targets}>
      <Scrolling label={WORDS.table.scroll(WORDS.parts.targets)}>
        <table>
          <thead>
            <tr>
              {[measure, askedFor].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              {[baseline, target, actual, change].map((head) => (
                <th key={head} scope="col" class="number">
                  {head}
                </th>
              ))}
              <th scope="col">{result}</th>
            </tr>
          </thead>
          <tbody>
            {targets.map((each) => (
              <Row key={each.metric} target={each} />
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Part>
  );
}
