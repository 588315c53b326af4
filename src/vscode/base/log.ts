import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';

/** The diagnostic log as an output channel; `show` reveals it. */
export interface LogChannel extends Logger, vscode.Disposable {
  show(): void;
}

/** An error may be its own cause. */
const MAX_CAUSES = 8;

/** An error with what caused it: what people are told of it says less. */
function stackOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined || depth === MAX_CAUSES
    ? own
    : `${own}\nCaused by: ${stackOf(error.cause, depth + 1)}`;
}

/** Opens the *Context Budget* output channel. */
export function createLog(): LogChannel {
  const channel = vscode.window.createOutputChannel('Context Budget', { log: true });
  return {
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, cause) => {
      if (cause === undefined) channel.error(message);
      else channel.error(message, stackOf(cause));
    },
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
