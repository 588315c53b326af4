import type { JSX } from 'preact';
import type { Target, UsageReport } from '../../../src/core/usage/report/usageReport';
import { changeWords, METRIC_WORDS, metricWords, metWords, TARGET_WORDS } from '../../../src/protocol/reportPanel';
import { say } from '../../language';
import { Icon } from '../../ui/icon';
import { WORDS } from '../words';
import { Part, Scrolling } from './part';

function Result({ target }: { readonly target: Target }): JSX.Element {
  const style = target.met === null ? 'muted' : target.met ? 'met' : 'missed';
  return (
    <span class={`result ${style}`}>
      {target.met === null ? null : <Icon name={target.met ? 'check' : 'close'} />}
      {say(metWords(target))}
    </span>
  );
}

function Row({ target }: { readonly target: Target }): JSX.Element {
  const { metric } = target;
  const change = changeWords(target);
  return (
    <tr>
      <th scope="row">{say(METRIC_WORDS[metric])}</th>
      <td>{say(TARGET_WORDS[metric])}</td>
      <td class="number">{say(metricWords(metric, target.baseline))}</td>
      <td class="number">{say(metricWords(metric, target.target))}</td>
      <td class="number">{say(metricWords(metric, target.actual))}</td>
      <td class="number">{change && say(change)}</td>
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
