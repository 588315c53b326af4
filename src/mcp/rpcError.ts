/** Codes of JSON-RPC 2.0, and the one that the Model Context Protocol has for a resource that is not there. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
} as const;

/** An error that a client is told. The message has no path and nothing of what was asked. */
export class RpcError extends Error {
  constructor(
    readonly code: (typeof RPC)[keyof typeof RPC],
    message: string,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}
