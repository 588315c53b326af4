import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Disposable, FileSource, Logger } from '../core/ports/ports';
import { isRecord, type JsonRecord } from '../core/text/jsonRecord';
import type { Phrase } from '../core/text/phrase';
import type { Workspace } from '../core/workspace/workspace';

/** What the MCP server is given by the process that runs it. */
export interface McpServeOptions {
  readonly version: string;
  /** The folder that is served, and nothing beside it. Its real path. */
  readonly realRoot: string;
  readonly files: FileSource;
  /** Called once, with the first request that needs the folder; the server disposes it. */
  readonly openWorkspace: () => Disposable & { readonly workspace: Workspace };
  /** The profile that was asked for, to say when there is none of that name. */
  readonly profile: string | undefined;
  readonly logger: Logger;
  readonly input: Readable;
  /** Carries the protocol alone. */
  readonly output: Writable;
}

/** A server to start or to reach, as a config file names it, with its variables put in. */
export interface MeasuredServer {
  /** Absent for a server that is reached by a URL. */
  readonly argv?: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where it is started. Absolute. */
  readonly cwd: string;
}

/** What bounds a measurement. */
export interface MeasureLimits {
  readonly timeoutMs: number;
  /** Most bytes that a server may send in all. */
  readonly maxBytes: number;
  readonly maxPages: number;
  readonly maxTools: number;
}

/** What a server told of itself, or why it told nothing that can be counted. */
export type ServerAnswer =
  | {
      readonly kind: 'ok';
      readonly server: string;
      readonly instructions: string;
      readonly tools: readonly JsonRecord[];
    }
  | { readonly kind: 'failed'; readonly reason: Phrase };

/** The bundle `dist/mcp.js`: apart from the command line's, so that no other command loads it. */
export interface McpModule {
  /** Serves until the input ends, the output is gone or `signal` fires; then everything of it is released. */
  serve(options: McpServeOptions, signal: AbortSignal): Promise<void>;
  /** Asks a server for all its tools, and ends it with its whole process tree. Never rejects. */
  measureServer(server: MeasuredServer, signal: AbortSignal, limits?: Partial<MeasureLimits>): Promise<ServerAnswer>;
}

/** Loads the server's bundle. Throws when the product is not built. */
export function loadMcpModule(productRoot: string): McpModule {
  const script = path.join(productRoot, 'dist', 'mcp.js');
  const loaded: unknown = createRequire(script)(script);
  if (!isRecord(loaded) || !('serve' in loaded)) throw new Error('The bundle of the MCP server has no entry');
  return loaded as unknown as McpModule;
}
