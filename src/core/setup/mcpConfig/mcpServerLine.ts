/** How the server is started: a program and its arguments, as the system gets them, nothing quoted. */
export interface McpServerLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** The script that runs the command line, and what it serves; both absolute. */
export interface McpServed {
  readonly script: string;
  readonly root: string;
  /** Lets the folder's own commands run. */
  readonly isTrusted?: boolean;
  /** False: it writes nothing into the folder. */
  readonly mayWrite?: boolean;
}

/** The arguments after the program: what `context-budget mcp` is called with. */
export function mcpArguments({ script, root, isTrusted = false, mayWrite = true }: McpServed): readonly string[] {
  return [script, 'mcp', '--root', root, ...(isTrusted ? ['--trust'] : []), ...(mayWrite ? [] : ['--no-write'])];
}

/** A server for programs outside of the editor: Node is found by its name, since its path changes with its updates. */
export function mcpServerLine(served: McpServed): McpServerLine {
  return { command: 'node', args: mcpArguments(served) };
}
