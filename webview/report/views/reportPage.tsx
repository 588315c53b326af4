import type { JSX } from 'preact';
import { cyclesWords, NO_CYCLES, type ReportToHost } from '../../../src/protocol/reportPanel';
import { say } from '../../language';
import { Icon } from '../../ui/icon';
import type { ReportAction, ReportState } from '../state';
import { WORDS } from '../words';
import { ClassPart } from './classPart';
import { FindingPart } from './findingPart';
import { HistoryPart } from './historyPart';
import { PhasePart } from './phasePart';
import { SectionPart } from './sectionPart';
import { TargetPart } from './targetPart';

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

/** What stands there instead of a report. */
function Instead({ state, post }: PageProps): JSX.Element | null {
  const { snapshot } = state;
  switch (snapshot?.state) {
    case undefined:
    case 'loading':
      return (
        <div class="waiting" role="status">
          {WORDS.states.loading}
        </div>
      );
    case 'noFolder':
      return <p class="empty">{WORDS.states.noFolder}</p>;
    case 'noLog':
      return <p class="empty">{WORDS.states.noLog}</p>;
    case 'failed':
      return (
        <div class="message" role="alert">
          <Icon name="error" />
          <p>
            <strong>{WORDS.states.failedTitle}</strong> {snapshot.message}{' '}
            <button type="button" class="link" onClick={() => post({ type: 'showLog' })}>
              {WORDS.showLog}
            </button>
          </p>
        </div>
      );
    case 'ready':
      return null;
  }
}

/** The whole page. */
export function ReportPage(props: PageProps): JSX.Element {
  const { state, dispatch } = props;
  const report = state.snapshot?.report;
  return (
    <div class="page">
      <Header {...props} />
      <Instead {...props} />
      {report && report.cycles === 0 ? <p class="empty">{say(NO_CYCLES)}</p> : null}
      {report && report.sections.length > 0 ? (
        <>
          <ClassPart report={report} />
          <SectionPart report={report} sort={state.sort} dispatch={dispatch} />
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
