import path from 'node:path';
import { HOST } from '../platform';

/** Where agents keep their sessions. All absolute; none need exist. */
export interface AgentFolders {
  /** Folders that hold Claude Code's `projects`. */
  readonly claude: readonly string[];
  /** Codex' home. */
  readonly codex: string;
  readonly home: string;
}

/**
 * The agents' own rules: `CLAUDE_CONFIG_DIR`, else `~/.claude` and, of later versions, the XDG config folder;
 * `CODEX_HOME`, else `~/.codex`. The same on Windows, below the profile. Relative overrides are ignored: they would
 * point into the workspace.
 */
export function agentFolders(env: NodeJS.ProcessEnv, home: string): AgentFolders {
  const own = HOST.fullPath(env.CLAUDE_CONFIG_DIR);
  const xdg = HOST.fullPath(env.XDG_CONFIG_HOME) ?? path.join(home, '.config');
  return {
    claude: own === undefined ? [path.join(home, '.claude'), path.join(xdg, 'claude')] : [own],
    codex: HOST.fullPath(env.CODEX_HOME) ?? path.join(home, '.codex'),
    home,
  };
}
