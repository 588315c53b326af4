/** What all requests share: their arguments, their cancellation, their progress, and what becomes of their errors. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../core/ports/ports';
import { ToolError, type ToolErrorReason } from '../core/tools/tool';
import type { IndexProgress, Workspace } from '../core/workspace/workspace';

/** Codes of JSON-RPC 2.0, and the one that the Model Context Protocol has for a resource that is not there. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
} as const;

/** An error that a client is told. The message has no path of the machine, and of what was asked at most a short name. */
export class RpcError extends Error {
  constructor(
    readonly code: (typeof RPC)[keyof typeof RPC],
    message: string,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** What the SDK gives with a request. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Settles as `work`, or rejects as soon as the request is cancelled. */
export async function unlessCancelled<T>({ signal }: Extra, work: Promise<T>): Promise<T> {
  let stop: () => void = () => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    stop = () => reject(new RpcError(RPC.internal, 'The request was cancelled.'));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([cancelled, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const PHASES: Readonly<Record<IndexProgress['phase'], number>> = {
  listing: 0,
  scanning: 1,
  parsing: 2,
  stopped: 3,
  ready: 3,
};

/** Reports the progress of the symbol index to a client that asked for it, while `work` runs. */
export async function withProgress<T>(extra: Extra, workspace: Workspace, work: () => Promise<T>): Promise<T> {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return work();
  let last = -1;
  const tell = ({ phase, done, total }: IndexProgress): void => {
    const progress = PHASES[phase] + (total > 0 && phase !== 'ready' ? Math.min(0.999, done / total) : 0);
    // The protocol wants it to rise.
    if (progress <= last) return;
    last = progress;
    const message = total > 0 ? `${phase}: ${done} of ${total} files` : phase;
    const params = { progressToken, progress, total: PHASES.ready, message };
    // A client that is gone needs no progress.
    extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  tell(workspace.snapshot.index);
  const listening = workspace.onDidChangeIndex(tell);
  try {
    return await work();
  } finally {
    listening.dispose();
  }
}

const CODES: Readonly<Partial<Record<ToolErrorReason, RpcError['code']>>> = {
  input: RPC.invalidParams,
  noTool: RPC.invalidParams,
  unknown: RPC.resourceNotFound,
};

/** The one place where errors become what a client reads: white-listed words, never a cause. */
export function toRpcError(error: unknown, logger: Logger): RpcError {
  if (error instanceof RpcError) return error;
  if (ToolError.is(error)) {
    if (error.cause !== undefined) logger.error(error.message, error.cause);
    return new RpcError(CODES[error.reason] ?? RPC.internal, error.message);
  }
  logger.error('A request failed', error);
  return new RpcError(RPC.internal, 'The request failed; the log says more.');
}
