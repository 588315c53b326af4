import type { JSX } from 'preact';
import type { Target, UsageReport } from '../../../src/core/usage/report/usageReport';
import {
  changeWords,
  cyclesWords,
  METRIC_WORDS,
  metricWords,
  metWords,
  NO_CYCLES,
  type ReportToHost,
  roiWords,
  TARGET_WORDS,
  verdictWords,
} from '../../../src/protocol/reportPanel';
import { Instead, Part, Scrolling } from '../../document/part';
import { formatCount, formatShare, roundUp } from '../../format';
import { say } from '../../language';
import { Icon } from '../../ui/icon';
import { historyBoxes, percentage, stackedBoxes } from '../charts';
import type { ReportAction, ReportState } from '../state';
import { COLUMN_WORDS, WORDS } from '../words';
import { CLASS_STYLES, ClassChip } from './classChip';
import { PhasePart } from './phasePart';
import { SectionPart } from './sectionPart';

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
function ClassPart({ report }: { readonly report: UsageReport }): JSX.Element {
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
            {report.classes.map((each) => {
              const { roiClass, sections, chars, share, citations, roi } = each;
              return (
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
                  <td>{say(verdictWords(each))}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolling>
    </Part>
  );
}

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
function TargetPart({ report }: { readonly report: UsageReport }): JSX.Element | null {
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

/** Characters a cycle over the whole log. */
function HistoryPart({ report }: { readonly report: UsageReport }): JSX.Element | null {
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

/** What is wrong with the log, or should be known of it. */
function FindingPart({ report }: { readonly report: UsageReport }): JSX.Element | null {
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

interface PageProps {
  readonly state: ReportState;
  readonly dispatch: (action: ReportAction) => void;
  readonly post: (message: ReportToHost) => void;
}

function Header({ state, post }: PageProps): JSX.Element {
  const { snapshot } = state;
  const report = snapshot?.report;
  return (
    <header class="head">
      <div>
        <h1>
          {WORDS.title}
          {snapshot?.folderName === undefined ? null : <span class="muted"> {snapshot.folderName}</span>}
        </h1>
        {report && report.cycles > 0 ? <p class="muted">{say(cyclesWords(report))}</p> : null}
      </div>
      {report ? (
        <button type="button" id="copy" class="button" onClick={() => post({ type: 'copyMarkdown' })}>
          <Icon name="copy" />
          {WORDS.copy}
        </button>
      ) : null}
    </header>
  );
}

const { noFolder, noLog, ...STATES } = WORDS.states;
const INSTEAD = { ...STATES, showLog: WORDS.showLog, none: { noFolder, noLog } };

/** The whole page. */
export function ReportPage(props: PageProps): JSX.Element {
  const { state, dispatch, post } = props;
  const { report, titles = [] } = state.snapshot ?? {};
  return (
    <div class="page">
      <Header {...props} />
      <Instead snapshot={state.snapshot} words={INSTEAD} showLog={() => post({ type: 'showLog' })} />
      {report && report.cycles === 0 ? <p class="empty">{say(NO_CYCLES)}</p> : null}
      {report && report.sections.length > 0 ? (
        <>
          <ClassPart report={report} />
          <SectionPart report={report} titles={titles} sort={state.sort} dispatch={dispatch} />
          <PhasePart report={report} />
          <TargetPart report={report} />
          <HistoryPart report={report} />
        </>
      ) : null}
      {report ? <FindingPart report={report} /> : null}
      <div id="live" class="sr" role="status" aria-live="polite" />
    </div>
  );
}
