import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';

/** The diagnostic log as an output channel; `show` reveals it. */
export interface LogChannel extends Logger, vscode.Disposable {
  show(): void;
  /** The newest messages, oldest first, each with its time and level. */
  tail(): readonly string[];
}

/** Messages that `tail` gives. */
const TAIL_MESSAGES = 100;

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
  const tail: string[] = [];
  const write = (level: 'debug' | 'info' | 'warn' | 'error', message: string, ...details: readonly string[]): void => {
    channel[level](message, ...details);
    tail.push([`${new Date().toISOString()} [${level}] ${message}`, ...details].join('\n'));
    if (tail.length > TAIL_MESSAGES) tail.shift();
  };
  return {
    debug: (message) => write('debug', message),
    info: (message) => write('info', message),
    warn: (message) => write('warn', message),
    error: (message, cause) => write('error', message, ...(cause === undefined ? [] : [stackOf(cause)])),
    tail: () => tail,
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
