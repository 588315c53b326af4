import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  SetLevelRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../core/text/jsonRecord';
import { RPC } from './request';

/** A longer message is passed over. Bytes; a task of 100,000 characters takes a tenth of it. */
export const MAX_MESSAGE_BYTES = 4_000_000;

/** A longer id is answered as if it had none: it would be repeated in every answer. UTF-16 code units. */
const MAX_ID_CHARS = 256;

const NEWLINE = 10;

/** What may be asked before `initialize`. */
const BEFORE_START = new Set(['initialize', 'ping']);

/** Requests that the SDK checks itself: its errors are dumps of its validator. */
const CHECKED_BY_SDK = {
  initialize: InitializeRequestSchema,
  'logging/setLevel': SetLevelRequestSchema,
  'tools/call': CallToolRequestSchema,
} as const;

function isCheckedBySdk(method: string): method is keyof typeof CHECKED_BY_SDK {
  return Object.hasOwn(CHECKED_BY_SDK, method);
}

/** Which params of a request are not as the protocol has them, in words; undefined where all are. */
function wrongParams({ method, params }: { readonly method: string; readonly params?: unknown }): string | undefined {
  if (!isCheckedBySdk(method)) return undefined;
  const issues = CHECKED_BY_SDK[method].safeParse({ method, params }).error?.issues ?? [];
  const names = new Set(issues.map(({ path: [whole, name] }) => String(name ?? whole)));
  if (names.size === 0) return undefined;
  return `The params of ${method} are not as the protocol has them: ${[...names].join(', ')}.`;
}

type Id = string | number;

function idOf(message: unknown): Id | undefined {
  if (!isRecord(message)) return undefined;
  const { id } = message;
  if (typeof id === 'string') return id.length <= MAX_ID_CHARS ? id : undefined;
  return Number.isSafeInteger(id) ? (id as number) : undefined;
}

/** True for a message that gets an answer. */
function isAsking(message: unknown): boolean {
  return !isRecord(message) || 'id' in message;
}

/**
 * Messages as lines of JSON over streams. Unlike the SDK's own, it replies to malformed input with JSON-RPC errors,
 * survives every line, bounds them, and lets nothing but `initialize` and `ping` through before the first came.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called when no more requests can come, or answers are not read any more. */
  onEnd: () => void = () => undefined;
  /** Pieces of a line that has not ended. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isTooLong = false;
  #isStarted = false;
  #startId: Id | undefined;
  /** When the last message has left; all before it have then. */
  #written: Promise<void> = Promise.resolve();
  readonly #onData = (chunk: Buffer): void => this.#take(chunk);
  readonly #onEnded = (): void => this.onEnd();

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.#onData);
    for (const event of ['end', 'close', 'error']) this.input.on(event, this.#onEnded);
    for (const event of ['close', 'error']) this.output.on(event, this.#onEnded);
  }

  async close(): Promise<void> {
    this.input.off('data', this.#onData);
    this.input.pause();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ('error' in message && message.id !== undefined && message.id === this.#startId) this.#isStarted = false;
    return this.#write(message);
  }

  /** Resolves when everything sent has left, or its reader is gone. */
  flushed(): Promise<void> {
    return this.output.destroyed ? Promise.resolve() : this.#written;
  }

  #write(message: object): Promise<void> {
    if (this.output.destroyed) return Promise.resolve();
    this.#written = new Promise((resolve) => {
      this.output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
    return this.#written;
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > MAX_MESSAGE_BYTES) {
      this.#isTooLong = true;
      this.#pieces = [];
    } else this.#pieces.push(piece);
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces).toString('utf8');
    const isTooLong = this.#isTooLong;
    this.#pieces = [];
    this.#bytes = 0;
    this.#isTooLong = false;
    if (isTooLong) this.#refuse(undefined, RPC.invalidRequest, `A message has at most ${MAX_MESSAGE_BYTES} bytes.`);
    else if (line.trim() !== '') this.#read(line);
  }

  #read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(undefined, RPC.parseError, 'The line is not JSON.');
      return;
    }
    const id = idOf(value);
    const parsed = JSONRPCMessageSchema.safeParse(value);
    if (!parsed.success || ('id' in parsed.data && id === undefined)) {
      // A malformed notification gets no answer.
      if (isAsking(value)) this.#refuse(id, RPC.invalidRequest, 'This is not a JSON-RPC 2.0 message.');
      return;
    }
    this.#pass(parsed.data, id);
  }

  #pass(message: JSONRPCMessage, id: Id | undefined): void {
    if ('method' in message && 'id' in message && !this.#isStarted && !BEFORE_START.has(message.method)) {
      this.#refuse(id, RPC.invalidRequest, 'Send "initialize" first.');
      return;
    }
    const wrong = 'method' in message && 'id' in message ? wrongParams(message) : undefined;
    if (wrong !== undefined) {
      this.#refuse(id, RPC.invalidParams, wrong);
      return;
    }
    if ('method' in message && 'id' in message && message.method === 'initialize') {
      this.#startId = id;
      // Clients may send on before they have read the answer.
      this.#isStarted = true;
    }
    this.onmessage?.(message);
  }

  #refuse(id: Id | undefined, code: number, message: string): void {
    void this.#write({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
  }
}
