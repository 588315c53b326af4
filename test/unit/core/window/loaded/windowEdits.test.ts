/** Every switch of the table of agents, written into their files and read again: the row says that it is off. */
import { describe, expect, it } from 'vitest';
import type { AgentId } from '../../../../../src/core/model/agent';
import { editSetting } from '../../../../../src/core/window/loaded/settingEdit';
import type { WindowEdits, WindowItem } from '../../../../../src/core/window/loaded/windowReport';
import { ROOT, windowOf } from './windowOf';

type Which = 'edits' | 'serverEdits';

/** A row's fate, and its fate after an edit of what is there. */
async function fates(
  agent: AgentId,
  texts: Readonly<Record<string, string>>,
  [id, which, action]: readonly [string, Which, keyof WindowEdits],
) {
  const find = (items: readonly WindowItem[]) => items.find((item) => item.id === id || item.id === id.split('/')[0]);
  const before = find(await windowOf(agent, texts));
  const edit = before?.[which]?.[action];
  if (!edit) return [before?.fate, 'no setting'];
  const written = { ...texts, [edit.path]: editSetting(texts[edit.path] ?? '', edit) };
  return [before?.fate, find(await windowOf(agent, written))?.fate, edit.path];
}

const servers = JSON.stringify({ mcpServers: { db: { command: 'db' } } });
const toml = '[mcp_servers.db]\ncommand = "db"\n';
const oldForm = JSON.stringify({ mcp: { db: { type: 'local', command: ['db'] } } });
const newForm = JSON.stringify({ mcp: { servers: { db: { type: 'local', command: ['db'] } } } });
const amp = JSON.stringify({ 'amp.mcpServers': { db: { command: 'db' } } });
const own = JSON.stringify({ projects: { [ROOT]: { mcpServers: { db: { command: 'db' } } } } });
const kept = JSON.stringify({ mcpServers: { db: { command: 'db', alwaysLoad: true } } });
const skill = '---\nname: ship\ndescription: Ships it\n---\nSteps.\n';
const disable = ['mcp:db/find', 'serverEdits', 'disable'] as const;

describe('switches of the agents', () => {
  it.each<[AgentId, string, string, string, string]>([
    ['claude-code', '.mcp.json', servers, 'listed', '.claude/settings.local.json'],
    ['claude-code', '~/.claude.json', servers, 'listed', '~/.claude.json'],
    ['claude-code', '~/.claude.json', own, 'listed', '~/.claude.json'],
    ['codex', '.codex/config.toml', toml, 'deferred', '.codex/config.toml'],
    ['codex', '~/.codex/config.toml', toml, 'deferred', '~/.codex/config.toml'],
    ['gemini-cli', '.gemini/settings.json', servers, 'loaded', '.gemini/settings.json'],
    ['opencode', 'opencode.json', oldForm, 'loaded', 'opencode.json'],
    ['opencode', 'opencode.jsonc', newForm, 'loaded', 'opencode.jsonc'],
    [
      'cline',
      '~/.cline/data/settings/cline_mcp_settings.json',
      servers,
      'loaded',
      '~/.cline/data/settings/cline_mcp_settings.json',
    ],
    ['amp', '.amp/settings.json', amp, 'loaded', '.amp/settings.json'],
    ['kiro', '.kiro/settings/mcp.json', servers, 'loaded', '.kiro/settings/mcp.json'],
  ])('%s turns off a server of %s %s', async (agent, path, text, before, edited) => {
    expect(await fates(agent, { [path]: text }, disable)).toEqual([before, 'disabled', edited]);
  });

  it('Gemini CLI leaves out one tool of a server', async () => {
    const settings = { '.gemini/settings.json': servers };
    expect(await fates('gemini-cli', settings, ['mcp:db/find', 'edits', 'disable'])).toEqual([
      ...['loaded', 'disabled', '.gemini/settings.json'],
    ]);
  });

  it('Claude Code loads tools on demand again: of a server that keeps them, and of all by the setting', async () => {
    const onDemand = ['mcp:db/find', 'serverEdits', 'onDemand'] as const;
    expect(await fates('claude-code', { '.mcp.json': kept }, onDemand)).toEqual(['loaded', 'listed', '.mcp.json']);
    const settings = JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } });
    const texts = { '.mcp.json': servers, '.claude/settings.json': settings };
    expect(await fates('claude-code', texts, onDemand)).toEqual(['loaded', 'listed', '.claude/settings.json']);
    expect(await fates('claude-code', { '.mcp.json': servers }, onDemand)).toEqual(['listed', 'no setting']);
  });

  it('Claude Code turns a skill off, or leaves it to the user’s call', async () => {
    const texts = { '.claude/skills/ship/SKILL.md': skill };
    expect(await fates('claude-code', texts, ['skill:ship', 'edits', 'disable'])).toEqual([
      ...['listed', 'disabled', '.claude/settings.local.json'],
    ]);
    expect(await fates('claude-code', texts, ['skill:ship', 'edits', 'onDemand'])).toEqual([
      ...['listed', 'deferred', '.claude/skills/ship/SKILL.md'],
    ]);
  });

  it.each([
    ['claude-code', 'CLAUDE.md', ''],
    // Looked for from the root, too.
    ['cursor', '.cursor/rules/a.mdc', '---\nalwaysApply: true\n---\n'],
  ] as const)('an imported file is named instead, in the file that imports it: %s', async (agent, path, head) => {
    const texts = { [path]: `${head}See @docs/x.md for more.\n`, 'docs/x.md': 'Long.\n' };
    const items = await windowOf(agent, texts);
    const edit = items.find(({ source }) => source === 'docs/x.md')?.edits?.onDemand;
    expect(edit && editSetting(texts[path] ?? '', edit)).toBe(`${head}See \`docs/x.md\` for more.\n`);
    expect(items.find(({ source }) => source === path)?.edits?.onDemand).toBeUndefined();
  });

  it('are not offered where no setting is known', async () => {
    for (const [agent, path] of [
      ['cursor', '.cursor/mcp.json'],
      ['windsurf', '~/.codeium/windsurf/mcp_config.json'],
      ['roo-code', '.roo/mcp.json'],
      ['copilot-cli', '.mcp.json'],
    ] as const)
      expect(await fates(agent, { [path]: servers }, disable)).toEqual(['loaded', 'no setting']);
  });
});
