import type { JSX } from 'preact';
import type { PanelActions } from '../panelActions';
import { Button } from '../ui/button';
import { WORDS } from '../words';

/** No folder is open: nothing to count. */
export function NoFolderWelcome({ actions }: { readonly actions: PanelActions }): JSX.Element {
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
export function NoInstructionsWelcome({ actions }: { readonly actions: PanelActions }): JSX.Element {
  return (
    <div class="cb-welcome">
      <p>{WORDS.welcome.noInstructions}</p>
      <Button onClick={() => actions.run('createInstructions')}>{WORDS.welcome.createInstructions}</Button>
    </div>
  );
}
