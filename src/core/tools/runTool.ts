import { ObservationError } from '../observations/observationError';
import { isNotScanned, NotScanned } from '../secrets/masking';
import type { ToolCall, ToolHost } from './tool';
import { ToolError } from './tool';
import { findTool, unknownTool } from './toolCatalog';

/**
 * Runs a tool by its name; `undefined` when it was cancelled.
 * @throws ToolError and nothing else: what the workspace fails with is in `cause`, for the log, and never in the message
 */
export async function runTool(
  name: string,
  input: unknown,
  host: ToolHost,
  call: ToolCall,
): Promise<string | undefined> {
  const tool = findTool(name);
  if (!tool) throw new ToolError('noTool', unknownTool(name));
  if (call.signal.aborted) return undefined;
  try {
    const answer = await tool.run(input, host, call);
    return call.signal.aborted ? undefined : answer;
  } catch (cause) {
    if (call.signal.aborted) return undefined;
    if (ToolError.is(cause)) throw cause;
    // Its words are made for users, and have no absolute path.
    if (ObservationError.is(cause)) throw new ToolError('unavailable', cause.message);
    if (isNotScanned(cause)) throw new ToolError('masking', new NotScanned().message, { cause });
    throw new ToolError('failed', 'The tool failed; the log says more. Try again, or ask for less.', { cause });
  }
}
