/** What Claude Code loads before the first word: a recording of 2.1.330, and its documents. */
import { PATHS } from './agentTableTerminal';
import { plain, WORD } from './windowForms';
import type { OffList, SettingRule, WindowRules } from './windowRules';

/** Ends of a description or of instructions that Claude Code 2.1.330 keeps; the documents say 2 KB. */
const CLAUDE_TEXT_CHARACTERS = 4096;

/** Strongest first. */
const CLAUDE_SETTINGS = ['.claude/settings.local.json', '.claude/settings.json', '~/.claude/settings.json'];

const CLAUDE_YAML = { repairs: /^[*&!|>@`%[\]{}]|: /, allowsTwice: true, allowsTabs: true } as const;

const CLAUDE_DENIED: readonly OffList[] = CLAUDE_SETTINGS.map((path) => ({
  ...{ path, keys: ['permissions', 'deny'], form: 'permissions' },
}));

const CLAUDE_OFF: SettingRule = { path: '~/.claude.json', keys: ['projects', '{root}', 'disabledMcpServers'] };

export const CLAUDE_CODE: WindowRules = {
  asOf: '2026-11',
  source: 'recording of Claude Code 2.1.330; documents of August 2026',
  notRead: ['plugins', 'managed settings', 'connectors of the account', 'hooks', 'memory'],
  windowTokens: 1_000_000,
  user: [
    { patterns: ['.claude/CLAUDE.md'] },
    { patterns: [{ folder: '.claude/rules', endings: ['.md'] }], condition: PATHS },
  ],
  instructionSettings: CLAUDE_SETTINGS.map((path) => ({ path, keys: ['claudeMdExcludes'], form: 'excludes' })),
  own: {
    version: 'Claude Code 2.1.330',
    sizes: [
      { models: /opus-5-5/, prompt: 1562, tools: 7064, other: 2256 },
      { models: /opus-5/, prompt: 2182, tools: 7064, other: 2240 },
      { models: /fable-5/, prompt: 2411, tools: 7064, other: 2264 },
      { models: /sonnet-5/, prompt: 5873, tools: 10_649, other: 2382 },
      // What else is sent was recorded as part of the request alone: 19,482 less prompt and tools.
      { models: /./, prompt: 5896, tools: 10_649, other: 2937 },
    ],
  },
  mcp: {
    files: [
      { ...plain('~/.claude.json', 'projects', '{root}', 'mcpServers'), off: CLAUDE_OFF },
      {
        ...plain('.mcp.json'),
        off: { path: '.claude/settings.local.json', keys: ['disabledMcpjsonServers'] },
      },
      { ...plain('~/.claude.json', 'mcpServers'), off: CLAUDE_OFF },
    ],
    switches: [
      { path: '~/.claude.json', keys: ['projects', '{root}', 'disabledMcpServers'], kind: 'disabled' },
      ...CLAUDE_SETTINGS.map((path) => ({
        path,
        keys: ['disabledMcpjsonServers'],
        kind: 'disabled' as const,
        of: '.mcp.json',
      })),
    ],
    offLists: CLAUDE_DENIED,
    form: {
      name: 'mcp__{server}__{tool}',
      letters: WORD,
      schemaKey: 'input_schema',
      schema: 'unchanged',
      descriptionCharacters: CLAUDE_TEXT_CHARACTERS,
    },
    deferral: {
      ...{ when: 'always', stays: 'name', unless: 'alwaysLoad', unlessMeta: 'anthropic/alwaysLoad' },
      setting: { paths: CLAUDE_SETTINGS, keys: ['env', 'ENABLE_TOOL_SEARCH'], off: 'false' },
    },
    instructionCharacters: CLAUDE_TEXT_CHARACTERS,
  },
  skills: {
    // Of two skills of a name that of the home folder counts (code.claude.com/docs/en/skills).
    folders: ['~/.claude/skills', '.claude/skills'],
    isNamedByFolder: true,
    fallback: 'line',
    yaml: CLAUDE_YAML,
    line: '- {name}: {description}\n',
    short: '- {name}\n',
    descriptionCharacters: 1536,
    tooLong: 'cut',
    budget: { share: 0.01, charactersUnknown: 8000 },
    over: 'greedy',
    hidden: { key: 'disable-model-invocation', value: 'true' },
    overrides: { paths: CLAUDE_SETTINGS, keys: ['skillOverrides'] },
    off: { path: '.claude/settings.local.json', keys: ['skillOverrides', '{name}'], value: 'off' },
    whenToUse: 'when_to_use',
    bundledCharacters: 6137,
  },
  subagents: {
    folders: ['.claude/agents', '~/.claude/agents'],
    needsName: true,
    yaml: CLAUDE_YAML,
    line: '- {name}: {description} (Tools: {tools})\n',
    offLists: CLAUDE_DENIED,
  },
  commands: {
    folders: ['.claude/commands', '~/.claude/commands'],
    line: '- {name}: {description}\n',
    fallback: 'line',
    yaml: CLAUDE_YAML,
  },
};
