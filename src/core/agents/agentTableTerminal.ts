/** Rules of agents that work in a terminal. See `agentRules.ts` for what the fields say. */
import { phrase } from '../text/phrase';
import type { AgentRules, Condition, FileLimit } from './agentRules';

/** `paths:` of rules that name the files they are for, relative to the root. */
export const PATHS: Condition = { globs: 'paths', withoutGlobs: 'loaded' };

/** In each folder from the root to the active file's, and in others when the work goes there. */
export const IN_EACH_FOLDER = { place: 'chain', isReadElsewhere: true } as const;

const CLAUDE_NAMES = ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'];

/** Documented as 4 MiB; a larger file is skipped whole. */
const CLAUDE_FILE_LIMIT: FileLimit = {
  bytes: 4 * 1024 * 1024,
  excess: 'skip',
  why: phrase('Files of more than {0} MiB are not read', 4),
};

/** The documents say `25KB`; third parties measured 25,000 bytes. */
const CLAUDE_MEMORY_LIMIT: FileLimit = {
  lines: 200,
  bytes: 25_000,
  excess: 'cut',
  isWithoutComments: true,
  why: phrase('The first {0} lines or {1} KB, whichever comes first', 200, 25),
};

const CODEX: AgentRules = {
  agent: 'codex',
  name: 'Codex',
  asOf: 'source of September 2026, CLI 0.150',
  sources: ['https://developers.openai.com/codex/guides/agents-md', 'https://github.com/openai/codex'],
  mcp: [{ place: '.codex/config.toml', form: 'toml' }],
  hooks: { form: 'codex', local: '.codex/hooks.json', shared: '.codex/hooks.json' },
  skills: ['.agents/skills'],
  transcripts: { reader: 'codex' },
  own: ['AGENTS.override.md', '.codex/config.toml'],
  rules: [
    // The name is chosen by being there: a blank override hides the file beside it.
    { ...IN_EACH_FOLDER, patterns: ['AGENTS.override.md', 'AGENTS.md'], pick: 'firstInFolder', isReadAtStart: true },
  ],
  chainLimit: {
    bytes: 32_768,
    why: phrase('All files of this agent share {0} bytes; files nearer the root come first', 32_768),
  },
};

const CLAUDE_CODE: AgentRules = {
  agent: 'claude-code',
  name: 'Claude Code',
  asOf: 'documents of August 2026, 2.1.277 for AGENTS.md',
  sources: [
    'https://code.claude.com/docs/en/memory',
    'https://github.com/anthropics/claude-code/blob/v2.1.277/mods/agents-md/README.md',
  ],
  mcp: [
    { place: '$ claude mcp add', form: 'shell' },
    { client: 'claude-code-json', place: '.mcp.json', form: 'typed' },
  ],
  // Of these two git ignores the local one by convention.
  hooks: { form: 'claude-code', local: '.claude/settings.local.json', shared: '.claude/settings.json' },
  skills: ['.claude/skills'],
  transcripts: { reader: 'claude-code' },
  own: [...CLAUDE_NAMES, '.claude/settings.json', { folder: '.claude/rules', endings: ['.md'] }],
  rules: [
    { ...IN_EACH_FOLDER, patterns: CLAUDE_NAMES, limit: CLAUDE_FILE_LIMIT },
    {
      ...IN_EACH_FOLDER,
      patterns: ['AGENTS.md', '.claude/AGENTS.md'],
      hiddenBy: CLAUDE_NAMES,
      limit: CLAUDE_FILE_LIMIT,
      why: phrase('Since version {0}, if there is no CLAUDE.md', '2.1.277'),
      isDoubtful: true,
    },
    { patterns: [{ folder: '.claude/rules', endings: ['.md'] }], condition: PATHS },
    {
      // Its own place is outside the folder; `autoMemoryDirectory` moves it here.
      patterns: ['MEMORY.md', 'memory/MEMORY.md'],
      limit: CLAUDE_MEMORY_LIMIT,
      onDemand: phrase('Only if its setting autoMemoryDirectory names this folder'),
      isDoubtful: true,
    },
  ],
  // Recorded with 2.1.330: `See @docs/a.md.` is not followed.
  imports: { depth: 4, start: /^(?:[\p{L}\p{N}._/-]|~\/)/u, missing: 'paths', leavesOff: 'fragment' },
  dropsComments: true,
};

