import { describe, expect, it } from 'vitest';
import { renderWindow } from '../../../../src/core/print/windowTable';
import type { AgentWindow, WindowItem, WindowReport } from '../../../../src/core/window/loaded/windowReport';

function item(patch: Partial<WindowItem>): WindowItem {
  const base = { kind: 'instructions' as const, source: 'CLAUDE.md', line: 1, tokens: 1200, tokensFull: 1200 };
  return { ...base, id: 'CLAUDE.md', fate: 'loaded', certain: true, exact: true, reason: 'project file', ...patch };
}

function agent(patch: Partial<AgentWindow>): AgentWindow {
  const base = {
    agent: 'claude-code' as const,
    name: 'Claude Code',
    asOf: '2026-10-01',
    source: 'docs',
    factor: undefined,
  };
  return { ...base, model: null, windowTokens: 200_000, notRead: [], items: [], ...patch };
}

const report: WindowReport = {
  agents: [
    agent({
      items: [
        item({}),
        item({ id: 'a|b.md', fate: 'cut', tokens: 400, tokensFull: 900, certain: false, reason: 'over a limit' }),
        item({
          id: 'mcp:x',
          kind: 'mcp',
          fate: 'unmeasured',
          tokens: 0,
          tokensFull: 0,
          exact: false,
          reason: 'not asked',
        }),
        item({
          id: 'skill:ship',
          kind: 'skills',
          fate: 'listed',
          tokens: 40,
          tokensFull: 90,
          exact: false,
          reason: '',
        }),
      ],
      notRead: ['managed policy'],
    }),
    agent({
      agent: 'codex',
      name: 'Codex',
      model: 'some-model',
      windowTokens: null,
      factor: { value: 1.2, low: 1.1, high: 1.3, source: 'counted' },
    }),
  ],
  duplicates: [{ agent: 'claude-code', tokens: 310, places: ['AGENTS.md#L1-L9', 'CLAUDE.md#L3-L11'] }],
  problems: ['.mcp.json: not JSON'],
};

describe('renderWindow', () => {
  it('gives Markdown a table an agent, and below it what is to be said', () => {
    expect(renderWindow(report, 'markdown')).toMatchInlineSnapshot(`
      "## What agents load before the first word

      ### Claude Code: ≈1,640 of 200,000 (\\<1%) tokens before the first word; 50 on demand

      | Fate | Item | Tokens | Of | Why |
      | :--- | :--- | ---: | ---: | :--- |
      | loaded | CLAUDE.md | 1,200 |  | project file |
      | cut ? | a\\|b.md | 400 | 900 | over a limit |
      | unmeasured | mcp:x | ? |  | not asked |
      | listed | skill:ship | ≈40 | 90 |  |

      ### Codex with some-model: 0 tokens before the first word

      Nothing found.

      - claude-code loads 310 tokens 2 times: AGENTS.md#L1-L9, CLAUDE.md#L3-L11
      - some-model: o200k × 1.2 (1.1 to 1.3; counted)
      - Claude Code: not included here: managed policy
      - Problem: .mcp.json: not JSON
      - ? = unconfirmed by the agent's documentation, or not measured; ≈ = an estimate
      "
    `);
  });

  it('gives text the same, with a meter of the categories', () => {
    expect(renderWindow(report, 'text')).toMatchInlineSnapshot(`
      "What agents load before the first word

      Claude Code: ≈1,640 of 200,000 (<1%) tokens before the first word; 50 on demand
        instructions     1,600  ████████  2 items
        mcp                  ?            1 item
        skills             ≈40  ▎         1 item

      Fate        Item        Tokens   Of  Why
      loaded      CLAUDE.md    1,200       project file
      cut ?       a|b.md         400  900  over a limit
      unmeasured  mcp:x            ?       not asked
      listed      skill:ship     ≈40   90

      Codex with some-model: 0 tokens before the first word

      Nothing found.

      claude-code loads 310 tokens 2 times: AGENTS.md#L1-L9, CLAUDE.md#L3-L11
      some-model: o200k × 1.2 (1.1 to 1.3; counted)
      Claude Code: not included here: managed policy
      Problem: .mcp.json: not JSON
      ? = unconfirmed by the agent's documentation, or not measured; ≈ = an estimate
      "
    `);
  });
});
