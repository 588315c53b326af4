import type { JSX } from 'preact';
import type { MaskedKeys, PanelPayload } from '../../src/protocol/panel';
import { copyNote } from '../copyNote';
import type { PanelActions } from '../panelActions';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';

/** The primary action, split: copy the shown payload, or choose another from the host's list. */
export function CopyButton(props: {
  readonly payload: PanelPayload | undefined;
  readonly masked: MaskedKeys | undefined;
  readonly isPending: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { payload, masked, isPending, actions } = props;
  const note = payload && copyNote(payload, masked);
  return (
    <div class="cb-actions">
      <div class="cb-split">
        <Button onClick={actions.copyPayload}>{isPending ? WORDS.form.copyPending : WORDS.form.copy}</Button>
        <Button
          class="more"
          label={WORDS.form.moreCopy}
          title={WORDS.form.moreCopyTitle}
          hasPopup
          onClick={() => actions.run('moreCopyActions')}
        >
          <Icon name="chevron-down" />
        </Button>
      </div>
      {note && (
        <span class="cb-note" title={note}>
          {note}
        </span>
      )}
    </div>
  );
}
