import { describe, expect, it } from 'vitest';
import { HookError, renderHookAnswer } from '../../../../../src/core/setup/hooks/hookEvent';
import { HOOK_AGENTS, hookAnswerForm, MAX_CONTEXT_CHARS } from '../../../../../src/core/setup/hooks/hookTarget';

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

  it.each(['codex', 'vscode', 'gemini-cli'])('gives %s nothing but what it takes', (agent) => {
    expect(JSON.parse(renderHookAnswer(agent, 'SessionStart', 'a\n"b"'))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'a\n"b"' },
    });
  });

  it('gives Copilot CLI the context at the top, and that of a hook of Claude Code to nobody else', () => {
    expect(JSON.parse(renderHookAnswer('vscode', 'SessionStart', 'a', 'copilot-cli'))).toEqual({
      additionalContext: 'a',
    });
    const inCopilot = { COPILOT_PROJECT_DIR: '/shop', CLAUDE_PROJECT_DIR: '/shop' };
    expect(Object.fromEntries(HOOK_AGENTS.map((agent) => [agent, hookAnswerForm(agent, inCopilot)]))).toEqual({
      'claude-code': 'silence',
      codex: 'own',
      vscode: 'copilot-cli',
      'gemini-cli': 'own',
    });
    expect(hookAnswerForm('claude-code', { CLAUDE_PROJECT_DIR: '/shop', COPILOT_CLI: '1' })).toBe('own');
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
