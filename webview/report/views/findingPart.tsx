import type { JSX } from 'preact';
import type { UsageReport } from '../../../src/core/usage/report/usageReport';
import { say } from '../../language';
import { Icon } from '../../ui/icon';
import { WORDS } from '../words';
import { Part } from './part';

/** What is wrong with the log, or should be known of it. */
export function FindingPart({ report }: { readonly report: UsageReport }): JSX.Element | null {
  const { findings } = report;
  if (findings.length === 0) return null;
  return (
    <Part id="problems" title={WORDS.parts.problems}>
      <ul>
        {findings.map(({ kind, words }, at) => (
          <li key={at}>
            <Icon name={kind === 'renamed' || kind === 'vanished' ? 'info' : 'warning'} />
            <span>{WORDS.finding(say(words))}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
