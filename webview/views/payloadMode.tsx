import type { JSX } from 'preact';
import type { PayloadMode } from '../../src/core/model/disclosure';
import type { PanelActions } from '../panelActions';
import { WORDS } from '../words';

const OPTIONS: readonly { readonly mode: PayloadMode; readonly label: string; readonly title: string }[] = [
  { mode: 'index', label: WORDS.form.index, title: WORDS.form.indexTitle },
  { mode: 'expanded', label: WORDS.form.expanded, title: WORDS.form.expandedTitle },
];

/** Which of the two payloads is shown and copied: a radio group with one Tab stop. */
export function PayloadModeChoice(props: { readonly mode: PayloadMode; readonly actions: PanelActions }): JSX.Element {
  const choose = (mode: PayloadMode): void => {
    if (mode !== props.mode) props.actions.post({ type: 'setMode', mode });
  };
  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLButtonElement>): void => {
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    const button = event.currentTarget;
    const other = button.nextElementSibling ?? button.previousElementSibling;
    if (!(other instanceof HTMLButtonElement)) return;
    other.focus();
    other.click();
  };
  return (
    <>
      <span class="label" id="payload-label">
        {WORDS.form.payload}
      </span>
      <div class="cb-radio" role="radiogroup" aria-labelledby="payload-label">
        {OPTIONS.map((option) => (
          // biome-ignore lint/a11y/useSemanticElements: an <input> cannot be drawn as a segmented control
          <button
            key={option.mode}
            type="button"
            role="radio"
            aria-checked={option.mode === props.mode}
            tabIndex={option.mode === props.mode ? 0 : -1}
            title={option.title}
            onClick={() => choose(option.mode)}
            onKeyDown={onKeyDown}
          >
            {option.label}
          </button>
        ))}
      </div>
    </>
  );
}
