import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type HookAgent, isClaudeHook } from '../../core/setup/hooks/hookAgent';
import type { HookEvent } from '../../core/setup/hooks/hookEvent';
import type { CliContext } from '../context';

/** Claude Code names the project's folder there; its `cwd` is where the agent is at the moment. */
const CLAUDE_ROOT = 'CLAUDE_PROJECT_DIR';

/** The folder that a hook works on: `--root`, else what the agent says, else the current one. */
export async function hookRoot({ io, options }: CliContext, agent: HookAgent, event: HookEvent): Promise<string> {
  if (options.root !== undefined) return options.root;
  const told = [isClaudeHook(agent) ? io.env[CLAUDE_ROOT] : undefined, event.cwd];
  for (const folder of told) {
    if (folder !== undefined && path.isAbsolute(folder) && (await isFolder(folder))) return folder;
  }
  return io.cwd;
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    // Gone or out of reach: the next one is tried.
    return false;
  }
}
