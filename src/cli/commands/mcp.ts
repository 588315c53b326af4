import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import { version } from '../../../package.json';
import { MCP_CLIENTS, McpConfigError, mcpClient } from '../../core/setup/mcpConfig/mcpClient';
import { mcpConfigText } from '../../core/setup/mcpConfig/mcpConfigText';
import { SKILL_FILE } from '../../core/setup/skillTarget';
import { TOOL_LIST_TOKENS } from '../../core/tools/toolCatalog';
import { loadMcpModule } from '../../node/mcpModule';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode } from '../context';
import { openWorkFolder, openWorkspace } from '../workspace';

/** What `mcp` prints instead of serving, and how it serves. */
interface McpOptions {
  /** The id of a client. */
  readonly printConfig?: string;
  readonly printSkill?: true;
  /** False with `--no-write`. */
  readonly write: boolean;
}

/** Prints what was asked for. @throws CliError for a path that no shell takes safely */
async function printForAgent(context: CliContext, own: McpOptions): Promise<ExitCode> {
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

const HELP = `
The server serves this folder only, reads nothing before the first request, runs the folder's own commands only with
--trust, masks secrets, and exits with its client. Its tool list costs ${TOOL_LIST_TOKENS} tokens (o200k_base, with schemas).

Example:
  claude mcp add context-budget -- npx --no -- context-budget mcp --root .
  context-budget mcp --print-config claude-code
`;

/** `context-budget mcp`: the server of the Model Context Protocol. */
export function addMcpCommand(program: CliCommand): void {
  program
    .command('mcp')
    .summary('run an MCP server for agents on stdio')
    .description(
      'Runs an MCP server on stdin and stdout: tools (index, timeline, detail, map, search, budget), prompts (context for a ' +
        'task, relay observer) and resources (index, map, report).',
    )
    .addOption(
      new Option('--print-config <client>', 'print the server entry for this client, and exit').choices(
        MCP_CLIENTS.map(({ id }) => id),
      ),
    )
    .option('--print-skill', 'print the skill that teaches an agent to use the tools, and exit')
    .option('--no-write', 'write nothing into the folder: keep records in memory until the server exits')
    .addHelpText('after', HELP)
    .does((context, own: McpOptions) => {
      const isPrinting = own.printConfig !== undefined || own.printSkill;
      return isPrinting ? printForAgent(context, own) : serveFolder(context, own.write);
    });
}

async function serveFolder(context: CliContext, mayWrite: boolean): Promise<ExitCode> {
  const { io, product, options, logger, life } = context;
  if (!io.streams) throw new CliError('failed', 'stdin and stdout are not available.');
  const folder = await openWorkFolder(context);
  // A client starts the server unseen: only its command line can let the folder's commands run.
  const open = () => openWorkspace(context, folder, { isTrusted: options.trust }, { mayWrite });
  const { input, output } = io.streams();
  const { profile } = options;
  const served = { version, ...folder, openWorkspace: open, profile, logger, input, output };
  await loadMcpModule(product.root).serve(served, life.signal);
  return EXIT.done;
}
