import { ESSENTIALS } from '../../src/core/relay/relayContext';
import type { RelayView } from '../../src/core/relay/relayView';
import type { RelayStatus } from '../../src/core/relay/relayWatch';
import { INITIAL_TRIGGER_STATE } from '../../src/core/relay/triggers';

/** A view with every field filled in, so that a test names only what it is about. */
export function viewOf(patch: Partial<RelayView> = {}): RelayView {
  return {
    essentials: ESSENTIALS.map((key) => ({ key, texts: [`the ${key}`], charsLeftOut: 0, source: 'relay_context' })),
    alarms: [],
    alarmsLeft: 0,
    summary: 'Goal: the goal',
    dropped: [],
    passedThrough: [],
    tokens: 100,
    maxTokens: 8000,
    recovery: undefined,
    fired: [],
    triggerState: INITIAL_TRIGGER_STATE,
    problem: undefined,
    ...patch,
  };
}

/** A log that was read. */
export function statusOf(
  view: Partial<RelayView> = {},
  patch: Partial<Extract<RelayStatus, { kind: 'read' }>> = {},
): Extract<RelayStatus, { kind: 'read' }> {
  return { kind: 'read', path: 'relay.json', view: viewOf(view), due: [], recovery: undefined, ...patch };
}
