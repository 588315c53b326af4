/**
 * Asks an MCP server for its tools: starts it (or reaches it by its URL), `initialize`, every page of `tools/list`, and
 * ends it with its whole process tree. A server is a foreign program: whatever it does, there is an answer in time,
 * and a figure only where everything came.
 */
import { StringDecoder } from 'node:string_decoder';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { version } from '../../package.json';
import { PROGRAM_IN_FOLDER, type ProcessOutcome } from '../core/ports/ports';
import { isRecord, type JsonRecord, ownValue, parseJson } from '../core/text/jsonRecord';
import { asGiven, messageOf, type Phrase, phrase, wordedErrorClass } from '../core/text/phrase';
import type { MeasuredServer, MeasureLimits, ServerAnswer } from '../node/mcpModule';
import { type Conversation, NodeProcessRunner } from '../node/process/processRunner';

/** The slowest of 22 public servers answers within 4 s once it is installed; a first `npx` installs it. */
const LIMITS: MeasureLimits = { timeoutMs: 60_000, maxBytes: 8_000_000, maxPages: 100, maxTools: 2000 };

/** A page as it came: nothing of a tool is dropped or put into another order. */
const PAGE = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** A reason for people; everything else that is thrown says less. */
class Refused extends wordedErrorClass<'refused'>('Refused') {}

/** Lines of JSON to and from a process. */
class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  conversation: Conversation | undefined;
  /** It printed something else than messages. */
  hasNoise = false;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(private readonly open: (onOutput: (chunk: Uint8Array) => void) => Conversation) {}

  async start(): Promise<void> {
    this.conversation = this.open((chunk) => this.#take(this.#decoder.write(Buffer.from(chunk))));
    void this.conversation.finished.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.conversation?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    await this.conversation?.end();
  }

  #take(text: string): void {
    const lines = text.split('\n');
    // A line that has not ended grows by concatenation, which is linear; all of them are bounded by the process's cap.
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() === '') continue;
      const message = JSONRPCMessageSchema.safeParse(parseJson(line));
      if (message.success) this.onmessage?.(message.data);
      else this.hasNoise = true;
    }
  }
}

/** `fetch` that gives at most so many bytes over all answers. */
function boundedFetch(maxBytes: number, signal: AbortSignal): typeof fetch {
  let left = maxBytes;
  return async (input, init) => {
    const response = await fetch(input, {
      ...init,
      signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]),
    });
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          left -= chunk.length;
          if (left < 0) controller.error(new Refused('refused', phrase('it sent more than {0} bytes', maxBytes)));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted ?? null, response);
  };
}

async function readTools(client: Client, limits: MeasureLimits, timeout: number): Promise<readonly JsonRecord[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: JsonRecord[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    if (cursors.size >= limits.maxPages)
      throw new Refused('refused', phrase('its list has more than {0} pages', limits.maxPages));
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, PAGE, { timeout });
    for (const tool of page.tools) {
      const name = isRecord(tool) ? ownValue(tool, 'name') : undefined;
      if (!isRecord(tool) || typeof name !== 'string' || name === '')
        throw new Refused('refused', phrase('a tool of its list has no name'));
      tools.push(tool);
    }
    if (tools.length > limits.maxTools)
      throw new Refused('refused', phrase('its list has more than {0} tools', limits.maxTools));
    cursor = page.nextCursor;
    if (cursor !== undefined && cursors.has(cursor))
      throw new Refused('refused', phrase('the pages of its list repeat'));
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return tools;
}

