import { asGiven } from '../../text/phrase';
import { type HookAgent, type HookEventName, isClaudeHook, MAX_CONTEXT_CHARS } from './hookAgent';
import { HookError } from './hookError';

/**
 * What a hook writes to stdout so that its agent adds `context`; empty for nothing to add.
 *
 * SessionStart: Claude Code takes plain text, unless it looks like JSON; VS Code takes JSON alone, with the event named,
 * and ends plain text in its log, so that a hook of Claude Code that VS Code runs too adds nothing twice.
 * PreCompact: neither agent lets a hook add context, and silence lets both go on.
 *
 * Throws `overLimit` for a context over `MAX_CONTEXT_CHARS`: nothing is cut here.
 */
export function renderHookAnswer(agent: HookAgent, event: HookEventName, context: string): string {
  if (event === 'PreCompact' || context === '') return '';
  if (context.length > MAX_CONTEXT_CHARS) {
    throw new HookError(
      'overLimit',
      asGiven(`The context has ${context.length} characters, more than ${MAX_CONTEXT_CHARS}.`),
    );
  }
  const looksLikeJson = context.trimStart().startsWith('{');
  if (isClaudeHook(agent) && !looksLikeJson) return context;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: context } });
}
