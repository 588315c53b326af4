import type { JSX } from 'preact';
import type { PanelSnapshot } from '../../src/protocol/panel';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';
import { CharactersMeter } from './charactersMeter';
import { CopyButton } from './copyButton';
import { Gauge } from './gauge';
import { Headline } from './headline';
import { PayloadModeChoice } from './payloadMode';
import { PrefixLine } from './prefixLine';
import { ProfileSelect } from './profileSelect';
import { TaskLine } from './taskLine';

/** Task, headline, gauge, the two choices and the primary action. */
export function Summary(props: {
  readonly snapshot: PanelSnapshot;
  readonly isCopyPending: boolean;
  readonly hasHistory: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, isCopyPending, hasHistory, actions } = props;
  return (
    <section class="cb-summary" aria-label={WORDS.summary}>
      <TaskLine task={snapshot.task} actions={actions} />
      <Headline snapshot={snapshot} actions={actions} />
      <Gauge payload={snapshot.payload} />
      <CharactersMeter payload={snapshot.payload} />
      <PrefixLine snapshot={snapshot} hasHistory={hasHistory} />
      <div class="cb-form">
        <ProfileSelect snapshot={snapshot} actions={actions} />
        <PayloadModeChoice mode={snapshot.mode} actions={actions} />
      </div>
      <CopyButton payload={snapshot.payload} isPending={isCopyPending} actions={actions} />
    </section>
  );
}
