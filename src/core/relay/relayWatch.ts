/**
 * What a host remembers of one folder's relay log from look to look: which triggers fired and are still due, and since
 * when a recovery was seen. Each look takes the last memory and gives the next; nothing is kept here.
 */
import type { Phrase } from '../text/phrase';
import type { RelaySection } from './relaySection';
import type { Recovery } from './relaySummary';
import type { RelayView } from './relayView';
import { INITIAL_TRIGGER_STATE, type RelayTrigger, type TriggerState } from './triggers';

/** A recovery, and since when the host has seen it. */
interface SeenRecovery extends Recovery {
  /** Milliseconds since the Unix epoch, when this state was first seen. */
  readonly seenMs: number;
}

/** The memory. */
export interface RelayWatch {
  readonly triggers: TriggerState;
  /** Fired, and not taken care of yet: the newest of each kind, in the order in which they fired. */
  readonly due: readonly RelayTrigger[];
  readonly recovery: SeenRecovery | undefined;
}

/** Nothing was seen yet. */
export const INITIAL_WATCH: RelayWatch = { triggers: INITIAL_TRIGGER_STATE, due: [], recovery: undefined };

/** The relay context of a folder as its panel shows it. */
export type RelayStatus =
  | { readonly kind: 'failed'; readonly path: string; readonly message: Phrase }
  | {
      readonly kind: 'read';
      /** The log, or the ledger where there is no log. */
      readonly path: string;
      readonly view: RelayView;
      readonly due: readonly RelayTrigger[];
      readonly recovery: SeenRecovery | undefined;
    };

/** Whether an earlier trigger is still due: its cause holds, and compaction has something to do. */
function isStillDue({ kind }: RelayTrigger, { triggerState, dropped, fired }: RelayView): boolean {
  if (fired.some((trigger) => trigger.kind === kind)) return false;
  switch (kind) {
    case 'length':
      return !triggerState.isLengthArmed;
    case 'repeated_status':
      return triggerState.repeated !== undefined && dropped.length > 0;
    case 'new_instruction':
    case 'recovery':
      return dropped.length > 0;
  }
}

/**
 * What is to be shown after a look at `nowMs` (milliseconds since the Unix epoch), and the memory then; a log that cannot
 * be read leaves the memory as it was.
 */
export function relayStatus(
  section: RelaySection,
  path: string,
  watch: RelayWatch,
  nowMs: number,
): { readonly status: RelayStatus; readonly watch: RelayWatch } {
  if (section.kind === 'failed') return { status: section, watch };
  const { view } = section;
  const due = [...watch.due.filter((trigger) => isStillDue(trigger, view)), ...view.fired];
  const [before, now] = [watch.recovery, view.recovery];
  const recovery = now && { ...now, seenMs: before?.state === now.state ? before.seenMs : nowMs };
  return { status: { kind: 'read', path, view, due, recovery }, watch: { triggers: view.triggerState, due, recovery } };
}
