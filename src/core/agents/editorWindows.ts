/**
 * What agents that work in an editor load before the first word: from their documents and sources, and for Cline from a
 * recording of its command line. See `windowRules.ts` for the fields.
 */

import { ASSUMED, DISABLED, plain, USER_ONLY, WORD, XML_SKILL } from './windowForms';
import type { WindowRules } from './windowRules';

/** Of agents whose own form is not public. */
const AGENT_LINE = '- {name}: {description}\n';

const COPILOT_VSCODE: WindowRules = {
  asOf: '2026-03',
  source: 'documents of 2026; source of March 2026',
  notRead: ['custom agents', 'extensions', 'user profiles outside ~/.config/Code'],
  windowTokens: null,
  describedRules: { line: '{path}: {description}\n', isListedByPath: true },
  mcp: {
    files: [
      plain('.vscode/mcp.json', 'servers'),
      plain('.mcp.json'),
      plain('~/.config/Code/User/mcp.json', 'servers'),
      plain('~/.copilot/mcp-config.json'),
    ],
    form: { ...ASSUMED, name: 'mcp_{server}_{tool}' },
    deferral: { when: /claude.*(?:sonnet|opus)-4[.-][56]/, stays: 'name' },
    instructionCharacters: Number.POSITIVE_INFINITY,
    isDoubtful: true,
  },
  skills: {
    folders: [
      ...['.github/skills', '.agents/skills', '.claude/skills'],
      ...['~/.copilot/skills', '~/.claude/skills', '~/.agents/skills'],
    ],
    line: XML_SKILL,
    short: 'none',
    hidden: USER_ONLY,
    isDoubtful: true,
  },
};

const CURSOR: WindowRules = {
  asOf: '2026-10',
  source: 'documents of 2026; closed source',
  notRead: ['team and user rules'],
  windowTokens: null,
  describedRules: { line: '{path}: {description}\n', unlessKey: 'globs' },
  mcp: {
    files: [plain('.cursor/mcp.json'), plain('~/.cursor/mcp.json')],
    form: ASSUMED,
    instructionCharacters: 0,
    isDoubtful: true,
  },
  skills: {
    folders: ['.cursor/skills', '.agents/skills', '~/.cursor/skills', '~/.agents/skills'],
    line: XML_SKILL,
    short: 'none',
    hidden: USER_ONLY,
    isDoubtful: true,
  },
  subagents: { folders: ['.cursor/agents', '~/.cursor/agents'], line: AGENT_LINE, isDoubtful: true },
};

const WINDSURF: WindowRules = {
  asOf: '2026-06',
  source: 'documents of 2026; closed source',
  windowTokens: null,
  describedRules: { line: '{path}: {description}\n', when: { key: 'trigger', value: 'model_decision' } },
  mcp: {
    files: [plain('~/.codeium/windsurf/mcp_config.json')],
    form: ASSUMED,
    instructionCharacters: 0,
    isDoubtful: true,
  },
  skills: {
    folders: ['.windsurf/skills', '~/.codeium/windsurf/skills'],
    line: XML_SKILL,
    short: 'none',
    isDoubtful: true,
  },
};

const CLINE: WindowRules = {
  asOf: '2026-11',
  source: 'recording of Cline CLI 3.0.65; source of August 2026',
  windowTokens: null,
  user: [{ patterns: ['.agents/AGENTS.md', { folder: 'Documents/Cline/Rules', endings: ['.md'] }] }],
  own: { version: 'Cline CLI 3.0.65', sizes: [{ models: /./, prompt: 835, tools: 3628, other: 3 }] },
  mcp: {
    files: [{ ...plain('~/.cline/data/settings/cline_mcp_settings.json'), off: DISABLED }],
    form: {
      name: '{server}__{tool}',
      letters: WORD,
      longest: { characters: 64, cut: 'end' },
      schemaKey: 'parameters',
      schema: 'withoutSchema',
    },
    instructionCharacters: 0,
  },
  skills: {
    folders: ['.clinerules/skills', '.cline/skills', '.agents/skills', '~/.cline/skills', '~/.agents/skills'],
    line: '{name}, ',
    short: 'none',
  },
};

const ROO_CODE: WindowRules = {
  asOf: '2026-04',
  source: 'source of April 2026, 3.52.1',
  notRead: ["MCP servers in the editor's storage", 'modes of .roomodes'],
  windowTokens: null,
  mcp: {
    files: [plain('.roo/mcp.json')],
    form: {
      name: 'mcp--{server}--{tool}',
      letters: WORD,
      longest: { characters: 64, cut: 'end' },
      schemaKey: 'parameters',
      schema: 'withoutSchema',
    },
    instructionCharacters: 0,
    isDoubtful: true,
  },
  skills: {
    folders: ['.roo/skills', '.agents/skills', '~/.roo/skills', '~/.agents/skills'],
    needsName: true,
    needsFolderName: true,
    line: XML_SKILL,
    short: 'none',
    descriptionCharacters: 1024,
    tooLong: 'dropped',
    isDoubtful: true,
  },
};

const ZED: WindowRules = {
  asOf: '2026-11',
  source: 'documents of 2026',
  notRead: ['extensions'],
  windowTokens: null,
  user: [{ patterns: ['.config/zed/AGENTS.md'] }],
  mcp: {
    files: [plain('.zed/settings.json', 'context_servers'), plain('~/.config/zed/settings.json', 'context_servers')],
    form: ASSUMED,
    instructionCharacters: 0,
    isDoubtful: true,
  },
  skills: {
    folders: ['.agents/skills', '~/.agents/skills'],
    line: XML_SKILL,
    short: 'none',
    hidden: USER_ONLY,
    isDoubtful: true,
  },
};

const CONTINUE: WindowRules = {
  asOf: '2026-06',
  source: 'source of June 2026, extension 1.3.40',
  notRead: ['MCP servers of config.yaml and .continue/mcpServers'],
  windowTokens: null,
  describedRules: {
    line: '{name}: {description}\n',
    when: { key: 'alwaysApply', value: 'false' },
    unlessKey: 'globs',
  },
  skills: {
    folders: ['.continue/skills', '.claude/skills', '~/.continue/skills'],
    needsName: true,
    line: '\nname: {name}\ndescription: {description}\n',
    short: 'none',
  },
};

const KIRO: WindowRules = {
  asOf: '2026-11',
  source: 'documents of 2026; closed source',
  notRead: ['custom agents', 'powers', 'hooks'],
  windowTokens: null,
  user: [{ patterns: [{ folder: '.kiro/steering', endings: ['.md'] }], isDoubtful: true }],
  mcp: {
    files: ['.kiro/settings/mcp.json', '~/.kiro/settings/mcp.json'].map((path) => ({ ...plain(path), off: DISABLED })),
    exceptTools: 'disabledTools',
    toolOff: { keys: ['{entry}', 'disabledTools'] },
    form: ASSUMED,
    instructionCharacters: 0,
    isDoubtful: true,
  },
  skills: { folders: ['.kiro/skills', '~/.kiro/skills'], line: XML_SKILL, short: 'none', isDoubtful: true },
};

/** By agent. */
export const EDITOR_WINDOWS = {
  'copilot-vscode': COPILOT_VSCODE,
  cursor: CURSOR,
  windsurf: WINDSURF,
  cline: CLINE,
  'roo-code': ROO_CODE,
  zed: ZED,
  continue: CONTINUE,
  kiro: KIRO,
} as const;
