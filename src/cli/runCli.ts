/**
 * The command line: parses arguments, runs one command and turns whatever happens into text on stderr and an exit
 * code. It is the only place of the CLI that does so.
 */
import { type AddHelpTextContext, type Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { nearestKey } from '../core/config/configTree';
import type { PayloadMode } from '../core/model/section';
import type { LayerAnswer } from '../core/observations/layers';
import { ObservationError } from '../core/observations/observationError';
import { ChangesError } from '../core/pipeline/collect/gitChanges';
import { renderBudgetTable } from '../core/print/budgetTable';
import { renderPayload } from '../core/render/renderPayload';
import { noMatchLines } from '../core/repomap/ranking/wordMatch';
import { HookError } from '../core/setup/hooks/hookEvent';
import { messageOf } from '../core/text/phrase';
import { UsageError } from '../core/usage/usageRecord';
import { WorkspaceFileError } from '../node/records/workspaceFile';
import { TrustError } from '../node/trustStore';
import { addAgentsCommand } from './commands/agents';
import { addCheckCommand } from './commands/check';
import { addCiteCommand } from './commands/cite';
import { addCompactCommand } from './commands/compact';
import { addDetailCommand } from './commands/detail';
import { addExportCommand } from './commands/export';
import { addHookCommand, isHookCall } from './commands/hook';
import { addHooksCommand } from './commands/hooks';
import { addIngestCommand } from './commands/ingest';
import { addInitCommand } from './commands/init';
import { addMapCommand } from './commands/map';
import { addMcpCommand } from './commands/mcp';
import { addObserveCommand } from './commands/observe';
import { addOptimizeCommand } from './commands/optimize';
import { addReportCommand } from './commands/report';
import { addSessionCommands } from './commands/sessions';
import { addSimulateCommand } from './commands/simulate';
import { addStaleCommand } from './commands/stale';
import { addTimelineCommand } from './commands/timeline';
import { addTrustCommand } from './commands/trust';
import { addWindowCommand } from './commands/window';
import { CliCommand, type CliContext, CliError, type CliProduct, createContext, EXIT, type ExitCode } from './context';
import { type Focus, findFocus, openableFocus } from './givenText';
import { type CliIo, Lifetime } from './io';
import { type MaskOptions, tellMasked, unmaskedOption } from './masking';
import {
  checkFormat,
  declareGlobalOptions,
  failOverOption,
  focusOption,
  parseCount,
  readGlobalOptions,
  tableFormat,
} from './options';
import { printLayer, tellMoreRows, withObservations } from './withObservations';
import {
  budgetExitCode,
  openWorkFolder,
  type ReadyWorkspace,
  requireReport,
  tellNotRun,
  tellWork,
  withWorkspace,
} from './workspace';

interface FocusOptions {
  readonly focus?: readonly string[];
}

/** What `--focus` names; the folder is opened for nothing else. */
async function focusOf(context: CliContext, { focus = [] }: FocusOptions): Promise<readonly Focus[]> {
  return focus.length === 0 ? [] : findFocus(context, await openWorkFolder(context), focus);
}

interface PayloadOptions extends MaskOptions, FocusOptions {
  readonly expanded?: true;
  readonly budget?: number;
  readonly failOver?: number;
  readonly query?: string;
  readonly trigger?: string;
  readonly record?: true;
}

/** `context-budget payload`: what is handed to an agent. */
function addPayloadCommand(program: CliCommand): void {
  program
    .command('payload')
    .summary('print the payload for an agent; the index unless --expanded')
    .description(
      'Prints the payload for an agent, within the limits of the profile: the index (names, summaries and handles), or expanded.',
    )
    .option('--expanded', 'include the text of sections, as much as the budget allows')
    .option('--query <text>', 'the task: ranks the repo map and keeps matching sections')
    .addOption(focusOption())
    .option('--trigger <text>', 'what triggers the request, such as a heartbeat message: keeps matching sections')
    .option(
      '--budget <tokens>',
      "use this token budget instead of the profile's; the character limit stays",
      parseCount,
    )
    .option('--record', 'add this use to the usage log')
    .addOption(failOverOption())
    .addOption(unmaskedOption())
    .addHelpText('after', '\nExample:\n  context-budget payload --expanded --profile planner --json > context.json\n')
    .does(async (context, own: PayloadOptions) => {
      const focus = await focusOf(context, own);
      return withWorkspace(
        context,
        async ({ workspace, snapshot, exitCode }) => {
          await openableFocus(workspace, focus);
          const report = own.unmasked ? await workspace.unmasked() : requireReport(snapshot);
          const mode: PayloadMode = own.expanded ? 'expanded' : 'index';
          tellNotRun(context, report.payloads[mode]);
          tellMasked(context, report.payloads[mode].secrets);
          context.io.stdout.write(renderPayload(report, mode, context.options.format));
          await tellWork(context, report.payloads[mode], workspace);
          // A program reads a pipe, unless the caller names another trigger.
          if (own.record) await workspace.usage?.record(report, { payload: mode, trigger: own.trigger ?? 'tool' });
          return budgetExitCode(report.payloads[mode], own.failOver, exitCode);
        },
        {
          task: own.query,
          trigger: own.trigger,
          budgetTokens: own.budget,
          focusPaths: focus.flatMap(({ paths }) => paths),
        },
      );
    });
}

interface IndexCommandOptions extends MaskOptions {
  readonly query?: string;
  readonly taskId?: string;
  readonly limit?: number;
}

const EXAMPLE = `
Example:
  context-budget index --query "worktree isolation" --limit 10
`;

/** Why an index has no rows. */
function emptyWords({ all = 0, match }: LayerAnswer): string {
  if (all === 0) return 'No observations yet.';
  return match?.isMatch === false ? noMatchLines(match).join(' ').replaceAll('\n', '') : 'No match.';
}

/** `context-budget index`: rows of observations. */
function addIndexCommand(program: CliCommand): void {
  program
    .command('index')
    .summary('list observations, one line each, newest first')
    .description(
      'Prints one line per observation: id, time, task, phase, summary, and the token count of its detail. Newest first, ' +
        "or best match first with --query; limited by the profile's index_tokens.",
    )
    .option('--query <text>', 'only observations with these words, best match first')
    .option('--task-id <id>', 'only observations of this task')
    .option('--limit <rows>', "maximum number of rows (default: the profile's top_k.index)", parseCount)
    .addOption(unmaskedOption())
    .addHelpText('after', EXAMPLE)
    .does((context, own: IndexCommandOptions) =>
      withObservations(context, async (open) => {
        const layer = await open.service.index({ ...own, isUnmasked: own.unmasked });
        const exitCode = await printLayer(context, open, 'index', layer);
        const isOfAll = (own.query ?? '').trim() === '' && own.taskId === undefined;
        if (layer.total === 0) {
          context.logger.warn(`${emptyWords(layer)} "context-budget ingest" reads run logs; "observe" records one.`);
        } else tellMoreRows(context, open, layer, isOfAll);
        return exitCode;
      }),
    );
}

interface BudgetOptions extends FocusOptions {
  readonly index?: true;
  readonly failOver?: number;
  readonly explain?: true;
}

/** `context-budget budget`: the report as a table. */
function addBudgetCommand(program: CliCommand): void {
  program
    .command('budget')
    .summary('show what the context costs, section by section')
    .description(
      "Shows what an agent's context costs in this folder, section by section, against the limits of the profile.",
    )
    .option('--index', 'show the index payload instead of the expanded one')
    .addOption(focusOption())
    .option('--explain', "show the factors of each section's score")
    .addOption(failOverOption())
    .addHelpText('after', '\nExample:\n  context-budget budget --root ~/work/app --fail-over 6000\n')
    .does(async (context, own: BudgetOptions) => {
      const focus = await focusOf(context, own);
      const focusPaths = focus.flatMap(({ paths }) => paths);
      const work = async ({ workspace, snapshot, exitCode }: ReadyWorkspace): Promise<ExitCode> => {
        await openableFocus(workspace, focus);
        const report = requireReport(snapshot);
        const mode: PayloadMode = own.index ? 'index' : 'expanded';
        tellNotRun(context, report.payloads[mode]);
        context.io.stdout.write(renderBudgetTable(report, mode, tableFormat(context.options), own.explain === true));
        return budgetExitCode(report.payloads[mode], own.failOver, exitCode);
      };
      return withWorkspace(context, work, { focusPaths });
    });
}

/** In the order of the help. */
const COMMANDS = [
  addBudgetCommand,
  addPayloadCommand,
  addIndexCommand,
  addTimelineCommand,
  addDetailCommand,
  addMapCommand,
  addObserveCommand,
  addIngestCommand,
  addCiteCommand,
  addReportCommand,
  addExportCommand,
  addCompactCommand,
  addCheckCommand,
  addSimulateCommand,
  addOptimizeCommand,
  addStaleCommand,
  addInitCommand,
  addAgentsCommand,
  addSessionCommands,
  addWindowCommand,
  addHooksCommand,
  addHookCommand,
  addMcpCommand,
  addTrustCommand,
];

const EXIT_CODES_HELP = `
Exit codes:
  0  done
  1  failed
  2  wrong usage, or an invalid config (the result then uses defaults)
  3  over budget: P0 and P1 alone exceed a limit, or --fail-over is exceeded; or a check failed
  4  check, window, session, sessions, export: something could not be read or measured, and the result is
     printed without it; "stale --fail": no path could be looked up

Example:
  context-budget budget --root ~/work/app
`;

/**
 * Runs one command line; `argv` without node and script. Resolves with the exit code when everything written has left
 * the process; never rejects.
 */
export async function runCli(argv: readonly string[], io: CliIo, product: CliProduct): Promise<ExitCode> {
  const life = new Lifetime();
  const interrupted = new Promise<ExitCode>((resolve) => {
    const listening = io.onInterrupt(() => {
      life.dispose();
      resolve(EXIT.interrupted);
    });
    life.own(listening);
  });
  try {
    const exitCode = await Promise.race([execute(argv, io, product, life), interrupted]);
    return isHookCall(argv) ? EXIT.done : exitCode;
  } finally {
    life.dispose();
    await Promise.all([io.stdout.flush(), io.stderr.flush()]);
  }
}

async function execute(argv: readonly string[], io: CliIo, product: CliProduct, life: Lifetime): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  let context: CliContext | undefined;
  const program = new CliCommand('context-budget', async (command, work) => {
    const options = readGlobalOptions(command);
    context = createContext(io, product, options, life);
    checkFormat(command, options);
    exitCode = await work(context);
  });
  try {
    await declare(program, io).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    // What breaks because we tore it down is not worth a word.
    return life.signal.aborted ? EXIT.interrupted : explain(error, io, context);
  }
}

