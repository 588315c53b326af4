import { claudeSession } from './claudeSession';
import { clineSession } from './clineSession';
import { codexSession } from './codexSession';
import { copilotSession } from './copilotSession';
import { geminiSession, qwenSession } from './geminiSession';
import { opencodeSession } from './opencodeSession';
import { piSession } from './piSession';
import type { SessionAgent, SessionFormat } from './sessionLog';

/** Every agent's reader of sessions. */
export const SESSION_FORMATS: Readonly<Record<SessionAgent, SessionFormat>> = {
  'claude-code': claudeSession,
  codex: codexSession,
  'gemini-cli': geminiSession,
  'qwen-code': qwenSession,
  'copilot-cli': copilotSession,
  cline: clineSession,
  opencode: opencodeSession,
  pi: piSession,
};
