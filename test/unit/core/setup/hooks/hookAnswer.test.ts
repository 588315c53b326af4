import { describe, expect, it } from 'vitest';
import { HookError, renderHookAnswer } from '../../../../../src/core/setup/hooks/hookEvent';
import { HOOK_AGENTS, MAX_CONTEXT_CHARS } from '../../../../../src/core/setup/hooks/hookTarget';

describe('renderHookAnswer', () => {
  it('gives Claude Code plain text, which VS Code only logs', () => {
    expect(renderHookAnswer('claude-code', 'SessionStart', '<context-index>\n')).toBe('<context-index>\n');
  });

  it('gives Claude Code JSON where plain text would be read as JSON', () => {
    expect(JSON.parse(renderHookAnswer('claude-code', 'SessionStart', ' {"a": 1}'))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: ' {"a": 1}' },
    });
  });

  it('gives VS Code JSON that names the event', () => {
    expect(JSON.parse(renderHookAnswer('vscode', 'SessionStart', 'a\n"b"'))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'a\n"b"' },
    });
  });

  it.each(HOOK_AGENTS)('says nothing to a compaction of %s, and nothing when there is nothing', (agent) => {
    expect(renderHookAnswer(agent, 'PreCompact', 'anything')).toBe('');
    expect(renderHookAnswer(agent, 'SessionStart', '')).toBe('');
  });

  it.each(HOOK_AGENTS)('takes exactly the limit from %s and refuses one more', (agent) => {
    expect(renderHookAnswer(agent, 'SessionStart', 'x'.repeat(MAX_CONTEXT_CHARS))).toContain('xxx');
    expect(() => renderHookAnswer(agent, 'SessionStart', 'x'.repeat(MAX_CONTEXT_CHARS + 1))).toThrow(HookError);
  });
});
