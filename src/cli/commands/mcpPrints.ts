import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import { MCP_CLIENTS, mcpClient } from '../../core/setup/mcpConfig/mcpClient';
import { mcpConfigText } from '../../core/setup/mcpConfig/mcpConfigText';
import { McpConfigError } from '../../core/setup/mcpConfig/shellArgument';
import { SKILL_FILE } from '../../core/setup/skillTarget';
import { CliError } from '../cliError';
import type { CliContext } from '../context';
import { EXIT, type ExitCode } from '../exitCode';
import { openWorkFolder } from '../workFolder';

/** What `mcp` prints instead of serving, and how it serves. */
export interface McpOptions {
  /** The id of a client. */
  readonly printConfig?: string;
  readonly printSkill?: true;
  /** False with `--no-write`. */
  readonly write: boolean;
}

/** The options of `McpOptions`. */
export function mcpOptions(): readonly Option[] {
  return [
    new Option('--print-config <client>', 'print what the list of servers of an agent needs, and end').choices([
      ...MCP_CLIENTS.map(({ id }) => id),
    ]),
    new Option('--print-skill', 'print the skill that teaches an agent how to use the tools, and end'),
    new Option(
      '--no-write',
      'write nothing into the folder: what is recorded stays in memory and goes with the server',
    ),
  ];
}

/** Prints what was asked for. @throws CliError for a path that no shell takes safely */
export async function printForAgent(context: CliContext, own: McpOptions): Promise<ExitCode> {
  const { io, product, options } = context;
  if (own.printSkill) io.stdout.write(await readFile(path.join(product.root, SKILL_FILE), 'utf8'));
  const client = mcpClient(own.printConfig);
  if (!client) return EXIT.done;
  const { realRoot } = await openWorkFolder(context);
  const script = path.join(product.root, 'dist', 'cli.js');
  try {
    io.stdout.write(mcpConfigText(client, { script, root: realRoot, isTrusted: options.trust, mayWrite: own.write }));
  } catch (cause) {
    if (!McpConfigError.is(cause)) throw cause;
    throw new CliError('failed', cause.message, { cause });
  }
  return EXIT.done;
}
