// Folders for `firstRequests.mjs`: what real clients may load, with a word of its own in every text. A path that begins with
// `~/` lies in the home folder; `{root}` in a text stands for the folder's absolute path, and `{ link }` is a link to a file.
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
  // Instructions that contradict and import each other; imports that are no imports; files that settings name.
  conflicts: {
    'AGENTS.md': `${rules('AGENTS')}\n@docs/one.md\n\n\`@docs/ticked.md\`\n\n\`\`\`\n@docs/fenced.md\n\`\`\`\n`,
    'CLAUDE.md': `${rules('CLAUDE')}\n<!-- MARKREMARK is for people. -->\n\n@docs/one.md\n\n\`@docs/ticked.md\`\n\n\`\`\`\n@docs/fenced.md\n\`\`\`\n`,
    '.claude/CLAUDE.md': rules('DOTCLAUDE'),
    '.claude/rules/deep/er.md': rules('DEEPRULE'),
    'docs/one.md': `${rules('ONE')}\n@two.md\n@missing.md\n`,
    'docs/two.md': `${rules('TWO')}\n@../CLAUDE.md\n`,
    'docs/ticked.md': rules('TICKED'),
    'docs/fenced.md': rules('FENCED'),
    'GEMINI.md': `${rules('GEMINI')}\n@./docs/one.md\n\n\`\`\`\n@./docs/fenced.md\n\`\`\`\n`,
    'TEAM.md': rules('TEAM'),
    '.gemini/settings.json': json({ context: { fileName: ['GEMINI.md', 'TEAM.md'] } }),
    'opencode.json': json({ instructions: ['docs/t*.md', 'TEAM.md'] }),
    'packages/a/AGENTS.md': rules('NESTEDAGENTS'),
    'packages/a/.claude/rules/near.md': rules('NEARRULE'),
    '.github/instructions/deep/every.instructions.md': `---\napplyTo: "**/*"\n---\n${rules('EVERYINSTR')}`,
    '.github/copilot-instructions.md': rules('COPILOT'),
  },
  // What settings leave out: servers, tools, skills and subagents.
  disabled: {
    'TEAM.md': rules('TEAM'),
    'CLAUDE.md': rules('CLAUDE'),
    '.claude/rules/extra.md': rules('EXTRA'),
    '.mcp.json': json({
      mcpServers: {
        shop: { command: 'node', args: [WIDE, 'shop'], tools: ['shop_plain', 'shop_rich'] },
        stock: { command: 'node', args: [WIDE, 'stock'] },
      },
    }),
    '~/.claude.json': json({ projects: { '{root}': { disabledMcpServers: ['stock'], hasTrustDialogAccepted: true } } }),
    '.claude/settings.json': json({
      env: { ENABLE_TOOL_SEARCH: 'false' },
      permissions: { deny: ['mcp__shop__shop_plain', 'Agent(judge)', 'Skill(cook)'] },
      skillOverrides: { ship: 'off', open: 'name-only', call: 'user-invocable-only' },
      claudeMdExcludes: ['**/rules/extra.md'],
    }),
    '.codex/config.toml': `project_doc_fallback_filenames = ["TEAM.md"]\n\n[mcp_servers.shop]\ncommand = "node"\nargs = [${JSON.stringify(WIDE)}, "shop"]\nenabled_tools = ["shop_plain", "shop_rich"]\ndisabled_tools = ["shop_rich"]\n\n[mcp_servers.stock]\ncommand = "node"\nargs = [${JSON.stringify(WIDE)}, "stock"]\n`,
    '~/.codex/config.toml': '[[skills.config]]\npath = "{root}/.agents/skills/open/SKILL.md"\nenabled = false\n',
    '.gemini/settings.json': json({
      mcpServers: {
        shop: { command: 'node', args: [WIDE, 'shop'], includeTools: ['shop_plain', 'shop_rich'] },
        stock: { command: 'node', args: [WIDE, 'stock'] },
      },
      mcp: { allowed: ['shop'] },
      skills: { disabled: ['open'] },
    }),
    'opencode.json': json({
      mcp: {
        shop: { type: 'local', command: ['node', WIDE, 'shop'] },
        stock: { type: 'local', command: ['node', WIDE, 'stock'], enabled: true },
      },
      tools: { shop_shop_plain: false, 'stock_*': false },
      permission: { skill: { open: 'deny' } },
      agent: { pilot: { disable: true } },
    }),
    ...Object.fromEntries(
      ['ship', 'open', 'call', 'cook', 'keep'].flatMap((name) =>
        ['.claude', '.agents'].map((folder) => [
          `${folder}/skills/${name}/SKILL.md`,
          skill(name, `OFF${name.toUpperCase()}`),
        ]),
      ),
    ),
    '.claude/agents/judge.md': agent('judge', 'JUDGE'),
    '.claude/agents/scout.md': agent('scout', 'SCOUT'),
    '.opencode/agents/pilot.md': agent('pilot', 'PILOT'),
    '.opencode/agents/guide.md': agent('guide', 'GUIDE'),
  },
  // Heads that are written in other ways, names that occur twice, files that lie deeper.
  heads: {
    'AGENTS.md': { link: 'CLAUDE.md' },
    'CLAUDE.md': rules('CLAUDE'),
    ...Object.fromEntries(
      Object.entries({
        folded: 'name: folded\ndescription: >\n  MARKFOLDED Folds its lines\n  into one line.\n',
        literal: 'name: literal\ndescription: |-\n  MARKLITERAL Keeps its lines\n  as two lines.\n',
        quoted: 'name: quoted\ndescription: "MARKQUOTED Says: \\"when\\" & <how>."\n',
        nameless: 'description: MARKNAMELESS Has no name of its own.\n',
        timed: 'name: timed\ndescription: MARKTIMED Has a time.\nwhen_to_use: MARKWHEN In the evening.\n',
        late: 'license: MIT\nallowed-tools: Read, Grep\nname: late\ndescription: MARKLATE Comes last. # no remark\n',
      }).flatMap(([name, head]) =>
        ['.claude', '.agents'].map((folder) => [`${folder}/skills/${name}/SKILL.md`, `---\n${head}---\n\nBODY\n`]),
      ),
    ),
    '.claude/skills/crlf/SKILL.md': skill('crlf', 'CRLF').replaceAll('\n', '\r\n'),
    '.claude/skills/group/inner/SKILL.md': skill('inner', 'INNER'),
    '.agents/skills/group/deep/SKILL.md': skill('deep', 'DEEPSKILL'),
    '.claude/skills/same/SKILL.md': skill('same', 'SAMEPROJECT'),
    '.agents/skills/same/SKILL.md': skill('same', 'SAMEAGENTS'),
    '~/.claude/skills/same/SKILL.md': skill('same', 'SAMEHOME'),
    '~/.agents/skills/same/SKILL.md': skill('same', 'SAMEHOMEAGENTS'),
    '.claude/agents/team/deep.md': agent('deep', 'DEEPAGENT').replace('---\nBODY', 'tools: Read, Grep\n---\nBODY'),
    '.claude/agents/twice.md': agent('twice', 'TWICEPROJECT'),
    '~/.claude/agents/twice.md': agent('twice', 'TWICEHOME'),
    '.gemini/agents/gem.md': agent('gem', 'GEM'),
    '.codex/agents/pearl.toml':
      'name = "pearl"\ndescription = "MARKPEARL Judges pearls."\ndeveloper_instructions = "BODYPEARL"\n',
    '.claude/commands/sub/run.md': '---\ndescription: MARKRUN Runs it.\nargument-hint: [name]\n---\nBODYRUN\n',
    '.claude/commands/plain.md': 'MARKPLAINCOMMAND Has no head.\n\nBODY\n',
    '.opencode/commands/oc.md': '---\ndescription: MARKOC A command of OpenCode.\n---\nBODYOC\n',
    '.mcp.json': json({ mcpServers: { shop: { command: 'node', args: [WIDE, 'shop'] } } }),
    '~/.claude.json': json({ mcpServers: { shop: { command: 'node', args: [WIDE, 'stock'] } } }),
    '~/.copilot/mcp-config.json': json({ mcpServers: { shop: { command: 'node', args: [WIDE, 'stock'] } } }),
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

/** Models that a client runs a folder with, where its own says less: Codex defers all tools with models that it knows. */
export const MODELS = { disabled: { codex: 'local-model' } };
