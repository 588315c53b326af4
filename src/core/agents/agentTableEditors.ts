/** Rules of agents that live in an editor of their own, or in an extension. See `agentRules.ts` for the fields. */
import { phrase } from '../text/phrase';
import type { AgentRules, Condition, FileLimit, FilePattern } from './agentRules';
import { IN_EACH_FOLDER, PATHS } from './agentTableTerminal';

const CURSOR_RULES: FilePattern = { folder: '.cursor/rules', endings: ['.mdc'] };

const CURSOR_CONDITION: Condition = {
  globs: 'globs',
  withoutGlobs: 'onDemand',
  always: { key: 'alwaysApply', value: 'true' },
  isAtAnyDepth: true,
};

const CURSOR: AgentRules = {
  agent: 'cursor',
  name: 'Cursor',
  asOf: 'documents of 2026; closed source',
  sources: ['https://cursor.com/docs/rules', 'https://cursor.com/help/customization/rules.md'],
  mcp: [{ place: '.cursor/mcp.json', form: 'typed' }],
  own: [{ folder: '.cursor/rules', endings: ['.mdc', '.md'] }, '.cursorrules', '.cursor/mcp.json'],
  rules: [
    { ...IN_EACH_FOLDER, patterns: [CURSOR_RULES], condition: CURSOR_CONDITION },
    { ...IN_EACH_FOLDER, patterns: ['AGENTS.md'] },
    { patterns: ['.cursorrules'] },
    { patterns: ['CLAUDE.md'], onDemand: phrase('Only in its command-line agent'), isDoubtful: true },
  ],
  imports: {
    depth: 1,
    start: /^[\p{L}\p{N}._/-]/u,
    missing: 'paths',
    leavesOff: 'punctuation',
    isAlsoFromRoot: true,
    isDoubtful: true,
  },
};

/** What happens beyond it is not documented; older pages count all files together. */
const WINDSURF_LIMIT: FileLimit = {
  characters: 12_000,
  excess: 'cut',
  why: phrase('At most {0} characters per file', 12_000),
  isDoubtful: true,
};

/** What it makes of each file in a folder of rules. */
const WINDSURF_RULE = {
  ...IN_EACH_FOLDER,
  condition: {
    globs: 'globs',
    withoutGlobs: 'onDemand',
    always: { key: 'trigger', value: 'always_on' },
    asked: [
      { key: 'trigger', value: 'manual' },
      { key: 'trigger', value: 'model_decision' },
    ],
    isAtAnyDepth: true,
  },
  limit: WINDSURF_LIMIT,
} as const;

const WINDSURF: AgentRules = {
  agent: 'windsurf',
  name: 'Windsurf',
  asOf: 'documents of 2026; closed source',
  sources: ['https://docs.windsurf.com/windsurf/cascade/memories', 'https://docs.devin.ai/desktop/cascade/memories'],
  mcp: [{ place: '~/.codeium/windsurf/mcp_config.json', form: 'plain', isPerUser: true }],
  own: [{ folder: '.windsurf/rules', endings: ['.md'] }, '.windsurfrules'],
  rules: [
    { ...WINDSURF_RULE, patterns: [{ folder: '.devin/rules', endings: ['.md'], isFlat: true }], isDoubtful: true },
    { ...WINDSURF_RULE, patterns: [{ folder: '.windsurf/rules', endings: ['.md'], isFlat: true }] },
    { patterns: ['.windsurfrules'], limit: WINDSURF_LIMIT },
    { ...IN_EACH_FOLDER, patterns: ['AGENTS.md'] },
  ],
};

const CLINE: AgentRules = {
  agent: 'cline',
  name: 'Cline',
  asOf: 'source of August 2026, 4.1.12',
  sources: [
    'https://github.com/cline/cline/blob/21cb8d2525bcedf1f4b6890b27a74a14fe7451e4/apps/vscode/src/core/context/instructions/user-instructions/cline-rules.ts',
  ],
  mcp: [{ place: 'cline_mcp_settings.json', form: 'cline', isPerUser: true }],
  own: ['.clinerules', { folder: '.clinerules', endings: ['.md', '.txt'] }],
  rules: [
    {
      patterns: [
        '.clinerules',
        { folder: '.clinerules', endings: ['.md', '.markdown', '.txt'], except: ['workflows', 'hooks', 'skills'] },
        { folder: '.cline/rules', endings: ['.md', '.markdown', '.txt'] },
      ],
      condition: { ...PATHS, isOffWithoutAny: true },
    },
    { patterns: ['AGENTS.md', '.cursorrules', CURSOR_RULES, '.windsurfrules'] },
  ],
};

