import { HOOK_AGENT_FACTS, type HookAgent } from './hookAgent';

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
