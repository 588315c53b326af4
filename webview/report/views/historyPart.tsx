import type { JSX } from 'preact';
import type { UsageReport } from '../../../src/core/usage/report/usageReport';
import { formatCount } from '../../format';
import { historyBoxes, percentage, roundUp } from '../charts';
import { WORDS } from '../words';
import { Part } from './part';

/** Characters a cycle over the whole log. */
export function HistoryPart({ report }: { readonly report: UsageReport }): JSX.Element | null {
  const { history } = report;
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last) return null;
  const top = roundUp(Math.max(...history.map(({ charsMean }) => charsMean)));
  const boxes = historyBoxes(history, top);
  return (
    <Part id="history" title={WORDS.parts.history}>
      <p class="muted">{WORDS.historyCaption}</p>
      <div class="history">
        <div class="scale muted" aria-hidden="true">
          <span>{formatCount(top)}</span>
          <span>{formatCount(top / 2)}</span>
          <span>0</span>
        </div>
        <svg role="img" aria-label={WORDS.history(report)}>
          {[0, 0.5, 1].map((y) => (
            <line key={y} x1="0" x2="100%" y1={percentage(y)} y2={percentage(y)} />
          ))}
          {history.map((point, at) => {
            const box = boxes[at];
            return box ? (
              <rect
                key={point.firstCycle}
                x={percentage(box.left)}
                y={percentage(1 - box.height)}
                width={percentage(box.width)}
                height={percentage(box.height)}
              >
                <title>{WORDS.stretch(point.firstCycle, point.lastCycle, point.charsMean)}</title>
              </rect>
            ) : null;
          })}
        </svg>
        <div class="axis muted" aria-hidden="true">
          <span>{formatCount(first.firstCycle)}</span>
          <span>{formatCount(last.lastCycle)}</span>
        </div>
      </div>
    </Part>
  );
}
