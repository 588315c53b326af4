import type { JSX } from 'preact';
import type { PanelPayload } from '../../src/protocol/panel';
import { cssPercent } from '../format';
import { charactersView } from '../gauge';
import { WORDS } from '../words';

/** Characters against the hard cap, as a thin rail. */
export function CharactersMeter({ payload }: { readonly payload: PanelPayload | undefined }): JSX.Element {
  if (!payload) return <div class="cb-chars" />;
  const view = charactersView(payload);
  return (
    <div class={`cb-chars${view.isOver ? ' over' : view.isNear ? ' near' : ''}`}>
      <span>{view.label}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be drawn the same in all themes */}
      <span
        class="thin"
        role="meter"
        aria-label={WORDS.characters.label}
        aria-valuemin={0}
        aria-valuemax={view.valueMax}
        aria-valuenow={view.valueNow}
        aria-valuetext={view.valueText}
      >
        <i style={{ width: cssPercent(view.share), '--cap': cssPercent(view.capAt) }} />
        {view.isOver && <span class="mark" style={{ left: cssPercent(view.capAt) }} />}
      </span>
    </div>
  );
}
