import type { JSX } from 'preact';
import type { PanelSnapshot } from '../../src/protocol/panel';
import type { PanelActions } from '../panelActions';
import type { PanelState } from '../state';
import { WORDS } from '../words';
import { AgentsPart } from './agentsPart';
import { HistoryPart } from './historyPart';
import { MessageArea } from './messageArea';
import { RelayPart } from './relayPart';
import { RelevancePart } from './relevancePart';
import { SectionsPart } from './sectionsPart';
import { Summary } from './summary';
import { NoFolderWelcome, NoInstructionsWelcome } from './welcome';

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
