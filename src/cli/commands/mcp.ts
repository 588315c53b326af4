import type { Command } from 'commander';
import { version } from '../../../package.json';
import { maskTexts } from '../../core/tools/maskTexts';
import { TOOL_LIST_TOKENS } from '../../core/tools/toolListTokens';
import { loadMcpModule } from '../../node/mcpModule';
import { CliError } from '../cliError';
import type { CliContext } from '../context';
import { EXIT, type ExitCode } from '../exitCode';
import { secretScanner } from '../masking';
import { openSession } from '../openSession';
import type { RunCommand } from '../runCommand';
import { openWorkFolder } from '../workFolder';
import { type McpOptions, mcpOptions, printForAgent } from './mcpPrints';

const HELP = `
It serves this one folder, reads nothing before it is asked, runs the folder's own commands only with --trust, masks
secrets, and ends with its client. Its tools cost an agent ${TOOL_LIST_TOKENS} tokens to know (o200k_base, schemas included).

Example:
  claude mcp add context-budget -- npx --no -- context-budget mcp --root .
  context-budget mcp --print-config claude-code
`;

/** `context-budget mcp`: the server of the Model Context Protocol. */
export function addMcpCommand(program: Command, run: RunCommand): void {
  const mcp = program
    .command('mcp')
    .summary('serves agents by the Model Context Protocol, on stdio')
    .description(
      'An MCP server on stdin and stdout: tools (index, timeline, detail, map, search, budget), prompts (context for a ' +
        'task, relay observer) and resources (index, map, report).',
    );
  for (const option of mcpOptions()) mcp.addOption(option);
  mcp.addHelpText('after', HELP).action((own: McpOptions, command: Command) => {
    const isPrinting = own.printConfig !== undefined || own.printSkill;
    return run(
      command,
      isPrinting ? (context) => printForAgent(context, own) : (context) => serveFolder(context, own.write),
    );
  });
}

async function serveFolder(context: CliContext, mayWrite: boolean): Promise<ExitCode> {
  const { io, product, options, logger, life } = context;
  if (!io.streams) throw new CliError('failed', 'There are no streams to serve on.');
  const folder = await openWorkFolder(context);
  // A client starts the server unseen: only who wrote its command line may let the folder's commands run.
  const open = () => openSession(context, folder, { isTrusted: options.trust }, mayWrite);
  const maskText = maskTexts(secretScanner(context));
  const { input, output } = io.streams();
  const { profile } = options;
  const served = { version, ...folder, openSession: open, profile, maskText, logger, input, output };
  await loadMcpModule(product.root).serve(served, life.signal);
  return EXIT.done;
}
