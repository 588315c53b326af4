import { NEVER_ABORTED } from '../core/ports/ports';
import { isRecord, ownValue } from '../core/text/jsonRecord';
import { runTool } from '../core/tools/runTool';
import type { ToolHost } from '../core/tools/tool';
import { ToolError } from '../core/tools/toolError';
import { type Extra, withProgress } from './request';
import { RPC, RpcError } from './rpcError';
import type { ServedFolder } from './servedFolder';

/** A task longer than this is a file. UTF-16 code units. */
const MAX_TASK_CHARS = 20_000;

const PROMPTS = [
  {
    name: 'context_for_task',
    title: 'Context for a task',
    description: 'The map and the index for a task, within the profile’s caps.',
    arguments: [{ name: 'task', description: 'issue, error or question', required: true }],
  },
  {
    name: 'relay_observer',
    title: 'Relay observer',
    description: 'What a relay window must never lose: goal, constraints, latest instruction, blockers, who acts next.',
    arguments: [],
  },
];

/** All prompts. */
export function promptsList() {
  return { prompts: PROMPTS };
}

function taskOf(params: unknown): string {
  const given = isRecord(params) && isRecord(params.arguments) ? ownValue(params.arguments, 'task') : undefined;
  const task = typeof given === 'string' ? given.trim() : '';
  if (task !== '' && task.length <= MAX_TASK_CHARS) return task;
  throw new RpcError(RPC.invalidParams, `The argument task must be a text of 1 to ${MAX_TASK_CHARS} characters.`);
}

async function textOf(name: string, input: object, host: ToolHost, extra: Extra): Promise<string> {
  const call = { forms: 'text', signal: extra.signal } as const;
  return (await runTool(name, input, host, call))?.text ?? '';
}

async function contextForTask(host: ToolHost, task: string, extra: Extra): Promise<string> {
  const map = await textOf('repo_map', { query: task }, host, extra);
  const index = await textOf('context_index', {}, host, extra);
  return [
    `Task:\n${task}\n`,
    `Where in the code it may belong, best first (line number, signature):\n${map}`,
    `What else is known here, a row each:\n${index}`,
    'Ask context_detail for the text behind a handle, sym:PATH:NAME or file:PATH#L10-L40 before you open whole files.',
  ].join('\n');
}

async function relayObserver(host: ToolHost, extra: Extra): Promise<string> {
  // The relay's own state decides whether there is a section to ask for.
  await host.session.whenReady(NEVER_ABORTED);
  if (!host.session.snapshot.relay) throw new ToolError('unavailable', 'This folder has no relay log and no ledger.');
  const relay = await textOf('context_detail', { handles: ['section:relay'] }, host, extra);
  return [
    'You are a relay observer: you observe and forward, you do not act. Never say that something is complete unless the ledger says so.',
    relay,
    'Answer in at most ten lines: goal, constraints, latest instruction, blockers, who acts next. Name what is missing.',
  ].join('\n');
}

/** The text of a prompt, as one message of the user. */
export async function promptsGet(folder: ServedFolder, params: unknown, extra: Extra) {
  const name = isRecord(params) ? params.name : undefined;
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt) throw new RpcError(RPC.invalidParams, 'There is no such prompt.');
  const task = prompt.name === 'context_for_task' ? taskOf(params) : undefined;
  const host = await folder.fresh();
  const make = () => (task === undefined ? relayObserver(host, extra) : contextForTask(host, task, extra));
  const text = await withProgress(extra, host.session, make);
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}
