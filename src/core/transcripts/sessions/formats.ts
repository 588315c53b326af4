import { claudeSession } from './claudeSession';
import type { SessionAgent, SessionFormat } from './sessionLog';

/** Every agent's reader of sessions. */
export const SESSION_FORMATS: Readonly<Record<SessionAgent, SessionFormat>> = {
  'claude-code': claudeSession,
};
