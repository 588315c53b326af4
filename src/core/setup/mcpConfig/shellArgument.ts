/** A path that cannot be put into a configuration. */
export class McpConfigError extends Error {
  override readonly name = 'McpConfigError';

  static is(error: unknown): error is McpConfigError {
    return error instanceof McpConfigError;
  }
}

/** Letters that no shell reads as anything else. */
const PLAIN = /^[\w@%+=:,./-]+$/;
/** Fewer on Windows: a comma is a list to PowerShell, and cmd.exe parts arguments of batch files at some signs. */
const PLAIN_WINDOWS = /^[\w.:/\\-]+$/;

/** True for a path with a drive letter, or of another machine. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/**
 * One argument of a line that somebody pastes into a shell: `sh`, or on Windows cmd.exe and PowerShell alike.
 * @throws McpConfigError for what no shell takes safely
 */
export function shellArgument(argument: string, isWindows: boolean): string {
  if ([...argument].some((char) => char < ' ' || char === '\u007F'))
    throw new McpConfigError('A path has control characters; no line of a shell can hold it.');
  if (!isWindows) return PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
  if (PLAIN_WINDOWS.test(argument)) return argument;
  const unsafe = /["%$`!]/.exec(argument)?.[0];
  if (unsafe !== undefined) {
    throw new McpConfigError(
      `A path holds ${unsafe}, which the shells of Windows read as something else. Choose the form of a file.`,
    );
  }
  // A backslash before the closing quote would take it along.
  return `"${argument.replace(/\\+$/, (last) => last + last)}"`;
}
