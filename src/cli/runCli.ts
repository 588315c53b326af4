/**
 * The command line: parses arguments, runs one command and turns whatever happens into text on stderr and an exit
 * code. It is the only place of the CLI that does so.
 */
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { ObservationError } from '../core/observations/observationError';
import { HookError } from '../core/setup/hooks/hookError';
import { UsageError } from '../core/usage/usageError';
import { WorkspaceFileError } from '../node/records/workspaceFile';
import { TrustError } from '../node/trustStore';
import { CliError } from './cliError';
import { addAgentsCommand } from './commands/agents';
import { addBudgetCommand } from './commands/budget';
import { addCiteCommand } from './commands/cite';
import { addCompactCommand } from './commands/compact';
import { addDetailCommand } from './commands/detail';
import { addHookCommand, isHookCall } from './commands/hook';
import { addHooksCommand } from './commands/hooks';
import { addIndexCommand } from './commands/index';
import { addIngestCommand } from './commands/ingest';
import { addInitCommand } from './commands/init';
import { addMapCommand } from './commands/map';
import { addMcpCommand } from './commands/mcp';
import { addObserveCommand } from './commands/observe';
import { addOptimizeCommand } from './commands/optimize';
import { addPayloadCommand } from './commands/payload';
import { addReportCommand } from './commands/report';
import { addSimulateCommand } from './commands/simulate';
import { addStaleCommand } from './commands/stale';
import { addTimelineCommand } from './commands/timeline';
import { addTrustCommand } from './commands/trust';
import { type CliContext, type CliProduct, createContext } from './context';
import { EXIT, type ExitCode } from './exitCode';
import type { CliIo } from './io';
import { Lifetime } from './lifetime';
import { checkFormat, declareGlobalOptions, readGlobalOptions } from './options';
import type { RunCommand } from './runCommand';

const EXIT_CODES_HELP = `
Exit codes:
  0  done
  1  failed
  2  wrong usage, or a config that could not be used (the result is then printed with defaults)
  3  over budget: what is never removed exceeds a cap, or --fail-over is exceeded; or a check failed

Example:
  context-budget budget --root ~/work/app
`;

/**
 * Runs one command line; `argv` without node and script. Resolves with the exit code when everything written has left
 * the process; never rejects.
 */
export async function runCli(argv: readonly string[], io: CliIo, product: CliProduct): Promise<ExitCode> {
  const life = new Lifetime();
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<ExitCode>((resolve) => {
    interrupt = () => {
      life.dispose();
      resolve(EXIT.interrupted);
    };
  });
  const listening = io.onInterrupt(interrupt);
  try {
    const exitCode = await Promise.race([execute(argv, io, product, life), interrupted]);
    return isHookCall(argv) ? EXIT.done : exitCode;
  } finally {
    listening.dispose();
    life.dispose();
    await Promise.all([io.stdout.flush(), io.stderr.flush()]);
  }
}

async function execute(argv: readonly string[], io: CliIo, product: CliProduct, life: Lifetime): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  let context: CliContext | undefined;
  const run: RunCommand = async (command, work) => {
    const options = readGlobalOptions(command);
    context = createContext(io, product, options, life);
    checkFormat(command, options);
    exitCode = await work(context);
  };
  try {
    await createProgram(io, run).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    // What breaks because we tore it down is not worth a word.
    return life.signal.aborted ? EXIT.interrupted : explain(error, io, context);
  }
}

/** The whole command line, declared; also what help and documentation are made of. */
export function createProgram(io: Pick<CliIo, 'stdout' | 'stderr'>, run: RunCommand): Command {
  const program = new Command('context-budget');
  program
    .description("What a coding agent's context costs, section by section, and the smallest payload that still works.")
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(true)
    .configureHelp({ showGlobalOptions: true, helpWidth: 100 })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .addHelpText('after', EXIT_CODES_HELP)
    .exitOverride();
  declareGlobalOptions(program);
  addBudgetCommand(program, run);
  addPayloadCommand(program, run);
  addIndexCommand(program, run);
  addTimelineCommand(program, run);
  addDetailCommand(program, run);
  addMapCommand(program, run);
  addObserveCommand(program, run);
  addIngestCommand(program, run);
  addCiteCommand(program, run);
  addReportCommand(program, run);
  addCompactCommand(program, run);
  addSimulateCommand(program, run);
  addOptimizeCommand(program, run);
  addStaleCommand(program, run);
  addInitCommand(program, run);
  addAgentsCommand(program, run);
  addHooksCommand(program, run);
  addHookCommand(program, run);
  addMcpCommand(program, run);
  addTrustCommand(program, run);
  return program;
}

function isExpected(error: unknown): error is Error {
  return (
    CliError.is(error) ||
    TrustError.is(error) ||
    ObservationError.is(error) ||
    UsageError.is(error) ||
    HookError.is(error) ||
    WorkspaceFileError.is(error)
  );
}

/** Says what went wrong, unless commander did already. */
function explain(error: unknown, io: CliIo, context: CliContext | undefined): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (isExpected(error)) {
    io.stderr.write(`error: ${error.message}\n`);
    return CliError.is(error, 'usage') ? EXIT.usage : EXIT.failed;
  }
  io.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  if (context?.options.verbose && error instanceof Error && error.stack) io.stderr.write(`${error.stack}\n`);
  return EXIT.failed;
}
