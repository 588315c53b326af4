/**
 * Messages between the extension host and the page of a session in the editor. The host sends complete snapshots with a
 * revision; the page says `ready` first and drops snapshots older than the one it shows.
 */
import type { SessionPage } from '../core/window/sessions/sessionPage';
import { isNumber, isOneOf, type MessageOf, messageReader, snapshotMessages } from './messages';

/** What the host can do about a finding with one click. */
export const FINDING_ACTIONS = ['onDemand', 'exclude', 'copyMap', 'openFile'] as const;

export type FindingAction = (typeof FINDING_ACTIONS)[number];

/** Everything the page shows. */
export interface SessionSnapshot {
  /** `gone`: the log is not there any more. `failed`: it could not be read, `message` says why. `ready`: `page` is there. */
  readonly state: 'loading' | 'gone' | 'failed' | 'ready';
  /** What the session is called. */
  readonly name: string;
  readonly agent: string;
  /** The folder that it was in; undefined where no other is open. */
  readonly folder: string | undefined;
  readonly page: SessionPage | undefined;
  /** Parallel to the page's findings. */
  readonly actions: readonly (FindingAction | undefined)[];
  /** What was just changed and can be taken back. */
  readonly undo: string | undefined;
  readonly message: string | undefined;
}

const HOST_MESSAGES = snapshotMessages<SessionSnapshot>();
const PAGE_MESSAGES = {
  ready: {},
  showLog: {},
  undo: {},
  /** `finding`: its place in the list, from 0. */
  act: { finding: isNumber, action: isOneOf(FINDING_ACTIONS) },
};

/** Page → host. */
export type SessionToHost = MessageOf<typeof PAGE_MESSAGES>;

export const asSessionHostMessage = messageReader(HOST_MESSAGES);
export const asSessionMessage = messageReader(PAGE_MESSAGES);
