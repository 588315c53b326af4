import type { Command } from 'commander';
import { profileOf, type ScoringMode } from '../core/config/config';
import { type SimulatedSection, simulateThresholds } from '../core/relevance/simulate';
import { renderSimulation, type Simulation } from '../core/relevance/simulationTable';
import type { ReportSection } from '../core/report/contextReport';
import { usageProblemText } from '../core/usage/usageLog';
import { CliError } from './cliError';
import type { CliContext } from './context';
import { readFolderConfig } from './folderConfig';
import { modeOption, parseCount, thresholdOption } from './options';
import type { RunCommand } from './runCommand';
import { type ReadySession, requireReport, withSession } from './withSession';
import { openWorkFolder } from './workFolder';

interface SimulateOptions {
  readonly threshold?: number;
  readonly mode?: ScoringMode;
  readonly cycles?: number;
}

const EXAMPLE = `
Example:
  context-budget simulate --cycles 100
  context-budget simulate --threshold 0.4 --profile planner --json
`;

/** Tried where none is given, besides the config's own. */
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

function simulatedSection({ id, priority, isPinned, status }: ReportSection): SimulatedSection {
  return { id, priority, isPinned, isAlarm: status !== 'OK' };
}

/** The config; what is wrong with it the session has told. */
async function configOf(context: CliContext) {
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const { files } = await openWorkFolder(context);
  return (await readFolderConfig({ ...context, logger: silent }, files)).config;
}

async function simulation(context: CliContext, { session, snapshot }: ReadySession, own: SimulateOptions) {
  const { usage } = session;
  if (!usage) throw new CliError('failed', 'This folder has no usage log: nothing can be simulated.');
  const config = await configOf(context);
  const { sections } = requireReport(snapshot).payloads.expanded;
  const onDemand = new Set([
    ...config.onDemand,
    ...config.sections.filter((section) => section.onDemand).map(({ id }) => id),
  ]);
  const mode = own.mode ?? 'dynamic';
  const { profile } = context.options;
  const cycles = own.cycles ?? config.scoring.window;
  // Those before the simulated ones are the history that they are judged by.
  const { records, problems } = await usage.records(cycles + config.scoring.window);
  // Of the newest cycles the session has told.
  const told = new Set(snapshot.problems.map(({ message }) => message));
  for (const message of problems.map(usageProblemText)) if (!told.has(message)) context.logger.warn(message);
  const { threshold } = config.scoring;
  const tried =
    own.threshold !== undefined ? [own.threshold] : mode === 'dynamic' ? [...THRESHOLDS, threshold] : [threshold];
  const results = simulateThresholds(
    records,
    sections
      .filter(({ isExcluded }) => !isExcluded)
      .map((section) => ({ ...simulatedSection(section), isOnDemand: onDemand.has(section.id) })),
    {
      scoring: { ...config.scoring, mode },
      cycles,
      ...(profile === undefined ? {} : { caps: profileOf(config, profile) }),
    },
    [...new Set(tried)].sort((left, right) => left - right),
  );
  return { mode, profile, threshold, results } satisfies Simulation;
}

/** `context-budget simulate`: what the last cycles would have cost, and which citations they would have lost. */
export function addSimulateCommand(program: Command, run: RunCommand): void {
  program
    .command('simulate')
    .summary(
      'what the last cycles would have cost under a threshold or profile, and which citations they would have lost',
    )
    .description(
      'Goes through the newest cycles of the usage log as if a mode and a threshold had been in force, each judged by the ' +
        'cycles before it: cost, citations kept and lost, stubs. Several thresholds unless one is given; with --profile ' +
        'under the caps of that profile.',
    )
    .addOption(thresholdOption())
    .addOption(modeOption())
    .option('--cycles <count>', "newest cycles to go through (default: the config's scoring.window)", parseCount)
    .addHelpText('after', EXAMPLE)
    .action((own: SimulateOptions, command: Command) =>
      run(command, (context) =>
        withSession(
          context,
          async (ready) => {
            context.io.stdout.write(renderSimulation(await simulation(context, ready, own), context.options.format));
            return ready.exitCode;
          },
          { waitFor: 'sections' },
        ),
      ),
    );
}