/** The whole command line, declared; also what help and documentation are made of. */
function declare(program: CliCommand, io: CliIo): Command {
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
    .addHelpText('beforeAll', whyHelp)
    .addHelpText('after', EXIT_CODES_HELP)
    .exitOverride();
  declareGlobalOptions(program);
  for (const add of COMMANDS) add(program);
  return program;
}

/** What is wrong where commander shows the help in place of an error; nothing where the help was asked for. */
function whyHelp({ error, command }: AddHelpTextContext): string {
  if (!error) return '';
  const names = command.commands.map((each) => each.name());
  const [first, asked] = command.args;
  if (first === 'help' && asked !== undefined) {
    const meant = nearestKey(asked, names);
    return `error: unknown command '${asked}'${meant === undefined ? '' : `\n(Did you mean ${meant}?)`}\n`;
  }
  return command.parent ? `error: '${command.name()}' needs a command: ${names.join(' or ')}\n` : '';
}

/** Errors whose message is for the user. */
const EXPECTED: readonly { is(error: unknown): boolean }[] = [
  CliError,
  TrustError,
  ObservationError,
  UsageError,
  HookError,
  WorkspaceFileError,
  ChangesError,
];

/** Says what went wrong, unless commander did already. */
function explain(error: unknown, io: CliIo, context: CliContext | undefined): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  io.stderr.write(`error: ${messageOf(error)}\n`);
  const isExpected = EXPECTED.some((kind) => kind.is(error));
  if (!isExpected && context?.options.verbose && error instanceof Error && error.stack)
    io.stderr.write(`${error.stack}\n`);
  return CliError.is(error, 'usage') ? EXIT.usage : EXIT.failed;
}
