/**
 * The entry of `dist/mcp.js`: serves one folder over streams, by the Model Context Protocol, until its client is gone. It
 * decides when the server ends; what it answers is in `contextServer.ts`. Nothing is read before a request needs it, and
 * between requests nothing runs. It also
 * measures other servers, since the protocol's library is in this bundle alone.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { McpServeOptions } from '../node/mcpModule';
import { ContextServer } from './contextServer';
import { LineTransport } from './lineTransport';

export { measureServer } from './measureServer';

/** How long answers that are under way may take once no more requests can come. */
const GRACE_MS = 1000;

/** How often the parent is checked: one that dies may leave its pipe open to other processes. */
const PARENT_CHECK_MS = 5000;

/** Resolves when the process has another parent than at the start. */
function whenOrphaned(signal: AbortSignal): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_CHECK_MS);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer));
  });
}

/** See `McpModule.serve`. */
export async function serve(options: McpServeOptions, signal: AbortSignal): Promise<void> {
  const transport = new LineTransport(options.input, options.output);
  const context = new ContextServer(options);
  const stopped = new AbortController();
  const inputEnded = new Promise<void>((resolve) => {
    transport.onEnd = resolve;
  });
  try {
    await context.server.connect(transport);
    if (!signal.aborted) await Promise.race([inputEnded, whenOrphaned(stopped.signal), once(signal, 'abort')]);
    if (!signal.aborted) await Promise.race([context.settled().then(() => transport.flushed()), delay(GRACE_MS)]);
  } finally {
    stopped.abort();
    await context.server.close();
    context.dispose();
  }
}