/** Why a process gave no answer. */
function endedBecause(
  { kind, exitCode, errorCode, stderr }: ProcessOutcome,
  limits: MeasureLimits,
): Phrase | undefined {
  const last = stderr.trim().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
  if (errorCode === PROGRAM_IN_FOLDER) return phrase('its program is inside the folder: name it by its path');
  if (kind === 'notStarted') return phrase('it could not be started ({0})', errorCode ?? '?');
  if (kind === 'flooded') return phrase('it printed more than {0} bytes', limits.maxBytes);
  if (kind === 'timedOut') return phrase('it did not finish within {0} s', limits.timeoutMs / 1000);
  if (kind !== 'exited') return undefined;
  const ended = phrase('it ended (exit code {0}) before it answered', String(exitCode ?? '–'));
  return last === '' ? ended : phrase('{0}: {1}', ended, last);
}

function wordsOf(error: unknown): Phrase {
  if (error instanceof Refused) return error.words;
  return asGiven(messageOf(error).split('\n')[0]?.slice(0, 200) ?? '');
}

async function ask(
  client: Client,
  transport: Transport,
  limits: MeasureLimits,
): Promise<Extract<ServerAnswer, { readonly kind: 'ok' }>> {
  // The process, or the connection, ends in time; the library's own clocks must not come first.
  const timeout = limits.timeoutMs * 2;
  await client.connect(transport, { timeout });
  const tools = await readTools(client, limits, timeout);
  // What cannot be written as JSON is never counted; a schema may be nested deeper than a stack is.
  JSON.stringify(tools);
  const server = client.getServerVersion();
  return {
    kind: 'ok',
    server: `${server?.name ?? 'unnamed'} ${server?.version ?? ''}`.trim().slice(0, 200),
    instructions: client.getInstructions() ?? '',
    tools,
  };
}

/** See `McpModule.measureServer`. */
export async function measureServer(
  server: MeasuredServer,
  signal: AbortSignal,
  given: Partial<MeasureLimits> = {},
): Promise<ServerAnswer> {
  const limits = { ...LIMITS, ...given };
  const client = new Client({ name: 'context-budget', version }, { capabilities: { roots: {} } });
  const { href } = pathToFileURL(server.cwd);
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: href }] }));
  return server.argv === undefined
    ? reach(client, server, signal, limits)
    : start(client, server, server.argv, signal, limits);
}

async function start(
  client: Client,
  { env, cwd }: MeasuredServer,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
  limits: MeasureLimits,
): Promise<ServerAnswer> {
  const runner = new NodeProcessRunner(cwd, { ...process.env, ...env });
  const request = { argv, timeoutMs: limits.timeoutMs, maxOutputBytes: limits.maxBytes };
  const transport = new ProcessTransport((onOutput) => {
    const conversation = runner.converse(request, onOutput);
    // It may have been taken back before there was anything to end.
    if (signal.aborted) void conversation.end();
    return conversation;
  });
  const stop = (): void => void transport.conversation?.end();
  signal.addEventListener('abort', stop);
  try {
    const answer = await ask(client, transport, limits);
    await transport.close();
    return answer;
  } catch (error) {
    const before = await Promise.race([transport.conversation?.finished, Promise.resolve(undefined)]);
    await transport.close();
    const ended = before && endedBecause(before, limits);
    if (signal.aborted) return { kind: 'failed', reason: phrase('cancelled') };
    const reason = ended ?? wordsOf(error);
    return {
      kind: 'failed',
      reason: transport.hasNoise ? phrase('{0}; it printed lines that are no messages', reason) : reason,
    };
  } finally {
    signal.removeEventListener('abort', stop);
    runner.dispose();
  }
}

async function reach(
  client: Client,
  { url = '', headers }: MeasuredServer,
  signal: AbortSignal,
  limits: MeasureLimits,
): Promise<ServerAnswer> {
  const ending = new AbortController();
  const inTime = AbortSignal.any([signal, ending.signal, AbortSignal.timeout(limits.timeoutMs)]);
  try {
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: boundedFetch(limits.maxBytes, inTime),
    });
    return await ask(client, transport as Transport, limits);
  } catch (error) {
    return { kind: 'failed', reason: wordsOf(error) };
  } finally {
    ending.abort();
    await client.close().catch(() => undefined);
  }
}
