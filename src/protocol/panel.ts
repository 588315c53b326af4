/**
 * Messages between the extension host and the Budget panel. The host sends complete snapshots with a revision, never
 * deltas; the panel says `ready` first and drops snapshots older than the one it shows.
 */
import type { PayloadMode, PayloadReport, Problem } from '../core/report/contextReport';

// The panel imports types of core only; the two constants it draws with come through here.
export { WARN_SHARE } from '../core/budget/profile';
export { PRIORITIES } from '../core/sections/section';

// #region host → panel

/** Everything the panel shows. */
export interface PanelSnapshot {
  /** `noFolder`: nothing is open. `loading`: no report yet. `ready`: `payload` is there, possibly inexact. */
  readonly state: 'noFolder' | 'loading' | 'ready';
  readonly folderName: string;
  readonly mode: PayloadMode;
  readonly profile: string;
  readonly profiles: readonly string[];
  /** What the work is about, on one line and at most 300 characters; empty when nobody said. */
  readonly task: string;
  /** The payload of `mode`. */
  readonly payload: PayloadReport | undefined;
  /** Sections counted so far, while counting. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly isTrusted: boolean;
  /** False when nothing but built-in sections was found. */
  readonly hasInstructions: boolean;
  readonly problems: readonly Problem[];
  /** Which config is in force: the file's, the last good one of a file that is broken now, or none at all. */
  readonly configState: 'file' | 'lastGood' | 'defaults';
}

export type HostToPanel =
  | { readonly type: 'snapshot'; readonly revision: number; readonly snapshot: PanelSnapshot }
  /** Spoken by screen readers, politely. */
  | { readonly type: 'announce'; readonly text: string };

// #endregion

// #region panel → host

/** Commands that a link or button of the panel may run; anything else is refused. */
export type PanelCommand =
  | 'openFolder'
  | 'createInstructions'
  | 'howItWorks'
  | 'manageTrust'
  | 'openConfig'
  | 'showLog'
  | 'refresh'
  | 'moreCopyActions'
  | 'setTask'
  | 'clearTask'
  | 'copyPayload';

export const PANEL_COMMANDS: readonly PanelCommand[] = [
  'openFolder',
  'createInstructions',
  'howItWorks',
  'manageTrust',
  'openConfig',
  'showLog',
  'refresh',
  'moreCopyActions',
  'setTask',
  'clearTask',
  'copyPayload',
];

export type PanelToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'setMode'; readonly mode: PayloadMode }
  | { readonly type: 'setProfile'; readonly profile: string }
  | { readonly type: 'command'; readonly command: PanelCommand }
  | {
      readonly type: 'section';
      readonly action: 'open' | 'copy' | 'copyHandle' | 'togglePin' | 'toggleExclude';
      readonly sectionId: string;
    };

// #endregion

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Guards an inbound message of the panel; anything malformed is `undefined`. */
export function asPanelMessage(value: unknown): PanelToHost | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.type) {
    case 'ready':
      return { type: 'ready' };
    case 'setMode':
      return value.mode === 'index' || value.mode === 'expanded' ? { type: 'setMode', mode: value.mode } : undefined;
    case 'setProfile':
      return typeof value.profile === 'string' ? { type: 'setProfile', profile: value.profile } : undefined;
    case 'command': {
      const command = PANEL_COMMANDS.find((known) => known === value.command);
      return command && { type: 'command', command };
    }
    case 'section': {
      const action = (['open', 'copy', 'copyHandle', 'togglePin', 'toggleExclude'] as const).find(
        (known) => known === value.action,
      );
      return action && typeof value.sectionId === 'string'
        ? { type: 'section', action, sectionId: value.sectionId }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Guards an inbound message of the host; anything malformed is `undefined`. The snapshot itself is the host's own. */
export function asHostMessage(value: unknown): HostToPanel | undefined {
  if (!isRecord(value)) return undefined;
  if (value.type === 'announce' && typeof value.text === 'string') return { type: 'announce', text: value.text };
  if (value.type !== 'snapshot' || typeof value.revision !== 'number' || !isRecord(value.snapshot)) return undefined;
  return { type: 'snapshot', revision: value.revision, snapshot: value.snapshot as unknown as PanelSnapshot };
}
