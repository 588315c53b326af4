import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as z from 'zod/mini';
import { type Disposable, type Logger, NEVER_ABORTED } from '../core/ports/ports';
import { isRecord, ownValue } from '../core/text/jsonRecord';
import { Limiter } from '../core/text/limiter';
import { unknownName, withoutPlaces } from '../core/tools/rows';
import { runTool } from '../core/tools/runTool';
import { ToolError, type ToolHost } from '../core/tools/tool';
import { findTool, listTools, unknownTool } from '../core/tools/toolCatalog';
import type { McpServeOptions } from '../node/mcpModule';
import { type Extra, RPC, RpcError, toRpcError, unlessCancelled, withProgress } from './request';
import { resourcesList, resourcesRead, resourceTemplates } from './resourceRequests';
import { ServedFolder } from './servedFolder';

/** A task longer than this is a file. UTF-16 code units. */
const MAX_TASK_CHARS = 20_000;

const PROMPTS = [
  {
    name: 'context_for_task',
    title: 'Context for a task',
    description: 'The map and the index for a task, within the profile’s limits.',
    arguments: [{ name: 'task', description: 'issue, error or question', required: true }],
  },
  {
    name: 'relay_observer',
    title: 'Relay observer',
    description: 'What a relay window must never lose: goal, constraints, latest instruction, blockers, who acts next.',
    arguments: [],
  },
];

function taskOf(params: unknown): string {
  const given = isRecord(params) && isRecord(params.arguments) ? ownValue(params.arguments, 'task') : undefined;
  const task = typeof given === 'string' ? given.trim() : '';
  if (task !== '' && task.length <= MAX_TASK_CHARS) return task;
  throw new RpcError(RPC.invalidParams, `The argument task must be a string of 1 to ${MAX_TASK_CHARS} characters.`);
}

async function textOf(name: string, input: object, host: ToolHost, extra: Extra): Promise<string> {
  return (await runTool(name, input, host, { signal: extra.signal })) ?? '';
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
  await host.workspace.whenReady(NEVER_ABORTED);
  if (!host.workspace.snapshot.relay)
    throw new RpcError(
      RPC.invalidParams,
      'This folder has no relay log and no ledger (relay.path and relay.ledger of the config).',
    );
  const relay = await textOf('context_detail', { handles: ['section:relay'] }, host, extra);
  return [
    'You are a relay observer: you observe and forward, you do not act. Never say that something is complete unless the ledger says so.',
    relay,
    'Answer in at most ten lines: goal, constraints, latest instruction, blockers, who acts next. Name what is missing.',
  ].join('\n');
}

/** The text of a prompt, as one message of the user. */
async function promptsGet(folder: ServedFolder, params: unknown, extra: Extra) {
  const name = isRecord(params) ? params.name : undefined;
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt)
    throw new RpcError(
      RPC.invalidParams,
      unknownName(
        'prompt',
        name,
        PROMPTS.map((each) => each.name),
      ),
    );
  const task = prompt.name === 'context_for_task' ? taskOf(params) : undefined;
  const host = await folder.fresh();
  const make = () => (task === undefined ? relayObserver(host, extra) : contextForTask(host, task, extra));
  const text = await withProgress(extra, host.workspace, make);
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}

/** Runs a tool. What the tool itself refuses is an answer with `isError`, so that the model reads it and can correct its request. */
async function toolsCall(folder: ServedFolder, logger: Logger, params: unknown, extra: Extra) {
  const name = isRecord(params) ? params.name : undefined;
  const input = isRecord(params) ? params.arguments : undefined;
  if (typeof name !== 'string' || !findTool(name)) throw new RpcError(RPC.invalidParams, unknownTool(name));
  const host = await folder.fresh();
  try {
    const call = { signal: extra.signal };
    const answer = await withProgress(extra, host.workspace, () => runTool(name, input, host, call));
    if (answer === undefined) throw new RpcError(RPC.internal, 'The request was cancelled.');
    return { content: [{ type: 'text' as const, text: answer }] };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    if (error.cause !== undefined) logger.error(error.message, error.cause);
    return { isError: true, content: [{ type: 'text' as const, text: error.message }] };
  }
}

