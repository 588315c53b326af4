import { OFFERED_AGENTS } from '../../agents/agentTable';

// Which agents' hooks there are and what each lets a hook do. The facts are of Claude Code's hook reference
// (2026-08-22) and of VS Code's (2026-06-03, and the source of its executor).

/** A name that is a contract of the command line. */
export type HookAgent = string;

/** Agents of the table whose hooks call the command line. */
const HOOK_AGENT_FACTS = OFFERED_AGENTS.flatMap(({ agent, name, hooks }) =>
  hooks ? [{ name, ...hooks, id: hooks.agent ?? agent }] : [],
);

export const HOOK_AGENTS: readonly HookAgent[] = HOOK_AGENT_FACTS.map(({ id }) => id);

/** Events that are answered, by the name both agents give them. */
export const HOOK_EVENTS = ['SessionStart', 'PreCompact'] as const;

export type HookEventName = (typeof HOOK_EVENTS)[number];

/** As people know it; product names are not translated. */
export function hookAgentName(agent: HookAgent): string {
  return HOOK_AGENT_FACTS.find(({ id }) => id === agent)?.name ?? agent;
}

/** True for an agent whose hooks work as those of Claude Code do. */
export function isClaudeHook(agent: HookAgent): boolean {
  return HOOK_AGENT_FACTS.some(({ id, form }) => id === agent && form === 'claude-code');
}

/**
 * UTF-16 code units of context that one answer may add. Claude Code puts a longer string into a file and shows the agent
 * a preview. VS Code documents no cap; the same holds there, since a session's start is no place for more.
 */
export const MAX_CONTEXT_CHARS = 10_000;

/** Seconds after which the agents end a hook, as the installed hooks ask for; VS Code's own default. */
export const HOOK_TIMEOUT_SECONDS = 30;

/**
 * Milliseconds after which a hook stops indexing and serves what is known, and those that the files under way then have
 * to end: an answer within 2 seconds, though a large folder is indexed for the first time.
 */
export const HOOK_PATIENCE_MS = 1_400;
export const HOOK_GRACE_MS = 300;

/** Milliseconds after which a hook gives up by itself, before its agent kills it. */
export const HOOK_DEADLINE_MS = 20_000;

/** Who shares a settings file: one machine, or everybody who has the project. */
export type HookScope = 'local' | 'shared';

/** A settings file that hooks can be installed in. */
export interface HookTarget {
  readonly agent: HookAgent;
  readonly scope: HookScope;
  /** Workspace-relative. */
  readonly path: string;
}

/** Every file there is to install in, the ones that work at once first. */
export const HOOK_TARGETS: readonly HookTarget[] = HOOK_AGENT_FACTS.flatMap(({ id, local, shared }): HookTarget[] => [
  { agent: id, scope: 'local', path: local },
  { agent: id, scope: 'shared', path: shared },
]);
