/** The page's state: the newest snapshot, the step that is looked at, and how many findings are shown. One pure reducer. */
import type { SessionSnapshot } from '../../src/protocol/sessionPanel';
import { peakOf } from './chart';

export interface SessionState {
  readonly revision: number;
  readonly snapshot: SessionSnapshot | undefined;
  /** From 0. */
  readonly step: number;
  readonly showsAll: boolean;
}

export type SessionAction =
  | { readonly type: 'snapshot'; readonly revision: number; readonly snapshot: SessionSnapshot }
  | { readonly type: 'move'; readonly step: number }
  | { readonly type: 'showAll' };

export const FIRST_STATE: SessionState = { revision: -1, snapshot: undefined, step: 0, showsAll: false };

/** The next state; the same object where nothing changes. */
export function reduce(state: SessionState, action: SessionAction): SessionState {
  if (action.type === 'showAll') return { ...state, showsAll: true };
  const count = state.snapshot?.page?.steps.length ?? 0;
  if (action.type === 'move') {
    const step = Math.min(Math.max(action.step, 0), Math.max(0, count - 1));
    return step === state.step ? state : { ...state, step };
  }
  if (action.revision < state.revision) return state;
  const { revision, snapshot } = action;
  const before = state.snapshot?.page;
  const page = snapshot.page;
  // The same session keeps what is looked at, as long as it is there.
  if (page && before?.id === page.id && before.unit === page.unit && state.step < page.steps.length)
    return { ...state, revision, snapshot };
  return { revision, snapshot, step: page ? peakOf(page.steps) : 0, showsAll: false };
}

/** The step that a key leads to; undefined for other keys. */
export function stepOfKey(step: number, steps: number, key: string): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return step + 1;
    case 'ArrowLeft':
    case 'ArrowDown':
      return step - 1;
    case 'PageUp':
      return step + Math.max(2, Math.round(steps / 10));
    case 'PageDown':
      return step - Math.max(2, Math.round(steps / 10));
    case 'Home':
      return 0;
    case 'End':
      return steps - 1;
    default:
      return undefined;
  }
}
