/**
 * The table of agents: for each its rules, in the order of `AGENT_IDS`. It covers what lies in the workspace folder and
 * local interactive use; files of the user's own home, of an organisation and of settings pages are not seen from here.
 */
import { AGENT_IDS, type AgentId } from '../model/agent';
import { phrase } from '../text/phrase';
import type { AgentRules, Condition, FileLimit, FilePattern } from './agentRules';
import { EDITOR_AGENTS } from './agentTableEditors';
import { IN_EACH_FOLDER, PATHS, TERMINAL_AGENTS } from './agentTableTerminal';

// Rules of GitHub Copilot, which reads other files in each of its places. See `agentRules.ts` for the fields.

const REPOSITORY_WIDE = '.github/copilot-instructions.md';
const PATH_SPECIFIC = { folder: '.github/instructions', endings: ['.instructions.md'] } as const satisfies FilePattern;

const APPLY_TO: Condition = { globs: 'applyTo', withoutGlobs: 'onDemand', isAtAnyDepth: true, ignoresCase: true };

/** One page of the documents says so; another lost the sentence in February 2026. */
const REVIEW_LIMIT: FileLimit = {
  characters: 4000,
  excess: 'cut',
  why: phrase('The first {0} characters of a file', 4000),
  isDoubtful: true,
};

const COPILOT_VSCODE: AgentRules = {
  agent: 'copilot-vscode',
  name: 'Copilot in VS Code',
  asOf: 'documents of July 2026, source of March 2026',
  sources: [
    'https://code.visualstudio.com/docs/copilot/customization/custom-instructions',
    'https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/chat/common/promptSyntax/computeAutomaticInstructions.ts',
  ],
  // Linked files are followed only with chat.includeReferencedInstructions.
  product: 'VS Code',
  mcp: [{ client: 'vscode', place: '.vscode/mcp.json', form: 'servers' }],
  // Both read any `.json` of that folder, so that ours can be files of our own.
  hooks: {
    agent: 'vscode',
    alsoOf: ['copilot-cli'],
    name: 'VS Code and Copilot CLI',
    form: 'vscode',
    local: '.github/hooks/context-budget.local.json',
    shared: '.github/hooks/context-budget.json',
  },
  skills: ['.claude/skills', '.agents/skills', '.github/skills'],
  transcripts: { reader: 'copilot-chat', name: 'Copilot Chat' },
  own: [REPOSITORY_WIDE, { ...PATH_SPECIFIC, endings: ['.md'] }],
  rules: [
    { patterns: [REPOSITORY_WIDE] },
    {
      patterns: ['AGENTS.md'],
      isReadElsewhere: true,
      elsewhere: phrase('Perhaps only its path is listed; the agent can open it'),
    },
    { patterns: ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'] },
    { patterns: [PATH_SPECIFIC], condition: APPLY_TO },
    { patterns: [{ folder: '.claude/rules', endings: ['.md'] }], condition: PATHS },
  ],
  dropsCopies: true,
};

const COPILOT_CLOUD_AGENT: AgentRules = {
  agent: 'copilot-cloud-agent',
  name: 'Copilot cloud agent',
  asOf: 'documents of 2026',
  sources: [
    'https://docs.github.com/en/copilot/reference/custom-instructions-support',
    'https://github.com/github/docs/blob/3bc6b7bd4c/data/reusables/copilot/custom-instructions-agents.md',
  ],
  product: 'Copilot',
  skills: ['.github/skills'],
  rules: [
    { patterns: [REPOSITORY_WIDE] },
    { patterns: [PATH_SPECIFIC], condition: { ...APPLY_TO, never: { key: 'excludeAgent', value: 'coding-agent' } } },
    // Whether the outer ones are read too, and only give way where they differ, is not said.
    { ...IN_EACH_FOLDER, patterns: ['AGENTS.md'], pick: 'nearest', isDoubtful: true },
    { patterns: ['CLAUDE.md', 'GEMINI.md'], pick: 'firstInFolder', hiddenBy: ['AGENTS.md'], isDoubtful: true },
  ],
};

const COPILOT_CODE_REVIEW: AgentRules = {
  agent: 'copilot-code-review',
  name: 'Copilot code review',
  asOf: 'documents of 2026',
  sources: [
    'https://docs.github.com/en/copilot/tutorials/customize-code-review',
    'https://github.com/github/docs/blob/49d983765e/data/reusables/copilot/code-review/custom-instructions-limit.md',
  ],
  rules: [
    { patterns: [REPOSITORY_WIDE], limit: REVIEW_LIMIT },
    {
      patterns: [PATH_SPECIFIC],
      condition: { ...APPLY_TO, never: { key: 'excludeAgent', value: 'code-review' } },
      limit: REVIEW_LIMIT,
    },
    { patterns: ['AGENTS.md'], limit: REVIEW_LIMIT, isDoubtful: true },
  ],
};

const COPILOT_CLI: AgentRules = {
  agent: 'copilot-cli',
  name: 'Copilot CLI',
  asOf: 'a recording of November 2026, 1.0.102',
  sources: [
    'https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-custom-instructions',
    'https://github.com/github/copilot-cli/blob/main/changelog.md',
  ],
  skills: ['.github/skills', '.agents/skills', '.claude/skills'],
  // Whether it reads those of other folders than the root is not known.
  rules: [
    { patterns: [REPOSITORY_WIDE] },
    { patterns: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] },
    { patterns: [PATH_SPECIFIC], condition: APPLY_TO },
    { patterns: [{ folder: '.claude/rules', endings: ['.md'] }], condition: PATHS },
  ],
  // Recorded: `See @docs/style.md.` is followed, seven hops deep; how far it goes on is not known.
  imports: {
    depth: 10,
    start: /^[\p{L}\p{N}._/-]/u,
    missing: 'paths',
    leavesOff: 'punctuation',
    isPerFile: true,
    notIn: ['GEMINI.md'],
  },
  dropsCopies: true,
};

/** Rules of every agent, in the order of `AGENT_IDS`. */
export const AGENT_TABLE: readonly AgentRules[] = [
  ...TERMINAL_AGENTS,
  ...[COPILOT_VSCODE, COPILOT_CLOUD_AGENT, COPILOT_CODE_REVIEW, COPILOT_CLI],
  ...EDITOR_AGENTS,
].sort((a, b) => AGENT_IDS.indexOf(a.agent) - AGENT_IDS.indexOf(b.agent));

/** Those that most people have, in the order in which things are offered; the others follow in the table's order. */
const OFFERED_FIRST: readonly AgentId[] = [
  'claude-code',
  'codex',
  'cursor',
  'copilot-vscode',
  'windsurf',
  'cline',
  'zed',
  'gemini-cli',
  'opencode',
];

/** The table in the order in which people are offered what can be set up. */
export const OFFERED_AGENTS: readonly AgentRules[] = [
  ...OFFERED_FIRST.flatMap((id) => AGENT_TABLE.filter(({ agent }) => agent === id)),
  ...AGENT_TABLE.filter(({ agent }) => !OFFERED_FIRST.includes(agent)),
];

/** An agent's display name. */
export function agentName(agent: AgentId): string {
  return AGENT_TABLE.find((rules) => rules.agent === agent)?.name ?? agent;
}
