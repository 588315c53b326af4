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
import { TaskField } from './taskField';

/** Headline, gauge, what can be chosen and the primary action. */
export function Summary(props: {
  readonly snapshot: PanelSnapshot;
  readonly isCopyPending: boolean;
  readonly hasHistory: boolean;
  readonly taskDraft: string | undefined;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, isCopyPending, hasHistory, taskDraft, actions } = props;
  return (
    <section class="cb-summary" aria-label={WORDS.summary}>
      <Headline snapshot={snapshot} actions={actions} />
      <Gauge payload={snapshot.payload} actions={actions} />
      <CharactersMeter payload={snapshot.payload} />
      <PrefixLine snapshot={snapshot} hasHistory={hasHistory} />
      <div class="cb-form">
        <ProfileSelect snapshot={snapshot} actions={actions} />
        <PayloadModeChoice mode={snapshot.mode} actions={actions} />
        <TaskField snapshot={snapshot} draft={taskDraft} actions={actions} />
      </div>
      <CopyButton payload={snapshot.payload} masked={snapshot.masked} isPending={isCopyPending} actions={actions} />
    </section>
  );
}
