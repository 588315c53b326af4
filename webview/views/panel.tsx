import { Fragment, type JSX } from 'preact';
import { isEmptyFolder, MIN_CYCLES, type PanelSnapshot } from '../../src/protocol/panel';
import { hasCuts, splitAgents } from '../agents';
import { type HistoryView, historyView, PLOT } from '../charts';
import { formatCount } from '../format';
import { type MessageView, messagesOf } from '../messages';
import { WARN_MARK } from '../model';
import type { PanelActions } from '../panelActions';
import { prefixSentence, sectionNames } from '../relevance';
import type { PanelState, UiState } from '../state';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';
import { WINDOW_WORDS } from '../words/window';
import { AgentsPart } from './agentsPart';
import { Part } from './part';
import { RelayPart } from './relayPart';
import { RelevancePart } from './relevancePart';
import { SectionsPart } from './sectionsPart';
import { Finding, Headline, PayloadSize, Toolbar } from './summary';
import { WindowBar, WindowPart } from './windowPart';

function ShrinkFirst(props: {
  readonly sections: MessageView['shrinkFirst'];
  readonly actions: PanelActions;
}): JSX.Element {
  const open = (sectionId: string): void => props.actions.post({ type: 'section', action: 'open', sectionId });
  return (
    <p>
      {WORDS.messages.shrinkFirst}{' '}
      {props.sections.map(({ id, name, path, tokens }, index) => (
        <Fragment key={id}>
          {index > 0 && ' · '}
          <span class="nb">
            {path === undefined ? (
              name
            ) : (
              <button type="button" class="link" title={path} onClick={() => open(id)}>
                {name}
              </button>
            )}{' '}
            {formatCount(tokens)}
          </span>
        </Fragment>
      ))}
    </p>
  );
}

