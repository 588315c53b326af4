/** What agents read and cut, as a host sends it. */
import { phrase } from './phrase.mjs';

export function covered(path, fate, lines, bytes, patch = {}) {
  return {
    path,
    fate,
    bytes,
    lines,
    bytesLost: fate === 'loaded' || fate === 'onDemand' ? 0 : bytes,
    cutLine: undefined,
    importedBy: undefined,
    why: undefined,
    isDoubtful: false,
    ...patch,
  };
}

export const agentOf = (agent, name, ...files) => ({ agent, name, files, bytesLoaded: 0, bytesLost: 0 });

// The design's mock (three cut, one shadowed, one whole, one without a file), and what it does not draw: several files
// of one agent, an import, files that are read on demand, a rule that is not certain.
export const AGENTS = [
  agentOf(
    'codex',
    'Codex',
    covered('AGENTS.md', 'loaded', 112, 4548),
    covered('packages/auth/AGENTS.md', 'truncated', 421, 29_880, {
      bytesLost: 1660,
      cutLine: 402,
      why: phrase('All files of this agent share {0} bytes; files nearer the root come first', 32_768),
    }),
  ),
  agentOf(
    'claude-code',
    'Claude Code',
    covered('CLAUDE.md', 'loaded', 40, 1612),
    covered('docs/style.md', 'loaded', 18, 911, { importedBy: 'CLAUDE.md' }),
    covered('memory/MEMORY.md', 'truncated', 248, 11_320, {
      bytesLost: 2190,
      cutLine: 200,
      why: phrase('The first {0} lines or {1} KB, whichever comes first', 200, 25),
    }),
  ),
  agentOf(
    'copilot-code-review',
    'Copilot code review',
    covered('.github/copilot-instructions.md', 'truncated', 83, 4612, {
      bytesLost: 612,
      cutLine: 71,
      why: phrase('The first {0} characters of a file', 4000),
    }),
  ),
  agentOf(
    'cursor',
    'Cursor',
    covered('.cursor/rules/tests.mdc', 'onDemand', 22, 840, {
      why: phrase('Only for files that match {0}', '**/*.test.ts'),
    }),
    covered('.cursorrules', 'shadowed', 31, 1204, {
      why: phrase('{0} takes precedence', '.cursor/rules/tests.mdc'),
      isDoubtful: true,
    }),
  ),
  {
    ...agentOf('copilot-vscode', 'Copilot Chat', covered('AGENTS.md', 'loaded', 112, 4548)),
    unreadImports: [{ path: 'AGENTS.md', line: 12, target: 'docs/gone.md', reason: 'missing' }],
  },
  agentOf('zed', 'Zed', covered('docs/rules.md', 'onDemand', 9, 300)),
  agentOf('gemini-cli', 'Gemini CLI'),
  agentOf('windsurf', 'Windsurf'),
];
