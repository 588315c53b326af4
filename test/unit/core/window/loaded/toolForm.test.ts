import { describe, expect, it } from 'vitest';
import { AGENT_WINDOWS } from '../../../../../src/core/agents/agentWindows';
import type { AgentId } from '../../../../../src/core/model/agent';
import { toolName, toolText } from '../../../../../src/core/window/loaded/toolForm';

const TOOL = {
  name: 'get-issue',
  title: 'Get',
  description: 'Reads one.',
  inputSchema: {
    $schema: 's',
    type: 'object',
    properties: {
      z: { type: 'string', minLength: 1, default: 'a' },
      a: { type: 'array', items: { type: 'string', pattern: 'x' } },
    },
    required: ['z'],
  },
  annotations: { readOnlyHint: true },
};

function formOf(agent: AgentId) {
  const form = AGENT_WINDOWS[agent]?.mcp?.form;
  if (!form) throw new Error(`${agent} has no form`);
  return form;
}

// As the first requests of the clients had them (2026-11-24): Claude Code 2.1.330, Codex 0.169.0, OpenCode 1.18.33.
describe('toolText', () => {
  it('Claude Code sends the schema unchanged, and neither title nor annotations', () => {
    expect(JSON.parse(toolText('tracker', TOOL, formOf('claude-code')))).toEqual({
      name: 'mcp__tracker__get-issue',
      description: 'Reads one.',
      input_schema: TOOL.inputSchema,
    });
  });

  it('Codex keeps a few keywords and sorts properties', () => {
    const text = toolText('tracker', TOOL, formOf('codex'));
    expect(JSON.parse(text)).toEqual({
      type: 'function',
      strict: false,
      name: 'get_issue',
      description: 'Reads one.',
      parameters: {
        type: 'object',
        properties: { a: { type: 'array', items: { type: 'string' } }, z: { type: 'string' } },
        required: ['z'],
      },
    });
    expect(text.indexOf('"a":')).toBeLessThan(text.indexOf('"z":'));
    const bare = toolText('tracker', { name: 'x', inputSchema: { type: 'object' } }, formOf('codex'));
    expect(JSON.parse(bare).parameters).toEqual({ type: 'object', properties: {} });
  });

  it('OpenCode closes the schema', () => {
    expect(JSON.parse(toolText('tracker', TOOL, formOf('opencode'))).input_schema).toEqual({
      ...TOOL.inputSchema,
      additionalProperties: false,
    });
  });

  it('cuts names and descriptions where the agent does', () => {
    const name = toolName('server', 'n'.repeat(100), formOf('gemini-cli'));
    expect(name).toHaveLength(63);
    expect(name).toMatch(/^mcp_server_n+\.\.\.n+$/);
    expect(toolName('server', 'n'.repeat(100), formOf('claude-code'))).toHaveLength(113);
    const qwen = toolName('server', 'n'.repeat(100), formOf('qwen-code'));
    expect([qwen.length, qwen.includes('n___n')]).toEqual([64, true]);
    const long = toolText('s', { ...TOOL, description: 'd'.repeat(5000) }, formOf('claude-code'));
    expect(JSON.parse(long).description).toHaveLength(4096);
  });
});
