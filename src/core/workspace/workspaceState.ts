import type { Config } from '../config/config';
import type { Profile } from '../model/profile';
import type { ContextReport } from '../model/report';
import type { CollectedSection } from '../model/section';
import type { WorkingQuery } from '../repomap/ranking/workingQuery';
import type { SessionPreferences } from './workspace';

/** What a session is at, for its parts: asked for anew whenever it is needed, never kept. */
export interface SessionState {
  readonly config: Config;
  /** The profile in force. */
  readonly profile: Profile;
  readonly preferences: SessionPreferences;
  /** What maps are made for: the task, else what is being worked on. */
  readonly query: WorkingQuery;
  /** As they were read last. */
  readonly sections: readonly CollectedSection[];
  readonly report: ContextReport | undefined;
}
