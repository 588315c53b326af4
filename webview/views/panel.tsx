import { Fragment, type JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import type { CycleTotals } from '../../src/core/model/usage';
import type { PanelSnapshot } from '../../src/protocol/panel';
import { type HistoryView, historyView, PLOT } from '../charts';
import { formatCount } from '../format';
import { type MessageView, messagesOf } from '../messages';
import { WARN_MARK } from '../model';
import type { PanelActions } from '../panelActions';
import type { PanelState, UiState } from '../state';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';
import { AgentsPart } from './agentsPart';
import { Part } from './part';
import { RelayPart } from './relayPart';
import { RelevancePart } from './relevancePart';
import { SectionsPart } from './sectionsPart';
import { Summary } from './summary';

function ShrinkFirst(props: {
  readonly sections: readonly ReportSection[];
  readonly actions: PanelActions;
}): JSX.Element {
  const open = (sectionId: string): void => props.actions.post({ type: 'section', action: 'open', sectionId });
  return (
    <p>
      {WORDS.messages.shrinkFirst}{' '}
      {props.sections.map((section, index) => (
        <Fragment key={section.id}>
          {index > 0 && WORDS.messages.comma}
          {section.path === undefined ? (
            section.title
          ) : (
            <button type="button" class="link" title={section.path} onClick={() => open(section.id)}>
              {section.title}
            </button>
          )}{' '}
          {formatCount(section.tokens)}
        </Fragment>
      ))}
    </p>
  );
}

function Message(props: { readonly message: MessageView; readonly actions: PanelActions }): JSX.Element {
  const { message, actions } = props;
  return (
    <div class={`cb-msg ${message.kind}`} role={message.kind === 'error' ? 'alert' : 'status'}>
      <Icon name={message.icon} />
      <div class="body">
        {message.paragraphs.map((paragraph, index) => (
          <p key={paragraph}>
            {index === 0 && <b>{message.title} </b>}
            {paragraph}
          </p>
        ))}
        {message.shrinkFirst.length > 0 && <ShrinkFirst sections={message.shrinkFirst} actions={actions} />}
        {message.links.length > 0 && (
          <div class="links">
            {message.links.map((link) => (
              <button key={link.label} type="button" class="link" onClick={() => actions.post(link.message)}>
                {link.label}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/**
 * What stands above the summary: over budget, a broken config, restricted mode, files that could not be read; and below
 * the parts, what the repo map leaves out.
 */
function MessageArea(props: {
  readonly snapshot: PanelSnapshot;
  readonly isBelow: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  return (
    <>
      {messagesOf(props.snapshot)
        .filter((message) => message.isBelow === props.isBelow)
        .map((message) => (
          <Message key={message.key} message={message} actions={props.actions} />
        ))}
    </>
  );
}

/** Height of the line of text above the plot, where the cap's label may stand. */
const LABEL_PX = 14;

function Chart({ view }: { readonly view: HistoryView }): JSX.Element {
  const { width, height } = PLOT;
  return (
    <div class="cb-history">
      <div class="plot">
        <span class="tag" style={{ top: `${LABEL_PX + view.capY}px` }} aria-hidden="true">
          {view.cap}
        </span>
        <svg
          class="chart"
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          preserveAspectRatio="none"
          role="img"
          aria-label={view.label}
        >
          <line class="base" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
          <line class="warnline" x1="0" x2={width} y1={view.warnY} y2={view.warnY} />
          <line class="cap" x1="0" x2={width} y1={view.capY} y2={view.capY} />
          <polyline class="v" points={view.points} />
        </svg>
      </div>
      <div class="foot" aria-hidden="true">
        <span>
          <span class="unit">{WORDS.history.cycle} </span>
          {view.first}
        </span>
        <span>{view.axis}</span>
        <span>{view.last}</span>
      </div>
    </div>
  );
}

/** Tokens per cycle against the cap. */
function HistoryPart(props: {
  readonly cycles: readonly CycleTotals[];
  readonly budgetTokens: number;
  readonly ui: UiState;
  readonly actions: PanelActions;
}): JSX.Element {
  const { cycles, budgetTokens, ui, actions } = props;
  const view = historyView(cycles, budgetTokens, WARN_MARK);
  return (
    <Part
      id="history"
      title={WORDS.history.title}
      summary={view ? view.range : WORDS.history.none}
      isFolded={ui.foldedParts.includes('history')}
      isExtra
      actions={actions}
    >
      {view ? <Chart view={view} /> : <p class="cb-none small muted">{WORDS.history.empty}</p>}
    </Part>
  );
}

/** No folder is open: nothing to count. */
function NoFolderWelcome({ actions }: { readonly actions: PanelActions }): JSX.Element {
  return (
    <div class="cb-welcome">
      <p>{WORDS.welcome.noFolder}</p>
      <Button onClick={() => actions.run('openFolder')}>{WORDS.welcome.openFolder}</Button>
      <p>
        {WORDS.welcome.privacy}{' '}
        <button type="button" class="link" onClick={() => actions.run('howItWorks')}>
          {WORDS.welcome.howItWorks}
        </button>
      </p>
    </div>
  );
}

/** The folder holds nothing that tells an agent anything; the built-in sections follow below. */
function NoInstructionsWelcome({ actions }: { readonly actions: PanelActions }): JSX.Element {
  return (
    <div class="cb-welcome">
      <p>{WORDS.welcome.noInstructions}</p>
      <Button onClick={() => actions.run('createInstructions')}>{WORDS.welcome.createInstructions}</Button>
    </div>
  );
}

function isCounting(snapshot: PanelSnapshot | undefined): boolean {
  return snapshot?.state !== 'noFolder' && snapshot?.payload?.budget.isExact !== true;
}

/** A moving line over the panel's top edge; it takes no room, so that nothing moves when it goes. */
function Progress(): JSX.Element {
  return (
    <div class="cb-progress" role="progressbar" aria-label={WORDS.loading}>
      <i />
    </div>
  );
}

/** The content of an open folder. */
function Folder(props: {
  readonly state: PanelState;
  readonly snapshot: PanelSnapshot;
  readonly actions: PanelActions;
}): JSX.Element {
  const { state, snapshot, actions } = props;
  return (
    <>
      <MessageArea snapshot={snapshot} isBelow={false} actions={actions} />
      {snapshot.state === 'ready' && !snapshot.hasInstructions && <NoInstructionsWelcome actions={actions} />}
      <Summary
        snapshot={snapshot}
        isCopyPending={state.isCopyPending}
        hasHistory={state.ui.hasHistory}
        taskDraft={state.ui.taskDraft}
        actions={actions}
      />
      {snapshot.payload && (
        <SectionsPart snapshot={snapshot} payload={snapshot.payload} ui={state.ui} actions={actions} />
      )}
      {snapshot.agents && (
        <AgentsPart
          coverage={snapshot.agents}
          isFolded={state.ui.foldedParts.includes('agents')}
          openItems={state.ui.openItems}
          actions={actions}
        />
      )}
      {snapshot.relay && <RelayPart relay={snapshot.relay} ui={state.ui} actions={actions} />}
      {snapshot.usage && <RelevancePart state={state} snapshot={snapshot} usage={snapshot.usage} actions={actions} />}
      {snapshot.usage && snapshot.payload && (
        <HistoryPart
          cycles={snapshot.usage.cycles}
          budgetTokens={snapshot.payload.budget.budgetTokens}
          ui={state.ui}
          actions={actions}
        />
      )}
      <MessageArea snapshot={snapshot} isBelow actions={actions} />
    </>
  );
}

/** Everything inside the panel's `main`. */
export function Panel(props: { readonly state: PanelState; readonly actions: PanelActions }): JSX.Element {
  const { state, actions } = props;
  const { snapshot } = state;
  return (
    <>
      <h1 class="sr">{WORDS.productName}</h1>
      {isCounting(snapshot) && <Progress />}
      {snapshot?.state === 'noFolder' && <NoFolderWelcome actions={actions} />}
      {snapshot && snapshot.state !== 'noFolder' && <Folder state={state} snapshot={snapshot} actions={actions} />}
      <div class="sr" aria-live="polite" id="live" />
    </>
  );
}
