// Folders for `firstRequests.mjs`: what real clients may load, with a word of its own in every text. A path that begins with
// `~/` lies in the home folder.
import path from 'node:path';

const WIDE = path.resolve(import.meta.dirname, '../fixtures/mcp/wideServer.cjs');
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const words = (count) => 'Every change has a test of its own, and the test fails without the change. '.repeat(count);
const rules = (mark) => `# Rules\n\n- MARK${mark} is the first rule.\n- ${words(6)}\n\n## More\n\n${words(4)}\n`;
const skill = (name, mark, head = '') =>
  `---\nname: ${name}\ndescription: MARK${mark} Use it when ${name} is asked for, and for nothing else.\n${head}---\n\nBODY${mark} ${words(3)}\n`;
const agent = (name, mark) =>
  `---\nname: ${name}\ndescription: MARK${mark} Judges ${name}.\n---\nBODY${mark} ${words(2)}\n`;

/** Servers in every client's own file; each list has one that is turned off. */
function servers() {
  const start = (name, more = {}) => ({ command: 'node', args: [WIDE, name], ...more });
  const toml = (name, more = '') =>
    `[mcp_servers.${name}]\ncommand = "node"\nargs = [${JSON.stringify(WIDE)}, "${name}"]\n${more}`;
  const local = (name, enabled) => ({ type: 'local', command: ['node', WIDE, name], enabled });
  return {
    '.mcp.json': json({ mcpServers: { shop: start('shop'), stock: start('stock') } }),
    '.claude/settings.json': json({ disabledMcpjsonServers: ['stock'] }),
    '.codex/config.toml': `${toml('shop')}\n${toml('stock', 'enabled = false\n')}`,
    '.gemini/settings.json': json({
      mcpServers: { shop: start('shop', { excludeTools: ['shop_plain'] }), stock: start('stock') },
      mcp: { excluded: ['stock'] },
    }),
    'opencode.json': json({ mcp: { shop: local('shop', true), stock: local('stock', false) } }),
  };
}

export const FOLDERS = {
  instructions: {
    'AGENTS.md': rules('AGENTS'),
    'CLAUDE.md': `${rules('CLAUDE')}\nSee @docs/style.md for style, and @docs/naming.md.\n`,
    'docs/style.md': rules('STYLE'),
    'docs/naming.md': rules('NAMING'),
    'GEMINI.md': rules('GEMINI'),
    'CLAUDE.local.md': rules('LOCAL'),
    '.github/copilot-instructions.md': rules('COPILOT'),
    '.github/instructions/all.instructions.md': `---\napplyTo: "**"\n---\n${rules('ALLINSTR')}`,
    '.github/instructions/py.instructions.md': `---\napplyTo: "**/*.py"\n---\n${rules('PYINSTR')}`,
    '.claude/rules/always.md': rules('RULEALWAYS'),
    '.claude/rules/src.md': `---\npaths: src/**/*.ts\n---\n${rules('RULESRC')}`,
    'packages/a/AGENTS.md': rules('NESTEDAGENTS'),
    'packages/a/CLAUDE.md': rules('NESTEDCLAUDE'),
    'packages/a/GEMINI.md': rules('NESTEDGEMINI'),
  },
  servers: { 'AGENTS.md': rules('AGENTS'), ...servers() },
  skills: {
    'CLAUDE.md': rules('CLAUDE'),
    '.claude/skills/ship/SKILL.md': skill('ship', 'SHIP'),
    '.claude/skills/hidden/SKILL.md': skill('hidden', 'HIDDEN', 'disable-model-invocation: true\n'),
    '.agents/skills/open/SKILL.md': skill('open', 'OPEN'),
    '.codex/skills/cook/SKILL.md': skill('cook', 'COOK'),
    '.gemini/skills/twin/SKILL.md': skill('twin', 'TWIN'),
    '.github/skills/hub/SKILL.md': skill('hub', 'HUB'),
    '.opencode/skills/code/SKILL.md': skill('code', 'CODE'),
    '.claude/agents/judge.md': agent('judge', 'JUDGE'),
    '.github/agents/octo.agent.md': agent('octo', 'OCTO'),
    '.opencode/agents/pilot.md': agent('pilot', 'PILOT'),
    '.claude/commands/tidy.md': '---\ndescription: MARKTIDY Tidies up.\n---\nBODYTIDY\n',
  },
  home: {
    'AGENTS.override.md': rules('OVERRIDE'),
    'AGENTS.md': rules('AGENTS'),
    '~/.claude/CLAUDE.md': rules('HOMECLAUDE'),
    '~/.claude/rules/mine.md': rules('HOMERULE'),
    '~/.claude/skills/mine/SKILL.md': skill('mine', 'HOMESKILL'),
    '~/.codex/AGENTS.md': rules('HOMECODEX'),
    '~/.gemini/GEMINI.md': rules('HOMEGEMINI'),
    '~/.copilot/copilot-instructions.md': rules('HOMECOPILOT'),
    '~/.config/opencode/AGENTS.md': rules('HOMEOPENCODE'),
    '~/.agents/skills/yours/SKILL.md': skill('yours', 'YOURS'),
  },
  // More skills than any list has room for: long and short descriptions, in an order that tells which lose theirs.
  crowd: Object.fromEntries(
    Array.from({ length: 80 }, (_, at) => {
      const name = `s${String(at).padStart(2, '0')}`;
      const text = `MARKCROWD${name} ${'tells when it is to be used '.repeat(at % 7 === 3 ? 2 : 14 + (at % 5))}`.trim();
      return [`.agents/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${text}\n---\nBODY\n`];
    }).flatMap(([file, text]) => [
      [file, text],
      [file.replace('.agents', '.claude'), text],
    ]),
  ),
};