/** `isBrief`: its title and its first link; the rest is read out, and stands in its hover. */
function Message(props: {
  readonly message: MessageView;
  readonly isBrief: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { message, isBrief, actions } = props;
  const links = isBrief ? message.links.slice(0, 1) : message.links;
  return (
    <div
      class={`cb-msg ${message.kind}${isBrief ? ' brief' : ''}`}
      role={message.kind === 'error' ? 'alert' : 'status'}
    >
      <Icon name={message.icon} />
      {message.paragraphs.map((paragraph, index) => (
        <p key={paragraph} class={index === 0 ? '' : 'rest'}>
          {index === 0 && <b title={message.paragraphs.join('\n')}>{message.title} </b>}
          <span class="rest">{paragraph}</span>
        </p>
      ))}
      {message.shrinkFirst.length > 0 && <ShrinkFirst sections={message.shrinkFirst} actions={actions} />}
      {links.length > 0 && (
        <div class="links">
          {links.map(({ label, title, message: asked }) => (
            <button key={label} type="button" class="link" title={title} onClick={() => actions.post(asked)}>
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
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
        <span title={view.axisTitle}>{view.axis}</span>
        <span>{view.last}</span>
      </div>
    </div>
  );
}

/** The cache sentence behind the chart: what a provider still has of the last payload of this kind. */
function CacheLine({ snapshot }: { readonly snapshot: PanelSnapshot }): JSX.Element | null {
  const prefix = snapshot.usage?.prefix;
  if (!prefix) return null;
  return (
    <p class="cb-cache" title={WORDS.prefix.title}>
      {prefixSentence(prefix, sectionNames(snapshot))}
    </p>
  );
}

/** Tokens per cycle against the limit; not there before ten cycles were recorded. */
function HistoryPart(props: {
  readonly snapshot: PanelSnapshot;
  readonly ui: UiState;
  readonly actions: PanelActions;
}): JSX.Element | null {
  const { snapshot, ui, actions } = props;
  const { usage, payload } = snapshot;
  const view = usage && payload && historyView(usage.cycles, payload.budget.budgetTokens, WARN_MARK);
  if (!view || !hasHistory(snapshot)) return null;
  return (
    <Part
      id="history"
      title={WORDS.history.title}
      summary={view.range}
      isFolded={ui.foldedParts.includes('history')}
      actions={actions}
    >
      <Chart view={view} />
      <CacheLine snapshot={snapshot} />
    </Part>
  );
}

/** Fewer cycles say nothing of a section, and draw no history. */
function hasHistory({ usage }: PanelSnapshot): boolean {
  return usage !== undefined && usage.cycles.length >= MIN_CYCLES;
}

/** A panel with nothing to show: one sentence, one action, one quiet line. */
function Welcome(props: {
  readonly text: string;
  readonly action: { readonly label: string; readonly command: 'openFolder' | 'createInstructions' };
  readonly quiet: string;
  readonly actions: PanelActions;
}): JSX.Element {
  const { text, action, quiet, actions } = props;
  return (
    <div class="cb-welcome">
      <p>{text}</p>
      <Button onClick={() => actions.run(action.command)}>{action.label}</Button>
      <p class="quiet">
        {quiet}{' '}
        <button type="button" class="link" onClick={() => actions.run('howItWorks')}>
          {WORDS.welcome.howItWorks}
        </button>
      </p>
    </div>
  );
}

function NoFolderWelcome({ actions }: { readonly actions: PanelActions }): JSX.Element {
  const { noFolder, openFolder, privacy } = WORDS.welcome;
  const action = { label: openFolder, command: 'openFolder' } as const;
  return <Welcome text={noFolder} action={action} quiet={privacy} actions={actions} />;
}

function EmptyFolderWelcome({ actions }: { readonly actions: PanelActions }): JSX.Element {
  const { noInstructions, createInstructions, alsoRead } = WORDS.welcome;
  const action = { label: createInstructions, command: 'createInstructions' } as const;
  return <Welcome text={noInstructions} action={action} quiet={alsoRead} actions={actions} />;
}

/** What the last action changed, for as long as the host offers to take it back. */
function UndoLine(props: { readonly sentence: string; readonly actions: PanelActions }): JSX.Element {
  return (
    <div class="cb-undo" role="status">
      <span>{props.sentence}</span>
      <button type="button" class="link" data-key="undo" onClick={() => props.actions.post({ type: 'undo' })}>
        {WORDS.undo.undo}
      </button>
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

/** The parts below the toolbar; one without data does not exist. */
function Parts(props: {
  readonly state: PanelState;
  readonly snapshot: PanelSnapshot;
  readonly actions: PanelActions;
}): JSX.Element {
  const { state, snapshot, actions } = props;
  const { payload, agents, relay, usage, window } = snapshot;
  const { ui } = state;
  return (
    <>
      {payload && <SectionsPart snapshot={snapshot} payload={payload} ui={ui} actions={actions} />}
      {window && (
        <WindowPart
          window={window}
          isFolded={ui.foldedParts.includes('window')}
          openItems={ui.openItems}
          actions={actions}
        />
      )}
      {state.windowPlace && (
        <Part
          id="window"
          title={WINDOW_WORDS.title}
          summary=""
          isFolded={ui.foldedParts.includes('window')}
          actions={actions}
        >
          {null}
        </Part>
      )}
      {agents && hasCuts(splitAgents(agents, snapshot.agentNames).own) && (
        <AgentsPart
          coverage={agents}
          names={snapshot.agentNames}
          isFolded={ui.foldedParts.includes('agents')}
          openItems={ui.openItems}
          actions={actions}
        />
      )}
      {relay && <RelayPart relay={relay} ui={ui} actions={actions} />}
      {usage && hasHistory(snapshot) && (
        <RelevancePart state={state} snapshot={snapshot} usage={usage} actions={actions} />
      )}
      <HistoryPart snapshot={snapshot} ui={ui} actions={actions} />
    </>
  );
}

/** The content of an open folder: what is broken, what it costs, what to change first, how to hand it over, where it goes. */
function Folder(props: {
  readonly state: PanelState;
  readonly snapshot: PanelSnapshot;
  readonly actions: PanelActions;
}): JSX.Element {
  const { state, snapshot, actions } = props;
  const messages = messagesOf(snapshot);
  const above = messages.filter((message) => !message.isBelow);
  const below = messages.filter((message) => message.isBelow);
  const { finding, undo, window, payload } = snapshot;
  return (
    <>
      {above.map((message, index) => (
        <Message key={message.key} message={message} isBrief={index > 0} actions={actions} />
      ))}
      {window && <WindowBar window={window} payload={payload} ui={state.ui} actions={actions} />}
      {state.windowPlace && (
        <div class="cb-place" aria-hidden="true">
          <WindowBar {...state.windowPlace} ui={state.ui} actions={actions} />
        </div>
      )}
      <Headline snapshot={snapshot} ui={state.ui} actions={actions} />
      <PayloadSize snapshot={snapshot} actions={actions} />
      {finding && above.length === 0 && <Finding finding={finding} actions={actions} />}
      <Toolbar
        snapshot={snapshot}
        isCopyPending={state.isCopyPending}
        taskDraft={state.ui.taskDraft}
        actions={actions}
      />
      <Parts state={state} snapshot={snapshot} actions={actions} />
      {below.map((message) => (
        <Message key={message.key} message={message} isBrief={false} actions={actions} />
      ))}
      {undo && <UndoLine sentence={undo.sentence} actions={actions} />}
    </>
  );
}

/** What stands in the panel for a snapshot: the folder, or why there is nothing to show. */
function Content(props: {
  readonly state: PanelState;
  readonly snapshot: PanelSnapshot;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, actions } = props;
  if (snapshot.state === 'noFolder') return <NoFolderWelcome actions={actions} />;
  return isEmptyFolder(snapshot) ? <EmptyFolderWelcome actions={actions} /> : <Folder {...props} />;
}

/** Everything inside the panel's `main`. */
export function Panel(props: { readonly state: PanelState; readonly actions: PanelActions }): JSX.Element {
  const { state, actions } = props;
  const { snapshot } = state;
  return (
    <>
      <h1 class="sr">{WORDS.productName}</h1>
      {isCounting(snapshot) && <Progress />}
      {snapshot && <Content state={state} snapshot={snapshot} actions={actions} />}
      <div class="sr" aria-live="polite" id="live" />
    </>
  );
}
