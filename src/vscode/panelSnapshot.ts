import type { PayloadMode } from '../core/report/contextReport';
import type { SessionSnapshot } from '../core/session/session';
import type { PanelSnapshot } from '../protocol/panel';
import { taskLine } from './taskText';

/** The part of a session's snapshot that the panel shows, for one payload kind. */
export function toPanelSnapshot(snapshot: SessionSnapshot, mode: PayloadMode): PanelSnapshot {
  const { state, folderName, profile, profiles, progress, isTrusted, hasInstructions, problems, configState } =
    snapshot;
  return {
    state,
    folderName,
    mode,
    profile,
    profiles: profiles.map(({ name }) => name),
    task: taskLine(snapshot.task),
    payload: snapshot.report?.payloads[mode],
    progress,
    isTrusted,
    hasInstructions,
    problems,
    configState,
  };
}

/** What the panel shows while there is no session: `loading` with a folder, `noFolder` without. */
export function emptyPanelSnapshot(
  folderName: string | undefined,
  mode: PayloadMode,
  isTrusted: boolean,
): PanelSnapshot {
  return {
    state: folderName === undefined ? 'noFolder' : 'loading',
    folderName: folderName ?? '',
    mode,
    profile: '',
    profiles: [],
    task: '',
    payload: undefined,
    progress: undefined,
    isTrusted,
    hasInstructions: true,
    problems: [],
    configState: 'defaults',
  };
}