/** Requests at work at once; the others wait their turn, so that a flood costs memory for questions, not for answers. */
const AT_WORK = 8;

/** Requests that may wait. */
const MAX_WAITING = 1000;

const INSTRUCTIONS =
  'For a task in the code: context_search of a name or message that it quotes, or of a file and a word of its line ' +
  '("sftp.go chmod"); else repo_map with the task; then ' +
  'context_detail of the handles you need, then your own Read of the lines that you will edit. Go on with the callers, ' +
  'types and namesakes that answers name until you have seen all that must change. For what is known here: context_index, context_timeline around an event, context_detail. ' +
  'Cheaper than grep and whole files.';

const NO_FORMS = { valid: false as const, data: undefined, errorMessage: 'This server asks for no forms.' };

type Handler = (params: unknown, extra: Extra) => object | Promise<object>;

/** Protocol requests over one folder. */
export class ContextServer implements Disposable {
  readonly server: Server;
  readonly #logger: Logger;
  readonly #folder: ServedFolder;
  readonly #limiter = new Limiter(AT_WORK);
  #open = 0;
  #idle: (() => void)[] = [];

  constructor(options: McpServeOptions) {
    this.#logger = options.logger;
    this.server = new Server(
      { name: 'context-budget', title: 'Context Budget', version: options.version },
      {
        capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
        instructions: INSTRUCTIONS,
        // This server asks for no forms, and the SDK's own validator would take half of the bundle.
        jsonSchemaValidator: { getValidator: () => () => NO_FORMS },
      },
    );
    this.#folder = new ServedFolder({ ...options, logger: this.#clientLogger(options.logger) });
    const folder = this.#folder;
    const handlers: Readonly<Record<string, Handler>> = {
      'tools/list': () => ({ tools: listTools() }),
      'tools/call': (params, extra) => toolsCall(folder, this.#logger, params, extra),
      'prompts/list': () => ({ prompts: PROMPTS }),
      'prompts/get': (params, extra) => promptsGet(folder, params, extra),
      'resources/list': () => resourcesList(folder.report),
      'resources/templates/list': resourceTemplates,
      'resources/read': (params, extra) => resourcesRead(folder, params, extra),
    };
    for (const [method, handler] of Object.entries(handlers)) this.#handle(method, handler);
  }

  /** Resolves when no request is under way. */
  settled(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  dispose(): void {
    this.#folder.dispose();
  }

  /** Handlers check their params themselves: the errors are then in our words. */
  #handle(method: string, handler: Handler): void {
    const request = z.looseObject({ method: z.literal(method), params: z.optional(z.any()) });
    this.server.setRequestHandler(request, async ({ params }, extra) => {
      if (this.#open >= MAX_WAITING) throw new RpcError(RPC.internal, 'Too many requests wait: ask again later.');
      this.#open++;
      try {
        // A cancelled request leaves the queue's place to the next when its turn comes.
        const work = this.#limiter.run(async () => (extra.signal.aborted ? {} : handler(params, extra)));
        return { ...(await unlessCancelled(extra, work)) };
      } catch (error) {
        throw toRpcError(error, this.#logger);
      } finally {
        this.#open--;
        if (this.#open === 0) this.#rest();
      }
    });
  }

  #rest(): void {
    for (const wake of this.#idle.splice(0)) wake();
    if (this.#folder.isOpen) this.#folder.collectRest();
  }

  /** Warnings and errors of the folder go to the client as well, without the paths of this machine that a cause brings in. */
  #clientLogger(logger: Logger): Logger {
    const tell = (level: 'warning' | 'error', message: string): void => {
      const data = withoutPlaces(message);
      // A client that is gone, or has not begun, is told nothing.
      this.server
        .sendLoggingMessage({ level, logger: 'context-budget', data })
        .catch((error: unknown) => logger.debug(`A notification was not sent: ${String(error)}`));
    };
    return {
      debug: (message) => logger.debug(message),
      info: (message) => logger.info(message),
      warn: (message) => {
        logger.warn(message);
        tell('warning', message);
      },
      error: (message, cause) => {
        logger.error(message, cause);
        // The cause may name paths of this machine: it stays in the log.
        tell('error', message);
      },
    };
  }
}
