/**
 * Whether what was connected works: the server answers, the hook's line gives its agent a context, the skill can be
 * read. Programs run for it only where the folder is trusted, which callers see to. No file is written.
 */
import { readFrontmatter } from '../../core/agents/frontmatter';
import type { Disposable, ProcessOutcome, ProcessRunner } from '../../core/ports/ports';
import { addedContext, answeredTools, serverQuestions, sessionStartEvent } from '../../core/setup/connections';
import type { HookAgent } from '../../core/setup/hooks/hookTarget';

/** What a host that runs on a machine of the user's gives for agents. */
export interface AgentHost {
  /** The user's home folder, absolute. */
  readonly home: string;
  /** How a line is run by the shell that agents use. */
  shellCall(line: string): readonly [string, ...string[]];
  /** Runs programs in a folder, with the user's environment. */
  openProcesses(root: string): ProcessRunner & Disposable;
}

/** What a check found; `text` is what the agent is given, so that its tokens can be counted. */
export type CheckResult =
  | { readonly isWorking: true; readonly text: string; readonly tools: number }
  | { readonly isWorking: false; readonly why: CheckFailure };

/** `program`: it could not be started. `late`: no answer in time. `answer`: it ended with another answer. */
export type CheckFailure =
  | { readonly kind: 'program'; readonly name: string }
  | { readonly kind: 'late'; readonly seconds: number }
  | { readonly kind: 'answer'; readonly exitCode: number | undefined; readonly said: string };

/** A hook gives up after 20 seconds by itself. */
const PATIENCE_MS = 30_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_SAID = 200;

function failure(name: string, outcome: ProcessOutcome): CheckResult | undefined {
  if (outcome.kind === 'cancelled') return undefined;
  if (outcome.kind === 'notStarted') return { isWorking: false, why: { kind: 'program', name } };
  if (outcome.kind === 'timedOut') return { isWorking: false, why: { kind: 'late', seconds: PATIENCE_MS / 1000 } };
  const said = outcome.stderr.trim().split('\n').at(-1)?.trim() ?? '';
  return { isWorking: false, why: { kind: 'answer', exitCode: outcome.exitCode, said: said.slice(0, MAX_SAID) } };
}

async function run(
  processes: ProcessRunner,
  argv: readonly [string, ...string[]],
  input: string,
  signal: AbortSignal,
): Promise<ProcessOutcome> {
  const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  return processes.run({ argv, input, ...limits }, signal);
}

/** Starts the server by the command that was written, and asks for its tools; undefined when it is cancelled. */
export async function checkServer(
  processes: ProcessRunner,
  argv: readonly [string, ...string[]],
  version: string,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const outcome = await run(processes, argv, serverQuestions(version), signal);
  const tools = answeredTools(outcome.stdout);
  if (!tools || tools.length === 0) return failure(argv[0], outcome);
  return { isWorking: true, text: JSON.stringify(tools), tools: tools.length };
}

/** Runs the hook's line with the start of a session on stdin, as its agent does; undefined when it is cancelled. */
export async function checkHook(
  processes: ProcessRunner,
  argv: readonly [string, ...string[]],
  { agent, root }: { readonly agent: HookAgent; readonly root: string },
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const outcome = await run(processes, argv, sessionStartEvent(agent, root), signal);
  const text = outcome.exitCode === 0 ? addedContext(agent, outcome.stdout) : undefined;
  if (text === undefined) return failure(argv[0], outcome);
  return { isWorking: true, text, tools: 0 };
}

/** What an agent is told of a skill in every session: its name and description. */
export function skillListing(text: string): string {
  const { values } = readFrontmatter(text);
  return ['name', 'description'].flatMap((key) => values.get(key) ?? []).join(': ');
}
