import type { HookForm } from '../../agents/agentRules';
import { OFFERED_AGENTS } from '../../agents/agentTable';

// Which agents' hooks there are and what each lets a hook do. The facts are of Claude Code's hook reference
// (2026-08-22), of VS Code's (2026-06-03, and the source of its executor), and of runs of the clients themselves
// against a model server that kept what it got (2026-11-23): Codex 0.169.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102.

/** A name that is a contract of the command line. */
export type HookAgent = string;

/** Agents of the table whose hooks call the command line. */
const HOOK_AGENT_FACTS = OFFERED_AGENTS.flatMap(({ agent, name, hooks }) =>
  hooks ? [{ name, ...hooks, id: hooks.agent ?? agent, names: [agent, ...(hooks.alsoOf ?? [])] }] : [],
);

export const HOOK_AGENTS: readonly HookAgent[] = HOOK_AGENT_FACTS.map(({ id }) => id);

/** By every name that the command line takes: its own, and the ids of the agents that run its hooks. */
const AGENTS_BY_NAME: ReadonlyMap<string, HookAgent> = new Map(
  HOOK_AGENT_FACTS.flatMap(({ id, names }) => [id, ...names].map((name) => [name, id])),
);

export const HOOK_AGENT_NAMES: readonly string[] = [...AGENTS_BY_NAME.keys()];

/** The agent whose hooks are meant; undefined for a name that is none. */
export function hookAgentNamed(name: string): HookAgent | undefined {
  return AGENTS_BY_NAME.get(name);
}

/** Events that are answered, by the name both agents give them. */
export const HOOK_EVENTS = ['SessionStart', 'PreCompact'] as const;

export type HookEventName = (typeof HOOK_EVENTS)[number];

/** As people know it; product names are not translated. */
export function hookAgentName(agent: HookAgent): string {
  return HOOK_AGENT_FACTS.find(({ id }) => id === agent)?.name ?? agent;
}

/** How an agent's settings name a hook, and what it takes of the answer. */
interface HookFormFacts {
  /** Events that are installed: without a start after a compaction nothing kept at one is ever asked for. */
  readonly events: readonly HookEventName[];
  /** An entry is a group of commands, or one command that is told its folder. */
  readonly isGrouped: boolean;
  /**
   * Of SessionStart: starts of a session whose transcript does not hold an index already. Resumed and forked ones do,
   * and a second copy would cost as much as the first. Absent where no entry can say so: then the hook is silent there.
   */
  readonly matcher?: string;
  /** In which its settings give a hook's time. */
  readonly timeUnit: 'seconds' | 'milliseconds';
  /** Plain text on stdout is added. The other agents show it to the user or drop it: they get JSON. */
  readonly takesText?: true;
  /** Environment variable of a hook that holds the project's folder; the event's `cwd` is where the agent is now. */
  readonly rootVariable?: string;
  /** What a person types in the agent to let new hooks run; without that it skips them and says nothing. */
  readonly trustCommand?: string;
  /** What a hook does that Copilot CLI runs, which reads the files of both: one of them answers. */
  readonly inCopilotCli?: 'answer' | 'silence';
}

/** Copilot CLI sets it for a hook, not for the programs that its tools start, such as another agent. */
const COPILOT_CLI_VARIABLE = 'COPILOT_PROJECT_DIR';

const FORMS: Readonly<Record<HookForm, HookFormFacts>> = {
  'claude-code': {
    events: HOOK_EVENTS,
    isGrouped: true,
    matcher: 'startup|clear|compact',
    timeUnit: 'seconds',
    takesText: true,
    rootVariable: 'CLAUDE_PROJECT_DIR',
    inCopilotCli: 'silence',
  },
  codex: {
    events: HOOK_EVENTS,
    isGrouped: true,
    matcher: 'startup|clear|compact',
    timeUnit: 'seconds',
    trustCommand: '/hooks',
  },
  // A matcher is compared as a whole. Nothing starts after a compression.
  gemini: { events: ['SessionStart'], isGrouped: true, timeUnit: 'milliseconds', rootVariable: 'GEMINI_PROJECT_DIR' },
  vscode: {
    events: HOOK_EVENTS,
    isGrouped: false,
    timeUnit: 'seconds',
    rootVariable: COPILOT_CLI_VARIABLE,
    inCopilotCli: 'answer',
  },
};

/** What holds for an agent's hooks; `agent` is one of `HOOK_AGENTS`. */
export function hookForm(agent: HookAgent): HookFormFacts {
  const form = HOOK_AGENT_FACTS.find(({ id }) => id === agent)?.form;
  if (form === undefined) throw new Error(`no agent ${agent}`);
  return FORMS[form];
}

/** True for an agent whose hooks work as those of Claude Code do. */
export function isClaudeHook(agent: HookAgent): boolean {
  return HOOK_AGENT_FACTS.some(({ id, form }) => id === agent && form === 'claude-code');
}

/** Form in which a hook installed for `agent` answers the agent that runs it, by its environment. */
export function hookAnswerForm(
  agent: HookAgent,
  env: Readonly<Record<string, string | undefined>>,
): 'own' | 'copilot-cli' | 'silence' {
  const { inCopilotCli } = hookForm(agent);
  if (inCopilotCli === undefined || env[COPILOT_CLI_VARIABLE] === undefined) return 'own';
  return inCopilotCli === 'answer' ? 'copilot-cli' : 'silence';
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

/**
 * A folder of so few files is indexed in less than a second, unless the machine is busy: it is waited for so many
 * milliseconds more, since a start without a map costs the agent more than the wait.
 */
export const HOOK_FEW = { files: 100, patienceMs: 8_000 } as const;

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

/** Every file there is to install in, the ones that work at once first; a file of both scopes is there twice. */
export const HOOK_TARGETS: readonly HookTarget[] = HOOK_AGENT_FACTS.flatMap(({ id, local, shared }): HookTarget[] => [
  { agent: id, scope: 'local', path: local },
  { agent: id, scope: 'shared', path: shared },
]);

/** The same without a second entry of one file: what there is to look into and to take our hooks out of. */
export const HOOK_FILES: readonly HookTarget[] = HOOK_TARGETS.filter(
  ({ path }, index) => HOOK_TARGETS.findIndex((each) => each.path === path) === index,
);