/** Every file but those of caches and backups. */
const ROO_FILES = {
  endings: [''],
  exceptEndings: [
    ...['.DS_Store', 'Thumbs.db', '.bak', '.cache', '.crdownload', '.db', '.dmp', '.dump', '.eslintcache', '.lock'],
    ...['.log', '.old', '.part', '.partial', '.pyc', '.pyo', '.stackdump', '.swo', '.swp', '.temp', '.tmp'],
  ],
} as const;
const ROO_RULES: FilePattern = { ...ROO_FILES, folder: '.roo/rules' };
const ONE_MODE = phrase('Only in the mode of the same name');

const ROO_CODE: AgentRules = {
  agent: 'roo-code',
  name: 'Roo Code',
  asOf: 'source of April 2026, 3.52.1',
  sources: [
    'https://github.com/RooCodeInc/Roo-Code/blob/cb836567180a3ff1da6d082f3178b90c3bd22a70/src/core/prompts/sections/custom-instructions.ts',
  ],
  own: ['.roorules', ROO_RULES],
  rules: [
    {
      patterns: [
        { ...ROO_FILES, folder: '.roo/rules-', hasSuffix: 'folder' },
        { folder: '.roorules-', endings: [''], hasSuffix: 'file' },
        { folder: '.clinerules-', endings: [''], hasSuffix: 'file' },
      ],
      onDemand: ONE_MODE,
    },
    { patterns: ['AGENTS.md', 'AGENT.md'], pick: 'firstInFolder' },
    { patterns: ['AGENTS.local.md'] },
    { patterns: [ROO_RULES, '.roorules', '.clinerules'], pick: 'firstInFolder' },
  ],
};

const ZED: AgentRules = {
  agent: 'zed',
  name: 'Zed',
  asOf: 'documents of 2026',
  sources: [
    'https://zed.dev/docs/ai/rules',
    'https://github.com/zed-industries/zed/blob/main/docs/src/ai/instructions.md',
  ],
  mcp: [{ place: '.zed/settings.json', form: 'zed' }],
  own: ['.rules', '.zed/settings.json'],
  rules: [
    {
      patterns: [
        '.rules',
        '.cursorrules',
        '.windsurfrules',
        '.clinerules',
        '.github/copilot-instructions.md',
        'AGENT.md',
        'AGENTS.md',
        'CLAUDE.md',
        'GEMINI.md',
      ],
      pick: 'firstInFolder',
    },
  ],
};

const CONTINUE: AgentRules = {
  agent: 'continue',
  name: 'Continue',
  asOf: 'source of June 2026, extension 1.3.40',
  sources: [
    'https://github.com/continuedev/continue/blob/d0a3c0b626b5bebc3bef4742eec05a0242be0bab/core/config/markdown/loadMarkdownRules.ts',
    'https://github.com/continuedev/continue/blob/d0a3c0b626b5bebc3bef4742eec05a0242be0bab/extensions/cli/src/systemMessage.ts',
  ],
  own: ['.continuerules', { folder: '.continue/rules', endings: ['.md'] }],
  rules: [
    { patterns: ['AGENTS.md'] },
    {
      patterns: ['AGENT.md', 'CLAUDE.md', 'CODEX.md'],
      pick: 'firstInFolder',
      hiddenBy: ['AGENTS.md'],
      onDemand: phrase('Only in its command-line agent'),
    },
    {
      patterns: [{ folder: '.continue/rules', endings: ['.md'] }],
      condition: {
        globs: 'globs',
        withoutGlobs: 'loaded',
        always: { key: 'alwaysApply', value: 'true' },
        askedWithoutGlobs: { key: 'alwaysApply', value: 'false' },
        isAtAnyDepth: true,
      },
    },
    { patterns: ['.continuerules'] },
  ],
};

const KIRO: AgentRules = {
  agent: 'kiro',
  name: 'Kiro',
  asOf: 'documents of 2026; closed source',
  sources: ['https://kiro.dev/docs/steering/', 'https://kiro.dev/docs/mcp/configuration/'],
  own: [{ folder: '.kiro/steering', endings: ['.md'] }, '.kiro/settings/mcp.json'],
  rules: [
    { patterns: ['AGENTS.md'], isDoubtful: true },
    {
      patterns: [{ folder: '.kiro/steering', endings: ['.md'] }],
      condition: {
        globs: 'fileMatchPattern',
        withoutGlobs: 'loaded',
        asked: [
          { key: 'inclusion', value: 'manual' },
          { key: 'inclusion', value: 'auto' },
        ],
      },
      isDoubtful: true,
    },
  ],
};

/** Cursor, Windsurf, Cline, Roo Code, Zed, Continue, Kiro. */
export const EDITOR_AGENTS: readonly AgentRules[] = [CURSOR, WINDSURF, CLINE, ROO_CODE, ZED, CONTINUE, KIRO];
