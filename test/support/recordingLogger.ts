import type { Logger } from '../../src/core/ports/ports';

/** Keeps what was logged, one string a line, as `level: message`. */
export class RecordingLogger implements Logger {
  readonly lines: string[] = [];

  debug(message: string): void {
    this.lines.push(`debug: ${message}`);
  }

  info(message: string): void {
    this.lines.push(`info: ${message}`);
  }

  warn(message: string): void {
    this.lines.push(`warn: ${message}`);
  }

  error(message: string): void {
    this.lines.push(`error: ${message}`);
  }
}
