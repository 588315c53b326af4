/**
 * What agents that work in a terminal load before the first word. Facts of November 2026: recordings of the first request of
 * Claude Code 2.1.330, Codex CLI 0.169.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102, OpenCode 1.18.33 and Qwen Code 0.15.10
 * against a model server of our own, and the documents that the rows of the agent table name. See `windowRules.ts` for the fields.
 */

import { CLAUDE_CODE } from './claudeWindows';
import { ASSUMED, DISABLED, ENABLED, plain, USER_ONLY, WORD, XML_SKILL } from './windowForms';
import type { WindowRules } from './windowRules';

/** Strongest first. */
const CODEX_CONFIGS = ['.codex/config.toml', '~/.codex/config.toml'];

const CODEX: WindowRules = {
  asOf: '2026-11',
  source: 'recording of Codex CLI 0.169.0; source of 2026',
  notRead: ['plugins'],
  windowTokens: 272_000,
  user: [{ patterns: ['.codex/AGENTS.override.md', '.codex/AGENTS.md'], pick: 'firstInFolder' }],
  instructionSettings: CODEX_CONFIGS.map((path) => ({
    ...{ path, format: 'toml', keys: ['project_doc_fallback_filenames'], form: 'fallback' },
  })),
  own: {
    version: 'Codex CLI 0.169.0',
    sizes: [
      { models: /gpt-6/, prompt: 4212, tools: 5743, other: 1420 },
      { models: /gpt-5/, prompt: 4397, tools: 1941, other: 1236 },
    ],
  },
  mcp: {
    files: [
      { path: '.codex/config.toml', format: 'toml', keys: ['mcp_servers'], off: ENABLED },
      { path: '~/.codex/config.toml', format: 'toml', keys: ['mcp_servers'], off: ENABLED },
    ],
    onlyTools: 'enabled_tools',
    exceptTools: 'disabled_tools',
    form: {
      name: '{tool}',
      letters: /[^A-Za-z0-9_]/g,
      schemaKey: 'parameters',
      extra: { type: 'function', strict: false },
      schema: 'reduced',
    },
    deferral: { when: /^gpt-(?:5\.[56]|6)/, stays: 'none' },
    instructionCharacters: Number.POSITIVE_INFINITY,
    instructionCharactersDeferred: 250,
  },
  skills: {
    folders: ['.codex/skills', '.agents/skills', '~/.codex/skills', '~/.agents/skills'],
    isDeep: true,
    sameName: 'all',
    yaml: { repairs: /^[@`[{]|: / },
    // Settings of the folder turn none off.
    offLists: [{ path: '~/.codex/config.toml', format: 'toml', keys: ['skills', 'config'], form: 'entries' }],
    line: '- {name}: {description} (file: r0/{folder}/SKILL.md)\n',
    short: '- {name} (file: r0/{folder}/SKILL.md)\n',
    descriptionCharacters: 1024,
    tooLong: 'cut',
    budget: { share: 0.02, charactersPerToken: 4, charactersUnknown: 8000 },
    over: 'evenly',
  },
};

/** Strongest first. */
const GEMINI_SETTINGS = ['.gemini/settings.json', '~/.gemini/settings.json'];

const GEMINI_CLI: WindowRules = {
  asOf: '2026-11',
  source: 'recording of Gemini CLI 0.61.0; documents of August 2026',
  notRead: ['extensions', 'system settings'],
  windowTokens: 1_048_576,
  user: [{ patterns: ['.gemini/GEMINI.md'] }],
  instructionSettings: GEMINI_SETTINGS.map((path) => ({ path, keys: ['context', 'fileName'], form: 'instead' })),
  own: { version: 'Gemini CLI 0.61.0', sizes: [{ models: /./, prompt: 4743, tools: 4895, other: 121 }] },
  mcp: {
    files: GEMINI_SETTINGS.map((path) => ({
      ...plain(path),
      off: { keys: ['mcp', 'excluded'] },
    })),
    switches: GEMINI_SETTINGS.flatMap((path) => [
      { path, keys: ['mcp', 'excluded'], kind: 'disabled' as const },
      { path, keys: ['mcp', 'allowed'], kind: 'allowed' as const },
    ]),
    onlyTools: 'includeTools',
    exceptTools: 'excludeTools',
    toolOff: { keys: ['{entry}', 'excludeTools'] },
    form: {
      name: 'mcp_{server}_{tool}',
      letters: /[^A-Za-z0-9_.-]/g,
      longest: { characters: 63, cut: 'middle' },
      schemaKey: 'parametersJsonSchema',
      schema: 'unchanged',
      addedProperty: [
        'wait_for_previous',
        {
          type: 'boolean',
          description:
            'Set to true to wait for all previously requested tools in this turn to complete before starting. Set to ' +
            'false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.',
        },
      ],
    },
    instructionCharacters: Number.POSITIVE_INFINITY,
  },
  skills: {
    folders: ['.agents/skills', '.gemini/skills', '~/.agents/skills', '~/.gemini/skills'],
    needsName: true,
    offLists: GEMINI_SETTINGS.map((path) => ({ path, keys: ['skills', 'disabled'], form: 'names' })),
    line: XML_SKILL,
    short: 'none',
  },
};

/** Strongest first. */
const OPENCODE_CONFIGS = [
  ...['opencode.json', 'opencode.jsonc', '~/.config/opencode/opencode.json', '~/.config/opencode/opencode.jsonc'],
];

const OPENCODE: WindowRules = {
  asOf: '2026-11',
  source: 'recording of OpenCode 1.18.33; documents of 2026',
  notRead: ['plugins', 'instructions at a URL'],
  windowTokens: null,
  user: [{ patterns: ['.config/opencode/AGENTS.md'] }],
  instructionSettings: OPENCODE_CONFIGS.map((path) => ({ path, keys: ['instructions'], form: 'more' })),
  own: {
    version: 'OpenCode 1.18.33',
    sizes: [
      { models: /claude/, prompt: 1882, tools: 4707, other: 1 },
      { models: /gpt/, prompt: 2097, tools: 4412, other: 1 },
    ],
  },
  mcp: {
    files: OPENCODE_CONFIGS.flatMap((path) => [
      { ...plain(path, 'mcp', 'servers'), off: DISABLED },
      { ...plain(path, 'mcp'), off: ENABLED },
    ]),
    form: {
      name: '{server}_{tool}',
      letters: WORD,
      schemaKey: 'input_schema',
      schema: 'closed',
      extra: { eager_input_streaming: true },
    },
    offLists: OPENCODE_CONFIGS.map((path) => ({ path, keys: ['tools'], form: 'patterns' })),
    needsTool: true,
    instructionCharacters: Number.POSITIVE_INFINITY,
  },
  skills: {
    folders: [
      ...['.opencode/skills', '.opencode/skill', '.claude/skills', '.agents/skills'],
      ...['~/.config/opencode/skills', '~/.config/opencode/skill', '~/.claude/skills', '~/.agents/skills'],
    ],
    isDeep: true,
    needsName: true,
    yaml: { repairs: /:(?:\s|$)/, allowsTabs: true },
    // Its folders are read side by side: the one that is read last counts.
    sameName: 'any',
    offLists: OPENCODE_CONFIGS.map((path) => ({ path, keys: ['permission', 'skill'], form: 'patterns' })),
    line: XML_SKILL,
    short: 'none',
  },
  subagents: {
    folders: ['.opencode/agents', '.opencode/agent', '~/.config/opencode/agents', '~/.config/opencode/agent'],
    line: '- {name}: {description}\n',
    yaml: { repairs: /:(?:\s|$)/, allowsTabs: true },
    offLists: OPENCODE_CONFIGS.map((path) => ({ path, keys: ['agent'], form: 'records' })),
  },
};

const AIDER: WindowRules = {
  asOf: '2026-05',
  source: 'source of May 2026, 0.86.3.dev',
  notRead: ['files that ~/.aider.conf.yml names'],
  windowTokens: null,
  instructionSettings: [{ path: '.aider.conf.yml', format: 'yaml', keys: ['read'], form: 'more' }],
};

const AMP: WindowRules = {
  asOf: '2026-01',
  source: 'descriptions by others; closed source',
  windowTokens: null,
  user: [{ patterns: ['.config/amp/AGENTS.md'] }],
  mcp: {
    files: ['.amp/settings.json', '~/.config/amp/settings.json'].map((path) => ({
      ...plain(path, 'amp.mcpServers'),
      off: DISABLED,
    })),
    onlyTools: 'includeTools',
    form: ASSUMED,
    instructionCharacters: 0,
    isDoubtful: true,
  },
  skills: {
    folders: [
      ...['.agents/skills', '~/.config/agents/skills', '~/.config/amp/skills'],
      ...['.claude/skills', '~/.claude/skills'],
    ],
    line: XML_SKILL,
    short: 'none',
    isDoubtful: true,
  },
};

const COPILOT_SKILL =
  '<skill>\n  <name>{name}</name>\n  <description>{description}</description>\n  <location>{scope}</location>\n</skill>\n';

const COPILOT_CLI: WindowRules = {
  asOf: '2026-11',
  source: 'recording of Copilot CLI 1.0.102; its list of changes of August 2026',
  notRead: ['the account’s own MCP server', 'plugins'],
  windowTokens: null,
  user: [{ patterns: ['.copilot/copilot-instructions.md'] }],
  own: {
    version: 'Copilot CLI 1.0.102',
    sizes: [
      { models: /claude/, prompt: 4783, tools: 5665, other: 27 },
      { models: /gpt/, prompt: 5408, tools: 5670, other: 27 },
    ],
  },
  mcp: {
    files: [plain('.mcp.json'), plain('~/.copilot/mcp-config.json')],
    onlyTools: 'tools',
    form: {
      name: '{server}-{tool}',
      letters: WORD,
      longest: { characters: 64, cut: 'end' },
      schemaKey: 'parameters',
      schema: 'unchanged',
    },
    instructionCharacters: 0,
  },
  skills: {
    folders: ['.github/skills', '.agents/skills', '.claude/skills', '~/.copilot/skills', '~/.agents/skills'],
    isDeep: true,
    fallback: 'text',
    yaml: {},
    line: COPILOT_SKILL,
    short: '{name}, ',
    descriptionCharacters: 1024,
    tooLong: 'dropped',
    budget: { characters: 15_000 },
    over: 'stop',
    hidden: USER_ONLY,
  },
  subagents: {
    folders: ['.github/agents', '.claude/agents', '~/.copilot/agents'],
    yaml: {},
    line: '- **{name}**: {description}\n\n',
  },
  commands: { folders: ['.claude/commands'], line: COPILOT_SKILL, isFlat: true, fallback: 'text', yaml: {} },
};

/** Strongest first. */
const QWEN_SETTINGS = ['.qwen/settings.json', '~/.qwen/settings.json'];

const QWEN_CODE: WindowRules = {
  asOf: '2026-11',
  source: 'recording of Qwen Code 0.15.10',
  notRead: ['extensions'],
  windowTokens: null,
  user: [{ patterns: ['.qwen/QWEN.md', '.qwen/AGENTS.md'] }],
  own: { version: 'Qwen Code 0.15.10', sizes: [{ models: /./, prompt: 8018, tools: 8629, other: 98 }] },
  mcp: {
    files: QWEN_SETTINGS.map((path) => ({ ...plain(path), off: { keys: ['mcp', 'excluded'] } })),
    switches: QWEN_SETTINGS.flatMap((path) => [
      { path, keys: ['mcp', 'excluded'], kind: 'disabled' as const },
      { path, keys: ['mcp', 'allowed'], kind: 'allowed' as const },
    ]),
    form: {
      name: 'mcp__{server}__{tool}',
      letters: WORD,
      longest: { characters: 64, cut: 'middle', mark: '___' },
      schemaKey: 'parametersJsonSchema',
      schema: 'unchanged',
    },
    deferral: { when: 'always', stays: 160 },
    instructionCharacters: 0,
  },
  skills: {
    folders: ['.qwen/skills', '.agents/skills', '~/.qwen/skills', '~/.agents/skills'],
    line: XML_SKILL,
    short: 'none',
  },
  // From its documents: no agent of a folder was in the recording.
  subagents: { folders: ['.qwen/agents', '~/.qwen/agents'], line: '- **{name}**: {description}\n', isDoubtful: true },
};

/** By agent. */
export const TERMINAL_WINDOWS = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  'gemini-cli': GEMINI_CLI,
  opencode: OPENCODE,
  aider: AIDER,
  amp: AMP,
  'copilot-cli': COPILOT_CLI,
  'qwen-code': QWEN_CODE,
} as const;
