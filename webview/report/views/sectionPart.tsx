import type { JSX } from 'preact';
import type { SectionReturn, UsageReport } from '../../../src/core/usage/report/usageReport';
import { type ReportSnapshot, roiWords } from '../../../src/protocol/reportPanel';
import { Part, Scrolling } from '../../document/part';
import { formatCount, formatShare } from '../../format';
import { say } from '../../language';
import { Icon } from '../../ui/icon';
import { percentage, sparkBoxes } from '../charts';
import { type SectionSort, SORT_COLUMNS, type SortColumn, sortSections } from '../sortSections';
import type { ReportAction } from '../state';
import { COLUMN_WORDS, WORDS } from '../words';
import { ClassChip } from './classChip';

/** The lowest that something is drawn. */
const LEAST_HEIGHT = 0.06;

function isNumber(column: SortColumn): boolean {
  return column !== 'id' && column !== 'roiClass';
}

function Head({
  column,
  sort,
  dispatch,
}: {
  readonly column: SortColumn;
  readonly sort: SectionSort;
  readonly dispatch: (action: ReportAction) => void;
}): JSX.Element {
  const isSorted = sort.column === column;
  const { head, title } = COLUMN_WORDS[column];
  return (
    <th
      scope="col"
      class={isNumber(column) ? 'number' : ''}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" id={`sort-${column}`} title={title} onClick={() => dispatch({ type: 'sort', column })}>
        {head}
        {isSorted ? (
          <span class={sort.isDescending ? 'arrow' : 'arrow up'}>
            <Icon name="chevron-down" />
          </span>
        ) : null}
      </button>
    </th>
  );
}

function Spark({ section, name }: { readonly section: SectionReturn; readonly name: string }): JSX.Element {
  return (
    <svg class="spark" role="img" aria-label={WORDS.trend(name, section.trend)}>
      {sparkBoxes(section.trend).map((box, at) => {
        if (!box) return null;
        const height = Math.max(LEAST_HEIGHT, box.height);
        return (
          <rect
            key={at}
            x={percentage(box.left)}
            y={percentage(1 - height)}
            width={percentage(box.width * 0.8)}
            height={percentage(height)}
          />
        );
      })}
    </svg>
  );
}

function Row(props: { readonly section: SectionReturn; readonly name: string; readonly largest: number }): JSX.Element {
  const { section, name, largest } = props;
  const { id, loaded, cited, charsMean, tokensMean, share, roi, roiClass, lastCitedCycle } = section;
  return (
    <tr data-section={id}>
      <td>
        <ClassChip roiClass={roiClass} />
      </td>
      <th scope="row" class="name" title={id}>
        {name}
      </th>
      <td class="number">{formatCount(Math.round(tokensMean))}</td>
      <td class="number">{formatCount(Math.round(charsMean))}</td>
      <td class="number share">
        {formatShare(share)}
        <svg class="bar" aria-hidden="true">
          <rect width={percentage(largest === 0 ? 0 : charsMean / largest)} height="100%" />
        </svg>
      </td>
      <td class="number">{formatCount(loaded)}</td>
      <td class="number">{formatCount(cited)}</td>
      <td class="number">{roi === null ? '' : say(roiWords(roi))}</td>
      <td class="number">{lastCitedCycle === null ? WORDS.table.never : formatCount(lastCitedCycle)}</td>
      <td>
        <Spark section={section} name={name} />
      </td>
    </tr>
  );
}

/** Every section of the log, in the order that the user chose. */
export function SectionPart({
  report,
  titles,
  sort,
  dispatch,
}: {
  readonly report: UsageReport;
  readonly titles: ReportSnapshot['titles'];
  readonly sort: SectionSort;
  readonly dispatch: (action: ReportAction) => void;
}): JSX.Element {
  const named = new Map(titles);
  const nameOf = (id: string): string => named.get(id) ?? id;
  const largest = Math.max(0, ...report.sections.map(({ charsMean }) => charsMean));
  return (
    <Part id="sections" title={WORDS.parts.sections}>
      <Scrolling label={WORDS.table.scroll(WORDS.parts.sections)}>
        <table>
          <thead>
            <tr>
              {SORT_COLUMNS.map((column) => (
                <Head key={column} column={column} sort={sort} dispatch={dispatch} />
              ))}
              <th scope="col" title={WORDS.table.trendTitle}>
                {WORDS.table.trend}
              </th>
            </tr>
          </thead>
          <tbody>
            {sortSections(report.sections, sort, nameOf).map((section) => (
              <Row key={section.id} section={section} name={nameOf(section.id)} largest={largest} />
            ))}
          </tbody>
        </table>
      </Scrolling>
    </Part>
  );
}
