import type { Logger } from '../core/ports/ports';
import { isRecord } from '../core/text/jsonRecord';
import { runTool } from '../core/tools/runTool';
import { findTool, listTools } from '../core/tools/toolCatalog';
import { ToolError } from '../core/tools/toolError';
import { type Extra, withProgress } from './request';
import { RPC, RpcError } from './rpcError';
import type { ServedFolder } from './servedFolder';

/** What a client's own limit is: a note to Claude Code, whose default cuts at 25,000 tokens; ours are below. */
export function toolsList() {
  return { tools: listTools() };
}

/** Runs a tool. What the tool itself refuses is an answer with `isError`, so that the model reads it and asks better. */
export async function toolsCall(folder: ServedFolder, logger: Logger, params: unknown, extra: Extra) {
  const name = isRecord(params) ? params.name : undefined;
  const input = isRecord(params) ? params.arguments : undefined;
  if (typeof name !== 'string' || !findTool(name)) throw new RpcError(RPC.invalidParams, 'There is no such tool.');
  const host = await folder.fresh();
  try {
    const call = { forms: 'both', signal: extra.signal } as const;
    const answer = await withProgress(extra, host.session, () => runTool(name, input, host, call));
    if (!answer) throw new RpcError(RPC.internal, 'The request was cancelled.');
    return { content: [{ type: 'text' as const, text: answer.text }], structuredContent: answer.structured };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    if (error.cause !== undefined) logger.error(error.message, error.cause);
    return { isError: true, content: [{ type: 'text' as const, text: error.message }] };
  }
}
