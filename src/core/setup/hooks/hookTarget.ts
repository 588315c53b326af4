import type { HookAgent } from './hookAgent';

/** Who shares a settings file: one machine, or everybody who has the project. */
export type HookScope = 'local' | 'shared';

/** A settings file that hooks can be installed in. */
export interface HookTarget {
  readonly agent: HookAgent;
  readonly scope: HookScope;
  /** Workspace-relative. */
  readonly path: string;
}

/**
 * Every file there is to install in, the ones that work at once first. VS Code reads any `.json` of its folder, so
 * that ours can be files of our own; of Claude Code's two, git ignores the local one by convention.
 */
export const HOOK_TARGETS: readonly HookTarget[] = [
  { agent: 'claude-code', scope: 'local', path: '.claude/settings.local.json' },
  { agent: 'claude-code', scope: 'shared', path: '.claude/settings.json' },
  { agent: 'vscode', scope: 'local', path: '.github/hooks/context-budget.local.json' },
  { agent: 'vscode', scope: 'shared', path: '.github/hooks/context-budget.json' },
];
