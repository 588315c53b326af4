import type { JSX } from 'preact';
import type { PanelPayload } from '../../src/protocol/panel';
import { formatUsedTokens } from '../model';
import type { PanelActions } from '../panelActions';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';

function noteOf(payload: PanelPayload): string {
  const omitted = payload.sections.filter((section) => section.disclosure === 'omitted' && !section.isPending).length;
  const tokens = WORDS.form.noteTokens(formatUsedTokens(payload));
  return omitted > 0 ? `${tokens} · ${WORDS.form.noteOmitted(omitted)}` : tokens;
}

/** The primary action, split: copy the shown payload, or choose another from the host's list. */
export function CopyButton(props: {
  readonly payload: PanelPayload | undefined;
  readonly isPending: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { payload, isPending, actions } = props;
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
      {payload && <span class="cb-note">{noteOf(payload)}</span>}
    </div>
  );
}
