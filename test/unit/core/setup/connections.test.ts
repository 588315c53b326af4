import { describe, expect, it } from 'vitest';
import { AGENT_TABLE } from '../../../../src/core/agents/agentTable';
import {
  addedContext,
  answeredTools,
  connectionsById,
  connectionsOf,
  OTHER_AGENT_CONNECTIONS,
  serverQuestions,
  sessionStartEvent,
} from '../../../../src/core/setup/connections';

const idsOf = (agent: string): readonly string[] =>
  AGENT_TABLE.filter((rules) => rules.agent === agent).flatMap((rules) => connectionsOf(rules).map(({ id }) => id));

describe('connectionsOf', () => {
  it.each([
    [
      'claude-code',
      [
        'mcp:claude-code',
        'mcp:claude-code-json',
        'hooks:.claude/settings.local.json',
        'hooks:.claude/settings.json',
        'skill:.claude/skills/context-budget/SKILL.md',
      ],
    ],
    ['gemini-cli', ['mcp:gemini-cli', 'hooks:.gemini/settings.json', 'hooks:.gemini/settings.json#shared']],
    [
      'codex',
      [
        'mcp:codex',
        'hooks:.codex/hooks.json',
        'hooks:.codex/hooks.json#shared',
        'skill:.agents/skills/context-budget/SKILL.md',
      ],
    ],
    ['windsurf', ['mcp:windsurf']],
    ['roo-code', []],
  ])('of %s', (agent, ids) => {
    expect(idsOf(agent)).toEqual(ids);
  });

  it('has hooks of VS Code under the name of the command line', () => {
    expect(idsOf('copilot-vscode').filter((id) => id.startsWith('hooks:'))).toEqual([
      'hooks:.github/hooks/context-budget.local.json',
      'hooks:.github/hooks/context-budget.json',
    ]);
  });

  it('has an id for each, which leads back to it; unknown ones lead nowhere', () => {
    const all = [...AGENT_TABLE.flatMap(connectionsOf), ...OTHER_AGENT_CONNECTIONS];
    for (const connection of all) expect(connectionsById([connection.id])).toEqual([connection]);
    expect(connectionsById(['mcp:nothing', 7, undefined])).toEqual([]);
    expect(OTHER_AGENT_CONNECTIONS.map(({ id }) => id)).toEqual(['mcp:generic', 'skill:copy']);
  });
});

describe('a check of a server', () => {
  const opened = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}';
  const listed = '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"repo_map"}]}}';

  it('asks a line a message, the tools last', () => {
    const asked = serverQuestions('1.0.0')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(asked.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    expect(asked.map(({ id }) => id)).toEqual([1, undefined, 2]);
  });

  it.each([
    [
      'both answers among other lines',
      `log\n${opened}\n{"method":"notifications/x"}\n${listed}\n`,
      [{ name: 'repo_map' }],
    ],
    ['no opening', listed, undefined],
    ['no list', opened, undefined],
    ['an error', `${opened}\n{"id":2,"error":{"code":-32601}}`, undefined],
    ['tools that are no list', `${opened}\n{"id":2,"result":{"tools":{}}}`, undefined],
    ['nothing', '', undefined],
  ])('with %s', (_, stdout, tools) => {
    expect(answeredTools(stdout)).toEqual(tools);
  });
});

describe("a check of a hook's answer", () => {
  const json = (context: unknown): string => JSON.stringify({ hookSpecificOutput: { additionalContext: context } });

  it.each([
    ['claude-code', '<context-index>\n', '<context-index>\n'],
    ['claude-code', json('a'), 'a'],
    ['claude-code', ' \n', undefined],
    ['vscode', json('a'), 'a'],
    ['vscode', json(''), undefined],
    ['vscode', json(1), undefined],
    // VS Code ends plain text in its log.
    ['vscode', '<context-index>\n', undefined],
    ['vscode', '{}', undefined],
  ])('of %s: %j', (agent, stdout, context) => {
    expect(addedContext(agent, stdout)).toBe(context);
  });

  it('begins with an event as the agent sends it', () => {
    expect(JSON.parse(sessionStartEvent('claude-code', '/w'))).toEqual({
      hook_event_name: 'SessionStart',
      source: 'startup',
      cwd: '/w',
    });
    expect(JSON.parse(sessionStartEvent('vscode', '/w')).source).toBe('new');
  });
});
