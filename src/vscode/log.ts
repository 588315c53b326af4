import * as vscode from 'vscode';
import type { Logger } from '../core/ports';

/** The diagnostic log as an output channel; `show` reveals it. */
export interface LogChannel extends Logger, vscode.Disposable {
  show(): void;
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
      else channel.error(message, cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    },
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
