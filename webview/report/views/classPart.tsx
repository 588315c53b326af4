import type { JSX } from 'preact';
import type { UsageReport } from '../../../src/core/usage/report/usageReport';
import { roiWords, VERDICTS } from '../../../src/protocol/reportPanel';
import { formatCount, formatShare } from '../../format';
import { say } from '../../language';
import { percentage, stackedBoxes } from '../charts';
import { COLUMN_WORDS, WORDS } from '../words';
import { CLASS_STYLES, ClassChip } from './classChip';
import { Part, Scrolling } from './part';

function Chart({ classes }: UsageReport): JSX.Element {
  const boxes = stackedBoxes(classes.map(({ share }) => share));
  return (
    <svg class="stack" role="img" aria-label={WORDS.classChart(classes)}>
      {classes.map(({ roiClass, share }, at) => {
        const { left, width } = boxes[at] ?? { left: 0, width: 0 };
        return share === 0 ? null : (
          <rect
            key={roiClass}
            class={CLASS_STYLES[roiClass]}
            x={percentage(left)}
            width={percentage(width)}
            height="100%"
          >
            <title>{WORDS.classShare(roiClass, share)}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** The classes: how much of the context each is, what it returns, and what to do about it. */
export function ClassPart({ report }: { readonly report: UsageReport }): JSX.Element {
  return (
    <Part id="classes" title={WORDS.parts.classes}>
      <Chart {...report} />
      <Scrolling label={WORDS.table.scroll(WORDS.parts.classes)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{COLUMN_WORDS.roiClass.head}</th>
              <th scope="col" class="number">
                {WORDS.table.sections}
              </th>
              <th scope="col" class="number">
                {COLUMN_WORDS.charsMean.head}
              </th>
              <th scope="col" class="number">
                {COLUMN_WORDS.share.head}
              </th>
              <th scope="col" class="number">
                {WORDS.table.citations}
              </th>
              <th scope="col" class="number">
                {COLUMN_WORDS.roi.head}
              </th>
              <th scope="col">{WORDS.table.verdict}</th>
            </tr>
          </thead>
          <tbody>
            {report.classes.map(({ roiClass, sections, chars, share, citations, roi }) => (
              <tr key={roiClass}>
                <th scope="row">
                  <svg class="swatch" aria-hidden="true">
                    <rect class={CLASS_STYLES[roiClass]} width="100%" height="100%" />
                  </svg>
                  <ClassChip roiClass={roiClass} />
                </th>
                <td class="number">{formatCount(sections)}</td>
                <td class="number">{formatCount(Math.round(chars))}</td>
                <td class="number">{formatShare(share)}</td>
                <td class="number">{formatCount(citations)}</td>
                <td class="number">{roi === null ? '' : say(roiWords(roi))}</td>
                <td>{sections === 0 ? WORDS.table.none : say(VERDICTS[roiClass])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Part>
  );
}
