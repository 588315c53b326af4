import type { Logger } from '../core/ports/ports';
import { messageOf } from '../core/text/phrase';

/** Levels in rising order; a logger writes its own level and everything above. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * A logger of whole lines, for stderr. `write` must not throw. The stack of a cause is written at level `debug` only.
 */
export class LineLogger implements Logger {
  constructor(
    private readonly write: (line: string) => void,
    private readonly level: LogLevel,
  ) {}

  debug(message: string): void {
    this.log('debug', message);
  }

  info(message: string): void {
    this.log('info', message);
  }

  warn(message: string): void {
    this.log('warn', `warning: ${message}`);
  }

  error(message: string, cause?: unknown): void {
    this.log('error', `error: ${message}${cause === undefined ? '' : `: ${messageOf(cause)}`}`);
    if (cause instanceof Error && cause.stack !== undefined) this.log('debug', cause.stack);
  }

  private log(level: LogLevel, text: string): void {
    if (ORDER[level] >= ORDER[this.level]) this.write(`${text}\n`);
  }
}
