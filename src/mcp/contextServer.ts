import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as z from 'zod/mini';
import type { Disposable, Logger } from '../core/ports/ports';
import { Limiter } from '../core/text/limiter';
import { withoutPlaces } from '../core/tools/withoutPlaces';
import type { McpServeOptions } from '../node/mcpModule';
import { promptsGet, promptsList } from './promptRequests';
import { type Extra, toRpcError, unlessCancelled } from './request';
import { resourcesList, resourcesRead, resourceTemplates } from './resourceRequests';
import { RPC, RpcError } from './rpcError';
import { ServedFolder } from './servedFolder';
import { toolsCall, toolsList } from './toolRequests';

/** Requests at work at once; the others wait their turn, so that a flood costs memory for questions, not for answers. */
const AT_WORK = 8;

/** Requests that may wait. */
const MAX_WAITING = 1000;

const INSTRUCTIONS =
  'Start with context_index (rows with handles) or, for a task in the code, repo_map; then context_timeline around an ' +
  'event and context_detail for the texts you need. Cheaper than opening whole files.';

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
        capabilities: {
          tools: {},
          prompts: {},
          resources: {},
          logging: {},
        },
        instructions: INSTRUCTIONS,
        // Nobody is ever asked to fill a form here; the SDK's own validator would take half of the bundle.
        jsonSchemaValidator: { getValidator: () => () => noForms() },
      },
    );
    this.#folder = new ServedFolder({ ...options, logger: this.#clientLogger(options.logger) });
    this.#handleTools();
    this.#handlePrompts();
    this.#handleResources();
  }

  /** Resolves when no request is under way. */
  settled(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  dispose(): void {
    this.#folder.dispose();
  }

  #handleTools(): void {
    this.#handle('tools/list', toolsList);
    this.#handle('tools/call', (params, extra) => toolsCall(this.#folder, this.#logger, params, extra));
  }

  #handlePrompts(): void {
    this.#handle('prompts/list', promptsList);
    this.#handle('prompts/get', (params, extra) => promptsGet(this.#folder, params, extra));
  }

  #handleResources(): void {
    this.#handle('resources/list', () => resourcesList(this.#folder.report));
    this.#handle('resources/templates/list', resourceTemplates);
    this.#handle('resources/read', (params, extra) => resourcesRead(this.#folder, params, extra));
  }

  /** Handlers check their params themselves, so that a wrong one is told in our words. */
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
    const tell = (level: 'warning' | 'error', data: string): void =>
      this.#tell(this.server.sendLoggingMessage({ level, logger: 'context-budget', data: withoutPlaces(data) }));
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

  /** A client that is gone, or has not begun, is told nothing. */
  #tell(sending: Promise<void>): void {
    sending.catch((error: unknown) => this.#logger.debug(`A notification was not sent: ${String(error)}`));
  }
}

function noForms() {
  return { valid: false as const, data: undefined, errorMessage: 'This server asks for no forms.' };
}