const GEMINI_CLI: AgentRules = {
  agent: 'gemini-cli',
  name: 'Gemini CLI',
  asOf: 'source of August 2026, 0.56.0-nightly',
  sources: [
    'https://github.com/google-gemini/gemini-cli/blob/5411f113cafae26161b4969b0237b8e1e024e2c2/packages/core/src/utils/memoryDiscovery.ts',
    'https://github.com/google-gemini/gemini-cli/blob/5411f113cafae26161b4969b0237b8e1e024e2c2/packages/core/src/utils/memoryImportProcessor.ts',
  ],
  mcp: [{ place: '.gemini/settings.json', form: 'plain' }],
  hooks: { form: 'gemini', local: '.gemini/settings.json', shared: '.gemini/settings.json' },
  rules: [{ ...IN_EACH_FOLDER, patterns: ['GEMINI.md'] }],
  own: ['GEMINI.md', '.gemini/settings.json'],
  imports: { depth: 5, start: /^[./A-Za-z]/, missing: 'all', leavesOff: 'nothing' },
};

const OPENCODE: AgentRules = {
  agent: 'opencode',
  name: 'OpenCode',
  asOf: 'documents and source of 2026',
  sources: [
    'https://opencode.ai/docs/rules/',
    'https://github.com/sst/opencode/blob/dev/packages/opencode/src/session/instruction.ts',
  ],
  mcp: [{ place: 'opencode.json', form: 'opencode' }],
  // Below the folder in which it is started, it attaches the first of each folder on the way to a file that it reads.
  rules: [{ ...IN_EACH_FOLDER, patterns: ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md'], pick: 'firstInFolder' }],
  own: ['opencode.json'],
};

const AIDER: AgentRules = {
  agent: 'aider',
  name: 'Aider',
  asOf: 'source of May 2026, 0.86.3.dev',
  sources: ['https://github.com/Aider-AI/aider/blob/5dc9490bb35f9729ef2c95d00a19ccd30c26339c/aider/args.py'],
  transcripts: { reader: 'aider' },
  own: ['.aider.conf.yml'],
  // It reads no file by itself, only what `--read` or its own config names.
  rules: [],
};

const AMP: AgentRules = {
  agent: 'amp',
  name: 'Amp',
  asOf: 'a description of January 2026 by others; closed source',
  sources: ['https://ampcode.com/docs/customize/agents-md'],
  rules: [
    { ...IN_EACH_FOLDER, patterns: ['AGENTS.md', 'AGENT.md', 'CLAUDE.md'], pick: 'firstInFolder', isDoubtful: true },
  ],
  imports: {
    // Not documented; as far as others go.
    depth: 5,
    start: /^[\p{L}\p{N}._/~-]/u,
    missing: 'paths',
    leavesOff: 'punctuation',
    condition: { globs: 'globs', withoutGlobs: 'loaded', isAtAnyDepth: true },
    isDoubtful: true,
  },
};

const QWEN_CODE: AgentRules = {
  agent: 'qwen-code',
  name: 'Qwen Code',
  asOf: 'a recording of November 2026, 0.15.10',
  sources: ['https://qwenlm.github.io/qwen-code-docs/', 'https://github.com/QwenLM/qwen-code'],
  own: ['QWEN.md', '.qwen/settings.json'],
  // Whether it reads those of other folders than the root is not known.
  rules: [{ patterns: ['QWEN.md', 'AGENTS.md'] }],
};

/** Codex, Claude Code, Gemini CLI, OpenCode, Aider, Amp, Qwen Code. */
export const TERMINAL_AGENTS: readonly AgentRules[] = [
  ...[CODEX, CLAUDE_CODE, GEMINI_CLI, OPENCODE, AIDER, AMP, QWEN_CODE],
];
